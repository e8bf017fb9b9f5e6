// memory.h - what a flock hands to the next one on another layer of the same accelerator.
//
// Flow: sl_memory_make (at the end of a run) -> sl_memory_warm (at the start of another).
#pragma once

#include "critic.h"
#include "policy.h"

// What `critic` (may be NULL) and `policy` know, after what `older` (may be NULL) knew. NULL
// without memory.
SlMemory *sl_memory_make(const SlCritic *critic, const SlPolicy *policy, const SlMemory *older,
                         SlArena *arena);

// Let the critic (may be NULL) learn from the examples, and the policies lean towards what they
// were elsewhere. A memory of another accelerator is of no use and is left alone.
void sl_memory_warm(const SlMemory *memory, SlCritic *critic, SlPolicy *policy);
