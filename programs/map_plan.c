// map_plan.c - find what the options of `starling map` name, and build the spaces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "show.h"
#include "starling/cost/bound.h"

// ---- who evaluates ----

#define DECLARE(name) extern const MapEvaluator map_##name;
MAP_EVALUATORS(DECLARE)

static SlStatus find_evaluator(Map *map, SlError *err) {
#define POINT(name) &map_##name,
    static const MapEvaluator *const rows[] = {MAP_EVALUATORS(POINT)};
    enum { N_ROWS = sizeof rows / sizeof *rows };
    const SlTaskKind *kind = sl_task_kind_find(map->options->evaluator);
    for (int i = 0; i < N_ROWS && kind && !map->evaluator; i++)
        if (rows[i]->kind == kind) map->evaluator = rows[i];
    if (kind && !map->evaluator)
        return sl_fail(
            err, SL_EINPUT,
            "--evaluator: %s measures programs, not mappings; see 'starling tune --help'",
            kind->name);
    if (!map->evaluator) map->evaluator = rows[N_ROWS - 1];
    return map->evaluator->plan ? map->evaluator->plan(map, err) : SL_OK;
}

// ---- spaces ----

// the job: its tasks are the distinct layers, in the order in which they are priced
static SlStatus open_job(Map *map, SlError *err) {
    const MapOptions *options = map->options;
    SlSpaceOptions space;
    SlStatus status =
        choices_read_space(&options->space, map->arena, &map->constraints, &space, err);
    if (status != SL_OK) return status;
    SlJobSetup setup = {.net = &map->eval.net,
                        .accel = &map->eval.accel,
                        .kind = map->evaluator->kind,
                        .kind_options = map->state,
                        .goal = map->goal,
                        .space = space,
                        .illegal = (SlIllegal)options->illegal,
                        .method = map->exact ? NULL : map->method,
                        .options = map->method_options,
                        .n_agents = map->n_agents,
                        .dataset = options->dataset,
                        .warm = options->warm,
                        .budget = {.samples = map->samples, .seconds = options->time},
                        .start = (SlStart)options->start,
                        .prove = map->prove,
                        .epsilon = map->epsilon,
                        .prove_seconds = options->prove_time,
                        .seed = (uint64_t)options->seed};
    if (options->target > 0) setup.budget.target = 1 + options->target / 100;
    SlError inside;
    status = sl_job_open(&setup, NULL, map->arena, &map->job, &inside);
    bool evaluator = status != SL_OK && map->evaluator != &map_native;
    return status == SL_OK
               ? SL_OK
               : sl_fail(err, status, "%s%s", evaluator ? "--evaluator " : "", inside.text);
}

// a method that only proves has nothing to offer where there are no bounds
static SlStatus check_covered(const Map *map, SlError *err) {
    for (int i = 0; i < map->n_layers && map->exact; i++) {
        const MapLayer *layer = &map->layers[i];
        const char *reason = sl_bounds_reason(&layer->job->space, &map->goal);
        if (reason)
            return sl_fail(err, SL_EINPUT,
                           "--method exact: %s on %s: %s; the other methods search it, without a "
                           "proof",
                           layer->found->layer.name, map->eval.accel.name, reason);
    }
    return SL_OK;
}

const char *map_uncovered(const Map *map) {
    const char *reason = NULL;
    for (int i = 0; i < map->n_layers && map->prove; i++) {
        reason = sl_bounds_reason(&map->layers[i].job->space, &map->goal);
        if (!reason) return NULL;
    }
    return reason;
}

// ---- the workload ----

// the accelerator's description as it stands, so that the run directory can hold a copy
static SlStatus read_accel(Map *map, const char *selector, SlError *err) {
    const SlBundled *bundled = sl_bundle_find("accels", selector);
    char *text = NULL;
    size_t n = 0;
    sl_text_init(&map->accel_text, map->arena);
    SlStatus status = sl_accel_find(selector, map->arena, &map->eval.accel, err);
    if (status == SL_OK && !bundled)
        status = sl_file_read(selector, SL_TREE_MAX_BYTES, map->arena, &text, &n, err);
    if (status != SL_OK) return status;
    if (bundled)
        sl_text_put(&map->accel_text, bundled->text, bundled->n);
    else
        sl_text_put(&map->accel_text, text, n);
    return SL_OK;
}

static SlStatus find_workload(Map *map, const char *workload, SlError *err) {
    const MapOptions *options = map->options;
    const char *accel = options->accel ? options->accel : DEFAULT_ACCEL;
    map->shown = (EvalOptions){.accel = options->accel,
                               .batch = options->batch,
                               .threads = options->threads,
                               .objective = (int)goal_objective(&map->goal)};
    if (map->shown.objective == SL_N_OBJECTIVES) map->shown.objective = SL_LATENCY;
    map->eval = (Evaluation){.options = &map->shown, .arena = map->arena, .mapping_from = "run"};
    SlStatus status = sl_workload_find(workload, options->batch, map->arena, &map->eval.net, err);
    if (status == SL_OK) status = read_accel(map, accel, err);
    if (status != SL_OK) return status;
    evaluation_clean_names(&map->eval);
    map->base = map->eval;
    map->base.mapping_from = "default";
    return SL_OK;
}

static void gather_layers(Map *map, const Priced *base, Priced *found) {
    map->n_layers = sl_job_n_tasks(map->job);
    map->layers = call_need(SL_NEW(map->arena, map->n_layers, MapLayer));
    for (int i = 0; i < map->n_layers; i++) {
        double floor =
            sl_kind_floor(map->evaluator->kind, &map->goal, &found[i].layer, &map->eval.accel);
        map->layers[i] = (MapLayer){
            .job = sl_job_task(map->job, i), .base = &base[i], .found = &found[i], .floor = floor};
    }
}

// ---- what tells one run from another ----

// members of an object on lines of their own: keys of earlier versions are made of this
static void add_lines(const char *json, SlText *out) {
    bool quoted = false;
    for (const char *at = json; *at; at++) {
        bool begins = !quoted && (*at == '{' || *at == ',') && at[1] != '}';
        if (*at == '"') quoted = !quoted;
        if (*at == '}' && !quoted && at > json + 1) sl_text_put(out, "\n", 1);
        sl_text_put(out, at, 1);
        if (begins) sl_text_put(out, "\n  ", 3);
        if (*at == ',' && begins) at++; // the blank behind it
    }
    sl_text_put(out, "\n", 1);
}

static void add_options(const Map *map, SlText *out) {
    const MapOptions *options = map->options;
    char goal[256];
    SlText json;
    sl_text_add(out, "%s\n%s %s\n", SL_VERSION, sl_goal_text(&map->goal, sizeof goal, goal),
                map->method->name);
    sl_text_add(out, "%lld %.17g %.17g %d %lld %lld %lld %d %d %d\n", (long long)map->samples,
                options->time, options->target, map->n_agents, (long long)options->dataset,
                (long long)options->warm, (long long)options->seed, options->illegal,
                options->start, options->space.preset);
    if (map->evaluator->key) sl_text_add(out, "%s %s\n", map->evaluator->key, options->evaluator);
    sl_text_init(&json, map->arena);
    sl_options_json(map->method->options, map->method_options, &json);
    if (json.failed) call_no_memory();
    add_lines(json.data, out);
}

// everything that decides the result
static void set_key(Map *map) {
    size_t mark = sl_arena_mark(map->arena);
    SlText text;
    sl_text_init(&text, map->arena);
    add_options(map, &text);
    for (int i = 0; i < map->n_layers; i++) {
        sl_text_add(&text, "%s\n", map->layers[i].job->text);
        sl_space_describe(&map->layers[i].job->space, &text);
    }
    if (text.failed) call_no_memory();
    sl_folder_digest(text.data, text.n, map->key);
    sl_arena_rewind(map->arena, mark);
}

// ---- the plan ----

SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err) {
    *map = (Map){.options = options, .arena = arena};
    map->samples = options->samples;
    SlStatus status = choices_read_goal(options->objective, &map->goal, err);
    if (status == SL_OK) status = find_evaluator(map, err);
    if (status == SL_OK) status = map_search(options, arena, map, err);
    if (status == SL_OK) status = find_workload(map, workload, err);
    if (status != SL_OK) return status;
    if (map->samples == 0 && options->time == 0 && !map->exact)
        map->samples = map->evaluator->samples;

    Priced *base = evaluation_gather(&map->base);
    status = open_job(map, err);
    if (status != SL_OK) return status;
    gather_layers(map, base, evaluation_gather(&map->eval));
    if (status == SL_OK) status = check_covered(map, err);
    if (status == SL_OK) status = evaluation_map_default(&map->base, base, err);
    if (status != SL_OK) return status;
    evaluation_sum(&map->base);
    set_key(map);
    if (options->target > 0 && isnan(map->layers[0].floor))
        return sl_fail(err, SL_EINPUT, "--target: there is no floor of %s by --evaluator %s",
                       options->objective, options->evaluator);
    return SL_OK;
}

void map_free(Map *map) {
    if (map->state && map->evaluator->close) map->evaluator->close(map);
    sl_job_close(map->job);
}
