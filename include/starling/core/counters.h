// counters.h - what the processor counts while a piece of code runs, where the system lets us see.
//
// Flow: sl_counters_open -> sl_counters_start, sl_counters_stop, again and again ->
//       sl_counters_read -> sl_counters_close. Nothing here fails: what cannot be counted is NAN.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

typedef enum {
    SL_COUNTER_INSTRUCTIONS,
    SL_COUNTER_CACHE_MISSES, // of the last cache
    SL_COUNTER_TLB_MISSES,   // of loads, in the TLB of data
    SL_N_COUNTERS
} SlCounter;
extern const char *const sl_counter_names[SL_N_COUNTERS + 1]; // "instructions", "cache_misses", ...

// Of the thread that opened it.
typedef struct {
    int files[SL_N_COUNTERS]; // -1 = cannot be counted
} SlCounters;

void sl_counters_open(SlCounters *counters); // all at zero, stopped
void sl_counters_close(SlCounters *counters);
void sl_counters_start(SlCounters *counters);
void sl_counters_stop(SlCounters *counters);

// Counted between starts and stops since it was opened; scaled up where the processor had to share
// its counters.
void sl_counters_read(const SlCounters *counters, double counts[SL_AT_LEAST(SL_N_COUNTERS)]);

SL_API_END
