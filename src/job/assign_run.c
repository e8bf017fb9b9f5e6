// assign_run.c - Algorithm 1 of the mapping paper: a dataset by a policy, the best share of it,
// correlations of the parameters, a dendrogram, agents.
#include <assert.h>
#include <math.h>

#include "starling/job.h"

enum { MOST_SAMPLES = 10000000, ROUND = 64 };

// What the policy proposed and what came of it.
typedef struct {
    int n;           // samples
    int32_t *points; // (n, n_params) as proposed, before any repair
    double *scores;  // (n)
} Dataset;

// Default options of a method in scratch, NULL without memory or where it has none.
static void *default_options(const SlMethod *method, SlArena *scratch) {
    void *options = sl_arena_alloc(scratch, 1, method->options_bytes + 1);
    if (options) sl_options_init(method->options, options);
    return options;
}

// points and scores of one more round; returns how many, 0 = the space is exhausted
static int add_round(SlTask *task, const SlMethod *policy, void *state, int64_t left,
                     SlSample *samples, Dataset *data) {
    int n_params = sl_task_space(task)->n_params;
    int32_t *points = data->points + (ptrdiff_t)data->n * n_params;
    int n = policy->ask(state, left < ROUND ? (int)left : ROUND, points);
    if (n <= 0) return 0;
    sl_task_eval(task, n, points, samples);
    for (int i = 0; i < n; i++) data->scores[data->n + i] = samples[i].score;
    policy->tell(state, n, points, samples);
    data->n += n;
    return n;
}

// let the policy run for the whole dataset
static SlStatus collect(SlTask *task, const SlAssignSetup *setup, SlArena *scratch, Dataset *data,
                        SlError *err) {
    const SlSpace *space = sl_task_space(task);
    const SlMethod *policy = setup->policy ? setup->policy : sl_method_find("random");
    const char *fault = sl_method_check(policy, task);
    if (fault) return sl_fail(err, SL_EINPUT, "%s cannot collect samples: %s", policy->name, fault);
    SlAgents agents;
    sl_agents_each(space, &agents);
    SlMethodSetup method = {.task = task,
                            .agents = &agents,
                            .seed = setup->seed,
                            .stream = "assign",
                            .budget = setup->samples};
    void *options = default_options(policy, scratch);
    void *state = options ? policy->make(&method, options, scratch) : NULL;
    SlSample *samples = SL_NEW(scratch, ROUND, SlSample);
    data->points = SL_NEW(scratch, setup->samples * space->n_params, int32_t);
    data->scores = SL_NEW(scratch, setup->samples, double);
    if (!state || !samples || !data->points || !data->scores) return SL_ENOMEM;
    while (data->n < setup->samples)
        if (add_round(task, policy, state, setup->samples - data->n, samples, data) == 0) break;
    return SL_OK;
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

static SlStatus assign(SlTask *task, const SlAssignSetup *setup, SlArena *scratch,
                       SlAssignment *out, SlError *err) {
    Dataset data = {0};
    SlStatus status = collect(task, setup, scratch, &data, err);
    if (status != SL_OK) return status;
    if (!data.points || !data.scores) return SL_ENOMEM;
    int *rows = SL_NEW(scratch, data.n, int);
    if (!rows) return SL_ENOMEM;
    out->samples = data.n;
    out->n_rows = sl_assign_top(data.n, data.scores, setup->share, rows);
    SlColumns columns;
    if (!make_columns(sl_task_space(task), &data, out->n_rows, rows, scratch, &columns))
        return SL_ENOMEM;
    sl_correlations(&columns, out->r);
    sl_distances(setup->metric, out->n, out->r, out->distance);
    return sl_dendro_build(setup->linkage, out->n, out->distance, scratch, out->tree);
}

static const char *setup_fault(const SlAssignSetup *setup) {
    if (setup->samples < 2 || setup->samples > MOST_SAMPLES)
        return "an assignment takes 2 to 10,000,000 samples";
    if (!(setup->share > 0 && setup->share <= 1)) return "the best share is above 0 and at most 1";
    return NULL;
}

static bool make_out(int n, SlArena *arena, SlAssignment *out) {
    *out = (SlAssignment){.n = n,
                          .r = SL_NEW(arena, n * n, double),
                          .distance = SL_NEW(arena, n * n, double),
                          .tree = SL_NEW(arena, n, SlMerge)};
    return out->r && out->distance && out->tree;
}

SlStatus sl_assign_run(const SlTaskSetup *task, const SlAssignSetup *setup, SlArena *arena,
                       SlAssignment *out, SlError *err) {
    const char *fault = setup_fault(setup);
    if (fault) return sl_fail(err, SL_EINPUT, "%s", fault);
    size_t mark = sl_arena_mark(arena), left = arena->limit - arena->used;
    SlTaskSetup repaired = *task;
    SlTask *made = NULL;
    SlArena scratch;
    repaired.illegal = SL_ILLEGAL_REPAIR;
    sl_arena_init(&scratch, left ? left : 1);
    SlStatus status = sl_task_make(&repaired, &scratch, &made, err);
    if (status == SL_OK && !make_out(sl_task_space(made)->n_params, arena, out)) status = SL_ENOMEM;
    if (status == SL_OK) status = assign(made, setup, &scratch, out, err);
    sl_task_close(made);
    sl_arena_free(&scratch);
    if (status == SL_OK) return SL_OK;
    sl_arena_rewind(arena, mark);
    return status == SL_ENOMEM ? sl_fail(err, status, "not enough memory for the assignment")
                               : status;
}

void sl_assign_agents(const SlAssignment *assignment, int n_agents, SlAgents *agents) {
    assert(1 <= n_agents && n_agents <= assignment->n);
    *agents = (SlAgents){.n_agents = n_agents};
    sl_dendro_cut(assignment->n, assignment->tree, n_agents, agents->agent);
}

// between the last merge that stays and the first that is undone
double sl_assign_cut(const SlAssignment *assignment, int n_agents) {
    if (n_agents == 1) return NAN;
    int first_undone = assignment->n - n_agents;
    double below = first_undone > 0 ? assignment->tree[first_undone - 1].height : 0;
    return (below + assignment->tree[first_undone].height) / 2;
}

SlAssignSetup sl_assign_defaults(void) {
    return (SlAssignSetup){.samples = 2000,
                           .share = 0.15, // as in the paper
                           .metric = SL_METRIC_ROWS,
                           .linkage = SL_LINK_WARD,
                           .seed = 1};
}

SlStatus sl_agents_assign(const SlTaskSetup *task, const SlAssignSetup *setup, int n_agents,
                          SlArena *arena, SlAgents *agents, int64_t *samples, SlError *err) {
    SlAssignment assignment = {0};
    *samples = 0;
    if (n_agents == 1) {
        *agents = (SlAgents){.n_agents = 1};
        return SL_OK;
    }
    if (task->space) {
        sl_agents_each(task->space, agents);
        if (n_agents == 0 || n_agents >= task->space->n_params) return SL_OK;
    }
    SlStatus status = sl_assign_run(task, setup, arena, &assignment, err);
    if (status != SL_OK) return status;
    sl_assign_agents(&assignment, n_agents < assignment.n ? n_agents : assignment.n, agents);
    *samples = assignment.samples;
    return SL_OK;
}
