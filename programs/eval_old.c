// eval_old.c - forms of evaluations by hand, for `starling map` until it is a document.
#include <jansson.h>
#include <stdio.h>

#include "command.h"
#include "eval.h"
#include "eval_csv.h"
#include "show.h"
#include "starling/report.h"

// ---- JSON ----

static json_t *pair(const int32_t values[2]) {
    json_t *list = command_need(json_array());
    json_add(list, json_integer(values[0]));
    json_add(list, json_integer(values[1]));
    return list;
}

void json_put_shape(json_t *to, const SlLayer *layer) {
    char text[160];
    json_t *dims = command_need(json_object());
    for (int d = 0; d < SL_N_DIMS; d++)
        json_put_number(dims, sl_dim_names[d], (double)layer->dims[d]);
    json_put_text(to, "type", sl_layer_type_names[layer->type]);
    json_put_text(to, "inline", sl_layer_write(layer, sizeof text, text));
    json_put(to, "dims", dims);
    json_put(to, "stride", pair(layer->stride));
    json_put(to, "dilation", pair(layer->dilation));
    json_put(to, "pad", pair(layer->pad));
}

json_t *evaluation_workload_json(const Evaluation *eval) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", eval->net.name);
    json_put_text(to, "title", eval->net.title);
    json_put(to, "batch", json_integer(eval->options->batch));
    json_put(to, "n_layers", json_integer(eval->net.n_layers));
    json_put(to, "n_distinct", json_integer(eval->n_distinct));
    return to;
}

json_t *accel_json(const SlAccel *accel) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", accel->name);
    json_put_text(to, "title", accel->title);
    json_put_number(to, "macs", (double)sl_accel_macs(accel));
    json_put_number(to, "clock_mhz", accel->clock_mhz);
    json_put_number(to, "area_um2", sl_accel_area_um2(accel));
    return to;
}

// ---- CSV ----

// fan-outs that have a spatial loop; the flags of the others change nothing
static int used_fanouts(const SlMapping *mapping) {
    int used = 0;
    for (int i = 0, level = 0; i < mapping->n_loops; i++) {
        while (level < mapping->n_boundaries && mapping->at[level] <= i) level++;
        if (mapping->loops[i].spatial) used |= 1 << level;
    }
    return used;
}

// "1.1": multicast and reduction; a digit per fan-out from the outside in where they differ
static void add_net(const SlAccel *accel, const SlMapping *mapping, SlText *out) {
    SlNet net = sl_accel_net(accel);
    int used = used_fanouts(mapping);
    const int masks[] = {net.multicast, net.reduction};
    for (int m = 0; m < 2; m++) {
        int on = masks[m] & used;
        if (m) sl_text_put(out, ".", 1);
        if (on == used || on == 0)
            sl_text_put(out, on == used ? "1" : "0", 1);
        else
            for (int l = 0; l < accel->n_levels; l++)
                sl_text_put(out, masks[m] >> l & 1 ? "1" : "0", 1);
    }
}

static void add_layer(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    const SlLayer *layer = &priced->layer;
    char nest[SL_NEST_TEXT_MAX];
    sl_text_add(out, "%d,", i + 1);
    sl_csv_put(eval->net.layers[i].name, out);
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(out, "%c%lld", d ? '.' : ',', (long long)layer->dims[d]);
    sl_text_add(out, ",%d.%d.%d.%d,", layer->stride[0], layer->stride[1], layer->dilation[0],
                layer->dilation[1]);
    add_net(&eval->accel, &priced->mapping, out);
    sl_text_add(out, ",%s", sl_mapping_write(&priced->mapping, sizeof nest, nest));
    csv_counts(&priced->cost.counts, eval->accel.n_levels - 1, out);
    csv_costs(&priced->cost, out);
}

void add_layers_csv(const Evaluation *eval, const CsvColumns *more, SlText *out) {
    sl_text_add(out, "id,layer,ext,conv,net,nest");
    csv_counts_header(eval->accel.n_levels - 1, out);
    csv_costs_header(eval->accel.n_levels, out);
    sl_text_add(out, "%s\n", more ? more->header : "");
    for (int i = 0; i < eval->net.n_layers; i++) {
        add_layer(eval, i, out);
        if (more) more->add(more->context, i, out);
        sl_text_put(out, "\n", 1);
    }
}

// ---- bars ----

static void page_bars_begin(SlText *out) {
    sl_text_add(out, "<div class=\"chart\">\n");
}

static void page_bars_end(SlText *out) {
    sl_text_add(out, "</div>\n");
}

static void page_bar_begin(const char *name, double share, SlText *out) {
    sl_text_add(out, "<span class=\"name\">");
    sl_page_text(name, out);
    sl_text_add(out, "</span><div><div class=\"bar\" style=\"width:%.2f%%\">", 100 * share);
}

static void page_bar_piece(const char *color, const char *name, const char *value, double share,
                           SlText *out) {
    if (!(share > 0)) return;
    sl_text_add(out, "<i style=\"background:var(--%s);width:%.2f%%\" title=\"", color, 100 * share);
    sl_page_text(name, out);
    sl_text_add(out, " %s\"></i>", value);
}

static void page_bar_end(const char *value, SlText *out) {
    sl_text_add(out, "</div></div><span class=\"value\">%s</span>\n", value);
}

// ---- charts ----

// Places that energy goes to: the levels, all networks together, the MACs.
enum { MAX_PLACES = SL_MAX_LEVELS + 2 };

typedef struct {
    char color[16]; // of the style sheet
    const char *name;
} Place;

static int list_places(const SlAccel *accel, Place places[static MAX_PLACES]) {
    int n = 0;
    for (; n < accel->n_levels; n++) {
        places[n].name = accel->levels[n].name;
        snprintf(places[n].color, sizeof places[n].color, "c%d", n);
    }
    places[n++] = (Place){"net", "networks"};
    places[n++] = (Place){"mac", "MACs"};
    return n;
}

static double place_pj(const Evaluation *eval, const Priced *priced, int place) {
    const SlBreakdown *parts = &priced->parts;
    int n = eval->accel.n_levels;
    double sum = 0;
    if (place > n) return parts->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (place < n) sum += parts->level_pj[place][t];
        for (int l = 0; l < n && place == n; l++) sum += parts->link_pj[l][t];
    }
    return sum;
}

void add_energy_chart(const Evaluation *eval, SlText *out) {
    Place places[MAX_PLACES];
    char text[SHOW_ROOM];
    int n = list_places(&eval->accel, places);
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.energy_pj > most) most = eval->layers[i]->cost.energy_pj;
    sl_text_add(out, "<h2>Energy by layer</h2>\n<div class=\"key\">");
    for (int p = 0; p < n; p++) sl_page_key(out, places[p].color, places[p].name);
    sl_text_add(out, "</div>\n");
    page_bars_begin(out);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double whole = priced->cost.energy_pj;
        page_bar_begin(eval->net.layers[i].name, whole / most, out);
        for (int p = 0; p < n; p++) {
            double pj = place_pj(eval, priced, p);
            page_bar_piece(places[p].color, places[p].name, show_energy(pj, text), pj / whole, out);
        }
        page_bar_end(show_energy(whole, text), out);
    }
    page_bars_end(out);
}

void add_latency_chart(const Evaluation *eval, SlText *out) {
    char text[SHOW_ROOM];
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.latency_cycles > most)
            most = eval->layers[i]->cost.latency_cycles;
    sl_text_add(out, "<h2>Latency by layer</h2>\n<div class=\"key\">");
    sl_page_key(out, "floor", "floor: no mapping is faster");
    sl_page_key(out, "above", "above the floor");
    sl_text_add(out, "</div>\n");
    page_bars_begin(out);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double cycles = priced->cost.latency_cycles, least = priced->floor.value[SL_LATENCY];
        page_bar_begin(eval->net.layers[i].name, cycles / most, out);
        page_bar_piece("floor", "floor", show_seconds(evaluation_seconds(eval, least), text),
                       least / cycles, out);
        show_seconds(evaluation_seconds(eval, cycles - least), text);
        page_bar_piece("above", "above the floor", text, 1 - least / cycles, out);
        page_bar_end(show_seconds(evaluation_seconds(eval, cycles), text), out);
    }
    page_bars_end(out);
}

// ---- loop nests ----

static void add_nest(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    char nest[SL_NEST_TEXT_MAX];
    SlText drawing;
    sl_text_init(&drawing, eval->arena);
    sl_mapping_draw(&priced->layer, &eval->accel, &priced->mapping, &drawing);
    if (drawing.failed) command_no_memory();
    sl_text_add(out, "<details><summary>");
    sl_page_text(eval->net.layers[i].name, out);
    sl_text_add(out, " <span>");
    sl_page_text(sl_mapping_write(&priced->mapping, sizeof nest, nest), out);
    sl_text_add(out, "</span></summary><pre>");
    sl_page_text(drawing.data, out);
    sl_text_add(out, "</pre></details>\n");
}

void add_nests(const Evaluation *eval, SlText *out) {
    sl_text_add(out, "<h2>Loop nests</h2>\n<p>One per distinct layer.</p>\n");
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) seen = eval->layers[j] == eval->layers[i];
        if (!seen) add_nest(eval, i, out);
    }
}
