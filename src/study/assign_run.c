// assign_run.c - Algorithm 1 of the mapping paper: a dataset by a policy, the best share of it,
// correlations of the parameters, a dendrogram, agents.
#include <assert.h>

#include "study_inside.h"

enum { MOST_SAMPLES = 10000000 };

// What the policy proposed and what came of it.
typedef struct {
    int n;           // samples
    int32_t *points; // (n, n_params) as proposed, before any repair
    double *scores;  // (n)
} Dataset;

// Default options of a method in scratch, NULL without memory or where it has none.
static void *default_options(const SlMethod *method, SlArena *scratch) {
    void *options = sl_arena_alloc(scratch, 1, method->options_bytes);
    if (options && method->options_bytes) sl_options_init(method->options, options);
    return options;
}

// let the policy run for the whole dataset; false without memory
static bool collect(const SlSpace *space, const SlGoal *goal, const SlAssignSetup *setup,
                    SlArena *scratch, Dataset *data) {
    const SlMethod *policy = setup->policy ? setup->policy : sl_method_find("random");
    SlAgents agents;
    sl_agents_each(space, &agents);
    SlMethodSetup method = {.space = space,
                            .agents = &agents,
                            .seed = setup->seed,
                            .stream = "assign",
                            .budget = setup->samples,
                            .evaluator_us = sl_model_us(setup->model),
                            .illegal = SL_ILLEGAL_REPAIR};
    SlTaskSetup setup_task = {
        .space = space, .goal = *goal, .illegal = SL_ILLEGAL_REPAIR, .model = setup->model};
    SlTask *task = sl_task_make(&setup_task, scratch);
    void *options = default_options(policy, scratch);
    void *state = options ? policy->make(&method, options, scratch) : NULL;
    SlOutcome *outcomes = SL_NEW(scratch, setup->samples, SlOutcome);
    data->points = SL_NEW(scratch, setup->samples * space->n_params, int32_t);
    data->scores = SL_NEW(scratch, setup->samples, double);
    if (!task || !state || !outcomes || !data->points || !data->scores) return false;

    while (data->n < setup->samples) {
        int32_t *points = data->points + (ptrdiff_t)data->n * space->n_params;
        int64_t left = setup->samples - data->n;
        int n = policy->ask(state, left < 64 ? (int)left : 64, points);
        if (n <= 0) break; // the space is exhausted
        for (int i = 0; i < n; i++) {
            sl_task_eval(task, points + (ptrdiff_t)i * space->n_params, &outcomes[i]);
            data->scores[data->n + i] = outcomes[i].score;
        }
        policy->tell(state, n, points, outcomes);
        data->n += n;
    }
    return true;
}

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

// the columns of the best rows, as assign wants them; false without memory
static bool make_columns(const SlSpace *space, const Dataset *data, int n_rows, const int *rows,
                         SlArena *scratch, SlColumns *columns) {
    int *first = SL_NEW(scratch, space->n_params + 1, int);
    if (!first) return false;
    for (int i = 0; i < space->n_params; i++)
        first[i + 1] = first[i] + columns_of(&space->params[i]);
    double *values = SL_NEW(scratch, (size_t)first[space->n_params] * (size_t)n_rows, double);
    if (!values) return false;
    for (int i = 0; i < space->n_params; i++) {
        double *column = values + (ptrdiff_t)first[i] * n_rows;
        for (int r = 0; r < n_rows; r++) {
            int32_t value = data->points[(ptrdiff_t)rows[r] * space->n_params + i];
            write_row(&space->params[i], value, n_rows, column + r);
        }
    }
    *columns = (SlColumns){
        .n_rows = n_rows, .n_params = space->n_params, .first = first, .values = values};
    return true;
}

static SlStatus assign(const SlSpace *space, const SlGoal *goal, const SlAssignSetup *setup,
                       SlArena *scratch, SlAssignment *out) {
    Dataset data = {0};
    if (!collect(space, goal, setup, scratch, &data)) return SL_ENOMEM;
    int *rows = SL_NEW(scratch, data.n, int);
    if (!rows) return SL_ENOMEM;
    out->samples = data.n;
    out->n_rows = sl_assign_top(data.n, data.scores, setup->share, rows);
    SlColumns columns;
    if (!make_columns(space, &data, out->n_rows, rows, scratch, &columns)) return SL_ENOMEM;
    sl_correlations(&columns, out->r);
    sl_distances(setup->metric, out->n, out->r, out->distance);
    return sl_dendro_build(setup->linkage, out->n, out->distance, scratch, out->tree);
}

SlStatus sl_assign_run(const SlSpace *space, const SlGoal *goal, const SlAssignSetup *setup,
                       SlArena *arena, SlAssignment *out, SlError *err) {
    if (setup->samples < 2 || setup->samples > MOST_SAMPLES)
        return sl_fail(err, SL_EINPUT, "an assignment takes 2 to %d samples, not %lld",
                       MOST_SAMPLES, (long long)setup->samples);
    if (!(setup->share > 0 && setup->share <= 1))
        return sl_fail(err, SL_EINPUT, "the best share is above 0 and at most 1, not %g",
                       setup->share);
    size_t mark = sl_arena_mark(arena);
    int n = space->n_params;
    *out = (SlAssignment){.n = n,
                          .r = SL_NEW(arena, n * n, double),
                          .distance = SL_NEW(arena, n * n, double),
                          .tree = SL_NEW(arena, n, SlMerge)};
    size_t left = arena->limit - arena->used;
    SlArena scratch;
    sl_arena_init(&scratch, left ? left : 1);
    SlStatus status = SL_ENOMEM;
    if (out->r && out->distance && out->tree) status = assign(space, goal, setup, &scratch, out);
    sl_arena_free(&scratch);
    if (status == SL_OK) return SL_OK;
    sl_arena_rewind(arena, mark);
    return sl_fail(err, status, "not enough memory for the assignment");
}

void sl_assign_agents(const SlAssignment *assignment, int n_agents, SlAgents *agents) {
    assert(1 <= n_agents && n_agents <= assignment->n);
    *agents = (SlAgents){.n_agents = n_agents};
    sl_dendro_cut(assignment->n, assignment->tree, n_agents, agents->agent);
}
