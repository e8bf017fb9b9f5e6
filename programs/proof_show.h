// proof_show.h - what is proven, in words. Functions write into `out` and return it.
#pragma once

#include "starling/prove.h"
#include "starling/report/unit.h"

// A gap as percent, never too small a number: "0.26 %", "0 %", "-" where there is no bound.
const char *show_gap(double gap, char out[static SL_UNIT_ROOM]);

// A value of the goal with six digits, so that it can be told from its bound: "700,439",
// "5.04257e14"; the same with its unit.
const char *show_value(const SlGoal *goal, double value, char out[static SL_UNIT_ROOM]);
const char *show_value_unit(const SlGoal *goal, double value, char out[static SL_UNIT_ROOM]);

// In few columns: "optimal", "within 0.5 %", "stopped at 1.3 %", "outside the space", "no proof".
const char *show_proof(const SlProof *proof, double epsilon, char out[static SL_UNIT_ROOM]);

// A sentence: "edp 5.04257e14 pJ x cycles, lower bound 5.03012e14: within 0.25 % of the optimum of
// this space, proven (native sizes, all orders, 384 ways to spread)". `space` is what stands before
// the ways to spread.
void add_proof_sentence(const SlGoal *goal, const SlProof *proof, const char *space, SlText *out);
