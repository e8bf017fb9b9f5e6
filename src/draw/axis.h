// axis.h - inside draw: from numbers to places on a line, with ticks at round numbers.
//
// Flow: sl_axis_init -> sl_axis_widen (every number) -> sl_axis_fit -> sl_axis_ticks,
// sl_axis_place, sl_tick_text.
#pragma once

#include <stdbool.h>

enum { AXIS_MAX_TICKS = 16 };

typedef struct {
    bool is_log;
    double low, high; // numbers at the ends
    double from, to;  // their places
} Axis;

// An axis without numbers yet. On a logarithmic one only numbers above 0 have a place.
void sl_axis_init(Axis *axis, bool is_log);
bool sl_axis_holds(const Axis *axis, double value); // finite, and above 0 where logarithmic
void sl_axis_widen(Axis *axis, double value);       // what it cannot hold is passed over

// Settle the ends: never empty; `air` leaves room beside the numbers (round numbers where linear).
void sl_axis_fit(Axis *axis, bool air, double from, double to);

double sl_axis_place(const Axis *axis, double value); // from .. to for numbers in low .. high

// About `wanted` ticks within the ends, ascending; returns their number, at most AXIS_MAX_TICKS.
int sl_axis_ticks(const Axis *axis, int wanted, double ticks[static AXIS_MAX_TICKS]);

// "0.25", "1,500", "20k", "1e-7"; `step` (0 = unknown) is the distance to the next tick.
const char *sl_tick_text(double value, double step, char out[static 32]);
