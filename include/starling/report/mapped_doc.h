// mapped_doc.h - a mapped network (starling/job/mapped.h) as a document.
//
// Flow: sl_mapped_finish -> sl_report_mapped -> sl_doc_write.
#pragma once

#include "starling/job/mapped.h"
#include "starling/report/evaluation_doc.h"

SL_API_BEGIN

// What was asked for and what was found: sums, objectives, layers, proofs, curves, loop nests
// (docs/formats/map-json.md). Nothing in it depends on threads or on how long it took: the same
// seed gives the same bytes. NULL without memory.
SlDoc *sl_report_mapped(const SlMapped *mapped);

// Every layer of the network with all counts, in one table: its CSV is layers.csv
// (docs/formats/eval-csv.md), with columns of the evaluator or of proofs.
SlDoc *sl_report_mapped_layers(const SlMapped *mapped);

// Members of what was asked for, for machines; once the job is open.
void sl_doc_mapped_setup(SlDoc *doc, const SlMapped *mapped);

SL_API_END
