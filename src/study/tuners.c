// tuners.c - every tuner by name: the rows of search, then those of learn.
#include <string.h>

#include "starling/study/tune.h"

static const SlTuner *const *const tables[] = {sl_search_tuners, sl_learn_tuners};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

const SlTuner *sl_tuner_at(int i) {
    for (int t = 0; t < N_TABLES; t++) {
        for (const SlTuner *const *row = tables[t]; *row; row++) {
            if (i-- == 0) return *row;
        }
    }
    return NULL;
}

const SlTuner *sl_tuner_find(const char *name) {
    const SlTuner *tuner = NULL;
    for (int i = 0; (tuner = sl_tuner_at(i)) != NULL; i++) {
        if (strcmp(tuner->name, name) == 0) return tuner;
    }
    return NULL;
}
