// learn_inside.h - the rows of this module's table.
#pragma once

#include "starling/learn.h"

extern const SlMethod sl_method_marl;       // docs/methods/marl.md
extern const SlMethod sl_method_ppo;        // docs/methods/ppo.md
extern const SlMethod sl_method_marl_paper; // docs/methods/marl-paper.md
extern const SlMethod sl_method_flock;      // docs/methods/flock.md
