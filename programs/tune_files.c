// tune_files.c - files of a run of `starling tune`: the best so far over measurements as a picture,
// the program of a layer.
#include <math.h>
#include <stdio.h>

#include "show.h"
#include "starling/draw.h"
#include "tune_command.h"

// ---- curves ----

static void fill_curve(const Tune *tune, const TuneLayer *layer, SlCurve *curve) {
    const SlRecord *record = &layer->job->record;
    double *x = command_need(SL_NEW(tune->arena, record->n_curve, double));
    double *y = command_need(SL_NEW(tune->arena, record->n_curve, double));
    for (int i = 0; i < record->n_curve; i++) {
        x[i] = (double)record->curve[i].sample;
        y[i] = record->curve[i].value * (tune_is_vta(tune) ? 1 : 1e3);
    }
    *curve = (SlCurve){.name = tune->tuner->name, .n = record->n_curve, .x = x, .y = y};
    curve->steps = true;
}

void tune_curves(const Tune *tune, SlText *out) {
    SlCurvePlot *plots = command_need(SL_NEW(tune->arena, tune->n_layers, SlCurvePlot));
    SlCurve *curves = command_need(SL_NEW(tune->arena, tune->n_layers, SlCurve));
    char title[256];
    int n = 0;
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->job->searched || layer->job->record.best.sample == 0) continue;
        fill_curve(tune, layer, &curves[n]);
        bool proven = layer->job->proven && layer->job->optimum.proven;
        plots[n] = (SlCurvePlot){.n = 1,
                                 .curves = &curves[n],
                                 .title = layer->job->layer->name,
                                 .x_label = "measurements",
                                 .y_label = tune_is_vta(tune) ? "cycles" : "ms",
                                 .log_x = true,
                                 .log_y = true,
                                 .line = proven ? tune_found(&layer->job->optimum) : NAN,
                                 .line_name = proven ? "optimum" : NULL};
        n++;
    }
    snprintf(title, sizeof title, "%s on %s: best so far by %s", tune->net.name, tune->kind->name,
             tune->tuner->name);
    SlPanels panels = {.n = n, .plots = plots, .title = title};
    if (n > 0) sl_draw_panels_svg(&panels, out);
    if (out->failed) command_no_memory();
}

// ---- programs ----

void tune_program(const Tune *tune, const TuneLayer *layer, SlText *out) {
    if (!tune_is_vta(tune)) {
        SlKernelTask task;
        SlKernelSchedule schedule;
        sl_task_cpu(layer->job->task, layer->job->record.best.point, &task, &schedule);
        sl_kernel_source(&task, &schedule, out);
        return;
    }
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    if (sl_vta_listing(&layer->task, &layer->schedule, TUNE_LISTING_LINES, &scratch, out) != SL_OK)
        command_no_memory();
    sl_arena_free(&scratch);
}
