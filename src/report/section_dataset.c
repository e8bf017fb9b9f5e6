// section_dataset.c - what the samples of the agent assignment cost: best so far without and with
// them.
#include <math.h>

#include "page.h"
#include "section.h"

// samples of the assignment of a row's runs, 0 = it has none
static int64_t dataset_of(const SlResults *results, int row) {
    for (int i = 0; i < results->n_tasks * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, i / results->n_seeds, row, i % results->n_seeds);
        if (run && run->assign_samples > 0) return run->assign_samples;
    }
    return 0;
}

static void add_values(const SlSection *section, SlTable *table, const SlResults *results,
                       int row) {
    for (int i = 0; i < section->n_points; i++) {
        double mean = sl_section_mean(results, row, section->points[i]).median;
        sl_table_cell(table, "%s", sl_shown_ratio(mean).text);
    }
    SlReach reach = sl_reach(results, -1, row, 5);
    sl_table_cell(table, "%s",
                  sl_shown_samples(reach.n ? reach.median : NAN, results->budget).text);
}

static void add_table(const SlSection *section, const SlResults *part, const char *what) {
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<row|<dataset");
    for (int i = 0; i < section->n_points; i++)
        sl_text_add(&heads, "|%s", sl_shown_count((double)section->points[i]).text);
    sl_text_add(&heads, "|samples to 5 %%");
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, "%s: best so far over the optimum, by samples", what), heads.data);
    SlResults counted = *part, plain = *part;
    counted.count_dataset = true;
    plain.count_dataset = false;
    for (int r = 0; r < part->n_rows; r++) {
        int64_t dataset = dataset_of(part, r);
        sl_table_row(table);
        sl_table_cell(table, "%s", part->rows[r]);
        sl_table_cell(table, "%s", dataset ? "not counted" : "none");
        add_values(section, table, &plain, r);
        if (dataset == 0) continue;
        sl_table_row(table);
        sl_table_cell(table, "%s", part->rows[r]);
        sl_table_cell(table, "%s counted", sl_shown_count((double)dataset).text);
        add_values(section, table, &counted, r);
    }
    sl_doc_grid(section->doc, sl_section_text(section, "dataset %s", what), table);
}

void sl_section_dataset(const SlSection *section) {
    const SlResults *results = section->results;
    bool any = false;
    for (int r = 0; r < results->n_rows; r++) any = any || dataset_of(results, r) > 0;
    if (!any) return;
    sl_doc_heading(section->doc, "Cost of the assignment");
    sl_doc_words(
        section->doc,
        "Rows with fewer agents than parameters draw a dataset first, from which Algorithm "
        "1 groups the parameters. Counted, its samples come before the first of the run; "
        "until then the row has nothing (–). Medians over seeds, geometric means over "
        "tasks.");
    if (results->n_tasks <= SL_SECTION_TASKS && results->n_tasks > 1) {
        const char **names = SL_SECTION_NEW(section, results->n_tasks, const char *);
        int n = names ? sl_section_objectives(section, names) : 0;
        for (int i = 0; i < n; i++) {
            SlResults part;
            if (sl_section_part(section, names[i], &part)) add_table(section, &part, names[i]);
        }
        return;
    }
    add_table(section, results, "All tasks");
}
