// world_options.h - the options that particle worlds have of their own, beside those of a command.
#pragma once

#include "command.h"
#include "starling/task/particle.h"

enum { WORLDS_ROOM = 16 }; // at least as many as there are worlds

// The rows of `table`, and behind the one called "env" those of every world: they fill
// `worlds[WORLDS_ROOM]`, in the order of sl_worlds, which is at `offset` of the command's options.
const SlOption *world_options(const SlOption *table, size_t offset, SlArena *arena);

// Every world as it is trained in, before options are read.
void world_options_init(SlParticleSetup worlds[static WORLDS_ROOM]);

// Refuses options of other worlds than the chosen one.
int world_options_refuse(const SlParticleSetup worlds[static WORLDS_ROOM], const SlWorld *chosen);
