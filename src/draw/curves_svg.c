// curves_svg.c - curves with bands over a shared axis, named at their right ends or in a key beside
// them.
#include <math.h>
#include <stdio.h>

#include "label.h"
#include "plot_frame.h"
#include "plot_key.h"

enum {
    PLOT_WIDTH = 540,
    PLOT_HEIGHT = 320,
    LABEL_ROW = 17,
    LABEL_MOST = 160, // pixels of a name
    FAR = 40,         // pixels that a name may stand from the end of its curve
};

typedef struct {
    const SlCurvePlot *plot;
    Frame frame;
    double width, height;
    int *styles;     // (n)
    double *label_y; // (n) NAN = the curve has no points or no name
    int n_labels;
    int *by_height; // (n_labels) curves from the highest end to the lowest
    bool key;       // names too far from their ends: in order beside samples of the lines
} Layout;

static double end_place(const Layout *layout, int c) {
    const SlCurve *curve = &layout->plot->curves[c];
    int last = sl_frame_last(&layout->frame, curve);
    return sl_axis_place(&layout->frame.y, curve->y[last]);
}

static void order_labels(Layout *layout) {
    double *y = layout->label_y;
    for (int c = 0; c < layout->plot->n; c++) {
        const SlCurve *curve = &layout->plot->curves[c];
        int at = layout->n_labels;
        y[c] = NAN;
        if (sl_frame_last(&layout->frame, curve) < 0 || !curve->name || !*curve->name) continue;
        y[c] = end_place(layout, c);
        for (; at > 0 && y[layout->by_height[at - 1]] > y[c]; at--)
            layout->by_height[at] = layout->by_height[at - 1];
        layout->by_height[at] = c;
        layout->n_labels++;
    }
}

// every name at the height where its curve ends, moved apart where they would touch
static void place_labels(Layout *layout) {
    order_labels(layout);
    int n = layout->n_labels;
    double *y = layout->label_y;
    const int *order = layout->by_height;
    for (int i = 1; i < n; i++) y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + LABEL_ROW);
    // back up from the bottom
    double most = layout->frame.bottom;
    for (int i = n - 1; i >= 0; i--, most -= LABEL_ROW) y[order[i]] = fmin(y[order[i]], most);
    for (int i = 0; i < n; i++)
        layout->key |= fabs(y[order[i]] - end_place(layout, order[i])) > FAR;
    for (int i = 0; i < n && layout->key; i++) y[order[i]] = layout->frame.top + 6 + i * LABEL_ROW;
}

static double widest_name(const SlCurvePlot *plot) {
    double widest = 0;
    for (int c = 0; c < plot->n; c++)
        widest = fmax(widest, 1.1 * sl_svg_text_width(plot->curves[c].name, 12, 0));
    return fmin(widest, LABEL_MOST);
}

static void lay_out(Layout *layout) {
    const SlCurvePlot *plot = layout->plot;
    Frame *frame = &layout->frame;
    double widest = widest_name(plot), plot_height = fmax(PLOT_HEIGHT, plot->n * LABEL_ROW);
    for (int c = 0; c < plot->n; c++)
        layout->styles[c] = plot->curves[c].colour > 0 ? plot->curves[c].colour - 1 : c;
    sl_frame_init(frame, plot, layout->styles);
    // how high the plot begins depends on the title's lines, those on the width, that on the ticks
    sl_frame_fit_y(frame, 0, plot_height);
    double left = 26 + sl_frame_tick_width(frame), right = left + PLOT_WIDTH;
    layout->width = right + (widest > 0 ? 44 + widest : 24);
    double top =
        fmax(sl_svg_title_height(layout->width, plot->title), 12) + (plot->y_label ? 30 : 8);
    sl_frame_init(frame, plot, layout->styles);
    sl_frame_fit_y(frame, top, top + plot_height);
    sl_frame_fit_x(frame, left, right);
    layout->height = frame->bottom + (plot->x_label ? 50 : 32);
    place_labels(layout);
}

// the name right of the plot, with a thin line to where the curve ends or behind a sample
static void add_label(const Layout *layout, int c, SlText *out) {
    const Frame *frame = &layout->frame;
    const SlCurve *curve = &layout->plot->curves[c];
    double y = layout->label_y[c], right = frame->right;
    if (isnan(y)) return;
    int last = sl_frame_last(frame, curve), colour = sl_svg_colour(layout->styles[c]);
    double end_x = sl_axis_place(&frame->x, curve->x[last]), end_y = end_place(layout, c);
    sl_text_add(out, "<circle class=\"sl-f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", colour, end_x,
                end_y);
    SvgBlock block = {"sl-ink", SVG_START, 12, LABEL_ROW, layout->width - right - 43, 1};
    char class[32];
    if (layout->key) {
        sl_key_sample(layout->styles[c], false, right + 12, y, out);
    } else {
        sl_text_add(out, "<path class=\"sl-thin sl-c%d\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n",
                    colour, end_x, end_y, right + 4, end_y, right + 18, y);
        snprintf(class, sizeof class, "sl-f%d sl-strong", colour);
        block.class = class;
    }
    sl_svg_block(out, &block, right + (layout->key ? 44 : 23), y + 4, curve->name);
}

static void add_axis_titles(const Layout *layout, SlText *out) {
    const Frame *frame = &layout->frame;
    SvgBlock block = {"sl-soft", SVG_MIDDLE, 12, 15, frame->right - frame->left, 1};
    sl_svg_block(out, &block, (frame->left + frame->right) / 2, frame->bottom + 37,
                 layout->plot->x_label);
    block.anchor = SVG_START;
    sl_svg_block(out, &block, 16, frame->top - 14, layout->plot->y_label);
}

// what is seen, for those who do not see it
static void add_about(const Layout *layout, SlText *out) {
    const SlCurvePlot *plot = layout->plot;
    char number[32];
    sl_text_add(out, "%s over %s", plot->y_label ? plot->y_label : "y",
                plot->x_label ? plot->x_label : "x");
    for (int i = 0; i < layout->n_labels; i++) {
        const SlCurve *curve = &plot->curves[layout->by_height[i]];
        double value = curve->y[sl_frame_last(&layout->frame, curve)];
        sl_text_add(out, "%s %s ends at %s", i ? "," : ":", curve->name,
                    sl_label_number(value, false, number));
    }
    sl_text_add(out, ".");
}

static void draw(Layout *layout, SlArena *scratch, SlText *out) {
    SlText about;
    sl_text_init(&about, scratch);
    lay_out(layout);
    add_about(layout, &about);
    sl_svg_open(out, layout->width, layout->height, layout->plot->title, about.data);
    sl_svg_title(out, layout->width, layout->plot->title);
    sl_frame_axes(&layout->frame, out);
    add_axis_titles(layout, out);
    sl_frame_curves(&layout->frame, out);
    sl_frame_level(&layout->frame, out);
    for (int c = 0; c < layout->plot->n; c++) add_label(layout, c, out);
    sl_svg_close(out);
    out->failed |= about.failed;
}

void sl_draw_curves_svg(const SlCurvePlot *plot, SlText *out) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    Layout layout = {.plot = plot,
                     .styles = SL_NEW(&scratch, plot->n, int),
                     .label_y = SL_NEW(&scratch, plot->n, double),
                     .by_height = SL_NEW(&scratch, plot->n, int)};
    if (layout.styles && layout.label_y && layout.by_height)
        draw(&layout, &scratch, out);
    else
        out->failed = true;
    sl_arena_free(&scratch);
}
