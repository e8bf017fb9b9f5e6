// heat_svg.c - a matrix of numbers in -1..1 as coloured squares.
//
// The colours diverge from the ground to blue (-1) and to red (+1), which every common kind of
// colour blindness tells apart; anchors after ColorBrewer's RdBu (Harrower & Brewer 2003). There
// are 2 * STEPS + 1 of them, each a class with one colour on light and one on dark pages.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "svg.h"

enum {
    STEPS = 20, // colours on each side of 0
    N_ANCHORS = 4,
    MOST_TITLES = 40, // largest matrix with a tooltip in every cell
};

typedef struct {
    double red, green, blue;
} Colour;

// from 0 outwards; [light or dark page][below or above 0]
static const Colour anchors[2][2][N_ANCHORS] = {
    {{{244, 245, 246}, {171, 208, 230}, {74, 147, 195}, {33, 92, 155}},
     {{244, 245, 246}, {247, 190, 160}, {214, 96, 77}, {165, 28, 45}}},
    {{{38, 45, 52}, {42, 84, 119}, {66, 137, 190}, {139, 200, 243}},
     {{38, 45, 52}, {121, 62, 52}, {205, 98, 76}, {255, 176, 148}}},
};

typedef struct {
    const SlHeatMap *heat;
    double cell, left, top; // size of a square, place of the matrix
    double font, slant;     // of the names: pixels, degrees
    double width, height;   // of the picture
    double bar_x, bar_high; // colour bar
} Layout;

static double clamped(double value) {
    return isnan(value) ? 0 : fmin(fmax(value, -1), 1);
}

static int step_of(double value) {
    return (int)lround(clamped(value) * STEPS);
}

static Colour colour_at(int dark, int step) {
    const Colour *row = anchors[dark][step > 0];
    double place = (N_ANCHORS - 1) * abs(step) / (double)STEPS;
    int i = place >= N_ANCHORS - 1 ? N_ANCHORS - 2 : (int)place;
    double part = place - i;
    const Colour *a = row + i, *b = row + i + 1;
    return (Colour){a->red + part * (b->red - a->red), a->green + part * (b->green - a->green),
                    a->blue + part * (b->blue - a->blue)};
}

// is black the better ink on this colour? (luma of Rec. 601)
static bool wants_black(Colour colour) {
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue > 140;
}

// classes q0.. for squares and t0.. for the numbers on them
static void add_rules(int dark, SlText *out) {
    for (int step = -STEPS; step <= STEPS; step++) {
        Colour colour = colour_at(dark, step);
        sl_text_add(out, ".sl .q%d{fill:#%02x%02x%02x}.sl .t%d{fill:%s}%s", step + STEPS,
                    (unsigned)lround(colour.red), (unsigned)lround(colour.green),
                    (unsigned)lround(colour.blue), step + STEPS,
                    wants_black(colour) ? "#14181c" : "#fff", step % 4 == 0 ? "\n" : "");
    }
    sl_text_add(out, "\n");
}

static void add_style(SlText *out) {
    sl_text_add(out, "<style>\n");
    add_rules(0, out);
    sl_text_add(out, "@media(prefers-color-scheme:dark){\n");
    add_rules(1, out);
    sl_text_add(out, "}\n</style>\n");
}

static Layout lay_out(const SlHeatMap *heat) {
    Layout layout = {.heat = heat, .cell = fmin(fmax(600.0 / heat->n, 9), 42)};
    layout.font = fmin(12, 0.85 * layout.cell);
    // names of columns slant where there is space for it, else they stand upright
    layout.slant = layout.cell < 20 ? 90 : 45;
    double widest = sl_svg_widest(heat->n, heat->names, layout.font);
    double slanted = (layout.slant == 90 ? 1 : 0.71) * widest + 14;
    double matrix = heat->n * layout.cell;
    layout.left = 24 + widest;
    layout.top = (heat->title ? 44 : 16) + slanted;
    layout.bar_x = layout.left + matrix + 26;
    layout.bar_high = fmin(fmax(matrix, 120), 320);
    layout.height = layout.top + fmax(matrix, layout.bar_high) + 24;
    // the last slanted name hangs over to the right
    double over = layout.slant == 90 ? 0 : slanted + 8;
    layout.width = fmax(layout.bar_x + 64, layout.left + matrix - layout.cell / 2 + over);
    layout.width = fmax(layout.width, 32 + sl_svg_text_width(heat->title, 15, 0));
    return layout;
}

// ".97", "-.42", "1", "0": two digits
static const char *cell_text(double value, char out[static 16]) {
    int hundredths = (int)lround(100 * clamped(value));
    if (hundredths % 100 == 0)
        snprintf(out, 16, "%d", hundredths / 100);
    else
        snprintf(out, 16, "%s.%02d", hundredths < 0 ? "−" : "", abs(hundredths));
    return out;
}

static void add_cell(const Layout *layout, int row, int column, SlText *out) {
    const SlHeatMap *heat = layout->heat;
    double value = heat->values[row * heat->n + column];
    double x = layout->left + column * layout->cell, y = layout->top + row * layout->cell;
    int step = step_of(value) + STEPS;
    double gap = layout->cell >= 16 ? 1 : 0;
    sl_text_add(out, "<rect class=\"q%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"%s",
                step, x, y, layout->cell - gap, layout->cell - gap,
                gap > 0 ? "" : " shape-rendering=\"crispEdges\"");
    if (heat->n <= MOST_TITLES) {
        sl_text_add(out, "><title>");
        sl_svg_escape(out, heat->names[row], 0);
        sl_text_add(out, " – ");
        sl_svg_escape(out, heat->names[column], 0);
        sl_text_add(out, ": %.3f</title></rect>\n", clamped(value));
    } else {
        sl_text_add(out, "/>\n");
    }
    if (layout->cell < 26) return;
    char text[16];
    sl_text_add(out,
                "<text class=\"t%d sl-small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" "
                "pointer-events=\"none\">%s</text>\n",
                step, x + (layout->cell - gap) / 2, y + layout->cell / 2 + 3.5,
                cell_text(value, text));
}

// the name of a row at the left and of a column above, slanted
static void add_names(const Layout *layout, int i, SlText *out) {
    const char *name = layout->heat->names[i];
    double middle = (i + 0.5) * layout->cell, font = layout->font;
    sl_text_add(out,
                "<text class=\"sl-ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" "
                "style=\"font-size:%.3gpx\">",
                layout->left - 8, layout->top + middle + font / 3, font);
    sl_svg_escape(out, name, SVG_NAME_MOST);
    sl_text_add(out,
                "</text>\n<text class=\"sl-ink\" transform=\"translate(%.1f %.1f) rotate(-%.0f)\" "
                "style=\"font-size:%.3gpx\">",
                layout->left + middle + font / 3, layout->top - 7, layout->slant, font);
    sl_svg_escape(out, name, SVG_NAME_MOST);
    sl_text_add(out, "</text>\n");
}

static void add_bar(const Layout *layout, SlText *out) {
    double x = layout->bar_x, high = layout->bar_high, part = high / (2 * STEPS + 1);
    for (int i = 0; i <= 2 * STEPS; i++)
        sl_text_add(out,
                    "<rect class=\"q%d\" x=\"%.1f\" y=\"%.2f\" width=\"14\" height=\"%.2f\" "
                    "shape-rendering=\"crispEdges\"/>\n",
                    2 * STEPS - i, x, layout->top + i * part, part + (i < 2 * STEPS ? 0.5 : 0));
    static const char *const labels[] = {"1", "0.5", "0", "−0.5", "−1"};
    for (int i = 0; i < 5; i++) {
        double y = layout->top + part / 2 + i * (high - part) / 4;
        sl_svg_line(out, "sl-axis", x + 14, y, x + 18, y);
        sl_svg_text(out, "sl-soft sl-small", SVG_START, x + 23, y + 3.7, labels[i]);
    }
}

void sl_draw_heat_svg(const SlHeatMap *heat, SlText *out) {
    Layout layout = lay_out(heat);
    char about[96];
    snprintf(about, sizeof about, "A matrix of %d names: blue below 0, red above, to −1 and 1.",
             heat->n);
    sl_svg_open(out, layout.width, layout.height, heat->title, about);
    add_style(out);
    sl_svg_text(out, "sl-ink sl-title", SVG_START, 16, 28, heat->title);
    for (int i = 0; i < heat->n; i++) add_names(&layout, i, out);
    for (int row = 0; row < heat->n; row++)
        for (int column = 0; column < heat->n; column++) add_cell(&layout, row, column, out);
    add_bar(&layout, out);
    sl_svg_close(out);
}
