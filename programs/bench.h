// bench.h - inside `starling bench`.
#pragma once

#include "command.h"

typedef struct {
    CommonOptions common;
    const char *accel;
    const char *objective; // prove
    double time;           // prove: seconds per layer, 0 = no limit
    int space;             // prove
    int64_t seed, threads, repeats, nests, samples;
    int64_t rows;         // replay
    int64_t trials;       // kernel
    const char *schedule; // kernel; NULL = search
    int type;             // kernel
} BenchOptions;

// The layers that everything is measured on.
typedef struct {
    const char *name, *layer;
} BenchLayer;
enum { BENCH_LAYERS = 4 };
extern const BenchLayer bench_layers[BENCH_LAYERS];

// Samples per second of every method, seconds of whole networks. Returns the exit code.
int bench_map(const BenchOptions *options);

// Microseconds per evaluation of MAESTRO's model.
int bench_maestro(const BenchOptions *options);

// Steps per second of particle worlds.
int bench_particles(const BenchOptions *given);

// Speed of the pieces of batched networks.
int bench_dense(const BenchOptions *given);

// Milliseconds to gather batches from replay, for every layout.
int bench_replay(const BenchOptions *given);

// Microseconds per simulated schedule of the VTA core.
int bench_vta(const BenchOptions *options);

// Layers as C programs, default and tuned, beside the peak; some usual layers if none is given.
int bench_kernel(const BenchOptions *given, int n_workloads, const char *const *workloads);

// Seconds of proofs of the distinct layers of workloads, the usual ones if none is given.
int bench_prove(const BenchOptions *options, int n_workloads, const char *const *workloads);
