// tuned_figures.c - pictures of a tuned network: where the time goes, and the best so far over
// measurements.
#include <math.h>
#include <stdio.h>

#include "starling/draw.h"
#include "tuned_inside.h"

// an empty picture is none
static void add_figure(SlDoc *doc, const char *heading, const char *file, const SlText *svg,
                       const char *caption) {
    if (svg->n == 0) return;
    sl_doc_open(doc, NULL, heading);
    sl_doc_figure(doc, file, sl_tuned_text(doc, svg), caption);
    sl_doc_close(doc);
}

// ---- where the time goes ----

// Bars (n), one per shape: all of its layers together.
typedef struct {
    int n;
    const char **names, **notes;
    double *values; // (n, 2) ms
} Bars;

static const char *show_time(SlDoc *doc, double seconds) {
    char text[SL_UNIT_ROOM];
    SlText note;
    sl_text_init(&note, sl_doc_arena(doc));
    sl_text_add(&note, "%s", sl_unit_show(SL_UNIT_SECONDS, seconds, text));
    return sl_tuned_text(doc, &note);
}

static void add_bar(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer, Bars *bars) {
    double ms = 1e3 * layer->task->count * layer->best.seconds;
    double busy = view->kind->busy(view, layer), *parts = &bars->values[2 * bars->n];
    if (!(busy > 0)) busy = 0;
    parts[0] = busy * ms;
    parts[1] = (1 - busy) * ms;
    bars->names[bars->n] = layer->task->layer->name;
    bars->notes[bars->n++] = show_time(doc, 1e-3 * (parts[0] + parts[1]));
}

static void add_times(SlDoc *doc, const SlTunedView *view) {
    static const char *const parts[] = {"multiplying at full rate", "the rest"};
    Bars bars = {.names = sl_doc_need(doc, SL_NEW(view->arena, view->n_layers, const char *)),
                 .notes = sl_doc_need(doc, SL_NEW(view->arena, view->n_layers, const char *)),
                 .values = sl_doc_need(doc, SL_NEW(view->arena, 2 * view->n_layers, double))};
    SlText svg;
    if (!bars.names || !bars.notes || !bars.values) return;
    for (int i = 0; i < view->n_layers; i++)
        if (sl_tuned_has_result(view->layers[i].task)) add_bar(doc, view, &view->layers[i], &bars);
    if (bars.n < 2) return;
    sl_text_init(&svg, view->arena);
    sl_draw_stack_svg(&(SlStackPlot){.n = bars.n,
                                     .n_parts = 2,
                                     .names = bars.names,
                                     .parts = parts,
                                     .values = bars.values,
                                     .notes = bars.notes,
                                     .title = "Time of the layers",
                                     .x_label = "ms"},
                      &svg);
    add_figure(doc, "Where the time goes", "time", &svg, "All layers of a shape together.");
}

// ---- the best so far ----

static SlCurve curve_of(SlDoc *doc, const SlTunedView *view, const SlRecord *record) {
    double *x = sl_doc_need(doc, SL_NEW(view->arena, record->n_curve, double));
    double *y = sl_doc_need(doc, SL_NEW(view->arena, record->n_curve, double));
    int n = x && y ? record->n_curve : 0;
    for (int i = 0; i < n; i++) {
        x[i] = (double)record->curve[i].sample;
        y[i] = record->curve[i].value * view->kind->axis_scale;
    }
    return (SlCurve){.name = view->setup->method->name, .n = n, .x = x, .y = y, .steps = true};
}

static SlCurvePlot plot_of(const SlTunedView *view, const SlJobTask *task, const SlCurve *curve) {
    bool proven = task->proven && task->optimum.proven;
    double optimum = sl_tuned_found(&task->optimum) * view->kind->axis_scale;
    return (SlCurvePlot){.n = 1,
                         .curves = curve,
                         .title = task->layer->name,
                         .x_label = "measurements",
                         .y_label = view->kind->axis,
                         .log_x = true,
                         .log_y = true,
                         .line = proven ? optimum : (double)NAN,
                         .line_name = proven ? "optimum" : NULL};
}

static void draw_curves(SlDoc *doc, const SlTunedView *view, int n, const SlCurvePlot *plots) {
    SlText svg;
    char title[256];
    bool proven = false;
    for (int i = 0; i < n; i++) proven |= plots[i].line_name != NULL;
    snprintf(title, sizeof title, "%s on %s: best so far by %s", view->setup->net->name,
             view->setup->kind->name, view->setup->method->name);
    sl_text_init(&svg, view->arena);
    sl_draw_panels_svg(&(SlPanels){.n = n, .plots = plots, .title = title}, &svg);
    add_figure(doc, "Convergence", "curves", &svg,
               proven ? "The best of the measurements so far. Dashed: the proven optimum of the "
                        "space."
                      : "The best of the measurements so far.");
}

static void add_curves(SlDoc *doc, const SlTunedView *view) {
    SlCurvePlot *plots = sl_doc_need(doc, SL_NEW(view->arena, view->n_layers, SlCurvePlot));
    SlCurve *curves = sl_doc_need(doc, SL_NEW(view->arena, view->n_layers, SlCurve));
    int n = 0;
    for (int i = 0; i < view->n_layers && plots && curves; i++) {
        const SlJobTask *task = view->layers[i].task;
        if (!sl_tuned_has_result(task)) continue;
        curves[n] = curve_of(doc, view, &task->record);
        plots[n] = plot_of(view, task, &curves[n]);
        n++;
    }
    if (n > 0) draw_curves(doc, view, n, plots);
}

void sl_tuned_figures(SlDoc *doc, const SlTunedView *view) {
    add_times(doc, view);
    add_curves(doc, view);
}
