// rivals_file.h - inside learn: rivals of a critic as bytes.
#pragma once

#include "bytes.h"
#include "rivals.h"

enum { SL_KERNEL_NUMBERS = 4 + SL_KERNEL_GROUPS };

void sl_rivals_put(const SlRivals *rivals, SlText *out);
// None where in->wrong is set.
void sl_rivals_get(SlBytes *in, int n_inputs, SlRivals *rivals);
