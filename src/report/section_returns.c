// section_returns.c - mean return over samples (Figs. 5 and 6 of the mapping paper).
#include <math.h>

#include "page.h"
#include "returns.h"

enum { N_SHARES = 3 };
static const double shares[N_SHARES] = {0.5, 0.8, 0.9};

static bool make_curve(const SlSection *section, int task, int row, SlCurve *curve) {
    const SlResults *results = section->results;
    int n = sl_return_windows(results, task);
    double *x = SL_SECTION_NEW(section, n, double), *y = SL_SECTION_NEW(section, n, double);
    double *low = SL_SECTION_NEW(section, n, double), *high = SL_SECTION_NEW(section, n, double);
    if (!x || !y || !low || !high) return false;
    for (int w = 0; w < n; w++) {
        SlSummary at = sl_return_summary(section, task, row, w);
        x[w] = (double)sl_return_last(results, task, w);
        y[w] = at.median;
        low[w] = at.low;
        high[w] = at.high;
    }
    *curve =
        (SlCurve){.name = results->rows[row], .n = n, .x = x, .y = y, .low = low, .high = high};
    return true;
}

static void add_panels(const SlSection *section) {
    const SlResults *results = section->results;
    SlCurvePlot *plots = SL_SECTION_NEW(section, results->n_tasks, SlCurvePlot);
    int n = 0;
    for (int t = 0; plots && t < results->n_tasks; t++) {
        if (sl_return_windows(results, t) == 0) continue;
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
    double final = compared ? sl_return_final(section, task, results->reference) : NAN;
    for (int r = 0; r < results->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        sl_table_cell(table, "%s", sl_shown_ratio(sl_return_final(section, task, r)).text);
        for (int i = 0; i < N_SHARES && compared; i++) {
            double level = shares[i] * final;
            double samples = sl_return_reach(section, task, r, level);
            SlEstimate times = sl_return_factor(section, task, r, level);
            sl_table_cell(table, "%s", sl_shown_samples(samples, results->budget).text);
            sl_table_cell(table, "%s", sl_shown_times(&times).text);
        }
    }
    sl_doc_grid(section->doc, sl_section_text(section, "returns %s", results->tasks[task].name),
                table);
}

void sl_section_returns(const SlSection *section) {
    const SlResults *results = section->results;
    int most = 0;
    for (int t = 0; t < results->n_tasks; t++) {
        int n = sl_return_windows(results, t);
        if (n > most) most = n;
    }
    if (most == 0) return;
    sl_doc_heading(section->doc, "Mean return");
    sl_doc_words(section->doc,
                 "The return of a sample is optimum / value. Samples are cut into %d stretches; "
                 "the final mean return is that of the last tenth. A stretch counts at its end, so "
                 "%s is the least number of samples there can be.",
                 most, sl_shown_count((double)sl_return_last(results, 0, 0)).text);
    add_panels(section);
    for (int t = 0; t < results->n_tasks; t++)
        if (sl_return_windows(results, t) > 0) add_task(section, t);
}
