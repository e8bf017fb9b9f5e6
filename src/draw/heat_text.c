// heat_text.c - a matrix of numbers in -1..1 for terminals: shades and numbers, no colours.
//
// Of a symmetric matrix the upper triangle shows numbers and the lower one shades of |value|.
// Columns are headed by the numbers of the rows. Cells get narrower as the matrix grows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "label.h"
#include "starling/draw.h"

enum {
    PAGE = 100,      // columns
    NAME_MOST = 24,  // columns of a name, fewer where there is no space
    CELL_WIDE = 5,   // " -.42"
    CELL_NARROW = 3, // "-.4"
    CELL_SHADE = 1,
};

typedef struct {
    const SlHeatMap *heat;
    int name, number, cell; // columns of each
    bool symmetric;
} Layout;

static double value_at(const SlHeatMap *heat, int row, int column) {
    double value = heat->values[row * heat->n + column];
    return isnan(value) ? 0 : fmin(fmax(value, -1), 1);
}

static bool is_symmetric(const SlHeatMap *heat) {
    for (int i = 0; i < heat->n; i++)
        for (int j = 0; j < i; j++)
            if (value_at(heat, i, j) != value_at(heat, j, i)) return false;
    return true;
}

static Layout lay_out(const SlHeatMap *heat) {
    Layout layout = {.heat = heat, .symmetric = is_symmetric(heat), .cell = CELL_WIDE};
    layout.number = heat->n > 99 ? 3 : heat->n > 9 ? 2 : 1;
    for (int i = 0; i < heat->n; i++) {
        int columns = sl_label_characters(heat->names[i], NAME_MOST);
        if (columns > layout.name) layout.name = columns;
    }
    // names give way down to 12 columns, then the cells, then the names altogether
    int used = layout.number + 1, least = layout.name < 12 ? layout.name : 12;
    if (used + least + heat->n * CELL_WIDE > PAGE) layout.cell = CELL_NARROW;
    if (used + least + heat->n * CELL_NARROW > PAGE) layout.cell = CELL_SHADE;
    int room = PAGE - used - 1 - heat->n * layout.cell;
    if (layout.name > room) layout.name = room > 1 ? room : 0;
    return layout;
}

// |value| in five steps, finer where correlations usually are
static const char *shade(double value) {
    static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
    static const double least[] = {0.1, 0.3, 0.5, 0.75};
    int step = 0;
    while (step < 4 && fabs(value) >= least[step]) step++;
    return shades[step];
}

// " .97", "-.42", "1", "0" to the right of a cell
static void add_number(double value, int cell, SlText *out) {
    char text[16];
    int unit = cell == CELL_WIDE ? 100 : 10, parts = (int)lround(value * unit);
    if (parts % unit == 0)
        snprintf(text, sizeof text, "%d", parts / unit);
    else
        snprintf(text, sizeof text, "%s.%0*d", parts < 0 ? "-" : "", cell == CELL_WIDE ? 2 : 1,
                 abs(parts));
    sl_text_add(out, "%*s", cell, text);
}

static void add_cell(const Layout *layout, int row, int column, SlText *out) {
    double value = value_at(layout->heat, row, column);
    bool shaded = layout->cell == CELL_SHADE || (layout->symmetric && column < row);
    if (!shaded) {
        add_number(value, layout->cell, out);
        return;
    }
    if (layout->cell > 1) sl_text_put(out, " ", 1);
    for (int i = layout->cell > 1; i < layout->cell; i++) sl_text_add(out, "%s", shade(value));
}

// numbers of the columns; where they have one column each, digits below each other
static void add_head(const Layout *layout, SlText *out) {
    int lead = layout->number + 1 + layout->name;
    if (layout->cell > 1) {
        sl_text_add(out, "%*s", lead, "");
        for (int i = 1; i <= layout->heat->n; i++) sl_text_add(out, "%*d", layout->cell, i);
        sl_text_add(out, "\n");
        return;
    }
    for (int unit = layout->number == 3 ? 100 : 10; unit >= 1; unit /= 10) {
        sl_text_add(out, "%*s", lead + 1, "");
        for (int i = 1; i <= layout->heat->n; i++)
            sl_text_add(out, "%c", i < unit ? ' ' : '0' + i / unit % 10);
        sl_text_add(out, "\n");
    }
}

void sl_draw_heat_text(const SlHeatMap *heat, SlText *out) {
    Layout layout = lay_out(heat);
    if (heat->title) sl_text_add(out, "%s\n", heat->title);
    add_head(&layout, out);
    for (int row = 0; row < heat->n; row++) {
        sl_text_add(out, "%*d ", layout.number, row + 1);
        sl_label_put(out, heat->names[row], layout.name);
        if (layout.cell == CELL_SHADE) sl_text_put(out, " ", 1);
        for (int column = 0; column < heat->n; column++) add_cell(&layout, row, column, out);
        sl_text_add(out, "\n");
    }
}
