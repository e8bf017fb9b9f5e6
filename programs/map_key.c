// map_key.c - what tells one run from another: everything that decides its result, hashed.
#include "map_key.h"

#include <jansson.h>

static void add_options(const Map *map, SlText *out) {
    SlError err;
    const MapOptions *options = map->options;
    char goal[256];
    sl_text_add(out, "%s\n%s %s\n", SL_VERSION, sl_goal_text(&map->goal, sizeof goal, goal),
                map->method->name);
    sl_text_add(out, "%lld %.17g %.17g %d %lld %lld %lld %d %d %d\n", (long long)map->samples,
                options->time, options->target, map->n_agents, (long long)options->dataset,
                (long long)options->warm, (long long)options->seed, options->illegal,
                options->start, options->space.preset);
    if (map_is_maestro(map)) sl_text_add(out, "model %s\n", map->kind->name);
    if (map_is_process(map)) sl_text_add(out, "evaluator %s\n", options->evaluator);
    sl_json_print(command_need(json_options(map->method->options, map->method_options)), out, &err);
}

void map_set_key(Map *map) {
    size_t mark = sl_arena_mark(map->arena);
    SlText text;
    sl_text_init(&text, map->arena);
    add_options(map, &text);
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        sl_text_add(&text, "%s\n", layer->job->text);
        sl_space_describe(&layer->job->space, &text);
    }
    if (text.failed) command_no_memory();
    run_digest(text.data, text.n, map->key);
    sl_arena_rewind(map->arena, mark);
}
