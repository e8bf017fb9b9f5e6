// unit.h - numbers as people read them, by their unit.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

typedef enum {
    SL_UNIT_PLAIN,   // "3.14159": at most six digits
    SL_UNIT_COUNT,   // "1,849,688,064"
    SL_UNIT_SHORT,   // "1.85 G"
    SL_UNIT_CYCLES,  // "709,767 cycles"
    SL_UNIT_BYTES,   // "6.5 KiB"
    SL_UNIT_PJ,      // "33.3 mJ", from picojoules
    SL_UNIT_SECONDS, // "315 ms"
    SL_UNIT_MW,      // "540 mW"
    SL_UNIT_UM2,     // "1.85 mm²", from square micrometres
    SL_UNIT_JS,      // "10.5 mJ·s": energy times time
    SL_UNIT_TIMES,   // "1.37 ×"
    SL_UNIT_SHARE,   // "8.3 %", "82 %", ">99.9 %", from 0.083
    SL_UNIT_RATE,    // "17.9", "6,940": three digits, or all before the point
} SlUnit;

// Writes into `out` and returns it; "-" for what is not finite.
enum { SL_UNIT_ROOM = 64 };
const char *sl_unit_show(SlUnit unit, double value, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// Six digits and the SI prefix, for values that are told from their bounds: "2.52602 µJ·s".
const char *sl_unit_exact(double value, const char *unit, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A gap as percent, never too small a number: "0.26 %", "0 %", "-" where there is no bound.
const char *sl_gap_show(double gap, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A time to wait: "34 s", "12 min", "1 h 04 min".
const char *sl_unit_wait(double seconds, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

SL_API_END
