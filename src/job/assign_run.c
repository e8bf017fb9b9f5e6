// assign_run.c - Algorithm 1 of the mapping paper: a dataset by a policy, the best share of it,
// correlations of the parameters, a dendrogram, a cut.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "assign_data.h"
#include "starling/job.h"

enum { MOST_SAMPLES = 10000000, FEWEST_ROWS = 3 }; // of two rows all correlations are 1 or -1

static const char *setup_fault(const SlAssignSetup *setup) {
    if (setup->samples < 2 || setup->samples > MOST_SAMPLES)
        return "an assignment takes 2 to 10,000,000 samples";
    if (!(setup->share > 0 && setup->share <= 1)) return "the best share is above 0 and at most 1";
    return NULL;
}

// ---- the rows that count ----

// the best share of all samples, as far as they have a value; best first
static int best_rows(const SlDataset *data, double share, int *rows) {
    int n = sl_assign_top(data->n, data->scores, share, rows), n_good = 0;
    while (n_good < n && !isnan(data->scores[rows[n_good]])) n_good++;
    return n_good;
}

static SlStatus check_rows(const SlDataset *data, const SlAssignSetup *setup, int n_rows,
                           SlError *err) {
    if (n_rows >= FEWEST_ROWS) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "the best %g %% of %d samples leave %d with a value, and correlations need at "
                   "least %d: take a larger share or more samples",
                   100 * setup->share, data->n, n_rows, FEWEST_ROWS);
}

// what earned the reward: the points of the mappings that were evaluated
static void repair_rows(const SlSpace *space, const SlDataset *data, const int *rows,
                        SlAssignment *out) {
    for (int r = 0; r < out->n_rows; r++) {
        int32_t *point = data->points + (ptrdiff_t)rows[r] * space->n_params;
        out->n_nearest += !sl_space_repaired(space, point, point);
    }
}

// ---- correlations ----

// the matrix of the parameters, and their row of it for the objective
static void split_matrix(const double *all, SlAssignment *out) {
    int n = out->n;
    for (int i = 0; i < n; i++) {
        memcpy(out->r + (ptrdiff_t)i * n, all + (ptrdiff_t)i * (n + 1), (size_t)n * sizeof *all);
        out->objective[i] = all[(ptrdiff_t)i * (n + 1) + n];
    }
}

static SlStatus assign(SlTask *task, const SlAssignSetup *setup, SlArena *scratch,
                       SlAssignment *out, SlError *err) {
    const SlSpace *space = sl_task_space(task);
    SlDataset data;
    SlColumns columns;
    SlStatus status = sl_dataset_collect(task, setup, scratch, &data, err);
    if (status != SL_OK) return status;
    int *rows = SL_NEW(scratch, data.n, int);
    double *all = SL_NEW(scratch, (out->n + 1) * (out->n + 1), double);
    if (!rows || !all) return SL_ENOMEM;
    out->samples = sl_task_samples(task);
    out->n_rows = best_rows(&data, setup->share, rows);
    status = check_rows(&data, setup, out->n_rows, err);
    if (status != SL_OK) return status;
    if (space->accel && !setup->proposed) repair_rows(space, &data, rows, out);
    if (!sl_dataset_columns(space, &data, out->n_rows, rows, scratch, &columns)) return SL_ENOMEM;
    sl_correlations(&columns, all);
    split_matrix(all, out);
    sl_distances(setup->metric, out->n, out->r, out->objective, out->distance);
    return sl_dendro_build(setup->linkage, out->n, out->distance, scratch, out->tree);
}

// ---- the whole ----

static bool make_out(int n, SlArena *arena, SlAssignment *out) {
    *out = (SlAssignment){.n = n,
                          .r = SL_NEW(arena, n * n, double),
                          .distance = SL_NEW(arena, n * n, double),
                          .objective = SL_NEW(arena, n, double),
                          .tree = SL_NEW(arena, n, SlMerge)};
    return out->r && out->distance && out->objective && out->tree;
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

// ---- cuts ----

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

double sl_assign_top_height(const SlAssignment *assignment) {
    return assignment->n > 1 ? assignment->tree[assignment->n - 2].height : 0;
}

int sl_assign_count(const SlAssignment *assignment, const SlThreshold *threshold) {
    double top = threshold->of_top ? sl_assign_top_height(assignment) : 1;
    return sl_dendro_count(assignment->n, assignment->tree, threshold->height * top);
}
