// witness.h - a mapping as a C program that computes its layer and counts what it touches.
//
// Flow: sl_witness_check -> (too large: sl_witness_scale) -> sl_witness_write, to read what a
// mapping means; or sl_witness_run, which builds and runs the program and reads its counts.
//
// The program has the loops of the nest, a buffer with contents per instance, level and tensor, and
// rules for what enters and leaves them (docs/model.md, sections 1-3); it knows no formula of the
// cost model. The counts have the names and meanings of that page, so whoever has both can compare.
#pragma once

#include "starling/mapping.h"

SL_API_BEGIN

// What a program may have to do: it then takes seconds.
enum {
    SL_WITNESS_MAX_MACS = 1 << 22,   // cycles x MACs, idle ones included
    SL_WITNESS_MAX_BYTES = 1 << 28,  // of all buffers together, tensors in DRAM included
    SL_WITNESS_MAX_VISITS = 1 << 28, // words looked at in all steps of all levels
};

// What is executed. `accel` has one on-chip level per boundary of the nest; its names stand in
// comments, its fan-outs say what multicasts and reduces.
typedef struct {
    const SlLayer *layer;
    const SlAccel *accel;
    const SlMapping *mapping;
} SlWitnessJob;

// NULL, or why there is no program: not a nest of this layer, other levels than the accelerator
// has, or too large, with the limit.
const char *sl_witness_check(const SlWitnessJob *job);

// The same nest over a smaller layer that passes the check: no loop has more than `trips`
// iterations, the most for which there is space; loops that iterate still do, exact tiles stay
// exact and partial ones partial. A job that passes the check comes back as it is, with `trips` 0.
// False if even two iterations per loop are too many.
bool sl_witness_scale(const SlWitnessJob *job, SlLayer *layer, SlMapping *mapping, int64_t *trips);

// A whole C11 program that needs nothing but the C library. It prints a line "name count" for every
// count and "output right" or "output wrong"; with several jobs, a line "nest N" before each.
// Every job must pass the check.
void sl_witness_write(int n, const SlWitnessJob *jobs, SlText *source);

// Counts of one storage level (or of the MACs), in words. Zero where a tensor is not kept.
typedef struct {
    int64_t fill[SL_N_TENSORS];  // written into all instances (O: residencies begun)
    int64_t pread[SL_N_TENSORS]; // read at the parent (O: partial sums read back)
    int64_t own0[SL_N_TENSORS];  // fill of instance 0
    int64_t srv0[SL_N_TENSORS];  // pread at parent instance 0
    int64_t tile[SL_N_TENSORS];  // largest tile of one instance
    int64_t first[SL_N_TENSORS]; // over the network in the first step
    int64_t upd, upd0;           // updates of O at the parent; at parent instance 0
    int64_t cov0;                // distinct O elements instance 0 ever holds
    int64_t inst, grid;          // instances that ever work; instances laid out
} SlWitnessLevel;

// What an execution counted. Index l = storage level (0 DRAM: empty), level[n_levels] = the MACs.
typedef struct {
    int n_levels; // with DRAM
    bool output_right;
    char fault[96]; // the first broken rule ("a partial sum is lost"), "" = none
    int64_t macs, cycles;
    SlWitnessLevel level[SL_MAX_LEVELS + 1];
} SlWitnessCounts;

// Zeros are good defaults.
typedef struct {
    const char *compiler;  // NULL = cc
    double build_s, run_s; // deadlines; 0 = 120 s each
} SlWitnessOptions;

// Build one program of all jobs in a folder of its own, run it, and read the counts of each into
// `out` (n). Several jobs share one call of the compiler. Every job must pass the check. SL_EINPUT
// if the program cannot be built or run to its end, with what the compiler or the system said.
SlStatus sl_witness_run(int n, const SlWitnessJob *jobs, const SlWitnessOptions *options,
                        SlArena *scratch, SlWitnessCounts *out, SlError *err);

// The count of a level that sl_count_names[i] names in the program's output.
int64_t sl_witness_count(const SlWitnessLevel *level, int i);

SL_API_END
