// bo_options.h - the options of `bo`; docs/methods/bo.md says what they mean.
#pragma once

#include "starling/search.h"

typedef struct {
    int sight; // SlSightKind
    int64_t starts, points, candidates, rounds;
    double more, near;
    int64_t reach;
    double uniform, length;
    int64_t every, evaluations;
    int64_t single, batch;
    int64_t successes, failures;
} SlBoOptions;

extern const SlOption sl_bo_options[];
