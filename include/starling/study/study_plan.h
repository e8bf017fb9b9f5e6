// study_plan.h - what a study compares: tasks x methods x seeds, from a YAML file
// (docs/formats/plan.md).
//
// Flow: sl_plan_find (bundled or a file) -> sl_plan_cells -> sl_study_run (store.h).
#pragma once

#include "starling/job.h"
#include "starling/task/own_space.h"

SL_API_BEGIN

// A layer on an accelerator for an objective, or on a core.
typedef struct {
    const char *name;      // "MobileNet-v2 latency", "vgg16:conv2_1 edp on flex1024"; unique
    const char *layer;     // as shown
    const char *workload;  // the layer inline
    const char *accel;     // its name; the core's
    const char *objective; // as text; "cycles"
    SlTaskSetup setup;     // who evaluates what; mappings: its space names layer and accelerator
    const char *stream;    // names the random numbers of its runs
    int64_t n_points;      // programs: of the space
    double floor;          // no value is below, NAN = nothing is known
    int count;             // layers of its network that are equal to it
} SlPlanTask;
// The core of a task that makes programs for VTA.
const SlVtaCore *sl_plan_core(const SlPlanTask *task);

// A row of the comparison: a method with its settings.
typedef struct {
    const char *name; // marl without critic; unique
    const SlMethod *method;
    const void *options;
    const char *settings;         // all options as one line of JSON
    SlAgentChoice agents;         // but for `elsewhere`, which depends on the task
    const char *like;             // layer whose assignment is reused, NULL = every task has its own
    const SlTaskSetup *elsewhere; // (n_tasks) that layer as a task, NULL without `like`
    const SlFlock *flock;         // taught before, NULL = none
    const char *taught;           // names it for fingerprints, NULL = none
    int64_t samples;              // the budget of a run
    bool quick;                   // part of the quick study too
} SlPlanRow;

// A network made of the plan's layers (plans of programs).
typedef struct {
    const char *name;
    const int *counts; // (n_tasks) how many of its layers each task stands for, on every core
    int n_layers;      // all of them
    int n_host;        // of them, left to the host
} SlPlanNetwork;

// One cell (job/cell.h) of it; its key names it in the store: "run/TASK/ROW/SEED", "proof/TASK" ...
typedef struct {
    SlCellKind kind;
    int task;
    int row; // RUN; ASSIGN: of the policies; else -1
    uint64_t seed;
    const char *key;
} SlPlanCell;

// A published number to stand beside ours.
typedef struct {
    const char *layer, *objective, *row; // as the plan's; "" = any
    const char *quantity;                // "value", "ratio", "speedup", "log10 size" ...
    double value, high;                  // high: end of a range, NAN = one number
    const char *over;                    // row it is compared with; NULL, "" = the reference
} SlPaperNumber;

// How many times the samples of another row a row needs, and what that shows.
typedef struct {
    const char *what;       // "many agents instead of one, tuned"
    const char *row, *over; // of the plan's; the quick form may have dropped them
} SlPlanFactor;

// What a report shows, in this order.
typedef enum {
    SL_SHOW_SIZES,        // points of the spaces
    SL_SHOW_ASSIGNMENT,   // heat map, dendrogram, agents by budget
    SL_SHOW_FACTORS,      // samples of rows over those of others, as the plan pairs them
    SL_SHOW_PAPER,        // published numbers beside ours
    SL_SHOW_RESULTS,      // median, quartiles, ratio to the reference, multiple of the floor
    SL_SHOW_CURVES,       // regret over samples with bands
    SL_SHOW_BOXES,        // spread over seeds at the end
    SL_SHOW_TARGETS,      // samples to within 10, 5, 1 % of the optimum
    SL_SHOW_WINS,         // wins, ties, losses; where the reference is not best
    SL_SHOW_RETURNS,      // mean return over samples
    SL_SHOW_AGREEMENT,    // of the groups that rows were given
    SL_SHOW_TRAJECTORIES, // how each parameter evolves
    SL_SHOW_DATASET,      // with and without the samples of the assignment
    SL_SHOW_COSTS,        // weights, memory and time of rows beside what they reach
    SL_SHOW_NETWORKS,     // plans of programs: cycles and tuning effort of whole networks
    SL_SHOW_FRONT,        // plans of programs: cycles of networks on every core against resources
    SL_SHOW_EFFORT,       // plans of programs: failed measurements, hours on a board
    SL_SHOW_TIMES,        // wall time per sample
    SL_N_SHOWS
} SlShow;
extern const char *const sl_show_names[SL_N_SHOWS + 1]; // "sizes", "assignment", ...; then NULL

typedef struct {
    const char *name, *title, *about; // about: a paragraph
    const char *text;                 // the YAML it was read from
    bool quick;                       // the short form of the study
    const SlTaskKind *kind;           // who evaluates
    const SlProcessOptions *program;  // a program of the user's; NULL = none
    int n_tasks, n_rows, n_seeds;
    SlPlanTask *tasks;
    SlPlanRow *rows;
    uint64_t *seeds; // (n_seeds)
    int reference;   // row the others are compared with, -1 = none
    SlSpacePreset space;
    SlStart start;
    SlIllegal illegal;
    bool prove; // a proof of every task
    double prove_gap, prove_seconds;
    int64_t prove_nodes; // 0 = no limit; a proof limited by nodes is the same on every machine
    int n_windows;       // of every run; or
    int64_t stretch;     // samples of a window, 0 = by their number
    bool trace;
    bool footprint; // weights and memory of every method's state
    bool sizes;     // a SPACE cell per task
    bool assign;    // ASSIGN cells of every task, one per policy
    SlAssignSetup assign_setup;
    int n_policies;
    const SlMethod *policies[SL_POLICIES_MAX];
    int n_budgets, budgets[16]; // of agents, for ASSIGN cells
    bool show[SL_N_SHOWS];
    const char *paper_source;
    int n_paper;
    SlPaperNumber *paper;
    int n_factors;
    SlPlanFactor *factors;
    int n_notes;
    const char **notes; // sentences for the report
    double minutes;     // the whole plan on two cores, as measured; 0 = not known
    // plans of programs
    SlHardware hardware;
    const char *resources; // what bounds the cores of a search: "iso", "z7020"; "" = nothing
    int64_t batch;         // images per run of a layer
    int n_networks;
    SlPlanNetwork *networks;
} SlPlan;

// What the command line may change.
typedef struct {
    bool quick;
    int64_t samples, seeds; // 0 = the plan's
    const char *methods;    // "marl,ga,...": rows to keep, NULL = all
    const char *evaluator;  // who prices mappings, NULL = as the plan says; another one than the
                            // native model leaves out proofs
} SlPlanChanges;

// By the name of a bundled plan, or a YAML file. SL_EINPUT with file, line and what was expected.
SlStatus sl_plan_find(const char *name, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan,
                      SlError *err);
SlStatus sl_plan_parse(const char *file, const char *text, size_t n, const SlPlanChanges *changes,
                       SlArena *arena, SlPlan *plan, SlError *err);
// Names of the bundled plans: 0, 1, ...; NULL behind the last.
const char *sl_plan_name(int i);

// All cells: what serves every run first, then the runs, seed by seed.
SlStatus sl_plan_cells(const SlPlan *plan, SlArena *arena, int *n, SlPlanCell **cells,
                       SlError *err);

SL_API_END
