// study_cells.c - the cells of a plan in order, and each as a unit of work.

#include "study_cells.h"
#include "study_plan_inside.h"

enum { FIRST_SEED = 1 }; // of proofs and assignments

// ---- cells ----

static SlStatus add_cell(const SlPlan *plan, SlPlanCell cell, SlArena *arena, int *n,
                         SlPlanCell *cells) {
    SlText key;
    sl_text_init(&key, arena);
    sl_text_add(&key, "%s/%s", sl_cell_names[cell.kind], plan->tasks[cell.task].name);
    if (cell.kind == SL_CELL_RUN)
        sl_text_add(&key, "/%s/%llu", plan->rows[cell.row].name, (unsigned long long)cell.seed);
    if (cell.kind == SL_CELL_ASSIGN && plan->n_policies > 1)
        sl_text_add(&key, "/%s", plan->policies[cell.row]->name);
    cell.key = key.data;
    cells[(*n)++] = cell;
    return key.failed ? SL_ENOMEM : SL_OK;
}

// proofs of all tasks, then spaces, then assignments
static SlStatus add_services(const SlPlan *plan, SlArena *arena, int *n, SlPlanCell *cells) {
    const bool wanted[SL_N_CELLS] = {[SL_CELL_PROOF] = plan->prove, [SL_CELL_SPACE] = plan->sizes};
    SlStatus status = SL_OK;
    for (int kind = SL_CELL_PROOF; kind < SL_CELL_ASSIGN; kind++) {
        for (int t = 0; t < plan->n_tasks && wanted[kind] && status == SL_OK; t++) {
            SlPlanCell cell = {(SlCellKind)kind, t, -1, FIRST_SEED, NULL};
            status = add_cell(plan, cell, arena, n, cells);
        }
    }
    for (int i = 0; i < plan->n_tasks * plan->n_policies && status == SL_OK; i++) {
        SlPlanCell cell = {SL_CELL_ASSIGN, i / plan->n_policies, i % plan->n_policies, FIRST_SEED,
                           NULL};
        status = add_cell(plan, cell, arena, n, cells);
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
    int64_t services = plan->prove + plan->sizes + plan->n_policies;
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

// ---- as units of work ----

// stretches of a run: so many, or as many as a number of samples each makes
static int windows_of(const SlPlan *plan, int64_t samples) {
    if (plan->stretch == 0) return plan->n_windows;
    int64_t n = samples / plan->stretch;
    return n < 1 ? 1 : n > SL_PLAN_MAX_WINDOWS ? SL_PLAN_MAX_WINDOWS : (int)n;
}

static void fill_run(const SlPlan *plan, const SlPlanRow *row, SlCell *out) {
    out->row = row->name;
    out->settings = row->settings;
    out->method = row->method;
    out->options = row->options;
    out->agents = row->agents;
    out->flock = row->flock;
    out->more = row->taught;
    out->budget.samples = row->samples;
    out->start = plan->start;
    out->n_windows = windows_of(plan, row->samples);
    out->trace = plan->trace;
    out->footprint = plan->footprint;
}

SlCell sl_plan_cell(const SlPlan *plan, const SlPlanCell *cell) {
    const SlPlanTask *task = &plan->tasks[cell->task];
    SlCell out = {.kind = cell->kind,
                  .key = cell->key,
                  .task = task->name,
                  .layer = task->layer,
                  .workload = task->workload,
                  .accel = task->accel,
                  .objective = task->objective,
                  .space = task->setup.space ? sl_space_names[plan->space]
                                             : sl_hardware_names[plan->hardware],
                  .setup = task->setup,
                  .preset = plan->space,
                  .stream = task->stream,
                  .n_points = task->n_points,
                  .floor = task->floor,
                  .seed = cell->seed,
                  .gap = plan->prove_gap,
                  .seconds = plan->prove_seconds,
                  .nodes = plan->prove_nodes,
                  .assign = plan->assign_setup,
                  .n_budgets = plan->n_budgets,
                  .budgets = plan->budgets};
    out.setup.kind = plan->kind;
    out.setup.illegal = plan->illegal;
    if (cell->kind == SL_CELL_ASSIGN) out.assign.policy = plan->policies[cell->row];
    if (cell->kind == SL_CELL_RUN) fill_run(plan, &plan->rows[cell->row], &out);
    if (cell->kind == SL_CELL_RUN && plan->rows[cell->row].elsewhere)
        out.agents.elsewhere = &plan->rows[cell->row].elsewhere[cell->task];
    return out;
}
