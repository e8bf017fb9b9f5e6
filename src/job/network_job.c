// network_job.c - what came of a job: mappings, bounds, sums over the network.
#include <math.h>

#include "job_inside.h"

static bool has_found(const SlJobTask *task) {
    return task->record.best.sample > 0;
}

const SlMapping *sl_job_mapping(const SlJobTask *task) {
    bool found = has_found(task);
    if (found && !(task->proven && task->proof.improved)) return &task->record.best.mapping;
    bool made = task->proven && task->proof.status != SL_PROOF_UNCOVERED;
    return made ? &task->proof.mapping : NULL;
}

bool sl_job_has_bound(const SlJobTask *task) {
    return task->proven && task->proof.status != SL_PROOF_UNCOVERED && task->proof.lower_bound > 0;
}

// The layers' bounds say B_i <= L_i^a E_i^b for latency L_i and energy E_i of any mapping. With s =
// a + b, Hoelder's inequality gives (sum L_i)^a (sum E_i)^b >= (sum (L_i^a E_i^b)^(1/s))^s >=
// (sum B_i^(1/s))^s: the plain sum for one objective, and what holds for their products.
double sl_job_bound(const SlJob *job) {
    const double *weight = job->setup.goal.weight;
    double power = weight[SL_LATENCY] + weight[SL_ENERGY] + 2 * weight[SL_EDP], sum = 0;
    if (weight[SL_AREA] > 0 || weight[SL_POWER] > 0) return NAN;
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        if (!sl_job_has_bound(task)) return NAN;
        sum += task->count * pow(task->proof.lower_bound, 1 / power);
    }
    return pow(sum, power);
}

SlNetworkResult sl_job_result(const SlJob *job) {
    SlNetworkResult sums = {.n_tasks = job->n_tasks, .n_layers = job->setup.net->n_layers};
    bool all = true;
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        const SlMapping *mapping = sl_job_mapping(task);
        SlCost cost = {0};
        all = all && mapping;
        if (mapping) sl_cost_eval(task->layer, job->setup.accel, mapping, &cost);
        sums.latency_cycles += task->count * cost.latency_cycles;
        sums.energy_pj += task->count * cost.energy_pj;
        sums.samples += task->record.samples;
        sums.n_proven += sl_job_has_bound(task);
    }
    SlCost whole = {.latency_cycles = sums.latency_cycles,
                    .energy_pj = sums.energy_pj,
                    .area_min_um2 = NAN,
                    .power_mw =
                        sums.energy_pj * job->setup.accel->clock_mhz / sums.latency_cycles * 1e-3};
    sums.value = all ? sl_goal_value(&job->setup.goal, &whole) : NAN;
    sums.bound = sl_job_bound(job);
    sums.gap = fmax(sums.value / sums.bound - 1, 0);
    if (isnan(sums.value) || isnan(sums.bound)) sums.gap = NAN;
    return sums;
}
