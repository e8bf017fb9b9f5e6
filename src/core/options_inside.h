// options_inside.h - inside core: what filling and showing an options table share.
#pragma once

#include "numbers.h"
#include "starling/core/options.h"

typedef struct {
    int64_t lo, hi;
} SlIntRange;

typedef struct {
    double lo, hi;
} SlRealRange;

// The inclusive range of a table row; min = max = 0 stands for no limit.
SlIntRange sl_option_int_range(const SlOption *option);
SlRealRange sl_option_real_range(const SlOption *option);
