// method_rows.c - the methods of the library, and `exact`.
#include "method_rows.h"

#include <string.h>

static const SlOption no_options[] = {{0}};

// branch and bound neither asks for points nor is told outcomes; the row is for lists and reports
static const SlMethod exact = {
    .name = "exact",
    .title = "branch and bound: the best of the space, or a proven gap; takes --prove, not samples",
    .source = "Land & Doig, An automatic method of solving discrete programming problems, 1960; "
              "the bounds: docs/optimum.md",
    .options = no_options,
};

void method_rows(const SlMethod *rows[static METHOD_ROWS]) {
    int n = 0;
    while (n < METHOD_ROWS - 2 && sl_method_at(n)) {
        rows[n] = sl_method_at(n);
        n++;
    }
    rows[n] = &exact;
    rows[n + 1] = NULL;
}

const SlMethod *method_row_find(const char *name) {
    return strcmp(name, exact.name) == 0 ? &exact : sl_method_find(name);
}

bool method_is_exact(const SlMethod *method) {
    return method == &exact;
}

const char *method_row_nearest(const char *name) {
    const SlMethod *rows[METHOD_ROWS];
    const char *names[METHOD_ROWS] = {0};
    method_rows(rows);
    for (int i = 0; rows[i]; i++) names[i] = rows[i]->name;
    return sl_nearest_name(name, names);
}
