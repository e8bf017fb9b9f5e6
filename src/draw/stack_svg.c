// stack_svg.c - bars made of parts, end to end.
#include <math.h>
#include <stdio.h>

#include "label.h"
#include "plot_key.h"
#include "plot_rows.h"

enum { STACK_BAR = 20, STACK_ROW = 30 };

typedef struct {
    const SlStackPlot *plot;
    Rows rows;
    Key key;
} Layout;

// a part in the unit of the axis
static double part_of(const SlStackPlot *plot, int row, int part) {
    double value = plot->values[(size_t)row * (size_t)plot->n_parts + (size_t)part];
    return value > 0 && isfinite(value) ? value : 0;
}

static double whole_of(const SlStackPlot *plot, int row) {
    double sum = 0;
    for (int p = 0; p < plot->n_parts; p++) sum += part_of(plot, row, p);
    return sum;
}

static double scale_of(const SlStackPlot *plot, int row) {
    double whole = whole_of(plot, row);
    return !plot->shares ? 1 : whole > 0 ? 100 / whole : 0;
}

// what stands right of a row, "" = nothing
static const char *note_of(const SlStackPlot *plot, int row, char out[static 32]) {
    out[0] = '\0';
    if (plot->notes) return plot->notes[row] ? plot->notes[row] : out;
    return plot->shares ? out : sl_label_number(whole_of(plot, row), false, out);
}

static int style_of(const SlStackPlot *plot, int part) {
    return plot->colours && plot->colours[part] > 0 ? plot->colours[part] - 1 : part;
}

static bool lay_out(Layout *layout, SlArena *scratch) {
    const SlStackPlot *plot = layout->plot;
    Rows *rows = &layout->rows;
    KeyItem *items = SL_NEW(scratch, plot->n_parts, KeyItem);
    double widest = 0;
    char note[32];
    if (!items) return false;
    for (int p = 0; p < plot->n_parts; p++)
        items[p] = (KeyItem){plot->parts[p] ? plot->parts[p] : "", style_of(plot, p)};
    sl_rows_init(rows, false, plot->n, plot->names);
    rows->title = plot->title;
    rows->x_label = plot->x_label;
    sl_axis_widen(&rows->axis, 0);
    if (plot->shares) sl_axis_widen(&rows->axis, 100);
    for (int i = 0; i < plot->n; i++) {
        if (!plot->shares) sl_axis_widen(&rows->axis, whole_of(plot, i));
        widest = fmax(widest, sl_svg_text_width(note_of(plot, i, note), 11, 0));
    }
    // the key needs the width, which no height changes
    RowsRoom room = {.numbers = widest > 0 ? widest + 10 : 0,
                     .rows_height = fmax(plot->n, 1) * STACK_ROW + 8,
                     .air = !plot->shares};
    Rows trial = *rows;
    sl_rows_lay_out(&trial, &room);
    layout->key = (Key){plot->n_parts, items, true, trial.width - 32};
    room.head = sl_key_height(&layout->key) + 10;
    sl_rows_lay_out(rows, &room);
    return true;
}

static void add_row(const Layout *layout, int row, SlText *out) {
    const SlStackPlot *plot = layout->plot;
    const Axis *axis = &layout->rows.axis;
    double middle = layout->rows.top + 4 + (row + 0.5) * STACK_ROW, sum = 0;
    double scale = scale_of(plot, row);
    char text[32];
    sl_rows_name(&layout->rows, middle, plot->names[row], out);
    for (int p = 0; p < plot->n_parts; p++) {
        double part = part_of(plot, row, p) * scale;
        double from = sl_axis_place(axis, sum), to = sl_axis_place(axis, sum + part);
        sum += part;
        if (part == 0) continue;
        sl_key_area(style_of(plot, p), from, middle - STACK_BAR / 2.0, to - from, STACK_BAR, out);
        snprintf(text, sizeof text, "%.0f", part);
        if (plot->shares && to - from > sl_svg_text_width(text, 11, 0) + 8)
            sl_svg_text(out, "sl-on sl-small", SVG_MIDDLE, (from + to) / 2, middle + 4, text);
    }
    sl_svg_text(out, "sl-ink sl-small sl-halo", SVG_START, sl_axis_place(axis, sum) + 6, middle + 4,
                note_of(plot, row, text));
}

static void add_about(const Layout *layout, SlText *out) {
    const SlStackPlot *plot = layout->plot;
    char number[32];
    sl_text_add(out, "Bars of %s:", plot->x_label ? plot->x_label : "numbers");
    for (int i = 0; i < plot->n; i++) {
        sl_text_add(out, "%s %s", i ? ";" : "", plot->names[i]);
        for (int p = 0; p < plot->n_parts; p++)
            sl_text_add(out, " %s %s%s", plot->parts[p],
                        sl_label_number(part_of(plot, i, p) * scale_of(plot, i), false, number),
                        p + 1 < plot->n_parts ? "," : "");
    }
    sl_text_add(out, ".");
}

void sl_draw_stack_svg(const SlStackPlot *plot, SlText *out) {
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
        for (int i = 0; i < plot->n; i++) add_row(&layout, i, out);
        sl_svg_line(out, "sl-axis", rows->left, rows->top, rows->left, rows->bottom);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    out->failed |= about.failed;
    sl_arena_free(&scratch);
}
