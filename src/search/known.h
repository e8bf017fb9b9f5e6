// known.h - inside search: the scores of nests that were priced before.
#pragma once

#include "starling/core.h"

enum { SL_KNOWN_MOST = 1 << 20 }; // nests; later ones are not kept

typedef struct SlKnown SlKnown;

// Empty; grows in the arena, which must stay. NULL without memory.
SlKnown *sl_known_make(SlArena *arena);

// Keep the score of a nest (sl_mapping_key); the last one counts.
void sl_known_add(SlKnown *known, uint64_t key, double score);
bool sl_known_find(const SlKnown *known, uint64_t key, double *score); // false = not there
