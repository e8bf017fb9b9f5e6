// maestro_one.c - one layer in MAESTRO's model for people: what its list does, whether its numbers
// are physical, and why they differ from the exact ones.
#include <math.h>
#include <stdio.h>

#include "evaluation_parts.h"
#include "maestro_inside.h"

// ---- what all layers share ----

const SlGuardRule sl_maestro_rules[SL_MAESTRO_N_RULES] = {SL_GUARD_MACS, SL_GUARD_RUNTIME,
                                                          SL_GUARD_L1, SL_GUARD_L2};

void sl_maestro_directive(const SlDirective *directive, SlText *out) {
    if (directive->kind == SL_MAP_CLUSTER)
        sl_text_add(out, "Cluster(%d, %c)", (int)directive->size, directive->unit);
    else
        sl_text_add(
            out, "%s(%d,%d) %s", directive->kind == SL_MAP_SPATIAL ? "SpatialMap" : "TemporalMap",
            (int)directive->size, (int)directive->offset, sl_maestro_var_names[directive->var]);
}

void sl_maestro_rows(const SlMaestroEvaluation *eval, int i,
                     SlMaestroQuantity rows[static SL_N_ROWS]) {
    sl_maestro_quantities(&eval->net.layers[i], &eval->net.mappings[i], &eval->hardware,
                          &eval->layers[i], rows);
}

bool sl_maestro_breaks(const SlMaestroComparison *priced, int rule) {
    return !priced->no_layer && (priced->guard.broken & (int)sl_maestro_rules[rule]);
}

void sl_maestro_value(SlDoc *doc, const char *label, double value) {
    bool whole = value == floor(value) && fabs(value) < 1e15;
    sl_doc_number(doc, NULL, label, whole ? SL_UNIT_COUNT : SL_UNIT_PLAIN, value);
}

bool sl_maestro_are_equal(double maestro, double exact) {
    return maestro == exact || fabs(maestro - exact) <= 1e-9 * fabs(exact);
}

void sl_maestro_ratio(SlDoc *doc, double maestro, double exact) {
    sl_doc_number(doc, NULL, "ratio", SL_UNIT_TIMES, maestro / exact);
    if (sl_maestro_are_equal(maestro, exact)) sl_doc_shown(doc, "=");
}

// ---- the list, and what it does ----

// the maps of one level from `d` on, with what they are spread over; returns where they end
static int add_level(const SlMaestroEvaluation *eval, int d, int level, int64_t fanout,
                     SlDoc *doc) {
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
        sl_maestro_directive(&mapping->list[i], &maps);
    }
    snprintf(label, sizeof label, "level %d", level);
    if (maps.failed) sl_doc_fail(doc);
    sl_doc_string(doc, NULL, label, maps.data);
    return end;
}

static void add_levels(const SlMaestroEvaluation *eval, SlDoc *doc) {
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

static void add_guard_words(const SlMaestroComparison *priced, SlDoc *doc) {
    bool strided = priced->layer.stride[0] > 1 || priced->layer.stride[1] > 1;
    char sentence[160];
    if (sl_maestro_is_physical(priced)) {
        sl_doc_words(
            doc,
            "Physical but for area and power: every MAC is there%s, no time is too short, buffers "
            "suffice.",
            strided ? " (counted at stride 1)" : "");
        return;
    }
    sl_doc_warn(doc, "NOT PHYSICAL:");
    if (priced->no_layer) sl_doc_string(doc, NULL, "because", priced->no_layer);
    for (int r = 0; r < SL_MAESTRO_N_RULES; r++)
        if (sl_maestro_breaks(priced, r))
            sl_doc_string(doc, NULL, "because",
                          sl_maestro_guard_text(&priced->guard, sl_maestro_rules[r],
                                                sizeof sentence, sentence));
}

// ---- side by side ----

// some access is counted otherwise
static bool counts_differ(const SlMaestroQuantity *rows) {
    for (int r = SL_ROW_L2_READ; r <= SL_ROW_L1_WRITE; r++)
        if (rows[r].maestro != rows[r].exact) return true;
    return false;
}

static void add_why(SlText *why, const char *lead, const char *words) {
    sl_text_add(why, "%s%s%s", why->n ? ", " : "", lead, words);
}

static const char *write_why(SlDoc *doc, const SlMaestroEvaluation *eval,
                             const SlMaestroQuantity *rows, int r) {
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    bool energy = r == SL_ROW_ENERGY || r == SL_ROW_SCREEN_ENERGY;
    char binder[SL_UNIT_ROOM];
    SlText why;
    if (isnan(rows[r].exact) || sl_maestro_are_equal(rows[r].maestro, rows[r].exact)) return "";
    sl_text_init(&why, eval->arena);
    for (int reason = 0; reason < SL_N_REASONS; reason++)
        if (rows[r].reasons >> reason & 1)
            add_why(&why, "", sl_maestro_reason_name((SlMaestroReason)reason));
    if (energy && counts_differ(rows)) add_why(&why, "", "counts above");
    if (r == SL_ROW_RUNTIME && priced->binder.kind != SL_BIND_COMPUTE)
        add_why(&why, "exact: ", sl_binder_show(&eval->accel, priced->binder, binder));
    if (why.failed) sl_doc_fail(doc);
    return why.data;
}

static void add_compared(SlDoc *doc, const char *title, double maestro, double exact,
                         const char *why) {
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "quantity", title);
    sl_maestro_value(doc, "MAESTRO", maestro);
    sl_maestro_value(doc, "exact", exact);
    sl_maestro_ratio(doc, maestro, exact);
    sl_doc_string(doc, NULL, "why they differ", why);
}

static void add_comparison(const SlMaestroEvaluation *eval, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "quantity"),
        SL_COLUMN(NULL, "MAESTRO"),
        SL_COLUMN(NULL, "exact"),
        SL_COLUMN(NULL, "ratio"),
        SL_COLUMN(NULL, "why they differ", .wrap = true),
    };
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    SlMaestroQuantity rows[SL_N_ROWS];
    sl_maestro_rows(eval, eval->from, rows);
    sl_doc_table(doc, NULL, "Side by side", sizeof columns / sizeof *columns, columns);
    for (int r = 0; r < SL_N_ROWS; r++) {
        add_compared(doc, rows[r].title, rows[r].maestro, rows[r].exact,
                     write_why(doc, eval, rows, r));
        // time that the work alone takes; MAESTRO does not say it
        if (r == SL_ROW_RUNTIME && !priced->no_layer)
            add_compared(doc, priced->no_nest ? "  all PEs busy" : "  computing alone", NAN,
                         priced->guard.cycles_least, "");
    }
    sl_doc_close(doc);
}

void sl_maestro_one(SlDoc *doc, const SlMaestroEvaluation *eval) {
    const SlMaestroComparison *priced = &eval->layers[eval->from];
    add_levels(eval, doc);
    add_nest(priced, doc);
    add_guard_words(priced, doc);
    add_comparison(eval, doc);
}
