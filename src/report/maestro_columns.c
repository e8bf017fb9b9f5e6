// maestro_columns.c - what MAESTRO says of a layer: the columns of its CSV, and as members of
// a document.
#include <math.h>
#include <stdio.h>

#include "maestro_inside.h"

void sl_maestro_csv(const SlMaestroEvaluation *eval, SlText *out) {
    sl_text_add(out, "%s\n", sl_maestro_csv_header);
    for (int i = eval->from; i < eval->to; i++)
        sl_maestro_csv_row(eval->net.name, eval->net.layers[i].name, &eval->hardware,
                           &eval->layers[i].cost, out);
}

static void add_real(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static void add_whole(SlDoc *doc, const char *key, int64_t value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_COUNT, (double)value);
}

static void add_delays(SlDoc *doc, const char *what, SlMaestroDelay delays) {
    const int64_t values[] = {delays.min, delays.max, delays.avg};
    static const char *const names[] = {"min", "max", "avg"};
    for (int i = 0; i < 3; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_delay_%s", what, names[i]);
        // MAESTRO prints the smallest number where no step computes anything
        add_real(doc, key, values[i] == INT64_MIN ? (double)NAN : (double)values[i]);
    }
}

static void add_accesses(SlDoc *doc, const char *what, const SlMaestroCost *cost, SlTensor tensor) {
    const int64_t values[] = {cost->l1_read[tensor], cost->l1_write[tensor], cost->l2_read[tensor],
                              cost->l2_write[tensor]};
    static const char *const names[] = {"l1_read", "l1_write", "l2_read", "l2_write"};
    char key[32];
    for (int i = 0; i < 4; i++) {
        snprintf(key, sizeof key, "%s_%s", what, names[i]);
        add_whole(doc, key, values[i]);
    }
    snprintf(key, sizeof key, "%s_reuse_factor", what);
    add_real(doc, key, (double)values[0] / (double)values[1]);
}

static void add_rates(const SlMaestroCost *cost, SlDoc *doc) {
    double macs = (double)cost->macs, throughput = macs / (double)cost->runtime_cycles;
    add_real(doc, "throughput", throughput);
    add_real(doc, "throughput_per_energy", throughput / cost->energy_nj * 1e9);
    add_real(doc, "area", cost->area_um2);
    add_real(doc, "power", cost->power_mw);
    add_whole(doc, "noc_bw_req", cost->peak_bw);
    add_real(doc, "avg_bw_req", cost->avg_bw);
    add_whole(doc, "peak_bw_req", cost->peak_bw);
}

static void add_middle(const SlMaestroCost *cost, SlDoc *doc) {
    add_whole(doc, "offchip_bw_req", cost->offchip_bw);
    add_whole(doc, "l2_size_req", cost->l2_bytes);
    add_whole(doc, "l1_size_req", cost->l1_bytes);
    add_real(doc, "multicasting_factor_weight",
             (double)cost->l1_write[SL_W] / (double)cost->l2_read[SL_W]);
    add_real(doc, "multicasting_factor_input",
             (double)cost->l1_write[SL_I] / (double)cost->l2_read[SL_I]);
    add_whole(doc, "num_input_pixels", cost->input_pixels);
    add_whole(doc, "num_weight_pixels", cost->weight_pixels);
    add_real(doc, "ops_per_joule", (double)cost->macs / cost->energy_nj * 1e9);
    add_whole(doc, "num_macs", cost->macs);
    add_real(doc, "pe_power", cost->pe_mw);
    add_real(doc, "l1_power", cost->l1_mw);
    add_real(doc, "l2_power", cost->l2_mw);
    add_real(doc, "noc_power", cost->noc_mw);
}

void sl_maestro_columns(SlDoc *doc, const SlMaestroEvaluation *eval, int i) {
    const SlMaestroCost *cost = &eval->layers[i].cost;
    sl_doc_open(doc, "maestro", NULL);
    sl_doc_string(doc, "network_name", NULL, eval->net.name);
    sl_doc_string(doc, "layer_name", NULL, eval->net.layers[i].name);
    add_whole(doc, "num_pes", eval->hardware.num_pes);
    add_whole(doc, "runtime", cost->runtime_cycles);
    add_real(doc, "energy_nj", cost->energy_nj);
    add_rates(cost, doc);
    add_whole(doc, "vector_width", eval->hardware.simd_lanes);
    add_middle(cost, doc);
    add_accesses(doc, "input", cost, SL_I);
    add_accesses(doc, "filter", cost, SL_W);
    add_accesses(doc, "output", cost, SL_O);
    add_delays(doc, "ingress", cost->ingress);
    add_delays(doc, "egress", cost->egress);
    add_delays(doc, "compute", cost->compute);
    add_real(doc, "avg_utilized_pes", cost->active_pes);
    add_real(doc, "arithmetic_intensity", cost->intensity);
    add_real(doc, "screen_energy", (double)cost->screen_energy);
    sl_doc_close(doc);
}
