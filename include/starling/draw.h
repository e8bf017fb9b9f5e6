// draw.h - pictures from numbers: SVG for pages and papers, text for terminals.
//
// Flow: SlText -> one call per picture. SVGs stand alone, carry their own light and dark colours,
//       scale to the width they are given, and use system fonts.
#pragma once

#include "starling/core.h"

// A square matrix (n, n) of numbers in -1..1 with names (n): diverging colours around 0, the value
// in each cell where it has room, a colour bar.
typedef struct {
    int n;
    const double *values;
    const char *const *names;
    const char *title;
} SlHeatMap;
void sl_draw_heat_svg(const SlHeatMap *heat, SlText *out);
void sl_draw_heat_text(const SlHeatMap *heat, SlText *out); // ANSI-free shades and numbers

// A tree of n leaves as merges (left, right: ids; height), leaves named; clusters coloured by
// `cluster` (n), NULL = one colour; a dashed line at `cut`, NAN = none.
typedef struct {
    int left, right;
    double height;
} SlBranch;
typedef struct {
    int n;
    const SlBranch *branches; // (n - 1)
    const int *leaves;        // (n) from left to right
    const char *const *names; // (n)
    const int *cluster;
    double cut;
    const char *title, *axis;
} SlTreePlot;
void sl_draw_tree_svg(const SlTreePlot *plot, SlText *out);
void sl_draw_tree_text(const SlTreePlot *plot, SlText *out); // leaves as rows, at most 100 columns

// Curves over a shared x axis, each with an optional band.
typedef struct {
    const char *name;
    int n;
    const double *x, *y;      // (n), x ascending
    const double *low, *high; // (n) band, NULL = none
    bool steps;               // draw as steps (best so far)
} SlCurve;
typedef struct {
    int n;
    const SlCurve *curves;
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
} SlCurvePlot;
void sl_draw_curves_svg(const SlCurvePlot *plot, SlText *out);
// One curve as a line of blocks, `width` columns ("▇▅▃▂▁").
void sl_draw_spark(int n, const double *y, int width, SlText *out);
