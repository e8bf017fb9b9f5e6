// mapped_sums.c - what was found in sum: cards, objectives beside floors and default mappings,
// and for one layer what there is to say of its search.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluation_parts.h"
#include "mapped_inside.h"
#include "page.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static void count_apart(const SlMapped *mapped, int64_t *assign, int64_t *warm) {
    for (int i = 0; i < mapped->n_layers; i++) {
        *assign += mapped->layers[i].task->assign_samples;
        *warm += mapped->layers[i].task->warm_samples;
    }
}

// ", and 60 of the warm start"
static void add_apart(const SlMapped *mapped, SlText *out) {
    int64_t assign = 0, warm = 0;
    char count[32];
    count_apart(mapped, &assign, &warm);
    if (warm > 0)
        sl_text_add(out, ", and %s of the warm start", sl_show_count((double)warm, count));
    if (assign > 0)
        sl_text_add(out, ", and %s to group parameters into agents",
                    sl_show_count((double)assign, count));
}

// what is proven of a layer, of the network (NULL), leaves smaller differences open
bool sl_mapped_differs(const SlMapped *mapped, const SlMappedLayer *layer, double ratio) {
    double gap =
        layer ? layer->task->proof.gap : sl_network_gap(mapped->value, sl_job_bound(mapped->job));
    double tolerance = 0.0005;
    bool bound = mapped->setup.prove && (!layer || sl_job_has_bound(layer->task));
    if (bound && isfinite(gap)) tolerance = fmax(tolerance, fmax(gap, mapped->setup.epsilon));
    return fabs(ratio - 1) > tolerance;
}

// how many times less than before; "none" where that is no difference
void sl_mapped_add_gain(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer,
                        const char *key, double gain) {
    sl_doc_number(doc, key, key ? NULL : "gain", SL_UNIT_TIMES, gain);
    if (isfinite(gain) && !sl_mapped_differs(mapped, layer, gain)) sl_doc_shown(doc, "none");
}

static void add_samples_card(SlDoc *doc, const SlMapped *mapped) {
    SlText apart;
    sl_text_init(&apart, mapped->arena);
    sl_text_add(&apart, "for %d distinct layer%s", mapped->n_layers,
                mapped->n_layers == 1 ? "" : "s");
    add_apart(mapped, &apart);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)sl_mapped_samples(mapped));
    sl_doc_remark(doc, "%s", apart.data);
}

// of mappings found, or of default ones
static void add_network(SlDoc *doc, const SlNetworkCost *totals, double value) {
    add_number(doc, "objective_value", value);
    add_number(doc, "latency_cycles", totals->latency_cycles);
    add_number(doc, "energy_pj", totals->energy_pj);
    add_number(doc, "edp", sl_network_cost_value(totals, SL_EDP));
    add_number(doc, "power_mw", totals->power_mw);
    add_number(doc, "utilisation", totals->utilisation);
}

static void add_sums(SlDoc *doc, const SlMapped *mapped) {
    const SlMappedKind *row = sl_mapped_kind(mapped);
    int64_t assign = 0, warm = 0;
    double bound = sl_job_bound(mapped->job);
    count_apart(mapped, &assign, &warm);
    add_network(doc, &mapped->eval.totals, mapped->value);
    if (row->add_totals) row->add_totals(doc, mapped);
    add_number(doc, "lower_bound", bound);
    add_number(doc, "gap", sl_network_gap(mapped->value, bound));
    add_number(doc, "floor_multiple",
               mapped->value / sl_network_goal_floor(&mapped->setup.goal, &mapped->sums));
    add_number(doc, "macs", mapped->eval.totals.macs);
    add_number(doc, "samples", (double)sl_mapped_samples(mapped));
    add_number(doc, "assign_samples", (double)assign);
    add_number(doc, "warm_samples", (double)warm);
    add_number(doc, "gain", mapped->base_value / mapped->value);
    sl_doc_open(doc, "default", NULL);
    add_network(doc, &mapped->base.totals, mapped->base_value);
    sl_doc_close(doc);
}

// ---- cards ----

// "8.3 % less than with default mappings"; the native model knows them
static void add_compared(SlDoc *doc, const SlMapped *mapped, SlObjective objective,
                         const char *lead) {
    char text[SL_UNIT_ROOM];
    double before = sl_network_cost_value(&mapped->base.totals, objective);
    double now = sl_network_cost_value(mapped->totals, objective);
    const char *join = lead[0] ? "; " : "";
    sl_unit_compare(before, now, text);
    if (sl_mapped_kind(mapped)->costs)
        sl_doc_remark(doc, "%s", lead);
    else if (!sl_mapped_differs(mapped, NULL, now / before))
        sl_doc_remark(doc, "%s%sno difference from default mappings", lead, join);
    else
        sl_doc_remark(doc, "%s%s%s %s with default mappings", lead, join, text,
                      strchr(text, '%') ? "than" : "as");
}

static void add_cards(SlDoc *doc, const SlMapped *mapped) {
    const SlNetworkCost *shown = mapped->totals;
    double seconds = sl_evaluation_seconds(&mapped->eval, shown->latency_cycles);
    double batch = (double)mapped->eval.batch, mhz = mapped->eval.accel.clock_mhz;
    char lead[4 * SL_UNIT_ROOM], text[SL_UNIT_ROOM];
    snprintf(lead, sizeof lead, "%s inferences/s at %.6g MHz",
             sl_unit_show(SL_UNIT_RATE, batch / seconds, text), mhz);
    sl_doc_number(doc, NULL, "time", SL_UNIT_SECONDS, seconds);
    add_compared(doc, mapped, SL_LATENCY, lead);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, shown->energy_pj);
    snprintf(lead, sizeof lead, "%s per inference",
             sl_unit_show(SL_UNIT_PJ, shown->energy_pj / batch, text));
    add_compared(doc, mapped, SL_ENERGY, batch > 1 ? lead : "per inference");
    sl_doc_edp(doc, NULL, "EDP", sl_network_cost_value(shown, SL_EDP), mhz);
    add_compared(doc, mapped, SL_EDP, "");
    if (mapped->setup.prove) sl_mapped_add_gap_card(doc, mapped);
    if (mapped->setup.method) add_samples_card(doc, mapped);
}

// of one layer a terminal has a table instead
void sl_mapped_add_totals(SlDoc *doc, const SlMapped *mapped) {
    sl_doc_detail(doc, mapped->eval.net.n_layers == 1);
    sl_doc_cards(doc, "totals", NULL);
    add_cards(doc, mapped);
    add_sums(doc, mapped);
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

// ---- objectives ----

static void add_value(SlDoc *doc, const SlMapped *mapped, const char *label, SlObjective objective,
                      double value) {
    char text[SL_UNIT_ROOM];
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s",
                 sl_objective_show(objective, value, mapped->eval.accel.clock_mhz, text));
}

// beside the native model, or by it beside the default mappings
static void add_objective(SlDoc *doc, const SlMapped *mapped, SlObjective objective) {
    const char *own = sl_mapped_kind(mapped)->costs;
    double value = sl_network_cost_value(mapped->totals, objective);
    double multiple = sl_network_cost_multiple(mapped->totals, objective);
    double before = sl_network_cost_value(&mapped->base.totals, objective);
    if (isnan(value)) return;
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "objective", sl_objective_names[objective]);
    add_value(doc, mapped, own ? own : "found", objective, value);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, multiple);
    if (own)
        add_value(doc, mapped, "native model", objective,
                  sl_network_cost_value(&mapped->eval.totals, objective));
    if (own) return;
    add_value(doc, mapped, "least possible", objective, value / multiple);
    add_value(doc, mapped, "default mapping", objective, before);
    sl_mapped_add_gain(doc, mapped, NULL, NULL, before / value);
}

static void add_table(SlDoc *doc, const SlMapped *mapped) {
    const char *own = sl_mapped_kind(mapped)->costs;
    const SlColumn columns[] = {
        SL_COLUMN(NULL, "objective"),      SL_COLUMN(NULL, own ? own : "found"),
        SL_COLUMN(NULL, "least possible"), SL_COLUMN(NULL, "floor"),
        SL_COLUMN(NULL, "native model"),   SL_COLUMN(NULL, "default mapping"),
        SL_COLUMN(NULL, "gain"),
    };
    sl_doc_table(doc, NULL, NULL, sizeof columns / sizeof *columns, columns);
    for (int o = 0; o < SL_N_OBJECTIVES; o++) add_objective(doc, mapped, (SlObjective)o);
    sl_doc_close(doc);
}

// of the only layer
static void add_space_fact(SlDoc *doc, const SlMapped *mapped) {
    const SlJobTask *task = mapped->layers[0].task;
    int n_agents = task->agents.n_agents;
    sl_doc_text(doc, NULL, "space", "%d parameters, 10^%.1f points", task->space.n_params,
                task->space.log10_size);
    if (sl_mapped_learns(mapped))
        sl_doc_remark(doc, "%d agent%s", n_agents, n_agents == 1 ? "" : "s");
}

static void add_best_fact(SlDoc *doc, const SlMapped *mapped) {
    const SlRecord *record = &mapped->layers[0].task->record;
    char at[32], all[32];
    SlText apart;
    sl_text_init(&apart, mapped->arena);
    add_apart(mapped, &apart);
    sl_doc_text(doc, NULL, "best", "at sample %s of %s%s; stopped: %s",
                sl_show_count((double)record->best.sample, at),
                sl_show_count((double)record->samples, all), apart.data,
                sl_stop_names[record->stopped]);
}

void sl_mapped_add_objectives(SlDoc *doc, const SlMapped *mapped) {
    const SlMappedKind *row = sl_mapped_kind(mapped);
    bool layer = mapped->eval.net.n_layers == 1;
    double edp = sl_network_cost_value(mapped->totals, SL_EDP);
    add_table(doc, mapped);
    // one objective alone takes what it can get from the others
    if (!row->costs && edp > 1.1 * sl_network_cost_value(&mapped->base.totals, SL_EDP))
        sl_doc_words(doc, "`--objective edp`, or `latency=4,energy=1`, weighs time and energy.");
    if (layer && row->add_facts) row->add_facts(doc, mapped);
    if (layer) add_space_fact(doc, mapped);
    if (mapped->setup.prove) sl_mapped_add_proven(doc, mapped);
    if (layer && mapped->setup.method) add_best_fact(doc, mapped);
    if (mapped->setup.method) sl_mapped_add_curve(doc, mapped);
    if (!mapped->setup.prove) return;
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "`certificates/` has what it takes to check proofs: `starling verify`.");
    sl_doc_detail(doc, false);
}
