// section.h - inside report: the sections of a study's report and what they share.
//
// Flow: sl_report_study -> sl_section_head -> the sections that the plan shows, in the order of
//       SlShow -> each puts headings, words, tables and figures into the report.
#pragma once

#include "doc_inside.h"
#include "shown.h"
#include "starling/report.h"

enum {
    SL_SECTION_TASKS = 6,  // above them: means over tasks instead of a table or panel for each
    SL_SECTION_POINTS = 64 // of a curve
};

typedef struct {
    const SlPlan *plan;
    const SlResults *results;
    SlDoc *doc;
    SlArena *arena;
    int n_points; // checkpoints within the budget, and the budget itself
    int64_t points[SL_N_CHECKPOINTS + 1];
    bool many;     // more than SL_SECTION_TASKS tasks
    bool complete; // no cell is missing; else there is no reference, and no best value is marked
} SlSection;

const char *sl_section_title(const SlSection *section); // the plan's, and what was run
void sl_section_head(const SlSection *section);
void sl_section_short(const SlSection *section); // the result in a few sentences
void sl_section_tasks(const SlSection *section); // the optimum of every task
void sl_section_sizes(const SlSection *section);
void sl_section_assignment(const SlSection *section);
void sl_section_paper(const SlSection *section);
void sl_section_factors(const SlSection *section);
void sl_section_results(const SlSection *section);
void sl_section_quartiles(const SlSection *section); // of few tasks, at the end
void sl_section_curves(const SlSection *section);
void sl_section_boxes(const SlSection *section);
void sl_section_targets(const SlSection *section);
void sl_section_wins(const SlSection *section);
void sl_section_returns(const SlSection *section);
void sl_section_agreement(const SlSection *section);
void sl_section_trajectories(const SlSection *section);
void sl_section_dataset(const SlSection *section);
void sl_section_costs(const SlSection *section);
void sl_section_networks(const SlSection *section);
void sl_section_front(const SlSection *section);
void sl_section_effort(const SlSection *section);
void sl_section_times(const SlSection *section);

// A layer whose size Equation 1 of the mapping paper gives, and log10 of the exact one, NAN = none.
typedef struct {
    int task;
    double exact;
} SlEquationRow;
void sl_section_equation(const SlSection *section, int n, const SlEquationRow *rows);

void sl_study_numbers(const SlPlan *plan, const SlResults *results, SlDoc *doc); // for machines

// --- What they share

// Text in the arena; "" without memory, and the report has failed.
const char *sl_section_text(const SlSection *section, const char *fmt, ...) SL_PRINTF(2, 3);
// `n` zeroed things in the arena, NULL without memory, and the report has failed.
void *sl_section_alloc(const SlSection *section, size_t n, size_t size);
#define SL_SECTION_NEW(section, n, type)                                                           \
    ((type *)sl_section_alloc((section), (size_t)(n), sizeof(type)))

int64_t sl_section_end(const SlSection *section); // samples at the end of the longest run
int64_t sl_section_budget(const SlSection *section, int row); // the row's own, where it has one

// What things are called: "samples", "sample", "mapping"; in plans of tuners "measurements",
// "measurement", "schedule".
const char *sl_section_samples(const SlSection *section);
const char *sl_section_sample(const SlSection *section);
const char *sl_section_mapping(const SlSection *section);

// Name of the reference row, "" without one.
const char *sl_section_reference(const SlSection *section);
// A name as it may stand among the heads of a table: without their marks.
const char *sl_section_column(const SlSection *section, const char *name);
// Method of a row, by the plan or its runs; "" = not known.
const char *sl_section_method(const SlSection *section, int row);
// The plan's task or row of that name; NULL if it has none.
const SlPlanTask *sl_section_plan_task(const SlSection *section, int task);
const SlPlanRow *sl_section_plan_row(const SlSection *section, int row);
// "cycles", "pJ x cycles" ...; "" = none.
const char *sl_section_unit(const SlSection *section, int task);

// Does another row than the reference run another method than it?
bool sl_section_other_method(const SlSection *section, int row);

int sl_section_runs(const SlResults *results, int task, int row); // of a row on a task; -1 = all

// Parts of the results: the tasks of an objective. Objectives in the order of the tasks; `names`
// (n_tasks). False without memory.
int sl_section_objectives(const SlSection *section, const char **names);
bool sl_section_part(const SlSection *section, const char *objective, SlResults *part);

// Microseconds per sample of all runs of a row; `seconds` of all of them together.
SlSummary sl_section_time(const SlSection *section, int row, double *seconds);

// Geometric means over the tasks of a row's quartiles over the optimum; NAN where no task has runs,
// INFINITY where one has found nothing yet.
SlSummary sl_section_mean(const SlResults *results, int row, int64_t samples);

// A table of rows x checkpoints: "row|50|100|..."
SlTable *sl_section_checkpoints(const SlSection *section, const char *title, const char *first);
// One row of it, the best of every column in `best` (n_points) strong.
void sl_section_cells(const SlSection *section, SlTable *table, const double *values,
                      const double *best);

// An SVG in the arena as a figure of the report.
void sl_section_figure(const SlSection *section, const char *name, const SlText *svg,
                       const char *caption);

// n whole numbers of samples from `first` to `last`, evenly on a log scale, ascending; returns how
// many are different.
int sl_section_grid(double first, double last, int n, double *x);
