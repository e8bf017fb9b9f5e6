// job_keep.c - tasks of a job as cells: what is through goes to the store, and what an earlier run
// left there comes back.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job_inside.h"
#include "starling/cost/bound.h"

enum { MOST_PROVING = 1 << 20 }; // simulations of a proof of programs

// ---- cells ----

static bool is_program(const SlJob *job) {
    return !job->setup.kind->maps;
}

// "run/conv:K=64,... edp on eyeriss/marl/1", "proof/vta 1x16x16 ..."
static const char *write_key(const SlJob *job, SlJobTask *task, SlCellKind kind,
                             const char **name) {
    SlText text;
    sl_text_init(&text, &task->arena);
    sl_text_add(&text, "%s", task->text);
    if (!is_program(job)) sl_text_add(&text, " %s on %s", job->objective, job->setup.accel->name);
    *name = text.failed ? NULL : text.data;
    SlText key;
    sl_text_init(&key, &task->arena);
    sl_text_add(&key, "%s/%s", sl_cell_names[kind], *name ? *name : "");
    if (kind == SL_CELL_RUN)
        sl_text_add(&key, "/%s/%llu", job->setup.method->name, (unsigned long long)job->setup.seed);
    return text.failed || key.failed ? NULL : key.data;
}

static const char *machine_name(const SlJob *job, SlJobTask *task) {
    char core[96];
    if (!is_program(job)) return job->setup.accel->name;
    if (job->setup.kind != &sl_kind_vta) return job->setup.kind->name;
    sl_vta_core_write(&sl_task_vta_options(task->task)->core, sizeof core, core);
    return sl_arena_text(&task->arena, core, strlen(core));
}

static const char *space_name(const SlJob *job, const SlJobTask *task) {
    if (!is_program(job)) return sl_space_names[job->setup.space.preset];
    if (job->setup.kind != &sl_kind_vta) return "";
    return sl_hardware_names[sl_task_vta_options(task->task)->hardware];
}

static void fill_run(const SlJob *job, SlCell *cell) {
    const SlJobSetup *setup = &job->setup;
    cell->row = setup->method->name;
    cell->settings = job->settings;
    cell->method = setup->method;
    cell->options = job->setup.options;
    cell->agents = setup->agents;
    cell->budget = (SlBudget){.samples = job->samples, .target = setup->budget.target};
    cell->start = setup->start;
    cell->memory = job->memory;
    cell->flock = setup->flock;
    cell->log = job->log;
}

// what a proof begins with decides it too
static SlStatus fill_proof(SlJob *job, SlJobTask *task, SlCell *cell, SlError *err) {
    const SlJobSetup *setup = &job->setup;
    char nest[SL_NEST_TEXT_MAX] = "";
    SlText more;
    cell->gap = setup->epsilon;
    cell->seconds = setup->prove_seconds;
    if (is_program(job)) cell->nodes = MOST_PROVING;
    if (is_program(job) || task->record.best.sample == 0) return SL_OK;
    cell->incumbent = &task->record.best.mapping;
    sl_mapping_write(cell->incumbent, sizeof nest, nest);
    sl_text_init(&more, &task->arena);
    sl_text_add(&more, "%s%s", job->more, nest);
    cell->more = more.data;
    return more.failed ? sl_job_no_memory(err) : SL_OK;
}

SlStatus sl_job_cell(SlJob *job, SlJobTask *task, SlCellKind kind, SlCell *cell, SlError *err) {
    const SlJobSetup *setup = &job->setup;
    bool program = is_program(job);
    *cell = (SlCell){
        .kind = kind,
        .layer = task->layer->name,
        .workload = task->text,
        .accel = machine_name(job, task),
        .objective = job->objective,
        .space = space_name(job, task),
        .setup = sl_job_task_setup(job, task),
        .preset = setup->space.preset,
        .stream = task->text,
        .n_points = task->space.n_points,
        .floor = program ? sl_task_floor(task->task)
                         : sl_kind_floor(setup->kind, &setup->goal, task->layer, setup->accel),
        .seed = setup->seed,
        .more = job->more};
    cell->key = write_key(job, task, kind, &cell->task);
    if (!cell->key || !cell->accel) return sl_job_no_memory(err);
    if (kind == SL_CELL_RUN) fill_run(job, cell);
    return kind == SL_CELL_PROOF ? fill_proof(job, task, cell, err) : SL_OK;
}

// ---- to the store ----

static void add_point(const SlSpace *space, const SlRecord *record, SlText *out) {
    sl_text_add(out, ", \"point\": [");
    for (int i = 0; i < space->n_params; i++)
        sl_text_add(out, i ? ", %d" : "%d", record->best.point[i]);
    sl_text_add(out, "]");
}

// what a record has no column for and a resumed task needs
static void add_run_detail(const SlJob *job, const SlJobTask *task, SlText *out) {
    sl_text_add(out, "{\"failures\": %lld, \"agents\": %d, \"warm_samples\": %lld, \"proven\": %s",
                (long long)task->record.failures, task->agents.n_agents,
                (long long)task->warm_samples, task->record.proven ? "true" : "false");
    if (is_program(job)) add_point(&task->space, &task->record, out);
    sl_text_add(out, "}");
}

// the detail of the cell, and behind it what is missing there
static void add_proof_detail(const SlJob *job, const SlJobTask *task, const char *detail,
                             SlText *out) {
    sl_text_add(out, "%.*s", (int)strlen(detail) - 1, detail); // without its brace
    if (is_program(job)) {
        add_point(&task->space, &task->optimum, out);
    } else {
        sl_text_add(out, ", \"start\": %.17g, \"improved\": %s, \"branches\": %d",
                    task->proof.start, task->proof.improved ? "true" : "false",
                    task->proof.n_branches);
    }
    sl_text_add(out, "}");
}

SlStatus sl_job_put(SlJob *job, SlJobTask *task, const SlCell *cell, SlCellRecord *record,
                    SlError *err) {
    SlText detail;
    if (!job->store || record->reason) return SL_OK;
    sl_text_init(&detail, &task->arena);
    if (cell->kind == SL_CELL_RUN)
        add_run_detail(job, task, &detail);
    else
        add_proof_detail(job, task, record->detail, &detail);
    record->detail = detail.data;
    record->fingerprint = sl_cell_fingerprint(cell, &task->arena);
    if (detail.failed || !record->fingerprint) return sl_job_no_memory(err);
    return sl_store_put(job->store, record, err);
}

// ---- back from it ----

static bool get_count(const SlNode *root, const char *key, int64_t most, int64_t *out) {
    const SlNode *node = sl_node_get(root, key);
    return node && node->text && sl_parse_int(node->text, 0, most, out, NULL) == SL_OK;
}

static bool get_real(const SlNode *root, const char *key, double *out) {
    const SlNode *node = sl_node_get(root, key);
    return node && node->text && sl_parse_real(node->text, 0, INFINITY, out, NULL) == SL_OK;
}

static bool get_flag(const SlNode *root, const char *key, bool *out) {
    const SlNode *node = sl_node_get(root, key);
    return node && sl_node_bool(node, out, NULL) == SL_OK;
}

static bool get_point(const SlNode *root, const SlSpace *space, int32_t *point) {
    const SlNode *list = sl_node_get(root, "point");
    if (!list || list->kind != SL_NODE_LIST || list->n != space->n_params) return false;
    for (int i = 0; i < space->n_params; i++) {
        int64_t number = 0;
        const SlNode *node = sl_node_at(list, i);
        if (sl_node_int(node, 0, space->params[i].n - 1, &number, NULL) != SL_OK) return false;
        point[i] = (int32_t)number;
    }
    return true;
}

static bool get_mapping(const SlJob *job, const SlJobTask *task, const char *text,
                        SlMapping *mapping) {
    SlFit fit;
    return sl_mapping_parse(text, mapping, NULL) == SL_OK &&
           !sl_mapping_check(task->layer, mapping) &&
           sl_mapping_fit(task->layer, job->setup.accel, mapping, &fit);
}

// index of a text in a list of names that ends with NULL, -1 if it is not there
static int get_name(const char *text, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

static bool get_stopped(const SlJob *job, const char *text, SlStopReason *out) {
    for (int reason = 0; sl_stop_names[reason]; reason++) {
        *out = (SlStopReason)reason;
        if (strcmp(text, sl_stop_text(job->setup.kind, *out)) == 0) return true;
    }
    return false;
}

static bool copy_curve(const SlCellRecord *from, SlJobTask *task) {
    SlRecord *to = &task->record;
    to->curve = SL_NEW(&task->arena, from->n_curve, SlCurvePoint);
    if (!to->curve || from->n_curve == 0) return false;
    memcpy(to->curve, from->curve, (size_t)from->n_curve * sizeof *to->curve);
    to->n_curve = from->n_curve;
    return true;
}

static bool recall_run(SlJob *job, SlJobTask *task, const SlCellRecord *from, const SlNode *root) {
    SlRecord *to = &task->record;
    int64_t agents = 0;
    to->samples = from->samples;
    to->best.sample = from->found_at;
    to->best.outcome = (SlSample){.value = from->value, .latency_cycles = from->latency_cycles};
    to->floor = from->floor;
    to->floor_multiple = from->value / from->floor;
    task->assign_samples = from->assign_samples;
    task->best_value = from->value;
    if (!(isfinite(from->value) && from->found_at > 0 && from->found_at <= from->samples))
        return false;
    if (!get_stopped(job, from->stopped, &to->stopped) || !copy_curve(from, task)) return false;
    if (!get_count(root, "failures", INT64_MAX, &to->failures)) return false;
    if (!get_count(root, "agents", SL_MAX_PARAMS, &agents)) return false;
    if (!get_count(root, "warm_samples", INT64_MAX, &task->warm_samples)) return false;
    if (!get_flag(root, "proven", &to->proven)) return false;
    task->agents.n_agents = (int)agents;
    if (is_program(job)) return get_point(root, &task->space, to->best.point);
    if (!get_mapping(job, task, from->mapping, &to->best.mapping)) return false;
    sl_cost_eval(task->layer, job->setup.accel, &to->best.mapping, &to->cost);
    return true;
}

static bool recall_optimum(SlJobTask *task, const SlCellRecord *from, const SlNode *root) {
    SlRecord *to = &task->optimum;
    to->samples = from->samples;
    to->best.outcome.value = from->value;
    to->best.sample = 1;
    to->proven = strcmp(from->stopped, sl_proof_names[SL_PROOF_OPTIMAL]) == 0;
    return isfinite(from->value) && get_point(root, &task->space, to->best.point);
}

static bool recall_proof(SlJob *job, SlJobTask *task, const SlCellRecord *from,
                         const SlNode *root) {
    SlProof *to = &task->proof;
    int64_t branches = 0;
    int status = get_name(from->stopped, sl_proof_names);
    if (is_program(job)) return recall_optimum(task, from, root);
    if (status < 0 || !get_mapping(job, task, from->mapping, &to->mapping)) return false;
    to->status = (SlProofStatus)status;
    to->value = from->value;
    if (to->status == SL_PROOF_UNCOVERED)
        to->reason = sl_bounds_reason(&task->space, &job->setup.goal);
    else if (!get_real(root, "lower_bound", &to->lower_bound))
        return false;
    if (!get_real(root, "start", &to->start) || !get_flag(root, "improved", &to->improved))
        return false;
    if (!get_count(root, "branches", INT_MAX, &branches)) return false;
    if (!get_count(root, "nodes", INT64_MAX, &to->nodes)) return false;
    to->n_branches = (int)branches;
    to->gap = to->lower_bound > 0 ? fmax(to->value / to->lower_bound - 1, 0) : INFINITY;
    return isfinite(to->value);
}

static int by_key(const void *key, const void *record) {
    return strcmp(key, ((const SlCellRecord *)record)->key);
}

// The whole record of a cell with the same fingerprint, NULL if there is none.
typedef struct {
    int n;
    SlCellRecord *records; // in the order of their keys
    SlArena arena;
} Kept;

static const SlCellRecord *find_record(const Kept *kept, const SlCell *cell, SlArena *scratch) {
    const SlCellRecord *record =
        bsearch(cell->key, kept->records, (size_t)kept->n, sizeof *kept->records, by_key);
    const char *print = sl_cell_fingerprint(cell, scratch);
    bool same = record && print && strcmp(record->fingerprint, print) == 0;
    return same && !record->reason ? record : NULL;
}

static SlStatus recall_cell(SlJob *job, SlJobTask *task, SlCellKind kind, Kept *kept, bool *good,
                            SlError *err) {
    SlCell cell;
    const SlNode *root;
    *good = false;
    SlStatus status = sl_job_cell(job, task, kind, &cell, err);
    if (status != SL_OK) return status;
    const SlCellRecord *record = find_record(kept, &cell, &task->arena);
    if (!record) return SL_OK;
    size_t n = strlen(record->detail);
    if (sl_tree_parse(record->key, record->detail, n, &kept->arena, &root, NULL) != SL_OK)
        return SL_OK;
    *good = kind == SL_CELL_RUN ? recall_run(job, task, record, root)
                                : recall_proof(job, task, record, root);
    return SL_OK;
}

// what is not this run's, or is broken, is as good as absent
static SlStatus recall_task(SlJob *job, SlJobTask *task, Kept *kept, SlError *err) {
    SlStatus status = SL_OK;
    bool searches = job->setup.method != NULL;
    SlAgents agents = task->agents;
    if (searches) status = recall_cell(job, task, SL_CELL_RUN, kept, &task->resumed, err);
    if (searches && !task->resumed) {
        task->record = (SlRecord){0};
        task->agents = agents;
        task->assign_samples = task->warm_samples = 0;
        return status;
    }
    task->searched = searches;
    if (status != SL_OK || !job->setup.prove) return status;
    status = recall_cell(job, task, SL_CELL_PROOF, kept, &task->proof_resumed, err);
    task->proven = task->proof_resumed;
    if (!searches) task->resumed = task->proof_resumed;
    if (!task->proven) task->proof = (SlProof){0};
    if (!task->proven) task->optimum = (SlRecord){0};
    return status;
}

SlStatus sl_job_recall(SlJob *job, int n, SlJobTask *tasks, SlError *err) {
    Kept kept = {0};
    sl_arena_init(&kept.arena, 0);
    SlStatus status = sl_store_cells(job->store, &kept.arena, &kept.n, &kept.records, err);
    for (int i = 0; i < n && status == SL_OK; i++)
        if (!tasks[i].reason[0]) status = recall_task(job, &tasks[i], &kept, err);
    sl_arena_free(&kept.arena);
    return status;
}
