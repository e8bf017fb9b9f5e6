// clock.h - seconds of a clock that never goes back.
#pragma once

double sl_clock_seconds(void); // since some moment; only differences mean something
