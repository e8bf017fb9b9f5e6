// cell_run.c - one cell of a study: a run, a proof, the sizes of spaces, an assignment.
#include <math.h>
#include <string.h>
#include <time.h>

#include "cell_detail.h"
#include "cell_inside.h"

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

SlStatus sl_cell_no_memory(SlCellState *run) {
    return sl_fail(run->why, SL_ENOMEM, "not enough memory");
}

SlStatus sl_cell_keep_text(SlCellState *run, const char *text, const char **out) {
    const char *kept = sl_arena_text(run->arena, text, strlen(text));
    if (kept) *out = kept;
    return kept ? SL_OK : sl_cell_no_memory(run);
}

// ---- what every record says ----

static void begin_record(SlCellState *run) {
    const SlPlanTask *task = run->task;
    const SlPlan *plan = run->plan;
    const SlSpace *space = task->space; // NULL in plans of tuners
    *run->record = (SlCellRecord){
        .key = run->cell->key,
        .fingerprint = "",
        .kind = run->cell->kind,
        .task = task->name,
        .layer = task->layer,
        .workload = task->workload,
        .accel = task->accel,
        .objective = task->objective,
        .space = plan->tunes ? sl_hardware_names[plan->hardware] : sl_space_names[plan->space],
        .row = "",
        .method = "",
        .settings = "",
        .seed = run->cell->seed,
        .version = SL_VERSION,
        .value = NAN,
        .floor = task->tuning
                     ? sl_tuning_task_floor(task->tuning)
                     : sl_model_floor(plan->model, &task->goal, space->layer, space->accel),
        .latency_cycles = NAN,
        .energy_pj = NAN,
        .area_um2 = NAN,
        .power_mw = NAN,
        .stopped = "",
        .mapping = "",
        .n_params = space ? space->n_params : 0,
        .detail = "",
        .machine = "",
        .finished = ""};
}

static SlStatus keep_nest(SlCellState *run, const SlMapping *mapping) {
    char nest[SL_NEST_TEXT_MAX];
    sl_mapping_write(mapping, sizeof nest, nest);
    return sl_cell_keep_text(run, nest, &run->record->mapping);
}

// what was found, as the plan's model prices it
static SlStatus keep_best(SlCellState *run, const SlBest *best) {
    SlCellRecord *record = run->record;
    record->value = best->outcome.value;
    record->latency_cycles = best->outcome.latency_cycles;
    record->energy_pj = best->outcome.energy_pj;
    record->area_um2 = best->outcome.area_um2; // as the objective
    record->power_mw = best->outcome.power_mw;
    return keep_nest(run, &best->mapping);
}

// what a proof ends with
static SlStatus keep_proven(SlCellState *run, double value, const SlMapping *mapping) {
    SlCost cost;
    SlCellRecord *record = run->record;
    sl_cost_eval(run->task->space->layer, run->task->space->accel, mapping, &cost);
    record->value = value;
    record->latency_cycles = cost.latency_cycles;
    record->energy_pj = cost.energy_pj;
    record->area_um2 = cost.area_min_um2; // as the objective
    record->power_mw = cost.power_mw;
    return keep_nest(run, mapping);
}

static SlStatus keep_detail(SlCellState *run, const SlText *detail) {
    if (detail->failed) return sl_cell_no_memory(run);
    run->record->detail = detail->data;
    return SL_OK;
}

// ---- runs ----

static bool watch_run(void *context, const SlProgress *progress) {
    SlCellState *run = context;
    return run->watch && run->watch(run->context, progress->samples);
}

// Which parameters share an agent, as starling map --agents: by Algorithm 1, whose samples count
// apart. One agent, or one per parameter, needs none.
static SlStatus assign_agents(SlCellState *run, const SlPlanRow *row, SlAgents *agents) {
    const SlSpace *space = run->task->space;
    sl_agents_each(space, agents);
    if (row->n_agents == 0 || row->n_agents >= space->n_params) return SL_OK;
    if (row->n_agents == 1) {
        *agents = (SlAgents){.n_agents = 1};
        return SL_OK;
    }
    SlAssignSetup setup = {.samples = row->dataset,
                           .share = 0.15, // as in the paper
                           .metric = SL_METRIC_ROWS,
                           .linkage = SL_LINK_WARD,
                           .seed = run->cell->seed,
                           .model = run->plan->model};
    SlAssignment assignment;
    SlStatus status =
        sl_assign_run(space, &run->task->goal, &setup, run->arena, &assignment, run->why);
    if (status != SL_OK) return status;
    sl_assign_agents(&assignment, row->n_agents, agents);
    run->record->assign_samples = assignment.samples;
    return SL_OK;
}

static SlStatus keep_run(SlCellState *run, const SlRecord *found) {
    SlCellRecord *record = run->record;
    record->samples = found->samples;
    record->found_at = found->best.sample;
    record->stopped = sl_stop_names[found->stopped];
    record->n_curve = found->n_curve;
    record->curve = found->curve;
    record->n_windows = found->n_windows;
    record->windows = found->windows;
    record->trace = found->trace;
    if (found->best.sample == 0)
        return sl_fail(run->why, SL_EINPUT, "none of %lld samples fits %s",
                       (long long)found->samples, run->task->accel);
    return keep_best(run, &found->best);
}

static SlStatus run_method(SlCellState *run) {
    const SlPlan *plan = run->plan;
    const SlPlanRow *row = &plan->rows[run->cell->row];
    SlAgents agents;
    SlRecord found;
    SlCellRecord *record = run->record;
    record->row = row->name;
    record->method = row->method->name;
    record->settings = row->settings;
    record->n_agents = row->n_agents;
    record->budget = row->samples;
    SlStatus status = assign_agents(run, row, &agents);
    if (status != SL_OK) return status;
    SlRunSetup setup = {.space = run->task->space,
                        .goal = run->task->goal,
                        .illegal = plan->illegal,
                        .model = plan->model,
                        .method = row->method,
                        .options = row->options,
                        .agents = &agents,
                        .seed = run->cell->seed,
                        .stream = run->task->workload,
                        .budget = {.samples = row->samples},
                        .start = plan->start,
                        .n_windows = plan->n_windows,
                        .trace = plan->trace};
    status = sl_run(&setup, watch_run, run, run->arena, &found, run->why);
    if (status != SL_OK) return status;
    run->stopped = found.stopped == SL_STOP_ASKED;
    return run->stopped ? SL_OK : keep_run(run, &found);
}

// ---- proofs, spaces, assignments ----

static bool watch_proof(void *context, const SlProofPoint *now) {
    SlCellState *run = context;
    (void)now;
    if (run->watch && run->watch(run->context, 0)) run->stopped = true;
    return run->stopped;
}

static SlStatus prove(SlCellState *run) {
    SlProof proof;
    SlText detail;
    SlProveSetup setup = {.space = run->task->space,
                          .finder = sl_method_find("local"),
                          .goal = run->task->goal,
                          .epsilon = run->plan->prove_gap,
                          .seconds = run->plan->prove_seconds,
                          .nodes = run->plan->prove_nodes,
                          .seed = run->cell->seed};
    SlStatus status = sl_prove(&setup, watch_proof, run, run->arena, &proof, run->why);
    if (status != SL_OK || run->stopped) return status;
    run->record->stopped = sl_proof_names[proof.status];
    sl_text_init(&detail, run->arena);
    sl_detail_proof(&proof, &detail);
    status = keep_detail(run, &detail);
    if (status != SL_OK) return status;
    if (isfinite(proof.value)) return keep_proven(run, proof.value, &proof.mapping);
    return sl_fail(run->why, SL_EINPUT, "the proof found no mapping that fits");
}

static SlStatus measure_spaces(SlCellState *run) {
    SlArena scratch;
    SlText detail;
    size_t left = run->arena->limit - run->arena->used;
    sl_arena_init(&scratch, left ? left : 1);
    sl_text_init(&detail, run->arena);
    sl_detail_spaces(run->plan, run->task, &scratch, &detail);
    sl_arena_free(&scratch);
    return keep_detail(run, &detail);
}

static SlStatus assign(SlCellState *run) {
    SlAssignSetup setup = run->plan->assign_setup;
    SlAssignment assignment;
    SlText detail;
    setup.seed = run->cell->seed;
    setup.model = run->plan->model;
    run->record->budget = setup.samples;
    SlStatus status = sl_assign_run(run->task->space, &run->task->goal, &setup, run->arena,
                                    &assignment, run->why);
    if (status != SL_OK) return status;
    run->record->samples = assignment.samples;
    sl_text_init(&detail, run->arena);
    sl_detail_assign(run->plan, run->task->space, &assignment, &detail);
    return keep_detail(run, &detail);
}

bool sl_cell_run(const SlPlan *plan, const SlPlanCell *cell, SlCellWatch *watch, void *context,
                 SlArena *arena, SlCellRecord *record, SlError *why) {
    static SlStatus (*const kinds[SL_N_CELLS])(SlCellState *) = {[SL_CELL_RUN] = run_method,
                                                                 [SL_CELL_PROOF] = prove,
                                                                 [SL_CELL_SPACE] = measure_spaces,
                                                                 [SL_CELL_ASSIGN] = assign};
    static SlStatus (*const tuning_kinds[SL_N_CELLS])(SlCellState *) = {
        [SL_CELL_RUN] = sl_cell_tune, [SL_CELL_PROOF] = sl_cell_oracle};
    double begun = now_seconds();
    SlCellState run = {.plan = plan,
                       .cell = cell,
                       .task = &plan->tasks[cell->task],
                       .watch = watch,
                       .context = context,
                       .arena = arena,
                       .record = record,
                       .why = why};
    *why = (SlError){0};
    begin_record(&run);
    SlStatus status = (plan->tunes ? tuning_kinds : kinds)[cell->kind](&run);
    if (status != SL_OK) record->reason = why->text;
    record->seconds = now_seconds() - begun;
    return !run.stopped;
}
