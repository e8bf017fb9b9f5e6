// verify_doc.h - checked certificates as a document.
//
// Flow: sl_verify_gather, sl_verify_file (job/verify.h) -> sl_report_verify -> sl_doc_write.
#pragma once

#include "starling/job/verify.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// A row and a line per certificate that was read, results of runs without one, and how many claims
// are true (docs/formats/json.md). NULL without memory.
SlDoc *sl_report_verify(const SlVerify *verify);

SL_API_END
