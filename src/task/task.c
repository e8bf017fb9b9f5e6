// task.c - the one door to an evaluation: every call is a sample, repeats too.
#include <assert.h>
#include <math.h>

#include "task_inside.h"

const char *const sl_illegal_names[3] = {"repair", "penalty", NULL};

struct SlTask {
    SlTaskSetup setup;
    SlPricer *pricer;       // native model
    SlMaestroTask *maestro; // MAESTRO's
    double floor;           // of the goal, NAN = none
    double beyond; // a score that legal ones stay below: the worst so far, or a guess before them
    bool has_legal;
    int64_t samples;
    SlBest best;
    bool has_best;
    SlCost cost; // of the last nest that was priced
    bool has_cost;
    SlFit fit; // of the last nest that was checked
};

// Log of what no sensible mapping costs: 16 = nine million times the native floor. Stands in for
// the worst legal score as long as there is none, so that what fits is always better than what does
// not.
static double guess_beyond(const SlGoal *goal, const SlAccel *accel, const SlFloor *floor) {
    SlCost cost = {.latency_cycles = floor->value[SL_LATENCY],
                   .energy_pj = floor->value[SL_ENERGY],
                   .area_min_um2 = sl_accel_area_um2(accel)};
    cost.power_mw = cost.energy_pj * accel->clock_mhz / cost.latency_cycles * 1e-3;
    double score = log(sl_goal_value(goal, &cost)) + 16;
    return isfinite(score) ? score : 0;
}

SlTask *sl_task_make(const SlTaskSetup *setup, SlArena *arena) {
    const SlSpace *space = setup->space;
    assert(!sl_model_check(setup->model, space->layer, space->accel));
    SlTask *task = SL_NEW(arena, 1, SlTask);
    if (!task) return NULL;
    if (setup->model == SL_MODEL_NATIVE)
        task->pricer = sl_pricer_make(space->layer, space->accel, arena);
    else
        task->maestro = sl_maestro_task_make(space->layer, space->accel, arena);
    if (!task->pricer && !task->maestro) return NULL;
    SlFloor floor;
    sl_floor_eval(space->layer, space->accel, &floor);
    task->setup = *setup;
    task->floor = sl_model_floor(setup->model, &setup->goal, space->layer, space->accel);
    task->beyond = guess_beyond(&setup->goal, space->accel, &floor);
    return task;
}

const SlSpace *sl_task_space(const SlTask *task) {
    return task->setup.space;
}

int64_t sl_task_samples(const SlTask *task) {
    return task->samples;
}

const SlCost *sl_task_cost(const SlTask *task) {
    return task->has_cost ? &task->cost : NULL;
}

const SlBest *sl_task_best(const SlTask *task) {
    return task->has_best ? &task->best : NULL;
}

// log of need / have of the worst inequality; one about kinds and not sizes counts as twice too
// much
static double worst_excess(const SlFit *fit) {
    double worst = 0;
    for (int i = 0; i < fit->n; i++) {
        const SlViolation *v = &fit->list[i];
        bool sizes = v->rule == SL_RULE_CAPACITY || v->rule == SL_RULE_FANOUT;
        worst = fmax(worst, sizes ? log(v->need / v->have) : log(2));
    }
    return worst;
}

// what a sample without a cost says
static void refuse(const SlTask *task, double excess, SlOutcome *out) {
    double score = task->beyond + 1 + excess;
    *out = (SlOutcome){.value = INFINITY, .score = score, .excess = excess};
}

static double delay_product(const SlOutcome *outcome) {
    return outcome->energy_pj * outcome->latency_cycles;
}

// of equal values the one with the lower energy-delay product; the sample stays that of the first
static void keep_best(SlTask *task, const SlMapping *mapping, const SlOutcome *outcome) {
    SlBest *best = &task->best;
    bool tie = task->has_best && outcome->value == best->outcome.value;
    if (tie && delay_product(outcome) >= delay_product(&best->outcome)) return;
    if (task->has_best && outcome->value > best->outcome.value) return;
    *best = (SlBest){*mapping, *outcome, tie ? best->sample : task->samples};
    task->has_best = true;
}

// the costs of a nest that fits; false if the model refuses it
static bool find_cost(SlTask *task, const SlMapping *mapping, double *excess) {
    *excess = 0;
    if (task->maestro) return sl_maestro_task_eval(task->maestro, mapping, &task->cost, excess);
    sl_pricer_set_nest(task->pricer, mapping);
    sl_pricer_eval(task->pricer, &task->cost);
    task->has_cost = true;
    return true;
}

// a nest that fits
static void price(SlTask *task, const SlMapping *mapping, SlOutcome *out) {
    const SlCost *cost = &task->cost;
    double excess;
    if (!find_cost(task, mapping, &excess)) {
        refuse(task, excess, out);
        return;
    }
    double value = sl_goal_value(&task->setup.goal, cost);
    if (!(value > 0 && isfinite(value))) {
        refuse(task, 0, out);
        return;
    }
    assert(isnan(task->floor) || value >= task->floor * (1 - 1e-9));
    *out = (SlOutcome){.value = value,
                       .score = log(value),
                       .latency_cycles = cost->latency_cycles,
                       .energy_pj = cost->energy_pj,
                       .area_um2 = cost->area_min_um2,
                       .power_mw = cost->power_mw};
    task->beyond = task->has_legal ? fmax(task->beyond, out->score) : out->score;
    task->has_legal = true;
    keep_best(task, mapping, out);
}

void sl_task_eval(SlTask *task, const int32_t *point, SlOutcome *out) {
    const SlSpace *space = task->setup.space;
    bool repair = task->setup.illegal == SL_ILLEGAL_REPAIR;
    SlMapping mapping;
    task->samples++;
    bool fits = sl_space_mapping(space, point, repair, &mapping);
    assert(!fits || sl_mapping_fit(space->layer, space->accel, &mapping, &task->fit));
    if (fits || sl_mapping_fit(space->layer, space->accel, &mapping, &task->fit))
        price(task, &mapping, out);
    else
        refuse(task, worst_excess(&task->fit), out);
}

void sl_task_eval_mapping(SlTask *task, const SlMapping *mapping, SlOutcome *out) {
    const SlLayer *layer = task->setup.space->layer;
    const SlAccel *accel = task->setup.space->accel;
    assert(mapping->n_boundaries == accel->n_levels - 1 && !sl_mapping_check(layer, mapping));
    SlMapping mended = *mapping;
    task->samples++;
    bool fits = sl_mapping_fit(layer, accel, mapping, &task->fit);
    if (!fits && task->setup.illegal == SL_ILLEGAL_REPAIR)
        fits = sl_mapping_repair(layer, accel, &mended, NULL) == SL_OK;
    if (fits)
        price(task, &mended, out);
    else
        refuse(task, worst_excess(&task->fit), out);
}
