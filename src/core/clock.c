// clock.c - seconds of clocks that never go back.
#include "starling/core/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double sl_clock_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double sl_clock_thread(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
