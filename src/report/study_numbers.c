// study_numbers.c - a study in numbers for machines (docs/formats/study-json.md).
#include <math.h>

#include "section.h"

static const double percents[] = {10, 5, 1};
enum { N_PERCENTS = sizeof percents / sizeof *percents };

static void put(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static void put_task(const SlResultTask *task, SlDoc *doc) {
    sl_doc_open(doc, NULL, NULL);
    sl_doc_string(doc, "name", NULL, task->name);
    sl_doc_string(doc, "layer", NULL, task->layer);
    sl_doc_string(doc, "workload", NULL, task->workload);
    sl_doc_string(doc, "accel", NULL, task->accel);
    sl_doc_string(doc, "objective", NULL, task->objective);
    put(doc, "floor", task->floor);
    put(doc, "optimum", task->optimum);
    sl_doc_flag(doc, "proven", NULL, task->proven);
    put(doc, "gap", task->gap);
    sl_doc_close(doc);
}

// the members of an estimate
static void put_estimate(SlEstimate estimate, SlDoc *doc) {
    put(doc, "value", estimate.value);
    put(doc, "low", estimate.low);
    put(doc, "high", estimate.high);
    sl_doc_flag(doc, "bound", NULL, estimate.bound);
    sl_doc_flag(doc, "ceiling", NULL, estimate.ceiling);
    put(doc, "n_tasks", estimate.n_tasks);
}

static bool has_other_reference(const SlResults *results, int row) {
    return results->reference >= 0 && results->reference != row;
}

// a row on a task after so many samples
static void put_checkpoint(const SlResults *results, int task, int row, int64_t samples,
                           SlDoc *doc) {
    SlSummary found = sl_summary_at(results, task, row, samples);
    sl_doc_open(doc, NULL, NULL);
    put(doc, "samples", (double)samples);
    put(doc, "n", found.n);
    put(doc, "median", found.median);
    put(doc, "low_quartile", found.low);
    put(doc, "high_quartile", found.high);
    put(doc, "over_optimum", found.median / results->tasks[task].optimum);
    if (has_other_reference(results, row)) {
        SlDuel duel = sl_duel(results, task, results->reference, row, samples);
        sl_doc_open(doc, "ratio_to_reference", NULL);
        put_estimate(sl_ratio(results, task, row, results->reference, samples), doc);
        sl_doc_close(doc);
        put(doc, "p", duel.p);
    }
    sl_doc_close(doc);
}

// task -1 = over all
static void put_targets(const SlResults *results, int task, int row, SlDoc *doc) {
    sl_doc_list(doc, "targets");
    for (int i = 0; i < N_PERCENTS; i++) {
        SlReach reach = sl_reach(results, task, row, percents[i]);
        sl_doc_open(doc, NULL, NULL);
        put(doc, "percent", percents[i]);
        put(doc, "n", reach.n);
        put(doc, "n_reached", reach.n_reached);
        put(doc, "median_samples", reach.median);
        if (has_other_reference(results, row)) {
            sl_doc_open(doc, "factor_to_reference", NULL);
            put_estimate(sl_reach_factor(results, task, row, results->reference, percents[i]), doc);
            sl_doc_close(doc);
        }
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
}

static void put_cell(const SlPlan *plan, const SlResults *results, int task, int row, SlDoc *doc) {
    const int64_t *points = sl_plan_checkpoints(plan);
    sl_doc_open(doc, NULL, NULL);
    sl_doc_string(doc, "task", NULL, results->tasks[task].name);
    sl_doc_string(doc, "row", NULL, results->rows[row]);
    sl_doc_list(doc, "checkpoints");
    for (int i = 0; i < SL_N_CHECKPOINTS && points[i] <= results->budget; i++)
        put_checkpoint(results, task, row, points[i], doc);
    sl_doc_close(doc);
    put_targets(results, task, row, doc);
    put(doc, "floor_multiple", sl_summary_floor(results, task, row).median);
    sl_doc_close(doc);
}

// over all tasks
static void put_row(const SlPlan *plan, const SlResults *results, int row, SlDoc *doc) {
    const int64_t *points = sl_plan_checkpoints(plan);
    sl_doc_open(doc, NULL, NULL);
    sl_doc_string(doc, "name", NULL, results->rows[row]);
    sl_doc_list(doc, "over_optimum");
    for (int i = 0; i < SL_N_CHECKPOINTS && points[i] <= results->budget; i++) {
        sl_doc_open(doc, NULL, NULL);
        put_estimate(sl_above_optimum(results, -1, row, points[i]), doc);
        put(doc, "samples", (double)points[i]);
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
    put_targets(results, -1, row, doc);
    sl_doc_close(doc);
}

void sl_study_numbers(const SlPlan *plan, const SlResults *results, SlDoc *doc) {
    int reference = results->reference;
    sl_doc_string(doc, "study", NULL, plan->name);
    sl_doc_string(doc, "title", NULL, plan->title);
    sl_doc_flag(doc, "quick", NULL, plan->quick);
    put(doc, "missing", results->n_missing);
    put(doc, "broken", results->n_broken);
    put(doc, "seeds", results->n_seeds);
    sl_doc_string(doc, "reference", NULL, reference >= 0 ? results->rows[reference] : NULL);
    sl_doc_list(doc, "tasks");
    for (int t = 0; t < results->n_tasks; t++) put_task(&results->tasks[t], doc);
    sl_doc_close(doc);
    sl_doc_list(doc, "rows");
    for (int r = 0; r < results->n_rows; r++) put_row(plan, results, r, doc);
    sl_doc_close(doc);
    sl_doc_list(doc, "cells");
    for (int t = 0; t < results->n_tasks; t++)
        for (int r = 0; r < results->n_rows; r++) put_cell(plan, results, t, r, doc);
    sl_doc_close(doc);
}
