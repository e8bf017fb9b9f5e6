// search.h - black-box methods: they propose points of a space and are told what came of them.
//
// Flow: a row of sl_search_methods -> make -> ask -> (env evaluates) -> tell -> ask ... Budget,
//       stopping and records live in study.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

extern const SlMethod *const sl_search_methods[]; // random, local, grid ...; ends with NULL

// Options of `local`; tuned as docs/methods/local.md says.
typedef struct {
    int64_t starts; // random points of which the best begins a climb
    double more;    // chance of changing one more parameter, again and again
    double near;    // share of changes that go 1..reach steps (sizes) or swap two loops (orders)
    int64_t reach;
    int64_t patience; // samples without improvement before a new start
    int64_t redraws;  // of nests seen before; 0 = repeats are evaluated again
    int64_t children; // neighbours per round, of which the best may replace the incumbent
} SlLocalOptions;

SL_API_END
