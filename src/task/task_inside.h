// task_inside.h - inside task: what a kind of tasks is made of.
#pragma once

#include "starling/task.h"

// The functions of a kind. What is NULL the kind does not have.
typedef struct SlTaskRow {
    // Space (where the kind makes its own), name, unit, floor, beyond, state. SL_EINPUT with the
    // reason.
    SlStatus (*make)(SlTask *task, SlArena *arena, SlError *err);
    void (*close)(SlTask *task);
    const char *(*pair)(const SlLayer *layer, const SlAccel *accel); // NULL or why it cannot

    void (*platform)(const SlTask *task, size_t n, char *out); // NULL = the kind says it all

    // free, of points or of their views
    void (*start)(const SlTask *task, int32_t *point);
    bool (*check)(const SlTask *task, const int32_t *point, SlFault *fault);
    void (*view)(const SlTask *task, const int32_t *point, SlView *view);
    double (*draft)(const SlTask *task, const int32_t *point); // of points that pass the check
    double (*floor)(const SlTask *task, const int32_t *point);
    int (*n_features)(const SlTask *task);
    int n_estimates;
    SlFeatureGroup (*group)(const SlTask *task, int feature);
    void (*features)(const SlTask *task, const int32_t *point, const SlView *view, float *out);
    int n_program; // what trees see of a program; 0 = the features above
    void (*program)(const SlTask *task, const int32_t *point, float *out);

    // counted: value (INFINITY where it failed), parts, excess, spread, error, reason
    void (*eval)(SlTask *task, int n, const int32_t *points, SlSample *samples);
    void (*price)(SlTask *task, const SlMapping *mapping, SlSample *sample); // mappings
} SlTaskRow;

struct SlTask {
    SlTaskSetup setup;
    const SlTaskKind *kind;
    const SlSpace *space;
    SlSpace own;   // where the kind makes it
    SlLayer layer; // where setup.layer is given
    char name[768];
    const char *unit;
    double floor;  // of the goal, NAN = none
    SlFloor least; // mappings: of the layer on the accelerator, by the native model
    double beyond; // a score that legal ones stay below: the worst so far, or a guess before them
    bool has_legal;
    int64_t samples;
    SlBest best;
    bool has_best;
    SlArena *arena;   // of the task; scratch of evaluating
    void *state;      // of the kind
    char broken[512]; // why evaluating cannot go on; "" = it can
    bool (*stop)(void *context);
    void *stop_context;
};

// --- mappings (views.c): what the kinds that evaluate them share

// log of need / have of the worst inequality; one about kinds and not sizes counts as twice too
// much.
double sl_worst_excess(const SlFit *fit);
// Price the nests of points one by one: what does not fit has its excess and no value.
void sl_eval_nests(SlTask *task, int n, const int32_t *points, SlSample *samples);
// The sample of a nest that was priced.
void sl_sample_cost(const SlGoal *goal, const SlCost *cost, SlSample *sample);
void sl_nest_start(const SlTask *task, int32_t *point);
bool sl_nest_check(const SlTask *task, const int32_t *point, SlFault *fault);
void sl_nest_view(const SlTask *task, const int32_t *point, SlView *view);
double sl_nest_draft(const SlTask *task, const int32_t *point);
int sl_nest_n_features(const SlTask *task);
SlFeatureGroup sl_nest_group(const SlTask *task, int feature);
void sl_nest_features(const SlTask *task, const int32_t *point, const SlView *view, float *out);
void sl_nest_floors(SlTask *task); // fills least and beyond
void sl_nest_name(SlTask *task);   // fills the name (nest_name.c)

// --- knobs (knobs.c): what the kinds with spaces of their own share

void sl_knob_view(const SlTask *task, const int32_t *point, SlView *view);
int64_t sl_knob_at(const SlTask *task, const int32_t *point, int knob);
// Values as numbers of order one: places in lists and logs of sizes, one column per label, places
// of items.
int sl_knob_n_features(const SlTask *task);
SlFeatureGroup sl_knob_group(const SlTask *task, int feature);
void sl_knob_features(const SlTask *task, const int32_t *point, const SlView *view, float *out);

// --- programs (knobs.c)

int sl_program_n_features(const SlTask *task);
SlFeatureGroup sl_program_group(const SlTask *task, int feature);
void sl_program_features(const SlTask *task, const int32_t *point, const SlView *view, float *out);
// log of how much a point is too large.
double sl_fault_excess(const SlFault *fault);
