// map_plan.c - find what the options of `starling map` name, open the job, and tell one run from
// another.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "starling/cost/bound.h"

enum { SAMPLES = 2000, PROGRAM_SAMPLES = 100 }; // per layer, unless they are given

// ---- the workload ----

// the accelerator's description as it stands, so that the run directory can hold a copy
static SlStatus read_accel(Map *map, const char *selector, SlError *err) {
    const SlBundled *bundled = sl_bundle_find("accels", selector);
    char *text = NULL;
    size_t n = 0;
    sl_text_init(&map->accel_text, map->arena);
    SlStatus status = sl_accel_find(selector, map->arena, &map->mapped.eval.accel, err);
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
    SlEvaluation *eval = &map->mapped.eval;
    eval->batch = options->batch;
    const SlWorkload asked = workload_asked(workload, options->batch, &options->graph);
    SlStatus status = sl_workload_read(&asked, map->arena, &eval->net, err);
    if (status == SL_OK)
        status = read_accel(map, options->accel ? options->accel : DEFAULT_ACCEL, err);
    if (status == SL_OK) evaluation_clean_names(eval);
    return status;
}

// ---- the job ----

static SlStatus read_space(Map *map, SlError *err) {
    const MapOptions *options = map->options;
    map->mapped.open = options->space.open;
    return choices_read_space(&options->space, map->arena, &map->constraints,
                              &map->mapped.setup.space, err);
}

static void set_limits(Map *map) {
    const MapOptions *options = map->options;
    SlJobSetup *setup = &map->mapped.setup;
    setup->illegal = (SlIllegal)options->illegal;
    // a flock weighs the default mapping against what it knows itself
    setup->start = setup->flock ? SL_START_NONE : (SlStart)options->start;
    setup->warm = options->warm;
    setup->seed = (uint64_t)options->seed;
    setup->budget = (SlBudget){.samples = options->samples, .seconds = options->time};
    map->mapped.target_percent = options->target;
    if (options->samples == 0 && options->time == 0 && setup->method)
        setup->budget.samples = setup->kind == &sl_kind_process ? PROGRAM_SAMPLES : SAMPLES;
}

static SlStatus open_job(Map *map, SlError *err) {
    SlMapped *mapped = &map->mapped;
    SlError inside;
    SlPool *pool = mapped->eval.net.n_layers > 1 ? sl_pool_make((int)map->options->threads) : NULL;
    SlStatus status = sl_mapped_open(mapped, pool, &inside);
    if (pool) sl_pool_free(pool);
    if (status == SL_OK) return SL_OK;
    return sl_fail(err, status, "%s%s", mapped->setup.kind == &sl_kind_native ? "" : "--evaluator ",
                   inside.text);
}

// a method that only proves has nothing to offer where there are no bounds
static SlStatus check_covered(const SlMapped *mapped, SlError *err) {
    for (int i = 0; i < mapped->n_layers && !mapped->setup.method; i++) {
        const SlJobTask *task = mapped->layers[i].task;
        const char *reason = sl_bounds_reason(&task->space, &mapped->setup.goal);
        if (reason)
            return sl_fail(err, SL_EINPUT,
                           "--method exact: %s on %s: %s; use another method, without a proof",
                           task->layer->name, mapped->eval.accel.name, reason);
    }
    return SL_OK;
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
    const SlJobSetup *setup = &map->mapped.setup;
    char goal[256];
    SlText json;
    sl_text_add(out, "%s\n%s %s\n", SL_VERSION, sl_goal_text(&setup->goal, sizeof goal, goal),
                map->method->name);
    sl_text_add(out, "%lld %.17g %.17g %d %lld %lld %lld %d %d %d\n",
                (long long)setup->budget.samples, options->time, options->target,
                setup->agents.n_agents, (long long)options->dataset, (long long)options->warm,
                (long long)options->seed, options->illegal, options->start, options->space.preset);
    sl_agents_describe(&setup->agents, out);
    if (setup->flock)
        sl_text_add(out, "flock %016llx\n", (unsigned long long)sl_flock_digest(setup->flock));
    if (setup->kind != &sl_kind_native)
        sl_text_add(out, "%s %s\n", setup->kind == &sl_kind_maestro ? "model" : "evaluator",
                    options->evaluator);
    sl_text_init(&json, map->arena);
    sl_options_json(map->method->options, setup->options, &json);
    if (json.failed) call_no_memory();
    add_lines(json.data, out);
}

// everything that decides the result
static void set_key(Map *map) {
    size_t mark = sl_arena_mark(map->arena);
    SlText text;
    sl_text_init(&text, map->arena);
    add_options(map, &text);
    for (int i = 0; i < map->mapped.n_layers; i++) {
        const SlJobTask *task = map->mapped.layers[i].task;
        sl_text_add(&text, "%s\n", task->text);
        sl_space_describe(&task->space, &text);
    }
    if (text.failed) call_no_memory();
    sl_folder_digest(text.data, text.n, map->key);
    sl_arena_rewind(map->arena, mark);
}

// ---- the plan ----

SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err) {
    *map = (Map){.options = options, .arena = arena, .mapped.arena = arena};
    SlStatus status = map_evaluator_find(map, err);
    const char *objective = choices_objective(options->objective, map->mapped.setup.kind);
    if (status == SL_OK) status = choices_read_goal(objective, &map->mapped.setup.goal, err);
    if (status == SL_OK) status = find_workload(map, workload, err);
    if (status == SL_OK) status = map_search(options, arena, map, err);
    if (status == SL_OK) status = read_space(map, err);
    if (status != SL_OK) return status;
    set_limits(map);
    status = open_job(map, err);
    if (status == SL_OK) status = map_agents_check(map, err);
    if (status == SL_OK) status = check_covered(&map->mapped, err);
    if (status == SL_OK) status = map_variants_check(map, err);
    if (status != SL_OK) return status;
    set_key(map);
    if (options->target > 0 && isnan(map->mapped.layers[0].floor))
        return sl_fail(err, SL_EINPUT, "--target: there is no floor of %s by --evaluator %s",
                       objective, options->evaluator);
    return SL_OK;
}
