// witness_doc.h - executed mappings as a document: the counts of model and execution side by side.
//
// Flow: job/witness_check.h -> sl_report_witness -> sl_doc_write.
#pragma once

#include "starling/job/witness_check.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// Every count of one layer, a line per layer of several (docs/witness.md). NULL
// without memory.
SlDoc *sl_report_witness(const SlWitnessCheck *check);

SL_API_END
