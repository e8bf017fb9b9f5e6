// sweep.h - call something with less memory than it needs, a little more each time, until it works.
#pragma once

#include "starling/core/arena.h"

// Calls `call` with arenas of growing limits until it returns SL_OK; before that it must return
// SL_ENOMEM. `keeps` = a failed call must leave the arena as it was. Returns the failed calls.
int sweep_memory(SlStatus (*call)(SlArena *arena), bool keeps);
