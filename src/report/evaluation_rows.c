// evaluation_rows.c - layers as rows of a document: everything for machines, a line for people.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
#include "evaluation_parts.h"

// ---- columns ----

// Columns as they are listed.
typedef struct {
    SlDoc *doc;
    SlArena *arena;
    bool people; // labels are shown
    int n;
    SlColumn *list;
} Columns;

static void add_column(Columns *columns, SlColumn column) {
    if (!columns->people) column.label = NULL;
    columns->list[columns->n++] = column;
}

// a column of CSV alone, by formatted names
static void add_csv_column(Columns *columns, const char *key, const char *csv) {
    const char *kept = sl_doc_need(columns->doc, sl_arena_text(columns->arena, key, strlen(key)));
    const char *name = sl_doc_need(columns->doc, sl_arena_text(columns->arena, csv, strlen(csv)));
    add_column(columns, (SlColumn)SL_COLUMN(kept, NULL, .csv = name));
}

static void add_count_columns(Columns *columns, int n_levels) {
    char name[SL_COUNT_NAME], key[2 * SL_COUNT_NAME];
    add_column(columns,
               (SlColumn)SL_COLUMN("counts.macs", "MACs", .unit = SL_UNIT_SHORT, .csv = "macs"));
    add_column(columns, (SlColumn)SL_COLUMN("counts.cycles", NULL, .csv = "cycles"));
    for (int l = 1; l <= n_levels; l++) {
        for (int i = 0; i < SL_N_LEVEL_COUNTS; i++) {
            sl_level_count_name(l, n_levels, i, name);
            snprintf(key, sizeof key, "counts.%s", name);
            add_csv_column(columns, key, name);
        }
    }
}

// a member of every level from `from` on
static void add_level_columns(Columns *columns, int from, int n_levels, const char *member,
                              const char *csv) {
    char key[64], name[32];
    for (int l = from; l < n_levels; l++) {
        snprintf(key, sizeof key, "levels.%d.%s", l, member);
        snprintf(name, sizeof name, "%s%d", csv, l);
        add_csv_column(columns, key, name);
    }
}

static void add_cost_columns(Columns *columns, int n_levels) {
    for (int l = 0; l < n_levels; l++) {
        add_level_columns(columns, l, l + 1, "reads", "rd");
        add_level_columns(columns, l, l + 1, "writes", "wr");
        add_level_columns(columns, l, l + 1, "port_accesses", "acc0_");
    }
    add_level_columns(columns, 1, n_levels, "link_words", "link");
    add_level_columns(columns, 1, n_levels, "need_bytes", "need");
    const SlColumn list[] = {
        SL_COLUMN("ramp_cycles", NULL, .csv = "ramp"),
        SL_COLUMN("latency_cycles", "cycles", .unit = SL_UNIT_COUNT, .csv = "latency"),
        SL_COLUMN("energy_pj", "energy", .unit = SL_UNIT_PJ, .csv = "energy_pJ"),
        SL_COLUMN("area_um2", NULL, .csv = "area_given", .csv_scale = 1e-6),
        SL_COLUMN("area_min_um2", NULL, .csv = "area_min", .csv_scale = 1e-6),
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) add_column(columns, list[i]);
}

static void add_name_columns(Columns *columns) {
    const SlColumn list[] = {
        SL_COLUMN("index", "#", .csv = "id"),
        SL_COLUMN("name", "layer", .cut = true, .csv = "layer"),
        SL_COLUMN(NULL, "shape", .cut = true),
        SL_COLUMN("ext", NULL),
        SL_COLUMN("conv", NULL),
        SL_COLUMN("net", NULL),
        SL_COLUMN("mapping", NULL, .csv = "nest"),
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) add_column(columns, list[i]);
}

// what only people see there
static void add_people_columns(Columns *columns, SlObjective objective) {
    static const char *const floors[SL_N_OBJECTIVES] = {
        "floor_multiples.latency", "floor_multiples.energy", "floor_multiples.edp",
        "floor_multiples.area", "floor_multiples.power"};
    const SlColumn list[] = {
        SL_COLUMN("edp", "EDP", .csv = ""),
        SL_COLUMN("utilisation", "util", .csv = ""),
        SL_COLUMN(floors[objective], "floor", .unit = SL_UNIT_TIMES, .csv = ""),
        SL_COLUMN("bound_by", "bound by", .cut = true, .csv = ""),
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) add_column(columns, list[i]);
}

void sl_doc_layers(SlDoc *doc, const SlEvaluation *eval, const SlLayersTable *table) {
    if (!doc) return;
    int n_levels = eval->accel.n_levels;
    int room = 32 + n_levels * (SL_N_LEVEL_COUNTS + 5) + table->n_more;
    Columns columns = {.doc = doc, .arena = eval->arena, .people = table->label};
    columns.list = sl_doc_need(doc, SL_NEW(columns.arena, room, SlColumn));
    if (!columns.list) return;
    add_name_columns(&columns);
    add_count_columns(&columns, n_levels);
    add_cost_columns(&columns, n_levels);
    add_people_columns(&columns, eval->objective);
    for (int i = 0; i < table->n_more; i++) add_column(&columns, table->more[i]);
    sl_doc_table(doc, "layers", table->label, columns.n, columns.list);
}

// ---- names and the mapping ----

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
static const char *write_net(const SlAccel *accel, const SlMapping *mapping, char out[static 64]) {
    SlNet net = sl_accel_net(accel);
    int used = used_fanouts(mapping), n = 0;
    const int masks[] = {net.multicast, net.reduction};
    for (int m = 0; m < 2; m++) {
        int on = masks[m] & used;
        if (m) out[n++] = '.';
        if (on == used || on == 0)
            out[n++] = on == used ? '1' : '0';
        else
            for (int l = 0; l < accel->n_levels; l++) out[n++] = masks[m] >> l & 1 ? '1' : '0';
    }
    out[n] = '\0';
    return out;
}

// the columns that --nests reads
static void add_nest_members(SlDoc *doc, const SlAccel *accel, const SlPriced *priced) {
    const SlLayer *layer = &priced->layer;
    char text[SL_N_DIMS * 24], net[64], nest[SL_NEST_TEXT_MAX];
    for (int d = 0, n = 0; d < SL_N_DIMS; d++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%lld", d ? "." : "",
                      (long long)layer->dims[d]);
    sl_doc_string(doc, "ext", NULL, text);
    sl_doc_text(doc, "conv", NULL, "%d.%d.%d.%d", layer->stride[0], layer->stride[1],
                layer->dilation[0], layer->dilation[1]);
    sl_doc_string(doc, "net", NULL, write_net(accel, &priced->mapping, net));
    sl_doc_string(doc, "mapping", NULL, sl_mapping_write(&priced->mapping, sizeof nest, nest));
}

static void add_fit(SlDoc *doc, const SlAccel *accel, const SlFit *fit) {
    static const char *const rules[] = {"levels", "keep", "capacity", "fanout", "axes", "spread"};
    char sentence[256];
    sl_doc_flag(doc, "fits", NULL, fit->n == 0);
    sl_doc_table(doc, "violations", NULL, 0, NULL);
    for (int i = 0; i < fit->n; i++) {
        const SlViolation *violation = &fit->list[i];
        sl_doc_row(doc);
        sl_doc_text(doc, "rule", NULL, "%s", rules[violation->rule]);
        sl_doc_string(doc, "level", NULL, accel->levels[violation->level].name);
        sl_doc_number(doc, "need", NULL, SL_UNIT_COUNT, violation->need);
        sl_doc_number(doc, "have", NULL, SL_UNIT_COUNT, violation->have);
        sl_violation_text(accel, violation, sizeof sentence, sentence);
        sl_doc_string(doc, "text", NULL, sentence);
    }
    sl_doc_close(doc);
}

// ---- counts and costs ----

// in whole percents: a terminal has no space for tenths
static void add_utilisation(SlDoc *doc, const char *key, const char *label, double share) {
    sl_doc_number(doc, key, label, SL_UNIT_SHARE, share);
    if (isfinite(share)) sl_doc_shown(doc, "%.0f %%", 100 * share);
}

static void add_counts(SlDoc *doc, const SlCounts *counts) {
    char name[SL_COUNT_NAME];
    sl_doc_open(doc, "counts", NULL);
    sl_doc_number(doc, "macs", NULL, SL_UNIT_COUNT, counts->macs);
    sl_doc_number(doc, "cycles", NULL, SL_UNIT_COUNT, counts->cycles);
    for (int l = 1; l <= counts->n_levels; l++) {
        for (int i = 0; i < SL_N_LEVEL_COUNTS; i++) {
            sl_level_count_name(l, counts->n_levels, i, name);
            sl_doc_number(doc, name, NULL, SL_UNIT_COUNT, sl_level_count(&counts->level[l], i));
        }
    }
    sl_doc_close(doc);
}

static void add_tensors(SlDoc *doc, const char *key, const double pj[SL_N_TENSORS]) {
    sl_doc_open(doc, key, NULL);
    for (int t = 0; t < SL_N_TENSORS; t++)
        sl_doc_number(doc, sl_tensor_names[t], NULL, SL_UNIT_PJ, pj[t]);
    sl_doc_close(doc);
}

static void add_levels(SlDoc *doc, const SlAccel *accel, const SlPriced *priced) {
    const SlCost *cost = &priced->cost;
    sl_doc_table(doc, "levels", NULL, 0, NULL);
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        sl_doc_row(doc);
        sl_doc_string(doc, "level", NULL, level->name);
        sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, cost->reads[l]);
        sl_doc_number(doc, "writes", NULL, SL_UNIT_COUNT, cost->writes[l]);
        sl_doc_number(doc, "port_accesses", NULL, SL_UNIT_COUNT, cost->port[l]);
        sl_doc_number(doc, "port_cycles", NULL, SL_UNIT_COUNT, priced->parts.port_cycles[l]);
        sl_doc_number(doc, "link_words", NULL, SL_UNIT_COUNT, cost->link[l]);
        sl_doc_number(doc, "link_cycles", NULL, SL_UNIT_COUNT, priced->parts.link_cycles[l]);
        // DRAM has no limit, so it has no need either
        sl_doc_number(doc, "need_bytes", NULL, SL_UNIT_BYTES, l ? cost->need_bytes[l] : NAN);
        sl_doc_number(doc, "capacity_bytes", NULL, SL_UNIT_BYTES,
                      l ? (double)level->capacity_bytes : NAN);
        add_tensors(doc, "energy_pj", priced->parts.level_pj[l]);
        add_tensors(doc, "link_energy_pj", priced->parts.link_pj[l]);
    }
    sl_doc_close(doc);
}

static void add_latency(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    const SlCost *cost = &priced->cost;
    char binder[64], shown[SL_UNIT_ROOM];
    sl_doc_number(doc, "latency_cycles", NULL, SL_UNIT_CYCLES, cost->latency_cycles);
    sl_doc_number(doc, "latency_seconds", NULL, SL_UNIT_SECONDS,
                  sl_evaluation_seconds(eval, cost->latency_cycles));
    sl_doc_string(doc, "bound_by", NULL,
                  sl_binder_text(&eval->accel, cost->binder, sizeof binder, binder));
    sl_doc_shown(doc, "%s%s", sl_binder_show(&eval->accel, cost->binder, shown),
                 priced->fit.n ? " (does not fit)" : "");
    sl_doc_number(doc, "compute_cycles", NULL, SL_UNIT_CYCLES, cost->counts.cycles);
    sl_doc_number(doc, "ramp_cycles", NULL, SL_UNIT_CYCLES, cost->ramp_cycles);
    sl_doc_number(doc, "stall_cycles", NULL, SL_UNIT_CYCLES, priced->parts.stall_cycles);
}

void sl_doc_objectives(SlDoc *doc, const char *key, const double values[SL_N_OBJECTIVES]) {
    sl_doc_open(doc, key, NULL);
    for (int o = 0; o < SL_N_OBJECTIVES; o++)
        sl_doc_number(doc, sl_objective_names[o], NULL, SL_UNIT_PLAIN, values[o]);
    sl_doc_close(doc);
}

static void add_cost(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    const SlCost *cost = &priced->cost;
    double values[SL_N_OBJECTIVES], multiples[SL_N_OBJECTIVES];
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        values[o] = sl_cost_value(cost, (SlObjective)o);
        multiples[o] = sl_priced_multiple(priced, (SlObjective)o);
    }
    add_latency(doc, eval, priced);
    sl_doc_number(doc, "energy_pj", NULL, SL_UNIT_PJ, cost->energy_pj);
    sl_doc_number(doc, "mac_energy_pj", NULL, SL_UNIT_PJ, priced->parts.mac_pj);
    sl_doc_edp(doc, "edp", NULL, values[SL_EDP], eval->accel.clock_mhz);
    sl_doc_number(doc, "power_mw", NULL, SL_UNIT_MW, cost->power_mw);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, cost->area_um2);
    sl_doc_number(doc, "area_min_um2", NULL, SL_UNIT_UM2, cost->area_min_um2);
    add_utilisation(doc, "utilisation", NULL, sl_priced_utilisation(priced));
    sl_doc_objectives(doc, "objectives", values);
    sl_doc_objectives(doc, "floors", priced->floor.value);
    sl_doc_objectives(doc, "floor_multiples", multiples);
}

// ---- rows ----

void sl_doc_layer(SlDoc *doc, const SlEvaluation *eval, int i) {
    const SlPriced *priced = eval->layers[i];
    SlLayer single = sl_evaluation_single(eval, &priced->layer);
    char shape[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_number(doc, "index", NULL, SL_UNIT_COUNT, i + 1);
    sl_doc_string(doc, "name", NULL, eval->net.layers[i].name);
    sl_doc_plain(doc, "macs", (double)sl_layer_macs(&priced->layer));
    sl_doc_string(doc, NULL, "shape", sl_layer_shape(&single, shape));
    sl_doc_shape(doc, &priced->layer);
    add_nest_members(doc, &eval->accel, priced);
    add_fit(doc, &eval->accel, &priced->fit);
    add_cost(doc, eval, priced);
    add_levels(doc, &eval->accel, priced);
    add_counts(doc, &priced->cost.counts);
}

void sl_doc_layer_sums(SlDoc *doc, const SlEvaluation *eval) {
    const SlNetworkCost *totals = &eval->totals;
    SlObjective objective = eval->objective;
    sl_doc_foot(doc);
    sl_doc_text(doc, NULL, "layer", "total");
    sl_doc_text(doc, NULL, "shape", "%d distinct", eval->n_distinct);
    sl_doc_number(doc, NULL, "MACs", SL_UNIT_SHORT, totals->macs);
    sl_doc_number(doc, NULL, "cycles", SL_UNIT_COUNT, totals->latency_cycles);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, totals->energy_pj);
    sl_doc_edp(doc, NULL, "EDP", sl_network_cost_value(totals, SL_EDP), eval->accel.clock_mhz);
    add_utilisation(doc, NULL, "util", totals->utilisation);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, sl_network_cost_multiple(totals, objective));
}
