// search_doc.h - a search in a space of the user's own, as a document.
//
// Flow: sl_own_search_run -> sl_report_search.
#pragma once

#include "starling/job/own_search.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// What was searched, the samples, the best point and every improvement
// (docs/formats/search-json.md). NULL without memory.
SlDoc *sl_report_search(const SlOwnSearch *search, SlArena *arena);

// Which space, evaluator and method it has, for machines.
void sl_doc_own_search(SlDoc *doc, const SlOwnSearch *search);

SL_API_END
