// task.h - a task: points, what is known of them for free, and the one counted door to their value.
//
// Flow: a row of sl_task_kinds and what it evaluates (SlTaskSetup) -> sl_task_make -> SlTask.
//       Free, of a const task: space, check, key, features, draft, floor. Counted: sl_task_eval,
//       one sample each. Methods see a const task, propose points and are told samples (SlMethod:
//       ask, tell). Environments over tasks are in task/env.h, particle worlds in task/particle.h.
#pragma once

#include "starling/cost.h"
#include "starling/kernel.h"

SL_API_BEGIN

// --- Samples

// What one counted evaluation says. Values are for reporting, scores for learning.
typedef struct {
    double value; // in the task's unit; INFINITY where it is illegal, failed, or not a finite
                  // positive number, so that it never becomes the best
    double score; // log value where legal; else above every legal score seen so far, growing with
                  // the violation. Always finite; lower is better
    double latency_cycles, energy_pj, area_um2, power_mw; // 0 where unknown; area as the objective
    double excess;       // log of need / have of the worst rule that fails, 0 = none
    double spread;       // of repeats, relative; 0 where there is no noise
    SlKernelError error; // how a program or an evaluator failed, 0 = not
    const char *reason;  // why, in words; NULL = none. Lives as long as the task
    bool free;           // a rule of the space refused it: nothing was evaluated, nothing counted
} SlSample;

// --- Kinds: who evaluates

typedef struct SlTask SlTask;

// One row per evaluator. Adding one = one file (src/task/kind_NAME.c), one row.
typedef struct {
    const char *name, *title; // "vta", "simulated cycles of a VTA tensor core"
    bool maps;                // points are mappings onto an accelerator
    bool noisy;               // repeats differ
    bool dear; // a sample takes long: none is asked for twice, and what was measured is worth a log
    bool wide; // evaluates many points side by side
    double us; // microseconds of a sample, about: methods decide by it, it is never measured
    const struct SlTaskRow *row; // its functions, inside task
} SlTaskKind;
extern const SlTaskKind *const sl_task_kinds[]; // native, maestro, vta, cpu, process; then NULL
extern const SlTaskKind sl_kind_native, sl_kind_maestro, sl_kind_vta, sl_kind_cpu, sl_kind_process;
const SlTaskKind *sl_task_kind_find(const char *name); // NULL if there is none

// NULL, or why a kind cannot evaluate this layer on this accelerator (NULL where it has its own).
const char *sl_kind_check(const SlTaskKind *kind, const SlLayer *layer, const SlAccel *accel);

// What a kind asks of a space of mappings: MAESTRO's counts space in its own way, and needs whole
// filters (where the user has no constraints, the bundled ones called maestro, which are read into
// `constraints`).
SlStatus sl_kind_space(const SlTaskKind *kind, SlArena *scratch, SlConstraints *constraints,
                       SlSpaceOptions *options, SlError *err);

// No mapping is below; NAN where nothing is known. MAESTRO's model has a floor of latency alone:
// every lane of every PE busy.
double sl_kind_floor(const SlTaskKind *kind, const SlGoal *goal, const SlLayer *layer,
                     const SlAccel *accel);

// --- Tasks

typedef enum {
    SL_ILLEGAL_REPAIR, // a mapping that does not fit is made to fit, deterministically and for free
    SL_ILLEGAL_PENALTY, // it is not priced; its score says by how much the worst rule fails
} SlIllegal;
extern const char *const sl_illegal_names[3]; // "repair", "penalty", NULL

typedef struct {
    const SlTaskKind *kind; // NULL = native
    const SlSpace *space;   // native, maestro, process: the choices, which name layer and
                            // accelerator too; kept. Others make their own
    const SlLayer *layer;   // those others: the layer; copied
    SlGoal goal;            // native, maestro, process
    SlIllegal illegal;      // mappings
    const void *options;    // of the kind (task/programs.h, task/evaluator.h), NULL = its defaults
} SlTaskSetup;

// SL_EINPUT with the reason where the kind cannot do it; SL_ENOMEM.
SlStatus sl_task_make(const SlTaskSetup *setup, SlArena *arena, SlTask **task, SlError *err);
void sl_task_close(SlTask *task); // ends what the kind has started (programs); NULL is fine

const SlTaskSetup *sl_task_setup(const SlTask *task);
const SlTaskKind *sl_task_kind(const SlTask *task);
const SlSpace *sl_task_space(const SlTask *task);
const SlLayer *sl_task_layer(const SlTask *task); // NULL where nothing is mapped
// Names the task in logs: kind, layer, core or machine; of mappings the goal and the space too.
// Equal names: equal values, noise apart.
const char *sl_task_name(const SlTask *task);
const char *sl_task_unit(const SlTask *task); // "cycles", "s", the goal's
// What evaluates, as far as the kind does not say it: the core and its timing (vta), the processor,
// the numbers and threads (cpu), the command (process). "" for others. Equal texts: values of one
// task teach something of another.
void sl_task_platform(const SlTask *task, size_t n, char *out);
double sl_task_floor(const SlTask *task); // no value is below, NAN = nothing is known

// --- What is free: no sample is counted. From any thread.

// The default: every tile 1 (vta), TVM's rules (cpu), the point nearest to the default mapping
// (mappings), the first value of everything (own spaces).
void sl_task_start(const SlTask *task, int32_t *point);

typedef struct {
    double resources; // need / have - 1 of the chip's worst limit, 0 = fits
    double buffers;   // sum over buffers of need / have - 1, 0 = fits
    bool structure;   // tiles do not divide, threads cannot share, a rule of the space fails
    char text[160];   // the first rule that fails, with numbers
} SlFault;
// True if the point can be evaluated; else `fault` says why (NULL = not wanted).
bool sl_task_check(const SlTask *task, const int32_t *point, SlFault *fault);

// What a point becomes: its key, and the nest where points are mappings.
typedef struct {
    uint64_t key; // equal keys: equal values. The number of the point where points are not mappings
                  // and the space has numbers
    SlMapping mapping;
} SlView;
void sl_task_view(const SlTask *task, const int32_t *point, SlView *view);
uint64_t sl_task_key(const SlTask *task, const int32_t *point);

// What a critic sees of a point, numbers of order one: features of the nest (sl_mapping_features),
// of the program, or the values themselves. The first sl_task_n_estimates are half the logarithm of
// a guessed value over its least.
enum { SL_MAX_FEATURES = 1024 };
int sl_task_n_features(const SlTask *task);
int sl_task_n_estimates(const SlTask *task);
SlFeatureGroup sl_task_feature_group(const SlTask *task, int feature);
void sl_task_features(const SlTask *task, const int32_t *point, const SlView *view, float *out);

// What boosted trees see: the values (log2 of value + 1; places of items in orders), or counts,
// bytes, busy cycles and fills of the program or nest, which mean the same for all tasks of a kind.
// Programs of points that fail the check have none: all zeros.
typedef enum { SL_SEE_KNOBS, SL_SEE_PROGRAM } SlTreeSight;
extern const char *const sl_tree_sight_names[3]; // "knobs", "program", NULL
int sl_task_n_seen(const SlTask *task, SlTreeSight sight);
void sl_task_see(const SlTask *task, SlTreeSight sight, const int32_t *point, float *out);

// The layer and the machine themselves, numbers of order one: what one task is beside others of its
// kind. As many for all machines with the same number of levels; 0 in own spaces.
int sl_task_n_context(const SlTask *task);
void sl_task_context(const SlTask *task, float *out);
int sl_context_n(const SlAccel *accel); // of mappings onto a machine; NULL = of programs
void sl_context(const SlLayer *layer, const SlAccel *accel, float *out); // (sl_context_n)

// A guess of the value; INFINITY for points that fail the check. Only where the kind has one.
bool sl_task_has_draft(const SlTask *task);
double sl_task_draft(const SlTask *task, const int32_t *point);
// No sample of the point is below; 0 = nothing is known, INFINITY for points that fail the check.
bool sl_task_has_floors(const SlTask *task);
double sl_task_point_floor(const SlTask *task, const int32_t *point);

// --- What is counted

// Evaluate points (n, n_params), or any well-formed nest with the accelerator's levels. Each is one
// sample, repeats and failures too; points that break a rule of an own space are none.
void sl_task_eval(SlTask *task, int n, const int32_t *points, SlSample *samples);
void sl_task_eval_mapping(SlTask *task, const SlMapping *mapping, SlSample *out);
// The same for what an earlier run has measured: counted, not evaluated.
void sl_task_replay(SlTask *task, const int32_t *point, SlSample *sample);
int64_t sl_task_samples(const SlTask *task);
// Why evaluating cannot go on (an evaluator that never answers); NULL = it can.
const char *sl_task_broken(const SlTask *task);
// Asked now and then while something is evaluated; true = stop soon. NULL = nobody asks.
void sl_task_set_stop(SlTask *task, bool (*stop)(void *), void *context);

// All counts and costs of the last mapping that was priced by the native model; NULL before the
// first, and for other kinds.
const SlCost *sl_task_cost(const SlTask *task);

// The best so far, of equal values the one with the lower energy-delay product; NULL before the
// first legal sample.
typedef struct {
    SlMapping mapping; // where points are mappings
    SlSample outcome;
    int64_t sample;               // at which this value was found, from 1
    int32_t point[SL_MAX_PARAMS]; // where it came from a point; else zeros
} SlBest;
const SlBest *sl_task_best(const SlTask *task);

// --- Methods: whatever proposes points and learns from samples

// Which agent steers which parameter.
typedef struct {
    int n_agents;
    int agent[SL_MAX_PARAMS]; // of each parameter, 0..n_agents-1
} SlAgents;
void sl_agents_each(const SlSpace *space, SlAgents *agents); // one agent per parameter
const char *sl_agents_check(const SlSpace *space, const SlAgents *agents); // NULL or the reason

// What a run may hand to a later one on another layer of the same accelerator: examples of
// (features, score), and the policies at its end. Opaque to all but the method that made it.
typedef struct SlMemory SlMemory;

// What other tasks of the kind have shown: features (n, n_features of SL_SEE_PROGRAM) and labels
// (n), the task's least value over the value, 0 where it failed.
typedef struct {
    int n, n_features;
    const float *features, *labels;
} SlHistory;

// What was taught before, on other tasks (starling/learn/flock.h).
typedef struct SlFlock SlFlock;

typedef struct {
    const SlTask *task; // const: a method cannot evaluate; kept
    const SlAgents *agents;
    uint64_t seed;
    const char *stream;       // names the random numbers of this run, for example the layer; kept
    int64_t budget;           // samples that will be asked for at most; at least 1
    const SlMemory *memory;   // from other layers, NULL = none; kept
    const SlHistory *history; // from other tasks, NULL = none; kept
    const SlFlock *flock;     // taught before, one that suits the task; NULL = none; kept
} SlMethodSetup;

// What a method cannot do without.
enum {
    SL_NEEDS_MAPPINGS = 1, // points that are mappings: their loops and tiles
    SL_NEEDS_DRAFT = 2,    // a free guess of the value
    SL_NEEDS_FLOORS = 4,   // a lower bound of every point
    SL_NEEDS_FLOCK = 8,    // a flock taught before
};

// One row of a method table. Adding a method = one file, one row, one test file, one docs page.
typedef struct SlMethod {
    const char *name, *title; // "marl", "agents that deviate from the best mapping, with a critic"
    const char *source;       // paper
    const SlOption *options;  // of its options struct; a lone {0} where it has none
    size_t options_bytes;     // size of that struct
    bool learns;              // uses agents
    unsigned needs;           // SL_NEEDS_*
    bool thinks;              // for milliseconds per sample: worth it where samples are dear

    // A new state in the arena, NULL without memory. `options` is copied.
    void *(*make)(const SlMethodSetup *setup, const void *options, SlArena *arena);

    // Write 1..room points (room, n_params); returns how many. 0 = there are none left, or none
    // that could be better.
    int (*ask)(void *state, int room, int32_t *points);

    // Samples of the points asked for last, in the order of asking; fewer only at the end.
    void (*tell)(void *state, int n, const int32_t *points, const SlSample *samples);

    // Samples of points that nobody asked for: where a run starts. NULL = as tell.
    void (*meet)(void *state, int n, const int32_t *points, const SlSample *samples);

    // What this run hands to later ones, in the arena; NULL where the method has nothing (or the
    // row is NULL).
    SlMemory *(*remember)(const void *state, const SlMemory *older, SlArena *arena);

    // Asking returned 0 because nothing better is left: the best is the optimum. NULL = never.
    bool (*proved)(const void *state);

    // NULL, or why these options cannot use a flock that suits the task. NULL = they always can.
    const char *(*lacks)(const void *options, const SlFlock *flock);

    // Numbers that training changes: weights and biases, logits. NULL = it trains none.
    int64_t (*weights)(const void *state);
} SlMethod;

// NULL, or what the task lacks that the method needs: one sentence. No task has a flock of its own.
const char *sl_method_check(const SlMethod *method, const SlTask *task);
// Tell a method of points it did not ask for.
void sl_method_meet(const SlMethod *method, void *state, int n, const int32_t *points,
                    const SlSample *samples);

SL_API_END
