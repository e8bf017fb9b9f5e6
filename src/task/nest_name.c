// nest_name.c - the name of a task over mappings: everything that decides the value of a point.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "task_inside.h"

// FNV-1a, numbers as eight bytes at a time: lists have up to a million of them
static void mix(uint64_t *hash, uint64_t word) {
    *hash = sl_fnv_add(*hash, word);
    *hash ^= *hash >> 32;
}

static void mix_real(uint64_t *hash, double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    mix(hash, word);
}

static void mix_level(uint64_t *hash, const SlLevel *level) {
    const double reals[] = {level->port_words, level->link_words, level->read_pj,
                            level->write_pj,   level->link_pj,    level->area_um2_per_byte};
    mix(hash, (uint64_t)level->capacity_bytes);
    mix(hash, level->keep);
    mix(hash, (uint64_t)level->buffering);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) mix_real(hash, reals[i]);
}

static void mix_accel(uint64_t *hash, const SlAccel *accel) {
    mix(hash, (uint64_t)accel->n_levels);
    for (int l = 0; l < accel->n_levels; l++) {
        const SlFanout *fanout = &accel->fanouts[l];
        mix_level(hash, &accel->levels[l]);
        mix(hash, (uint64_t)fanout->n_axes << 2 | (uint64_t)fanout->multicast << 1 |
                      (uint64_t)fanout->reduction);
        for (int a = 0; a < fanout->n_axes; a++) {
            mix(hash, (uint64_t)fanout->axes[a].size);
            mix(hash, fanout->axes[a].dims);
        }
    }
    for (int t = 0; t < 3; t++) mix_real(hash, accel->word_bytes[t]);
    mix_real(hash, accel->mac_pj);
    mix_real(hash, accel->mac_area_um2);
    mix_real(hash, accel->clock_mhz);
}

static void mix_dims(uint64_t *hash, int n, const uint8_t *dims) {
    mix(hash, (uint64_t)n);
    for (int i = 0; i < n; i++) mix(hash, dims[i]);
}

static void mix_param(uint64_t *hash, const SlParam *param) {
    for (const char *c = param->name; *c; c++) mix(hash, (unsigned char)*c);
    mix(hash, (uint64_t)param->kind);
    mix(hash, (uint64_t)param->n);
    for (int32_t i = 0; i < param->n; i++) {
        if (param->kind == SL_ORDINAL) mix(hash, (uint64_t)param->sizes[i]);
        if (param->kind == SL_CATEGORICAL) mix(hash, param->spreads[i]);
    }
    if (param->kind != SL_PERMUTATION) return;
    mix_dims(hash, param->n_before, param->before);
    mix_dims(hash, param->n_items, param->items);
    mix_dims(hash, param->n_after, param->after);
}

void sl_nest_name(SlTask *task) {
    const SlSpace *space = task->space;
    uint64_t hash = SL_FNV_START;
    char layer[384], goal[128];
    sl_goal_text(&task->setup.goal, sizeof goal, goal);
    sl_layer_write(space->layer, sizeof layer, layer);
    mix_accel(&hash, space->accel);
    mix(&hash, space->maestro);
    for (int i = 0; i < space->n_params; i++) mix_param(&hash, &space->params[i]);
    snprintf(task->name, sizeof task->name, "%s %s %s %s on %s %s %016" PRIx64, task->kind->name,
             goal, sl_illegal_names[task->setup.illegal], layer, space->accel->name,
             sl_space_names[space->preset], hash);
}
