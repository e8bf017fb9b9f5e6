// mapped_proofs.c - what was proven of the layers, for machines and for reading: a card, sentences,
// a table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapped_inside.h"
#include "proof_words.h"

// "native sizes, all orders"
static const char *space_words(SlDoc *doc, const SlMapped *mapped) {
    const SlSpaceOptions *space = &mapped->setup.space;
    SlText out;
    sl_text_init(&out, mapped->arena);
    sl_text_add(&out, "%s sizes", sl_space_names[space->preset]);
    if (mapped->open) sl_text_add(&out, ", %s open", mapped->open);
    if (space->constraints)
        sl_text_add(&out, ", constraints %s", space->constraints->name);
    else
        sl_text_add(&out, ", all orders");
    if (out.failed) sl_doc_fail(doc);
    return out.data;
}

// better than what the search had found
static bool is_improved(const SlMappedLayer *layer) {
    return layer->task->proof.improved && layer->task->record.best.sample > 0;
}

// ---- for machines ----

void sl_mapped_add_proof(SlDoc *doc, const SlMappedLayer *layer) {
    const SlProof *proof = &layer->task->proof;
    bool bound = sl_job_has_bound(layer->task);
    sl_doc_number(doc, "lower_bound", NULL, SL_UNIT_PLAIN,
                  bound ? proof->lower_bound : (double)NAN);
    sl_doc_number(doc, "gap", NULL, SL_UNIT_PLAIN, bound ? proof->gap : (double)NAN);
    if (layer->task->proven) {
        bool covered = proof->status != SL_PROOF_UNCOVERED;
        sl_doc_open(doc, "proof", NULL);
        sl_doc_string(doc, "status", NULL, sl_proof_names[proof->status]);
        sl_doc_string(doc, "reason", NULL, covered ? NULL : proof->reason);
        sl_doc_number(doc, "branches", NULL, SL_UNIT_COUNT, (double)proof->n_branches);
        sl_doc_number(doc, "nodes", NULL, SL_UNIT_COUNT, (double)proof->nodes);
        sl_doc_number(doc, "start_value", NULL, SL_UNIT_PLAIN, proof->start);
        sl_doc_flag(doc, "improved", NULL, proof->improved);
        sl_doc_close(doc);
    } else {
        sl_doc_null(doc, "proof");
    }
    sl_doc_string(doc, "certificate", NULL, bound ? layer->certificate : NULL);
}

// ---- in the sums and in the table of layers ----

// the largest one; "-" where a layer has no bound
void sl_mapped_add_gap_card(SlDoc *doc, const SlMapped *mapped) {
    char gap[SL_UNIT_ROOM];
    double most = 0;
    for (int i = 0; i < mapped->n_layers && isfinite(most); i++) {
        const SlJobTask *task = mapped->layers[i].task;
        most = sl_job_has_bound(task) ? fmax(most, task->proof.gap) : (double)INFINITY;
    }
    sl_doc_string(doc, NULL, "proven gap", sl_gap_show(most, gap));
    sl_doc_remark(doc, mapped->n_layers > 1 ? "no layer is farther from the optimum of its space"
                                            : "from the optimum of the space at most");
}

// how far above the optimum the mapping is at most, or why that is not known to be little; NULL:
// the network
void sl_mapped_add_proof_cell(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    char text[SL_UNIT_ROOM];
    if (!mapped->setup.prove) return;
    if (!layer)
        sl_gap_show(sl_network_gap(mapped->value, sl_job_bound(mapped->job)), text);
    else if (layer->task->proof.status == SL_PROOF_WITHIN)
        sl_gap_show(layer->task->proof.gap, text);
    else
        sl_proof_show(&layer->task->proof, mapped->setup.epsilon, text);
    sl_doc_string(doc, NULL, "proven gap", text);
}

// ---- sentences ----

static void add_layer_proven(SlDoc *doc, const SlMapped *mapped) {
    const SlMappedLayer *layer = &mapped->layers[0];
    const SlProof *proof = &layer->task->proof;
    SlText sentence;
    char text[SL_UNIT_ROOM];
    if (!layer->task->proven) return;
    sl_text_init(&sentence, mapped->arena);
    sl_proof_sentence(&mapped->setup.goal, mapped->eval.accel.clock_mhz, proof,
                      space_words(doc, mapped), &sentence);
    sl_doc_string(doc, NULL, "proven", sentence.data);
    if (!sl_job_has_bound(layer->task)) return;
    sl_doc_number(doc, NULL, "nodes", SL_UNIT_COUNT, (double)proof->nodes);
    if (is_improved(layer))
        sl_doc_remark(
            doc, "and a better mapping among them: the search had %s",
            sl_bound_show(&mapped->setup.goal, proof->start, mapped->eval.accel.clock_mhz, text));
}

// how many layers the proofs of a status have; stopped: with a bound, or without
static int count(const SlMapped *mapped, SlProofStatus status, bool bound) {
    int n = 0;
    for (int i = 0; i < mapped->n_layers; i++) {
        const SlJobTask *task = mapped->layers[i].task;
        bool other = status == SL_PROOF_STOPPED && sl_job_has_bound(task) != bound;
        n += task->proof.status == status && !other;
    }
    return n;
}

// the largest gap of those that were stopped
static double worst_gap(const SlMapped *mapped) {
    double worst = 0;
    for (int i = 0; i < mapped->n_layers; i++) {
        const SlJobTask *task = mapped->layers[i].task;
        bool stopped = task->proof.status == SL_PROOF_STOPPED && sl_job_has_bound(task);
        if (stopped) worst = fmax(worst, task->proof.gap);
    }
    return worst;
}

// ", 3 stopped"
static void add_part(SlText *line, int n, const char *what) {
    if (n > 0) sl_text_add(line, "%s%d %s", line->n > 0 ? ", " : "", n, what);
}

// "9 optimal, 3 within 0.5 %"
static void add_counts(const SlMapped *mapped, SlText *line) {
    char within[SL_UNIT_ROOM], worst[SL_UNIT_ROOM];
    int n_open = count(mapped, SL_PROOF_UNCOVERED, false);
    snprintf(within, sizeof within, "within %g %%", 100 * mapped->setup.epsilon);
    add_part(line, count(mapped, SL_PROOF_OPTIMAL, true), "optimal");
    add_part(line, count(mapped, SL_PROOF_WITHIN, true), within);
    add_part(line, count(mapped, SL_PROOF_STOPPED, true), "stopped");
    if (worst_gap(mapped) > 0)
        sl_text_add(line, " (largest gap %s)", sl_gap_show(worst_gap(mapped), worst));
    add_part(line, count(mapped, SL_PROOF_STOPPED, false), "stopped before there was a bound");
    add_part(line, count(mapped, SL_PROOF_OUTSIDE, true),
             "outside the space, and better than its best");
    add_part(line, n_open, "without a proof");
    for (int i = 0; i < mapped->n_layers && n_open > 0; i++) {
        if (mapped->layers[i].task->proof.status != SL_PROOF_UNCOVERED) continue;
        sl_text_add(line, ": %s", mapped->layers[i].task->proof.reason);
        break;
    }
}

void sl_mapped_add_proven(SlDoc *doc, const SlMapped *mapped) {
    int n = mapped->n_layers, n_improved = 0;
    SlText line;
    if (mapped->eval.net.n_layers == 1) {
        add_layer_proven(doc, mapped);
        return;
    }
    sl_text_init(&line, mapped->arena);
    add_counts(mapped, &line);
    if (line.failed) sl_doc_fail(doc);
    bool alike = atoi(line.data) == n; // the first part is all of them
    if (n > 1 && alike)
        sl_doc_text(doc, NULL, "proven", "all %d layers %s", n, strchr(line.data, ' ') + 1);
    else
        sl_doc_text(doc, NULL, "proven", "%d layer%s: %s", n, n == 1 ? "" : "s", line.data);
    for (int i = 0; i < n; i++) n_improved += is_improved(&mapped->layers[i]);
    if (n_improved > 0)
        sl_doc_text(doc, NULL, "improved", "%d layer%s: the proof came upon a better mapping",
                    n_improved, n_improved == 1 ? "" : "s");
}

// ---- a line per distinct layer ----

static void add_value(SlDoc *doc, const SlMapped *mapped, const char *label, double value) {
    char text[SL_UNIT_ROOM];
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s",
                 sl_bound_show(&mapped->setup.goal, value, mapped->eval.accel.clock_mhz, text));
}

static void add_bound(SlDoc *doc, const SlMapped *mapped, double bound, double gap) {
    char text[SL_UNIT_ROOM];
    add_value(doc, mapped, "lower bound", bound);
    sl_doc_number(doc, NULL, "gap", SL_UNIT_SHARE, gap);
    sl_doc_shown(doc, "%s", sl_gap_show(gap, text));
}

static void add_row(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer,
                    const char *goal) {
    const SlProof *proof = &layer->task->proof;
    bool bound = sl_job_has_bound(layer->task);
    char text[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, layer->task->count);
    sl_doc_string(doc, NULL, "layer", layer->found->layer.name);
    add_value(doc, mapped, goal, proof->value);
    add_bound(doc, mapped, bound ? proof->lower_bound : (double)NAN,
              bound ? proof->gap : (double)NAN);
    sl_doc_number(doc, NULL, "nodes", SL_UNIT_COUNT, bound ? (double)proof->nodes : (double)NAN);
    sl_doc_string(doc, NULL, "proof", sl_proof_show(proof, mapped->setup.epsilon, text));
}

static void add_foot(SlDoc *doc, const SlMapped *mapped, const char *goal, double bound) {
    sl_doc_foot(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, mapped->eval.net.n_layers);
    sl_doc_string(doc, NULL, "layer", "network");
    add_value(doc, mapped, goal, mapped->value);
    add_bound(doc, mapped, bound, sl_network_gap(mapped->value, bound));
}

void sl_mapped_add_proof_table(SlDoc *doc, const SlMapped *mapped) {
    double bound = sl_job_bound(mapped->job);
    char goal[256];
    sl_goal_text(&mapped->setup.goal, sizeof goal, goal);
    const SlColumn columns[] = {
        SL_COLUMN(NULL, "layer", .cut = true),
        SL_COLUMN(NULL, "n"),
        SL_COLUMN(NULL, sl_doc_need(doc, sl_arena_text(mapped->arena, goal, strlen(goal)))),
        SL_COLUMN(NULL, "lower bound"),
        SL_COLUMN(NULL, "gap"),
        SL_COLUMN(NULL, "nodes"),
        SL_COLUMN(NULL, "proof"),
    };
    sl_doc_table(doc, NULL, "Proofs", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < mapped->n_layers; i++) add_row(doc, mapped, &mapped->layers[i], goal);
    if (!isnan(bound)) add_foot(doc, mapped, goal, bound);
    sl_doc_close(doc);
    sl_doc_words(
        doc,
        "One instance of each layer. lower bound: no mapping of the space is below it; %s. "
        "gap: how far above the optimum of the space the mapping is at most.",
        space_words(doc, mapped));
    if (sl_network_degree(&mapped->setup.goal) != 1 && !isnan(bound))
        sl_doc_words(doc, "network: a product of sums over all instances; its bound is not sharp, "
                          "even where every layer is optimal.");
}
