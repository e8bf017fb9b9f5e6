// verdict.h - inside report: the first lines that results of mappings share.
#pragma once

#include "doc_inside.h"
#include "starling/network/evaluation.h"

// "10.9 ms and 5.33 mJ per inference", of one layer "3.55 ms and 712 µJ"; of several inputs at a
// time both for all of them.
void sl_verdict_cost(double seconds, double energy_pj, bool network, double batch, SlText *out);

// What binds which share of the time: the list "bound_by" for machines, the line for people.
void sl_verdict_binders(SlDoc *doc, const SlEvaluation *eval);
void sl_verdict_bound_by(SlDoc *doc, const SlEvaluation *eval);

// "latency 1.01 ×, energy 1.41 ×, EDP 1.44 × of the least that any mapping needs"; nothing where
// that is not known.
void sl_verdict_floors(const SlNetworkCost *cost, SlText *out);

// "82 %", "4.4 %"; all and none only where they are true.
const char *sl_verdict_share(double share, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);
