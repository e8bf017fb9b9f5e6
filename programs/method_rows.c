// method_rows.c - the methods of the library, and `exact`.
#include "method_rows.h"

#include <string.h>

enum { MAX_NAMES = 64 };

static const SlOption no_options[] = {{0}};

// branch and bound neither asks for points nor is told outcomes; the row is for lists and reports
static const SlMethod exact = {
    .name = "exact",
    .title = "branch and bound: the best of the space, or a proven gap; takes --prove, not samples",
    .source = "Land & Doig, An automatic method of solving discrete programming problems, 1960; "
              "the bounds: docs/optimum.md",
    .options = no_options,
};

const SlMethod *method_row_at(int i) {
    const SlMethod *row = sl_method_at(i);
    if (row) return row;
    return i > 0 && sl_method_at(i - 1) ? &exact : NULL; // behind the last
}

const SlMethod *method_row_find(const char *name) {
    return strcmp(name, exact.name) == 0 ? &exact : sl_method_find(name);
}

bool method_is_exact(const SlMethod *method) {
    return method == &exact;
}

const char *method_row_nearest(const char *name) {
    const char *names[MAX_NAMES] = {0};
    for (int i = 0; i < MAX_NAMES - 1 && method_row_at(i); i++) names[i] = method_row_at(i)->name;
    return sl_nearest_name(name, names);
}
