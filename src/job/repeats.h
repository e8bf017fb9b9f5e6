// repeats.h - inside job: what was evaluated in a run, by key, so that no point is evaluated twice.
#pragma once

#include "starling/task.h"

typedef struct SlRepeats SlRepeats;

SlRepeats *sl_repeats_make(SlArena *arena); // grows in the arena; NULL without memory
// The sample of a key, NULL = none yet. Valid until the next one is added.
const SlSample *sl_repeats_find(const SlRepeats *repeats, uint64_t key);
// Keep a sample; the first one of a key stays. False without memory.
bool sl_repeats_add(SlRepeats *repeats, uint64_t key, const SlSample *sample);
