// bars_svg.c - bars in groups with the number at their end.
#include <math.h>
#include <stdio.h>

#include "label.h"
#include "plot_key.h"
#include "plot_rows.h"

enum { BAR = 15, LONE_BAR = 18, GROUP_GAP = 13 };

typedef struct {
    const SlBarPlot *plot;
    Rows rows;
    Key key;
    double base;  // where bars start: a place
    double thick; // of a bar
    double group; // of a group with its gap
} Layout;

static size_t at(const SlBarPlot *plot, int group, int series) {
    return (size_t)group * (size_t)plot->n_series + (size_t)series;
}

static int style_of(const SlBarPlot *plot, int group, int series) {
    int item = plot->n_series == 1 ? group : series;
    if (plot->colours && plot->colours[item] > 0) return plot->colours[item] - 1;
    return plot->n_series == 1 ? 0 : series;
}

static void widen(Layout *layout) {
    const SlBarPlot *plot = layout->plot;
    Axis *axis = &layout->rows.axis;
    double least = INFINITY;
    for (int i = 0; i < plot->n * plot->n_series; i++) {
        const double values[] = {plot->values[i], plot->low ? plot->low[i] : NAN,
                                 plot->high ? plot->high[i] : NAN};
        for (int k = 0; k < 3; k++) {
            // bars of 0 have no length: they need no place of their own
            if (!sl_axis_holds(axis, values[k]) || values[k] == 0) continue;
            sl_axis_widen(axis, values[k]);
            least = fmin(least, values[k]);
        }
    }
    sl_axis_widen(axis, plot->base);
    // the shortest bar still shows
    if (plot->log_x && !(least >= plot->base && plot->base > 0)) sl_axis_widen(axis, least / 1.6);
}

static double widest_number(const SlBarPlot *plot) {
    double widest = 0;
    char number[32];
    for (int i = 0; i < plot->n * plot->n_series; i++)
        widest =
            fmax(widest, sl_svg_text_width(sl_label_number(plot->values[i], false, number), 11, 0));
    return widest;
}

static bool lay_out(Layout *layout, SlArena *scratch) {
    const SlBarPlot *plot = layout->plot;
    Rows *rows = &layout->rows;
    KeyItem *items = SL_NEW(scratch, plot->n_series, KeyItem);
    if (!items) return false;
    bool key = plot->series && plot->n_series > 1;
    for (int i = 0; i < plot->n_series && key; i++)
        items[i] = (KeyItem){plot->series[i] ? plot->series[i] : "", style_of(plot, 0, i)};
    sl_rows_init(rows, plot->log_x, plot->n, plot->names);
    rows->axis.keeps_zero = false;
    rows->title = plot->title;
    rows->x_label = plot->x_label;
    layout->thick = plot->n_series > 1 ? BAR : LONE_BAR;
    layout->group = fmax(plot->n_series * layout->thick, 28) + GROUP_GAP;
    widen(layout);
    // the key needs the width, which no height changes
    RowsRoom room = {.numbers = widest_number(plot) + 10,
                     .rows_height = fmax(plot->n, 1) * layout->group,
                     .air = !plot->log_x};
    Rows trial = *rows;
    sl_rows_lay_out(&trial, &room);
    layout->key = (Key){key ? plot->n_series : 0, items, true, trial.width - 32};
    room.head = key ? sl_key_height(&layout->key) + 10 : 4;
    sl_rows_lay_out(rows, &room);
    double base = plot->log_x && !(plot->base > 0) ? rows->axis.low : plot->base;
    layout->base = sl_axis_place(&rows->axis, base);
    return true;
}

static void add_whisker(const Layout *layout, size_t i, double middle, SlText *out) {
    const SlBarPlot *plot = layout->plot;
    const Axis *axis = &layout->rows.axis;
    double low = sl_axis_place(axis, plot->low[i]), high = sl_axis_place(axis, plot->high[i]);
    sl_text_add(
        out, "<path class=\"sl-mark\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fV%.1f\"/>\n", low,
        middle - 3.5, middle + 3.5, low, middle, high, high, middle - 3.5, middle + 3.5);
}

static void add_bar(const Layout *layout, int group, int series, double top, SlText *out) {
    const SlBarPlot *plot = layout->plot;
    const Axis *axis = &layout->rows.axis;
    size_t i = at(plot, group, series);
    double value = plot->values[i], middle = top + layout->thick / 2;
    char number[32];
    double text_x = layout->base;
    if (sl_axis_holds(axis, value)) {
        double end = sl_axis_place(axis, value);
        sl_key_area(style_of(plot, group, series), fmin(layout->base, end), top + 1,
                    fabs(end - layout->base), layout->thick - 2, out);
        text_x = fmax(end, layout->base);
    }
    bool whisker = plot->low && plot->high && sl_axis_holds(axis, plot->low[i]) &&
                   sl_axis_holds(axis, plot->high[i]);
    if (whisker) {
        add_whisker(layout, i, middle, out);
        text_x = fmax(text_x, sl_axis_place(axis, plot->high[i]));
    }
    sl_svg_text(out, "sl-ink sl-small sl-halo", SVG_START, text_x + 6, middle + 4,
                sl_label_number(value, false, number));
}

static void add_group(const Layout *layout, int group, SlText *out) {
    const SlBarPlot *plot = layout->plot;
    double middle = layout->rows.top + (group + 0.5) * layout->group;
    double top = middle - plot->n_series * layout->thick / 2;
    sl_rows_name(&layout->rows, middle, plot->names[group], out);
    for (int s = 0; s < plot->n_series; s++)
        add_bar(layout, group, s, top + s * layout->thick, out);
}

static void add_about(const Layout *layout, SlText *out) {
    const SlBarPlot *plot = layout->plot;
    char number[32];
    sl_text_add(out, "Bars of %s:", plot->x_label ? plot->x_label : "numbers");
    for (int i = 0; i < plot->n; i++) {
        sl_text_add(out, "%s %s", i ? ";" : "", plot->names[i]);
        for (int s = 0; s < plot->n_series; s++) {
            if (plot->series && plot->series[s]) sl_text_add(out, " %s", plot->series[s]);
            sl_text_add(out, " %s%s", sl_label_number(plot->values[at(plot, i, s)], false, number),
                        s + 1 < plot->n_series ? "," : "");
        }
    }
    sl_text_add(out, ".");
}

void sl_draw_bars_svg(const SlBarPlot *plot, SlText *out) {
    SlArena scratch;
    SlText about;
    Layout layout = {.plot = plot};
    sl_arena_init(&scratch, 0);
    sl_text_init(&about, &scratch);
    if (lay_out(&layout, &scratch)) {
        const Rows *rows = &layout.rows;
        add_about(&layout, &about);
        sl_svg_open(out, rows->width, rows->height, plot->title, about.data);
        double title = sl_svg_title(out, rows->width, plot->title);
        sl_key_add(&layout.key, 16, fmax(title + 8, 12), out);
        sl_rows_axis(rows, out);
        for (int i = 0; i < plot->n; i++) add_group(&layout, i, out);
        sl_svg_line(out, "sl-axis", layout.base, rows->top, layout.base, rows->bottom);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    out->failed |= about.failed;
    sl_arena_free(&scratch);
}
