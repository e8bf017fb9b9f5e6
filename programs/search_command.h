// search_command.h - inside `starling search`: a space of the user's own.
//
// Flow: search_plan (what the options name) -> search_open (the run directory, the log) ->
//       search_run -> search_document.
#pragma once

#include "evaluator_options.h"
#include "run_folder.h"
#include "starling/job.h"

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
    SlOwnSpace own;
    SlProcessOptions process;
    SlTaskSetup setup;
    SlTask *task;
    const SlMethod *method;
    void *method_options;
    int n_agents; // 0 = one per parameter
    SlAgents agents;
    int64_t assign_samples;
    SlLog *log; // NULL = none
    char key[SL_FOLDER_KEY];
    const char *dir; // NULL = none
    SlRecord record;
    int signal; // that ended it, 0 = none
} Search;

SlStatus search_plan(Search *search, const char *path, SlError *err);
SlStatus search_open(Search *search, SlError *err);
SlStatus search_run(Search *search, SlError *err);
void search_add_setup(const Search *search, SlDoc *doc); // what run.json and the document share
SlDoc *search_document(const Search *search);            // docs/formats/search-json.md
