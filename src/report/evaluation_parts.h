// evaluation_parts.h - inside report: what documents of networks with mappings share: the workload,
// the machine, layers as rows, where energy and time go, loop nests.
//
// Flow: sl_doc_make -> sl_doc_workload, sl_doc_accel -> sl_doc_layers -> sl_doc_layer ... ->
//       sl_doc_close -> sl_doc_energy_figure, _latency_figure, _loop_nests.
#pragma once

#include "doc_inside.h"
#include "starling/report/evaluation_doc.h"

// Members of a layer: type, inline, dims, stride, dilation, pad.
void sl_doc_shape(SlDoc *doc, const SlLayer *layer);

// Groups "workload" and "accel", for machines.
void sl_doc_workload(SlDoc *doc, const SlEvaluation *eval);
void sl_doc_accel(SlDoc *doc, const SlAccel *accel);

// Nodes of a graph that were left out: a list "skipped" for machines, a warning for people. Nothing
// if there are none.
void sl_doc_skipped(SlDoc *doc, const SlNetwork *net);
void sl_doc_skipped_words(SlDoc *doc, const SlNetwork *net);

// A group of a number per objective.
void sl_doc_objectives(SlDoc *doc, const char *key, const double values[SL_N_OBJECTIVES]);

// A value that people see in joule seconds, from pJ x cycles; label NULL = in a column.
void sl_doc_edp(SlDoc *doc, const char *key, const char *label, double pj_cycles, double clock_mhz);

// Opens the table "layers", to be closed by sl_doc_close: its CSV is layers.csv
// (docs/formats/eval-csv.md), with the columns `more` (n_more) behind. For people a line per layer
// with `label` above; NULL = the table is for machines alone.
typedef struct {
    const char *label;
    int n_more;
    const SlColumn *more;
} SlLayersTable;
void sl_doc_layers(SlDoc *doc, const SlEvaluation *eval, const SlLayersTable *table);
// A row with everything about layer i of the network (docs/formats/eval-json.md); members for
// columns of the caller's own may follow.
void sl_doc_layer(SlDoc *doc, const SlEvaluation *eval, int i);
void sl_doc_layer_sums(SlDoc *doc, const SlEvaluation *eval); // the last row, for people

// Bars by layer: the energy of every place, and the time above its floor. Files energy.svg and
// latency.svg.
void sl_doc_energy_figure(SlDoc *doc, const SlEvaluation *eval);
void sl_doc_latency_figure(SlDoc *doc, const SlEvaluation *eval);

// The loop nest of every distinct layer, folded on pages.
void sl_doc_loop_nests(SlDoc *doc, const SlEvaluation *eval);

// What the last line of every page says of its numbers.
#define SL_NUMBERS_NOTE "Counts equal those of executing the loop nests."

// The value of an objective with its unit, "-" for NAN; latency in cycles.
const char *sl_objective_show(SlObjective objective, double value, double clock_mhz,
                              char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// What binds the latency, in few columns: "compute", "DRAM port", "L2 link".
const char *sl_binder_show(const SlAccel *accel, SlBinder binder,
                           char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A layer in few columns: "64x3 112x112 7x7 /2" (KxC PxQ RxS /stride), "512x768x768" (MxNxK).
const char *sl_layer_shape(const SlLayer *layer, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// Which layers take most time and energy, and what binds them; what one layer does in full.
void sl_evaluation_words(SlDoc *doc, const SlEvaluation *eval);
void sl_evaluation_parts(SlDoc *doc, const SlEvaluation *eval);
