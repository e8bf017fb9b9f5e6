// proof_show.h - older names of starling/report/proof_words.h.
#pragma once

#include "starling/report/proof_words.h"

#define show_gap sl_gap_show
#define show_value sl_bound_show
#define show_value_unit sl_bound_show_unit
