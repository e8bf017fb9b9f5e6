// totals.c - networks as sums of tasks; cores against each other.
#include "starling/study/totals.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_inside.h"
#include "starling/network.h"

int sl_plan_core_names(const SlPlan *plan, const char **names) {
    int n = 0;
    for (int t = 0; t < plan->n_tasks; t++) {
        int i = 0;
        while (i < n && strcmp(names[i], plan->tasks[t].accel) != 0) i++;
        if (i == n) names[n++] = plan->tasks[t].accel;
    }
    return n;
}

// ---- one seed ----

// how many layers of the network are the task's on the core
static int count_of(const SlTotal *total, int task) {
    bool here = strcmp(total->plan->tasks[task].accel, total->core) == 0;
    return here ? total->plan->networks[total->network].counts[task] : 0;
}

double sl_total_cycles(const SlTotal *total, int row, int seed, int64_t samples) {
    const SlResults *results = total->results;
    SlNetworkCost sum;
    sl_network_cost_init(&sum, NULL);
    for (int t = 0; t < total->plan->n_tasks; t++) {
        int count = count_of(total, t);
        if (count == 0) continue;
        const SlCellRecord *run = sl_results_run(results, t, row, seed);
        SlNetworkPart part = sl_network_part(count);
        if (run) part.latency_cycles = sl_run_best_at(results, run, samples);
        sl_network_cost_add(&sum, &part);
    }
    return sum.latency_cycles;
}

double sl_total_optimum(const SlTotal *total, bool *proven) {
    SlNetworkCost sum;
    bool all = true;
    sl_network_cost_init(&sum, NULL);
    for (int t = 0; t < total->plan->n_tasks; t++) {
        const SlResultTask *task = &total->results->tasks[t];
        int count = count_of(total, t);
        if (count == 0) continue;
        SlNetworkPart part = sl_network_part(count);
        part.latency_cycles = task->optimum;
        sl_network_cost_add(&sum, &part);
        all = all && task->proven;
    }
    if (proven) *proven = all;
    return sum.latency_cycles;
}

double sl_total_images(const SlTotal *total, double cycles) {
    const SlVtaCore *core = sl_plan_core(&total->plan->tasks[0]);
    return (double)total->plan->batch * core->timing.clock_mhz * 1e6 / cycles;
}

double sl_total_measurements(const SlTotal *total, int row, int seed, double percent) {
    const SlResults *results = total->results;
    double sum = 0;
    for (int t = 0; t < total->plan->n_tasks; t++) {
        if (count_of(total, t) == 0) continue;
        const SlCellRecord *run = sl_results_run(results, t, row, seed);
        if (!run) return NAN;
        int64_t at = 0;
        double goal = results->tasks[t].optimum * (1 + percent / 100);
        if (percent >= 0 && isfinite(goal)) at = sl_run_reaches(results, run, goal);
        sum += (double)(at > 0 ? at : run->samples);
    }
    return sum;
}

// wall time of the runs
static double total_seconds(const SlTotal *total, int row, int seed) {
    double sum = 0;
    for (int t = 0; t < total->plan->n_tasks; t++) {
        if (count_of(total, t) == 0) continue;
        const SlCellRecord *run = sl_results_run(total->results, t, row, seed);
        sum += run ? run->seconds : NAN;
    }
    return sum;
}

// ---- over seeds ----

static void seeds_cycles(const SlTotal *total, int row, int64_t samples, double *values) {
    for (int s = 0; s < total->results->n_seeds; s++)
        values[s] = sl_total_cycles(total, row, s, samples);
}

static void seeds_effort(const SlTotal *total, int row, double percent, double *values) {
    for (int s = 0; s < total->results->n_seeds; s++)
        values[s] = sl_total_measurements(total, row, s, percent);
}

SlSummary sl_total_summary(const SlTotal *total, int row, int64_t samples) {
    double values[SL_SEEDS_MAX];
    seeds_cycles(total, row, samples, values);
    return sl_seeds_summary(total->results->n_seeds, values);
}

SlSummary sl_total_effort(const SlTotal *total, int row, double percent) {
    double values[SL_SEEDS_MAX];
    seeds_effort(total, row, percent, values);
    return sl_seeds_summary(total->results->n_seeds, values);
}

SlSummary sl_total_time(const SlTotal *total, int row) {
    double values[SL_SEEDS_MAX];
    for (int s = 0; s < total->results->n_seeds; s++) values[s] = total_seconds(total, row, s);
    return sl_seeds_summary(total->results->n_seeds, values);
}

// the draws of a network are those of its first task
static SlEstimate estimate(const SlTotal *total, const double *row, const double *other) {
    SlDraws draws;
    int t = 0;
    while (t < total->plan->n_tasks - 1 && count_of(total, t) == 0) t++;
    sl_draws_init(&draws, 1);
    sl_draws_add(&draws, total->results, t, row, other);
    return sl_draws_estimate(&draws);
}

SlEstimate sl_total_ratio(const SlTotal *total, int row, int other, int64_t samples) {
    double values[2][SL_SEEDS_MAX];
    seeds_cycles(total, row, samples, values[0]);
    seeds_cycles(total, other, samples, values[1]);
    return estimate(total, values[0], values[1]);
}

SlEstimate sl_total_effort_ratio(const SlTotal *total, int row, int other, double percent) {
    double values[2][SL_SEEDS_MAX];
    seeds_effort(total, row, percent, values[0]);
    seeds_effort(total, other, percent, values[1]);
    return estimate(total, values[0], values[1]);
}

int64_t sl_run_failures(const SlCellRecord *run) {
    const char *at = run && run->detail ? strstr(run->detail, "\"failures\": ") : NULL;
    return at ? strtoll(at + strlen("\"failures\": "), NULL, 10) : -1;
}

// ---- cores ----

static const SlPlanTask *first_task(const SlPlan *plan, const char *core) {
    for (int t = 0; t < plan->n_tasks; t++)
        if (strcmp(plan->tasks[t].accel, core) == 0) return &plan->tasks[t];
    return NULL;
}

static int find_chip(const SlVtaCore *core) {
    for (int i = 0; sl_vta_budgets[i].name; i++)
        if (sl_vta_fill(core, &sl_vta_budgets[i], NULL) <= 1) return i;
    return -1;
}

static void mark_fronts(int n, SlCorePoint *points) {
    for (int i = 0; i < n; i++) {
        SlCorePoint *point = &points[i];
        point->best_macs = point->best_bram = isfinite(point->cycles);
        for (int j = 0; j < n; j++) {
            const SlCorePoint *other = &points[j];
            if (!(other->cycles <= point->cycles)) continue;
            bool faster = other->cycles < point->cycles;
            if (other->macs <= point->macs && (faster || other->macs < point->macs))
                point->best_macs = false;
            if (other->bram36 <= point->bram36 && (faster || other->bram36 < point->bram36))
                point->best_bram = false;
        }
    }
}

int sl_core_points(const SlPlan *plan, const SlResults *results, int network, SlCorePoint *points) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    const char **names = SL_NEW(&scratch, plan->n_tasks, const char *);
    int n = names ? sl_plan_core_names(plan, names) : 0;
    for (int i = 0; i < n; i++) {
        const SlVtaCore *core = sl_plan_core(first_task(plan, names[i]));
        SlTotal total = {plan, results, network, names[i]};
        SlVtaResources need;
        SlCorePoint *point = &points[i];
        sl_vta_resources(core, 0, &need);
        *point = (SlCorePoint){.name = names[i],
                               .macs = need.macs,
                               .bram36 = need.bram36_total,
                               .chip = find_chip(core)};
        point->cycles = sl_total_optimum(&total, &point->proven) / (double)plan->batch;
    }
    mark_fronts(n, points);
    sl_arena_free(&scratch);
    return n;
}
