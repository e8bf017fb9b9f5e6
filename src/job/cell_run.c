// cell_run.c - one cell: a run, a proof, the sizes of spaces, an assignment; and its record.
#include <math.h>
#include <string.h>

#include "cell_detail.h"

const char *const sl_cell_names[SL_N_CELLS + 1] = {"run", "proof", "space", "assign", NULL};

// A cell while it runs.
typedef struct {
    const SlCell *cell;
    SlWatch *watch;
    void *context;
    SlArena *arena;
    SlCellFound *found;
    SlCellRecord *record;
    SlError *why;
} Cell;

static SlStatus no_memory(Cell *run) {
    return sl_fail(run->why, SL_ENOMEM, "not enough memory");
}

// a text of the record, kept in the arena
static SlStatus keep_text(Cell *run, const char *text, const char **out) {
    const char *kept = sl_arena_text(run->arena, text, strlen(text));
    if (kept) *out = kept;
    return kept ? SL_OK : no_memory(run);
}

// nothing that works was found: a record, but a broken one
static SlStatus keep_nothing(Cell *run) {
    run->found->empty = true;
    return SL_OK;
}

// ---- what every record says ----

static void begin_record(Cell *run) {
    const SlCell *cell = run->cell;
    const SlSpace *space = cell->setup.space; // NULL where points are programs
    *run->record = (SlCellRecord){.key = cell->key,
                                  .fingerprint = "",
                                  .kind = cell->kind,
                                  .task = cell->task,
                                  .layer = cell->layer,
                                  .workload = cell->workload,
                                  .accel = cell->accel,
                                  .objective = cell->objective,
                                  .space = cell->space,
                                  .row = "",
                                  .method = "",
                                  .settings = "",
                                  .seed = cell->seed,
                                  .version = SL_VERSION,
                                  .value = NAN,
                                  .floor = cell->floor,
                                  .latency_cycles = NAN,
                                  .energy_pj = NAN,
                                  .area_um2 = NAN,
                                  .power_mw = NAN,
                                  .stopped = "",
                                  .mapping = "",
                                  .n_params = space ? space->n_params : 0,
                                  .detail = ""};
}

static SlStatus keep_nest(Cell *run, const SlMapping *mapping) {
    char nest[SL_NEST_TEXT_MAX];
    sl_mapping_write(mapping, sizeof nest, nest);
    return keep_text(run, nest, &run->record->mapping);
}

// what was found, as the plan's evaluator sees it: a nest, or knobs in its place
static SlStatus keep_best(Cell *run, const SlTask *task, const SlBest *best) {
    SlCellRecord *record = run->record;
    char knobs[SL_POINT_TEXT_MAX];
    record->value = best->outcome.value;
    record->latency_cycles = best->outcome.latency_cycles;
    if (!sl_task_kind(task)->maps) {
        sl_space_show(sl_task_space(task), best->point, sizeof knobs, knobs);
        return keep_text(run, knobs, &record->mapping);
    }
    record->energy_pj = best->outcome.energy_pj;
    record->area_um2 = best->outcome.area_um2; // as the objective
    record->power_mw = best->outcome.power_mw;
    return keep_nest(run, &best->mapping);
}

// what a proof ends with
static SlStatus keep_proven(Cell *run, double value, const SlMapping *mapping) {
    SlCost cost;
    SlCellRecord *record = run->record;
    sl_cost_eval(run->cell->setup.space->layer, run->cell->setup.space->accel, mapping, &cost);
    record->value = value;
    record->latency_cycles = cost.latency_cycles;
    record->energy_pj = cost.energy_pj;
    record->area_um2 = cost.area_min_um2; // as the objective
    record->power_mw = cost.power_mw;
    return keep_nest(run, mapping);
}

static SlStatus keep_detail(Cell *run, const SlText *detail) {
    if (detail->failed) return no_memory(run);
    run->record->detail = detail->data;
    return SL_OK;
}

// ---- runs ----

static bool watch_run(void *context, const SlEvent *event) {
    Cell *run = context;
    return run->watch && run->watch(run->context, event);
}

// the task of the cell; close it in the end
static SlStatus make_task(Cell *run, SlTask **task) {
    SlStatus status = sl_task_make(&run->cell->setup, run->arena, task, run->why);
    if (status == SL_OK) run->record->n_params = sl_task_space(*task)->n_params;
    return status;
}

// by Algorithm 1; its samples count apart
static SlStatus assign_agents(Cell *run, const SlTask *task) {
    SlAgentChoice choice = run->cell->agents;
    choice.assign.seed = run->cell->seed;
    return sl_agents_choose(&run->cell->setup, sl_task_space(task), &choice, run->arena,
                            &run->found->agents, &run->record->assign_samples, run->why);
}

// who steered what, where groups were made
static void add_groups(const SlAgents *agents, int n_params, SlText *out) {
    sl_text_add(out, "\"agents\": [");
    for (int i = 0; i < n_params; i++) sl_text_add(out, i ? ", %d" : "%d", agents->agent[i]);
    sl_text_add(out, "]");
}

static void add_footprint(const SlAgents *agents, const SlRecord *found, SlText *out) {
    sl_text_add(out, "\"n_agents\": %d, \"weights\": %lld, \"state_bytes\": %lld", agents->n_agents,
                (long long)found->n_weights, (long long)found->state_bytes);
}

// what a record has no column for
static SlStatus keep_run_detail(Cell *run, const SlTask *task, const SlRecord *found) {
    const SlAgents *agents = &run->found->agents;
    int n_params = sl_task_space(task)->n_params;
    bool dear = sl_task_kind(task)->dear, footprint = run->cell->footprint && !dear;
    bool grouped =
        run->cell->method->learns && agents->n_agents > 1 && agents->n_agents < n_params && !dear;
    SlText detail;
    if (!dear && !grouped && !footprint) return SL_OK;
    sl_text_init(&detail, run->arena);
    sl_text_add(&detail, "{");
    if (dear) sl_text_add(&detail, "\"failures\": %lld", (long long)found->failures);
    if (grouped) add_groups(agents, n_params, &detail);
    if (grouped && footprint) sl_text_add(&detail, ", ");
    if (footprint) add_footprint(agents, found, &detail);
    sl_text_add(&detail, "}");
    return keep_detail(run, &detail);
}

static SlStatus keep_run(Cell *run, const SlTask *task, const SlRecord *found) {
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
    SlStatus status = keep_run_detail(run, task, found);
    if (status != SL_OK) return status;
    if (found->best.sample > 0) return keep_best(run, task, &found->best);
    sl_fail(run->why, SL_EINPUT, "none of %lld %s %s", (long long)found->samples,
            kind->dear ? "measurements works on" : "samples fits", run->cell->accel);
    return keep_nothing(run);
}

static SlStatus run_task(Cell *run, SlTask *task) {
    const SlCell *cell = run->cell;
    SlRecord *found = &run->found->run;
    SlStatus status = assign_agents(run, task);
    if (status != SL_OK) return status;
    SlRunSetup setup = {.task = task,
                        .method = cell->method,
                        .options = cell->options,
                        .agents = &run->found->agents,
                        .memory = cell->memory,
                        .history = cell->history,
                        .flock = cell->flock,
                        .seed = cell->seed,
                        .stream = cell->stream,
                        .budget = cell->budget,
                        .start = cell->start,
                        .n_windows = cell->n_windows,
                        .trace = cell->trace,
                        .log = cell->log};
    status = sl_run(&setup, watch_run, run, run->arena, found, run->why);
    if (status != SL_OK) return status;
    run->found->stopped = found->stopped == SL_STOP_ASKED;
    return run->found->stopped ? SL_OK : keep_run(run, task, found);
}

static SlStatus run_method(Cell *run) {
    const SlCell *cell = run->cell;
    SlCellRecord *record = run->record;
    SlTask *task = NULL;
    record->row = cell->row;
    record->method = cell->method->name;
    record->settings = cell->settings;
    record->n_agents = cell->agents.n_agents;
    record->budget = cell->budget.samples;
    SlStatus status = make_task(run, &task);
    if (status == SL_OK) status = run_task(run, task);
    sl_task_close(task);
    return status;
}

// ---- proofs, spaces, assignments ----

static bool watch_proof(void *context, const SlProofPoint *now) {
    Cell *run = context;
    SlEvent event = {.kind = SL_EVENT_BOUND,
                     .value = now->value,
                     .bound = now->lower_bound,
                     .floor = NAN,
                     .seconds = now->seconds};
    if (run->watch && run->watch(run->context, &event)) run->found->stopped = true;
    return run->found->stopped;
}

SlProveSetup sl_cell_proof(const SlCell *cell) {
    return (SlProveSetup){.space = cell->setup.space,
                          .finder = sl_method_find("local"),
                          .goal = cell->setup.goal,
                          .epsilon = cell->gap,
                          .seconds = cell->seconds,
                          .nodes = cell->nodes,
                          .incumbent = cell->incumbent,
                          .seed = cell->seed,
                          .pool = cell->pool};
}

static SlStatus prove_mapping(Cell *run) {
    SlProof *proof = &run->found->proof;
    SlText detail;
    SlProveSetup setup = sl_cell_proof(run->cell);
    SlStatus status = sl_prove(&setup, watch_proof, run, run->arena, proof, run->why);
    if (status != SL_OK || run->found->stopped) return status;
    run->record->stopped = sl_proof_names[proof->status];
    sl_text_init(&detail, run->arena);
    sl_detail_proof(proof, &detail);
    status = keep_detail(run, &detail);
    if (status != SL_OK) return status;
    if (isfinite(proof->value)) return keep_proven(run, proof->value, &proof->mapping);
    sl_fail(run->why, SL_EINPUT, "the proof found no mapping that fits");
    return keep_nothing(run);
}

// where the oracle came to its end, the value is its own bound
static SlStatus keep_optimum(Cell *run, const SlTask *task, const SlRecord *found) {
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
                (long long)run->cell->n_points, (long long)found->samples);
    SlStatus status = keep_detail(run, &detail);
    if (status != SL_OK) return status;
    if (found->best.sample > 0) return keep_best(run, task, &found->best);
    sl_fail(run->why, SL_EINPUT, "no schedule works on %s", run->cell->accel);
    return keep_nothing(run);
}

static SlStatus prove_program(Cell *run) {
    SlTask *task = NULL;
    SlRecord *found = &run->found->run;
    SlBudget limit = {.samples = run->cell->nodes, .seconds = run->cell->seconds};
    SlStatus status = make_task(run, &task);
    if (status == SL_OK)
        status = sl_run_optimum(task, &limit, watch_run, run, run->arena, found, run->why);
    if (status == SL_OK) run->found->stopped = found->stopped == SL_STOP_ASKED;
    if (status == SL_OK && !run->found->stopped) status = keep_optimum(run, task, found);
    sl_task_close(task);
    return status;
}

static SlStatus prove(Cell *run) {
    return run->cell->setup.kind->maps ? prove_mapping(run) : prove_program(run);
}

static SlStatus measure_spaces(Cell *run) {
    SlArena scratch;
    SlText detail;
    size_t left = run->arena->limit - run->arena->used;
    sl_arena_init(&scratch, left ? left : 1);
    sl_text_init(&detail, run->arena);
    sl_detail_spaces(run->cell, &scratch, &detail);
    sl_arena_free(&scratch);
    return keep_detail(run, &detail);
}

static SlStatus assign(Cell *run) {
    SlAssignSetup setup = run->cell->assign;
    SlAssignment assignment;
    SlText detail;
    setup.seed = run->cell->seed;
    run->record->method = setup.policy ? setup.policy->name : "random";
    run->record->budget = setup.samples;
    SlStatus status = sl_assign_run(&run->cell->setup, &setup, run->arena, &assignment, run->why);
    if (status != SL_OK) return status;
    run->record->samples = assignment.samples;
    sl_text_init(&detail, run->arena);
    sl_detail_assign(run->cell, &assignment, &detail);
    return keep_detail(run, &detail);
}

// Processor time of a run whose samples are computed in this thread, so that it is the same on a
// busy machine; wall time of all others.
static double cell_clock(const SlCell *cell) {
    bool here = cell->kind == SL_CELL_RUN && !cell->setup.kind->dear;
    return here ? sl_clock_thread() : sl_clock_seconds();
}

SlStatus sl_cell_run(const SlCell *cell, SlWatch *watch, void *context, SlArena *arena,
                     SlCellFound *found, SlCellRecord *record, SlError *why) {
    static SlStatus (*const kinds[SL_N_CELLS])(Cell *) = {[SL_CELL_RUN] = run_method,
                                                          [SL_CELL_PROOF] = prove,
                                                          [SL_CELL_SPACE] = measure_spaces,
                                                          [SL_CELL_ASSIGN] = assign};
    double begun = cell_clock(cell);
    Cell run = {.cell = cell,
                .watch = watch,
                .context = context,
                .arena = arena,
                .found = found,
                .record = record,
                .why = why};
    *why = (SlError){0};
    *found = (SlCellFound){0};
    begin_record(&run);
    SlStatus status = kinds[cell->kind](&run);
    if (status != SL_OK || found->empty) record->reason = why->text;
    record->seconds = cell_clock(cell) - begun;
    return status;
}
