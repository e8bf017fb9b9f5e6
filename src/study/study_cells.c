// study_cells.c - the cells of a plan in order, and what tells one result of a cell from another.
#include <stdio.h>
#include <string.h>

#include "study_cells.h"
#include "study_plan_inside.h"

const char *const sl_cell_names[SL_N_CELLS + 1] = {"run", "proof", "space", "assign", NULL};

enum { FIRST_SEED = 1 }; // of proofs and assignments

// ---- cells ----

static SlStatus add_cell(const SlPlan *plan, SlPlanCell cell, SlArena *arena, int *n,
                         SlPlanCell *cells) {
    SlText key;
    sl_text_init(&key, arena);
    sl_text_add(&key, "%s/%s", sl_cell_names[cell.kind], plan->tasks[cell.task].name);
    if (cell.kind == SL_CELL_RUN)
        sl_text_add(&key, "/%s/%llu", plan->rows[cell.row].name, (unsigned long long)cell.seed);
    cell.key = key.data;
    cells[(*n)++] = cell;
    return key.failed ? SL_ENOMEM : SL_OK;
}

// proofs of all tasks, then spaces, then assignments
static SlStatus add_services(const SlPlan *plan, SlArena *arena, int *n, SlPlanCell *cells) {
    const bool wanted[SL_N_CELLS] = {[SL_CELL_PROOF] = plan->prove,
                                     [SL_CELL_SPACE] = plan->sizes,
                                     [SL_CELL_ASSIGN] = plan->assign};
    SlStatus status = SL_OK;
    for (int kind = SL_CELL_PROOF; kind < SL_N_CELLS; kind++) {
        for (int t = 0; t < plan->n_tasks && wanted[kind] && status == SL_OK; t++) {
            SlPlanCell cell = {(SlCellKind)kind, t, -1, FIRST_SEED, NULL};
            status = add_cell(plan, cell, arena, n, cells);
        }
    }
    return status;
}

static SlStatus add_runs(const SlPlan *plan, SlArena *arena, int *n, SlPlanCell *cells) {
    SlStatus status = SL_OK;
    for (int s = 0; s < plan->n_seeds; s++) {
        for (int t = 0; t < plan->n_tasks; t++) {
            for (int r = 0; r < plan->n_rows && status == SL_OK; r++) {
                SlPlanCell cell = {SL_CELL_RUN, t, r, plan->seeds[s], NULL};
                status = add_cell(plan, cell, arena, n, cells);
            }
        }
    }
    return status;
}

SlStatus sl_plan_cells(const SlPlan *plan, SlArena *arena, int *n, SlPlanCell **cells,
                       SlError *err) {
    int64_t services = plan->prove + plan->sizes + plan->assign;
    int64_t all = plan->n_tasks * ((int64_t)plan->n_rows * plan->n_seeds + services);
    *n = 0;
    if (all > SL_PLAN_MAX_CELLS)
        return sl_fail(err, SL_EINPUT, "a study has at most %d cells, this one has %lld",
                       SL_PLAN_MAX_CELLS, (long long)all);
    *cells = SL_NEW(arena, all, SlPlanCell);
    SlStatus status = *cells ? add_services(plan, arena, n, *cells) : SL_ENOMEM;
    if (status == SL_OK) status = add_runs(plan, arena, n, *cells);
    return status == SL_OK ? SL_OK : sl_plan_no_memory(err);
}

// ---- fingerprints ----

static void add_task(const SlPlan *plan, const SlPlanTask *task, SlText *out) {
    if (!plan->kind->maps) {
        sl_text_add(out, "%s\n%s\n%lld points\n", SL_VERSION, task->stream,
                    (long long)task->n_points);
        return;
    }
    sl_text_add(out, "%s\n%s\n%s %s\n", SL_VERSION, task->workload, task->objective,
                sl_space_names[plan->space]);
    if (plan->kind != &sl_kind_native) sl_text_add(out, "model %s\n", plan->kind->name);
    sl_space_describe(task->setup.space, out);
}

static void add_run(const SlPlan *plan, const SlPlanCell *cell, SlText *out) {
    const SlPlanRow *row = &plan->rows[cell->row];
    if (!plan->kind->maps) {
        sl_text_add(out, "%s %s\n%lld", row->method->name, row->settings, (long long)row->samples);
        return;
    }
    sl_text_add(out, "%s %s\n%d %lld %lld\n%s %s %d %d\n", row->method->name, row->settings,
                row->n_agents, (long long)row->dataset, (long long)row->samples,
                sl_start_names[plan->start], sl_illegal_names[plan->illegal], plan->n_windows,
                plan->trace);
}

static void add_assign(const SlPlan *plan, SlText *out) {
    const SlAssignSetup *setup = &plan->assign_setup;
    sl_text_add(out, "%lld %.17g %s %s", (long long)setup->samples, setup->share,
                sl_metric_names[setup->metric], sl_linkage_names[setup->linkage]);
    for (int i = 0; i < plan->n_budgets; i++) sl_text_add(out, " %d", plan->budgets[i]);
}

static void add_cell_text(const SlPlan *plan, const SlPlanCell *cell, SlText *out) {
    add_task(plan, &plan->tasks[cell->task], out);
    sl_text_add(out, "%s %llu\n", sl_cell_names[cell->kind], (unsigned long long)cell->seed);
    if (cell->kind == SL_CELL_RUN) add_run(plan, cell, out);
    if (cell->kind == SL_CELL_PROOF)
        sl_text_add(out, "%.17g %.17g %lld", plan->prove_gap, plan->prove_seconds,
                    (long long)plan->prove_nodes);
    if (cell->kind == SL_CELL_ASSIGN) add_assign(plan, out);
}

const char *sl_cell_fingerprint(const SlPlan *plan, const SlPlanCell *cell, SlArena *arena) {
    char *out = SL_NEW(arena, 17, char);
    size_t mark = sl_arena_mark(arena);
    SlText text;
    sl_text_init(&text, arena);
    add_cell_text(plan, cell, &text);
    uint64_t sum = UINT64_C(0xcbf29ce484222325); // FNV-1a, 64 bits
    for (size_t i = 0; i < text.n; i++)
        sum = (sum ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    if (out && !text.failed) snprintf(out, 17, "%016llx", (unsigned long long)sum);
    bool failed = text.failed;
    sl_arena_rewind(arena, mark);
    return failed ? NULL : out;
}
