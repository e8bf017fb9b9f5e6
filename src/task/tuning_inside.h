// tuning_inside.h - inside task: what a target of tuning tasks is made of.
#pragma once

#include "starling/task/tuning.h"

// One row per target. The state of a task is all that its row needs.
typedef struct {
    SlStatus (*make)(SlTuning *tuning, SlArena *arena, SlError *err); // knobs, key, state
    void (*untuned)(const SlTuning *tuning, int32_t *point);
    bool (*check)(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault);
    double (*draft)(const SlTuning *tuning, const int32_t *point); // of points that pass the check
    double (*floor)(const SlTuning *tuning, const int32_t *point);
    int n_features; // of the program
    void (*features)(const SlTuning *tuning, const int32_t *point, float *out);
    void (*measure)(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured);
    const char *unit;
} SlTargetRow;
extern const SlTargetRow sl_target_vta, sl_target_cpu;

struct SlTuning {
    SlTuningSetup setup;
    const SlTargetRow *row;
    SlKnobs knobs;
    char key[640];
    int64_t measurements;
    SlArena *arena; // scratch of measuring
    void *state;
};

// Add a knob; the next one. Its values are to be filled in.
SlKnob *sl_knobs_add(SlKnobs *knobs, const char *name, int agent);
// Values of a knob at a point.
int32_t sl_knob_at(const SlTuning *tuning, const int32_t *point, int knob);
