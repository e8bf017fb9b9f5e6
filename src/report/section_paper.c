// section_paper.c - published numbers beside ours.
#include <math.h>
#include <string.h>

#include "detail.h"
#include "page.h"
#include "section.h"

static const double speedup_percent = 5; // "speedup": samples to within so much of the optimum
static const double speedup_share = 0.9; // ... and to so much of the reference's final mean return

// where a published number belongs: -1 = any or not in this study
static int find_task(const SlResults *results, const SlPaperNumber *number) {
    for (int t = 0; t < results->n_tasks; t++) {
        bool layer = !*number->layer || strcmp(number->layer, results->tasks[t].layer) == 0;
        bool goal =
            !*number->objective || strcmp(number->objective, results->tasks[t].objective) == 0;
        if (layer && goal) return t;
    }
    return -1;
}

static int find_row(const SlResults *results, const char *name) {
    for (int r = 0; r < results->n_rows; r++)
        if (strcmp(results->rows[r], name) == 0) return r;
    return -1;
}

// one row of the table: what is published, then ours and how it is measured
typedef struct {
    const SlSection *section;
    const SlPaperNumber *number;
    SlTable *table;
    int task, row; // -1 = not in this study
    int over;      // the row it is compared with
} Line;

// are there rows that the reference is not the measure of?
static bool has_others(const SlPlan *plan) {
    for (int i = 0; i < plan->n_paper; i++)
        if (plan->paper[i].over && *plan->paper[i].over) return true;
    return false;
}

static bool is_known(const Line *line) {
    return line->task >= 0 && line->row >= 0 && line->over >= 0;
}

static void begin_line(const Line *line, const char *how) {
    const SlPaperNumber *number = line->number;
    sl_table_row(line->table);
    sl_table_cell(line->table, "%s", number->layer);
    sl_table_cell(line->table, "%s", number->objective);
    sl_table_cell(line->table, "%s", number->row);
    if (has_others(line->section->plan)) {
        int over = line->over;
        sl_table_cell(line->table, "%s", over >= 0 ? line->section->results->rows[over] : "");
    }
    sl_table_cell(line->table, "%s", how);
    if (isnan(number->high))
        sl_table_cell(line->table, "%s", sl_shown_value(number->value).text);
    else
        sl_table_cell(line->table, "%s",
                      sl_shown_range(number->value, number->high, sl_shown_value).text);
}

static void end_line(const Line *line, const char *ours, const char *interval) {
    sl_table_cell(line->table, "%s", ours);
    sl_table_cell(line->table, "%s", interval);
}

// median of the row over that of the other
static void add_ratio(const Line *line) {
    const SlResults *results = line->section->results;
    begin_line(line, "ratio");
    if (!is_known(line)) {
        end_line(line, "–", "");
        return;
    }
    SlEstimate ratio = sl_ratio(results, line->task, line->row, line->over, results->budget);
    end_line(line, sl_shown_ratio(ratio.value).text,
             sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text);
}

// the final mean return of the other over that of the row
static void add_reward(const Line *line) {
    SlEstimate ratio = {.value = NAN, .low = NAN, .high = NAN};
    begin_line(line, "reward");
    if (is_known(line))
        ratio = sl_return_ratio(line->section->results, line->task, line->over, line->row);
    end_line(line, ratio.n_tasks ? sl_shown_ratio(ratio.value).text : "–",
             ratio.n_tasks ? sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text : "");
}

// samples until near the optimum, and until the mean return is near the other's final one
static void add_speedup(const Line *line) {
    const SlSection *section = line->section;
    const SlResults *results = section->results;
    begin_line(line, sl_section_text(section, "speedup, to %g %%", speedup_percent));
    if (!is_known(line)) {
        end_line(line, "–", "");
        return;
    }
    SlEstimate factor =
        sl_reach_factor(results, line->task, line->row, line->over, speedup_percent);
    end_line(line, sl_shown_times(&factor).text,
             sl_shown_range(factor.low, factor.high, sl_shown_factor).text);
    if (sl_return_windows(results, line->task, line->over) == 0) return;
    begin_line(line, "speedup, return");
    SlReturnGoal goal = {speedup_share, line->over};
    SlEstimate times = sl_return_factor(results, line->task, line->row, line->over, goal);
    end_line(line, sl_shown_times(&times).text,
             sl_shown_range(times.low, times.high, sl_shown_factor).text);
}

// a line for every space
static void add_size(const Line *line) {
    const SlSection *section = line->section;
    const SlResultTask *task = line->task >= 0 ? &section->results->tasks[line->task] : NULL;
    const SlNode *root = task ? sl_detail_read(task->space, section->arena) : NULL;
    const SlNode *presets = sl_detail_get(root, "presets");
    for (const SlNode *node = presets ? presets->first : NULL; node; node = node->next) {
        double size = sl_detail_number(node, "log10_size");
        begin_line(line,
                   sl_section_text(section, "log10 size, %s", sl_detail_text(node, "preset")));
        end_line(line, isfinite(size) ? sl_section_text(section, "%.1f", size) : "–", "");
    }
    if (presets && presets->first) return;
    begin_line(line, "log10 size");
    end_line(line, "–", "");
}

static void add_value(const Line *line) {
    const SlResults *results = line->section->results;
    begin_line(line, "median value");
    if (line->task < 0 || line->row < 0) {
        end_line(line, "–", "");
        return;
    }
    SlSummary value = sl_summary_at(results, line->task, line->row, results->budget);
    end_line(line, value.n ? sl_shown_value(value.median).text : "–",
             value.n ? sl_shown_range(value.low, value.high, sl_shown_value).text : "");
}

static void add_line(const Line *line) {
    const char *quantity = line->number->quantity;
    if (strcmp(quantity, "ratio") == 0) {
        add_ratio(line);
    } else if (strcmp(quantity, "speedup") == 0) {
        add_speedup(line);
    } else if (strcmp(quantity, "reward") == 0) {
        add_reward(line);
    } else if (strcmp(quantity, "log10 size") == 0) {
        add_size(line);
    } else if (strcmp(quantity, "value") == 0) {
        add_value(line);
    } else {
        begin_line(line, quantity);
        end_line(line, "–", "");
    }
}

static bool same_task(const SlPaperNumber *a, const SlPaperNumber *b) {
    return strcmp(a->layer, b->layer) == 0 && strcmp(a->objective, b->objective) == 0;
}

// paper and ours as bars, where both are ratios to the reference
static void add_bars(const SlSection *section) {
    static const char *const series[2] = {"published", "ours"};
    const SlPlan *plan = section->plan;
    const SlResults *results = section->results;
    const char **names = SL_SECTION_NEW(section, plan->n_paper, const char *);
    double *values = SL_SECTION_NEW(section, 2 * plan->n_paper, double);
    int n = 0;
    for (int i = 0; names && values && i < plan->n_paper; i++) {
        const SlPaperNumber *number = &plan->paper[i];
        int task = find_task(results, number), row = find_row(results, number->row);
        if (strcmp(number->quantity, "ratio") != 0 || task < 0 || row < 0) continue;
        SlEstimate ratio = sl_ratio(results, task, row, results->reference, results->budget);
        names[n] = sl_section_text(section, "%s, %s", results->tasks[task].name, number->row);
        values[2 * n] = number->value;
        values[2 * n + 1] = ratio.value;
        n++;
    }
    if (n == 0) return;
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlBarPlot plot = {
        .n = n,
        .n_series = 2,
        .names = names,
        .series = series,
        .values = values,
        .title = "Published and measured",
        .x_label = sl_section_text(section, "value over that of %s", sl_section_reference(section)),
        .log_x = true};
    sl_draw_bars_svg(&plot, &svg);
    sl_section_figure(section, "paper", &svg,
                      sl_section_text(section,
                                      "What a method reaches over what %s reaches, as "
                                      "published and as measured here.",
                                      sl_section_reference(section)));
}

// the table of sizes has them already
static bool stands_elsewhere(const SlPlan *plan) {
    for (int i = 0; i < plan->n_paper; i++)
        if (strcmp(plan->paper[i].quantity, "log10 size") != 0) return false;
    return plan->show[SL_SHOW_SIZES];
}

static void add_table(const SlSection *section) {
    const SlPlan *plan = section->plan;
    SlTable *table =
        sl_table_make(section->arena, "Published numbers and ours",
                      has_others(plan) ? "<layer|<objective|<row|<over|<what|published|ours|95 %"
                                       : "<layer|<objective|<row|<what|published|ours|95 %");
    for (int i = 0; i < plan->n_paper; i++) {
        const SlPaperNumber *number = &plan->paper[i];
        Line line = {.section = section,
                     .number = number,
                     .table = table,
                     .task = find_task(section->results, number),
                     .row = find_row(section->results, number->row),
                     .over = number->over && *number->over
                                 ? find_row(section->results, number->over)
                                 : section->results->reference};
        if (i > 0 && !same_task(number, number - 1)) sl_table_rule(table);
        add_line(&line);
    }
    sl_doc_grid(section->doc, "paper", table);
    if (section->results->reference >= 0) add_bars(section);
}

static bool has_quantity(const SlPlan *plan, const char *quantity) {
    for (int i = 0; i < plan->n_paper; i++)
        if (strcmp(plan->paper[i].quantity, quantity) == 0) return true;
    return false;
}

// what the names of the quantities mean
static void add_meanings(const SlSection *section) {
    const SlPlan *plan = section->plan;
    const char *other = has_others(plan) ? "the other row" : sl_section_reference(section);
    if (has_quantity(plan, "ratio"))
        sl_doc_words(section->doc,
                     "Ratio: the median value after %s samples over that of %s, with its 95 %% "
                     "bootstrap interval.",
                     sl_shown_count((double)section->results->budget).text, other);
    if (has_quantity(plan, "speedup"))
        sl_doc_words(section->doc,
                     "Speedup: the samples that the row needs over those of %s, to come within "
                     "%g %% of the optimum; return: until the mean return reaches %g %% of the "
                     "final one of %s. ≥: the row does not get there "
                     "within its budget; –: neither does.",
                     other, speedup_percent, 100 * speedup_share, other);
    if (has_quantity(plan, "reward"))
        sl_doc_words(section->doc,
                     "Reward: the final mean return of %s over that of the row, above 1 where the "
                     "row ends below.",
                     other);
}

void sl_section_paper(const SlSection *section) {
    const SlPlan *plan = section->plan;
    if (plan->n_paper == 0) return;
    sl_doc_heading(section->doc, "Beside the paper");
    if (plan->paper_source && *plan->paper_source)
        sl_doc_words(section->doc, "Published: %s.", plan->paper_source);
    if (!stands_elsewhere(plan)) {
        add_meanings(section);
        add_table(section);
    }
    for (int i = 0; i < plan->n_notes; i++) sl_doc_words(section->doc, "%s", plan->notes[i]);
}
