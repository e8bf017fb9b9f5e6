// curves_svg.c - curves with bands over a shared axis, named at their right ends.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "svg.h"

enum { PLOT_WIDTH = 560, PLOT_HEIGHT = 320, LABEL_ROW = 17 };

typedef struct {
    const SlCurvePlot *plot;
    Axis x, y;
    double left, top, right, bottom, width, height;
    double *label_y; // (n) NAN = the curve has no points or no name
    int *by_height;  // (n) curves from the highest label to the lowest
} Layout;

// is point i of the curve on both axes?
static bool shows(const Layout *layout, const SlCurve *curve, int i) {
    return sl_axis_holds(&layout->x, curve->x[i]) && sl_axis_holds(&layout->y, curve->y[i]);
}

static bool has_band(const Layout *layout, const SlCurve *curve, int i) {
    return curve->low && curve->high && sl_axis_holds(&layout->x, curve->x[i]) &&
           sl_axis_holds(&layout->y, curve->low[i]) && sl_axis_holds(&layout->y, curve->high[i]);
}

static void widen_axes(Layout *layout) {
    const SlCurvePlot *plot = layout->plot;
    sl_axis_init(&layout->x, plot->log_x);
    sl_axis_init(&layout->y, plot->log_y);
    for (int c = 0; c < plot->n; c++) {
        const SlCurve *curve = &plot->curves[c];
        for (int i = 0; i < curve->n; i++) {
            if (shows(layout, curve, i)) {
                sl_axis_widen(&layout->x, curve->x[i]);
                sl_axis_widen(&layout->y, curve->y[i]);
            }
            if (!has_band(layout, curve, i)) continue;
            sl_axis_widen(&layout->x, curve->x[i]);
            sl_axis_widen(&layout->y, curve->low[i]);
            sl_axis_widen(&layout->y, curve->high[i]);
        }
    }
}

// the distance between ticks, 0 where they are not evenly apart (each then keeps its own digits)
static double even_step(int n, const double *ticks) {
    double step = n > 1 ? ticks[1] - ticks[0] : 0;
    for (int i = 2; i < n; i++)
        if (fabs(ticks[i] - ticks[i - 1] - step) > 1e-6 * step) return 0;
    return step;
}

static double widest_tick(const Axis *axis) {
    double ticks[AXIS_MAX_TICKS], widest = 0;
    char text[32];
    int n = sl_axis_ticks(axis, 6, ticks);
    for (int i = 0; i < n; i++)
        widest = fmax(widest,
                      sl_svg_text_width(sl_tick_text(ticks[i], even_step(n, ticks), text), 11, 0));
    return widest;
}

static int last_shown(const Layout *layout, const SlCurve *curve) {
    int last = curve->n - 1;
    while (last >= 0 && !shows(layout, curve, last)) last--;
    return last;
}

// every name at the height where its curve ends, moved apart where they would touch
static void place_labels(Layout *layout) {
    int n = 0;
    double *y = layout->label_y;
    for (int c = 0; c < layout->plot->n; c++) {
        const SlCurve *curve = &layout->plot->curves[c];
        int last = last_shown(layout, curve), at = n;
        y[c] = NAN;
        if (last < 0 || !curve->name || !*curve->name) continue;
        y[c] = sl_axis_place(&layout->y, curve->y[last]);
        for (; at > 0 && y[layout->by_height[at - 1]] > y[c]; at--)
            layout->by_height[at] = layout->by_height[at - 1];
        layout->by_height[at] = c;
        n++;
    }
    const int *order = layout->by_height;
    for (int i = 1; i < n; i++) y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + LABEL_ROW);
    // back up from the bottom
    double most = layout->bottom;
    for (int i = n - 1; i >= 0; i--, most -= LABEL_ROW) y[order[i]] = fmin(y[order[i]], most);
}

static void lay_out(Layout *layout) {
    const SlCurvePlot *plot = layout->plot;
    double widest = 0, plot_height = fmax(PLOT_HEIGHT, plot->n * LABEL_ROW);
    for (int c = 0; c < plot->n; c++)
        widest = fmax(widest, sl_svg_text_width(plot->curves[c].name, 12, SVG_NAME_MOST));
    widen_axes(layout);
    layout->top = (plot->title ? 44 : 14) + (plot->y_label ? 24 : 6);
    layout->bottom = layout->top + plot_height;
    sl_axis_fit(&layout->y, true, layout->bottom, layout->top);
    layout->left = 26 + widest_tick(&layout->y);
    layout->right = layout->left + PLOT_WIDTH;
    sl_axis_fit(&layout->x, false, layout->left, layout->right);
    layout->height = layout->bottom + (plot->x_label ? 50 : 32);
    layout->width = layout->right + (widest > 0 ? 40 + widest : 24);
    layout->width = fmax(layout->width, 32 + sl_svg_text_width(plot->title, 15, 0));
    place_labels(layout);
}

static void add_axes(const Layout *layout, SlText *out) {
    double ticks[AXIS_MAX_TICKS];
    char text[32];
    int n = sl_axis_ticks(&layout->y, 6, ticks);
    for (int i = 0; i < n; i++) {
        double y = sl_axis_place(&layout->y, ticks[i]);
        sl_svg_line(out, "sl-grid", layout->left, y, layout->right, y);
        sl_svg_text(out, "sl-soft sl-small", SVG_END, layout->left - 8, y + 3.7,
                    sl_tick_text(ticks[i], even_step(n, ticks), text));
    }
    n = sl_axis_ticks(&layout->x, 7, ticks);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&layout->x, ticks[i]);
        sl_svg_line(out, "sl-axis", x, layout->bottom, x, layout->bottom + 4);
        sl_svg_text(out, "sl-soft sl-small", SVG_MIDDLE, x, layout->bottom + 17,
                    sl_tick_text(ticks[i], even_step(n, ticks), text));
    }
    sl_svg_line(out, "sl-axis", layout->left, layout->bottom, layout->right, layout->bottom);
    sl_svg_text(out, "sl-soft", SVG_MIDDLE, (layout->left + layout->right) / 2, layout->bottom + 37,
                layout->plot->x_label);
    sl_svg_text(out, "sl-soft", SVG_START, 16, layout->top - 14, layout->plot->y_label);
}

// one stretch of points that all show: i to end
static void add_stretch(const Layout *layout, const SlCurve *curve, int i, int end, SlText *out) {
    for (int at = i; at < end; at++) {
        double x = sl_axis_place(&layout->x, curve->x[at]),
               y = sl_axis_place(&layout->y, curve->y[at]);
        if (at == i)
            sl_text_add(out, "M%.1f %.1f", x, y);
        else if (curve->steps)
            sl_text_add(out, "H%.1fV%.1f", x, y);
        else
            sl_text_add(out, "L%.1f %.1f", x, y);
    }
}

// points without neighbours, which no line shows
static void add_dots(const Layout *layout, int c, SlText *out) {
    const SlCurve *curve = &layout->plot->curves[c];
    for (int i = 0; i < curve->n; i++) {
        bool before = i > 0 && shows(layout, curve, i - 1);
        bool after = i + 1 < curve->n && shows(layout, curve, i + 1);
        if (before || after || !shows(layout, curve, i)) continue;
        sl_text_add(out, "<circle class=\"sl-f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                    c % SVG_COLOURS, sl_axis_place(&layout->x, curve->x[i]),
                    sl_axis_place(&layout->y, curve->y[i]));
    }
}

static void add_line(const Layout *layout, int c, SlText *out) {
    static const char *const dashes[] = {"", " sl-dash1", " sl-dash2"};
    const SlCurve *curve = &layout->plot->curves[c];
    if (last_shown(layout, curve) < 0) return;
    sl_text_add(out, "<path class=\"sl-wide sl-c%d%s\" d=\"", c % SVG_COLOURS,
                dashes[c / SVG_COLOURS % 3]);
    for (int i = 0; i < curve->n; i++) {
        int end = i;
        while (end < curve->n && shows(layout, curve, end)) end++;
        if (end > i) add_stretch(layout, curve, i, end, out);
        i = end;
    }
    sl_text_add(out, "\"/>\n");
}

// along the upper edge to the right, along the lower one back
static void add_band_stretch(const Layout *layout, const SlCurve *curve, int i, int end,
                             SlText *out) {
    for (int k = 0; k < 2 * (end - i); k++) {
        bool back = k >= end - i;
        int at = back ? end - 1 - (k - (end - i)) : i + k;
        double x = sl_axis_place(&layout->x, curve->x[at]);
        double y = sl_axis_place(&layout->y, back ? curve->low[at] : curve->high[at]);
        if (k == 0)
            sl_text_add(out, "M%.1f %.1f", x, y);
        else if (!curve->steps || k == end - i)
            sl_text_add(out, "L%.1f %.1f", x, y);
        else if (!back)
            sl_text_add(out, "H%.1fV%.1f", x, y);
        else // a step seen from its right end
            sl_text_add(out, "V%.1fH%.1f", y, x);
    }
    sl_text_add(out, "Z");
}

static void add_band(const Layout *layout, int c, SlText *out) {
    const SlCurve *curve = &layout->plot->curves[c];
    if (!curve->low || !curve->high) return;
    sl_text_add(out, "<g class=\"sl-band\"><path class=\"sl-b%d\" style=\"fill-rule:nonzero\" d=\"",
                c % SVG_COLOURS);
    for (int i = 0; i < curve->n; i++) {
        int end = i;
        while (end < curve->n && has_band(layout, curve, end)) end++;
        if (end > i) add_band_stretch(layout, curve, i, end, out);
        i = end;
    }
    sl_text_add(out, "\"/></g>\n");
}

// the name right of the plot, with a thin line to where the curve ends
static void add_label(const Layout *layout, int c, SlText *out) {
    const SlCurve *curve = &layout->plot->curves[c];
    double y = layout->label_y[c];
    if (isnan(y)) return;
    int last = last_shown(layout, curve), colour = c % SVG_COLOURS;
    double end_x = sl_axis_place(&layout->x, curve->x[last]);
    double end_y = sl_axis_place(&layout->y, curve->y[last]);
    sl_text_add(out,
                "<circle class=\"sl-f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n"
                "<path class=\"sl-thin sl-c%d\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n",
                colour, end_x, end_y, colour, end_x, end_y, layout->right + 4, end_y,
                layout->right + 18, y);
    sl_text_add(out, "<text class=\"sl-f%d sl-strong\" x=\"%.1f\" y=\"%.1f\">", colour,
                layout->right + 23, y + 4);
    sl_svg_escape(out, curve->name, SVG_NAME_MOST);
    sl_text_add(out, "</text>\n");
}

void sl_draw_curves_svg(const SlCurvePlot *plot, SlText *out) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    Layout layout = {.plot = plot,
                     .label_y = SL_NEW(&scratch, plot->n, double),
                     .by_height = SL_NEW(&scratch, plot->n, int)};
    if (layout.label_y && layout.by_height) {
        lay_out(&layout);
        sl_svg_open(out, layout.width, layout.height, plot->title);
        sl_svg_text(out, "sl-ink sl-title", SVG_START, 16, 28, plot->title);
        add_axes(&layout, out);
        for (int c = 0; c < plot->n; c++) add_band(&layout, c, out);
        for (int c = 0; c < plot->n; c++) {
            add_line(&layout, c, out);
            add_dots(&layout, c, out);
        }
        for (int c = 0; c < plot->n; c++) add_label(&layout, c, out);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    sl_arena_free(&scratch);
}
