// section_effort.c - what tuning takes: measurements, those that failed, hours on a board.
#include <math.h>

#include "page.h"
#include "section.h"
#include "starling/study/totals.h"

// of all runs of a row
typedef struct {
    int n;
    double measurements, failures, seconds; // sums
    bool known;                             // failures are
} Effort;

static Effort find_effort(const SlResults *results, int row) {
    Effort effort = {.known = true};
    for (int i = 0; i < results->n_tasks * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, i / results->n_seeds, row, i % results->n_seeds);
        if (!run) continue;
        int64_t failures = sl_run_failures(run);
        effort.n++;
        effort.measurements += (double)run->samples;
        effort.failures += (double)failures;
        effort.seconds += run->seconds;
        effort.known = effort.known && failures >= 0;
    }
    return effort;
}

void sl_section_effort(const SlSection *section) {
    const SlResults *results = section->results;
    if (section->plan->kind->maps) return;
    sl_doc_heading(section->doc, "Effort");
    sl_doc_words(section->doc,
                 "Per run: measurements made (a tuner may end before its budget where nothing "
                 "better can be left), the share that failed because the schedule does not fit, "
                 "what they would take on a board at %g s each, and the wall time of the tuner, "
                 "simulation included.",
                 SL_BOARD_SECONDS);
    SlTable *table = sl_table_make(section->arena, "Effort of a run, mean over all runs",
                                   "<row|measurements|failed|hours on a board|wall time, s|runs");
    for (int r = 0; r < results->n_rows; r++) {
        Effort effort = find_effort(results, r);
        double mean = effort.n ? effort.measurements / effort.n : NAN;
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        sl_table_cell(table, "%s", sl_shown_count(mean).text);
        sl_table_cell(table, "%s",
                      effort.known ? sl_shown_share(effort.failures, effort.measurements).text
                                   : "–");
        sl_table_cell(table, "%s", sl_shown_ratio(mean * SL_BOARD_SECONDS / 3600).text);
        sl_table_cell(table, "%s", sl_shown_ratio(effort.n ? effort.seconds / effort.n : NAN).text);
        sl_table_cell(table, "%d", effort.n);
    }
    sl_doc_grid(section->doc, "effort", table);
}
