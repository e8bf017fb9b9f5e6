// own_space.h - tasks evaluated by a program of the user's (task/evaluator.h): mappings of a layer
// on an accelerator, or points of a space of the user's own, read from a file
// (docs/formats/space.md).
//
// Flow: SlProcessOptions as the options of an SlTaskSetup with a space -> sl_task_make.
//       sl_own_space_read -> SlOwnSpace: that space, and rules that points must obey.
#pragma once

#include "starling/task.h"
#include "starling/task/evaluator.h"

SL_API_BEGIN

// --- Own spaces

typedef struct SlRules SlRules;

typedef struct {
    char name[64];
    SlSpace space;
    const SlRules *rules; // NULL = none
} SlOwnSpace;

// SL_EINPUT with file, line, column and what was expected.
SlStatus sl_own_space_read(const char *path, SlArena *arena, SlOwnSpace *own, SlError *err);

// The first rule that a point breaks, as it was written; NULL = it obeys all.
const char *sl_rules_broken(const SlRules *rules, const SlSpace *space, const int32_t *point);

// --- The evaluator

typedef struct {
    SlEvaluatorSetup program;
    SlEvaluator *shared; // an open one, for tasks that follow each other; NULL = the task opens its
                         // own when it is first needed
    const SlRules *rules; // points that break one are not evaluated; kept
} SlProcessOptions;

SL_API_END
