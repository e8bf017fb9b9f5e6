// mapped_curves.c - how a search came to its result: the best so far over samples.
#include <math.h>
#include <stdio.h>

#include "mapped_inside.h"
#include "starling/draw.h"

enum { N_CURVE = 160, N_LINE = 32, N_SPARK = 64 };

// sample numbers from 1 to `last`, evenly on a log scale
static double sample_at(int i, int n, double last) {
    return pow(last, (double)i / (n - 1)) * (1 + 1e-9);
}

// INFINITY before the first
static double best_at(const SlMappedLayer *layer, double sample) {
    const SlRecord *record = &layer->task->record;
    double best = INFINITY;
    for (int i = 0; i < record->n_curve && (double)record->curve[i].sample <= sample; i++)
        best = record->curve[i].value;
    return best;
}

// over the final best: the geometric mean over the layers
static double curve_at(const SlMapped *mapped, double sample) {
    double sum = 0;
    for (int i = 0; i < mapped->n_layers; i++) {
        const SlMappedLayer *layer = &mapped->layers[i];
        sum += log(best_at(layer, sample) / layer->task->record.best.outcome.value);
    }
    return exp(sum / mapped->n_layers);
}

// most samples of a layer
static double longest(const SlMapped *mapped) {
    int64_t most = 1;
    for (int i = 0; i < mapped->n_layers; i++)
        if (mapped->layers[i].task->record.samples > most)
            most = mapped->layers[i].task->record.samples;
    return (double)most;
}

// `n` points from the first on that every layer has a value at; returns how many there are
static int draw(const SlMapped *mapped, int n, double *x, double *y) {
    double last = longest(mapped);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        x[kept] = sample_at(i, n, last);
        y[kept] = curve_at(mapped, x[kept]);
        if (isfinite(y[kept])) kept++;
    }
    return last < 2 ? 0 : kept;
}

// where it began: "0.45 % above", "2.84 ×"
static const char *show_begin(double begin, char out[static SL_UNIT_ROOM]) {
    if (begin < 1.001)
        snprintf(out, SL_UNIT_ROOM, "<0.1 %% above");
    else if (begin < 1.1)
        snprintf(out, SL_UNIT_ROOM, "%.2g %% above", 100 * (begin - 1));
    else
        sl_unit_show(SL_UNIT_TIMES, begin, out);
    return out;
}

void sl_mapped_add_curve(SlDoc *doc, const SlMapped *mapped) {
    double x[N_LINE], y[N_LINE];
    char begin[SL_UNIT_ROOM], count[32];
    int n = draw(mapped, N_LINE, x, y);
    if (n == 0) return;
    if (y[0] <= 1 + 1e-9) {
        sl_doc_string(doc, NULL, "curve", "nothing better than the first sample");
        return;
    }
    show_begin(y[0], begin);
    for (int i = 0; i < n; i++) y[i] = log(y[i]);
    sl_doc_spark(doc, "curve", n, y);
    sl_doc_remark(doc, " from sample %.0f (%s the result) to %s", floor(x[0]), begin,
                  sl_show_count(longest(mapped), count));
}

void sl_mapped_add_curve_figure(SlDoc *doc, const SlMapped *mapped) {
    double x[N_CURVE], y[N_CURVE];
    int n = draw(mapped, N_CURVE, x, y);
    SlText svg;
    if (n < 2) return;
    SlCurve curve = {.name = mapped->setup.method->name, .n = n, .x = x, .y = y, .steps = true};
    SlCurvePlot plot = {.n = 1,
                        .curves = &curve,
                        .title = "Best so far over the final result",
                        .x_label = mapped->n_layers > 1 ? "samples per layer" : "samples",
                        .y_label =
                            mapped->n_layers > 1 ? "geometric mean over the layers" : "times",
                        .log_x = true,
                        .log_y = y[0] > 2};
    sl_text_init(&svg, mapped->arena);
    sl_draw_curves_svg(&plot, &svg);
    if (svg.failed) sl_doc_fail(doc);
    sl_doc_heading(doc, "Convergence");
    sl_doc_figure(doc, "curve", svg.data, "The best of the samples so far; 1 is the result.");
}

void sl_mapped_add_spark(SlDoc *doc, const SlMappedLayer *layer) {
    const SlRecord *record = &layer->task->record;
    double y[N_SPARK];
    if (record->n_curve == 0) return;
    for (int i = 0; i < N_SPARK; i++)
        y[i] = best_at(layer, sample_at(i, N_SPARK, fmax((double)record->samples, 2)));
    sl_doc_spark(doc, "curve", N_SPARK, y);
}
