// nest_draw.c - the nest as indented loops for people, at most 100 columns wide.
#include "nest_inside.h"

#include <ctype.h>
#include <stdio.h>

enum {
    COUNT_COLUMN = 44, // where trip counts start, unless the loop is longer
    MAX_DEPTH = 10,    // deeper loops are not indented further
};

static void draw_loop(const SlLoop *loop, int64_t context, int depth, SlText *out) {
    char line[128], digits[32];
    int64_t tile = sl_smaller(loop->tile, context);
    int indent = 2 + 2 * (depth < MAX_DEPTH ? depth : MAX_DEPTH);
    snprintf(line, sizeof line, "%*s%s %c in 0..%lld by %lld", indent, "",
             loop->spatial ? "spread" : "for", tolower(sl_dim_names[loop->dim][0]),
             (long long)context, (long long)tile);
    sl_text_add(out, "%-*s  %s %s", COUNT_COLUMN, line,
                sl_show_count((double)sl_ceil_div(context, tile), digits),
                loop->spatial ? "side by side" : "x");
    if (context % tile) sl_text_add(out, ", last %lld", (long long)(context % tile));
    sl_text_add(out, "\n");
}

// "W 16,704 B", "W 1.2 MiB"
static void draw_bytes(const char *name, double bytes, SlText *out) {
    char digits[32];
    if (bytes < 1e6)
        sl_text_add(out, " %s %s B ", name, sl_show_count(bytes, digits));
    else
        sl_text_add(out, " %s %s ", name, sl_show_bytes(bytes, digits));
}

// the level below boundary b: how many, what each holds, how full it is
static void draw_level(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                       const SlFootprint *foot, int b, SlText *out) {
    int level = b + 1;
    char digits[32];
    bool known = level < accel->n_levels;
    if (known)
        sl_text_add(out, "%.20s", accel->levels[level].name);
    else
        sl_text_add(out, "level %d", level);
    if (foot->grid[b] > 1) sl_text_add(out, " x %s", sl_show_count((double)foot->grid[b], digits));
    if (!mapping->keep[b]) {
        sl_text_add(out, "  holds nothing\n");
        return;
    }

    SlViolation use;
    sl_level_fits(layer, accel, known ? level : 0, mapping->keep[b], foot->words[b], &use);
    sl_text_add(out, "  holds");
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (mapping->keep[b] >> t & 1) draw_bytes(sl_tensor_names[t], use.bytes[t], out);
    sl_text_add(out, " (%s", sl_show_bytes(use.need, digits));
    if (use.have > 0) sl_text_add(out, " of %s", sl_show_bytes(use.have, digits));
    sl_text_add(out, "%s)\n", use.doubled ? ", twice each" : "");
}

void sl_mapping_draw(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                     SlText *out) {
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    int64_t context[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) context[d] = layer->dims[d];

    for (int s = 0; s <= mapping->n_boundaries; s++) {
        if (s == 0)
            sl_text_add(out, "%.20s\n", accel->levels[0].name);
        else
            draw_level(layer, accel, mapping, &foot, s - 1, out);
        int end = sl_segment_end(mapping, s);
        for (int i = sl_segment_begin(mapping, s); i < end; i++) {
            const SlLoop *loop = &mapping->loops[i];
            draw_loop(loop, context[loop->dim], i, out);
            context[loop->dim] = sl_smaller(loop->tile, context[loop->dim]);
        }
    }
    char used[32], lanes[32];
    sl_text_add(out, "MACs  %s of %s side by side\n",
                sl_show_count((double)foot.grid[mapping->n_boundaries], used),
                sl_show_count((double)sl_accel_macs(accel), lanes));
}
