// plot_rows.c - named rows over an axis that runs to the right.
#include "plot_rows.h"

#include <math.h>

#include "plot_frame.h"

enum { PLOT_WIDTH = 420, NAMES_MOST = 190 };

static SvgBlock name_block(double width) {
    return (SvgBlock){"sl-ink", SVG_END, 12, 14, width, 2};
}

void sl_rows_init(Rows *rows, bool is_log, int n, const char *const *names) {
    *rows = (Rows){0};
    sl_axis_init(&rows->axis, is_log);
    rows->axis.keeps_zero = true;
    for (int i = 0; i < n; i++)
        rows->names = fmax(rows->names, sl_svg_text_width(names[i], 12, 0) + 1);
    rows->names = fmin(rows->names, NAMES_MOST);
}

void sl_rows_lay_out(Rows *rows, const RowsRoom *room) {
    rows->left = 16 + rows->names + 12;
    rows->right = rows->left + PLOT_WIDTH;
    rows->width = rows->right + fmax(room->numbers, 8) + 16;
    double title = sl_svg_title_height(rows->width, rows->title);
    rows->top = fmax(title + 8, 12) + room->head;
    rows->bottom = rows->top + room->rows_height;
    rows->height = rows->bottom + (rows->x_label ? 50 : 30);
    sl_axis_fit(&rows->axis, room->air, rows->left, rows->right);
}

// 0 at the start of a logarithmic axis, cut off from the rest
static void add_zero(const Rows *rows, SlText *out) {
    double x = rows->left + AXIS_ZERO_ROOM / 2.0, y = rows->bottom;
    sl_svg_line(out, "sl-grid", rows->left, rows->top, rows->left, y);
    sl_svg_text(out, "sl-soft sl-small", SVG_MIDDLE, rows->left, y + 17, "0");
    sl_svg_line(out, "sl-axis", x - 4, y + 5, x, y - 5);
    sl_svg_line(out, "sl-axis", x, y + 5, x + 4, y - 5);
}

void sl_rows_axis(const Rows *rows, SlText *out) {
    double ticks[AXIS_MAX_TICKS], minor[AXIS_MAX_MINOR];
    double taken = rows->axis.has_zero ? rows->left + 10 : -INFINITY;
    char text[32];
    int n = sl_axis_ticks(&rows->axis, 6, ticks);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&rows->axis, ticks[i]);
        sl_svg_line(out, "sl-grid", x, rows->top, x, rows->bottom);
        sl_tick_text(ticks[i], sl_axis_step(n, ticks), text);
        double half = sl_svg_text_width(text, 11, 0) / 2;
        if (x - half < taken) continue;
        taken = x + half + 6;
        sl_svg_line(out, "sl-axis", x, rows->bottom, x, rows->bottom + 5);
        sl_svg_text(out, "sl-soft sl-small", SVG_MIDDLE, x, rows->bottom + 17, text);
    }
    n = sl_axis_minor(&rows->axis, minor);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&rows->axis, minor[i]);
        sl_svg_line(out, "sl-axis", x, rows->bottom, x, rows->bottom + 3);
    }
    sl_svg_line(out, "sl-axis", rows->left, rows->bottom, rows->right, rows->bottom);
    if (rows->axis.has_zero) add_zero(rows, out);
    SvgBlock block = {"sl-soft", SVG_MIDDLE, 12, 15, PLOT_WIDTH, 1};
    sl_svg_block(out, &block, (rows->left + rows->right) / 2, rows->bottom + 37, rows->x_label);
}

void sl_rows_name(const Rows *rows, double middle, const char *name, SlText *out) {
    SvgBlock block = name_block(rows->names + 1);
    int n = sl_svg_block_lines(&block, name);
    sl_svg_block(out, &block, rows->left - 12, middle + 4 - (n - 1) * block.row / 2, name);
}

void sl_rows_level(const Rows *rows, double level, const char *name, SlText *out) {
    if (!sl_has_level(&rows->axis, level)) return;
    double x = sl_axis_place(&rows->axis, level);
    sl_svg_line(out, "sl-cut", x, rows->top - 4, x, rows->bottom);
    // above the line, not over what stands right of the plot
    double room = rows->right - 12, half = fmin(sl_svg_text_width(name, 11, 0), room) / 2;
    double at = fmax(fmin(x, rows->right - half), 12 + half);
    SvgBlock block = {"sl-soft sl-small", SVG_MIDDLE, 11, 14, room, 1};
    sl_svg_block(out, &block, at, rows->top - 8, name);
}
