// report_study.c - the report of a study: a head, then what its plan shows.
#include <math.h>

#include "section.h"

typedef void ShowSection(const SlSection *section);

static ShowSection *const sections[SL_N_SHOWS] = {
    [SL_SHOW_SIZES] = sl_section_sizes,
    [SL_SHOW_ASSIGNMENT] = sl_section_assignment,
    [SL_SHOW_PAPER] = sl_section_paper,
    [SL_SHOW_RESULTS] = sl_section_results,
    [SL_SHOW_CURVES] = sl_section_curves,
    [SL_SHOW_BOXES] = sl_section_boxes,
    [SL_SHOW_TARGETS] = sl_section_targets,
    [SL_SHOW_WINS] = sl_section_wins,
    [SL_SHOW_RETURNS] = sl_section_returns,
    [SL_SHOW_AGREEMENT] = sl_section_agreement,
    [SL_SHOW_TRAJECTORIES] = sl_section_trajectories,
    [SL_SHOW_DATASET] = sl_section_dataset,
    [SL_SHOW_NETWORKS] = sl_section_networks,
    [SL_SHOW_FRONT] = sl_section_front,
    [SL_SHOW_EFFORT] = sl_section_effort,
    [SL_SHOW_TIMES] = sl_section_times,
    [SL_SHOW_FACTORS] = sl_section_factors,
    [SL_SHOW_COSTS] = sl_section_costs,
};

// of no use without a single run
static bool needs_runs(SlShow show) {
    return show != SL_SHOW_SIZES && show != SL_SHOW_ASSIGNMENT && show != SL_SHOW_PAPER &&
           show != SL_SHOW_FRONT;
}

// conclusions that need every cell: published numbers beside ours, wins, sums over layers
static bool needs_all(SlShow show) {
    return show == SL_SHOW_PAPER || show == SL_SHOW_WINS || show == SL_SHOW_NETWORKS ||
           show == SL_SHOW_FACTORS;
}

static bool is_shown(const SlSection *section, SlShow show, bool runs) {
    return section->plan->show[show] && (runs || !needs_runs(show)) &&
           (section->complete || !needs_all(show));
}

// sentences of the plan; where there are published numbers they stand beside them
static void add_notes(const SlSection *section) {
    const SlPlan *plan = section->plan;
    if (plan->n_notes == 0 || (plan->show[SL_SHOW_PAPER] && plan->n_paper > 0)) return;
    sl_doc_heading(section->doc, "Notes");
    for (int i = 0; i < plan->n_notes; i++) sl_doc_words(section->doc, "%s", plan->notes[i]);
}

SlStatus sl_report_study(const SlPlan *plan, const SlResults *results, SlDoc *doc, SlError *err) {
    if (!doc) return sl_fail(err, SL_ENOMEM, "not enough memory for the report");
    SlResults shown = *results;
    SlSection section = {.plan = plan,
                         .results = &shown,
                         .doc = doc,
                         .arena = sl_doc_arena(doc),
                         .complete = results->n_missing == 0,
                         .many = results->n_tasks > SL_SECTION_TASKS};
    const int64_t *points = sl_plan_checkpoints(plan);
    for (int i = 0; i < SL_N_CHECKPOINTS && points[i] < results->budget; i++)
        section.points[section.n_points++] = points[i];
    if (results->budget > 0) section.points[section.n_points++] = results->budget;
    bool runs = sl_section_runs(results, -1, -1) > 0;
    if (!section.complete) shown.reference = -1; // nothing is compared before all cells are there

    sl_doc_title(doc, "%s", sl_section_title(&section));
    sl_section_head(&section);
    for (int i = 0; i < SL_N_SHOWS; i++)
        if (is_shown(&section, (SlShow)i, runs)) sections[i](&section);
    if (section.complete) add_notes(&section);
    sl_doc_detail(doc, true);
    if (runs && plan->show[SL_SHOW_RESULTS] && !section.many) sl_section_quartiles(&section);
    bool proofs_alone =
        !plan->kind->maps && results->n_rows == 0; // other tables have their numbers
    if (section.many && !proofs_alone) sl_section_tasks(&section);
    sl_study_numbers(plan, results, doc);
    return doc->failed ? sl_fail(err, SL_ENOMEM, "not enough memory for the report") : SL_OK;
}
