// results_inside.h - what the files that make results share.
#pragma once

#include "starling/study/compare.h"

// The least value known of a task, and what its proof says about it: optimum, proven, gap.
SlStatus sl_task_optimum(const SlResults *results, int t, SlArena *arena, SlResultTask *task,
                         SlError *err);
