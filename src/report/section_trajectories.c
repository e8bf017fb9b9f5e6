// section_trajectories.c - how each parameter evolves while a row learns (Fig. 7 of the mapping
// paper).
#include <math.h>

#include "section.h"

enum { MOST_TASKS = 2 };

// any run of the task that has a trace
static const SlCellRecord *find_trace(const SlResults *results, int task, int row) {
    for (int r = 0; r < results->n_rows; r++)
        for (int s = 0; s < results->n_seeds; s++) {
            const SlCellRecord *run = sl_results_run(results, task, r, s);
            if ((row < 0 || r == row) && run && run->trace && run->n_windows > 0) return run;
        }
    return NULL;
}

// the mean over seeds of what a row chose
static double mean_trace(const SlResults *results, int task, int row, int window, int param) {
    double sum = 0;
    int n = 0;
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        if (!run || !run->trace || window >= run->n_windows || param >= run->n_params) continue;
        sum += (double)run->trace[window * run->n_params + param];
        n++;
    }
    return n ? sum / n : NAN;
}

static bool make_plot(const SlSection *section, int task, int param, const char *title,
                      SlCurvePlot *plot) {
    const SlResults *results = section->results;
    SlCurve *curves = SL_SECTION_NEW(section, results->n_rows, SlCurve);
    if (!curves) return false;
    for (int r = 0; r < results->n_rows; r++) {
        int n = sl_return_windows(results, task, r);
        double *x = SL_SECTION_NEW(section, n, double), *y = SL_SECTION_NEW(section, n, double);
        if (!x || !y) return false;
        for (int w = 0; w < n; w++) {
            x[w] = (double)sl_return_last(results, task, r, w);
            y[w] = mean_trace(results, task, r, w, param);
        }
        curves[r] = (SlCurve){.name = results->rows[r], .n = n, .x = x, .y = y};
    }
    *plot = (SlCurvePlot){.n = results->n_rows,
                          .curves = curves,
                          .title = title,
                          .x_label = "samples",
                          .log_x = true};
    return true;
}

// "L2 K", "L2 order (share)"; without the plan's space "parameter 3"
static const char *param_title(const SlSection *section, int task, int param) {
    const SlPlanTask *planned = sl_section_plan_task(section, task);
    const SlSpace *space = planned ? planned->setup.space : NULL;
    if (!space || param >= space->n_params)
        return sl_section_text(section, "parameter %d", param + 1);
    bool size = space->params[param].kind == SL_ORDINAL;
    return sl_section_text(section, "%s, %s", space->params[param].name, size ? "place" : "share");
}

// a parameter with one value has nothing to show
static bool is_free(const SlSection *section, int task, int param) {
    const SlPlanTask *planned = sl_section_plan_task(section, task);
    const SlSpace *space = planned ? planned->setup.space : NULL;
    return !space || param >= space->n_params || space->params[param].n > 1;
}

static void add_task(const SlSection *section, int task, int n_params) {
    SlCurvePlot *plots = SL_SECTION_NEW(section, n_params, SlCurvePlot);
    int n = 0;
    for (int p = 0; plots && p < n_params; p++) {
        if (!is_free(section, task, p)) continue;
        if (!make_plot(section, task, p, param_title(section, task, p), &plots[n++])) return;
    }
    if (n == 0) return;
    const char *name = section->results->tasks[task].name;
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlPanels panels = {.n = n,
                       .plots = plots,
                       .title = sl_section_text(section, "Evolution of every parameter: %s", name)};
    sl_draw_panels_svg(&panels, &svg);
    sl_section_figure(section, sl_section_text(section, "trajectories %s", name), &svg,
                      "What is chosen over the samples, mean over seeds: place of a size among all "
                      "sizes (0 = smallest, 1 = largest), or share of the samples that choose what "
                      "the run's best mapping has.");
}

void sl_section_trajectories(const SlSection *section) {
    const SlResults *results = section->results;
    bool begun = false;
    for (int t = 0, shown = 0; t < results->n_tasks && shown < MOST_TASKS; t++) {
        const SlCellRecord *run = find_trace(results, t, -1);
        if (!run) continue;
        if (!begun) sl_doc_heading(section->doc, "Evolution of every parameter");
        begun = true;
        shown++;
        add_task(section, t, run->n_params);
    }
}
