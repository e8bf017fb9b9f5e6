// section_curves.c - regret over samples with bands, and the spread over seeds at the end.
#include <math.h>
#include <string.h>

#include "section.h"

enum { MOST_BANDS = 8 };          // more rows than that: a band for the reference alone
static const double least = 0.01; // %: what is nearer to the optimum is drawn there
static const double first_sample = 10, first_measurement = 4;

// ---- curves ----

static double percent_above(double ratio) {
    return isfinite(ratio) ? fmax(100 * (ratio - 1), least) : NAN;
}

// a row on a task, or on all tasks of `part` together (task -1)
static SlSummary above(const SlResults *part, int task, int row, int64_t samples) {
    if (task < 0) return sl_section_mean(part, row, samples);
    SlSummary regret = sl_summary_regret(part, task, row, samples);
    regret.median += 1;
    regret.low += 1;
    regret.high += 1;
    return regret;
}

static bool make_curve(const SlSection *section, const SlResults *part, int task, int row,
                       SlCurve *curve) {
    int n = SL_SECTION_POINTS;
    double *x = SL_SECTION_NEW(section, n, double), *y = SL_SECTION_NEW(section, n, double);
    double *low = SL_SECTION_NEW(section, n, double), *high = SL_SECTION_NEW(section, n, double);
    if (!x || !y || !low || !high) return false;
    const SlPlanRow *planned = sl_section_plan_row(section, row);
    double last = (double)part->budget;
    if (planned && planned->samples > 0) last = fmin(last, (double)planned->samples);
    double first = section->plan->kind->maps ? first_sample : first_measurement;
    n = sl_section_grid(fmin(first, last), last, n, x);
    for (int i = 0; i < n; i++) {
        SlSummary at = above(part, task, row, (int64_t)x[i]);
        y[i] = at.n ? percent_above(at.median) : NAN;
        low[i] = at.n ? percent_above(at.low) : NAN;
        high[i] = at.n ? percent_above(at.high) : NAN;
    }
    bool band = part->n_rows <= MOST_BANDS || row == part->reference;
    *curve = (SlCurve){.name = part->rows[row],
                       .n = n,
                       .x = x,
                       .y = y,
                       .low = band ? low : NULL,
                       .high = band ? high : NULL};
    return true;
}

static bool make_plot(const SlSection *section, const SlResults *part, int task, const char *title,
                      SlCurvePlot *plot) {
    SlCurve *curves = SL_SECTION_NEW(section, part->n_rows, SlCurve);
    for (int r = 0; curves && r < part->n_rows; r++)
        if (!make_curve(section, part, task, r, &curves[r])) return false;
    *plot = (SlCurvePlot){.n = part->n_rows,
                          .curves = curves,
                          .title = title,
                          .x_label = sl_section_samples(section),
                          .y_label = "above the optimum, %",
                          .log_x = true,
                          .log_y = true};
    return curves;
}

static void add_panels(const SlSection *section, int n, const SlCurvePlot *plots) {
    const SlResults *results = section->results;
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlPanels panels = {.n = n, .plots = plots, .title = "Regret: best so far above the optimum"};
    sl_draw_panels_svg(&panels, &svg);
    const char *middle =
        section->many ? "geometric mean over tasks of the median over seeds" : "median over seeds";
    const char *who = results->n_rows <= MOST_BANDS || results->reference < 0
                          ? "of every row"
                          : sl_section_text(section, "of %s", sl_section_reference(section));
    bool band = results->n_rows <= MOST_BANDS || results->reference >= 0;
    sl_section_figure(section, "regret", &svg,
                      sl_section_text(section,
                                      "How far the best %s so far is above the optimum: %s%s%s%s; "
                                      "%g %% or less is drawn at %g %%.",
                                      sl_section_mapping(section), middle,
                                      band ? ", with the quartiles " : "", band ? who : "",
                                      band ? " as a band" : "", least, least));
}

void sl_section_curves(const SlSection *section) {
    const SlResults *results = section->results;
    const char **names = SL_SECTION_NEW(section, results->n_tasks, const char *);
    SlCurvePlot *plots = SL_SECTION_NEW(section, results->n_tasks, SlCurvePlot);
    if (!names || !plots) return;
    sl_doc_heading(section->doc, "Learning curves");
    int n = section->many ? sl_section_objectives(section, names) : results->n_tasks;
    for (int i = 0; i < n; i++) {
        SlResults part = *results;
        if (section->many && !sl_section_part(section, names[i], &part)) return;
        const char *title = section->many
                                ? sl_section_text(section, "%s, %s", names[i],
                                                  sl_shown_plural(part.n_tasks, "task").text)
                                : results->tasks[i].name;
        if (!make_plot(section, &part, section->many ? -1 : i, title, &plots[i])) {
            section->doc->failed = true;
            return;
        }
    }
    add_panels(section, n, plots);
}

// ---- boxes ----

// a dot for every seed of a task
static double seed_dot(const SlResults *results, int task, int row, int seed) {
    const SlCellRecord *run = sl_results_run(results, task, row, seed);
    double best = run ? sl_run_best_at(results, run, results->budget) : NAN;
    double ratio = best / results->tasks[task].optimum;
    return isfinite(ratio) ? ratio : NAN;
}

// a dot for every task: its median
static double task_dot(const SlResults *results, int task, int row) {
    SlSummary end = sl_summary_regret(results, task, row, results->budget);
    return end.n && isfinite(end.median) ? 1 + end.median : NAN;
}

static void add_boxes(const SlSection *section, const SlResults *part, int task,
                      const char *title) {
    bool tasks = task < 0;
    int n_points = tasks ? part->n_tasks : part->n_seeds;
    double *points = SL_SECTION_NEW(section, part->n_rows * n_points, double), most = 1;
    if (!points) return;
    for (int r = 0; r < part->n_rows; r++)
        for (int i = 0; i < n_points; i++) {
            double dot = tasks ? task_dot(part, i, r) : seed_dot(part, task, r, i);
            points[r * n_points + i] = dot;
            if (dot > most) most = dot;
        }
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlBoxPlot plot = {.n = part->n_rows,
                      .names = part->rows,
                      .n_points = n_points,
                      .points = points,
                      .title = title,
                      .x_label = "final value over the optimum",
                      .log_x = most > 2,
                      .line = 1,
                      .line_name = "optimum"};
    sl_draw_boxes_svg(&plot, &svg);
    sl_section_figure(
        section, sl_section_text(section, "boxes %s", title), &svg,
        sl_section_text(
            section,
            "After %s %s (%s): a dot for every %s, a box from quartile to quartile with "
            "the median.",
            sl_shown_count((double)part->budget).text, sl_section_samples(section), title,
            tasks ? "task (its median over seeds)" : "seed"));
}

void sl_section_boxes(const SlSection *section) {
    const SlResults *results = section->results;
    sl_doc_heading(section->doc, "Spread at the end");
    if (!section->many) {
        for (int t = 0; t < results->n_tasks; t++)
            add_boxes(section, results, t, results->tasks[t].name);
        return;
    }
    const char **names = SL_SECTION_NEW(section, results->n_tasks, const char *);
    int n = names ? sl_section_objectives(section, names) : 0;
    for (int i = 0; i < n; i++) {
        SlResults part;
        if (sl_section_part(section, names[i], &part))
            add_boxes(section, &part, -1,
                      sl_section_text(section, "%s, %s", names[i],
                                      sl_shown_plural(part.n_tasks, "task").text));
    }
}
