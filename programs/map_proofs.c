// map_proofs.c - what was proven of the layers, for machines and for reading: a card, sentences, a
// table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "starling/report/proof_words.h"

// "native sizes, all orders"
static const char *space_words(const Map *map) {
    const SpaceChoice *choice = &map->options->space;
    SlText out;
    sl_text_init(&out, map->arena);
    sl_text_add(&out, "%s sizes", sl_space_names[choice->preset]);
    if (choice->open) sl_text_add(&out, ", %s open", choice->open);
    if (choice->constraints)
        sl_text_add(&out, ", constraints %s", map->constraints.name);
    else
        sl_text_add(&out, ", all orders");
    if (out.failed) call_no_memory();
    return out.data;
}

// better than what the search had found
static bool is_improved(const MapLayer *layer) {
    return layer->job->proof.improved && layer->job->record.best.sample > 0;
}

// ---- for machines ----

void map_add_proof(const Map *map, const MapLayer *layer, SlDoc *doc) {
    const SlProof *proof = &layer->job->proof;
    bool bound = sl_job_has_bound(layer->job);
    sl_doc_number(doc, "lower_bound", NULL, SL_UNIT_PLAIN,
                  bound ? proof->lower_bound : (double)NAN);
    sl_doc_number(doc, "gap", NULL, SL_UNIT_PLAIN, bound ? proof->gap : (double)NAN);
    if (layer->job->proven) {
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
    add_certificate(map, layer, doc);
}

// ---- in the sums and in the table of layers ----

// the largest one; "-" where a layer has no bound
void map_add_gap_card(const Map *map, SlDoc *doc) {
    char gap[SL_UNIT_ROOM];
    double most = 0;
    for (int i = 0; i < map->n_layers && isfinite(most); i++) {
        const SlJobTask *task = map->layers[i].job;
        most = sl_job_has_bound(task) ? fmax(most, task->proof.gap) : (double)INFINITY;
    }
    sl_doc_string(doc, NULL, "proven gap", sl_gap_show(most, gap));
    sl_doc_remark(doc, map->n_layers > 1 ? "no layer is farther from the optimum of its space"
                                         : "from the optimum of the space at most");
}

// how far above the optimum the mapping is at most, or why that is not known to be little; NULL:
// the network
void map_add_proof_cell(const Map *map, const MapLayer *layer, SlDoc *doc) {
    char text[SL_UNIT_ROOM];
    if (!map->prove) return;
    if (!layer)
        sl_gap_show(sl_network_gap(map->value, sl_job_bound(map->job)), text);
    else if (layer->job->proof.status == SL_PROOF_WITHIN)
        sl_gap_show(layer->job->proof.gap, text);
    else
        sl_proof_show(&layer->job->proof, map->epsilon, text);
    sl_doc_string(doc, NULL, "proven gap", text);
}

// ---- sentences ----

static void add_layer_proven(const Map *map, SlDoc *doc) {
    const MapLayer *layer = &map->layers[0];
    const SlProof *proof = &layer->job->proof;
    SlText sentence;
    char text[SL_UNIT_ROOM];
    if (!layer->job->proven) return;
    sl_text_init(&sentence, map->arena);
    sl_proof_sentence(&map->goal, proof, space_words(map), &sentence);
    sl_doc_string(doc, NULL, "proven", sentence.data);
    if (!sl_job_has_bound(layer->job)) return;
    sl_doc_number(doc, NULL, "nodes", SL_UNIT_COUNT, (double)proof->nodes);
    if (is_improved(layer))
        sl_doc_remark(doc, "and a better mapping among them: the search had %s",
                      sl_bound_show(&map->goal, proof->start, text));
}

// how many layers the proofs of a status have; stopped: with a bound, or without
static int count(const Map *map, SlProofStatus status, bool bound) {
    int n = 0;
    for (int i = 0; i < map->n_layers; i++) {
        const SlJobTask *task = map->layers[i].job;
        bool other = status == SL_PROOF_STOPPED && sl_job_has_bound(task) != bound;
        n += task->proof.status == status && !other;
    }
    return n;
}

// the largest gap of those that were stopped
static double worst_gap(const Map *map) {
    double worst = 0;
    for (int i = 0; i < map->n_layers; i++) {
        const SlJobTask *task = map->layers[i].job;
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
static void add_counts(const Map *map, SlText *line) {
    char within[SL_UNIT_ROOM], worst[SL_UNIT_ROOM];
    int n_open = count(map, SL_PROOF_UNCOVERED, false);
    snprintf(within, sizeof within, "within %g %%", 100 * map->epsilon);
    add_part(line, count(map, SL_PROOF_OPTIMAL, true), "optimal");
    add_part(line, count(map, SL_PROOF_WITHIN, true), within);
    add_part(line, count(map, SL_PROOF_STOPPED, true), "stopped");
    if (worst_gap(map) > 0)
        sl_text_add(line, " (largest gap %s)", sl_gap_show(worst_gap(map), worst));
    add_part(line, count(map, SL_PROOF_STOPPED, false), "stopped before there was a bound");
    add_part(line, count(map, SL_PROOF_OUTSIDE, true), "outside the space and better than it");
    add_part(line, n_open, "without a proof");
    for (int i = 0; i < map->n_layers && n_open > 0; i++) {
        if (map->layers[i].job->proof.status != SL_PROOF_UNCOVERED) continue;
        sl_text_add(line, ": %s", map->layers[i].job->proof.reason);
        break;
    }
}

void map_add_proven(const Map *map, SlDoc *doc) {
    int n = map->n_layers, n_improved = 0;
    SlText line;
    if (map->eval.net.n_layers == 1) {
        add_layer_proven(map, doc);
        return;
    }
    sl_text_init(&line, map->arena);
    add_counts(map, &line);
    if (line.failed) call_no_memory();
    bool alike = atoi(line.data) == n; // the first part is all of them
    if (n > 1 && alike)
        sl_doc_text(doc, NULL, "proven", "all %d layers %s", n, strchr(line.data, ' ') + 1);
    else
        sl_doc_text(doc, NULL, "proven", "%d layer%s: %s", n, n == 1 ? "" : "s", line.data);
    for (int i = 0; i < n; i++) n_improved += is_improved(&map->layers[i]);
    if (n_improved > 0)
        sl_doc_text(doc, NULL, "improved", "%d layer%s: the proof came upon a better mapping",
                    n_improved, n_improved == 1 ? "" : "s");
}

// ---- a line per distinct layer ----

static void add_value(const Map *map, const char *label, double value, SlDoc *doc) {
    char text[SL_UNIT_ROOM];
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s", sl_bound_show(&map->goal, value, text));
}

static void add_bound(const Map *map, double bound, double gap, SlDoc *doc) {
    char text[SL_UNIT_ROOM];
    add_value(map, "lower bound", bound, doc);
    sl_doc_number(doc, NULL, "gap", SL_UNIT_SHARE, gap);
    sl_doc_shown(doc, "%s", sl_gap_show(gap, text));
}

static void add_row(const Map *map, const MapLayer *layer, const char *goal, SlDoc *doc) {
    const SlProof *proof = &layer->job->proof;
    bool bound = sl_job_has_bound(layer->job);
    char text[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, layer->job->count);
    sl_doc_string(doc, NULL, "layer", layer->found->layer.name);
    add_value(map, goal, proof->value, doc);
    add_bound(map, bound ? proof->lower_bound : (double)NAN, bound ? proof->gap : (double)NAN, doc);
    sl_doc_number(doc, NULL, "nodes", SL_UNIT_COUNT, bound ? (double)proof->nodes : (double)NAN);
    sl_doc_string(doc, NULL, "proof", sl_proof_show(proof, map->epsilon, text));
}

static void add_foot(const Map *map, const char *goal, double bound, SlDoc *doc) {
    sl_doc_foot(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, map->eval.net.n_layers);
    sl_doc_string(doc, NULL, "layer", "network");
    add_value(map, goal, map->value, doc);
    add_bound(map, bound, sl_network_gap(map->value, bound), doc);
}

void map_add_proof_table(const Map *map, SlDoc *doc) {
    const char *unit = sl_goal_unit(&map->goal);
    double bound = sl_job_bound(map->job);
    char goal[256];
    sl_goal_text(&map->goal, sizeof goal, goal);
    const SlColumn columns[] = {
        SL_COLUMN(NULL, "layer", .cut = true),
        SL_COLUMN(NULL, "n"),
        SL_COLUMN(NULL, call_need((void *)sl_arena_text(map->arena, goal, strlen(goal)))),
        SL_COLUMN(NULL, "lower bound"),
        SL_COLUMN(NULL, "gap"),
        SL_COLUMN(NULL, "nodes"),
        SL_COLUMN(NULL, "proof"),
    };
    sl_doc_table(doc, NULL, "Proofs", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < map->n_layers; i++) add_row(map, &map->layers[i], goal, doc);
    if (!isnan(bound)) add_foot(map, goal, bound, doc);
    sl_doc_close(doc);
    sl_doc_words(doc,
                 "lower bound: no mapping of the space is below it%s%s; %s. gap: how far above the "
                 "optimum of the space the mapping is at most.",
                 unit[0] ? ", in " : "", unit, space_words(map));
    if (sl_network_degree(&map->goal) != 1 && !isnan(bound))
        sl_doc_words(doc, "network: a product of sums; its bound is not sharp, even where every "
                          "layer is optimal.");
}
