// eval_maestro_doc.c - MAESTRO's numbers beside the exact ones as a document
// (docs/formats/maestro-json.md).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval_maestro.h"
#include "show.h"

// ---- what it is ----

// "two_levels:conv in MAESTRO's model", "conv on flex256 in MAESTRO's model, default mapping"
static void add_title(const MaestroEval *eval, SlDoc *doc) {
    const char *layer = eval->to - eval->from == 1 ? eval->net.layers[eval->from].name : NULL;
    const char *from = eval->mapping_from, *s = layer ? "" : "s";
    bool named = strcmp(eval->net.name, "inline") != 0 || !layer;
    SlText mappings;
    sl_text_init(&mappings, eval->arena);
    if (from && strcmp(from, "run") == 0)
        sl_text_add(&mappings, ", mapping%s of the run", s);
    else if (from)
        sl_text_add(&mappings, ", %s mapping%s", from, s);
    if (mappings.failed) call_no_memory();
    sl_doc_title(doc, "%s%s%s%s%s in MAESTRO's model%s", named ? eval->net.name : "",
                 named && layer ? ":" : "", layer ? layer : "", eval->machine ? " on " : "",
                 eval->machine ? eval->machine : "", mappings.data);
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
    if (out->failed) call_no_memory();
}

static void write_directive(const SlDirective *directive, SlText *out) {
    if (directive->kind == SL_MAP_CLUSTER)
        sl_text_add(out, "Cluster(%d, %c)", (int)directive->size, directive->unit);
    else
        sl_text_add(
            out, "%s(%d,%d) %s", directive->kind == SL_MAP_SPATIAL ? "SpatialMap" : "TemporalMap",
            (int)directive->size, (int)directive->offset, sl_maestro_var_names[directive->var]);
    if (out->failed) call_no_memory();
}

static void list_quantities(const MaestroEval *eval, int i,
                            SlMaestroQuantity rows[static SL_N_ROWS]) {
    sl_maestro_quantities(&eval->net.layers[i], &eval->net.mappings[i], &eval->hardware,
                          &eval->layers[i], rows);
}

// ---- one layer, for people ----

// the maps of one level from `d` on, with what they are spread over; returns where they end
static int add_level(const MaestroEval *eval, int d, int level, int64_t fanout, SlDoc *doc) {
    const SlMaestroMapping *mapping = &eval->net.mappings[eval->from];
    int end = d;
    SlText maps;
    char label[32], count[SL_UNIT_ROOM];
    while (end < mapping->n && mapping->list[end].kind != SL_MAP_CLUSTER) end++;
    sl_text_init(&maps, eval->arena);
    sl_text_add(&maps, "over %s %s%s:", sl_unit_show(SL_UNIT_COUNT, (double)fanout, count),
                end == mapping->n ? "PE" : "cluster", fanout == 1 ? "" : "s");
    for (int i = d; i < end; i++) {
        sl_text_add(&maps, "%s", i > d ? "; " : " ");
        write_directive(&mapping->list[i], &maps);
    }
    snprintf(label, sizeof label, "level %d", level);
    sl_doc_string(doc, NULL, label, maps.data);
    return end;
}

static void add_levels(const MaestroEval *eval, SlDoc *doc) {
    const SlMaestroMapping *mapping = &eval->net.mappings[eval->from];
    int64_t fanout = eval->hardware.num_pes;
    for (int d = 0; d < mapping->n; d++)
        if (mapping->list[d].kind == SL_MAP_CLUSTER) fanout /= mapping->list[d].size;
    for (int d = 0, level = 0; d <= mapping->n; d++, level++) {
        d = add_level(eval, d, level, fanout, doc);
        if (d < mapping->n) fanout = mapping->list[d].size;
    }
}

static void add_nest(const SlMaestroComparison *priced, SlDoc *doc) {
    char nest[SL_NEST_TEXT_MAX];
    if (!priced->no_nest)
        sl_doc_string(doc, NULL, "as a loop nest",
                      sl_mapping_write(&priced->nest, sizeof nest, nest));
    else if (priced->no_layer)
        sl_doc_words(doc, "There is no such layer: %s, so nothing of it is known exactly.",
                     priced->no_layer);
    else
        sl_doc_words(doc, "No loop nest does this (%s): only the work is known exactly.",
                     priced->no_nest);
}

static const SlGuardRule guard_rules[] = {SL_GUARD_MACS, SL_GUARD_RUNTIME, SL_GUARD_L1,
                                          SL_GUARD_L2};
enum { N_GUARD_RULES = sizeof guard_rules / sizeof guard_rules[0] };

static bool breaks(const SlMaestroComparison *priced, int rule) {
    return !priced->no_layer && (priced->guard.broken & (int)guard_rules[rule]);
}

static void add_guard_words(const SlMaestroComparison *priced, SlDoc *doc) {
    bool strided = priced->layer.stride[0] > 1 || priced->layer.stride[1] > 1;
    char sentence[160];
    if (sl_maestro_is_physical(priced)) {
        sl_doc_words(doc, "Physical: every MAC is there%s, no time is too short, buffers suffice.",
                     strided ? " (counted at stride 1)" : "");
        return;
    }
    sl_doc_warn(doc, "NOT PHYSICAL:");
    if (priced->no_layer) sl_doc_string(doc, NULL, "because", priced->no_layer);
    for (int r = 0; r < N_GUARD_RULES; r++)
        if (breaks(priced, r))
            sl_doc_string(
                doc, NULL, "because",
                sl_maestro_guard_text(&priced->guard, guard_rules[r], sizeof sentence, sentence));
}

// ---- side by side, for people ----

// whole numbers as counts, others with six digits as MAESTRO has
static void add_value(SlDoc *doc, const char *label, double value) {
    bool whole = value == floor(value) && fabs(value) < 1e15;
    sl_doc_number(doc, NULL, label, whole ? SL_UNIT_COUNT : SL_UNIT_PLAIN, value);
}

static bool are_equal(double maestro, double exact) {
    return maestro == exact || fabs(maestro - exact) <= 1e-9 * fabs(exact);
}

static void add_ratio(SlDoc *doc, double maestro, double exact) {
    sl_doc_number(doc, NULL, "ratio", SL_UNIT_TIMES, maestro / exact);
    if (are_equal(maestro, exact)) sl_doc_shown(doc, "=");
}

// some access is counted otherwise
static bool counts_differ(const SlMaestroQuantity *rows) {
    for (int r = SL_ROW_L2_READ; r <= SL_ROW_L1_WRITE; r++)
        if (rows[r].maestro != rows[r].exact) return true;
    return false;
}

static void add_why(SlText *why, const char *lead, const char *words) {
    sl_text_add(why, "%s%s%s", why->n ? ", " : "", lead, words);
}

static const char *write_why(const MaestroEval *eval, const SlMaestroQuantity *rows, int r) {
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    bool energy = r == SL_ROW_ENERGY || r == SL_ROW_SCREEN_ENERGY;
    char binder[SHOW_ROOM];
    SlText why;
    if (isnan(rows[r].exact) || are_equal(rows[r].maestro, rows[r].exact)) return "";
    sl_text_init(&why, eval->arena);
    for (int reason = 0; reason < SL_N_REASONS; reason++)
        if (rows[r].reasons >> reason & 1)
            add_why(&why, "", sl_maestro_reason_name((SlMaestroReason)reason));
    if (energy && counts_differ(rows)) add_why(&why, "", "counts above");
    if (r == SL_ROW_RUNTIME && priced->binder.kind != SL_BIND_COMPUTE)
        add_why(&why, "exact: ", show_binder(&eval->accel, priced->binder, binder));
    if (why.failed) call_no_memory();
    return why.data;
}

static void add_compared(SlDoc *doc, const char *title, double maestro, double exact,
                         const char *why) {
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "quantity", title);
    add_value(doc, "MAESTRO", maestro);
    add_value(doc, "exact", exact);
    add_ratio(doc, maestro, exact);
    sl_doc_string(doc, NULL, "why they differ", why);
}

static void add_comparison(const MaestroEval *eval, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "quantity"),
        SL_COLUMN(NULL, "MAESTRO"),
        SL_COLUMN(NULL, "exact"),
        SL_COLUMN(NULL, "ratio"),
        SL_COLUMN(NULL, "why they differ", .wrap = true),
    };
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    SlMaestroQuantity rows[SL_N_ROWS];
    list_quantities(eval, eval->from, rows);
    sl_doc_table(doc, NULL, "Side by side", sizeof columns / sizeof *columns, columns);
    for (int r = 0; r < SL_N_ROWS; r++) {
        add_compared(doc, rows[r].title, rows[r].maestro, rows[r].exact, write_why(eval, rows, r));
        // time that the work alone takes; MAESTRO does not say it
        if (r == SL_ROW_RUNTIME && !priced->no_layer)
            add_compared(doc, priced->no_nest ? "  all PEs busy" : "  computing alone", NAN,
                         priced->guard.cycles_least, "");
    }
    sl_doc_close(doc);
}

static void add_one(const MaestroEval *eval, SlDoc *doc) {
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    add_levels(eval, doc);
    add_nest(priced, doc);
    add_guard_words(priced, doc);
    add_comparison(eval, doc);
}

// ---- layers, for machines ----

static void add_by_name(SlDoc *doc, const char *key, const int32_t values[SL_N_MV],
                        const int32_t declared[SL_N_MV]) {
    sl_doc_open(doc, key, NULL);
    for (int v = 0; v < SL_N_MV; v++)
        if (declared[v]) add_whole(doc, sl_maestro_var_names[v], NULL, values[v]);
    sl_doc_close(doc);
}

static void add_directives(const MaestroEval *eval, int i, SlDoc *doc) {
    const SlMaestroMapping *mapping = &eval->net.mappings[i];
    sl_doc_list(doc, "directives");
    for (int d = 0; d < mapping->n; d++) {
        SlText text;
        sl_text_init(&text, eval->arena);
        write_directive(&mapping->list[d], &text);
        sl_doc_string(doc, NULL, NULL, text.data);
    }
    sl_doc_close(doc);
}

static void add_guard(const SlMaestroComparison *priced, SlDoc *doc) {
    static const char *const keys[N_GUARD_RULES] = {"macs", "runtime", "l1", "l2"};
    static const char *const names[N_GUARD_RULES] = {"MACs", "runtime", "L1", "L2"};
    const SlMaestroGuard *guard = &priced->guard;
    bool physical = sl_maestro_is_physical(priced), known = !priced->no_layer;
    char broken[SHOW_ROOM] = "layer", sentence[160];
    for (int r = 0, n = 0; r < N_GUARD_RULES; r++)
        if (breaks(priced, r))
            n += snprintf(broken + n, sizeof broken - (size_t)n, "%s%s", n ? ", " : "", names[r]);
    sl_doc_open(doc, "guard", NULL);
    sl_doc_flag(doc, "accepted", NULL, physical);
    sl_doc_shown(doc, physical ? "yes" : "NO: %s", broken);
    sl_doc_table(doc, "broken", NULL, 0, NULL);
    for (int r = 0; r < N_GUARD_RULES; r++) {
        if (!breaks(priced, r)) continue;
        sl_doc_row(doc);
        sl_doc_string(doc, "rule", NULL, keys[r]);
        sl_doc_string(doc, "text", NULL,
                      sl_maestro_guard_text(guard, guard_rules[r], sizeof sentence, sentence));
    }
    sl_doc_close(doc);
    sl_doc_number(doc, "macs_expected", NULL, SL_UNIT_COUNT, known ? guard->macs_expected : NAN);
    sl_doc_number(doc, "cycles_least", NULL, SL_UNIT_COUNT, known ? guard->cycles_least : NAN);
    sl_doc_close(doc);
}

static void add_rows(const MaestroEval *eval, int i, SlDoc *doc) {
    SlMaestroQuantity rows[SL_N_ROWS];
    list_quantities(eval, i, rows);
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
    add_ratio(doc, rows[SL_ROW_RUNTIME].maestro, rows[SL_ROW_RUNTIME].exact);
}

static void add_layer_row(const MaestroEval *eval, int i, SlDoc *doc) {
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
    maestro_add_columns(eval, i, doc);
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

static MaestroTotals sum_layers(const MaestroEval *eval) {
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
    add_value(doc, "MACs", sum->macs);
    add_value(doc, "cycles", sum->runtime);
    add_value(doc, "exact cycles", sum->exact_latency);
    add_ratio(doc, sum->runtime, sum->exact_latency);
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
static void add_layers(const MaestroEval *eval, const MaestroTotals *sum, SlDoc *doc) {
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

static void count_reasons(const MaestroEval *eval, int counts[static SL_N_REASONS]) {
    for (int i = eval->from; i < eval->to; i++) {
        SlMaestroQuantity rows[SL_N_ROWS];
        uint32_t bits = 0;
        list_quantities(eval, i, rows);
        for (int r = 0; r < SL_N_ROWS; r++) bits |= rows[r].reasons;
        for (int reason = 0; reason < SL_N_REASONS; reason++) counts[reason] += bits >> reason & 1;
    }
}

// all of them for machines, those that were met for people
static void add_legend(const MaestroEval *eval, SlDoc *doc) {
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
}

// ---- the document ----

SlDoc *maestro_document(const MaestroEval *eval) {
    const char *base = strrchr(eval->word, '/');
    bool one = eval->to - eval->from == 1;
    MaestroTotals sum = sum_layers(eval);
    SlDoc *doc = sl_doc_make(eval->arena, "maestro", 1);
    SlText shape;
    sl_text_init(&shape, eval->arena);
    write_shape(&eval->net.layers[eval->from], &shape);
    add_title(eval, doc);
    sl_doc_string(doc, "model", NULL, "maestro");
    sl_doc_string(doc, "network", NULL, eval->net.name);
    if (one) sl_doc_string(doc, NULL, "layer", shape.data);
    add_hardware(&eval->hardware, doc);
    if (one) add_one(eval, doc);
    add_layers(eval, &sum, doc);
    add_totals(&sum, doc);
    add_legend(eval, doc);
    if (!one)
        sl_doc_words(doc, "One layer in full: name it as in `%s:%s`", base ? base + 1 : eval->word,
                     eval->net.layers[eval->from].name);
    return doc;
}
