// count_columns.h - the counts of the cost model under the names of the golden files: macs, cycles,
// then l1_fill_W ... mac_grid. Level names: l1 is the outermost storage boundary, mac the MACs.
#pragma once

#include "starling/cost.h"

enum { COUNT_NAME_ROOM = 32, COUNTS_PER_LEVEL = 23 };

// The i-th count of a level (0 <= i < COUNTS_PER_LEVEL) and its name, "fill_W".
double level_count(const SlLevelCounts *counts, int i);
const char *level_count_name(int i, char out[static COUNT_NAME_ROOM]);

// "l1", "l2", ...; "mac" for the level behind the last of `n_levels` (with DRAM).
const char *level_name(int level, int n_levels, char out[static COUNT_NAME_ROOM]);
