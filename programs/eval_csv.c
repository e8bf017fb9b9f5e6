// eval_csv.c - counts and costs as CSV, and the layers of an evaluation as such rows.
#include "eval_csv.h"

#include <math.h>
#include <string.h>

#include "count_columns.h"
#include "eval.h"

// ",value"; counts are whole and below 2^53, and there are many of them, so they take the quick way
static void add_number(double value, SlText *out) {
    if (value < 0 || value >= 0x1p53 || value != floor(value)) {
        sl_text_add(out, ",%.17g", value);
        return;
    }
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    digits[--at] = ',';
    sl_text_put(out, digits + at, sizeof digits - at);
}

void csv_counts_header(int n_boundaries, SlText *out) {
    sl_text_add(out, ",macs,cycles");
    for (int l = 1; l <= n_boundaries + 1; l++) {
        char level[COUNT_NAME_ROOM], count[COUNT_NAME_ROOM];
        level_name(l, n_boundaries + 1, level);
        for (int i = 0; i < COUNTS_PER_LEVEL; i++)
            sl_text_add(out, ",%s_%s", level, level_count_name(i, count));
    }
}

static void add_level(const SlLevelCounts *counts, SlText *out) {
    for (int i = 0; i < COUNTS_PER_LEVEL; i++) add_number(level_count(counts, i), out);
}

void csv_counts(const SlCounts *counts, int n_boundaries, SlText *out) {
    static const SlLevelCounts absent;
    add_number(counts->macs, out);
    add_number(counts->cycles, out);
    for (int l = 1; l <= n_boundaries; l++)
        add_level(l < counts->n_levels ? &counts->level[l] : &absent, out);
    add_level(&counts->level[counts->n_levels], out);
}

void csv_costs_header(int n_levels, SlText *out) {
    for (int l = 0; l < n_levels; l++) sl_text_add(out, ",rd%d,wr%d,acc0_%d", l, l, l);
    for (int l = 1; l < n_levels; l++) sl_text_add(out, ",link%d", l);
    for (int l = 1; l < n_levels; l++) sl_text_add(out, ",need%d", l);
    sl_text_add(out, ",ramp,latency,energy_pJ,area_given,area_min");
}

void csv_costs(const SlCost *cost, SlText *out) {
    int n = cost->counts.n_levels;
    for (int l = 0; l < n; l++) {
        add_number(cost->reads[l], out);
        add_number(cost->writes[l], out);
        add_number(cost->port[l], out);
    }
    for (int l = 1; l < n; l++) add_number(cost->link[l], out);
    for (int l = 1; l < n; l++) add_number(cost->need_bytes[l], out);
    add_number(cost->ramp_cycles, out);
    add_number(cost->latency_cycles, out);
    add_number(cost->energy_pj, out);
    add_number(cost->area_um2 * 1e-6, out); // mm2
    add_number(cost->area_min_um2 * 1e-6, out);
}

// ---- the layers of an evaluation, readable again by --nests ----

// fan-outs that have a spatial loop; the flags of the others change nothing
static int used_fanouts(const SlMapping *mapping) {
    int used = 0;
    for (int i = 0, level = 0; i < mapping->n_loops; i++) {
        while (level < mapping->n_boundaries && mapping->at[level] <= i) level++;
        if (mapping->loops[i].spatial) used |= 1 << level;
    }
    return used;
}

// "1.1": multicast and reduction; a digit per fan-out from the outside in where they differ
static void add_net(const SlAccel *accel, const SlMapping *mapping, SlText *out) {
    SlNet net = sl_accel_net(accel);
    int used = used_fanouts(mapping);
    const int masks[] = {net.multicast, net.reduction};
    for (int m = 0; m < 2; m++) {
        int on = masks[m] & used;
        if (m) sl_text_put(out, ".", 1);
        if (on == used || on == 0)
            sl_text_put(out, on == used ? "1" : "0", 1);
        else
            for (int l = 0; l < accel->n_levels; l++)
                sl_text_put(out, masks[m] >> l & 1 ? "1" : "0", 1);
    }
}

static void add_layer(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    const SlLayer *layer = &priced->layer;
    char nest[SL_NEST_TEXT_MAX];
    sl_text_add(out, "%d,", i + 1);
    sl_csv_put(eval->net.layers[i].name, out);
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(out, "%c%lld", d ? '.' : ',', (long long)layer->dims[d]);
    sl_text_add(out, ",%d.%d.%d.%d,", layer->stride[0], layer->stride[1], layer->dilation[0],
                layer->dilation[1]);
    add_net(&eval->accel, &priced->mapping, out);
    sl_text_add(out, ",%s", sl_mapping_write(&priced->mapping, sizeof nest, nest));
    csv_counts(&priced->cost.counts, eval->accel.n_levels - 1, out);
    csv_costs(&priced->cost, out);
}

void add_layers_csv(const Evaluation *eval, const CsvColumns *more, SlText *out) {
    sl_text_add(out, "id,layer,ext,conv,net,nest");
    csv_counts_header(eval->accel.n_levels - 1, out);
    csv_costs_header(eval->accel.n_levels, out);
    sl_text_add(out, "%s\n", more ? more->header : "");
    for (int i = 0; i < eval->net.n_layers; i++) {
        add_layer(eval, i, out);
        if (more) more->add(more->context, i, out);
        sl_text_put(out, "\n", 1);
    }
}
