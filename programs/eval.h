// eval.h - inside `starling eval`: a workload priced on an accelerator, and the forms it is shown
// in.
//
// Flow: evaluation_make -> add_layer_report or add_network_report (text), evaluation_json,
// add_layers_csv, add_page (HTML) -> evaluation_write_files. Many nests: eval_batch.
#pragma once

#include "command.h"
#include "starling/cost.h"

typedef struct {
    CommonOptions common;
    const char *accel;   // NULL = DEFAULT_ACCEL
    const char *mapping; // nest text or file, NULL = default mappings
    const char *nests;   // CSV of many nests, NULL = none
    int64_t batch, threads;
    int objective, model;
    bool csv, repair;
} EvalOptions;

#define DEFAULT_ACCEL "eyeriss"

// One layer with its mapping, priced.
typedef struct {
    SlLayer layer;
    SlMapping mapping;
    bool repaired; // --repair changed it
    SlFit fit;
    SlCost cost;
    SlFloor floor;
    SlBreakdown parts;
    SlStatus status; // of making the mapping, with `err`
    SlError err;
} Priced;

// Sums over all layers of a workload.
typedef struct {
    double macs, latency_cycles, energy_pj;
    double floor_cycles, floor_pj; // sums of the layers' floors
    double utilisation;            // NAN when a layer does not fit
    double power_mw;
    int n_unfit; // layers whose mapping does not fit
} Totals;

typedef struct {
    const EvalOptions *options;
    SlArena *arena;
    SlNetwork net;
    SlAccel accel;
    int n_distinct;
    const Priced **layers; // (net.n_layers); equal layers share one
    Totals totals;
} Evaluation;

// Find everything that the options name, map (unless a mapping is given) and price every layer.
SlStatus evaluation_make(const EvalOptions *options, const char *selector, SlArena *arena,
                         Evaluation *eval, SlError *err);

// Where the mappings come from: "default", "given" or "repaired".
const char *evaluation_mapping_from(const Evaluation *eval);

// How far a priced layer is from the floor, and how busy the MACs are; NAN for a mapping that does
// not fit, which may use more hardware than there is.
double priced_multiple(const Priced *priced, SlObjective objective);
double priced_utilisation(const Priced *priced);

// Value of an objective for the whole workload, and the multiple of its floor; NAN where a sum over
// layers says nothing (area), there is no floor, or a layer does not fit.
double totals_value(const Totals *totals, SlObjective objective);
double totals_multiple(const Totals *totals, SlObjective objective);

// A layer as it is without --batch, for tables that name the batch above.
SlLayer evaluation_single(const Evaluation *eval, const SlLayer *layer);
double evaluation_seconds(const Evaluation *eval, double cycles);
int evaluation_code(const Evaluation *eval); // CODE_DONE or CODE_UNFIT

// For reading: at most 100 columns wide.
void add_layer_report(const Evaluation *eval, SlText *out);
void add_network_report(const Evaluation *eval, SlText *out);
void add_energy_table(const Evaluation *eval, const Priced *priced, SlText *out);

// For machines (docs/formats/eval-json.md, docs/formats/eval-csv.md).
struct json_t *evaluation_json(const Evaluation *eval);
void add_layers_csv(const Evaluation *eval, SlText *out);

// The whole page, self-contained.
void add_page(const Evaluation *eval, const SlText *report, SlText *out);

// report.txt, report.json, report.html, layers.csv and mappings/LAYER.yaml into the folder of
// --out.
SlStatus evaluation_write_files(const Evaluation *eval, const SlText *report, const SlText *json,
                                SlError *err);

// Count (and with --accel price) every nest of a CSV file; prints CSV. Returns the exit code.
int eval_batch(const EvalOptions *options);
