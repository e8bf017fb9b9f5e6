// clock.h - seconds of a clock that never goes back.
#pragma once

#include "starling/core/api.h"

SL_API_BEGIN

double sl_clock_seconds(void); // since some moment; only differences mean something

SL_API_END
