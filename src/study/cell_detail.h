// cell_detail.h - inside study: what cells other than runs say, as JSON (docs/formats/store.md).
#pragma once

#include "starling/study.h"

void sl_detail_proof(const SlProof *proof, SlText *out);
// `scratch` is given back; it must not be the arena of `out`.
void sl_detail_spaces(const SlPlan *plan, const SlPlanTask *task, SlArena *scratch, SlText *out);
void sl_detail_assign(const SlPlan *plan, const SlSpace *space, const SlAssignment *assignment,
                      SlText *out);
