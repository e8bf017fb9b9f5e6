// space_describe.c - a space as text that differs wherever spaces do.
#include "starling/mapping.h"

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

// what a parameter may be: presets and constraints show nowhere else
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

void sl_space_describe(const SlSpace *space, SlText *out) {
    add_accel(space->accel, out);
    if (space->maestro) sl_text_add(out, "maestro\n");
    for (int p = 0; p < space->n_params; p++) add_param(&space->params[p], out);
}
