// show.h - numbers, names and shapes for people. Every function writes into `out` and returns it.
#pragma once

#include "starling/cost.h"

enum { SHOW_ROOM = 64 };

const char *show_energy(double pj, char out[static SHOW_ROOM]);       // "33.3 mJ"
const char *show_seconds(double seconds, char out[static SHOW_ROOM]); // "315 ms"
const char *show_rate(double per_second, char out[static SHOW_ROOM]); // "17.9", "6,940"
const char *show_left(double seconds, char out[static SHOW_ROOM]);    // "1 h 04 min", "34 s"
const char *show_power(double mw, char out[static SHOW_ROOM]);        // "540 mW"
const char *show_area(double um2, char out[static SHOW_ROOM]);        // "1.85 mm²"
const char *show_multiple(double x, char out[static SHOW_ROOM]); // "1.37 ×", "-" if not finite
// A number beside another: "8.3 % less", "12.0 % more", "2.40 × as much", "the same",
// "-" beside 0.
const char *show_compared(double base, double now, char out[static SHOW_ROOM]);
const char *show_share(double share, char out[static SHOW_ROOM]); // "8.3 %", "<0.1 %", "-"

// Energy times time: "10.5 mJs", from pJ x cycles at a clock.
const char *show_edp(double pj_cycles, double clock_mhz, char out[static SHOW_ROOM]);

// The value of an objective with its unit, "-" for NAN. Latency in cycles.
const char *show_objective(SlObjective objective, double value, double clock_mhz,
                           char out[static SHOW_ROOM]);

// The same for a goal; a product of several objectives has no unit.
const char *show_goal(const SlGoal *goal, double value, double clock_mhz,
                      char out[static SHOW_ROOM]);

// The only objective of a goal, SL_N_OBJECTIVES if there are several.
SlObjective goal_objective(const SlGoal *goal);

// What binds the latency, in few columns: "compute", "DRAM port", "L2 link".
const char *show_binder(const SlAccel *accel, SlBinder binder, char out[static SHOW_ROOM]);

// A layer in few columns: "64x3 112x112 7x7 /2" (KxC PxQ RxS /stride), "512x768x768" (MxNxK).
const char *show_shape(const SlLayer *layer, char out[static SHOW_ROOM]);

// Columns that UTF-8 text takes.
int show_columns(const char *text);

// `width` columns of which the share `from`..`to` is filled, in steps of an eighth of a column.
void show_bar(double from, double to, int width, SlText *out);

// Words of `text` in lines of at most 100 columns that start with `first`, then with `next`.
void show_wrapped(const char *first, const char *next, const char *text, SlText *out);

// Make text from a file safe to print, in place: control characters become '?'.
void clean_text(char *text);
