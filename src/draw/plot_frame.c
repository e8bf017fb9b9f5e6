// plot_frame.c - one plot of curves in its rectangle: axes, bands, lines, a level.
#include "plot_frame.h"

#include <math.h>

bool sl_has_level(const Axis *axis, double level) {
    return level != 0 && sl_axis_holds(axis, level);
}

// is point i of the curve on both axes?
static bool shows(const Frame *frame, const SlCurve *curve, int i) {
    return sl_axis_holds(&frame->x, curve->x[i]) && sl_axis_holds(&frame->y, curve->y[i]);
}

static bool has_band(const Frame *frame, const SlCurve *curve, int i) {
    return curve->low && curve->high && sl_axis_holds(&frame->x, curve->x[i]) &&
           sl_axis_holds(&frame->y, curve->low[i]) && sl_axis_holds(&frame->y, curve->high[i]);
}

int sl_frame_last(const Frame *frame, const SlCurve *curve) {
    int last = curve->n - 1;
    while (last >= 0 && !shows(frame, curve, last)) last--;
    return last;
}

static void widen_by(Frame *frame, const SlCurve *curve) {
    for (int i = 0; i < curve->n; i++) {
        if (shows(frame, curve, i)) {
            sl_axis_widen(&frame->x, curve->x[i]);
            sl_axis_widen(&frame->y, curve->y[i]);
        }
        if (!has_band(frame, curve, i)) continue;
        sl_axis_widen(&frame->x, curve->x[i]);
        sl_axis_widen(&frame->y, curve->low[i]);
        sl_axis_widen(&frame->y, curve->high[i]);
    }
}

void sl_frame_init(Frame *frame, const SlCurvePlot *plot, const int *styles) {
    *frame = (Frame){.plot = plot, .styles = styles, .x_ticks = 7, .y_ticks = 6};
    sl_axis_init(&frame->x, plot->log_x);
    sl_axis_init(&frame->y, plot->log_y);
    frame->y.keeps_zero = true;
    for (int c = 0; c < plot->n; c++) widen_by(frame, &plot->curves[c]);
    if (sl_has_level(&frame->y, plot->line)) sl_axis_widen(&frame->y, plot->line);
}

void sl_frame_fit_y(Frame *frame, double top, double bottom) {
    frame->top = top;
    frame->bottom = bottom;
    sl_axis_fit(&frame->y, true, bottom, top);
}

void sl_frame_fit_x(Frame *frame, double left, double right) {
    frame->left = left;
    frame->right = right;
    sl_axis_fit(&frame->x, false, left, right);
}

// ---- axes ----

double sl_frame_tick_width(const Frame *frame) {
    double ticks[AXIS_MAX_TICKS], widest = 0;
    char text[32];
    int n = sl_axis_ticks(&frame->y, frame->y_ticks, ticks);
    for (int i = 0; i < n; i++) {
        sl_tick_text(ticks[i], sl_axis_step(n, ticks), text);
        widest = fmax(widest, sl_svg_text_width(text, 11, 0));
    }
    return widest;
}

static void add_minor(const Frame *frame, SlText *out) {
    double minor[AXIS_MAX_MINOR];
    int n = sl_axis_minor(&frame->y, minor);
    for (int i = 0; i < n; i++) {
        double y = sl_axis_place(&frame->y, minor[i]);
        sl_svg_line(out, "sl-axis", frame->left, y, frame->left - 3, y);
    }
    n = sl_axis_minor(&frame->x, minor);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&frame->x, minor[i]);
        sl_svg_line(out, "sl-axis", x, frame->bottom, x, frame->bottom + 3);
    }
}

// 0 at the foot of a logarithmic axis: two slanted strokes cut it off from the rest
static void add_zero(const Frame *frame, SlText *out) {
    double y = frame->bottom - AXIS_ZERO_ROOM / 2.0, x = frame->left;
    sl_svg_text(out, "sl-soft sl-small", SVG_END, x - 8, frame->bottom + 3.7, "0");
    sl_svg_line(out, "sl-axis", x - 5, y + 4, x + 5, y);
    sl_svg_line(out, "sl-axis", x - 5, y, x + 5, y - 4);
}

static void add_y_axis(const Frame *frame, SlText *out) {
    double ticks[AXIS_MAX_TICKS];
    char text[32];
    int n = sl_axis_ticks(&frame->y, frame->y_ticks, ticks);
    for (int i = 0; i < n; i++) {
        double y = sl_axis_place(&frame->y, ticks[i]);
        sl_svg_line(out, "sl-grid", frame->left, y, frame->right, y);
        sl_svg_text(out, "sl-soft sl-small", SVG_END, frame->left - 8, y + 3.7,
                    sl_tick_text(ticks[i], sl_axis_step(n, ticks), text));
    }
    if (frame->y.is_log)
        sl_svg_line(out, "sl-axis", frame->left, frame->top, frame->left, frame->bottom);
    if (frame->y.has_zero) add_zero(frame, out);
}

static void add_x_axis(const Frame *frame, SlText *out) {
    double ticks[AXIS_MAX_TICKS], taken = -INFINITY;
    char text[32];
    int n = sl_axis_ticks(&frame->x, frame->x_ticks, ticks);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&frame->x, ticks[i]);
        if (frame->x.is_log) sl_svg_line(out, "sl-grid", x, frame->top, x, frame->bottom);
        sl_svg_line(out, "sl-axis", x, frame->bottom, x, frame->bottom + 5);
        // numbers that would touch the one before are left out
        double half =
            sl_svg_text_width(sl_tick_text(ticks[i], sl_axis_step(n, ticks), text), 11, 0) / 2;
        if (x - half < taken) continue;
        taken = x + half + 6;
        sl_svg_text(out, "sl-soft sl-small", SVG_MIDDLE, x, frame->bottom + 17, text);
    }
    sl_svg_line(out, "sl-axis", frame->left, frame->bottom, frame->right, frame->bottom);
}

void sl_frame_axes(const Frame *frame, SlText *out) {
    add_y_axis(frame, out);
    add_x_axis(frame, out);
    add_minor(frame, out);
}

// ---- curves ----

// one stretch of points that all show: i to end
static void add_stretch(const Frame *frame, const SlCurve *curve, int i, int end, SlText *out) {
    for (int at = i; at < end; at++) {
        double x = sl_axis_place(&frame->x, curve->x[at]),
               y = sl_axis_place(&frame->y, curve->y[at]);
        if (at == i)
            sl_text_add(out, "M%.1f %.1f", x, y);
        else if (curve->steps)
            sl_text_add(out, "H%.1fV%.1f", x, y);
        else
            sl_text_add(out, "L%.1f %.1f", x, y);
    }
}

// points without neighbours, which no line shows
static void add_dots(const Frame *frame, int c, SlText *out) {
    const SlCurve *curve = &frame->plot->curves[c];
    for (int i = 0; i < curve->n; i++) {
        bool before = i > 0 && shows(frame, curve, i - 1);
        bool after = i + 1 < curve->n && shows(frame, curve, i + 1);
        if (before || after || !shows(frame, curve, i)) continue;
        sl_text_add(out, "<circle class=\"sl-f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                    sl_svg_colour(frame->styles[c]), sl_axis_place(&frame->x, curve->x[i]),
                    sl_axis_place(&frame->y, curve->y[i]));
    }
}

static void add_line(const Frame *frame, int c, SlText *out) {
    const SlCurve *curve = &frame->plot->curves[c];
    int style = frame->styles[c];
    if (sl_frame_last(frame, curve) < 0) return;
    sl_text_add(out, "<path class=\"sl-wide sl-c%d%s\" d=\"", sl_svg_colour(style),
                sl_svg_dash(style));
    for (int i = 0; i < curve->n; i++) {
        int end = i;
        while (end < curve->n && shows(frame, curve, end)) end++;
        if (end > i) add_stretch(frame, curve, i, end, out);
        i = end;
    }
    sl_text_add(out, "\"/>\n");
}

// along the upper edge to the right, along the lower one back
static void add_band_stretch(const Frame *frame, const SlCurve *curve, int i, int end,
                             SlText *out) {
    for (int k = 0; k < 2 * (end - i); k++) {
        bool back = k >= end - i;
        int at = back ? end - 1 - (k - (end - i)) : i + k;
        double x = sl_axis_place(&frame->x, curve->x[at]);
        double y = sl_axis_place(&frame->y, back ? curve->low[at] : curve->high[at]);
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

static void add_band(const Frame *frame, int c, SlText *out) {
    const SlCurve *curve = &frame->plot->curves[c];
    if (!curve->low || !curve->high) return;
    // many bands on top of each other must not hide the lines
    sl_text_add(out, "<g class=\"sl-band%s\"><path class=\"sl-b%d\" d=\"",
                frame->plot->n > 6 ? " sl-faint" : "", sl_svg_colour(frame->styles[c]));
    for (int i = 0; i < curve->n; i++) {
        int end = i;
        while (end < curve->n && has_band(frame, curve, end)) end++;
        if (end > i) add_band_stretch(frame, curve, i, end, out);
        i = end;
    }
    sl_text_add(out, "\"/></g>\n");
}

void sl_frame_curves(const Frame *frame, SlText *out) {
    for (int c = frame->plot->n - 1; c >= 0; c--) add_band(frame, c, out);
    for (int c = frame->plot->n - 1; c >= 0; c--) {
        add_line(frame, c, out);
        add_dots(frame, c, out);
    }
}

// ---- level ----

// points of curves within a rectangle; lines count at points in between, too
static int points_within(const Frame *frame, double left, double top, double right, double bottom) {
    int count = 0;
    for (int c = 0; c < frame->plot->n; c++) {
        const SlCurve *curve = &frame->plot->curves[c];
        double before_x = 0, before_y = 0;
        bool before = false;
        for (int i = 0; i < curve->n; i++) {
            bool now = shows(frame, curve, i);
            double x = now ? sl_axis_place(&frame->x, curve->x[i]) : 0;
            double y = now ? sl_axis_place(&frame->y, curve->y[i]) : 0;
            for (int k = 1; now && k <= 8; k++) {
                double share = before ? k / 8.0 : 1;
                double at_x = before_x + share * (x - before_x);
                double at_y =
                    curve->steps && share < 1 ? before_y : before_y + share * (y - before_y);
                if (!before) at_x = x, at_y = y;
                count += at_x > left && at_x < right && at_y > top && at_y < bottom;
            }
            before = now;
            before_x = x;
            before_y = y;
        }
    }
    return count;
}

void sl_frame_level(const Frame *frame, SlText *out) {
    const SlCurvePlot *plot = frame->plot;
    if (!sl_has_level(&frame->y, plot->line)) return;
    double y = sl_axis_place(&frame->y, plot->line);
    sl_svg_line(out, "sl-cut", frame->left, y, frame->right, y);
    // the name above or below, left or right: where the fewest points are
    double wide = fmin(sl_svg_text_width(plot->line_name, 11, 0), frame->right - frame->left - 8);
    int best = 0, least = -1;
    for (int i = 0; i < 4; i++) {
        double left = i % 2 ? frame->right - 4 - wide : frame->left + 4;
        double top = i / 2 ? y + 1 : y - 17;
        if (top < frame->top - 4 || top + 16 > frame->bottom) continue;
        int points = points_within(frame, left, top, left + wide, top + 16);
        if (least >= 0 && points >= least) continue;
        least = points;
        best = i;
    }
    SvgBlock block = {.class = "sl-soft sl-small sl-halo",
                      .anchor = best % 2 ? SVG_END : SVG_START,
                      .font = 11,
                      .width = wide + 1,
                      .most = 1};
    sl_svg_block(out, &block, best % 2 ? frame->right - 4 : frame->left + 4,
                 best / 2 ? y + 14 : y - 5, plot->line_name);
}
