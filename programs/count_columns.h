// count_columns.h - the counts of the cost model under the names of the golden files: macs, cycles,
// then l1_fill_W ... mac_grid. Level names: l1 is the outermost storage boundary, mac the MACs.
#pragma once

#include "starling/cost.h"
#include "starling/kernel/witness.h"

enum { COUNT_NAME_ROOM = 32, COUNTS_PER_LEVEL = SL_WITNESS_N_COUNTS };

// The i-th count of a level (0 <= i < COUNTS_PER_LEVEL).
double level_count(const SlLevelCounts *counts, int i);

// Its name, "l1_fill_W", at a level of `n_levels` (with DRAM); "mac_..." behind the last of them.
const char *level_count_name(int level, int n_levels, int i, char out[static COUNT_NAME_ROOM]);
