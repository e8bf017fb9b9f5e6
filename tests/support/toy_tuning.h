// toy_tuning.h - tuning tasks for tests: any values, drafts, floors and rules on a few knobs.
#pragma once

#include "task/tuning_inside.h"

typedef double ToyValue(const SlKnobs *knobs, const int32_t *point);

// NULL: drafts are values, floors are 0, all points are valid. Features are indices, as numbers.
typedef struct {
    ToyValue *value, *draft, *floor;
    bool (*valid)(const SlKnobs *knobs, const int32_t *point);
    SlTuning tuning;
    SlTargetRow row;
} ToyTuning;

// Knobs of so many values each, 1, 2, 3 ... The functions are set by the caller. Do not copy it.
void toy_tuning_init(ToyTuning *toy, int n_knobs, const int *n_values);

// A task of the default VTA core, in the arena.
SlTuning *vta_tuning(const char *layer, SlArena *arena);
