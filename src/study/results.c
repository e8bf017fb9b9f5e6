// results.c - records of a study as a table: tasks x rows x seeds.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results_inside.h"

// Names in the order in which they came.
typedef struct {
    int n, last; // last: found most recently; records of one task stand together
    const char **at;
} Names;

static int names_find(Names *names, const char *name) {
    if (names->last < names->n && strcmp(names->at[names->last], name) == 0) return names->last;
    for (int i = 0; i < names->n; i++) {
        if (strcmp(names->at[i], name) == 0) return names->last = i;
    }
    return -1;
}

static void names_add(Names *names, const char *name) {
    if (names_find(names, name) < 0) names->at[names->n++] = name;
}

typedef struct {
    Names tasks, rows;
    int n_seeds;
    uint64_t *seeds;
} Axes;

static int find_seed(const Axes *axes, uint64_t seed) {
    for (int i = 0; i < axes->n_seeds; i++) {
        if (axes->seeds[i] == seed) return i;
    }
    return -1;
}

static int compare_seeds(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// seeds that the plan does not name, in ascending order behind its own
static SlStatus add_seeds(Axes *axes, int n, const SlCellRecord *records, SlError *err) {
    int n_planned = axes->n_seeds;
    for (int i = 0; i < n; i++) {
        if (records[i].kind != SL_CELL_RUN || find_seed(axes, records[i].seed) >= 0) continue;
        if (axes->n_seeds >= SL_SEEDS_MAX) {
            return sl_fail(err, SL_EINPUT, "the records have more than %d seeds", SL_SEEDS_MAX);
        }
        axes->seeds[axes->n_seeds++] = records[i].seed;
    }
    qsort(axes->seeds + n_planned, (size_t)(axes->n_seeds - n_planned), sizeof *axes->seeds,
          compare_seeds);
    return SL_OK;
}

static SlStatus make_axes(const SlPlan *plan, int n, const SlCellRecord *records, SlArena *arena,
                          Axes *axes, SlError *err) {
    int n_tasks = plan ? plan->n_tasks : 0, n_rows = plan ? plan->n_rows : 0;
    *axes = (Axes){
        .tasks.at = SL_NEW(arena, (size_t)n_tasks + (size_t)n, const char *),
        .rows.at = SL_NEW(arena, (size_t)n_rows + (size_t)n, const char *),
        .seeds = SL_NEW(arena, SL_SEEDS_MAX, uint64_t),
    };
    if (!axes->tasks.at || !axes->rows.at || !axes->seeds) {
        return sl_fail(err, SL_ENOMEM, "not enough memory for the results of a study");
    }
    if (plan && plan->n_seeds > SL_SEEDS_MAX) {
        return sl_fail(err, SL_EINPUT, "the plan has more than %d seeds", SL_SEEDS_MAX);
    }
    for (int i = 0; i < n_tasks; i++) names_add(&axes->tasks, plan->tasks[i].name);
    for (int i = 0; i < n_rows; i++) names_add(&axes->rows, plan->rows[i].name);
    assert(axes->tasks.n == n_tasks && axes->rows.n == n_rows); // names are unique
    for (int i = 0; plan && i < plan->n_seeds; i++) axes->seeds[axes->n_seeds++] = plan->seeds[i];
    for (int i = 0; i < n; i++) {
        names_add(&axes->tasks, records[i].task);
        if (records[i].kind == SL_CELL_RUN) names_add(&axes->rows, records[i].row);
    }
    return add_seeds(axes, n, records, err);
}

// a task as the plan describes it
static SlResultTask planned_task(const SlPlanTask *task) {
    return (SlResultTask){
        .name = task->name,
        .layer = task->layer,
        .accel = task->accel,
        .objective = task->objective,
        .workload = task->workload,
        .floor = NAN,
    };
}

// the same where only records know it
static SlResultTask recorded_task(const SlCellRecord *record) {
    return (SlResultTask){
        .name = record->task,
        .layer = record->layer,
        .accel = record->accel,
        .objective = record->objective,
        .workload = record->workload,
        .floor = NAN,
    };
}

typedef struct {
    SlResultTask *tasks;
    const SlCellRecord **runs, **broken;
} Table;

// one of each policy
static void add_assignment(const SlCellRecord *record, SlResultTask *task) {
    for (int i = 0; i < task->n_assigned; i++)
        if (strcmp(task->assigned[i]->method, record->method) == 0) return;
    if (task->n_assigned < SL_POLICIES_MAX) task->assigned[task->n_assigned++] = record;
}

// a record to its place; of two for one cell the first counts
static void place_record(SlResults *results, Axes *axes, const SlCellRecord *record, Table *table) {
    int t = names_find(&axes->tasks, record->task);
    SlResultTask *task = &table->tasks[t];
    if (!task->name) *task = recorded_task(record);
    if (record->reason) {
        table->broken[results->n_broken++] = record;
        return;
    }
    if (isnan(task->floor)) task->floor = record->floor;
    const SlCellRecord **place = NULL;
    switch (record->kind) {
    case SL_CELL_RUN: {
        int r = names_find(&axes->rows, record->row), s = find_seed(axes, record->seed);
        place = &table->runs[((size_t)t * (size_t)results->n_rows + (size_t)r) *
                                 (size_t)results->n_seeds +
                             (size_t)s];
        if (record->budget > results->budget) results->budget = record->budget;
        if (record->samples > results->budget) results->budget = record->samples;
        break;
    }
    case SL_CELL_PROOF:
        place = &task->proof;
        break;
    case SL_CELL_SPACE:
        place = &task->space;
        break;
    case SL_CELL_ASSIGN:
        add_assignment(record, task);
        break;
    case SL_N_CELLS:
        break;
    }
    if (place && !*place) *place = record;
}

// cells of the plan without a record that is whole; broken ones are told apart by their number
static int count_absent(const SlPlan *plan, const SlResults *results) {
    int n = 0;
    for (int t = 0; t < plan->n_tasks; t++) {
        const SlResultTask *task = &results->tasks[t];
        n += plan->prove && !task->proof;
        n += plan->sizes && !task->space;
        n += plan->n_policies - task->n_assigned;
        for (int r = 0; r < plan->n_rows; r++) {
            for (int s = 0; s < plan->n_seeds; s++) n += !sl_results_run(results, t, r, s);
        }
    }
    return n;
}

// is the broken cell one that the plan wants?
static bool is_planned(const SlPlan *plan, Axes *axes, const SlCellRecord *record) {
    if (names_find(&axes->tasks, record->task) >= plan->n_tasks) return false;
    switch (record->kind) {
    case SL_CELL_RUN:
        return names_find(&axes->rows, record->row) < plan->n_rows &&
               find_seed(axes, record->seed) < plan->n_seeds;
    case SL_CELL_PROOF:
        return plan->prove;
    case SL_CELL_SPACE:
        return plan->sizes;
    case SL_CELL_ASSIGN:
        return plan->assign;
    case SL_N_CELLS:
        break;
    }
    return false;
}

static void count_missing(const SlPlan *plan, Axes *axes, SlResults *results) {
    int n = count_absent(plan, results);
    for (int i = 0; i < results->n_broken; i++) n -= is_planned(plan, axes, results->broken[i]);
    results->n_missing = n > 0 ? n : 0;
}

SlStatus sl_results_make(const SlPlan *plan, int n, const SlCellRecord *records, SlArena *arena,
                         SlResults *results, SlError *err) {
    assert(n >= 0);
    Axes axes;
    SlStatus status = make_axes(plan, n, records, arena, &axes, err);
    if (status != SL_OK) return status;
    size_t n_tasks = (size_t)axes.tasks.n, n_rows = (size_t)axes.rows.n;
    Table table = {
        .tasks = SL_NEW(arena, n_tasks, SlResultTask),
        .runs = SL_NEW(arena, n_tasks * n_rows * (size_t)axes.n_seeds, const SlCellRecord *),
        .broken = SL_NEW(arena, n, const SlCellRecord *),
    };
    if (!table.tasks || !table.runs || !table.broken) {
        return sl_fail(err, SL_ENOMEM, "not enough memory for the results of a study");
    }
    *results = (SlResults){
        .n_tasks = axes.tasks.n,
        .n_rows = axes.rows.n,
        .n_seeds = axes.n_seeds,
        .tasks = table.tasks,
        .rows = axes.rows.at,
        .seeds = axes.seeds,
        .runs = table.runs,
        .reference = plan ? plan->reference : -1,
        .broken = table.broken,
    };
    for (int t = 0; plan && t < plan->n_tasks; t++) table.tasks[t] = planned_task(&plan->tasks[t]);
    for (int i = 0; i < n; i++) place_record(results, &axes, &records[i], &table);
    for (int r = 0; plan && r < plan->n_rows; r++) {
        if (plan->rows[r].samples > results->budget) results->budget = plan->rows[r].samples;
    }
    if (plan) count_missing(plan, &axes, results);
    for (int t = 0; t < results->n_tasks && status == SL_OK; t++) {
        status = sl_task_optimum(results, t, arena, &table.tasks[t], err);
    }
    return status;
}

const SlCellRecord *sl_results_run(const SlResults *results, int task, int row, int seed) {
    assert(task >= 0 && task < results->n_tasks && row >= 0 && row < results->n_rows);
    assert(seed >= 0 && seed < results->n_seeds);
    size_t at = (size_t)task * (size_t)results->n_rows + (size_t)row;
    return results->runs[at * (size_t)results->n_seeds + (size_t)seed];
}
