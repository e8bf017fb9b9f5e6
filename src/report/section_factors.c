// section_factors.c - which factor comes from what: the samples of a row over those of another, for
// the pairs that the plan names, by four yardsticks.
#include <math.h>
#include <string.h>

#include "page.h"
#include "section.h"

static const double share = 0.9; // of a final mean return

// What is to be reached: so near to the optimum, or a mean return.
typedef struct {
    const char *name, *title;
    double percent; // of the optimum, 0 = a mean return
    bool own;       // of the row itself instead of the reference
} Yardstick;

static SlReturnGoal goal_of(const SlResults *results, const Yardstick *stick) {
    return (SlReturnGoal){share, stick->own ? -1 : results->reference};
}

static SlReach reach(const SlResults *results, int row, const Yardstick *stick) {
    if (stick->percent > 0) return sl_reach(results, -1, row, stick->percent);
    return sl_return_reach(results, -1, row, goal_of(results, stick));
}

static SlEstimate factor_of(const SlResults *results, int row, int over, const Yardstick *stick) {
    if (stick->percent > 0) return sl_reach_factor(results, -1, row, over, stick->percent);
    return sl_return_factor(results, -1, row, over, goal_of(results, stick));
}

static int find_row(const SlResults *results, const char *name) {
    for (int r = 0; r < results->n_rows; r++)
        if (strcmp(results->rows[r], name) == 0) return r;
    return -1;
}

// "3.1 × (1.2–8.0)"
static void add_factor(SlTable *table, const SlEstimate *factor) {
    if (factor->n_tasks == 0)
        sl_table_cell(table, "–");
    else
        sl_table_cell(table, "%s (%s)", sl_shown_times(factor).text,
                      sl_shown_range(factor->low, factor->high, sl_shown_factor).text);
}

// the share of the runs that never get there
static SlShown never(const SlResults *results, int row, const Yardstick *stick) {
    SlReach there = reach(results, row, stick);
    return sl_shown_share(there.n - there.n_reached, there.n);
}

// The results as a whole, then objective by objective where there are several.
typedef struct {
    int n;
    const char **names; // (n)
    SlResults *parts;   // (n)
} Parts;

static bool make_parts(const SlSection *section, Parts *parts) {
    const SlResults *results = section->results;
    const char **names = SL_SECTION_NEW(section, results->n_tasks + 1, const char *);
    parts->parts = SL_SECTION_NEW(section, results->n_tasks + 1, SlResults);
    if (!names || !parts->parts) return false;
    int n = sl_section_objectives(section, names + 1);
    names[0] = n > 1 || results->n_tasks == 1 ? "all tasks" : names[1];
    parts->names = names;
    parts->parts[0] = *results;
    parts->n = n > 1 ? n + 1 : 1;
    for (int i = 1; i < parts->n; i++)
        if (!sl_section_part(section, names[i], &parts->parts[i])) return false;
    return true;
}

static void add_table(const SlSection *section, const Parts *parts, const Yardstick *stick) {
    const SlPlan *plan = section->plan;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "~what|<samples of|<over those of");
    for (int i = 0; i < parts->n; i++) sl_text_add(&heads, "|%s", parts->names[i]);
    sl_text_add(&heads, "|never|other never");
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(section->arena, stick->title, heads.data);
    for (int i = 0; i < plan->n_factors; i++) {
        const SlPlanFactor *factor = &plan->factors[i];
        int row = find_row(section->results, factor->row);
        int over = find_row(section->results, factor->over);
        if (row < 0 || over < 0) continue; // the quick form has dropped one
        sl_table_row(table);
        sl_table_cell(table, "%s", factor->what);
        sl_table_cell(table, "%s", factor->row);
        sl_table_cell(table, "%s", factor->over);
        for (int p = 0; p < parts->n; p++) {
            SlEstimate estimate = factor_of(&parts->parts[p], row, over, stick);
            add_factor(table, &estimate);
        }
        sl_table_cell(table, "%s", never(section->results, row, stick).text);
        sl_table_cell(table, "%s", never(section->results, over, stick).text);
    }
    sl_doc_grid(section->doc, stick->name, table);
}

static bool has_windows(const SlResults *results) {
    for (int i = 0; i < results->n_tasks * results->n_rows; i++)
        if (sl_return_windows(results, i / results->n_rows, i % results->n_rows) > 0) return true;
    return false;
}

void sl_section_factors(const SlSection *section) {
    const char *reference = sl_section_reference(section);
    const Yardstick sticks[] = {
        {"factors-5", "Samples to within 5 % of the optimum", 5, false},
        {"factors-1", "Samples to within 1 % of the optimum", 1, false},
        {"factors-return",
         sl_section_text(section, "Samples until the mean return is %g %% of the final one of %s",
                         100 * share, reference),
         0, false},
        {"factors-converged",
         sl_section_text(section,
                         "Samples until the mean return is %g %% of the row's own final one",
                         100 * share),
         0, true}};
    Parts parts;
    if (section->plan->n_factors == 0 || !make_parts(section, &parts)) return;
    sl_doc_heading(section->doc, "Factors and their sources");
    sl_doc_words(section->doc,
                 "How many times the samples of another row a row needs, with 95 %% bootstrap "
                 "intervals over seeds: ratios of medians, geometric means over tasks. Never: the "
                 "share of the row's runs, and of the other's, that do not get there within their "
                 "budget and count as the budget; where most of a row's do, the true factor is at "
                 "least this (≥), where most of the other's do, at most (≤). Tasks where neither "
                 "row gets there are left out; – where no task is left.");
    for (int i = 0; i < 4; i++)
        if (sticks[i].percent > 0 || has_windows(section->results))
            add_table(section, &parts, &sticks[i]);
}
