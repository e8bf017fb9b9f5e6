// study.h - runs of methods on tasks, studies of many runs, and what can be said about them.
//
// Flow: study_plan.h (what a study compares, run as jobs: job.h) -> store.h (its records, kept in a
//       file) -> compare.h (medians, ratios, samples to a target, wins).
#pragma once

#include "starling/job.h"
#include "starling/study/compare.h"
#include "starling/study/store.h"
#include "starling/study/study_plan.h"
