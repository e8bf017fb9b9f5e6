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
    const SlSpace *space = task->setup.space; // NULL where points are programs
    *run->record = (SlCellRecord){.key = run->cell->key,
                                  .fingerprint = "",
                                  .kind = run->cell->kind,
                                  .task = task->name,
                                  .layer = task->layer,
                                  .workload = task->workload,
                                  .accel = task->accel,
                                  .objective = task->objective,
                                  .space = space ? sl_space_names[plan->space]
                                                 : sl_hardware_names[plan->hardware],
                                  .row = "",
                                  .method = "",
                                  .settings = "",
                                  .seed = run->cell->seed,
                                  .version = SL_VERSION,
                                  .value = NAN,
                                  .floor = task->floor,
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

// what was found, as the plan's evaluator sees it: a nest, or knobs in its place
static SlStatus keep_best(SlCellState *run, const SlTask *task, const SlBest *best) {
    SlCellRecord *record = run->record;
    char knobs[SL_POINT_TEXT_MAX];
    record->value = best->outcome.value;
    record->latency_cycles = best->outcome.latency_cycles;
    if (!sl_task_kind(task)->maps) {
        sl_space_show(sl_task_space(task), best->point, sizeof knobs, knobs);
        return sl_cell_keep_text(run, knobs, &record->mapping);
    }
    record->energy_pj = best->outcome.energy_pj;
    record->area_um2 = best->outcome.area_um2; // as the objective
    record->power_mw = best->outcome.power_mw;
    return keep_nest(run, &best->mapping);
}

// what a proof ends with
static SlStatus keep_proven(SlCellState *run, double value, const SlMapping *mapping) {
    SlCost cost;
    SlCellRecord *record = run->record;
    sl_cost_eval(run->task->setup.space->layer, run->task->setup.space->accel, mapping, &cost);
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

static bool watch_run(void *context, const SlEvent *event) {
    SlCellState *run = context;
    return run->watch && run->watch(run->context, event->samples);
}

// the task of the cell; `close` it in the end
static SlStatus make_task(SlCellState *run, SlTask **task) {
    SlTaskSetup setup = run->task->setup;
    setup.illegal = run->plan->illegal;
    SlStatus status = sl_task_make(&setup, run->arena, task, run->why);
    if (status == SL_OK) run->record->n_params = sl_task_space(*task)->n_params;
    return status;
}

// by Algorithm 1, as starling map --agents; its samples count apart
static SlStatus assign_agents(SlCellState *run, const SlPlanRow *row, SlAgents *agents) {
    SlAssignSetup setup = sl_assign_defaults();
    setup.samples = row->dataset;
    setup.seed = run->cell->seed;
    return sl_agents_assign(&run->task->setup, &setup, row->n_agents, run->arena, agents,
                            &run->record->assign_samples, run->why);
}

static SlStatus keep_run(SlCellState *run, const SlTask *task, const SlRecord *found) {
    SlCellRecord *record = run->record;
    const SlTaskKind *kind = sl_task_kind(task);
    record->samples = found->samples;
    record->found_at = found->best.sample;
    record->stopped = sl_stop_text(kind, found->stopped);
    record->n_curve = found->n_curve;
    record->curve = found->curve;
    record->n_windows = found->n_windows;
    record->windows = found->windows;
    record->trace = found->trace;
    if (kind->dear) {
        SlText detail;
        sl_text_init(&detail, run->arena);
        sl_text_add(&detail, "{\"failures\": %lld}", (long long)found->failures);
        SlStatus status = keep_detail(run, &detail);
        if (status != SL_OK) return status;
    }
    if (found->best.sample == 0)
        return sl_fail(run->why, SL_EINPUT, "none of %lld %s %s", (long long)found->samples,
                       kind->dear ? "measurements works on" : "samples fits", run->task->accel);
    return keep_best(run, task, &found->best);
}

static SlStatus run_task(SlCellState *run, const SlPlanRow *row, SlTask *task) {
    const SlPlan *plan = run->plan;
    SlAgents agents;
    SlRecord found;
    SlStatus status = SL_OK;
    if (plan->kind->maps) status = assign_agents(run, row, &agents);
    if (status != SL_OK) return status;
    SlRunSetup setup = {.task = task,
                        .method = row->method,
                        .options = row->options,
                        .agents = plan->kind->maps ? &agents : NULL,
                        .seed = run->cell->seed,
                        .stream = run->task->stream,
                        .budget = {.samples = row->samples},
                        .start = plan->start,
                        .n_windows = plan->n_windows,
                        .trace = plan->trace};
    status = sl_run(&setup, watch_run, run, run->arena, &found, run->why);
    if (status != SL_OK) return status;
    run->stopped = found.stopped == SL_STOP_ASKED;
    return run->stopped ? SL_OK : keep_run(run, task, &found);
}

static SlStatus run_method(SlCellState *run) {
    const SlPlanRow *row = &run->plan->rows[run->cell->row];
    SlCellRecord *record = run->record;
    SlTask *task = NULL;
    record->row = row->name;
    record->method = row->method->name;
    record->settings = row->settings;
    record->n_agents = row->n_agents;
    record->budget = row->samples;
    SlStatus status = make_task(run, &task);
    if (status == SL_OK) status = run_task(run, row, task);
    sl_task_close(task);
    return status;
}

// ---- proofs, spaces, assignments ----

static bool watch_proof(void *context, const SlProofPoint *now) {
    SlCellState *run = context;
    (void)now;
    if (run->watch && run->watch(run->context, 0)) run->stopped = true;
    return run->stopped;
}

static SlStatus prove_mapping(SlCellState *run) {
    SlProof proof;
    SlText detail;
    SlProveSetup setup = {.space = run->task->setup.space,
                          .finder = sl_method_find("local"),
                          .goal = run->task->setup.goal,
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

// where the oracle came to its end, the value is its own bound
static SlStatus keep_optimum(SlCellState *run, const SlTask *task, const SlRecord *found) {
    SlProofStatus proof = found->proven ? SL_PROOF_OPTIMAL : SL_PROOF_STOPPED;
    SlText detail;
    run->record->stopped = sl_proof_names[proof];
    run->record->samples = found->samples;
    sl_text_init(&detail, run->arena);
    sl_text_add(&detail, "{\"status\": \"%s\", \"lower_bound\": ", sl_proof_names[proof]);
    if (found->proven)
        sl_text_add(&detail, "%.17g, \"gap\": 0", found->best.outcome.value);
    else
        sl_text_add(&detail, "null, \"gap\": null");
    sl_text_add(&detail, ", \"points\": %lld, \"measurements\": %lld}",
                (long long)run->task->n_points, (long long)found->samples);
    SlStatus status = keep_detail(run, &detail);
    if (status != SL_OK) return status;
    if (found->best.sample > 0) return keep_best(run, task, &found->best);
    return sl_fail(run->why, SL_EINPUT, "no schedule works on %s", run->task->accel);
}

static SlStatus prove_program(SlCellState *run) {
    SlTask *task = NULL;
    SlRecord found;
    SlBudget limit = {.samples = run->plan->prove_nodes, .seconds = run->plan->prove_seconds};
    SlStatus status = make_task(run, &task);
    if (status == SL_OK)
        status = sl_run_optimum(task, &limit, watch_run, run, run->arena, &found, run->why);
    if (status != SL_OK) return status;
    run->stopped = found.stopped == SL_STOP_ASKED;
    return run->stopped ? SL_OK : keep_optimum(run, task, &found);
}

static SlStatus prove(SlCellState *run) {
    return run->plan->kind->maps ? prove_mapping(run) : prove_program(run);
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
    run->record->budget = setup.samples;
    SlStatus status = sl_assign_run(&run->task->setup, &setup, run->arena, &assignment, run->why);
    if (status != SL_OK) return status;
    run->record->samples = assignment.samples;
    sl_text_init(&detail, run->arena);
    sl_detail_assign(run->plan, run->task->setup.space, &assignment, &detail);
    return keep_detail(run, &detail);
}

bool sl_cell_run(const SlPlan *plan, const SlPlanCell *cell, SlCellWatch *watch, void *context,
                 SlArena *arena, SlCellRecord *record, SlError *why) {
    static SlStatus (*const kinds[SL_N_CELLS])(SlCellState *) = {[SL_CELL_RUN] = run_method,
                                                                 [SL_CELL_PROOF] = prove,
                                                                 [SL_CELL_SPACE] = measure_spaces,
                                                                 [SL_CELL_ASSIGN] = assign};
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
    SlStatus status = kinds[cell->kind](&run);
    if (status != SL_OK) record->reason = why->text;
    record->seconds = now_seconds() - begun;
    return !run.stopped;
}
