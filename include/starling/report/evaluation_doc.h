// evaluation_doc.h - a network with mappings and prices as a document.
#pragma once

#include "starling/network/evaluation.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// Everything about it: a layer in full, a network with a line per layer
// (docs/formats/eval-json.md, docs/formats/eval-csv.md). NULL without memory.
SlDoc *sl_report_evaluation(const SlEvaluation *eval);

// The value of a goal with its unit, "-" for NAN: "5.33 mJ", "709,767 cycles"; a product of several
// objectives has none.
const char *sl_goal_show(const SlGoal *goal, double value, double clock_mhz,
                         char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

SL_API_END
