// mapped_verdict.c - the first lines of a mapped network: what it costs, how good that is, what
// binds it, what a fixed dataflow costs, and what to do next.
#include <math.h>
#include <string.h>

#include "evaluation_parts.h"
#include "mapped_inside.h"
#include "proof_words.h"
#include "verdict.h"

static bool is_network(const SlMapped *mapped) {
    return mapped->eval.net.n_layers > 1;
}

// ---- what it costs ----

// "10.9 ms and 5.33 mJ per inference"
static void add_cost(const SlMapped *mapped, SlText *out) {
    const SlNetworkCost *shown = mapped->totals;
    double batch = (double)mapped->eval.batch;
    double seconds = sl_evaluation_seconds(&mapped->eval, shown->latency_cycles);
    sl_verdict_cost(seconds, shown->energy_pj, is_network(mapped), batch, out);
    if (sl_mapped_kind(mapped)->costs)
        sl_text_add(out, " by %s's model", sl_mapped_kind(mapped)->costs);
}

// a program of the user's says one number per layer
static void add_value(const SlMapped *mapped, SlText *out) {
    const SlMappedLayer *layer = mapped->layers;
    char value[SL_UNIT_ROOM], gain[SL_UNIT_ROOM], count[32];
    bool one = mapped->n_layers == 1 && layer->task->count == 1;
    double sum = one ? layer->value : mapped->value;
    if (isnan(sum)) {
        sl_text_add(out, "%d layers have a best value each, by %s", mapped->n_layers,
                    mapped->evaluator);
        return;
    }
    sl_text_add(out, "%s by %s", sl_unit_show(SL_UNIT_PLAIN, sum, value), mapped->evaluator);
    if (!one || !isfinite(layer->gain)) return;
    sl_text_add(out, ", %s better than the first of %s samples",
                sl_unit_show(SL_UNIT_TIMES, layer->gain, gain),
                sl_show_count((double)layer->task->record.samples, count));
}

// ---- how good that is ----

// layers whose proofs ended as they should, and the largest gap of the others; INFINITY = one has
// no bound
typedef struct {
    int n_done, n_optimal;
    double worst;
} Proven;

static Proven count_proven(const SlMapped *mapped) {
    Proven proven = {0};
    for (int i = 0; i < mapped->n_layers; i++) {
        const SlJobTask *task = mapped->layers[i].task;
        SlProofStatus status = task->proof.status;
        bool bound = task->proven && sl_job_has_bound(task);
        bool optimal = bound && (status == SL_PROOF_OPTIMAL || status == SL_PROOF_OUTSIDE);
        bool done = optimal || (bound && status == SL_PROOF_WITHIN);
        proven.n_optimal += optimal;
        proven.n_done += done;
        if (!done) proven.worst = fmax(proven.worst, bound ? task->proof.gap : (double)INFINITY);
    }
    return proven;
}

// what a layer of a network, or the only one, is called
static void add_proven(const SlMapped *mapped, SlText *out) {
    Proven proven = count_proven(mapped);
    int n = mapped->n_layers;
    char gap[SL_UNIT_ROOM];
    if (n == 1 && mapped->layers->task->proof.status == SL_PROOF_OUTSIDE) {
        sl_text_add(out, "; proven better than every mapping in the search space");
        return;
    }
    const char *whole = n > 1 ? "every layer is " : "";
    const char *best =
        n > 1 ? "the best mapping in its search space" : "the best mapping in the search space";
    if (proven.n_optimal == n) {
        sl_text_add(out, "; %sproven optimal in %s search space", whole, n > 1 ? "its" : "the");
    } else if (proven.n_done == n) {
        sl_text_add(out, "; %sproven within %g %% of %s", whole, 100 * mapped->setup.epsilon, best);
    } else if (n > 1) {
        sl_text_add(out, "; %d of %d layers are proven within %g %% of %s", proven.n_done, n,
                    100 * mapped->setup.epsilon, best);
        if (isfinite(proven.worst))
            sl_text_add(out, ", the others within %s", sl_gap_show(proven.worst, gap));
    } else if (isfinite(proven.worst)) {
        sl_text_add(out, "; proven within %s of %s", sl_gap_show(proven.worst, gap), best);
    } else {
        sl_text_add(out, "; not proven");
    }
}

void sl_mapped_add_verdict(SlDoc *doc, const SlMapped *mapped) {
    bool process = mapped->setup.kind == &sl_kind_process;
    SlText text;
    sl_text_init(&text, mapped->arena);
    if (process)
        add_value(mapped, &text);
    else
        add_cost(mapped, &text);
    if (mapped->setup.prove && !sl_mapped_uncovered(mapped))
        add_proven(mapped, &text);
    else
        sl_text_add(&text, "; not proven");
    if (text.failed) sl_doc_fail(doc);
    sl_doc_verdict(doc, "%s.", text.data);
}

// ---- what binds, what is left ----

// of what no mapping can be below: "latency 1.01 ×, energy 1.41 ×"
static void add_floors(SlDoc *doc, const SlMapped *mapped) {
    SlText text;
    sl_text_init(&text, mapped->arena);
    sl_verdict_floors(mapped->totals, &text);
    if (text.n > 0) sl_doc_string(doc, NULL, "floor", text.data);
}

static void add_gain(SlDoc *doc, const SlMapped *mapped) {
    char goal[256];
    SlText text;
    sl_text_init(&text, mapped->arena);
    sl_mapped_variants_words(mapped, &text);
    if (text.n == 0) return;
    sl_goal_text(&mapped->setup.goal, sizeof goal, goal);
    sl_doc_text(doc, NULL, "gain", "%s (%s)", text.data, strcmp(goal, "edp") == 0 ? "EDP" : goal);
}

// the first thing that would tell more or change most
static void add_next(SlDoc *doc, const SlMapped *mapped) {
    bool native = mapped->setup.kind == &sl_kind_native;
    SlText text;
    sl_text_init(&text, mapped->arena);
    sl_mapped_resource_words(mapped, &text);
    if (mapped->interrupted)
        sl_text_add(&text, "rerun the command to finish the rest");
    else if (native && !mapped->setup.prove)
        sl_text_add(&text, "--prove says how far from the best mapping this is at most");
    else if (native && !mapped->compared)
        sl_text_add(&text, "--compare says what fixed dataflows would cost");
    else if (native && !mapped->sensitivity)
        sl_text_add(&text, "--sensitivity says what half or twice of a resource would change");
    if (text.failed) sl_doc_fail(doc);
    if (text.n > 0) sl_doc_string(doc, NULL, "next", text.data);
}

void sl_mapped_add_outlook(SlDoc *doc, const SlMapped *mapped) {
    bool native_costs = !sl_mapped_kind(mapped)->costs;
    bool process = mapped->setup.kind == &sl_kind_process;
    if (native_costs && !process) sl_verdict_binders(doc, &mapped->eval);
    sl_doc_open(doc, NULL, NULL);
    if (native_costs && !process) sl_verdict_bound_by(doc, &mapped->eval);
    if (!process) add_floors(doc, mapped);
    add_gain(doc, mapped);
    add_next(doc, mapped);
    sl_doc_close(doc);
}
