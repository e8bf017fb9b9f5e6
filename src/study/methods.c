// methods.c - every method by name: the rows of search, then those of learn.
#include <string.h>

#include "starling/study.h"

static const SlMethod *const *const tables[] = {sl_search_methods, sl_learn_methods};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

const SlMethod *sl_method_at(int i) {
    for (int t = 0; t < N_TABLES; t++) {
        for (const SlMethod *const *row = tables[t]; *row; row++) {
            if (i-- == 0) return *row;
        }
    }
    return NULL;
}

const SlMethod *sl_method_find(const char *name) {
    const SlMethod *method = NULL;
    for (int i = 0; (method = sl_method_at(i)) != NULL; i++) {
        if (strcmp(method->name, name) == 0) return method;
    }
    return NULL;
}
