// nests.c - what tasks whose points are mappings share: nests of points, keys, features, guesses.
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "task_inside.h"

static bool repairs(const SlTask *task) {
    return task->setup.illegal == SL_ILLEGAL_REPAIR;
}

double sl_worst_excess(const SlFit *fit) {
    double worst = 0;
    for (int i = 0; i < fit->n; i++) {
        const SlViolation *v = &fit->list[i];
        bool sizes = v->rule == SL_RULE_CAPACITY || v->rule == SL_RULE_FANOUT;
        worst = fmax(worst, sizes ? log(v->need / v->have) : log(2));
    }
    return worst;
}

// Floors of the layer; and the log of what no sensible mapping costs: 16 = nine million times the
// native floor. It stands in for the worst legal score as long as there is none, so that what fits
// is always better than what does not.
void sl_nest_floors(SlTask *task) {
    const SlAccel *accel = task->space->accel;
    sl_floor_eval(task->space->layer, accel, &task->least);
    SlCost cost = {.latency_cycles = task->least.value[SL_LATENCY],
                   .energy_pj = task->least.value[SL_ENERGY],
                   .area_min_um2 = sl_accel_area_um2(accel)};
    cost.power_mw = cost.energy_pj * accel->clock_mhz / cost.latency_cycles * 1e-3;
    double score = log(sl_goal_value(&task->setup.goal, &cost)) + 16;
    task->beyond = isfinite(score) ? score : 0;
}

// --- evaluating

void sl_sample_cost(const SlGoal *goal, const SlCost *cost, SlSample *sample) {
    double value = sl_goal_value(goal, cost);
    if (!(value > 0 && isfinite(value))) return;
    sample->value = value;
    sample->latency_cycles = cost->latency_cycles;
    sample->energy_pj = cost->energy_pj;
    sample->area_um2 = cost->area_min_um2;
    sample->power_mw = cost->power_mw;
}

static void eval_nest(SlTask *task, const int32_t *point, SlSample *sample) {
    const SlSpace *space = task->space;
    SlMapping mapping;
    SlFit fit;
    bool fits = sl_space_mapping(space, point, repairs(task), &mapping);
    assert(!fits || sl_mapping_fit(space->layer, space->accel, &mapping, &fit));
    *sample = (SlSample){.value = INFINITY};
    if (fits || sl_mapping_fit(space->layer, space->accel, &mapping, &fit))
        task->kind->row->price(task, &mapping, sample);
    else
        sample->excess = sl_worst_excess(&fit);
}

void sl_eval_nests(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    for (int i = 0; i < n; i++)
        eval_nest(task, points + (ptrdiff_t)i * task->space->n_params, &samples[i]);
}

// --- what is free

void sl_nest_start(const SlTask *task, int32_t *point) {
    const SlSpace *space = task->space;
    SlMapping mapping;
    if (sl_mapping_default(space->layer, space->accel, &mapping, NULL) == SL_OK) {
        sl_space_encode(space, &mapping, point);
        return;
    }
    for (int i = 0; i < space->n_params; i++) point[i] = 0;
}

bool sl_nest_check(const SlTask *task, const int32_t *point, SlFault *fault) {
    const SlSpace *space = task->space;
    SlMapping mapping;
    SlFit fit;
    if (repairs(task) || sl_space_mapping(space, point, false, &mapping) ||
        sl_mapping_fit(space->layer, space->accel, &mapping, &fit))
        return true;
    if (fault) {
        fault->buffers = exp(sl_worst_excess(&fit)) - 1;
        sl_violation_text(space->accel, &fit.list[0], sizeof fault->text, fault->text);
    }
    return false;
}

void sl_nest_view(const SlTask *task, const int32_t *point, SlView *view) {
    sl_space_mapping(task->space, point, repairs(task), &view->mapping);
    view->key = sl_mapping_key(task->space->layer, &view->mapping);
}

int sl_nest_n_features(const SlTask *task) {
    return sl_features_n(task->space->accel);
}

SlFeatureGroup sl_nest_group(const SlTask *task, int feature) {
    return sl_feature_group(task->space->accel, feature);
}

void sl_nest_features(const SlTask *task, const int32_t *point, const SlView *view, float *out) {
    (void)point;
    sl_mapping_features(task->space->layer, task->space->accel, &view->mapping, out);
}

// The estimates among the features over their floors; NAN where the goal has area or power in it.
double sl_nest_draft(const SlTask *task, const int32_t *point) {
    const SlGoal *goal = &task->setup.goal;
    if (goal->weight[SL_AREA] > 0 || goal->weight[SL_POWER] > 0) return NAN;
    float features[SL_MAX_FEATURES];
    SlView view;
    sl_nest_view(task, point, &view);
    sl_nest_features(task, point, &view, features);
    const double *least = task->least.value;
    SlCost cost = {.latency_cycles =
                       least[SL_LATENCY] * exp(2 * (double)features[SL_FEATURE_LATENCY]),
                   .energy_pj = least[SL_ENERGY] * exp(2 * (double)features[SL_FEATURE_ENERGY])};
    return sl_goal_value(goal, &cost);
}
