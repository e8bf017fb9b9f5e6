// bench.h - inside `starling bench`: the rows of its parts, a file each, and what they share.
#pragma once

#include "command.h"
#include "starling/workload.h"

extern const Command bench_cost, bench_maestro, bench_map, bench_prove, bench_particles;
extern const Command bench_replay, bench_dense, bench_vta, bench_kernel, bench_schedules;

// The row of a part, whose file has `options_table` and `run`. Where `takes` is "" it takes no
// words.
#define BENCH_ROW(part, Options, takes, what, of, shown)                                           \
    static int check_and_run(Call *call) {                                                         \
        return call->words.n > 0 && !*(takes) ? bench_refuse_words(call) : run(call);              \
    }                                                                                              \
    const Command bench_##part = {.name = "bench " #part,                                          \
                                  .summary = (what),                                               \
                                  .usage = "bench " #part " " takes "[OPTION...]",                 \
                                  .about = (of),                                                   \
                                  .examples = (shown),                                             \
                                  .options = options_table,                                        \
                                  .options_bytes = sizeof(Options),                                \
                                  .run = check_and_run}

// Options of several parts.
#define BENCH_ACCEL(Options, what)                                                                 \
    SL_OPT_TEXT(Options, "accel", accel, "eyeriss", "NAME|FILE", what)
#define BENCH_NESTS(Options, what)                                                                 \
    SL_OPT_WHOLE(Options, "nests", nests, "4096", 64, 1 << 20, "N", what)
#define BENCH_REPEATS(Options, usual, what)                                                        \
    SL_OPT_WHOLE(Options, "repeats", repeats, usual, 1, 1000, "N", what)
#define BENCH_SEED(Options) SL_OPT_WHOLE(Options, "seed", seed, "1", 0, 9e15, "S", "random seed")
#define BENCH_THREADS(Options, what)                                                               \
    SL_OPT_WHOLE(Options, "threads", threads, "0", 0, 1024, "N", what "; 0 = one per core")
#define BENCH_PASSES "passes; the best one counts"

int bench_refuse_words(const Call *call); // after a part that takes none

// ---- layers ----

// Four usual layers to price and to map.
typedef struct {
    const char *name, *layer;
} BenchCase;
enum { BENCH_CASES = 4 };
extern const BenchCase bench_cases[BENCH_CASES];

typedef struct {
    char name[336]; // "conv", of a network: "resnet18:conv2_1"
    SlLayer layer;
} BenchLayer;

typedef struct {
    int n;
    BenchLayer *list; // (n)
} BenchLayers;

// The distinct layers of a workload, behind those that are there.
SlStatus bench_add_layers(const char *workload, SlArena *arena, BenchLayers *layers, SlError *err);
// Those of the words of the call, without words of the `usual` workloads, which end with NULL.
SlStatus bench_find_layers(const Call *call, const char *const *usual, BenchLayers *layers,
                           SlError *err);

// ---- times ----

double bench_processor_seconds(void); // of this thread, which does not run all the time

void bench_forget(int n, double *best); // no best time yet: infinite

typedef struct {
    double p25, median, p75, p90, p99, worst;
} BenchSpread;
BenchSpread bench_spread(int n, double *times); // `times` are put in order

// ---- documents ----

SlDoc *bench_doc(const Call *call);              // "bench-PART", empty
int bench_deliver(const Call *call, SlDoc *doc); // prints it
// What the options `names` (blanks between them) are, machines only.
void bench_options(const Call *call, const char *names, SlDoc *doc);
// People see so many decimals.
void bench_fixed(SlDoc *doc, const char *key, const char *label, int decimals, double value);
// Row i of n, behind which comes that of all.
void bench_row(SlDoc *doc, int i, int n);
