// eval_csv.c - counts and costs as CSV, many rows in a short time.
#include "eval_csv.h"

#include <math.h>

#include "count_columns.h"

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
        char name[COUNT_NAME_ROOM];
        for (int i = 0; i < COUNTS_PER_LEVEL; i++)
            sl_text_add(out, ",%s", level_count_name(l, n_boundaries + 1, i, name));
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
