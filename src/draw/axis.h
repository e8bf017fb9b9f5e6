// axis.h - inside draw: from numbers to places on a line, with ticks at round numbers.
//
// Flow: sl_axis_init -> sl_axis_widen (every number) -> sl_axis_fit -> sl_axis_ticks,
// sl_axis_place, sl_tick_text.
#pragma once

#include <stdbool.h>

enum { AXIS_MAX_TICKS = 16, AXIS_MAX_MINOR = 64, AXIS_ZERO_ROOM = 20 };

typedef struct {
    bool is_log;
    bool keeps_zero;  // 0 has a place on a logarithmic axis too: its start, AXIS_ZERO_ROOM pixels
                      // before `low`
    bool has_zero;    // and is there
    double low, high; // numbers at the ends
    double from, to;  // their places
} Axis;

// An axis without numbers yet. On a logarithmic one only numbers above 0 have a place, unless
// `keeps_zero` is set.
void sl_axis_init(Axis *axis, bool is_log);
bool sl_axis_holds(const Axis *axis, double value); // finite, and above 0 where logarithmic
void sl_axis_widen(Axis *axis, double value);       // what it cannot hold is passed over

// Settle the ends: never empty; `air` leaves space beside the numbers (round numbers where linear).
void sl_axis_fit(Axis *axis, bool air, double from, double to);

double sl_axis_place(const Axis *axis, double value); // from .. to for numbers in low .. high

// About `wanted` ticks within the ends, ascending; returns their number, at most AXIS_MAX_TICKS.
int sl_axis_ticks(const Axis *axis, int wanted, double ticks[static AXIS_MAX_TICKS]);

// Places between the ticks of a logarithmic axis: 2 to 9 of every power of ten, the powers alone
// where there are many. Returns their number, 0 on a linear axis.
int sl_axis_minor(const Axis *axis, double minor[static AXIS_MAX_MINOR]);

// The distance between ticks, 0 where they are not evenly apart (each then keeps its own digits).
double sl_axis_step(int n, const double *ticks);

// "0.25", "1.5k", "20k", "1e-7"; `step` (0 = unknown) is the distance to the next tick.
const char *sl_tick_text(double value, double step, char out[static 32]);
