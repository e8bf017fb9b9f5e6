// report.h - results as documents (starling/report/doc.h), those of studies,
//
// Flow: sl_doc_make -> sl_report_study, or what a command says -> sl_doc_write.
#pragma once

#include "starling/draw.h"
#include "starling/report/doc.h"
#include "starling/study.h"

SL_API_BEGIN

// Everything that the plan wants shown.
SlStatus sl_report_study(const SlPlan *plan, const SlResults *results, SlDoc *doc, SlError *err);

SL_API_END
