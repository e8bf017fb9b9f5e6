// assign_data.c - the dataset of an assignment: what a policy proposes, what it earns, and its rows
// as columns of numbers.
#include <math.h>

#include "assign_data.h"
#include "starling/job.h"

enum { ROUND = 64, MOST_REFUSED = 10000 };

// A policy at work.
typedef struct {
    SlTask *task;
    const SlMethod *policy;
    void *state;
    int32_t *points;   // (ROUND, n_params) of the round
    SlSample *samples; // (ROUND)
    int64_t refused;   // points that a rule of the space forbids: nothing was evaluated
} Collector;

// Default options of a method in scratch, NULL without memory.
static void *default_options(const SlMethod *method, SlArena *scratch) {
    void *options = sl_arena_alloc(scratch, 1, method->options_bytes + 1);
    if (options) sl_options_init(method->options, options);
    return options;
}

static void keep(const Collector *collector, int i, SlDataset *data) {
    int n_params = sl_task_space(collector->task)->n_params;
    const SlSample *sample = &collector->samples[i];
    int32_t *point = data->points + (ptrdiff_t)data->n * n_params;
    for (int k = 0; k < n_params; k++) point[k] = collector->points[(ptrdiff_t)i * n_params + k];
    data->scores[data->n++] = isfinite(sample->value) ? sample->score : (double)NAN;
}

// points and scores of one more round; returns how many, 0 = the space is exhausted
static int add_round(Collector *collector, int64_t left, SlDataset *data) {
    const SlMethod *policy = collector->policy;
    int n = policy->ask(collector->state, left < ROUND ? (int)left : ROUND, collector->points);
    if (n <= 0) return 0;
    sl_task_eval(collector->task, n, collector->points, collector->samples);
    for (int i = 0; i < n; i++) {
        if (collector->samples[i].free)
            collector->refused++;
        else
            keep(collector, i, data);
    }
    policy->tell(collector->state, n, collector->points, collector->samples);
    return collector->refused > MOST_REFUSED + 100 * (data->n + left) ? 0 : n;
}

static bool make_collector(const SlAssignSetup *setup, SlArena *scratch, Collector *collector,
                           SlDataset *data) {
    const SlSpace *space = sl_task_space(collector->task);
    SlAgents agents;
    sl_agents_each(space, &agents);
    SlMethodSetup method = {.task = collector->task,
                            .agents = &agents,
                            .seed = setup->seed,
                            .stream = "assign",
                            .budget = setup->samples};
    void *options = default_options(collector->policy, scratch);
    if (options) collector->state = collector->policy->make(&method, options, scratch);
    collector->points = SL_NEW(scratch, ROUND * space->n_params, int32_t);
    collector->samples = SL_NEW(scratch, ROUND, SlSample);
    data->points = SL_NEW(scratch, setup->samples * space->n_params, int32_t);
    data->scores = SL_NEW(scratch, setup->samples, double);
    return collector->state && collector->points && collector->samples && data->points &&
           data->scores;
}

SlStatus sl_dataset_collect(SlTask *task, const SlAssignSetup *setup, SlArena *scratch,
                            SlDataset *data, SlError *err) {
    Collector collector = {.task = task, .policy = setup->policy};
    if (!collector.policy) collector.policy = sl_method_find("random");
    const char *fault = sl_method_check(collector.policy, task);
    if (!fault && collector.policy->needs & SL_NEEDS_FLOCK)
        fault = "it needs a flock (--flock), and here is none";
    if (fault)
        return sl_fail(err, SL_EINPUT, "%s cannot collect samples: %s", collector.policy->name,
                       fault);
    *data = (SlDataset){0};
    if (!make_collector(setup, scratch, &collector, data)) return SL_ENOMEM;
    while (data->n < setup->samples) {
        int n = add_round(&collector, setup->samples - data->n, data);
        const char *broken = sl_task_broken(task);
        if (broken) return sl_fail(err, SL_EINPUT, "%s", broken);
        if (n == 0) break;
    }
    return SL_OK;
}

// ---- columns ----

// how many columns a parameter enters as
static int columns_of(const SlParam *param) {
    switch (param->kind) {
    case SL_PERMUTATION:
        return param->n_items > 0 ? param->n_items : 1;
    case SL_CATEGORICAL:
        return param->n;
    case SL_ORDINAL:
        break;
    }
    return 1;
}

// one row of a parameter's columns: `values` is (columns, n_rows), its first column and this row
static void write_row(const SlParam *param, int32_t value, int n_rows, double *values) {
    uint8_t order[SL_N_DIMS];
    switch (param->kind) {
    case SL_ORDINAL:
        values[0] = value;
        break;
    case SL_CATEGORICAL:
        for (int c = 0; c < param->n; c++) values[(ptrdiff_t)c * n_rows] = c == value;
        break;
    case SL_PERMUTATION:
        sl_permutation(param->n_items, value, order);
        for (int i = 0; i < param->n_items; i++) values[(ptrdiff_t)order[i] * n_rows] = i;
        break;
    }
}

bool sl_dataset_columns(const SlSpace *space, const SlDataset *data, int n_rows, const int *rows,
                        SlArena *scratch, SlColumns *columns) {
    int n = space->n_params;
    int *first = SL_NEW(scratch, n + 2, int);
    if (!first) return false;
    for (int i = 0; i < n; i++) first[i + 1] = first[i] + columns_of(&space->params[i]);
    first[n + 1] = first[n] + 1;
    double *values = SL_NEW(scratch, (size_t)first[n + 1] * (size_t)n_rows, double);
    if (!values) return false;
    for (int r = 0; r < n_rows; r++) {
        const int32_t *point = data->points + (ptrdiff_t)rows[r] * n;
        for (int i = 0; i < n; i++)
            write_row(&space->params[i], point[i], n_rows,
                      values + (ptrdiff_t)first[i] * n_rows + r);
        values[(ptrdiff_t)first[n] * n_rows + r] = data->scores[rows[r]];
    }
    *columns = (SlColumns){.n_rows = n_rows, .n_params = n + 1, .first = first, .values = values};
    return true;
}
