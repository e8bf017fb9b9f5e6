// map_proofs.c - what was proven of the layers, for reading: a table, sums, a sentence.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "proof_show.h"
#include "text_table.h"

// "native sizes, all orders"
void add_proof_space(const Map *map, SlText *out) {
    const SpaceChoice *choice = &map->options->space;
    sl_text_add(out, "%s sizes", sl_space_names[choice->preset]);
    if (choice->open) sl_text_add(out, ", %s open", choice->open);
    if (choice->constraints)
        sl_text_add(out, ", constraints %s", map->constraints.name);
    else
        sl_text_add(out, ", all orders");
}

// better than what the search had found
static bool is_improved(const MapLayer *layer) {
    return layer->job->proof.improved && layer->job->record.best.sample > 0;
}

// ---- one layer ----

void add_proof_layer(const Map *map, SlText *out) {
    const MapLayer *layer = &map->layers[0];
    const SlProof *proof = &layer->job->proof;
    SlText sentence, space;
    char count[32], text[SHOW_ROOM];
    if (!layer->job->proven) return;
    sl_text_init(&sentence, map->arena);
    sl_text_init(&space, map->arena);
    add_proof_space(map, &space);
    add_proof_sentence(&map->goal, proof, space.data, &sentence);
    if (sentence.failed || space.failed) command_no_memory();
    show_wrapped("Proven       ", "             ", sentence.data, out);
    if (!layer_has_bound(layer)) return;
    sl_text_add(out, "Nodes        %s", sl_show_count((double)proof->nodes, count));
    if (is_improved(layer))
        sl_text_add(out, ", and a better mapping among them: the search had %s",
                    show_value(&map->goal, proof->start, text));
    sl_text_add(out, "\n");
}

// ---- one line per distinct layer ----

static void add_row(TextTable *table, const Map *map, const MapLayer *layer) {
    const SlProof *proof = &layer->job->proof;
    bool bound = layer_has_bound(layer);
    char text[SHOW_ROOM], count[32];
    table_row(table);
    table_cell(table, "%d", layer->job->count);
    table_cell(table, "%s", layer->found->layer.name);
    table_cell(table, "%s", show_value(&map->goal, proof->value, text));
    table_cell(table, "%s", show_value(&map->goal, bound ? proof->lower_bound : NAN, text));
    table_cell(table, "%s", show_gap(bound ? proof->gap : NAN, text));
    table_cell(table, "%s", bound ? sl_show_count((double)proof->nodes, count) : "-");
    table_cell(table, "%s", show_proof(proof, map->epsilon, text));
}

static void add_total_row(TextTable *table, const Map *map) {
    char text[SHOW_ROOM];
    table_rule(table);
    table_row(table);
    table_cell(table, "%d", map->eval.net.n_layers);
    table_cell(table, "network");
    table_cell(table, "%s", show_value(&map->goal, map_total(map, &map->eval), text));
    table_cell(table, "%s", show_value(&map->goal, map_total_bound(map), text));
    table_cell(table, "%s", show_gap(map_total_gap(map), text));
}

void add_proof_table(const Map *map, SlText *out) {
    TextTable table;
    char heads[384], goal[256];
    const char *unit = sl_goal_unit(&map->goal);
    SlText bound;
    if (!map->prove) return;
    sl_text_init(&bound, map->arena);
    sl_text_add(&bound, "no mapping of the space is below it%s%s; ", unit[0] ? ", in " : "", unit);
    add_proof_space(map, &bound);
    sl_text_add(&bound, ".");
    if (bound.failed) command_no_memory();
    snprintf(heads, sizeof heads, "n|~layer|%s|lower bound|gap|nodes|<proof",
             sl_goal_text(&map->goal, sizeof goal, goal));
    table_init(&table, map->arena, heads);
    for (int i = 0; i < map->n_layers; i++) add_row(&table, map, &map->layers[i]);
    if (!isnan(map_total_bound(map))) add_total_row(&table, map);
    table_draw(&table, out);
    sl_text_add(out, "\n");
    show_wrapped("lower bound: ", "             ", bound.data, out);
    sl_text_add(
        out, "gap: how far above the optimum of the space the mapping is at most.\n%s\n",
        map_is_product(map) && !isnan(map_total_bound(map))
            ? "network: a product of sums; its bound is not sharp, even where every layer is "
              "optimal.\n"
            : "");
}

// ---- sums ----

typedef struct {
    int n[SL_N_PROOFS], n_improved;
    int n_unbounded; // stopped before there was a bound; not among n
    double worst;    // gap of those that were stopped
    const char *reason;
} Tally;

static Tally tally(const Map *map) {
    Tally sum = {.worst = 0};
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        const SlProof *proof = &layer->job->proof;
        sum.n_improved += is_improved(layer);
        bool stopped = proof->status == SL_PROOF_STOPPED;
        if (stopped && !layer_has_bound(layer))
            sum.n_unbounded++;
        else
            sum.n[proof->status]++;
        if (stopped && layer_has_bound(layer)) sum.worst = fmax(sum.worst, proof->gap);
        if (proof->status == SL_PROOF_UNCOVERED) sum.reason = proof->reason;
    }
    return sum;
}

// ", 3 stopped"
static void add_part(SlText *line, int n, const char *what) {
    if (n > 0) sl_text_add(line, "%s%d %s", line->n > 0 ? ", " : "", n, what);
}

static void add_counts(const Map *map, const Tally *sum, SlText *line) {
    char within[SHOW_ROOM], worst[SHOW_ROOM];
    snprintf(within, sizeof within, "within %g %%", 100 * map->epsilon);
    add_part(line, sum->n[SL_PROOF_OPTIMAL], "optimal");
    add_part(line, sum->n[SL_PROOF_WITHIN], within);
    add_part(line, sum->n[SL_PROOF_STOPPED], "stopped");
    if (sum->worst > 0) sl_text_add(line, " (largest gap %s)", show_gap(sum->worst, worst));
    add_part(line, sum->n_unbounded, "stopped before there was a bound");
    add_part(line, sum->n[SL_PROOF_OUTSIDE], "outside the space and better than it");
    add_part(line, sum->n[SL_PROOF_UNCOVERED], "without a proof");
    if (sum->reason) sl_text_add(line, ": %s", sum->reason);
}

void add_proof_counts(const Map *map, SlText *out) {
    SlText line;
    Tally sum = tally(map);
    int n = map->n_layers;
    sl_text_init(&line, map->arena);
    add_counts(map, &sum, &line);
    if (line.failed) command_no_memory();
    bool alike = atoi(line.data) == n; // the first part is all of them
    if (n > 1 && alike)
        sl_text_add(out, "all %d layers %s", n, line.data + strcspn(line.data, " ") + 1);
    else
        sl_text_add(out, "%d layer%s: %s", n, n == 1 ? "" : "s", line.data);
}

void add_proof_sums(const Map *map, SlText *out) {
    SlText line;
    if (!map->prove) return;
    Tally sum = tally(map);
    sl_text_init(&line, map->arena);
    add_proof_counts(map, &line);
    if (line.failed) command_no_memory();
    show_wrapped("Proven       ", "             ", line.data, out);
    if (sum.n_improved > 0)
        sl_text_add(out, "Improved     %d layer%s: the proof came upon a better mapping\n",
                    sum.n_improved, sum.n_improved == 1 ? "" : "s");
}
