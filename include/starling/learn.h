// learn.h - methods that learn: flocks of agents and single ones, all behind ask and tell.
//
// Flow: a row of sl_learn_methods -> make -> ask -> (env evaluates) -> tell -> ask ... Budget,
//       stopping and records live in study.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

extern const SlMethod *const sl_learn_methods[]; // marl, ppo, dcoc, chameleon ...; ends with NULL

typedef enum { SL_CRITIC_AUTO, SL_CRITIC_ON, SL_CRITIC_OFF } SlCriticUse;
extern const char *const sl_critic_names[4]; // "auto", "on", "off", NULL

// `auto` turns the critic on where an evaluation takes longer than asking it, or up to this many
// samples.
enum { SL_CRITIC_AUTO_SAMPLES = 20000, SL_CRITIC_AUTO_US = 100 };

SL_API_END
