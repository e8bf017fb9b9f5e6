// study.h - runs of methods on tasks, studies of many runs, and what can be said about them.
//
// Flow: study_plan.h (what a study compares) -> study_run.h (its cells, run into a store: job.h) ->
//       compare.h (medians, ratios, samples to a target, wins).
#pragma once

#include "starling/job.h"
#include "starling/study/compare.h"
#include "starling/study/study_plan.h"
#include "starling/study/study_run.h"
