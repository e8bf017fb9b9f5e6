// kernel.h - layers as C programs for this processor: schedules, the code they make, its speed.
//
// Flow: SlKernelTask (a layer, a number type) -> sl_kernel_values (what each knob may be) ->
// SlKernelSchedule -> sl_kernel_check -> sl_kernel_measure (source, build, check, time) ->
// SlKernelResult.
//
// The code is a direct convolution in blocked layouts: input NCHW[c]c, weights OIHW[c]i[k]o, output
// NCHW[k]k, where channels are rounded up to whole blocks. A register block of vectors x columns of
// outputs is summed up in registers; the knobs say how large it is and how the loops around it run.
// Layers with 1x1 filters, stride 1 and no padding (all linear and gemm layers) are one row of
// batch x rows x columns. Depthwise layers have channels in the lanes of vectors. What is timed
// includes the padding of the input, and not the packing of constant weights.
#pragma once

#include "starling/kernel/build.h"
#include "starling/kernel/child.h"
#include "starling/kernel/process.h"
#include "starling/kernel/witness.h"
#include "starling/workload.h"

SL_API_BEGIN

typedef enum {
    SL_KERNEL_FP32, // sums in float
    SL_KERNEL_INT8, // int8 x int8, exact sums in int32
    SL_N_KERNEL_TYPES
} SlKernelType;
extern const char *const sl_kernel_type_names[SL_N_KERNEL_TYPES + 1]; // "fp32", "int8"

typedef struct {
    SlLayer layer;
    SlKernelType type;
    int threads;      // most threads of a schedule, 1..64
    int vector_bytes; // widest vectors: 16, 32 or 64
} SlKernelTask;

// Bytes of this processor's vectors: 16, 32 or 64.
int sl_kernel_vector_bytes(void);

// NULL, or the first reason why no schedule makes a program of this layer.
const char *sl_kernel_task_check(const SlKernelTask *task);

// --- Schedules

typedef enum {
    SL_KNOB_VECTOR,     // bytes of a vector
    SL_KNOB_OC_VECTORS, // vectors of output channels in a register block
    SL_KNOB_OW_BLOCK,   // most columns of outputs in a register block
    SL_KNOB_THREADS,
    SL_KNOB_PARALLEL,  // what threads share: 0 output channels, 1 rows, 2 both
    SL_KNOB_UNROLL_IC, // input channels (int8: pairs of them) per turn of the innermost loop
    SL_KNOB_UNROLL_KW, // 1 = all columns of the filter in a row
    SL_KNOB_TILE_OH,   // rows of outputs in a tile
    SL_KNOB_TILE_OW,   // columns of outputs in a tile
    SL_KNOB_TILE_IC,   // input channels of a block, which is also the layout's
    SL_KNOB_ORDER,     // see sl_kernel_order_names
    SL_N_KERNEL_KNOBS
} SlKernelKnob;

// Loops from the outside in: o blocks of output channels, h tiles of rows and columns, c blocks of
// input channels; after the dot is what runs while sums stay in registers. "oh.c", "ho.c": sums are
// complete after one visit. "ohc.": weights of one c block stay while a tile is swept; "hco.":
// inputs of one c block stay while all output channels are.
enum { SL_ORDER_OH_C, SL_ORDER_HO_C, SL_ORDER_OHC, SL_ORDER_HCO, SL_N_KERNEL_ORDERS };
extern const char *const sl_kernel_order_names[SL_N_KERNEL_ORDERS + 1];

typedef struct {
    const char *name; // "tile_oh"
    const char *help;
    SlProfession agent;
} SlKernelKnobRow;
extern const SlKernelKnobRow sl_kernel_knobs[SL_N_KERNEL_KNOBS];

typedef struct {
    int32_t values[SL_N_KERNEL_KNOBS];
} SlKernelSchedule;

enum { SL_KERNEL_MAX_VALUES = 64 };

// The values that a knob may take for a task that passed its check, ascending; returns how many,
// 1..SL_KERNEL_MAX_VALUES. Not every combination is valid.
int sl_kernel_values(const SlKernelTask *task, int knob, int32_t values[SL_KERNEL_MAX_VALUES]);

// NULL, or the first rule that a schedule breaks, as a sentence without numbers. Values need not be
// listed by sl_kernel_values.
const char *sl_kernel_check(const SlKernelTask *task, const SlKernelSchedule *schedule);

// What TVM's x86 template does without tuning (apache/tvm v0.9.0, topi/x86/conv2d_avx_common.py):
// one vector of output channels, the largest divisor of the columns up to 31, blocks of input
// channels that fit a vector, everything in the order "oh.c", all threads. Always valid.
void sl_kernel_default(const SlKernelTask *task, SlKernelSchedule *schedule);

// "vector=32 oc_vectors=2 ow_block=6 ...". At most n-1 bytes into `out`, which is returned; 256 are
// always enough.
const char *sl_kernel_show(const SlKernelSchedule *schedule, size_t n, char *out);

// Values from a text as written by sl_kernel_show, in any order; knobs left out stay as they are.
SlStatus sl_kernel_parse(const char *text, SlKernelSchedule *schedule, SlError *err);

// Seconds by a simple model of a processor with two fused multiply-adds and two loads per cycle at
// 3 GHz, 16 vector registers (32 of 64 bytes) and caches of 32 KiB, 512 KiB and 16 MiB. Good for
// ordering schedules of a task before any is measured, not as a time. For valid schedules.
double sl_kernel_draft(const SlKernelTask *task, const SlKernelSchedule *schedule);

// What a cost model may want to know of a valid schedule: sizes, trips, footprints, loads per
// multiply-add, spilled registers, shares of waste, as base-2 logarithms where they are sizes.
// Returns SL_N_KERNEL_FEATURES; equal numbers of features mean the same for all tasks.
enum { SL_N_KERNEL_FEATURES = 40 };
int sl_kernel_features(const SlKernelTask *task, const SlKernelSchedule *schedule,
                       float out[SL_N_KERNEL_FEATURES]);

// --- Code

// Append the whole C program of a valid schedule to `out`. The program takes three words: how many
// repeats, milliseconds per repeat at least, and 1 to check the answer (0: not). It prints one
// line, "ok" and the seconds of one call in each repeat, or "wrong" and what differs; a wrong
// answer is never timed. Inputs depend on the layer alone. Threads are pinned to the processors it
// may use.
void sl_kernel_source(const SlKernelTask *task, const SlKernelSchedule *schedule, SlText *out);

// --- Measuring

enum { SL_KERNEL_MAX_REPEATS = 64 };

// What to measure with. Zeros are good defaults except for `compiler`.
typedef struct {
    SlCompiler compiler;  // by sl_compiler_init
    int repeats;          // 0 = 5; at most SL_KERNEL_MAX_REPEATS
    double min_repeat_ms; // one repeat lasts at least this long; 0 = 10
    double run_timeout_s; // 0 = 10, for a check and all repeats
    size_t memory_bytes;  // of the program; 0 = 4 GiB, SIZE_MAX = no limit
    // changes the source before it is built; for tests
    void (*edit)(void *context, SlText *source);
    void *context;
} SlKernelBench;

// Plain value; an error is a record like any other.
typedef struct {
    SlKernelError error;
    char why[256];   // one sentence, empty if error is 0
    double median_s; // of one call; the times below are 0 unless error is 0
    double least_s;
    double spread;         // (upper - lower quartile) / median
    double gops;           // billions of operations (2 per multiply-add of the layer) per second
    bool cached;           // the compiler was not called
    double build_s, run_s; // spent on building and running
} SlKernelResult;

// Generate, build or find, check, time. On one thread the time is that of the processor, so that
// other programs disturb less; else that of the clock. Runs of one process should not overlap.
void sl_kernel_measure(const SlKernelBench *bench, const SlKernelTask *task,
                       const SlKernelSchedule *schedule, SlKernelResult *result);

// Build `n` schedules in `workers` processes side by side (0 = one per core), so that measuring
// them finds their programs. results (n) hold errors of generating and building, no times. May be
// called while nothing is being timed. Returns how many could be built.
int sl_kernel_build_all(const SlKernelBench *bench, const SlKernelTask *task, int n,
                        const SlKernelSchedule *schedules, int workers, SlKernelResult *results);

// Measure `n` schedules in turns, `rounds` times each, because the best of many noisy times is
// better than true: slow phases of the machine then meet all of them. results (n) get the medians
// over rounds. False without memory.
bool sl_kernel_contest(const SlKernelBench *bench, const SlKernelTask *task, int n,
                       const SlKernelSchedule *schedules, int rounds, SlKernelResult *results);

// The contest of two. Returns -1 if a is faster, 1 if b is, 0 if neither could be measured; ties go
// to a.
int sl_kernel_duel(const SlKernelBench *bench, const SlKernelTask *task, const SlKernelSchedule *a,
                   const SlKernelSchedule *b, int rounds, SlKernelResult *result_a,
                   SlKernelResult *result_b);

// What one core can do at most: independent multiply-adds in registers. For fp32 fused
// multiply-adds, for int8 sums of products of pairs of 16-bit numbers. `gops` of the result counts
// as above.
void sl_kernel_peak(const SlKernelBench *bench, SlKernelType type, int vector_bytes,
                    SlKernelResult *result);

SL_API_END
