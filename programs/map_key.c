// map_key.c - what tells one run from another: everything that decides its result, hashed.
#include "map_key.h"

#include <jansson.h>
#include <stdio.h>

static void add_accel(const SlAccel *accel, SlText *out) {
    sl_text_add(out, "%s %.17g %.17g %.17g %.17g %.17g %.17g\n", accel->name, accel->word_bytes[0],
                accel->word_bytes[1], accel->word_bytes[2], accel->mac_pj, accel->mac_area_um2,
                accel->clock_mhz);
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        const SlFanout *fanout = &accel->fanouts[l];
        sl_text_add(out, "%s %lld %d %d %.17g %.17g %.17g %.17g %.17g %.17g", level->name,
                    (long long)level->capacity_bytes, level->keep, (int)level->buffering,
                    level->port_words, level->link_words, level->read_pj, level->write_pj,
                    level->link_pj, level->area_um2_per_byte);
        for (int a = 0; a < fanout->n_axes; a++)
            sl_text_add(out, " %s %lld %d", fanout->axes[a].name, (long long)fanout->axes[a].size,
                        fanout->axes[a].dims);
        sl_text_add(out, " %d %d\n", fanout->multicast, fanout->reduction);
    }
}

// what a parameter may be: constraints and presets show nowhere else
static void add_param(const SlParam *param, SlText *out) {
    sl_text_add(out, "%s %d", param->name, param->n);
    for (int i = 0; i < param->n; i++) {
        if (param->kind == SL_ORDINAL) sl_text_add(out, " %lld", (long long)param->sizes[i]);
        if (param->kind == SL_CATEGORICAL) sl_text_add(out, " %d", param->spreads[i]);
    }
    if (param->kind == SL_PERMUTATION) {
        for (int i = 0; i < param->n_before; i++) sl_text_add(out, " %d", param->before[i]);
        for (int i = 0; i < param->n_items; i++) sl_text_add(out, " *%d", param->items[i]);
        for (int i = 0; i < param->n_after; i++) sl_text_add(out, " %d", param->after[i]);
    }
    sl_text_add(out, "\n");
}

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
    sl_json_print(command_need(sl_options_json(map->method->options, map->method_options)), out,
                  &err);
}

// FNV-1a, 64 bits
static uint64_t hash(const char *text, size_t n) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return sum;
}

void map_set_key(Map *map) {
    size_t mark = sl_arena_mark(map->arena);
    SlText text;
    sl_text_init(&text, map->arena);
    add_options(map, &text);
    add_accel(&map->eval.accel, &text);
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        sl_text_add(&text, "%s\n", layer->text);
        for (int p = 0; p < layer->space.n_params; p++) add_param(&layer->space.params[p], &text);
    }
    if (text.failed) command_no_memory();
    snprintf(map->key, sizeof map->key, "%016llx", (unsigned long long)hash(text.data, text.n));
    sl_arena_rewind(map->arena, mark);
}
