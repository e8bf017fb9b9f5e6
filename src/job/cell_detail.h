// cell_detail.h - inside job: what cells other than runs say, as JSON (docs/formats/store.md).
#pragma once

#include "starling/job/cell.h"

void sl_detail_proof(const SlProof *proof, SlText *out);
// `scratch` is given back; it must not be the arena of `out`.
void sl_detail_spaces(const SlCell *cell, SlArena *scratch, SlText *out);
void sl_detail_assign(const SlCell *cell, const SlAssignment *assignment, SlText *out);

// How a proof of mappings is made: what sl_certificate_write wants to know.
SlProveSetup sl_cell_proof(const SlCell *cell);
