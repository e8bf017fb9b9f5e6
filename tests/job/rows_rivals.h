// rows_rivals.h - what can be taught by the RTL rows of other layers, ours and its rivals.
#pragma once

#include "rows_help.h"

// One way to guess. `predict` fills the guesses of the rows of layers in fold `held`, lower =
// better, and looks at the values of the other folds alone.
typedef struct {
    const char *name;
    bool random; // another seed, another guess; else the folds alone make a difference
    bool (*predict)(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess);
} Rival;
extern const Rival rtl_rivals[]; // ends with a name of NULL
