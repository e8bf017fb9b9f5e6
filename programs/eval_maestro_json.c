// eval_maestro_json.c - an evaluation in MAESTRO's model as a JSON document
// (docs/formats/maestro-json.md).
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "eval_maestro.h"

static json_t *object(void) {
    return command_need(json_object());
}

static json_t *array(void) {
    return command_need(json_array());
}

// ---- MAESTRO's numbers ----

static void put_whole(json_t *to, const char *key, int64_t value) {
    json_put(to, key, json_integer(value));
}

static void put_delays(json_t *to, const char *what, SlMaestroDelay delays) {
    const int64_t values[] = {delays.min, delays.max, delays.avg};
    static const char *const names[] = {"min", "max", "avg"};
    for (int i = 0; i < 3; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_delay_%s", what, names[i]);
        // MAESTRO prints the smallest number where no step computes anything
        json_put(to, key, values[i] == INT64_MIN ? json_null() : json_integer(values[i]));
    }
}

static void put_accesses(json_t *to, const char *what, const SlMaestroCost *cost, SlTensor tensor) {
    const int64_t values[] = {cost->l1_read[tensor], cost->l1_write[tensor], cost->l2_read[tensor],
                              cost->l2_write[tensor]};
    static const char *const names[] = {"l1_read", "l1_write", "l2_read", "l2_write"};
    char key[32];
    for (int i = 0; i < 4; i++) {
        snprintf(key, sizeof key, "%s_%s", what, names[i]);
        put_whole(to, key, values[i]);
    }
    snprintf(key, sizeof key, "%s_reuse_factor", what);
    json_put_number(to, key, (double)values[0] / (double)values[1]);
}

static void put_rates(const SlMaestroCost *cost, json_t *to) {
    double macs = (double)cost->macs, throughput = macs / (double)cost->runtime_cycles;
    json_put_number(to, "throughput", throughput);
    json_put_number(to, "throughput_per_energy", throughput / cost->energy_nj * 1e9);
    json_put_number(to, "area", cost->area_um2);
    json_put_number(to, "power", cost->power_mw);
    put_whole(to, "noc_bw_req", cost->peak_bw);
    json_put_number(to, "avg_bw_req", cost->avg_bw);
    put_whole(to, "peak_bw_req", cost->peak_bw);
}

static void put_middle(const SlMaestroCost *cost, json_t *to) {
    put_whole(to, "offchip_bw_req", cost->offchip_bw);
    put_whole(to, "l2_size_req", cost->l2_bytes);
    put_whole(to, "l1_size_req", cost->l1_bytes);
    json_put_number(to, "multicasting_factor_weight",
                    (double)cost->l1_write[SL_W] / (double)cost->l2_read[SL_W]);
    json_put_number(to, "multicasting_factor_input",
                    (double)cost->l1_write[SL_I] / (double)cost->l2_read[SL_I]);
    put_whole(to, "num_input_pixels", cost->input_pixels);
    put_whole(to, "num_weight_pixels", cost->weight_pixels);
    json_put_number(to, "ops_per_joule", (double)cost->macs / cost->energy_nj * 1e9);
    put_whole(to, "num_macs", cost->macs);
    json_put_number(to, "pe_power", cost->pe_mw);
    json_put_number(to, "l1_power", cost->l1_mw);
    json_put_number(to, "l2_power", cost->l2_mw);
    json_put_number(to, "noc_power", cost->noc_mw);
}

// the columns of the CSV in their order, then what only the screen shows
static json_t *columns(const MaestroEval *eval, int i) {
    const SlMaestroCost *cost = &eval->layers[i].cost;
    json_t *to = object();
    json_put_text(to, "network_name", eval->net.name);
    json_put_text(to, "layer_name", eval->net.layers[i].name);
    put_whole(to, "num_pes", eval->hardware.num_pes);
    put_whole(to, "runtime", cost->runtime_cycles);
    json_put_number(to, "energy_nj", cost->energy_nj);
    put_rates(cost, to);
    put_whole(to, "vector_width", eval->hardware.simd_lanes);
    put_middle(cost, to);
    put_accesses(to, "input", cost, SL_I);
    put_accesses(to, "filter", cost, SL_W);
    put_accesses(to, "output", cost, SL_O);
    put_delays(to, "ingress", cost->ingress);
    put_delays(to, "egress", cost->egress);
    put_delays(to, "compute", cost->compute);
    json_put_number(to, "avg_utilized_pes", cost->active_pes);
    json_put_number(to, "arithmetic_intensity", cost->intensity);
    json_put_number(to, "screen_energy", (double)cost->screen_energy);
    return to;
}

// ---- is it physical, and why it differs ----

static json_t *guard(const MaestroPriced *priced) {
    static const char *const rules[] = {"macs", "runtime", "l1", "l2"};
    const SlMaestroGuard *from = &priced->guard;
    json_t *to = object(), *broken = array();
    for (int r = 0; !priced->no_layer && r < 4; r++) {
        char sentence[160];
        if (!(from->broken >> r & 1)) continue;
        json_t *item = object();
        json_put_text(item, "rule", rules[r]);
        json_put_text(item, "text", sl_maestro_guard_text(from, 1 << r, sizeof sentence, sentence));
        json_add(broken, item);
    }
    bool known = !priced->no_layer;
    json_put(to, "accepted", json_boolean(known && from->broken == 0));
    json_put(to, "broken", broken);
    json_put_number(to, "macs_expected", known ? from->macs_expected : NAN);
    json_put_number(to, "cycles_least", known ? from->cycles_least : NAN);
    return to;
}

static json_t *reasons(uint32_t bits) {
    json_t *list = array();
    for (int r = 0; r < SL_N_REASONS; r++)
        if (bits >> r & 1) json_add(list, json_string(sl_maestro_reason_name((SlMaestroReason)r)));
    return list;
}

static json_t *comparison(const MaestroEval *eval, int i) {
    MaestroRow rows[SL_N_ROWS];
    json_t *list = array();
    maestro_rows(eval, i, rows);
    for (int r = 0; r < SL_N_ROWS; r++) {
        json_t *to = object();
        json_put_text(to, "quantity", rows[r].key);
        json_put_number(to, "maestro", rows[r].maestro);
        json_put_number(to, "exact", rows[r].exact);
        json_put(to, "reasons", reasons(rows[r].reasons));
        json_add(list, to);
    }
    return list;
}

// ---- the document ----

static json_t *by_name(const int32_t values[SL_N_MV], const int32_t declared[SL_N_MV]) {
    json_t *to = object();
    for (int v = 0; v < SL_N_MV; v++)
        if (declared[v]) put_whole(to, sl_maestro_var_names[v], values[v]);
    return to;
}

static json_t *directives(const SlMaestroMapping *mapping) {
    json_t *list = array();
    for (int i = 0; i < mapping->n; i++) {
        char text[64];
        json_add(list, json_string(maestro_directive(&mapping->list[i], sizeof text, text)));
    }
    return list;
}

static json_t *layer(const MaestroEval *eval, int i) {
    const SlMaestroLayer *shape = &eval->net.layers[i];
    const MaestroPriced *priced = &eval->layers[i];
    char text[SL_NEST_TEXT_MAX];
    json_t *to = object();
    put_whole(to, "index", i + 1);
    json_put_text(to, "name", shape->name);
    json_put_text(to, "type", sl_maestro_type_names[shape->type]);
    json_put(to, "dims", by_name(shape->size, shape->size));
    json_put(to, "strides", by_name(shape->stride, shape->size));
    json_put(to, "directives", directives(&eval->net.mappings[i]));
    json_put(to, "maestro", columns(eval, i));
    json_put(to, "guard", guard(priced));
    json_put(to, "inline",
             priced->no_layer ? json_null()
                              : json_string(sl_layer_write(&priced->layer, sizeof text, text)));
    json_put(to, "nest",
             priced->no_nest ? json_null()
                             : json_string(sl_mapping_write(&priced->nest, sizeof text, text)));
    json_put(to, "no_nest", priced->no_nest ? json_string(priced->no_nest) : json_null());
    json_put(to, "exact_bound_by",
             priced->no_nest
                 ? json_null()
                 : json_string(sl_binder_text(&eval->accel, priced->binder, sizeof text, text)));
    json_put(to, "comparison", comparison(eval, i));
    return to;
}

// no limit is null
static void put_limit(json_t *to, const char *key, int32_t value) {
    json_put_number(to, key, value == INT32_MAX ? NAN : value);
}

static json_t *hardware(const SlMaestroHardware *from) {
    json_t *to = object();
    put_whole(to, "num_pes", from->num_pes);
    put_whole(to, "num_simd_lanes", from->simd_lanes);
    put_limit(to, "noc_bw", from->noc_bw);
    put_whole(to, "noc_latency", from->noc_latency);
    put_limit(to, "offchip_bw", from->offchip_bw);
    put_limit(to, "l1_bytes", from->l1_bytes);
    put_limit(to, "l2_bytes", from->l2_bytes);
    return to;
}

static json_t *totals(const MaestroEval *eval) {
    MaestroTotals sum = maestro_totals(eval);
    json_t *to = object();
    json_put_number(to, "runtime", sum.runtime);
    json_put_number(to, "energy_nj", sum.energy_nj);
    json_put_number(to, "num_macs", sum.macs);
    json_put_number(to, "exact_latency_cycles", sum.exact_latency);
    json_put_number(to, "exact_macs", sum.exact_macs);
    put_whole(to, "n_unphysical", sum.n_unphysical);
    put_whole(to, "n_without_nest", sum.n_without_nest);
    return to;
}

struct json_t *maestro_json(const MaestroEval *eval) {
    json_t *document = command_need(sl_json_document("maestro", 1));
    json_t *list = array(), *legend = object();
    for (int i = eval->from; i < eval->to; i++) json_add(list, layer(eval, i));
    for (int r = 0; r < SL_N_REASONS; r++)
        json_put_text(legend, sl_maestro_reason_name((SlMaestroReason)r),
                      sl_maestro_reason_text((SlMaestroReason)r));
    json_put_text(document, "model", "maestro");
    json_put_text(document, "network", eval->net.name);
    json_put(document, "hardware", hardware(&eval->hardware));
    json_put(document, "layers", list);
    json_put(document, "totals", totals(eval));
    json_put(document, "reasons", legend);
    return document;
}
