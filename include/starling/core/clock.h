// clock.h - seconds of clocks that never go back.
#pragma once

#include "starling/core/api.h"

SL_API_BEGIN

double sl_clock_seconds(void); // since some moment; only differences mean something
double sl_clock_thread(void);  // processor time of the calling thread

SL_API_END
