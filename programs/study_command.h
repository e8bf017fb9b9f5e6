// study_command.h - inside `starling study`: what its verbs share.
//
// Flow: the row of a verb -> study_open (the folder and its store) -> sl_study_run, with
// study_watch -> study_deliver (tables, pictures, page).
#pragma once

#include "command.h"
#include "starling/report.h"

typedef struct {
    CommonOptions common;
    bool quick, times;
    int64_t samples, seeds, threads;
    const char *methods;
    const char *evaluator; // NULL = as the plan says
    int format, what;
} StudyOptions;

enum { STUDY_PATH_ROOM = 4352 };

// A study as it lies in a folder.
typedef struct {
    const Call *call;
    const StudyOptions *options; // of the call
    SlArena *arena;
    char dir[STUDY_PATH_ROOM - 256];
    char path[STUDY_PATH_ROOM]; // of the store
    SlPlan plan;
    SlStore *store; // NULL = not open
    bool planless;  // a store without a plan will do
    int n_records;
    SlCellRecord *records; // (n_records), once study_read was called
    uint64_t digest;
    int signal; // that asked for an end, 0 = none
} Study;

// What the command line changes of a plan.
SlPlanChanges study_changes(const StudyOptions *options);

// The plan, its folder (--out, else starling-runs/study-NAME) and its store, made if missing.
SlStatus study_open_plan(Study *study, const char *name, SlError *err);

// A folder or a store that exists, and the plan in it. Without --out, reports go to that folder.
SlStatus study_open_store(Study *study, const char *where, SlError *err);
void study_close(Study *study);

// Run what is missing, with a line for people.
SlStatus study_run(Study *study, SlError *err);

// Read the records back; write report.html, report.md, figures/ and tables/ into the folder; print.
SlStatus study_read(Study *study, SlError *err);
SlStatus study_deliver(const Study *study, int code, int *exit_code, SlError *err);

int study_merge(Call *call);
int study_list(Call *call);
