// tuning.h - tuning tasks: knobs of hardware, scheduling and mapping, and the one door to a
// measurement of them.
//
// Flow: SlTuningSetup (a layer, a target) -> sl_tuning_make -> sl_tuning_knobs; what is known of a
//       point without measuring is free (check, draft, floor, features); sl_tuning_measure counts.
//       Methods propose points and are told measurements (SlTuner: ask, tell). The co-design
//       environment walks the knobs with three agents, rewarded by a cost model.
#pragma once

#include "starling/core.h"
#include "starling/kernel.h"
#include "starling/vta.h"

typedef enum { SL_TARGET_VTA, SL_TARGET_CPU, SL_N_TARGETS } SlTarget;
extern const char *const sl_target_names[SL_N_TARGETS + 1]; // "vta", "cpu", NULL

extern const char *const sl_tuning_agent_names[SL_N_KERNEL_AGENTS + 1]; // "hardware", "scheduling",
                                                                        // "mapping", NULL

// --- Knobs: a point is an index into the values of each

enum { SL_MAX_KNOBS = 12, SL_KNOB_MAX_VALUES = 96 };

typedef struct {
    char name[16];                      // "tile_h"
    int agent;                          // SL_AGENT_HARDWARE, _SCHEDULING, _MAPPING
    int n;                              // values, at least 1
    int32_t values[SL_KNOB_MAX_VALUES]; // ascending
} SlKnob;

typedef struct {
    int n_knobs;
    SlKnob knobs[SL_MAX_KNOBS];
    int64_t n_points; // product of all n; below 2^62
} SlKnobs;

// A number for every point, 0..n_points-1, and back.
int64_t sl_knobs_index(const SlKnobs *knobs, const int32_t *point);
void sl_knobs_point(const SlKnobs *knobs, int64_t index, int32_t *point);
// "tile_h=14 tile_w=56 ..."; at most n-1 bytes into `out`, which is returned; 512 are enough.
const char *sl_knobs_show(const SlKnobs *knobs, const int32_t *point, size_t n, char *out);
// A point from such a text: every knob once, values from their lists. SL_EINPUT with what was
// expected.
SlStatus sl_knobs_parse(const SlKnobs *knobs, const char *text, int32_t *point, SlError *err);

// --- A task

typedef enum {
    SL_HARDWARE_FIXED,  // the core as given
    SL_HARDWARE_SEARCH, // BATCH, BLOCK_IN, BLOCK_OUT are knobs too, within the budget
} SlHardware;
extern const char *const sl_hardware_names[3]; // "fixed", "search", NULL

typedef struct {
    SlTarget target;
    SlLayer layer;
    // vta
    SlVtaCore core; // with SEARCH: its buffers, bus and timing; its blocks are where search starts
    SlHardware hardware;
    SlVtaBudget budget; // of the chip, zeros = no limits; only SEARCH can go beyond
    bool bias;
    // cpu
    SlKernelType type;
    int threads;                // most
    const SlKernelBench *bench; // kept; NULL where nothing will be measured
} SlTuningSetup;

typedef struct SlTuning SlTuning;

// SL_EINPUT where the target cannot do the layer, with the reason; SL_ENOMEM.
SlStatus sl_tuning_make(const SlTuningSetup *setup, SlArena *arena, SlTuning **tuning,
                        SlError *err);
const SlTuningSetup *sl_tuning_setup(const SlTuning *tuning);
const SlKnobs *sl_tuning_knobs(const SlTuning *tuning);
// Names the task in logs: target, layer, core or machine. Equal keys: equal measurements, noise
// apart.
const char *sl_tuning_key(const SlTuning *tuning);
const char *sl_tuning_unit(const SlTuning *tuning); // "cycles", "s"
// Multiply-accumulates of the layer over value: 2 * this is the throughput per cycle or second.
double sl_tuning_macs(const SlTuning *tuning);

// The untuned schedule of the target's template: every tile 1 (vta), TVM's rules (cpu).
void sl_tuning_default(const SlTuning *tuning, int32_t *point);

// What a point stands for: a schedule on a core, a schedule of a kernel.
void sl_tuning_vta(const SlTuning *tuning, const int32_t *point, SlVtaTask *task,
                   SlVtaSchedule *schedule);
void sl_tuning_cpu(const SlTuning *tuning, const int32_t *point, SlKernelTask *task,
                   SlKernelSchedule *schedule);

// --- What is free: no sample is counted. From any thread.

typedef struct {
    double resources; // need / have - 1 of the chip's worst limit, 0 = fits
    double buffers;   // sum over buffers of need / have - 1, 0 = fits
    bool structure;   // tiles do not divide, threads cannot share, a field is too small
    char text[160];   // the first rule that fails, with numbers
} SlTuningFault;
// True if the point makes a program; else `fault` says why (NULL = not wanted).
bool sl_tuning_check(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault);

// A guess of the value; INFINITY for points that fail the check.
double sl_tuning_draft(const SlTuning *tuning, const int32_t *point);
// No measurement is below (vta); 0 = nothing is known (cpu). INFINITY for points that fail.
double sl_tuning_floor(const SlTuning *tuning, const int32_t *point);

// What cost models see: the values of the knobs (log2 of value + 1), or counts, bytes, busy cycles
// and fills of the program as well, which mean the same for all tasks of a target.
typedef enum { SL_SEE_KNOBS, SL_SEE_PROGRAM } SlTuningSight;
extern const char *const sl_sight_names[3]; // "knobs", "program", NULL
enum { SL_MAX_TUNING_FEATURES = 48 };
int sl_tuning_n_features(const SlTuning *tuning, SlTuningSight sight);
// Programs of points that fail the check have no counts: all features are then 0.
void sl_tuning_features(const SlTuning *tuning, SlTuningSight sight, const int32_t *point,
                        float *out);

// --- Measurements

typedef struct {
    double value;        // cycles or seconds; INFINITY where it failed
    SlKernelError error; // 0 = none
    double spread;       // of repeats, relative; 0 where there is no noise
} SlMeasured;

// Measure points (n, n_knobs); each is one measurement, failures and repeats too.
void sl_tuning_measure(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured);
int64_t sl_tuning_measurements(const SlTuning *tuning);

// --- Methods: whatever proposes points and learns from measurements

// What other tasks of the target have shown: features (n, n_features of SL_SEE_PROGRAM) and labels
// (n), the task's least value over the value, 0 where it failed.
typedef struct {
    int n, n_features;
    const float *features, *labels;
} SlTuningHistory;

typedef struct {
    const SlTuning *tuning; // const: a method cannot measure
    uint64_t seed;
    const char *stream;             // names the random numbers of this run; kept
    int64_t budget;                 // measurements at most; at least 1
    const SlTuningHistory *history; // NULL = none; kept
} SlTunerSetup;

// One row of a table of tuners. Adding one = one file, one row, one test file, one docs page.
typedef struct SlTuner {
    const char *name, *title, *source; // source: paper
    const SlOption *options;           // of its options struct; a lone {0} where it has none
    size_t options_bytes;

    // A new state in the arena, NULL without memory. `options` is copied.
    void *(*make)(const SlTunerSetup *setup, const void *options, SlArena *arena);

    // Write up to `room` points (room, n_knobs) that were never asked for before; returns how many.
    // 0 = there are none left, or none that could be better.
    int (*ask)(void *state, int room, int32_t *points);

    // Measurements of points, those asked for or any others. In the order of asking.
    void (*tell)(void *state, int n, const int32_t *points, const SlMeasured *measured);
} SlTuner;
