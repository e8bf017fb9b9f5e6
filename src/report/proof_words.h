// proof_words.h - inside report: what is proven, in words. Functions write into `out` and return
// it.
#pragma once

#include "starling/prove.h"
#include "starling/report/unit.h"

// A value of the goal with six digits, so that it can be told from its bound: "700,439 cycles",
// "712.043 µJ", "2.52602 µJ·s". Without a clock (0) the EDP is that of certificates: "5.04257e14 pJ
// x cycles".
const char *sl_bound_show(const SlGoal *goal, double value, double clock_mhz,
                          char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// In few columns: "optimal", "within 0.5 %", "stopped at 1.3 %", "outside the space", "no proof".
const char *sl_proof_show(const SlProof *proof, double epsilon,
                          char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A sentence: "edp 2.52602 µJ·s, lower bound 2.51346 µJ·s: within 0.25 % of the optimum of
// this space, proven (native sizes, all orders, 384 ways to spread)". `space` is what stands before
// the ways to spread.
void sl_proof_sentence(const SlGoal *goal, double clock_mhz, const SlProof *proof,
                       const char *space, SlText *out);
