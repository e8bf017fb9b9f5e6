// maestro_doc.h - MAESTRO's numbers beside the exact ones, as a document and as MAESTRO's own file.
//
// Flow: network/maestro_evaluation.h -> sl_report_maestro -> sl_doc_write; sl_maestro_csv.
#pragma once

#include "starling/network/maestro_evaluation.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// One layer in full, a line per layer of several (docs/formats/maestro-json.md). NULL without
// memory.
SlDoc *sl_report_maestro(const SlMaestroEvaluation *eval);

// Exactly what MAESTRO writes: its header, a row per layer that is shown.
void sl_maestro_csv(const SlMaestroEvaluation *eval, SlText *out);

SL_API_END
