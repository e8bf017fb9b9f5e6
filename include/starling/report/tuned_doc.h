// tuned_doc.h - a network whose layers were tuned (starling/job/network_job.h) as a document, and
// the programs that came of it.
//
// Flow: sl_job_open, SlTuned -> sl_doc_tuned_setup (what is asked for: the key of a run) ->
//       sl_job_run -> sl_report_tuned; sl_tuned_program for files of their own.
//
// Kinds of task that have a document are vta and cpu; a new one is a file and a row in
// src/report/tuned_view.c.
#pragma once

#include "starling/job.h"
#include "starling/report/doc.h"

SL_API_BEGIN

typedef struct {
    SlArena *arena;
    SlJob *job;           // open, with a method
    int64_t batch;        // images at once
    const char *transfer; // digest of the log of other tasks that it learns from, NULL = none
    const char *flock;    // what the flock of the job is called, NULL = there is none
    const char *limits;   // vta: what the limits are called; NULL = those of the core given
    double peak_gops;     // cpu: of one core, NAN = not known

    // of the run
    const char *key;             // "" = none
    bool interrupted;            // before its end
    double seconds;              // it took
    const char *const *programs; // (tasks) files that sl_tuned_program was written to, NULL = none
} SlTuned;

// Members: everything that was asked for and decides the results.
void sl_doc_tuned_setup(SlDoc *doc, const SlTuned *tuned);

// What came of it: sums, layers, figures, schedules, the machine (docs/formats/tune-json.md).
// People see no times of this run: the same run gives the same text and the same page. NULL without
// memory.
SlDoc *sl_report_tuned(const SlTuned *tuned);

bool sl_tuned_has_result(const SlJobTask *task); // a schedule that runs
bool sl_tuned_is_finished(const SlTuned *tuned); // every task has its record

// The program of a task's best schedule: instructions, C. And how names of such files end: ".vta".
void sl_tuned_program(const SlTuned *tuned, const SlJobTask *task, SlText *out);
const char *sl_tuned_ending(const SlTuned *tuned);
SlUnit sl_tuned_unit(const SlTuned *tuned); // of values

SL_API_END
