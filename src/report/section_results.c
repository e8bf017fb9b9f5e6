// section_results.c - medians and quartiles at the checkpoints, ratios to the reference, multiples
// of the floor.
#include <math.h>
#include <string.h>

#include "page.h"
#include "section.h"

// the values of all rows at all checkpoints (n_rows, n_points) and the least of every column
typedef struct {
    double *values, *best;
} Grid;

static bool make_grid(const SlSection *section, Grid *grid) {
    int n = section->n_points;
    grid->values = SL_SECTION_NEW(section, section->results->n_rows * n, double);
    grid->best = SL_SECTION_NEW(section, n, double);
    return grid->values && grid->best;
}

static void find_best(const SlSection *section, Grid *grid) {
    for (int i = 0; i < section->n_points; i++) {
        grid->best[i] = INFINITY;
        for (int r = 0; r < section->results->n_rows; r++)
            grid->best[i] = fmin(grid->best[i], grid->values[r * section->n_points + i]);
    }
}

static void add_grid(const SlSection *section, const char *name, const char *title,
                     const Grid *grid) {
    SlTable *table = sl_section_checkpoints(section, title, "row");
    for (int r = 0; r < section->results->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", section->results->rows[r]);
        sl_section_cells(section, table, grid->values + r * section->n_points, grid->best);
    }
    sl_doc_grid(section->doc, name, table);
}

// ---- few tasks: a table for each ----

static void add_task_medians(const SlSection *section, int task) {
    const SlResultTask *of = &section->results->tasks[task];
    Grid grid;
    if (!make_grid(section, &grid)) return;
    for (int r = 0; r < section->results->n_rows; r++)
        for (int i = 0; i < section->n_points; i++) {
            SlSummary regret = sl_summary_regret(section->results, task, r, section->points[i]);
            grid.values[r * section->n_points + i] = regret.n ? 1 + regret.median : NAN;
        }
    find_best(section, &grid);
    add_grid(section, sl_section_text(section, "results %s", of->name),
             sl_section_text(section, "%s: median best so far over the optimum, by %s", of->name,
                             sl_section_samples(section)),
             &grid);
}

// the final median of a row with what belongs to it
static void add_end_row(const SlSection *section, SlTable *table, int task, int row, double best) {
    const SlResults *results = section->results;
    SlSummary value = sl_summary_at(results, task, row, results->budget);
    SlSummary multiple = sl_summary_floor(results, task, row);
    sl_table_row(table);
    sl_table_cell(table, "%s", results->rows[row]);
    sl_table_cell(table, "%s", value.n ? sl_shown_value(value.median).text : "–");
    if (section->complete && value.n && value.median <= best) sl_table_strong(table);
    sl_table_cell(table, "%s",
                  value.n ? sl_shown_range(value.low, value.high, sl_shown_value).text : "–");
    if (results->reference >= 0) {
        SlEstimate ratio = sl_ratio(results, task, row, results->reference, results->budget);
        bool self = row == results->reference;
        sl_table_cell(table, "%s", sl_shown_ratio(self && value.n ? 1 : ratio.value).text);
        sl_table_cell(table, "%s",
                      self ? "" : sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text);
    }
    sl_table_cell(table, "%s", multiple.n ? sl_shown_ratio(multiple.median).text : "–");
    sl_table_cell(table, "%d", value.n);
}

static const char *end_heads(const SlSection *section, const char *value) {
    const char *name = sl_section_column(section, sl_section_reference(section));
    if (section->results->reference < 0)
        return sl_section_text(section, "<row|%s|quartiles|× floor|runs", value);
    return sl_section_text(section, "<row|%s|quartiles|over %s|95 %%|× floor|runs", value, name);
}

static void add_task_end(const SlSection *section, int task) {
    const SlResults *results = section->results;
    const SlResultTask *of = &results->tasks[task];
    const char *unit = sl_section_unit(section, task);
    const char *value = sl_section_text(section, "median%s%s", *unit ? ", " : "", unit);
    SlTable *table = sl_table_make(section->arena,
                                   sl_section_text(section, "%s after %s %s", of->name,
                                                   sl_shown_count((double)results->budget).text,
                                                   sl_section_samples(section)),
                                   end_heads(section, value));
    double best = INFINITY;
    for (int r = 0; r < results->n_rows; r++) {
        SlSummary end = sl_summary_at(results, task, r, results->budget);
        if (end.n) best = fmin(best, end.median);
    }
    for (int r = 0; r < results->n_rows; r++) add_end_row(section, table, task, r, best);
    sl_doc_grid(section->doc, sl_section_text(section, "end %s", of->name), table);
}

static void add_task_quartiles(const SlSection *section, int task) {
    const SlResultTask *of = &section->results->tasks[task];
    SlTable *table = sl_section_checkpoints(
        section,
        sl_section_text(section, "%s: quartiles of best so far over the optimum", of->name), "row");
    for (int r = 0; r < section->results->n_rows; r++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", section->results->rows[r]);
        for (int i = 0; i < section->n_points; i++) {
            SlSummary regret = sl_summary_regret(section->results, task, r, section->points[i]);
            sl_table_cell(table, "%s",
                          regret.n
                              ? sl_shown_range(1 + regret.low, 1 + regret.high, sl_shown_ratio).text
                              : "–");
        }
    }
    sl_doc_grid(section->doc, sl_section_text(section, "quartiles %s", of->name), table);
}

// ---- many tasks: means ----

static void add_means(const SlSection *section, const SlResults *part, const char *what) {
    Grid grid;
    if (!make_grid(section, &grid)) return;
    for (int r = 0; r < part->n_rows; r++)
        for (int i = 0; i < section->n_points; i++)
            grid.values[r * section->n_points + i] =
                sl_section_mean(part, r, section->points[i]).median;
    find_best(section, &grid);
    add_grid(section, sl_section_text(section, "results %s", what),
             sl_section_text(section, "%s: best so far over the optimum, by %s", what,
                             sl_section_samples(section)),
             &grid);
}

static double mean_floor(const SlResults *results, int row) {
    double sum = 0;
    int n = 0;
    for (int t = 0; t < results->n_tasks; t++) {
        SlSummary multiple = sl_summary_floor(results, t, row);
        if (multiple.n == 0 || !isfinite(multiple.median)) continue;
        sum += log(multiple.median);
        n++;
    }
    return n ? exp(sum / n) : NAN;
}

static void add_mean_end(const SlSection *section) {
    const SlResults *results = section->results;
    const char *heads = "<row|over optimum|95 %|× floor|runs";
    if (results->reference >= 0)
        heads = sl_section_text(section, "<row|over optimum|95 %%|over %s|95 %%|× floor|runs",
                                sl_section_column(section, sl_section_reference(section)));
    SlTable *table = sl_table_make(section->arena,
                                   sl_section_text(section, "All tasks after %s %s",
                                                   sl_shown_count((double)results->budget).text,
                                                   sl_section_samples(section)),
                                   heads);
    for (int r = 0; r < results->n_rows; r++) {
        SlEstimate above = sl_above_optimum(results, -1, r, results->budget);
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        sl_table_cell(table, "%s", sl_shown_ratio(above.value).text);
        sl_table_cell(table, "%s", sl_shown_range(above.low, above.high, sl_shown_ratio).text);
        if (results->reference >= 0) {
            bool self = r == results->reference;
            SlEstimate ratio = sl_ratio(results, -1, r, results->reference, results->budget);
            sl_table_cell(table, "%s", sl_shown_ratio(self ? 1 : ratio.value).text);
            sl_table_cell(table, "%s",
                          self ? "" : sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text);
        }
        sl_table_cell(table, "%s", sl_shown_ratio(mean_floor(results, r)).text);
        sl_table_cell(table, "%d", sl_section_runs(results, -1, r));
    }
    sl_doc_grid(section->doc, "end", table);
}

// final medians over the optimum: a row per task, a column per row of the plan
static void add_every_task(const SlSection *section) {
    const SlResults *results = section->results;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<task");
    for (int r = 0; r < results->n_rows; r++)
        sl_text_add(&heads, "|%s", sl_section_column(section, results->rows[r]));
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, "Every task: median over the optimum after %s %s",
                        sl_shown_count((double)results->budget).text, sl_section_samples(section)),
        heads.data);
    for (int t = 0; t < results->n_tasks; t++) {
        double best = INFINITY;
        for (int r = 0; r < results->n_rows; r++) {
            SlSummary end = sl_summary_regret(results, t, r, results->budget);
            if (end.n) best = fmin(best, 1 + end.median);
        }
        sl_table_row(table);
        sl_table_cell(table, "%s", results->tasks[t].name);
        for (int r = 0; r < results->n_rows; r++) {
            SlSummary end = sl_summary_regret(results, t, r, results->budget);
            SlShown shown = sl_shown_ratio(end.n ? 1 + end.median : NAN);
            sl_table_cell(table, "%s", shown.text);
            if (end.n && strcmp(shown.text, sl_shown_ratio(best).text) == 0) sl_table_strong(table);
        }
    }
    sl_doc_grid(section->doc, "every-task", table);
}

static void add_objectives(const SlSection *section) {
    const char **names = SL_SECTION_NEW(section, section->results->n_tasks, const char *);
    int n = names ? sl_section_objectives(section, names) : 0;
    for (int i = 0; i < n && n > 1; i++) {
        SlResults part;
        if (!sl_section_part(section, names[i], &part)) return;
        add_means(section, &part,
                  sl_section_text(section, "%s, %s", names[i],
                                  sl_shown_plural(part.n_tasks, "task").text));
    }
}

void sl_section_results(const SlSection *section) {
    const SlResults *results = section->results;
    sl_doc_heading(section->doc, "Results");
    if (section->many) {
        sl_doc_words(section->doc,
                     "Best value so far over the optimum (1 = optimal): the median over seeds "
                     "of every task, then the geometric mean over tasks. The best of every "
                     "column stands out. Intervals are 95 %% bootstrap intervals over seeds.");
        add_means(section, results, "All tasks");
        add_objectives(section);
        add_mean_end(section);
        add_every_task(section);
        return;
    }
    sl_doc_words(section->doc,
                 "Best value so far over the optimum (1 = optimal), median over seeds; the best "
                 "of every column stands out. Ratios of medians come with 95 %% bootstrap "
                 "intervals over seeds; × floor is the multiple of what physics asks at least.");
    for (int t = 0; t < results->n_tasks; t++) {
        add_task_medians(section, t);
        add_task_end(section, t);
    }
}

void sl_section_quartiles(const SlSection *section) {
    const SlResults *results = section->results;
    sl_doc_heading(section->doc, "Quartiles");
    sl_doc_words(section->doc, "Best value so far over the optimum: the middle half of the "
                               "seeds lies between these two.");
    for (int t = 0; t < results->n_tasks; t++) add_task_quartiles(section, t);
}
