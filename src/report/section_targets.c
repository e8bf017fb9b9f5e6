// section_targets.c - samples to within 10, 5 and 1 % of the optimum, and how many times more than
// the reference needs.
#include <math.h>

#include "page.h"
#include "section.h"

enum { N_TARGETS = 3 };
static const double targets[N_TARGETS] = {10, 5, 1};

// the share of runs that get there, and their median
static void add_reached(const SlSection *section, const SlResults *part, const char *what) {
    const char *word = sl_section_samples(section);
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, "%s: %s to within 10, 5 and 1 %% of the optimum", what, word),
        sl_section_text(section, "<row|10 %%: runs|%s|5 %%: runs|%s|1 %%: runs|%s", word, word,
                        word));
    for (int r = 0; r < part->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", part->rows[r]);
        for (int i = 0; i < N_TARGETS; i++) {
            SlReach reach = sl_reach(part, -1, r, targets[i]);
            double median = reach.n ? reach.median : NAN;
            sl_table_cell(table, "%s", sl_shown_share(reach.n_reached, reach.n).text);
            sl_table_cell(table, "%s",
                          sl_shown_samples(median, sl_section_budget(section, r)).text);
        }
    }
    sl_doc_grid(section->doc, sl_section_text(section, "targets %s", what), table);
}

static void add_factors(const SlSection *section, const SlResults *part, const char *what) {
    SlTable *table =
        sl_table_make(section->arena,
                      sl_section_text(section, "%s: how many times the %s of %s", what,
                                      sl_section_samples(section), sl_section_reference(section)),
                      "<row|to 10 %|95 %|to 5 %|95 %|to 1 %|95 %|tasks");
    for (int r = 0; r < part->n_rows; r++) {
        int n_tasks = 0;
        if (r == part->reference) continue;
        sl_table_row(table);
        sl_table_cell(table, "%s", part->rows[r]);
        for (int i = 0; i < N_TARGETS; i++) {
            SlEstimate factor = sl_reach_factor(part, -1, r, part->reference, targets[i]);
            sl_table_cell(table, "%s", sl_shown_times(&factor).text);
            sl_table_cell(table, "%s",
                          sl_shown_range(factor.low, factor.high, sl_shown_factor).text);
            if (factor.n_tasks > n_tasks) n_tasks = factor.n_tasks;
        }
        sl_table_cell(table, "%d", n_tasks);
    }
    sl_doc_grid(section->doc, sl_section_text(section, "factors %s", what), table);
}

static void add_part(const SlSection *section, const SlResults *part, const char *what) {
    add_reached(section, part, what);
    if (part->reference >= 0 && part->n_rows > 1) add_factors(section, part, what);
}

// medians task by task
static void add_tasks(const SlSection *section) {
    const SlResults *results = section->results;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<row");
    for (int t = 0; t < results->n_tasks; t++)
        sl_text_add(&heads, "|%s", sl_section_column(section, results->tasks[t].name));
    if (heads.failed) section->doc->failed = true;
    SlTable *table =
        sl_table_make(section->arena,
                      sl_section_text(section, "Task by task: median %s to within 10 / 5 / 1 %%",
                                      sl_section_samples(section)),
                      heads.data);
    for (int r = 0; r < results->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        for (int t = 0; t < results->n_tasks; t++) {
            SlShown shown[N_TARGETS];
            for (int i = 0; i < N_TARGETS; i++) {
                SlReach reach = sl_reach(results, t, r, targets[i]);
                shown[i] =
                    sl_shown_samples(reach.n ? reach.median : NAN, sl_section_budget(section, r));
            }
            sl_table_cell(table, "%s / %s / %s", shown[0].text, shown[1].text, shown[2].text);
        }
    }
    sl_doc_grid(section->doc, "targets-tasks", table);
}

static void add_bars(const SlSection *section) {
    static const char *const series[N_TARGETS] = {"within 10 %", "within 5 %", "within 1 %"};
    const SlResults *results = section->results;
    int room = results->n_rows * N_TARGETS, n = 0;
    const char **names = SL_SECTION_NEW(section, results->n_rows, const char *);
    double *values = SL_SECTION_NEW(section, room, double);
    double *low = SL_SECTION_NEW(section, room, double);
    double *high = SL_SECTION_NEW(section, room, double);
    if (!names || !values || !low || !high) return;
    for (int r = 0; r < results->n_rows; r++) {
        if (r == results->reference) continue;
        for (int i = 0; i < N_TARGETS; i++) {
            SlEstimate factor = sl_reach_factor(results, -1, r, results->reference, targets[i]);
            bool known = factor.n_tasks > 0 && factor.value > 0;
            values[n * N_TARGETS + i] = known ? factor.value : NAN;
            low[n * N_TARGETS + i] = known ? factor.low : NAN;
            high[n * N_TARGETS + i] = known ? factor.high : NAN;
        }
        names[n++] = results->rows[r];
    }
    if (n == 0) return;
    SlText svg;
    sl_text_init(&svg, section->arena);
    const char *reference = sl_section_reference(section), *word = sl_section_samples(section);
    SlBarPlot plot = {
        .n = n,
        .n_series = N_TARGETS,
        .names = names,
        .series = series,
        .values = values,
        .low = low,
        .high = high,
        .title = sl_section_text(section, "How many times more %s than %s", word, reference),
        .x_label = sl_section_text(section, "%s over those of %s", word, reference),
        .log_x = true};
    sl_draw_bars_svg(&plot, &svg);
    sl_section_figure(
        section, "target-factors", &svg,
        sl_section_text(section,
                        "How many times more %s than %s a row needs to come near the optimum, "
                        "geometric mean over tasks with 95 %% intervals; where runs never get "
                        "there it is a lower bound.",
                        word, reference));
}

void sl_section_targets(const SlSection *section) {
    const SlResults *results = section->results;
    sl_doc_heading(section->doc, "%s to a target",
                   section->plan->kind->maps ? "Samples" : "Measurements");
    sl_doc_words(section->doc,
                 "Runs: the share that comes so near to the optimum within its budget; %s: "
                 "the median of all runs, those that never get there counted as more than the "
                 "budget. The factor is the geometric mean over tasks of the ratio of medians; "
                 "runs that never get there count as their budget, so where most of a row's do, "
                 "the true factor is at least this (≥), where most of the other's do, at most "
                 "(≤). Tasks where neither row gets there are left out of it.",
                 sl_section_samples(section));
    add_part(section, results, "All tasks");
    const char **names = SL_SECTION_NEW(section, results->n_tasks, const char *);
    int n = names ? sl_section_objectives(section, names) : 0;
    for (int i = 0; i < n && n > 1; i++) {
        SlResults part;
        if (sl_section_part(section, names[i], &part)) add_part(section, &part, names[i]);
    }
    if (!section->many && results->n_tasks > 1) add_tasks(section);
    if (results->reference >= 0) add_bars(section);
}
