// mapped_variants.c - fixed dataflows and other machines beside what was found, for machines and
// for people (docs/formats/map-json.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluation_parts.h"
#include "mapped_inside.h"
#include "starling/job/variants.h"

// ---- words ----

// "1.23 ×", "no difference"; "–" without a result
static const char *show_ratio(const SlVariant *variant, char out[static SL_UNIT_ROOM]) {
    if (!variant->done || isnan(variant->ratio))
        snprintf(out, SL_UNIT_ROOM, "–");
    else if (!variant->differs)
        snprintf(out, SL_UNIT_ROOM, "no difference");
    else
        sl_unit_show(SL_UNIT_TIMES, variant->ratio, out);
    return out;
}

// "+38 %", "−11 %", "2.1 ×", "no difference"
static const char *show_change(const SlVariant *variant, char out[static SL_UNIT_ROOM]) {
    double change = 100 * (variant->ratio - 1);
    int digits = fabs(change) < 9.95 ? 1 : 0;
    if (!variant->done || !variant->differs || variant->ratio >= 2) return show_ratio(variant, out);
    snprintf(out, SL_UNIT_ROOM, "%s%.*f %%", change < 0 ? "−" : "+", digits, fabs(change));
    return out;
}

// "nvdla-" where the next name ends in -style, too
static void put_name(const SlVariant *variant, bool last, SlText *out) {
    size_t n = strlen(variant->name);
    bool style = n > 6 && strcmp(variant->name + n - 6, "-style") == 0;
    sl_text_put(out, variant->name, style && !last ? n - 5 : n);
}

void sl_mapped_variants_words(const SlMapped *mapped, SlText *out) {
    const SlVariants *compared = mapped->compared;
    char text[SL_UNIT_ROOM];
    int last = -1;
    for (int i = 0; compared && i < compared->n; i++)
        if (compared->list[i].done) last = i;
    for (int i = 0; i <= last; i++) {
        const SlVariant *variant = &compared->list[i];
        if (!variant->done) continue;
        sl_text_add(out, "%s%s %s ", out->n > 0 ? ", " : "", show_ratio(variant, text),
                    variant->differs ? "over" : "to");
        put_name(variant, i == last, out);
    }
}

static const SlVariant *largest_help(const SlVariants *variants) {
    const SlVariant *best = NULL;
    for (int i = 0; i < variants->n; i++) {
        const SlVariant *variant = &variants->list[i];
        bool helps = variant->done && variant->differs && variant->factor > 1;
        if (helps && (!best || variant->ratio < best->ratio)) best = variant;
    }
    return best;
}

static const char *goal_word(const SlMapped *mapped, size_t n, char *out) {
    sl_goal_text(&mapped->setup.goal, n, out);
    if (strcmp(out, "edp") == 0) snprintf(out, n, "EDP");
    return out;
}

void sl_mapped_resource_words(const SlMapped *mapped, SlText *out) {
    char change[SL_UNIT_ROOM], goal[256];
    if (!mapped->sensitivity || mapped->sensitivity->interrupted) return;
    const SlVariant *best = largest_help(mapped->sensitivity);
    if (best)
        sl_text_add(out, "twice the %s changes the %s by %s, more than twice of any other resource",
                    best->name, goal_word(mapped, sizeof goal, goal), show_change(best, change));
    else
        sl_text_add(out, "twice of no single resource makes a difference");
}

// ---- for machines ----

static void add_machine_numbers(SlDoc *doc, const SlVariant *variant) {
    sl_doc_flag(doc, "possible", NULL, variant->done || !variant->reason[0]);
    sl_doc_string(doc, "reason", NULL, variant->reason[0] ? variant->reason : NULL);
    sl_doc_flag(doc, "tried", NULL, variant->done || variant->reason[0]);
    sl_doc_plain(doc, "objective_value", variant->done ? variant->value : (double)NAN);
    sl_doc_plain(doc, "latency_cycles", variant->done ? variant->latency_cycles : (double)NAN);
    sl_doc_plain(doc, "energy_pj", variant->done ? variant->energy_pj : (double)NAN);
    sl_doc_plain(doc, "lower_bound", variant->done ? variant->bound : (double)NAN);
    sl_doc_plain(doc, "gap", variant->done ? variant->gap : (double)NAN);
    sl_doc_plain(doc, "ratio", variant->done ? variant->ratio : (double)NAN);
    sl_doc_flag(doc, "differs", NULL, variant->done && variant->differs);
    sl_doc_plain(doc, "samples", (double)variant->samples);
}

static void add_layer_ratios(SlDoc *doc, const SlVariants *variants, const SlVariant *variant) {
    if (!variant->done)
        sl_doc_null(doc, "layer_ratios");
    else
        sl_doc_numbers(doc, "layer_ratios", variants->n_layers, variant->layer_ratio);
}

// what is compared: on which layers, and what was found for them
static void add_common(SlDoc *doc, const SlMapped *mapped, const SlVariants *variants) {
    sl_doc_list(doc, "layers");
    for (int i = 0; i < variants->n_layers; i++)
        sl_doc_string(doc, NULL, NULL, mapped->layers[variants->layers[i]].found->layer.name);
    sl_doc_close(doc);
    sl_doc_plain(doc, "share", variants->share);
    sl_doc_plain(doc, "objective_value", variants->value);
    sl_doc_plain(doc, "latency_cycles", variants->latency_cycles);
    sl_doc_plain(doc, "energy_pj", variants->energy_pj);
    sl_doc_plain(doc, "lower_bound", variants->bound);
    sl_doc_plain(doc, "tolerance", variants->tolerance);
    sl_doc_flag(doc, "interrupted", NULL, variants->interrupted);
}

// ---- for people ----

static void add_costs(SlDoc *doc, const SlMapped *mapped, double cycles, double pj) {
    double seconds = sl_evaluation_seconds(&mapped->eval, cycles);
    sl_doc_number(doc, NULL, "latency", SL_UNIT_SECONDS, seconds);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, pj);
    sl_doc_edp(doc, NULL, "EDP", cycles * pj, mapped->eval.accel.clock_mhz);
}

static void add_style(SlDoc *doc, const SlMapped *mapped, const SlVariants *variants,
                      const SlVariant *variant) {
    char text[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_string(doc, "constraints", "dataflow", variant->name);
    sl_doc_string(doc, "title", NULL, variant->title);
    add_machine_numbers(doc, variant);
    add_layer_ratios(doc, variants, variant);
    if (variant->done) {
        add_costs(doc, mapped, variant->latency_cycles, variant->energy_pj);
        sl_doc_string(doc, NULL, "against found", show_ratio(variant, text));
        sl_doc_string(doc, NULL, "proven gap", sl_gap_show(variant->gap, text));
    } else {
        sl_doc_string(doc, NULL, "against found",
                      variant->reason[0] ? "not possible" : "interrupted");
    }
}

// why a layer cannot run like that
static void add_reasons(SlDoc *doc, const SlMapped *mapped, const SlVariants *variants) {
    for (int i = 0; i < variants->n; i++)
        if (variants->list[i].reason[0])
            sl_doc_words(doc, "%s: not possible on %s: %s.", variants->list[i].name,
                         mapped->eval.accel.name, variants->list[i].reason);
}

// the row that all others are compared with
static void add_found(SlDoc *doc, const SlMapped *mapped, const SlVariants *variants) {
    char text[SL_UNIT_ROOM];
    sl_doc_foot(doc);
    sl_doc_string(doc, NULL, "dataflow", "found");
    add_costs(doc, mapped, variants->latency_cycles, variants->energy_pj);
    sl_doc_string(doc, NULL, "against found", "1");
    sl_doc_string(doc, NULL, "proven gap", sl_gap_show(variants->gap, text));
}

// which layers, and from where on differences count
static void add_words(SlDoc *doc, const SlMapped *mapped, const SlVariants *variants) {
    char share[SL_UNIT_ROOM], gap[SL_UNIT_ROOM], goal[256];
    goal_word(mapped, sizeof goal, goal);
    if (variants->n_layers < mapped->n_layers)
        sl_doc_words(doc,
                     "On the %d layers with the largest share of the %s (%s). Searched and proven "
                     "with the same settings; differences up to %s are none.",
                     variants->n_layers, goal, sl_unit_show(SL_UNIT_SHARE, variants->share, share),
                     sl_gap_show(variants->tolerance, gap));
    else
        sl_doc_words(doc,
                     "On all layers. Searched and proven with the same settings; differences up "
                     "to %s are none.",
                     sl_gap_show(variants->tolerance, gap));
}

void sl_mapped_add_compared(SlDoc *doc, const SlMapped *mapped) {
    static const SlColumn columns[] = {
        SL_COLUMN("constraints", "dataflow", .csv = "dataflow"),
        SL_COLUMN(NULL, "latency"),
        SL_COLUMN(NULL, "energy"),
        SL_COLUMN(NULL, "EDP"),
        SL_COLUMN(NULL, "against found"),
        SL_COLUMN(NULL, "proven gap"),
        SL_COLUMN("objective_value", NULL),
        SL_COLUMN("ratio", NULL),
    };
    const SlVariants *variants = mapped->compared;
    if (!variants) {
        sl_doc_null(doc, "compare");
        return;
    }
    sl_doc_open(doc, "compare", "Fixed dataflows");
    add_common(doc, mapped, variants);
    sl_doc_table(doc, "dataflows", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < variants->n; i++) add_style(doc, mapped, variants, &variants->list[i]);
    add_found(doc, mapped, variants);
    sl_doc_close(doc);
    add_reasons(doc, mapped, variants);
    add_words(doc, mapped, variants);
    sl_doc_close(doc);
}

// ---- machines ----

static const char *const resource_units[] = {"", "words/cycle", "bytes", "instances"};

// what there is of a resource now: "16 words/cycle", "105 KiB", "168"
static const char *show_have(const SlVariant *variant, char out[static SL_UNIT_ROOM]) {
    char count[32];
    if (variant->kind == SL_VARIANT_CAPACITY)
        return sl_unit_show(SL_UNIT_BYTES, variant->have, out);
    sl_show_count(variant->have, count);
    bool rate = variant->kind == SL_VARIANT_RATE;
    snprintf(out, SL_UNIT_ROOM, "%s%s", count, rate ? " words/cycle" : "");
    return out;
}

static void add_machine(SlDoc *doc, const SlVariants *variants, const SlVariant *variant) {
    sl_doc_row(doc);
    sl_doc_string(doc, "resource", NULL, variant->name);
    sl_doc_string(doc, "unit", NULL, resource_units[variant->kind]);
    sl_doc_plain(doc, "have", variant->have);
    sl_doc_plain(doc, "factor", variant->factor);
    add_machine_numbers(doc, variant);
    add_layer_ratios(doc, variants, variant);
}

// half and twice side by side, for people
static void add_pair(SlDoc *doc, const SlVariant *pair) {
    char text[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "resource", pair[0].name);
    sl_doc_string(doc, NULL, "now", show_have(pair, text));
    sl_doc_string(doc, NULL, "half", pair[0].reason[0] ? "not possible" : show_change(pair, text));
    sl_doc_string(doc, NULL, "twice",
                  pair[1].reason[0] ? "not possible" : show_change(&pair[1], text));
}

static void add_pairs(SlDoc *doc, const SlVariants *variants) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "resource"),
        SL_COLUMN(NULL, "now"),
        SL_COLUMN(NULL, "half"),
        SL_COLUMN(NULL, "twice"),
    };
    sl_doc_table(doc, NULL, NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i + 1 < variants->n; i += 2) add_pair(doc, &variants->list[i]);
    sl_doc_close(doc);
}

void sl_mapped_add_sensitivity(SlDoc *doc, const SlMapped *mapped) {
    static const SlColumn columns[] = {SL_COLUMN("resource", NULL), SL_COLUMN("have", NULL),
                                       SL_COLUMN("unit", NULL),     SL_COLUMN("factor", NULL),
                                       SL_COLUMN("ratio", NULL),    SL_COLUMN("differs", NULL)};
    const SlVariants *variants = mapped->sensitivity;
    char goal[256];
    if (!variants) {
        sl_doc_null(doc, "sensitivity");
        return;
    }
    sl_doc_open(doc, "sensitivity", "What the machine could change");
    add_common(doc, mapped, variants);
    sl_doc_table(doc, "machines", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < variants->n; i++) add_machine(doc, variants, &variants->list[i]);
    sl_doc_close(doc);
    add_pairs(doc, variants);
    sl_doc_words(doc,
                 "Change of the %s with half and twice of one resource, every layer mapped again.",
                 goal_word(mapped, sizeof goal, goal));
    add_words(doc, mapped, variants);
    sl_doc_close(doc);
}
