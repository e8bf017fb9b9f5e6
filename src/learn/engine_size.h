// engine_size.h - inside learn: how large an engine would be, before it is made.
#pragma once

#include "starling/learn/engine.h"

// NULL, or what is wrong with a setup whatever its capacity, `warm` and `update_every` are.
const char *sl_engine_check_bare(const SlEngineSetup *setup);

// The shape of the engine's world; false without memory.
bool sl_engine_shape(const SlEngineSetup *setup, SlParticleShape *shape);

// The replay of a settled setup, without the map of observations.
SlReplaySetup sl_engine_replay(const SlEngineSetup *setup, const SlParticleShape *shape);

// Bytes of networks, their targets and moments, of a batch and the work on it; not of the replay.
double sl_engine_bytes(const SlEngineSetup *setup, const SlParticleShape *shape);
