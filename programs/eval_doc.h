// eval_doc.h - what documents of eval and map share: the workload, the machine, shapes, layers as
// rows, where energy and time go, loop nests.
//
// Flow: sl_doc_make -> add_workload, add_accel -> begin_layers -> add_layer ... -> sl_doc_close ->
//       add_energy_figure, add_latency_figure, add_loop_nests.
#pragma once

#include "eval.h"

// Members of a layer: type, inline, dims, stride, dilation, pad.
void add_shape(SlDoc *doc, const SlLayer *layer);

// Groups "workload" and "accel", for machines.
void add_workload(SlDoc *doc, const Evaluation *eval);
void add_accel(SlDoc *doc, const SlAccel *accel);

// A group of a number per objective.
void add_objectives(SlDoc *doc, const char *key, const double values[SL_N_OBJECTIVES]);

// A value that people see in joule seconds, from pJ x cycles; label NULL = in a column.
void add_edp(SlDoc *doc, const char *key, const char *label, double pj_cycles, double clock_mhz);

// Opens the table "layers", to be closed by sl_doc_close: its CSV is layers.csv
// (docs/formats/eval-csv.md), with the columns `more` (n_more) behind. For people a line per layer
// with `label` above; NULL = the table is for machines alone.
typedef struct {
    const char *label;
    int n_more;
    const SlColumn *more;
} LayersTable;
void begin_layers(SlDoc *doc, const Evaluation *eval, const LayersTable *table);
// A row with everything about layer i of the network (docs/formats/eval-json.md); members for
// columns of the caller's own may follow.
void add_layer(SlDoc *doc, const Evaluation *eval, int i);
void add_layer_sums(SlDoc *doc, const Evaluation *eval); // the last row, for people

// Bars by layer: the energy of every place, and the time above its floor. Files energy.svg and
// latency.svg.
void add_energy_figure(SlDoc *doc, const Evaluation *eval);
void add_latency_figure(SlDoc *doc, const Evaluation *eval);

// The loop nest of every distinct layer, folded on pages.
void add_loop_nests(SlDoc *doc, const Evaluation *eval);

// What the last line of every page says of its numbers.
#define NUMBERS_NOTE "Counts equal those of executing the loop nests."
