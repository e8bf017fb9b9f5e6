// hash.h - inside kernel: names of programs, and keeping their folder small.
#pragma once

#include "starling/core.h"

// A hash of 128 bits: two FNV-1a sums of the same bytes from different starts, each mixed at the
// end of an addition. Good against accidents, not against forgers.
void sl_hash_init(uint64_t hash[2]);
void sl_hash_add(uint64_t hash[2], size_t n, const char *bytes);

// Remove what was not used for the longest time from a folder until it has at most three quarters
// of `most_bytes`, if it has more than all of them; and folders that builds have left for an hour.
void sl_shelf_trim(const char *folder, size_t most_bytes);
