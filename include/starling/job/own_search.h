// own_search.h - a search in a space of the user's own, whose points a program of the user's
// evaluates.
//
// Flow: sl_own_search_read (the space) -> what is asked for -> sl_own_search_open (the task) ->
//       sl_own_search_run -> SlRecord -> sl_own_search_close; as a document:
//       starling/report/search_doc.h.
#pragma once

#include "starling/job/agents.h"
#include "starling/job/run.h"
#include "starling/task/own_space.h"

SL_API_BEGIN

// Not to be copied once it is open: its task points into it.
typedef struct {
    // what is asked for
    SlEvaluatorSetup program;
    const SlMethod *method;
    const void *options;  // of the method, NULL = its defaults
    SlAgentChoice choice; // of agents; the seed of its assignment is the search's
    uint64_t seed;
    SlBudget budget;
    SlLog *log; // NULL = none; stays the caller's
    // what there is, and what comes of it
    SlOwnSpace own;
    SlProcessOptions process;
    SlTaskSetup setup;
    SlTask *task; // NULL = not open
    SlAgents agents;
    int64_t assign_samples; // what grouping took
    SlRecord record;
} SlOwnSearch;

// SL_EINPUT too where random points never obey the rules of the space.
SlStatus sl_own_search_read(SlOwnSearch *search, const char *path, SlArena *arena, SlError *err);
SlStatus sl_own_search_open(SlOwnSearch *search, SlArena *arena, SlError *err);
SlStatus sl_own_search_run(SlOwnSearch *search, SlWatch *watch, void *context, SlArena *arena,
                           SlError *err);
void sl_own_search_close(SlOwnSearch *search);

SL_API_END
