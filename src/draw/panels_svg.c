// panels_svg.c - many small plots of curves with one key.
#include <math.h>
#include <string.h>

#include "plot_frame.h"
#include "plot_key.h"

enum { MAX_COLUMNS = 4, GAP = 22, MARGIN = 16 };

typedef struct {
    const SlPanels *panels;
    Frame *frames;  // (n)
    KeyItem *items; // every name once, in order of appearance
    Key key;
    bool one_x, one_y; // titles of axes are the same everywhere
    int columns;
    double width, height, cell, plot_height;
    double title_gap; // from the title of a panel to its plot
} Layout;

static SvgBlock title_block(const Layout *layout) {
    return (SvgBlock){"sl-ink sl-head", SVG_START, 12.5, 16, layout->cell - 8, 2};
}

static bool same(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static int columns_for(const SlPanels *panels) {
    int wanted = panels->columns > 0 ? panels->columns : panels->n <= 4 ? 2 : 3;
    wanted = wanted > MAX_COLUMNS ? MAX_COLUMNS : wanted;
    return panels->n < wanted ? (panels->n > 0 ? panels->n : 1) : wanted;
}

// ---- names and colours ----

// The number of a name among all names; a curve without one has a number of its own.
static int item_of(Layout *layout, const char *name) {
    for (int i = 0; i < layout->key.n && name && *name; i++)
        if (same(layout->items[i].name, name)) return i;
    layout->items[layout->key.n] = (KeyItem){name ? name : "", layout->key.n};
    return layout->key.n++;
}

// colours by name over all panels, unless they are given
static bool make_frames(Layout *layout, SlArena *scratch) {
    const SlPanels *panels = layout->panels;
    int n_curves = 0;
    for (int p = 0; p < panels->n; p++) n_curves += panels->plots[p].n;
    layout->frames = SL_NEW(scratch, panels->n, Frame);
    layout->items = SL_NEW(scratch, n_curves, KeyItem);
    if (!layout->frames || !layout->items) return false;
    for (int p = 0; p < panels->n; p++) {
        const SlCurvePlot *plot = &panels->plots[p];
        int *styles = SL_NEW(scratch, plot->n, int);
        if (!styles) return false;
        for (int c = 0; c < plot->n; c++) {
            KeyItem *item = &layout->items[item_of(layout, plot->curves[c].name)];
            if (plot->curves[c].colour > 0) item->style = plot->curves[c].colour - 1;
            styles[c] = item->style;
        }
        sl_frame_init(&layout->frames[p], plot, styles);
    }
    return true;
}

// the key names what is seen
static void keep_named(Layout *layout) {
    int n = 0;
    for (int i = 0; i < layout->key.n; i++) {
        bool seen = false;
        for (int p = 0; p < layout->panels->n && !seen; p++) {
            const SlCurvePlot *plot = &layout->panels->plots[p];
            for (int c = 0; c < plot->n && !seen; c++)
                seen = same(plot->curves[c].name, layout->items[i].name) &&
                       sl_frame_last(&layout->frames[p], &plot->curves[c]) >= 0;
        }
        if (seen && *layout->items[i].name) layout->items[n++] = layout->items[i];
    }
    layout->key.n = n;
}

// ---- places ----

static void share_y(Layout *layout) {
    Axis all;
    int n = layout->panels->n;
    if (n == 0) return;
    all = layout->frames[0].y;
    for (int p = 1; p < n; p++) {
        const Axis *y = &layout->frames[p].y;
        all.low = fmin(all.low, y->low);
        all.high = fmax(all.high, y->high);
        all.has_zero |= y->has_zero;
    }
    for (int p = 0; p < n; p++) layout->frames[p].y = all;
}

static void settle_sizes(Layout *layout) {
    static const double widths[MAX_COLUMNS + 1] = {0, 600, 740, 960, 960};
    const SlPanels *panels = layout->panels;
    layout->columns = columns_for(panels);
    layout->width = widths[layout->columns];
    layout->cell = (layout->width - 2 * MARGIN - GAP * (layout->columns - 1)) / layout->columns;
    layout->plot_height = fmax(140, fmin(0.62 * layout->cell, 260));
    layout->one_x = layout->one_y = true;
    for (int p = 0; p < panels->n; p++) {
        const SlCurvePlot *plot = &panels->plots[p];
        layout->one_x &= same(plot->x_label, panels->plots[0].x_label);
        layout->one_y &= same(plot->y_label, panels->plots[0].y_label);
        layout->frames[p].x_ticks = 5;
        layout->frames[p].y_ticks = 5;
    }
    layout->title_gap = layout->one_y ? 8 : 26;
}

// height of the titles in the row that starts with this panel
static double titles_height(const Layout *layout, int first) {
    SvgBlock title = title_block(layout);
    int most = 0;
    for (int p = first; p < layout->panels->n && p < first + layout->columns; p++) {
        int lines = sl_svg_block_lines(&title, layout->panels->plots[p].title);
        most = lines > most ? lines : most;
    }
    return most * title.row;
}

// columns stand below each other, so all leave the same space for numbers
static void place_frames(Layout *layout, double y) {
    const SlPanels *panels = layout->panels;
    double ticks = 0;
    for (int p = 0; p < panels->n; p++) {
        double top = y + titles_height(layout, p - p % layout->columns) + layout->title_gap;
        sl_frame_fit_y(&layout->frames[p], top, top + layout->plot_height);
        ticks = fmax(ticks, sl_frame_tick_width(&layout->frames[p]));
        if ((p + 1) % layout->columns == 0 || p == panels->n - 1)
            y = top + layout->plot_height + (layout->one_x ? 26 : 46) + 10;
    }
    for (int p = 0; p < panels->n; p++) {
        double x = MARGIN + p % layout->columns * (layout->cell + GAP);
        sl_frame_fit_x(&layout->frames[p], x + ticks + 10, x + layout->cell - 4);
    }
    bool below = layout->one_x && panels->n > 0 && panels->plots[0].x_label;
    layout->height = y + (below ? 22 : 0);
}

static bool lay_out(Layout *layout, SlArena *scratch) {
    const SlPanels *panels = layout->panels;
    if (!make_frames(layout, scratch)) return false;
    settle_sizes(layout);
    keep_named(layout);
    if (panels->share_y) share_y(layout);
    layout->key.items = layout->items;
    layout->key.width = layout->width - 2 * MARGIN;
    double y = fmax(sl_svg_title_height(layout->width, panels->title) + 8, 12);
    if (layout->key.n > 0) y += sl_key_height(&layout->key) + 10;
    if (layout->one_y && panels->n > 0 && panels->plots[0].y_label) y += 26;
    place_frames(layout, y + 4);
    return true;
}

// ---- drawing ----

static void add_panel(const Layout *layout, int p, SlText *out) {
    const Frame *frame = &layout->frames[p];
    const SlCurvePlot *plot = frame->plot;
    SvgBlock title = title_block(layout);
    SvgBlock label = {"sl-soft sl-small", SVG_START, 11, 14, layout->cell - 8, 1};
    double x = MARGIN + p % layout->columns * (layout->cell + GAP);
    int lines = sl_svg_block_lines(&title, plot->title);
    // the last line stands on the plot
    double y = frame->top - layout->title_gap - (lines - 1) * title.row - 4;
    sl_svg_block(out, &title, x, y, plot->title);
    if (!layout->one_y) sl_svg_block(out, &label, x, frame->top - 9, plot->y_label);
    sl_frame_axes(frame, out);
    sl_frame_curves(frame, out);
    sl_frame_level(frame, out);
    double middle = (frame->left + frame->right) / 2;
    label.anchor = SVG_MIDDLE;
    if (!layout->one_x) sl_svg_block(out, &label, middle, frame->bottom + 34, plot->x_label);
    bool empty = true;
    for (int c = 0; c < plot->n; c++) empty &= sl_frame_last(frame, &plot->curves[c]) < 0;
    if (empty)
        sl_svg_text(out, "sl-soft sl-halo", SVG_MIDDLE, middle, (frame->top + frame->bottom) / 2,
                    "no data");
}

static void add_shared(const Layout *layout, SlText *out) {
    const SlPanels *panels = layout->panels;
    double y = fmax(sl_svg_title(out, layout->width, panels->title) + 8, 12);
    SvgBlock label = {"sl-soft", SVG_START, 12, 15, layout->width - 2 * MARGIN, 1};
    sl_key_add(&layout->key, MARGIN, y, out);
    if (panels->n == 0) return;
    if (layout->key.n > 0) y += sl_key_height(&layout->key) + 10;
    if (layout->one_y) sl_svg_block(out, &label, MARGIN, y + 12, panels->plots[0].y_label);
    label.anchor = SVG_MIDDLE;
    if (layout->one_x)
        sl_svg_block(out, &label, layout->width / 2, layout->height - 14, panels->plots[0].x_label);
}

static void add_about(const Layout *layout, SlText *out) {
    const SlPanels *panels = layout->panels;
    sl_text_add(out, "%d plots", panels->n);
    for (int p = 0; p < panels->n; p++)
        sl_text_add(out, "%s %s", p ? "," : ":",
                    panels->plots[p].title ? panels->plots[p].title : "without a title");
    sl_text_add(out, "; curves");
    for (int i = 0; i < layout->key.n; i++)
        sl_text_add(out, "%s %s", i ? "," : ":", layout->items[i].name);
    sl_text_add(out, ".");
}

void sl_draw_panels_svg(const SlPanels *panels, SlText *out) {
    SlArena scratch;
    SlText about;
    Layout layout = {.panels = panels};
    sl_arena_init(&scratch, 0);
    sl_text_init(&about, &scratch);
    if (lay_out(&layout, &scratch)) {
        add_about(&layout, &about);
        sl_svg_open(out, layout.width, layout.height, panels->title, about.data);
        add_shared(&layout, out);
        for (int p = 0; p < panels->n; p++) add_panel(&layout, p, out);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    out->failed |= about.failed;
    sl_arena_free(&scratch);
}
