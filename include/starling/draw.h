// draw.h - pictures from numbers: SVG for pages and papers, text for terminals.
//
// Flow: SlText -> one call per picture. SVGs stand alone, carry their own light and dark colours,
//       scale to the width they are given, and use system fonts.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

// A square matrix (n, n) of numbers in -1..1 with names (n): diverging colours around 0, the value
// in each cell where it has space, a colour bar.
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

// Colours: a set of curves, boxes or bars takes them in its order: the first eight can be told
// apart by colour-blind readers on light and dark pages, the next have the same colours with other
// dashes. Plots that must agree name the number: 1 is the first, 0 = by place in the plot.
enum { SL_N_COLOURS = 8 };

// Curves over a shared x axis, each with an optional band. On a logarithmic y axis 0 is drawn at
// the bottom, apart from the rest, and the axis says so; what has no place (NAN, below 0) leaves a
// gap. Names stand at the ends of the curves where that is clear, else in a key.
typedef struct {
    const char *name;
    int n;
    const double *x, *y;      // (n), x ascending
    const double *low, *high; // (n) band, NULL = none
    bool steps;               // draw as steps (best so far)
    int colour;               // 0 = by place in the plot
} SlCurve;
typedef struct {
    int n;
    const SlCurve *curves;
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    double line;           // a dashed level across, NAN or 0 = none; named by line_name
    const char *line_name; // NULL = none
} SlCurvePlot;
void sl_draw_curves_svg(const SlCurvePlot *plot, SlText *out);

// Many small plots side by side with one key; curves of one name have one colour in all of them.
// Axis titles that are the same everywhere stand once.
typedef struct {
    int n;
    const SlCurvePlot *plots; // (n) their titles stand above each
    int columns;              // 0 = as fits, at most 4
    bool share_y;             // one y axis for all, so that heights compare
    const char *title;
} SlPanels;
void sl_draw_panels_svg(const SlPanels *panels, SlText *out);

// Boxes from quartile to quartile with the median, whiskers to the ends, one row per name: what a
// handful of runs came to. `points` (n, n_points) of each row, NAN = none, are drawn as dots; 0 on
// a logarithmic axis as in curves.
typedef struct {
    int n;
    const char *const *names; // (n)
    int n_points;
    const double *points;
    const char *title, *x_label;
    bool log_x;
    double line; // a dashed level, NAN or 0 = none
    const char *line_name;
    const int *colours; // (n) of the rows, 0 = by place; NULL = all by place
} SlBoxPlot;
void sl_draw_boxes_svg(const SlBoxPlot *plot, SlText *out);

// Bars, one group per name and one bar per series in it, the number at its end; whiskers from
// `low` to `high` where given. One series alone has one colour for all of its bars unless `colours`
// says otherwise.
typedef struct {
    int n, n_series;
    const char *const *names;  // (n)
    const char *const *series; // (n_series), NULL for one without a name
    const double *values;      // (n, n_series), NAN = none
    const double *low, *high;  // the same, NULL = none
    const char *title, *x_label;
    bool log_x;
    double base;        // where bars start; 0 on a logarithmic axis = its left end
    const int *colours; // of the series (n_series); of the names (n) where there is one series
} SlBarPlot;
void sl_draw_bars_svg(const SlBarPlot *plot, SlText *out);

// Bars made of parts, one row per name: where a whole goes.
typedef struct {
    int n, n_parts;
    const char *const *names; // (n)
    const char *const *parts; // (n_parts)
    const double *values;     // (n, n_parts); what is not above 0 has no part
    bool shares;              // every row is 100 %
    const char *const *notes; // (n) right of the rows; NULL = their sums, nothing with shares
    const char *title, *x_label;
    const int *colours; // (n_parts), 0 = by place; NULL = all by place
} SlStackPlot;
void sl_draw_stack_svg(const SlStackPlot *plot, SlText *out);

// Dots in a plane where less is better both ways, in the colours of their groups. Those that no
// other dot beats both ways are joined by steps: the front. Named dots have their names beside
// them where there is space. Upright dashed lines stand for limits.
typedef struct {
    double x, y;
    const char *name; // NULL = none
    int group;        // 0 .. n_groups - 1
    bool ringed;      // stands out
} SlFrontDot;
typedef struct {
    double x;
    const char *name;
} SlFrontLimit;
typedef struct {
    int n;
    const SlFrontDot *dots; // (n); NAN, or 0 on a logarithmic axis, is not drawn
    int n_groups;
    const char *const *groups; // (n_groups)
    int n_limits;
    const SlFrontLimit *limits;
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
} SlFrontPlot;
void sl_draw_front_svg(const SlFrontPlot *plot, SlText *out);

// One curve as a line of blocks, `width` columns ("▇▅▃▂▁").
void sl_draw_spark(int n, const double *y, int width, SlText *out);

SL_API_END
