// clock.c - seconds of a clock that never goes back.
#include "starling/core/clock.h"

#include <time.h>

double sl_clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
