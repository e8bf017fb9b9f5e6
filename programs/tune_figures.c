// tune_figures.c - pictures of `starling tune`: where the time goes, and the best so far over
// measurements.
#include <math.h>
#include <stdio.h>

#include "starling/draw.h"
#include "tune_command.h"

// an empty picture is none
static void add_figure(SlDoc *doc, const char *heading, const char *file, const SlText *svg,
                       const char *caption) {
    if (svg->failed) call_no_memory();
    if (svg->n == 0) return;
    sl_doc_open(doc, NULL, heading);
    sl_doc_figure(doc, file, svg->data, caption);
    sl_doc_close(doc);
}

// ---- where the time goes ----

// a bar per shape: all of its layers together
static void add_bar(const Tune *tune, const TuneLayer *layer, const char **names, double *values,
                    SlStackPlot *plot) {
    double ms = 1e3 * layer->job->count * layer->best.seconds;
    double busy = tune->target->busy(tune, layer);
    if (!(busy > 0)) busy = 0;
    names[plot->n] = layer->job->layer->name;
    values[2 * plot->n] = busy * ms;
    values[2 * plot->n + 1] = (1 - busy) * ms;
    plot->n++;
}

static const char *show_sum(const Tune *tune, const double *parts) {
    char text[SL_UNIT_ROOM];
    SlText note;
    sl_text_init(&note, tune->arena);
    sl_text_add(&note, "%s", sl_unit_show(SL_UNIT_SECONDS, 1e-3 * (parts[0] + parts[1]), text));
    return note.data;
}

static void add_times(const Tune *tune, SlDoc *doc) {
    static const char *const parts[] = {"multiplying at full rate", "the rest"};
    const char **names = call_need(SL_NEW(tune->arena, tune->n_layers, const char *));
    const char **notes = call_need(SL_NEW(tune->arena, tune->n_layers, const char *));
    double *values = call_need(SL_NEW(tune->arena, 2 * tune->n_layers, double));
    SlStackPlot plot = {.n_parts = 2,
                        .names = names,
                        .parts = parts,
                        .values = values,
                        .notes = notes,
                        .title = "Time of the layers",
                        .x_label = "ms"};
    SlText svg;
    for (int i = 0; i < tune->n_layers; i++)
        if (tune_has_result(&tune->layers[i]))
            add_bar(tune, &tune->layers[i], names, values, &plot);
    for (int i = 0; i < plot.n; i++) notes[i] = show_sum(tune, &values[2 * i]);
    sl_text_init(&svg, tune->arena);
    if (plot.n > 1) sl_draw_stack_svg(&plot, &svg);
    add_figure(doc, "Where the time goes", "time", &svg, "All layers of a shape together.");
}

// ---- the best so far ----

static SlCurve curve_of(const Tune *tune, const SlRecord *record) {
    double *x = call_need(SL_NEW(tune->arena, record->n_curve, double));
    double *y = call_need(SL_NEW(tune->arena, record->n_curve, double));
    for (int i = 0; i < record->n_curve; i++) {
        x[i] = (double)record->curve[i].sample;
        y[i] = record->curve[i].value * tune->target->axis_scale;
    }
    return (SlCurve){
        .name = tune->tuner->name, .n = record->n_curve, .x = x, .y = y, .steps = true};
}

static SlCurvePlot plot_of(const Tune *tune, const SlJobTask *task, SlCurve *curve) {
    bool proven = task->proven && task->optimum.proven;
    *curve = curve_of(tune, &task->record);
    return (SlCurvePlot){.n = 1,
                         .curves = curve,
                         .title = task->layer->name,
                         .x_label = "measurements",
                         .y_label = tune->target->axis,
                         .log_x = true,
                         .log_y = true,
                         .line = proven ? tune_found(&task->optimum) * tune->target->axis_scale
                                        : (double)NAN,
                         .line_name = proven ? "optimum" : NULL};
}

static void add_curves(const Tune *tune, SlDoc *doc) {
    SlCurvePlot *plots = call_need(SL_NEW(tune->arena, tune->n_layers, SlCurvePlot));
    SlCurve *curves = call_need(SL_NEW(tune->arena, tune->n_layers, SlCurve));
    SlText svg, caption;
    char title[256];
    bool proven = false;
    int n = 0;
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!tune_has_result(layer)) continue;
        plots[n] = plot_of(tune, layer->job, &curves[n]);
        proven |= plots[n++].line_name != NULL;
    }
    snprintf(title, sizeof title, "%s on %s: best so far by %s", tune->net.name,
             tune->target->kind->name, tune->tuner->name);
    sl_text_init(&svg, tune->arena);
    sl_text_init(&caption, tune->arena);
    sl_text_add(&caption, "The best of the measurements so far.%s",
                proven ? " Dashed: the proven optimum of the space." : "");
    if (n > 0) sl_draw_panels_svg(&(SlPanels){.n = n, .plots = plots, .title = title}, &svg);
    add_figure(doc, "How it was approached", "curves", &svg, caption.data);
}

void tune_add_figures(const Tune *tune, SlDoc *doc) {
    add_times(tune, doc);
    add_curves(tune, doc);
}
