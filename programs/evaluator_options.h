// evaluator_options.h - the options of a program of the user's that evaluates: its copies and the
// time it may take. Used by map and search.
#pragma once

#include "starling/task/process.h"

typedef struct {
    int64_t copies;
    double timeout; // seconds per request
} EvaluatorOptions;

// Their rows, for a table of `type` whose member `program` they are.
#define EVALUATOR_OPTIONS(type)                                                                    \
    {.name = "evaluator-copies",                                                                   \
     .kind = SL_OPTION_INT,                                                                        \
     .offset = offsetof(type, program.copies),                                                     \
     .fallback = "1",                                                                              \
     .min = 1,                                                                                     \
     .max = SL_EVALUATOR_MAX_COPIES,                                                               \
     .value = "N",                                                                                 \
     .help = "copies of the PROGRAM that run side by side; results do not depend on it"},          \
    {                                                                                              \
        .name = "evaluator-timeout", .kind = SL_OPTION_REAL,                                       \
        .offset = offsetof(type, program.timeout), .fallback = "600", .min = 0.001, .max = 1e9,    \
        .value = "SECONDS", .help = "time limit of one request to the PROGRAM"                     \
    }
