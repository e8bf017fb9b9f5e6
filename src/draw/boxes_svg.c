// boxes_svg.c - what a handful of runs came to: boxes over an axis, one row per name.
#include <math.h>
#include <stdio.h>

#include "label.h"
#include "plot_frame.h"
#include "plot_rows.h"

enum { ROW = 32, BOX = 16 };

// The points of one row that have a place.
typedef struct {
    int n;
    double *sorted; // (n)
    double low, median, high;
    int style;
} Box;

typedef struct {
    const SlBoxPlot *plot;
    Rows rows;
    Box *boxes; // (n)
} Layout;

static void fill_box(Layout *layout, int i) {
    const SlBoxPlot *plot = layout->plot;
    Box *box = &layout->boxes[i];
    for (int k = 0; k < plot->n_points; k++) {
        double value = plot->points[(size_t)i * (size_t)plot->n_points + (size_t)k];
        if (!sl_axis_holds(&layout->rows.axis, value)) continue;
        box->sorted[box->n++] = value;
        sl_axis_widen(&layout->rows.axis, value);
    }
    box->style = plot->colours && plot->colours[i] > 0 ? plot->colours[i] - 1 : i;
    if (box->n == 0) return;
    sl_sort(box->n, box->sorted);
    box->low = sl_quantile_sorted(box->n, box->sorted, 0.25);
    box->median = sl_median_sorted(box->n, box->sorted);
    box->high = sl_quantile_sorted(box->n, box->sorted, 0.75);
}

static bool lay_out(Layout *layout, SlArena *scratch) {
    const SlBoxPlot *plot = layout->plot;
    Rows *rows = &layout->rows;
    layout->boxes = SL_NEW(scratch, plot->n, Box);
    if (!layout->boxes) return false;
    sl_rows_init(rows, plot->log_x, plot->n, plot->names);
    rows->title = plot->title;
    rows->x_label = plot->x_label;
    for (int i = 0; i < plot->n; i++) {
        layout->boxes[i].sorted = SL_NEW(scratch, plot->n_points, double);
        if (!layout->boxes[i].sorted) return false;
        fill_box(layout, i);
    }
    bool level = sl_has_level(&rows->axis, plot->line);
    if (level) sl_axis_widen(&rows->axis, plot->line);
    RowsRoom room = {.head = level && plot->line_name ? 34 : 18,
                     .numbers = 64,
                     .rows_height = fmax(plot->n, 1) * ROW,
                     .air = true};
    sl_rows_lay_out(rows, &room);
    return true;
}

// dots beside each other in height, so that equal ones can be counted
static void add_points(const Layout *layout, int i, double middle, SlText *out) {
    static const double offsets[] = {0, -4, 4, -2, 2, -6, 6};
    enum { N_OFFSETS = sizeof offsets / sizeof *offsets };
    const Box *box = &layout->boxes[i];
    for (int k = 0; k < box->n; k++)
        sl_text_add(out, "<circle class=\"sl-f%d sl-dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>\n",
                    sl_svg_colour(box->style), sl_axis_place(&layout->rows.axis, box->sorted[k]),
                    middle + offsets[k % N_OFFSETS]);
}

static void add_box(const Layout *layout, int i, double middle, SlText *out) {
    const Box *box = &layout->boxes[i];
    const Axis *axis = &layout->rows.axis;
    int colour = sl_svg_colour(box->style);
    double least = sl_axis_place(axis, box->sorted[0]);
    double most = sl_axis_place(axis, box->sorted[box->n - 1]);
    double low = sl_axis_place(axis, box->low), high = sl_axis_place(axis, box->high);
    double median = sl_axis_place(axis, box->median), half = BOX / 2.0;
    sl_text_add(out,
                "<path class=\"sl-c%d\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fH%.1fM%.1f "
                "%.1fV%.1f\"/>\n",
                colour, least, middle - 5, middle + 5, least, middle, low, high, middle, most, most,
                middle - 5, middle + 5);
    sl_text_add(out,
                "<rect class=\"sl-b%d sl-c%d sl-pale%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                "height=\"%d\" rx=\"2\"/>\n",
                colour, colour, sl_svg_dash(box->style), low, middle - half, high - low, BOX);
    add_points(layout, i, middle, out);
    sl_svg_line(out, "sl-mark sl-wide", median, middle - half, median, middle + half);
}

static void add_row(const Layout *layout, int i, SlText *out) {
    const Rows *rows = &layout->rows;
    double middle = rows->top + (i + 0.5) * ROW;
    char number[32];
    sl_rows_name(rows, middle, layout->plot->names[i], out);
    if (layout->boxes[i].n == 0) {
        sl_svg_text(out, "sl-soft sl-small", SVG_END, rows->width - 16, middle + 4, "–");
        return;
    }
    add_box(layout, i, middle, out);
    sl_svg_text(out, "sl-ink sl-small", SVG_END, rows->width - 16, middle + 4,
                sl_label_number(layout->boxes[i].median, true, number));
}

static void add_about(const Layout *layout, SlText *out) {
    char a[32], b[32], c[32];
    sl_text_add(out, "Boxes of %s: ", layout->plot->x_label ? layout->plot->x_label : "numbers");
    for (int i = 0; i < layout->plot->n; i++) {
        const Box *box = &layout->boxes[i];
        if (box->n == 0) continue;
        sl_text_add(out, "%s median %s, quartiles %s and %s; ", layout->plot->names[i],
                    sl_label_number(box->median, false, a), sl_label_number(box->low, false, b),
                    sl_label_number(box->high, false, c));
    }
    sl_text_add(out, "a dot per run.");
}

void sl_draw_boxes_svg(const SlBoxPlot *plot, SlText *out) {
    SlArena scratch;
    SlText about;
    Layout layout = {.plot = plot};
    sl_arena_init(&scratch, 0);
    sl_text_init(&about, &scratch);
    if (lay_out(&layout, &scratch)) {
        const Rows *rows = &layout.rows;
        add_about(&layout, &about);
        sl_svg_open(out, rows->width, rows->height, plot->title, about.data);
        sl_svg_title(out, rows->width, plot->title);
        sl_svg_text(out, "sl-soft sl-small", SVG_END, rows->width - 16, rows->top - 8, "median");
        sl_rows_axis(rows, out);
        sl_rows_level(rows, plot->line, plot->line_name, out);
        for (int i = 0; i < plot->n; i++) add_row(&layout, i, out);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    out->failed |= about.failed;
    sl_arena_free(&scratch);
}
