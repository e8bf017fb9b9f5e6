// section_times.c - time per sample.
#include <math.h>

#include "page.h"
#include "section.h"

SlSummary sl_section_time(const SlSection *section, int row, double *seconds) {
    const SlResults *results = section->results;
    SlSummary out = {.median = NAN, .low = NAN, .high = NAN, .least = NAN, .most = NAN};
    double *us = SL_SECTION_NEW(section, results->n_tasks * results->n_seeds, double);
    *seconds = 0;
    for (int i = 0; us && i < results->n_tasks * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, i / results->n_seeds, row, i % results->n_seeds);
        if (!run || run->samples <= 0 || !(run->seconds > 0)) continue;
        us[out.n++] = 1e6 * run->seconds / (double)run->samples;
        *seconds += run->seconds;
    }
    if (out.n == 0) return out;
    sl_sort(out.n, us);
    out.median = sl_median_sorted(out.n, us);
    out.low = sl_quantile_sorted(out.n, us, 0.25);
    out.high = sl_quantile_sorted(out.n, us, 0.75);
    return out;
}

void sl_section_times(const SlSection *section) {
    const SlResults *results = section->results;
    double *values = SL_SECTION_NEW(section, results->n_rows, double);
    double *low = SL_SECTION_NEW(section, results->n_rows, double);
    double *high = SL_SECTION_NEW(section, results->n_rows, double);
    if (!values || !low || !high) return;
    sl_doc_heading(section->doc, "Time");
    sl_doc_words(section->doc,
                 "Time of a run over its %s, %s included, on one thread; the median "
                 "over all runs. It depends on the machine and on what else ran there.",
                 sl_section_samples(section), section->plan->kind->maps ? "pricing" : "simulation");
    const char *word = sl_section_sample(section);
    SlTable *table =
        sl_table_make(section->arena, sl_section_text(section, "Microseconds per %s", word),
                      "<row|median|quartiles|all runs|runs");
    for (int r = 0; r < results->n_rows; r++) {
        double seconds = 0;
        SlSummary time = sl_section_time(section, r, &seconds);
        values[r] = time.median;
        low[r] = time.low;
        high[r] = time.high;
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        sl_table_cell(table, "%s", sl_shown_factor(time.median).text);
        sl_table_cell(table, "%s", sl_shown_range(time.low, time.high, sl_shown_factor).text);
        sl_table_cell(table, "%s", sl_shown_duration(seconds).text);
        sl_table_cell(table, "%d", time.n);
    }
    sl_doc_grid(section->doc, "times", table);
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlBarPlot plot = {.n = results->n_rows,
                      .n_series = 1,
                      .names = results->rows,
                      .values = values,
                      .low = low,
                      .high = high,
                      .title = sl_section_text(section, "Time per %s", word),
                      .x_label = sl_section_text(section, "microseconds per %s", word),
                      .log_x = true};
    sl_draw_bars_svg(&plot, &svg);
    sl_section_figure(section, "sample-times", &svg,
                      sl_section_text(section,
                                      "Time per %s: median over all runs, whiskers from "
                                      "quartile to quartile.",
                                      word));
}
