// plot_frame.h - inside draw: one plot of curves in its rectangle: axes, bands, lines, a level.
//
// Flow: sl_frame_init -> sl_frame_fit_y -> sl_frame_tick_width -> sl_frame_fit_x -> sl_frame_axes,
//       sl_frame_curves.
#pragma once

#include "axis.h"
#include "svg.h"

typedef struct {
    const SlCurvePlot *plot;
    const int *styles; // (plot->n) of the curves, from 0
    Axis x, y;
    double left, top, right, bottom;
    int x_ticks, y_ticks; // about as many
} Frame;

// Axes that hold every number of the plot, not yet placed.
void sl_frame_init(Frame *frame, const SlCurvePlot *plot, const int *styles);
void sl_frame_fit_y(Frame *frame, double top, double bottom);
double sl_frame_tick_width(const Frame *frame); // widest number beside the y axis
void sl_frame_fit_x(Frame *frame, double left, double right);

void sl_frame_axes(const Frame *frame, SlText *out);   // without their titles
void sl_frame_curves(const Frame *frame, SlText *out); // the first one on top
void sl_frame_level(const Frame *frame, SlText *out);  // the dashed line and its name

// The last point of a curve that has a place, -1 = none.
int sl_frame_last(const Frame *frame, const SlCurve *curve);

// Is there a level to draw on this axis?
bool sl_has_level(const Axis *axis, double level);
