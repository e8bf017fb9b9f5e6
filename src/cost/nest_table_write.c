// nest_table_write.c - counts and costs of many nests as CSV, many rows in a short time.
#include "starling/cost/nest_table.h"

enum { PART_BYTES = 1 << 16 };

static void add_number(double value, SlText *out) {
    sl_text_put(out, ",", 1);
    sl_csv_number(value, out);
}

static void add_counts_header(int n_boundaries, SlText *out) {
    sl_text_add(out, ",macs,cycles");
    for (int l = 1; l <= n_boundaries + 1; l++) {
        char name[SL_COUNT_NAME];
        for (int i = 0; i < SL_N_LEVEL_COUNTS; i++)
            sl_text_add(out, ",%s", sl_level_count_name(l, n_boundaries + 1, i, name));
    }
}

static void add_level(const SlLevelCounts *counts, SlText *out) {
    for (int i = 0; i < SL_N_LEVEL_COUNTS; i++) add_number(sl_level_count(counts, i), out);
}

static void add_counts(const SlCounts *counts, int n_boundaries, SlText *out) {
    static const SlLevelCounts absent;
    add_number(counts->macs, out);
    add_number(counts->cycles, out);
    for (int l = 1; l <= n_boundaries; l++)
        add_level(l < counts->n_levels ? &counts->level[l] : &absent, out);
    add_level(&counts->level[counts->n_levels], out);
}

static void add_costs_header(int n_levels, SlText *out) {
    for (int l = 0; l < n_levels; l++) sl_text_add(out, ",rd%d,wr%d,acc0_%d", l, l, l);
    for (int l = 1; l < n_levels; l++) sl_text_add(out, ",link%d", l);
    for (int l = 1; l < n_levels; l++) sl_text_add(out, ",need%d", l);
    sl_text_add(out, ",ramp,latency,energy_pJ,area_given,area_min");
}

static void add_costs(const SlCost *cost, SlText *out) {
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

// the networks are those of the row
static void price(const SlNestRow *row, SlAccel *accel, SlCost *cost) {
    for (int l = 0; l < accel->n_levels; l++) {
        accel->fanouts[l].multicast = row->net.multicast >> l & 1;
        accel->fanouts[l].reduction = row->net.reduction >> l & 1;
    }
    sl_cost_eval(&row->layer, accel, &row->mapping, cost);
}

static void add_row(const SlNestRow *row, SlAccel *accel, int n_boundaries, SlText *out) {
    SlCost cost;
    if (accel)
        price(row, accel, &cost);
    else
        sl_counts_eval(&row->layer, row->net, &row->mapping, &cost.counts);
    sl_csv_put(row->id, out);
    add_counts(&cost.counts, n_boundaries, out);
    if (accel) add_costs(&cost, out);
    sl_text_put(out, "\n", 1);
}

static void add_header(const SlNestTable *table, SlText *out) {
    sl_text_add(out, "id");
    add_counts_header(table->n_boundaries, out);
    if (table->accel) add_costs_header(table->accel->n_levels, out);
    sl_text_put(out, "\n", 1);
}

SlStatus sl_nest_table_write(SlNestTable *table, SlArena *arena, SlNestPut *put, void *context,
                             SlError *err) {
    SlAccel own = {0};
    SlNestRow row;
    SlText part;
    bool more = true, on = true;
    SlStatus status = sl_nest_table_open(table, arena, err);
    if (status != SL_OK) return status;
    if (table->accel) own = *table->accel;
    sl_text_init(&part, arena);
    add_header(table, &part);
    while (on && more) {
        status = sl_nest_table_next(table, &more, &row, err);
        if (status != SL_OK) return status;
        if (more) add_row(&row, table->accel ? &own : NULL, table->n_boundaries, &part);
        if (part.failed) return sl_fail(err, SL_ENOMEM, "out of memory");
        if (more && part.n < PART_BYTES) continue;
        on = put(context, part.data, part.n);
        part.n = 0;
    }
    return SL_OK;
}
