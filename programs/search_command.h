// search_command.h - inside `starling search`: a space of the user's own.
//
// Flow: search_plan (what the options name) -> search_open (the run directory, the log) ->
//       search_run -> sl_report_search.
#pragma once

#include "evaluator_options.h"
#include "run_folder.h"
#include "starling/report/search_doc.h"

typedef struct {
    CommonOptions common;
    const char *evaluator, *method, *set, *agents;
    EvaluatorOptions program;
    int64_t samples, dataset, seed;
    double time;
    bool resume;
} SearchOptions;

typedef struct {
    const Call *call;
    const SearchOptions *options;
    SlArena *arena;
    SlOwnSearch own;
    char key[SL_FOLDER_KEY];
    const char *dir; // NULL = none
    int signal;      // that ended it, 0 = none
} Search;

SlStatus search_plan(Search *search, const char *path, SlError *err);
SlStatus search_open(Search *search, SlError *err);
SlStatus search_run(Search *search, SlError *err);
