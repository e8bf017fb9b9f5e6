// section_returns.c - mean return over samples (Figs. 5 and 6 of the mapping paper).
#include <math.h>

#include "page.h"
#include "section.h"

enum { N_SHARES = 3 };
static const double shares[N_SHARES] = {0.5, 0.8, 0.9};

// most stretches of any row
static int most_windows(const SlResults *results, int task) {
    int most = 0;
    for (int r = 0; r < results->n_rows; r++) {
        int n = sl_return_windows(results, task, r);
        if (n > most) most = n;
    }
    return most;
}

// the last stretch of every point of a curve (n): few, and evenly on a log scale where there are
// many; returns how many points
static int make_ends(int n, double *ends) {
    if (n > SL_SECTION_POINTS) return sl_section_grid(1, n, SL_SECTION_POINTS, ends);
    for (int w = 0; w < n; w++) ends[w] = w + 1;
    return n;
}

static bool make_curve(const SlSection *section, int task, int row, SlCurve *curve) {
    const SlResults *results = section->results;
    int n = sl_return_windows(results, task, row);
    double *x = SL_SECTION_NEW(section, n, double), *y = SL_SECTION_NEW(section, n, double);
    double *low = SL_SECTION_NEW(section, n, double), *high = SL_SECTION_NEW(section, n, double);
    if (!x || !y || !low || !high) return false;
    int n_points = make_ends(n, x), first = 0;
    for (int i = 0; i < n_points; i++) {
        int end = (int)x[i];
        SlSummary at = sl_return_summary(results, task, row, first, end);
        x[i] = (double)sl_return_last(results, task, row, end - 1);
        y[i] = at.median;
        low[i] = at.low;
        high[i] = at.high;
        first = end;
    }
    *curve = (SlCurve){
        .name = results->rows[row], .n = n_points, .x = x, .y = y, .low = low, .high = high};
    return true;
}

static void add_panels(const SlSection *section) {
    const SlResults *results = section->results;
    SlCurvePlot *plots = SL_SECTION_NEW(section, results->n_tasks, SlCurvePlot);
    int n = 0;
    for (int t = 0; plots && t < results->n_tasks; t++) {
        if (most_windows(results, t) == 0) continue;
        SlCurve *curves = SL_SECTION_NEW(section, results->n_rows, SlCurve);
        for (int r = 0; curves && r < results->n_rows; r++)
            if (!make_curve(section, t, r, &curves[r])) return;
        plots[n++] = (SlCurvePlot){.n = curves ? results->n_rows : 0,
                                   .curves = curves,
                                   .title = results->tasks[t].name,
                                   .x_label = "samples",
                                   .y_label = "mean return",
                                   .log_x = true};
    }
    if (n == 0) return;
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlPanels panels = {.n = n, .plots = plots, .title = "Mean return"};
    sl_draw_panels_svg(&panels, &svg);
    sl_section_figure(section, "returns", &svg,
                      "Mean of optimum / value over the samples of each stretch (1 = every sample "
                      "is optimal): median over seeds, with the quartiles as a band.");
}

static void add_task(const SlSection *section, int task) {
    const SlResults *results = section->results;
    bool compared = results->reference >= 0;
    const char *reference = sl_section_column(section, sl_section_reference(section));
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<row|final");
    for (int i = 0; i < N_SHARES && compared; i++)
        sl_text_add(&heads, "|to %.0f %%|of %s", 100 * shares[i], reference);
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(
        section->arena,
        compared ? sl_section_text(section,
                                   "%s: samples until the mean return reaches so much of the final "
                                   "one of %s",
                                   results->tasks[task].name, sl_section_reference(section))
                 : sl_section_text(section, "%s: final mean return", results->tasks[task].name),
        heads.data);
    for (int r = 0; r < results->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        sl_table_cell(table, "%s", sl_shown_ratio(sl_return_final(results, task, r)).text);
        for (int i = 0; i < N_SHARES && compared; i++) {
            SlReturnGoal goal = {shares[i], results->reference};
            SlReach reach = sl_return_reach(results, task, r, goal);
            SlEstimate times = sl_return_factor(results, task, r, results->reference, goal);
            sl_table_cell(
                table, "%s",
                sl_shown_samples(reach.n ? reach.median : NAN, sl_section_budget(section, r)).text);
            sl_table_cell(table, "%s", sl_shown_times(&times).text);
        }
    }
    sl_doc_grid(section->doc, sl_section_text(section, "returns %s", results->tasks[task].name),
                table);
}

// the sample at the end of the first stretch of any row
static int64_t first_end(const SlResults *results) {
    int64_t least = 0;
    for (int i = 0; i < results->n_tasks * results->n_rows; i++) {
        int64_t end = sl_return_last(results, i / results->n_rows, i % results->n_rows, 0);
        if (end > 0 && (least == 0 || end < least)) least = end;
    }
    return least;
}

// "Samples are cut into 50 stretches", or into stretches of so many samples
static const char *stretches(const SlSection *section, int most) {
    const SlPlan *plan = section->plan;
    return plan->stretch > 0 ? sl_section_text(section, "stretches of %s",
                                               sl_shown_count((double)plan->stretch).text)
                             : sl_section_text(section, "%d stretches", most);
}

void sl_section_returns(const SlSection *section) {
    const SlResults *results = section->results;
    int most = 0;
    for (int t = 0; t < results->n_tasks; t++) {
        int n = most_windows(results, t);
        if (n > most) most = n;
    }
    if (most == 0) return;
    sl_doc_heading(section->doc, "Mean return");
    sl_doc_words(section->doc,
                 "The return of a sample is optimum / value. Samples are cut into %s; "
                 "the final mean return is that of the last tenth. A stretch counts at its end, so "
                 "%s is the least number of samples there can be.",
                 stretches(section, most), sl_shown_count((double)first_end(results)).text);
    add_panels(section);
    for (int t = 0; t < results->n_tasks; t++)
        if (most_windows(results, t) > 0) add_task(section, t);
}
