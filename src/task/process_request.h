// process_request.h - inside task: what a program of the user's is asked, as members of a JSON
// object.
#pragma once

#include "starling/task.h"

// What is the same for all points of a task: objective, layer, accelerator. Ends with a comma.
void sl_request_world(const SlTask *task, SlText *out);
// The nest as text, as loops, and as tiles held at every level.
void sl_request_mapping(const SlTask *task, const SlMapping *mapping, SlText *out);
// "point": {name: value, ...}; orders are lists.
void sl_request_point(const SlSpace *space, const int32_t *point, SlText *out);
