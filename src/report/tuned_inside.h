// tuned_inside.h - inside report: a tuned network while it is described. What differs from one kind
// of task to the next (the machine, its columns, its programs) is in SlTunedKind.
#pragma once

#include "doc_inside.h"
#include "starling/network.h"
#include "starling/report/tuned_doc.h"

// What a schedule comes to.
typedef struct {
    double value;   // in the kind's unit; INFINITY = it does not run
    double seconds; // of a call
} SlTunedValue;

// One distinct layer.
typedef struct {
    const SlJobTask *task;
    SlTunedValue best, untuned; // zeros where nothing was searched
    void *own;                  // what the kind knows of the best schedule, NULL = nothing
} SlTunedLayer;

typedef struct SlTunedKind SlTunedKind;

typedef struct {
    const SlTuned *given;
    const SlJobSetup *setup;
    const SlTunedKind *kind;
    SlArena *arena;
    void *machine; // the kind's

    // what came of it
    int n_layers;
    SlTunedLayer *layers; // (n_layers), distinct
    int n_cores;
    const SlJobCore *cores; // (n_cores) candidates of a network that chooses a core, by draft
    SlNetworkCost sums;     // value, seconds and MACs; NAN = not all are known
    double untuned_seconds; // the same
    SlJobEffort effort;
} SlTunedView;

// A row per kind of task. Functions marked * may be NULL.
struct SlTunedKind {
    const SlTaskKind *kind;
    SlUnit unit;     // of values
    const char *key; // of values in JSON: "cycles"
    // of curves
    const char *axis;
    double axis_scale; // from values
    // in the table of layers: the value first
    int n_columns;
    const SlColumn *columns;
    const char *legend;  // what they mean
    const char *program; // what a program is: "instructions"
    const char *ending;  // of its file: ".vta"

    // The machine into view->machine; *what is known of a best schedule into layer->own. SL_ENOMEM.
    SlStatus (*open)(SlTunedView *view);
    SlStatus (*look)(const SlTunedView *view, SlTunedLayer *layer);

    double (*seconds)(const SlTunedView *view, double value);
    // Of a layer's time, the share that its multiply-accumulates take at the full rate.
    double (*busy)(const SlTunedView *view, const SlTunedLayer *layer);
    void (*write_program)(const SlJobTask *task, SlText *out);

    // The machine as found ("vta 1x16x16"), and as asked for.
    void (*name)(const SlTunedView *view, SlText *out);
    void (*describe)(const SlTunedView *view, SlText *out);
    // Members of the setup, of the row of a layer (where there is a task), of the sums.
    void (*add_setup)(SlDoc *doc, const SlTunedView *view);
    void (*add_layer)(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer);
    void (*add_sums)(SlDoc *doc, const SlTunedView *view);
    // The section about the machine.
    void (*add_machine)(SlDoc *doc, const SlTunedView *view);
};
extern const SlTunedKind sl_tuned_vta, sl_tuned_cpu;

// --- A view (tuned_view.c)

// The machine and what is asked for; and what came of it. SL_ENOMEM.
SlStatus sl_tuned_open(const SlTuned *tuned, SlTunedView *view);
SlStatus sl_tuned_look(SlTunedView *view);

double sl_tuned_found(const SlRecord *record); // the best value, INFINITY = none
double sl_tuned_gops(const SlTunedLayer *layer, double seconds);
double sl_tuned_regret(const SlTunedLayer *layer);   // value / optimum - 1; NAN = not known
double sl_tuned_speed_up(const SlTunedLayer *layer); // over the untuned schedule; NAN = not known

// --- Parts of the document

void sl_tuned_layers(SlDoc *doc, const SlTunedView *view);
void sl_tuned_schedules(SlDoc *doc, const SlTunedView *view);
void sl_tuned_figures(SlDoc *doc, const SlTunedView *view);

// For machines alone.
void sl_tuned_number(SlDoc *doc, const char *key, double value);
// Words made of pieces: without memory the document has failed.
const char *sl_tuned_text(SlDoc *doc, const SlText *words);
