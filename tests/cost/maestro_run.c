// maestro_run.c - see maestro_run.h.
#include "maestro_run.h"

#include <stdio.h>
#include <string.h>

#include "nest_walk.h"
#include "support/check.h"

static void eval_layers(MaestroRun *run) {
    const SlMaestroNetwork *net = &run->net;
    run->costs = SL_NEW(&run->arena, net->n_layers, SlMaestroCost);
    REQUIRE(run->costs != NULL);
    for (int i = 0; i < net->n_layers; i++) {
        const SlMaestroCost *previous = i > 0 ? &run->costs[i - 1] : NULL;
        if (!sl_maestro_eval(&net->layers[i], &net->mappings[i], &run->hardware, previous,
                             &run->costs[i], &run->fault)) {
            sl_maestro_fault_text(&run->fault, sizeof run->reason, run->reason);
            return;
        }
    }
    for (int i = 0; i < net->n_layers; i++)
        sl_maestro_csv_row(net->name, net->layers[i].name, &run->hardware, &run->costs[i],
                           &run->csv);
}

void maestro_run(MaestroRun *run, const char *text, const SlMaestroHardware *hardware) {
    SlError err;
    *run = (MaestroRun){.hardware = *hardware};
    sl_arena_init(&run->arena, 0);
    sl_text_init(&run->csv, &run->arena);
    run->parsed =
        sl_maestro_parse("test.m", text, strlen(text), &run->arena, &run->net, &err) == SL_OK;
    if (run->parsed)
        eval_layers(run);
    else
        sl_error_text(&err, sizeof run->reason, run->reason);
}

void maestro_must_run(MaestroRun *run, const char *text, const SlMaestroHardware *hardware) {
    maestro_run(run, text, hardware);
    if (run->reason[0]) fprintf(stderr, "%s\n%s\n", run->reason, text);
    REQUIRE(!run->reason[0]);
}

void maestro_end(MaestroRun *run) {
    sl_arena_free(&run->arena);
}

// ---- cells ----

// what the 52 columns are called in tests
static const char *const columns[] = {
    "network",     "name",        "pes",         "runtime",     "energy",       "throughput",
    "per_energy",  "area",        "power",       "noc_bw",      "avg_bw",       "peak",
    "lanes",       "offchip",     "l2",          "l1",          "weight_cast",  "input_cast",
    "inputs",      "weights",     "ops_per_j",   "macs",        "pe_power",     "l1_power",
    "l2_power",    "noc_power",   "input",       "input_l1wr",  "input_l2rd",   "input_l2wr",
    "input_reuse", "filter",      "filter_l1wr", "filter_l2rd", "filter_l2wr",  "filter_reuse",
    "output",      "output_l1wr", "output_l2rd", "output_l2wr", "output_reuse", "ingress",
    "in_max",      "in_avg",      "egress",      "out_max",     "out_avg",      "compute",
    "compute_max", "compute_avg", "active",      "intensity"};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

static int column_of(const char *name, size_t n) {
    for (int c = 0; c < N_COLUMNS; c++)
        if (strlen(columns[c]) == n && strncmp(columns[c], name, n) == 0) return c;
    return -1;
}

// the text of a cell
static size_t cell_of(const MaestroRun *run, int layer, int column, char *screen,
                      const char **text) {
    if (column < 0) {
        *text = screen;
        return (size_t)snprintf(screen, 64, "%.6Lg", run->costs[layer].screen_energy);
    }
    const char *at = run->csv.data;
    for (int i = 0; i < layer; i++) at = strchr(at, '\n') + 1;
    for (int c = 0; c < column; c++) at = strchr(at, ',') + 1;
    *text = at;
    return strcspn(at, ",\n");
}

void maestro_expect(const MaestroRun *run, int layer, const char *cells) {
    REQUIRE(layer < run->net.n_layers);
    while (*cells) {
        size_t n_name = strcspn(cells, " ");
        bool is_screen = n_name == 6 && strncmp(cells, "screen", 6) == 0;
        int column = column_of(cells, n_name);
        REQUIRE(is_screen || column >= 0);
        const char *value = cells + n_name + 1;
        for (;; column++, value++) {
            char screen[64];
            const char *got;
            size_t n = cell_of(run, layer, column, screen, &got), wanted = strcspn(value, "/,");
            if (n != wanted || strncmp(got, value, n) != 0)
                fail_msg("layer %d, %s: %.*s instead of %.*s", layer,
                         column < 0 ? "screen" : columns[column], (int)n, got, (int)wanted, value);
            value += wanted;
            if (*value != '/') break;
        }
        cells = value + strspn(value, ", ");
    }
}

void maestro_expect_one(const char *text, SlMaestroHardware hardware, const char *cells) {
    MaestroRun run;
    maestro_must_run(&run, text, &hardware);
    maestro_expect(&run, 0, cells);
    maestro_end(&run);
}

SlMaestroHardware maestro_machine(int num_pes, int lanes, int noc_bw, int offchip_bw) {
    return (SlMaestroHardware){.num_pes = num_pes,
                               .simd_lanes = lanes,
                               .noc_bw = noc_bw,
                               .noc_latency = 1,
                               .offchip_bw = offchip_bw,
                               .l1_bytes = INT32_MAX,
                               .l2_bytes = INT32_MAX};
}
