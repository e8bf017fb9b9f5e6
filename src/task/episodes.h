// episodes.h - inside task: recorded episodes as text.
#pragma once

#include "starling/task/particle.h"

// sl_episodes_play on text that is in memory; `name` stands for the file.
SlStatus sl_episodes_play_text(const char *name, const char *text, size_t n, SlParticleRules rules,
                               SlArena *scratch, SlDeviation *out, SlError *err);
