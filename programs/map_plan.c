// map_plan.c - find what the options of `starling map` name, and build the spaces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "map_key.h"
#include "show.h"

// ---- the method and its options ----

static SlStatus find_method(const char *name, Map *map, SlError *err) {
    const char *names[64];
    int n = 0;
    map->method = sl_method_find(name);
    if (map->method) return SL_OK;
    for (; n < 63 && sl_method_at(n); n++) names[n] = sl_method_at(n)->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    return sl_fail(err, SL_EINPUT, "unknown method '%.40s'%s%s%s; see 'starling list methods'",
                   name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static const SlOption *method_option(const SlMethod *method, const char *name) {
    for (const SlOption *option = method->options; option->name; option++)
        if (strcmp(option->name, name) == 0) return option;
    return NULL;
}

static SlStatus fail_option(const Map *map, const char *name, SlError *err) {
    const char *names[64], *method = map->method->name;
    int n = 0;
    for (const SlOption *option = map->method->options; option->name && n < 63; option++)
        names[n++] = option->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    if (near)
        return sl_fail(err, SL_EINPUT,
                       "--set: %s has no option '%.40s' (did you mean '%s'?); see 'starling list "
                       "methods %s'",
                       method, name, near, method);
    return sl_fail(err, SL_EINPUT,
                   "--set: %s has no option '%.40s'; see 'starling list methods %s'", method, name,
                   method);
}

// "NAME=VALUE"
static SlStatus set_one(Map *map, char *pair, SlError *err) {
    char *equals = strchr(pair, '=');
    SlError inside;
    if (!equals)
        return sl_fail(err, SL_EINPUT, "--set: expected NAME=VALUE[,NAME=VALUE...], got '%.60s'",
                       pair);
    *equals = '\0';
    if (!method_option(map->method, pair)) return fail_option(map, pair, err);
    SlStatus status =
        sl_options_set(map->method->options, map->method_options, pair, equals + 1, &inside);
    if (status == SL_OK) return SL_OK;
    // the library speaks of --NAME, the user typed --set NAME=
    const char *text = strncmp(inside.text, "--", 2) == 0 ? inside.text + 2 : inside.text;
    return sl_fail(err, status, "--set: %s", text);
}

SlStatus map_method(const MapOptions *options, SlArena *arena, Map *map, SlError *err) {
    SlStatus status = find_method(options->method, map, err);
    if (status != SL_OK) return status;
    map->method_options = command_need(sl_arena_alloc(arena, 1, map->method->options_bytes + 1));
    sl_options_init(map->method->options, map->method_options);
    const char *text = options->set ? options->set : "";
    char *list = command_need(sl_arena_text(arena, text, strlen(text)));
    while (*list && status == SL_OK) {
        size_t n = strcspn(list, ",");
        bool more = list[n] == ',';
        list[n] = '\0';
        status = set_one(map, list, err);
        list += n + more;
    }
    if (status != SL_OK || options->critic == SL_CRITIC_AUTO) return status;
    if (!method_option(map->method, "critic"))
        return sl_fail(err, SL_EINPUT, "--critic: %s has no critic", map->method->name);
    return sl_options_set(map->method->options, map->method_options, "critic",
                          sl_critic_names[options->critic], err);
}

static SlStatus read_agents(const MapOptions *options, Map *map, SlError *err) {
    int64_t n = 0;
    if (strcmp(options->agents, "all") == 0) return SL_OK;
    if (sl_parse_int(options->agents, 1, SL_MAX_PARAMS, &n, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, got '%.40s'",
                       SL_MAX_PARAMS, options->agents);
    if (!map->method->learns)
        return sl_fail(err, SL_EINPUT, "--agents: %s has no agents", map->method->name);
    map->n_agents = (int)n;
    return SL_OK;
}

static SlStatus check_warm(const MapOptions *options, const Map *map, SlError *err) {
    if (options->warm == 0 || map->method->remember) return SL_OK;
    return sl_fail(err, SL_EINPUT, "--warm: %s remembers nothing from other layers",
                   map->method->name);
}

// ---- spaces ----

static SlStatus make_spaces(Map *map, SlError *err) {
    SlSpaceOptions space;
    SlStatus status =
        choices_read_space(&map->options->space, map->arena, &map->constraints, &space, err);
    for (int i = 0; i < map->n_layers && status == SL_OK; i++) {
        MapLayer *layer = &map->layers[i];
        status = choices_make_space(&layer->found->layer, &map->eval.accel, &space, map->arena,
                                    &layer->space, err);
        if (status == SL_OK) sl_agents_each(&layer->space, &layer->agents);
    }
    return status;
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
    map->n_layers = map->eval.n_distinct;
    map->layers = command_need(SL_NEW(map->arena, map->n_layers, MapLayer));
    for (int i = 0; i < map->n_layers; i++) {
        MapLayer *layer = &map->layers[i];
        SlLayer nameless = found[i].layer;
        nameless.name[0] = '\0';
        *layer = (MapLayer){.first = -1, .base = &base[i], .found = &found[i]};
        sl_layer_write(&nameless, sizeof layer->text, layer->text);
        sl_arena_init(&layer->arena, 0);
        for (int j = map->eval.net.n_layers - 1; j >= 0; j--) {
            if (map->eval.layers[j] != layer->found) continue;
            layer->count++;
            layer->first = j;
        }
    }
}

SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err) {
    *map = (Map){.options = options, .arena = arena};
    map->samples = options->samples;
    if (map->samples == 0 && options->time == 0) map->samples = MAP_SAMPLES;
    SlStatus status = choices_read_goal(options->objective, &map->goal, err);
    if (status == SL_OK) status = map_method(options, arena, map, err);
    if (status == SL_OK) status = read_agents(options, map, err);
    if (status == SL_OK) status = check_warm(options, map, err);
    if (status == SL_OK) status = find_workload(map, workload, err);
    if (status != SL_OK) return status;

    Priced *base = evaluation_gather(&map->base);
    gather_layers(map, base, evaluation_gather(&map->eval));
    status = make_spaces(map, err);
    if (status == SL_OK) status = evaluation_map_default(&map->base, base, err);
    if (status != SL_OK) return status;
    evaluation_sum(&map->base);
    map_set_key(map);
    if (options->target > 0 && isnan(sl_goal_floor(&map->goal, &base->floor)))
        return sl_fail(err, SL_EINPUT, "--target: there is no floor of %s", options->objective);
    return SL_OK;
}

void map_free(Map *map) {
    for (int i = 0; i < map->n_layers; i++) sl_arena_free(&map->layers[i].arena);
}
