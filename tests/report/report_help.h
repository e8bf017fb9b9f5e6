// report_help.h - a study made by hand: tasks, rows, seeds and records whose numbers are known.
#pragma once

#include "report/doc_inside.h"
#include "starling/report.h"

typedef struct {
    SlArena arena;
    SlPlan plan;
    SlResults results;
    SlDoc *doc;
    SlCellRecord *records; // (n_tasks, n_rows, n_seeds)
    SlResultTask *tasks;   // the tasks of the results
} HandStudy;

// Tasks "layer0 latency", "layer0 edp", "layer1 latency" ... with optimum 1000; rows "marl",
// "local", "random", "row3" ...; seeds 1 ... Every run has 1,000 samples: row r is (1 + r) x 50 %
// above the optimum from sample 10 on, (1 + r) x 20 % from 100 on, r x 4 % + 0.1 % per seed in
// the end, from 500 on. Everything is shown that the runs are good for.
void hand_study_make(HandStudy *study, int n_tasks, int n_rows, int n_seeds);
void hand_study_free(HandStudy *study);

SlCellRecord *hand_record(HandStudy *study, int task, int row, int seed);

// Ten stretches for every run: the mean return of row r grows from 0 to 1 - 0.1 r, by window w
// (1 - 0.1 r) x (w + 1) / 10. With a trace of two parameters.
void hand_study_windows(HandStudy *study);

// The report of the study as text; ends the test if it cannot be made.
const char *hand_study_text(HandStudy *study);

// Does one of the report's paragraphs say this, warnings too? Without marks, in one line.
bool hand_says(HandStudy *study, const char *piece);

// The table, or the figure, of that name; NULL if there is none. hand_block ends the test then.
const SlDocNode *hand_find(const HandStudy *study, const char *name);
const SlDocNode *hand_block(const HandStudy *study, const char *name);

// The picture of that name; ends the test if it has no sentence below it, or numbers that are none.
const char *hand_figure(const HandStudy *study, const char *name);

// A table of the report as CSV.
const char *hand_csv(HandStudy *study, const char *name);
