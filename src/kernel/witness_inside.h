// witness_inside.h - inside the witness: a job laid out as levels, instances and buffers.
#pragma once

#include "starling/kernel/witness.h"

enum { WITNESS_AXES = 5 }; // coordinates of every tensor: g k c r s, n g c y x, n g k p q

// Level 0 is DRAM, level n_levels the MACs; both keep every tensor.
typedef struct {
    const SlWitnessJob *job;
    int n_levels;
    int at[SL_MAX_LEVELS + 1]; // loops above each level
    uint8_t keep[SL_MAX_LEVELS + 1];
    double instances[SL_MAX_LEVELS + 1];
    double steps[SL_MAX_LEVELS + 1]; // of time, exactly
    int64_t width[SL_MAX_LOOPS];     // most iterations of a loop side by side; 1 for temporal loops
    int64_t trips[SL_MAX_LOOPS];     // most iterations of a loop
    // elements of each tensor and words of the largest tile of each level, by coordinate
    int64_t size[SL_MAX_LEVELS + 1][SL_N_TENSORS][WITNESS_AXES];
} WitnessPlan;

// Of a well-formed nest.
void sl_witness_plan(const SlWitnessJob *job, WitnessPlan *plan);
double sl_witness_slots(const WitnessPlan *plan, int level, int tensor); // words of one instance

// The nearest outer level that keeps the tensor.
int sl_witness_parent(const WitnessPlan *plan, int level, int tensor);

// Whether the iterations of a spatial loop above `level` hang on one network for the tensor.
bool sl_witness_shares(const WitnessPlan *plan, int level, int tensor, int loop);

// Parts of a program. Names of the nest's own begin with `prefix`.
void sl_witness_add_runtime(SlText *source);
void sl_witness_add_nest(const WitnessPlan *plan, const char *prefix, SlText *source);
