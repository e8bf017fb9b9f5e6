// maestro_doc.c - MAESTRO's numbers beside the exact ones as a document
// (docs/formats/maestro-json.md).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "maestro_inside.h"

// ---- what it is ----

// "two_levels:conv in MAESTRO's model", "conv on flex256 in MAESTRO's model, default mapping"
static void add_title(const SlMaestroEvaluation *eval, SlDoc *doc) {
    const char *layer = eval->to - eval->from == 1 ? eval->net.layers[eval->from].name : NULL;
    const char *from = eval->mapping_from, *s = layer ? "" : "s";
    bool named = strcmp(eval->net.name, "inline") != 0 || !layer;
    char mappings[48] = "";
    if (from && strcmp(from, "run") == 0)
        snprintf(mappings, sizeof mappings, ", mapping%s of the run", s);
    else if (from)
        snprintf(mappings, sizeof mappings, ", %s mapping%s", from, s);
    sl_doc_title(doc, "%s%s%s%s%s in MAESTRO's model%s", named ? eval->net.name : "",
                 named && layer ? ":" : "", layer ? layer : "", eval->machine ? " on " : "",
                 eval->machine ? eval->machine : "", mappings);
}

static void add_whole(SlDoc *doc, const char *key, const char *label, int64_t value) {
    sl_doc_number(doc, key, label, SL_UNIT_COUNT, (double)value);
}

// no limit is null
static void add_limit(SlDoc *doc, const char *key, const char *label, const char *unit,
                      int32_t value) {
    char count[SL_UNIT_ROOM];
    bool limited = value != INT32_MAX;
    sl_doc_number(doc, key, label, SL_UNIT_COUNT, limited ? value : (double)NAN);
    sl_doc_shown(doc, limited ? "%s %s" : "without limit",
                 sl_unit_show(SL_UNIT_COUNT, value, count), unit);
}

static void add_hardware(const SlMaestroHardware *from, SlDoc *doc) {
    sl_doc_open(doc, "hardware", NULL);
    add_whole(doc, "num_pes", "PEs", from->num_pes);
    add_whole(doc, "num_simd_lanes", "MACs per PE", from->simd_lanes);
    add_limit(doc, "noc_bw", "network", "words/cycle", from->noc_bw);
    add_whole(doc, "noc_latency", "network latency", from->noc_latency);
    sl_doc_remark(doc, from->noc_latency == 1 ? " cycle" : " cycles");
    add_limit(doc, "offchip_bw", "off-chip", "words/cycle", from->offchip_bw);
    add_limit(doc, "l1_bytes", "L1", "bytes", from->l1_bytes);
    add_limit(doc, "l2_bytes", "L2", "bytes", from->l2_bytes);
    sl_doc_close(doc);
}

// "CONV K=5 C=6 R=3 S=3 Y=5 X=5, stride X=2 Y=2"
static void write_shape(const SlMaestroLayer *shape, SlText *out) {
    static const SlMaestroVar order[] = {SL_MV_N, SL_MV_G, SL_MV_M, SL_MV_K,  SL_MV_C, SL_MV_R,
                                         SL_MV_S, SL_MV_Y, SL_MV_X, SL_MV_YO, SL_MV_XO};
    bool gemm = shape->type == SL_MAESTRO_GEMM, strided = false;
    sl_text_add(out, "%s", sl_maestro_type_names[shape->type]);
    for (int i = 0; i < SL_N_MV; i++) {
        // of a matrix product N are the columns
        int v = gemm && i == 0 ? SL_MV_M : gemm && i == 2 ? SL_MV_N : (int)order[i];
        if (shape->size[v])
            sl_text_add(out, " %s=%d", sl_maestro_var_names[v], (int)shape->size[v]);
    }
    for (int v = SL_N_MV - 1; v >= 0; v--) {
        if (!shape->size[v] || shape->stride[v] == 1) continue;
        sl_text_add(out, "%s %s=%d", strided ? "" : ", stride", sl_maestro_var_names[v],
                    (int)shape->stride[v]);
        strided = true;
    }
}

// ---- layers, for machines ----

static void add_by_name(SlDoc *doc, const char *key, const int32_t values[SL_N_MV],
                        const int32_t declared[SL_N_MV]) {
    sl_doc_open(doc, key, NULL);
    for (int v = 0; v < SL_N_MV; v++)
        if (declared[v]) add_whole(doc, sl_maestro_var_names[v], NULL, values[v]);
    sl_doc_close(doc);
}

static void add_directives(const SlMaestroEvaluation *eval, int i, SlDoc *doc) {
    const SlMaestroMapping *mapping = &eval->net.mappings[i];
    sl_doc_list(doc, "directives");
    for (int d = 0; d < mapping->n; d++) {
        SlText text;
        sl_text_init(&text, eval->arena);
        sl_maestro_directive(&mapping->list[d], &text);
        if (text.failed) sl_doc_fail(doc);
        sl_doc_string(doc, NULL, NULL, text.data);
    }
    sl_doc_close(doc);
}

static void add_guard(const SlMaestroComparison *priced, SlDoc *doc) {
    static const char *const keys[SL_MAESTRO_N_RULES] = {"macs", "runtime", "l1", "l2"};
    static const char *const names[SL_MAESTRO_N_RULES] = {"MACs", "runtime", "L1", "L2"};
    const SlMaestroGuard *guard = &priced->guard;
    bool physical = sl_maestro_is_physical(priced), known = !priced->no_layer;
    char broken[SL_UNIT_ROOM] = "layer", sentence[160];
    for (int r = 0, n = 0; r < SL_MAESTRO_N_RULES; r++)
        if (sl_maestro_breaks(priced, r))
            n += snprintf(broken + n, sizeof broken - (size_t)n, "%s%s", n ? ", " : "", names[r]);
    sl_doc_open(doc, "guard", NULL);
    sl_doc_flag(doc, "accepted", NULL, physical);
    sl_doc_shown(doc, physical ? "yes" : "NO: %s", broken);
    sl_doc_table(doc, "broken", NULL, 0, NULL);
    for (int r = 0; r < SL_MAESTRO_N_RULES; r++) {
        if (!sl_maestro_breaks(priced, r)) continue;
        sl_doc_row(doc);
        sl_doc_string(doc, "rule", NULL, keys[r]);
        sl_doc_string(doc, "text", NULL,
                      sl_maestro_guard_text(guard, sl_maestro_rules[r], sizeof sentence, sentence));
    }
    sl_doc_close(doc);
    sl_doc_number(doc, "macs_expected", NULL, SL_UNIT_COUNT, known ? guard->macs_expected : NAN);
    sl_doc_number(doc, "cycles_least", NULL, SL_UNIT_COUNT, known ? guard->cycles_least : NAN);
    sl_doc_close(doc);
}

static void add_rows(const SlMaestroEvaluation *eval, int i, SlDoc *doc) {
    SlMaestroQuantity rows[SL_N_ROWS];
    sl_maestro_rows(eval, i, rows);
    sl_doc_table(doc, "comparison", NULL, 0, NULL);
    for (int r = 0; r < SL_N_ROWS; r++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "quantity", NULL, rows[r].key);
        sl_doc_number(doc, "maestro", NULL, SL_UNIT_PLAIN, rows[r].maestro);
        sl_doc_number(doc, "exact", NULL, SL_UNIT_PLAIN, rows[r].exact);
        sl_doc_list(doc, "reasons");
        for (int reason = 0; reason < SL_N_REASONS; reason++)
            if (rows[r].reasons >> reason & 1)
                sl_doc_string(doc, NULL, NULL, sl_maestro_reason_name((SlMaestroReason)reason));
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
    sl_maestro_ratio(doc, rows[SL_ROW_RUNTIME].maestro, rows[SL_ROW_RUNTIME].exact);
}

static void add_layer_row(const SlMaestroEvaluation *eval, int i, SlDoc *doc) {
    const SlMaestroLayer *shape = &eval->net.layers[i];
    const SlMaestroComparison *priced = &eval->layers[i];
    char text[SL_NEST_TEXT_MAX], nest[SL_NEST_TEXT_MAX], binder[64];
    sl_layer_write(&priced->layer, sizeof text, text);
    sl_doc_row(doc);
    add_whole(doc, "index", NULL, i + 1);
    sl_doc_string(doc, "name", NULL, shape->name);
    sl_doc_string(doc, "type", NULL, sl_maestro_type_names[shape->type]);
    add_by_name(doc, "dims", shape->size, shape->size);
    add_by_name(doc, "strides", shape->stride, shape->size);
    add_directives(eval, i, doc);
    sl_maestro_columns(doc, eval, i);
    add_guard(priced, doc);
    sl_doc_string(doc, "inline", NULL, priced->no_layer ? NULL : text);
    sl_mapping_write(&priced->nest, sizeof nest, nest);
    sl_doc_string(doc, "nest", NULL, priced->no_nest ? NULL : nest);
    sl_doc_string(doc, "no_nest", NULL, priced->no_nest);
    sl_binder_text(&eval->accel, priced->binder, sizeof binder, binder);
    sl_doc_string(doc, "exact_bound_by", NULL, priced->no_nest ? NULL : binder);
    add_rows(eval, i, doc);
}

// ---- sums ----

// Over the layers that are shown; those of the exact side are NAN if a layer has none.
typedef struct {
    double runtime, energy_nj, macs, exact_latency, exact_macs;
    int n_unphysical, n_without_nest;
} MaestroTotals;

static MaestroTotals sum_layers(const SlMaestroEvaluation *eval) {
    MaestroTotals sum = {0};
    for (int i = eval->from; i < eval->to; i++) {
        const SlMaestroComparison *priced = &eval->layers[i];
        sum.runtime += (double)priced->cost.runtime_cycles;
        sum.energy_nj += priced->cost.energy_nj;
        sum.macs += (double)priced->cost.macs;
        sum.exact_latency += priced->no_nest ? NAN : priced->exact_latency;
        sum.exact_macs += priced->no_layer ? NAN : (double)sl_layer_macs(&priced->layer);
        sum.n_unphysical += !sl_maestro_is_physical(priced);
        sum.n_without_nest += priced->no_nest != NULL;
    }
    return sum;
}

static void add_foot(const MaestroTotals *sum, int n, SlDoc *doc) {
    sl_doc_foot(doc);
    sl_doc_text(doc, NULL, "layer", "%d layers", n);
    sl_maestro_value(doc, "MACs", sum->macs);
    sl_maestro_value(doc, "cycles", sum->runtime);
    sl_maestro_value(doc, "exact cycles", sum->exact_latency);
    sl_maestro_ratio(doc, sum->runtime, sum->exact_latency);
    sl_doc_number(doc, NULL, "energy, nJ", SL_UNIT_PLAIN, sum->energy_nj);
    sl_doc_text(doc, NULL, "physical?", sum->n_unphysical ? "%d NOT" : "all", sum->n_unphysical);
}

static void add_totals(const MaestroTotals *sum, SlDoc *doc) {
    sl_doc_open(doc, "totals", NULL);
    sl_doc_number(doc, "runtime", NULL, SL_UNIT_CYCLES, sum->runtime);
    sl_doc_number(doc, "energy_nj", NULL, SL_UNIT_PLAIN, sum->energy_nj);
    sl_doc_number(doc, "num_macs", NULL, SL_UNIT_COUNT, sum->macs);
    sl_doc_number(doc, "exact_latency_cycles", NULL, SL_UNIT_CYCLES, sum->exact_latency);
    sl_doc_number(doc, "exact_macs", NULL, SL_UNIT_COUNT, sum->exact_macs);
    add_whole(doc, "n_unphysical", NULL, sum->n_unphysical);
    add_whole(doc, "n_without_nest", NULL, sum->n_without_nest);
    sl_doc_close(doc);
}

// people see a row per layer where there are several
static void add_layers(const SlMaestroEvaluation *eval, const MaestroTotals *sum, SlDoc *doc) {
    static_assert(SL_ROW_RUNTIME == 1, "a column leads to that row");
    SlColumn columns[] = {
        SL_COLUMN("index", "#"),
        SL_COLUMN("name", "layer", .cut = true),
        SL_COLUMN("type", "type"),
        SL_COLUMN("maestro.num_macs", "MACs", .csv = "macs"),
        SL_COLUMN("maestro.runtime", "cycles", .csv = "runtime_cycles"),
        SL_COLUMN("comparison.1.exact", "exact cycles", .unit = SL_UNIT_COUNT,
                  .csv = "exact_cycles"),
        SL_COLUMN(NULL, "ratio"),
        SL_COLUMN("maestro.energy_nj", "energy, nJ", .csv = "energy_nj"),
        SL_COLUMN("guard.accepted", "physical?", .csv = "physical"),
        SL_COLUMN("inline", NULL),
        SL_COLUMN("nest", NULL),
    };
    enum { N_COLUMNS = sizeof columns / sizeof *columns };
    bool one = eval->to - eval->from == 1;
    for (int c = 0; c < N_COLUMNS && one; c++) columns[c].label = NULL;
    sl_doc_table(doc, "layers", one ? NULL : "Layers", N_COLUMNS, columns);
    for (int i = eval->from; i < eval->to; i++) add_layer_row(eval, i, doc);
    if (!one) add_foot(sum, eval->to - eval->from, doc);
    sl_doc_close(doc);
    if (!one && sum->n_without_nest)
        sl_doc_words(doc, "Exact cycles -: no loop nest does what the directives say.");
}

// ---- what the names mean ----

static void count_reasons(const SlMaestroEvaluation *eval, int counts[static SL_N_REASONS]) {
    for (int i = eval->from; i < eval->to; i++) {
        SlMaestroQuantity rows[SL_N_ROWS];
        uint32_t bits = 0;
        sl_maestro_rows(eval, i, rows);
        for (int r = 0; r < SL_N_ROWS; r++) bits |= rows[r].reasons;
        for (int reason = 0; reason < SL_N_REASONS; reason++) counts[reason] += bits >> reason & 1;
    }
}

// all of them for machines, those that were met for people
static void add_legend(const SlMaestroEvaluation *eval, SlDoc *doc) {
    int counts[SL_N_REASONS] = {0};
    count_reasons(eval, counts);
    sl_doc_open(doc, "reasons", "Why MAESTRO differs");
    for (int r = 0; r < SL_N_REASONS; r++) {
        const char *name = sl_maestro_reason_name((SlMaestroReason)r);
        sl_doc_string(doc, name, counts[r] ? name : NULL,
                      sl_maestro_reason_text((SlMaestroReason)r));
        if (eval->to - eval->from > 1)
            sl_doc_remark(doc, " (%d layer%s)", counts[r], counts[r] == 1 ? "" : "s");
    }
    sl_doc_close(doc);
    sl_doc_words(doc, "Exact: the same loops counted step by step on the same machine, with "
                      "MAESTRO's energies (DRAM costs none).");
    sl_doc_words(doc, "Not physical: the area and power that MAESTRO writes into its CSV file.");
}

// ---- the document ----

SlDoc *sl_report_maestro(const SlMaestroEvaluation *eval) {
    const char *base = strrchr(eval->word, '/');
    bool one = eval->to - eval->from == 1;
    MaestroTotals sum = sum_layers(eval);
    SlDoc *doc = sl_doc_make(eval->arena, "maestro", 1);
    SlText shape;
    sl_text_init(&shape, eval->arena);
    write_shape(&eval->net.layers[eval->from], &shape);
    if (shape.failed) sl_doc_fail(doc);
    add_title(eval, doc);
    sl_doc_string(doc, "model", NULL, "maestro");
    sl_doc_string(doc, "network", NULL, eval->net.name);
    if (one) sl_doc_string(doc, NULL, "layer", shape.data);
    add_hardware(&eval->hardware, doc);
    if (one) sl_maestro_one(doc, eval);
    add_layers(eval, &sum, doc);
    add_totals(&sum, doc);
    add_legend(eval, doc);
    if (!one)
        sl_doc_words(doc, "One layer in full: name it as in `%s:%s`", base ? base + 1 : eval->word,
                     eval->net.layers[eval->from].name);
    return doc;
}
