// rules.h - inside task: rules of an own space, such as "rows * cols <= 1024 and dataflow != ws".
//
// Flow: sl_rules_make (a list of texts) -> sl_rules_broken (a point).
#pragma once

#include "starling/task/own_space.h"

// Rules from a list of texts in a file; names are those of parameters of the space. SL_EINPUT with
// the place and what was expected.
SlStatus sl_rules_make(const SlNode *list, const SlSpace *space, SlArena *arena,
                       const SlRules **rules, SlError *err);
