// evaluator_options.h - the options of a program of the user's that evaluates: its copies and the
// time it may take. Used by map and search.
#pragma once

#include "starling/task/own_space.h"

typedef struct {
    int64_t copies;
    double timeout; // seconds per request
} EvaluatorOptions;

// Their rows, for a table of `type` whose member `program` they are.
#define EVALUATOR_OPTIONS(type)                                                                    \
    SL_OPT_WHOLE(type, "evaluator-copies", program.copies, "1", 1, SL_EVALUATOR_MAX_COPIES, "N",   \
                 "copies of the PROGRAM that run in parallel. Results do not depend on it"),       \
        SL_OPT_REAL(type, "evaluator-timeout", program.timeout, "600", 0.001, 1e9, "SECONDS",      \
                    "time limit per request to the PROGRAM")
