// section_costs.c - what a row costs, weights, memory and time, beside what it reaches.
#include <math.h>

#include "detail.h"
#include "page.h"
#include "section.h"

// a number of the details of all runs of a row: its median; NAN = none has it
static double median_detail(const SlSection *section, int row, const char *key) {
    const SlResults *results = section->results;
    int n = 0, room = results->n_tasks * results->n_seeds;
    double *values = SL_SECTION_NEW(section, room, double);
    for (int i = 0; values && i < room; i++) {
        const SlCellRecord *run =
            sl_results_run(results, i / results->n_seeds, row, i % results->n_seeds);
        double value = sl_detail_number(run ? sl_detail_read(run, section->arena) : NULL, key);
        if (isfinite(value)) values[n++] = value;
    }
    if (n == 0) return NAN;
    sl_sort(n, values);
    return sl_median_sorted(n, values);
}

// the geometric mean over tasks of the final mean return; NAN without windows
static double mean_final(const SlResults *results, int row) {
    double sum = 0;
    int n = 0;
    for (int t = 0; t < results->n_tasks; t++) {
        double final = sl_return_final(results, t, row);
        if (!isfinite(final)) continue;
        sum += log(final);
        n++;
    }
    return n ? exp(sum / n) : NAN;
}

// the final mean return over that of the reference
static void add_return_ratio(const SlResults *results, SlTable *table, int row) {
    SlEstimate ratio = {0};
    if (results->reference >= 0 && row != results->reference)
        ratio = sl_return_ratio(results, -1, row, results->reference);
    if (ratio.n_tasks == 0)
        sl_table_cell(table, "%s", "");
    else
        sl_table_cell(table, "%s (%s)", sl_shown_ratio(ratio.value).text,
                      sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text);
}

static void add_row(const SlSection *section, SlTable *table, int row) {
    const SlResults *results = section->results;
    double seconds;
    SlReach near = sl_reach(results, -1, row, 5);
    double bytes = median_detail(section, row, "state_bytes");
    sl_table_row(table);
    sl_table_cell(table, "%s", results->rows[row]);
    sl_table_cell(table, "%s", sl_shown_count(median_detail(section, row, "n_agents")).text);
    sl_table_cell(table, "%s", sl_shown_count(median_detail(section, row, "weights")).text);
    sl_table_cell(table, "%s", sl_shown_count(bytes / 1024).text);
    sl_table_cell(table, "%s",
                  sl_shown_factor(sl_section_time(section, row, &seconds).median).text);
    sl_table_cell(table, "%s", sl_shown_ratio(mean_final(results, row)).text);
    add_return_ratio(results, table, row);
    sl_table_cell(table, "%s",
                  sl_shown_ratio(sl_section_mean(results, row, results->budget).median).text);
    sl_table_cell(
        table, "%s",
        sl_shown_samples(near.n ? near.median : NAN, sl_section_budget(section, row)).text);
}

static bool has_weights(const SlSection *section) {
    for (int r = 0; r < section->results->n_rows; r++)
        if (isfinite(median_detail(section, r, "weights"))) return true;
    return false;
}

void sl_section_costs(const SlSection *section) {
    const SlResults *results = section->results;
    if (!has_weights(section)) return;
    sl_doc_heading(section->doc, "Cost and result of every row");
    sl_doc_words(
        section->doc,
        "Weights: numbers that training changes; memory: what the method's state takes "
        "when a run begins, with gradients, optimisers, rollouts and replays; time: "
        "processor time of a run over its samples, pricing and assignment included. "
        "Medians over all runs. Final mean return and best value over the optimum: "
        "medians over seeds, geometric means over tasks; of the reference: over that of %s, with a "
        "95 %% interval.",
        sl_section_reference(section));
    SlTable *table = sl_table_make(section->arena, "Costs and results",
                                   "<row|agents|weights|memory, KiB|µs per sample|final mean "
                                   "return|of the reference|over optimum|samples to 5 %");
    for (int r = 0; r < results->n_rows; r++) add_row(section, table, r);
    sl_doc_grid(section->doc, "costs", table);
}
