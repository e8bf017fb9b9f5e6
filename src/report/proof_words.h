// proof_words.h - inside report: what is proven, in words. Functions write into `out` and return
// it.
#pragma once

#include "starling/prove.h"
#include "starling/report/unit.h"

// A value of the goal with six digits, so that it can be told from its bound: "700,439",
// "5.04257e14"; the same with its unit.
const char *sl_bound_show(const SlGoal *goal, double value, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);
const char *sl_bound_show_unit(const SlGoal *goal, double value,
                               char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// In few columns: "optimal", "within 0.5 %", "stopped at 1.3 %", "outside the space", "no proof".
const char *sl_proof_show(const SlProof *proof, double epsilon,
                          char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A sentence: "edp 5.04257e14 pJ x cycles, lower bound 5.03012e14: within 0.25 % of the optimum of
// this space, proven (native sizes, all orders, 384 ways to spread)". `space` is what stands before
// the ways to spread.
void sl_proof_sentence(const SlGoal *goal, const SlProof *proof, const char *space, SlText *out);
