// plot_rows.h - inside draw: named rows over an axis that runs to the right.
//
// Flow: sl_rows_init -> sl_axis_widen (every number) -> sl_rows_lay_out -> sl_rows_axis,
//       sl_rows_name, sl_rows_level.
#pragma once

#include "axis.h"
#include "svg.h"

typedef struct {
    Axis axis;
    const char *title, *x_label;
    double left, right, top, bottom; // of the plot
    double width, height;            // of the picture
    double names;                    // pixels of the names' column
} Rows;

// What is above the rows, below the title: pixels. `numbers`: pixels right of the plot.
typedef struct {
    double head, numbers, rows_height;
    bool air;
} RowsRoom;

void sl_rows_init(Rows *rows, bool is_log, int n, const char *const *names);
void sl_rows_lay_out(Rows *rows, const RowsRoom *room);
void sl_rows_axis(const Rows *rows, SlText *out);
void sl_rows_name(const Rows *rows, double middle, const char *name, SlText *out);
void sl_rows_level(const Rows *rows, double level, const char *name, SlText *out); // 0, NAN = none
