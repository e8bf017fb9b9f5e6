// plot_key.c - which colour is whose, in columns.
#include "plot_key.h"

#include <math.h>

enum { SAMPLE = 26, GAP = 22 };

static double column_width(const Key *key) {
    double widest = 0;
    for (int i = 0; i < key->n; i++)
        widest = fmax(widest, sl_svg_text_width(key->items[i].name, 12, SVG_NAME_MOST));
    return fmin(SAMPLE + 6 + widest + GAP, fmax(key->width, SAMPLE + 40));
}

static int n_columns(const Key *key) {
    int n = (int)((key->width + GAP) / column_width(key));
    n = n < 1 ? 1 : n > key->n ? key->n : n;
    // as few columns as the rows need, so that the last row is not nearly empty
    int rows = n > 0 ? (key->n + n - 1) / n : 0;
    return rows > 0 ? (key->n + rows - 1) / rows : 1;
}

double sl_key_height(const Key *key) {
    int columns = n_columns(key);
    return key->n > 0 ? KEY_ROW * ((key->n + columns - 1) / columns) : 0;
}

void sl_key_area(int style, double x, double y, double width, double height, SlText *out) {
    int colour = sl_svg_colour(style);
    const char *dash = sl_svg_dash(style);
    sl_text_add(out, "<rect class=\"sl-b%d", colour);
    if (*dash) sl_text_add(out, " sl-pale sl-c%d%s", colour, dash);
    sl_text_add(out, "\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\"/>\n", x, y,
                width, height);
}

void sl_key_sample(int style, bool area, double x, double y, SlText *out) {
    if (area) {
        sl_key_area(style, x, y - 6, SAMPLE - 8, 12, out);
        return;
    }
    sl_text_add(out, "<path class=\"sl-wide sl-c%d%s\" d=\"M%.1f %.1fH%.1f\"/>\n",
                sl_svg_colour(style), sl_svg_dash(style), x, y, x + SAMPLE - 2);
}

void sl_key_add(const Key *key, double x, double y, SlText *out) {
    int columns = n_columns(key);
    double wide = column_width(key);
    SvgBlock name = {"sl-ink", SVG_START, 12, KEY_ROW, wide - SAMPLE - 6 - GAP + 2, 1};
    for (int i = 0; i < key->n; i++) {
        double left = x + (i % columns) * wide, middle = y + (i / columns + 0.5) * KEY_ROW;
        sl_key_sample(key->items[i].style, key->areas, left, middle, out);
        sl_svg_block(out, &name, left + SAMPLE + 6, middle + 4, key->items[i].name);
    }
}
