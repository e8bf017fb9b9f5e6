// study_json.c - a study in numbers for machines (docs/formats/study-json.md).
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "study_command.h"

static const double percents[] = {10, 5, 1};
enum { N_PERCENTS = sizeof percents / sizeof *percents };

static json_t *task_json(const SlResultTask *task) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", task->name);
    json_put_text(to, "layer", task->layer);
    json_put_text(to, "workload", task->workload);
    json_put_text(to, "accel", task->accel);
    json_put_text(to, "objective", task->objective);
    json_put_number(to, "floor", task->floor);
    json_put_number(to, "optimum", task->optimum);
    json_put(to, "proven", json_boolean(task->proven));
    json_put_number(to, "gap", task->gap);
    return to;
}

static json_t *estimate_json(SlEstimate estimate) {
    json_t *to = command_need(json_object());
    json_put_number(to, "value", estimate.value);
    json_put_number(to, "low", estimate.low);
    json_put_number(to, "high", estimate.high);
    json_put(to, "bound", json_boolean(estimate.bound));
    json_put(to, "ceiling", json_boolean(estimate.ceiling));
    json_put(to, "n_tasks", json_integer(estimate.n_tasks));
    return to;
}

// a row on a task after so many samples
static json_t *checkpoint_json(const SlResults *results, int task, int row, int64_t samples) {
    json_t *to = command_need(json_object());
    SlSummary found = sl_summary_at(results, task, row, samples);
    json_put(to, "samples", json_integer(samples));
    json_put(to, "n", json_integer(found.n));
    json_put_number(to, "median", found.median);
    json_put_number(to, "low_quartile", found.low);
    json_put_number(to, "high_quartile", found.high);
    json_put_number(to, "over_optimum", found.median / results->tasks[task].optimum);
    if (results->reference >= 0 && results->reference != row) {
        SlDuel duel = sl_duel(results, task, results->reference, row, samples);
        json_put(to, "ratio_to_reference",
                 estimate_json(sl_ratio(results, task, row, results->reference, samples)));
        json_put_number(to, "p", duel.p);
    }
    return to;
}

static json_t *targets_json(const SlResults *results, int task, int row) {
    json_t *list = command_need(json_array());
    for (int i = 0; i < N_PERCENTS; i++) {
        json_t *to = command_need(json_object());
        SlReach reach = sl_reach(results, task, row, percents[i]);
        json_put_number(to, "percent", percents[i]);
        json_put(to, "n", json_integer(reach.n));
        json_put(to, "n_reached", json_integer(reach.n_reached));
        json_put_number(to, "median_samples", reach.median);
        if (results->reference >= 0 && results->reference != row)
            json_put(to, "factor_to_reference",
                     estimate_json(
                         sl_reach_factor(results, task, row, results->reference, percents[i])));
        json_add(list, to);
    }
    return list;
}

static json_t *cell_json(const SlPlan *plan, const SlResults *results, int task, int row) {
    const int64_t *points = sl_plan_checkpoints(plan);
    json_t *to = command_need(json_object());
    json_t *checkpoints = command_need(json_array());
    json_put_text(to, "task", results->tasks[task].name);
    json_put_text(to, "row", results->rows[row]);
    for (int i = 0; i < SL_N_CHECKPOINTS && points[i] <= results->budget; i++)
        json_add(checkpoints, checkpoint_json(results, task, row, points[i]));
    json_put(to, "checkpoints", checkpoints);
    json_put(to, "targets", targets_json(results, task, row));
    json_put_number(to, "floor_multiple", sl_summary_floor(results, task, row).median);
    return to;
}

// over all tasks
static json_t *row_json(const SlPlan *plan, const SlResults *results, int row) {
    const int64_t *points = sl_plan_checkpoints(plan);
    json_t *to = command_need(json_object());
    json_t *above = command_need(json_array());
    json_put_text(to, "name", results->rows[row]);
    for (int i = 0; i < SL_N_CHECKPOINTS && points[i] <= results->budget; i++) {
        json_t *at = estimate_json(sl_above_optimum(results, -1, row, points[i]));
        json_put(at, "samples", json_integer(points[i]));
        json_add(above, at);
    }
    json_put(to, "over_optimum", above);
    json_put(to, "targets", targets_json(results, -1, row));
    return to;
}

json_t *study_json(const Study *study, const SlResults *results) {
    json_t *json = command_need(sl_json_document("study", 1));
    json_t *tasks = command_need(json_array()), *rows = command_need(json_array());
    json_t *cells = command_need(json_array());
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)study->digest);
    for (int t = 0; t < results->n_tasks; t++) json_add(tasks, task_json(&results->tasks[t]));
    for (int r = 0; r < results->n_rows; r++) json_add(rows, row_json(&study->plan, results, r));
    for (int t = 0; t < results->n_tasks; t++)
        for (int r = 0; r < results->n_rows; r++)
            json_add(cells, cell_json(&study->plan, results, t, r));
    json_put_text(json, "study", study->plan.name);
    json_put_text(json, "title", study->plan.title);
    json_put(json, "quick", json_boolean(study->plan.quick));
    json_put_text(json, "digest", digest);
    json_put(json, "records", json_integer(study->n_records));
    json_put(json, "missing", json_integer(results->n_missing));
    json_put(json, "broken", json_integer(results->n_broken));
    json_put(json, "seeds", json_integer(results->n_seeds));
    json_put(json, "reference",
             results->reference >= 0 ? json_string(results->rows[results->reference])
                                     : json_null());
    json_put(json, "tasks", tasks);
    json_put(json, "rows", rows);
    json_put(json, "cells", cells);
    return json;
}
