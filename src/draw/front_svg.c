// front_svg.c - dots in a plane where less is better both ways, and the front of them.
#include <math.h>

#include "label.h"
#include "plot_frame.h"
#include "plot_key.h"

enum {
    PLOT_WIDTH = 620,
    PLOT_HEIGHT = 380,
    RADIUS = 4,
    ABOUT_MOST = 24, // dots of the front that are spoken of
};

// A piece of the picture that a name must not cover.
typedef struct {
    double left, top, right, bottom;
} Box;

typedef struct {
    const SlFrontPlot *plot;
    Frame frame;
    double width, height;
    KeyItem *items; // (n_groups)
    int n_front;
    int *front; // (n_front) dots from left to right
    int n_boxes;
    Box *boxes; // taken by dots and names
} Layout;

// ---- the front ----

static bool shows(const Layout *layout, int i) {
    const SlFrontDot *dot = &layout->plot->dots[i];
    return sl_axis_holds(&layout->frame.x, dot->x) && sl_axis_holds(&layout->frame.y, dot->y);
}

// is dot i beaten both ways? Of equal ones the first stays
static bool beaten(const Layout *layout, int i) {
    const SlFrontDot *dot = &layout->plot->dots[i];
    for (int j = 0; j < layout->plot->n; j++) {
        const SlFrontDot *other = &layout->plot->dots[j];
        if (j == i || !shows(layout, j) || other->x > dot->x || other->y > dot->y) continue;
        if (other->x < dot->x || other->y < dot->y || j < i) return true;
    }
    return false;
}

static void find_front(Layout *layout) {
    const SlFrontDot *dots = layout->plot->dots;
    for (int i = 0; i < layout->plot->n; i++) {
        if (!shows(layout, i) || beaten(layout, i)) continue;
        int at = layout->n_front++;
        for (; at > 0 && dots[layout->front[at - 1]].x > dots[i].x; at--)
            layout->front[at] = layout->front[at - 1];
        layout->front[at] = i;
    }
}

// ---- places ----

static double place_x(const Layout *layout, double x) {
    return sl_axis_place(&layout->frame.x, x);
}

static double place_y(const Layout *layout, double y) {
    return sl_axis_place(&layout->frame.y, y);
}

static void lay_out(Layout *layout, const SlCurvePlot *axes) {
    static const int style = 0;
    const SlFrontPlot *plot = layout->plot;
    Frame *frame = &layout->frame;
    Key key = {.n = plot->n_groups, .items = layout->items, .width = PLOT_WIDTH};
    sl_frame_init(frame, axes, &style);
    for (int i = 0; i < plot->n_limits; i++) sl_axis_widen(&frame->x, plot->limits[i].x);
    sl_frame_fit_y(frame, 0, PLOT_HEIGHT);
    double left = 26 + sl_frame_tick_width(frame);
    layout->width = left + PLOT_WIDTH + 24;
    double top =
        fmax(sl_svg_title_height(layout->width, plot->title), 12) + (plot->y_label ? 30 : 8);
    sl_frame_fit_y(frame, top, top + PLOT_HEIGHT);
    frame->left = left;
    frame->right = left + PLOT_WIDTH;
    sl_axis_fit(&frame->x, true, frame->left, frame->right);
    layout->height = frame->bottom + (plot->x_label ? 50 : 32) + sl_key_height(&key) + 6;
}

// ---- names ----

static bool overlaps(const Layout *layout, const Box *box) {
    if (box->left < layout->frame.left || box->right > layout->width - 4 ||
        box->top < layout->frame.top - 12 || box->bottom > layout->frame.bottom)
        return true;
    for (int i = 0; i < layout->n_boxes; i++) {
        const Box *other = &layout->boxes[i];
        if (box->left < other->right && other->left < box->right && box->top < other->bottom &&
            other->top < box->bottom)
            return true;
    }
    return false;
}

static void take(Layout *layout, Box box) {
    layout->boxes[layout->n_boxes++] = box;
}

// below left of the front is free by its nature; then the other corners
static void add_name(Layout *layout, int i, SlText *out) {
    static const struct {
        int x, y; // which way
    } corners[] = {{-1, 1}, {1, -1}, {1, 1}, {-1, -1}};
    const SlFrontDot *dot = &layout->plot->dots[i];
    if (!dot->name || !shows(layout, i)) return;
    double wide = sl_svg_text_width(dot->name, 11, SVG_NAME_MOST);
    double x = place_x(layout, dot->x), y = place_y(layout, dot->y);
    for (int c = 0; c < 4; c++) {
        double at = x + corners[c].x * (RADIUS + 3);
        double base = y + (corners[c].y > 0 ? 13 : -5);
        Box box = {corners[c].x > 0 ? at : at - wide, base - 10, corners[c].x > 0 ? at + wide : at,
                   base + 2};
        if (overlaps(layout, &box)) continue;
        take(layout, box);
        sl_svg_text(out, "sl-ink sl-small sl-halo", corners[c].x > 0 ? SVG_START : SVG_END, at,
                    base, dot->name);
        return;
    }
}

static void add_names(Layout *layout, SlText *out) {
    for (int i = 0; i < layout->plot->n; i++) {
        if (!shows(layout, i)) continue;
        double x = place_x(layout, layout->plot->dots[i].x);
        double y = place_y(layout, layout->plot->dots[i].y);
        take(layout, (Box){x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS});
    }
    // what stands out comes first
    for (int i = 0; i < layout->plot->n; i++)
        if (layout->plot->dots[i].ringed) add_name(layout, i, out);
    for (int i = 0; i < layout->plot->n; i++)
        if (!layout->plot->dots[i].ringed) add_name(layout, i, out);
}

// ---- pieces ----

static void add_limits(const Layout *layout, SlText *out) {
    const Frame *frame = &layout->frame;
    for (int i = 0; i < layout->plot->n_limits; i++) {
        const SlFrontLimit *limit = &layout->plot->limits[i];
        if (!sl_axis_holds(&frame->x, limit->x)) continue;
        double x = place_x(layout, limit->x);
        bool left = x + sl_svg_text_width(limit->name, 11, SVG_NAME_MOST) > frame->right;
        sl_svg_line(out, "sl-cut", x, frame->top, x, frame->bottom);
        sl_svg_text(out, "sl-soft sl-small sl-halo", left ? SVG_END : SVG_START,
                    left ? x - 4 : x + 4, frame->top + 10, limit->name);
    }
}

static void add_steps(const Layout *layout, SlText *out) {
    if (layout->n_front < 2) return;
    sl_text_add(out, "<path class=\"sl-mark sl-front\" fill=\"none\" d=\"");
    for (int i = 0; i < layout->n_front; i++) {
        const SlFrontDot *dot = &layout->plot->dots[layout->front[i]];
        sl_text_add(out, i ? "H%.1fV%.1f" : "M%.1f %.1f", place_x(layout, dot->x),
                    place_y(layout, dot->y));
    }
    sl_text_add(out, "\"/>\n");
}

static void add_dot(const Layout *layout, int i, SlText *out) {
    const SlFrontDot *dot = &layout->plot->dots[i];
    if (!shows(layout, i)) return;
    double x = place_x(layout, dot->x), y = place_y(layout, dot->y);
    bool front = false;
    for (int k = 0; k < layout->n_front; k++) front |= layout->front[k] == i;
    sl_text_add(out, "<circle class=\"sl-f%d%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                sl_svg_colour(dot->group), front || dot->ringed ? "" : " sl-dot", x, y,
                front || dot->ringed ? RADIUS : RADIUS * 0.7);
    if (dot->ringed)
        sl_text_add(out,
                    "<circle class=\"sl-mark\" fill=\"none\" cx=\"%.1f\" cy=\"%.1f\" "
                    "r=\"%d\"/>\n",
                    x, y, RADIUS + 4);
}

static void add_key(const Layout *layout, SlText *out) {
    Key key = {
        .n = layout->plot->n_groups, .items = layout->items, .areas = true, .width = PLOT_WIDTH};
    double y = layout->frame.bottom + (layout->plot->x_label ? 50 : 32);
    sl_key_add(&key, layout->frame.left, y, out);
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
    char x[32], y[32];
    sl_text_add(out, "%s over %s: %d dots; the front",
                layout->plot->y_label ? layout->plot->y_label : "y",
                layout->plot->x_label ? layout->plot->x_label : "x", layout->plot->n);
    for (int i = 0; i < layout->n_front && i < ABOUT_MOST; i++) {
        const SlFrontDot *dot = &layout->plot->dots[layout->front[i]];
        sl_text_add(out, "%s %s at %s, %s", i ? ";" : ":", dot->name ? dot->name : "a dot",
                    sl_label_number(dot->x, false, x), sl_label_number(dot->y, false, y));
    }
    sl_text_add(out, ".");
}

static void draw(Layout *layout, const SlCurvePlot *axes, SlArena *scratch, SlText *out) {
    const SlFrontPlot *plot = layout->plot;
    SlText about;
    sl_text_init(&about, scratch);
    for (int i = 0; i < plot->n_groups; i++) layout->items[i] = (KeyItem){plot->groups[i], i};
    lay_out(layout, axes);
    find_front(layout);
    add_about(layout, &about);
    sl_svg_open(out, layout->width, layout->height, plot->title, about.data);
    sl_svg_title(out, layout->width, plot->title);
    sl_frame_axes(&layout->frame, out);
    add_axis_titles(layout, out);
    add_limits(layout, out);
    add_steps(layout, out);
    for (int i = 0; i < plot->n; i++) add_dot(layout, i, out);
    add_names(layout, out);
    add_key(layout, out);
    sl_svg_close(out);
    out->failed |= about.failed;
}

void sl_draw_front_svg(const SlFrontPlot *plot, SlText *out) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    double *x = SL_NEW(&scratch, plot->n, double), *y = SL_NEW(&scratch, plot->n, double);
    Layout layout = {.plot = plot,
                     .items = SL_NEW(&scratch, plot->n_groups, KeyItem),
                     .front = SL_NEW(&scratch, plot->n, int),
                     .boxes = SL_NEW(&scratch, 2 * (size_t)plot->n, Box)};
    if (x && y && layout.items && layout.front && layout.boxes) {
        for (int i = 0; i < plot->n; i++) {
            x[i] = plot->dots[i].x;
            y[i] = plot->dots[i].y;
        }
        // the frame of a plot with one curve that has all dots
        SlCurve all = {.name = "", .n = plot->n, .x = x, .y = y};
        SlCurvePlot axes = {.n = 1, .curves = &all, .log_x = plot->log_x, .log_y = plot->log_y};
        draw(&layout, &axes, &scratch, out);
    } else {
        out->failed = true;
    }
    sl_arena_free(&scratch);
}
