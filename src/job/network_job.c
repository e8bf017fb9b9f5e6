// network_job.c - what came of a job: mappings, bounds, sums over the network.
#include <math.h>

#include "job_inside.h"
#include "starling/network.h"

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
    if (task->task) return task->proven && task->optimum.proven;
    return task->proven && task->proof.status != SL_PROOF_UNCOVERED && task->proof.lower_bound > 0;
}

double sl_job_bound(const SlJob *job) {
    SlNetworkBound bound;
    sl_network_bound_init(&bound, &job->setup.goal);
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        bool has = sl_job_has_bound(task);
        sl_network_bound_add(&bound, task->count, has ? task->proof.lower_bound : NAN);
    }
    return sl_network_bound_value(&bound);
}

// what programs say is the sum itself: cycles, or seconds
static void sum_programs(const SlJob *job, SlNetworkResult *result) {
    SlNetworkCost found, least;
    sl_network_cost_init(&found, NULL);
    sl_network_cost_init(&least, NULL);
    result->latency_cycles = result->energy_pj = NAN;
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        SlNetworkPart part = sl_network_part(task->count);
        if (task->reason[0]) continue;
        part.value = has_found(task) ? task->best_value : NAN;
        sl_network_cost_add(&found, &part);
        part.value = sl_job_has_bound(task) ? task->optimum.best.outcome.value : NAN;
        sl_network_cost_add(&least, &part);
    }
    result->value = found.value;
    result->bound = least.value;
    result->gap = sl_network_gap(result->value, result->bound);
}

static void sum_mappings(const SlJob *job, SlNetworkResult *result) {
    SlNetworkCost sums;
    sl_network_cost_init(&sums, job->setup.accel);
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        const SlMapping *mapping = sl_job_mapping(task);
        if (!mapping) continue;
        SlCost cost;
        SlNetworkPart part = sl_network_part(task->count);
        sl_cost_eval(task->layer, job->setup.accel, mapping, &cost);
        part.latency_cycles = cost.latency_cycles;
        part.energy_pj = cost.energy_pj;
        part.area_um2 = cost.area_min_um2;
        sl_network_cost_add(&sums, &part);
    }
    bool all = sums.n_distinct == job->n_tasks;
    result->latency_cycles = sums.latency_cycles;
    result->energy_pj = sums.energy_pj;
    result->value = all ? sl_network_goal_value(&job->setup.goal, &sums) : NAN;
    result->bound = sl_job_bound(job);
    result->gap = sl_network_gap(result->value, result->bound);
}

SlNetworkResult sl_job_result(const SlJob *job) {
    SlNetworkResult result = {.n_tasks = job->n_tasks};
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        if (!task->reason[0]) result.n_layers += task->count;
        result.samples += task->record.samples;
        result.n_proven += sl_job_has_bound(task);
    }
    if (job->setup.kind->maps)
        sum_mappings(job, &result);
    else
        sum_programs(job, &result);
    return result;
}

// ---- what it took ----

static void add_effort(int n, const SlJobTask *tasks, SlJobEffort *effort) {
    for (int i = 0; i < n; i++) {
        const SlRecord *record = &tasks[i].record;
        if (!tasks[i].searched) continue;
        effort->samples += record->samples;
        effort->replayed += tasks[i].resumed ? record->samples : record->replayed;
        effort->failures += record->failures;
        effort->method_seconds += record->method_seconds;
        effort->eval_seconds += record->eval_seconds;
    }
}

SlJobEffort sl_job_effort(const SlJob *job) {
    SlJobEffort effort = {0};
    if (job->n_cores == 0) add_effort(job->n_tasks, job->tasks, &effort);
    for (int c = 0; c < job->n_cores; c++)
        if (job->cores[c].tasks) add_effort(job->n_tasks, job->cores[c].tasks, &effort);
    return effort;
}
