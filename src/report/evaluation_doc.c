// evaluation_doc.c - what documents of evaluations and of mapped networks share: names, shapes,
// figures, loop nests.
#include "doc_inside.h"
#include "evaluation_parts.h"
#include "page.h"

#include <math.h>
#include <stdio.h>

#include "starling/draw.h"

// ---- names and shapes ----

static void add_pair(SlDoc *doc, const char *key, const int32_t values[2]) {
    sl_doc_numbers(doc, key, 2, (const double[]){values[0], values[1]});
}

void sl_doc_shape(SlDoc *doc, const SlLayer *layer) {
    char text[384];
    sl_doc_text(doc, "type", NULL, "%s", sl_layer_type_names[layer->type]);
    sl_doc_string(doc, "inline", NULL, sl_layer_write(layer, sizeof text, text));
    sl_doc_open(doc, "dims", NULL);
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_doc_number(doc, sl_dim_names[d], NULL, SL_UNIT_COUNT, (double)layer->dims[d]);
    sl_doc_close(doc);
    add_pair(doc, "stride", layer->stride);
    add_pair(doc, "dilation", layer->dilation);
    add_pair(doc, "pad", layer->pad);
}

void sl_doc_workload(SlDoc *doc, const SlEvaluation *eval) {
    sl_doc_open(doc, "workload", NULL);
    sl_doc_string(doc, "name", NULL, eval->net.name);
    sl_doc_string(doc, "title", NULL, eval->net.title);
    sl_doc_number(doc, "batch", NULL, SL_UNIT_COUNT, (double)eval->batch);
    sl_doc_number(doc, "n_layers", NULL, SL_UNIT_COUNT, eval->net.n_layers);
    sl_doc_number(doc, "n_distinct", NULL, SL_UNIT_COUNT, eval->n_distinct);
    sl_doc_skipped(doc, &eval->net);
    sl_doc_close(doc);
}

void sl_doc_skipped(SlDoc *doc, const SlNetwork *net) {
    if (!net->n_skipped) return;
    sl_doc_list(doc, "skipped");
    for (int i = 0; i < net->n_skipped; i++) sl_doc_string(doc, NULL, NULL, net->skipped[i]);
    sl_doc_close(doc);
}

void sl_doc_skipped_words(SlDoc *doc, const SlNetwork *net) {
    enum { SHOWN = 10 };
    if (!net->n_skipped) return;
    sl_doc_warn(doc, "LEFT OUT: %d node%s whose MACs are not counted.", net->n_skipped,
                net->n_skipped > 1 ? "s" : "");
    for (int i = 0; i < net->n_skipped && i < SHOWN; i++) sl_doc_words(doc, "%s", net->skipped[i]);
    if (net->n_skipped > SHOWN) sl_doc_words(doc, "and %d more", net->n_skipped - SHOWN);
}

void sl_doc_accel(SlDoc *doc, const SlAccel *accel) {
    sl_doc_open(doc, "accel", NULL);
    sl_doc_string(doc, "name", NULL, accel->name);
    sl_doc_string(doc, "title", NULL, accel->title);
    sl_doc_number(doc, "macs", NULL, SL_UNIT_COUNT, (double)sl_accel_macs(accel));
    sl_doc_number(doc, "clock_mhz", NULL, SL_UNIT_PLAIN, accel->clock_mhz);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, sl_accel_area_um2(accel));
    sl_doc_close(doc);
}

void sl_doc_edp(SlDoc *doc, const char *key, const char *label, double pj_cycles,
                double clock_mhz) {
    char text[SL_UNIT_ROOM];
    sl_doc_number(doc, key, label, SL_UNIT_PLAIN, pj_cycles);
    sl_doc_shown(doc, "%s", sl_unit_show(SL_UNIT_JS, pj_cycles * 1e-12 / (clock_mhz * 1e6), text));
}

// ---- figures ----

// Bars of the layers: values (n_layers, n_parts) of a unit.
typedef struct {
    const char *title, *of; // "Energy by layer", "energy"
    SlUnit unit;
    int n_parts;
    const char *const *parts;
    double *values;
    const double *wholes; // (n_layers) that stand right of the bars
} LayerBars;

static const char **layer_notes(SlArena *arena, int n, const LayerBars *bars) {
    const char **notes = SL_NEW(arena, n, const char *);
    char(*room)[SL_UNIT_ROOM] = sl_arena_alloc(arena, (size_t)n, sizeof *room);
    if (!notes || !room) return NULL;
    for (int i = 0; i < n; i++) notes[i] = sl_unit_show(bars->unit, bars->wholes[i], room[i]);
    return notes;
}

// NULL without memory
static const char *draw_layers(const SlEvaluation *eval, const LayerBars *bars) {
    SlArena *arena = eval->arena;
    int n = eval->net.n_layers, n_values = n * bars->n_parts;
    const char **names = SL_NEW(arena, n, const char *), **notes = layer_notes(arena, n, bars);
    char unit[SL_UNIT_ROOM], axis[2 * SL_UNIT_ROOM];
    double most = 0;
    SlText svg;
    if (!names || !notes) return NULL;
    for (int i = 0; i < n; i++) {
        names[i] = eval->net.layers[i].name;
        most = fmax(most, bars->wholes[i]);
    }
    double scale = sl_unit_axis(bars->unit, most, unit);
    for (int i = 0; i < n_values; i++) bars->values[i] *= scale;
    snprintf(axis, sizeof axis, "%s, %s", bars->of, unit);
    const SlStackPlot plot = {.n = n,
                              .n_parts = bars->n_parts,
                              .names = names,
                              .parts = bars->parts,
                              .values = bars->values,
                              .notes = notes,
                              .title = bars->title,
                              .x_label = axis};
    sl_text_init(&svg, arena);
    sl_draw_stack_svg(&plot, &svg);
    return svg.failed ? NULL : svg.data;
}

// Places that energy goes to: the levels, all networks together, the MACs.
enum { MAX_PLACES = SL_MAX_LEVELS + 2 };

static int list_places(const SlAccel *accel, const char *places[static MAX_PLACES]) {
    int n = accel->n_levels;
    for (int l = 0; l < n; l++) places[l] = accel->levels[l].name;
    places[n] = "networks";
    places[n + 1] = "MACs";
    return n + 2;
}

static double place_pj(const SlAccel *accel, const SlBreakdown *parts, int place) {
    int n = accel->n_levels;
    double sum = 0;
    if (place > n) return parts->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (place < n) sum += parts->level_pj[place][t];
        for (int l = 0; l < n && place == n; l++) sum += parts->link_pj[l][t];
    }
    return sum;
}

void sl_doc_energy_figure(SlDoc *doc, const SlEvaluation *eval) {
    if (!doc) return;
    SlArena *arena = eval->arena;
    const char *places[MAX_PLACES];
    int n = eval->net.n_layers, n_places = list_places(&eval->accel, places);
    double *values = SL_NEW(arena, n * n_places, double), *wholes = SL_NEW(arena, n, double);
    if (!values || !wholes) {
        sl_doc_fail(doc);
        return;
    }
    for (int i = 0; i < n; i++) {
        wholes[i] = eval->layers[i]->cost.energy_pj;
        for (int p = 0; p < n_places; p++)
            values[i * n_places + p] = place_pj(&eval->accel, &eval->layers[i]->parts, p);
    }
    const LayerBars bars = {.title = n > 1 ? "Energy by layer" : "Energy",
                            .of = "energy",
                            .unit = SL_UNIT_PJ,
                            .n_parts = n_places,
                            .parts = places,
                            .values = values,
                            .wholes = wholes};
    sl_doc_figure(doc, "energy", draw_layers(eval, &bars),
                  n > 1 ? "Where the energy of every layer is spent." : "Where the energy goes.");
}

void sl_doc_latency_figure(SlDoc *doc, const SlEvaluation *eval) {
    if (!doc) return;
    static const char *const parts[] = {"floor: no mapping is faster", "above the floor"};
    SlArena *arena = eval->arena;
    int n = eval->net.n_layers;
    double *values = SL_NEW(arena, 2 * n, double), *wholes = SL_NEW(arena, n, double);
    if (!values || !wholes) {
        sl_doc_fail(doc);
        return;
    }
    for (int i = 0; i < n; i++) {
        const SlPriced *priced = eval->layers[i];
        double floor = sl_evaluation_seconds(eval, priced->floor.value[SL_LATENCY]);
        wholes[i] = sl_evaluation_seconds(eval, priced->cost.latency_cycles);
        values[2 * i] = floor;
        values[2 * i + 1] = wholes[i] - floor;
    }
    const LayerBars bars = {.title = "Latency by layer",
                            .of = "time",
                            .unit = SL_UNIT_SECONDS,
                            .n_parts = 2,
                            .parts = parts,
                            .values = values,
                            .wholes = wholes};
    sl_doc_figure(doc, "latency", draw_layers(eval, &bars),
                  "The time of every layer, and the least that any mapping of it needs.");
}

// ---- loop nests ----

static void add_loop_nest(SlDoc *doc, const SlEvaluation *eval, int i) {
    const SlPriced *priced = eval->layers[i];
    char nest[SL_NEST_TEXT_MAX], label[SL_NEST_TEXT_MAX + 96];
    SlText drawing;
    sl_text_init(&drawing, eval->arena);
    sl_mapping_draw(&priced->layer, &eval->accel, &priced->mapping, &drawing);
    if (drawing.failed) sl_doc_fail(doc);
    snprintf(label, sizeof label, "**%s** `%s`", eval->net.layers[i].name,
             sl_mapping_write(&priced->mapping, sizeof nest, nest));
    sl_doc_listing(doc, NULL, label, drawing.data);
}

void sl_doc_loop_nests(SlDoc *doc, const SlEvaluation *eval) {
    if (!doc) return;
    sl_doc_detail(doc, true);
    sl_doc_heading(doc, "Loop nests");
    sl_doc_words(doc, "One per distinct layer.");
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) seen = eval->layers[j] == eval->layers[i];
        if (!seen) add_loop_nest(doc, eval, i);
    }
    sl_doc_detail(doc, false);
}
