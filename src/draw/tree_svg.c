// tree_svg.c - a dendrogram: leaves as rows with their names, heights from left to right.
#include <math.h>
#include <stdio.h>

#include "axis.h"
#include "svg.h"
#include "tree_plan.h"

enum { PLOT_WIDTH = 440, ROW = 26 };

typedef struct {
    const SlTreePlot *plot;
    TreePlan plan;
    Axis axis; // of heights
    double left, top, bottom, width, height;
} Layout;

static double row_y(const Layout *layout, double place) {
    return layout->top + (place + 0.5) * ROW;
}

static void lay_out(Layout *layout) {
    const SlTreePlot *plot = layout->plot;
    double widest = sl_svg_widest(plot->n, plot->names, 12);
    layout->left = 24 + widest + (plot->cluster ? 34 : 8);
    layout->top = plot->title ? 48 : 16;
    layout->bottom = layout->top + plot->n * ROW + 6;
    layout->height = layout->bottom + (plot->axis ? 50 : 32);
    double right = layout->left + PLOT_WIDTH;
    layout->width = fmax(right + 28, 32 + sl_svg_text_width(plot->title, 15, 0));
    sl_axis_init(&layout->axis, false);
    sl_axis_widen(&layout->axis, 0);
    sl_axis_widen(&layout->axis, layout->plan.tallest);
    if (layout->plan.tallest <= 0) sl_axis_widen(&layout->axis, 1);
    sl_axis_widen(&layout->axis, plot->cut);
    sl_axis_fit(&layout->axis, false, layout->left, right - 14);
    layout->axis.high *= 1.02;
}

static void add_axis(const Layout *layout, SlText *out) {
    double ticks[AXIS_MAX_TICKS];
    char text[32];
    int n = sl_axis_ticks(&layout->axis, 6, ticks);
    for (int i = 0; i < n; i++) {
        double x = sl_axis_place(&layout->axis, ticks[i]);
        sl_svg_line(out, "sl-grid", x, layout->top, x, layout->bottom);
        sl_svg_text(out, "sl-soft sl-small", SVG_MIDDLE, x, layout->bottom + 16,
                    sl_tick_text(ticks[i], n > 1 ? ticks[1] - ticks[0] : 0, text));
    }
    sl_svg_line(out, "sl-axis", layout->left, layout->bottom, layout->left + PLOT_WIDTH,
                layout->bottom);
    sl_svg_text(out, "sl-soft", SVG_MIDDLE, layout->left + PLOT_WIDTH / 2.0, layout->bottom + 36,
                layout->plot->axis);
}

// name, and the number of the cluster on its colour
static void add_leaf(const Layout *layout, int leaf, SlText *out) {
    const SlTreePlot *plot = layout->plot;
    double y = row_y(layout, layout->plan.place[leaf]);
    double names_end = layout->left - (plot->cluster ? 34 : 8);
    sl_text_add(out, "<text class=\"sl-ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", names_end,
                y + 4);
    sl_svg_escape(out, plot->names[leaf], SVG_NAME_MOST);
    sl_text_add(out, "</text>\n");
    if (!plot->cluster) return;
    char number[16];
    snprintf(number, sizeof number, "%d", plot->cluster[leaf] + 1);
    sl_text_add(out,
                "<rect class=\"sl-f%d\" x=\"%.1f\" y=\"%.1f\" width=\"20\" height=\"16\" "
                "rx=\"4\"/>\n",
                plot->cluster[leaf] % SVG_COLOURS, layout->left - 27, y - 8);
    sl_svg_text(out, "sl-on sl-small sl-strong", SVG_MIDDLE, layout->left - 17, y + 4, number);
}

// the bracket that joins two parts
static void add_branch(const Layout *layout, int i, SlText *out) {
    const SlTreePlot *plot = layout->plot;
    const TreePlan *plan = &layout->plan;
    int left = plot->branches[i].left, right = plot->branches[i].right, id = plot->n + i;
    char class[32] = "sl-above";
    if (plan->colour[id] >= 0)
        snprintf(class, sizeof class, "sl-wide sl-c%d", plan->colour[id] % SVG_COLOURS);
    sl_text_add(out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1fV%.1fH%.1f\"/>\n", class,
                sl_axis_place(&layout->axis, plan->height[left]), row_y(layout, plan->place[left]),
                sl_axis_place(&layout->axis, plan->height[id]), row_y(layout, plan->place[right]),
                sl_axis_place(&layout->axis, plan->height[right]));
}

// the line that ends in the root; where the whole tree is one leaf, the leaf itself
static void add_root(const Layout *layout, SlText *out) {
    int root = 2 * layout->plot->n - 2;
    double x = sl_axis_place(&layout->axis, layout->plan.height[root]);
    sl_svg_line(out, "sl-above", x, row_y(layout, layout->plan.place[root]), x + 10,
                row_y(layout, layout->plan.place[root]));
}

// clusters of one leaf have no bracket of their own: their stem to the next one, coloured
static void add_lone_stems(const Layout *layout, SlText *out) {
    const SlTreePlot *plot = layout->plot;
    const TreePlan *plan = &layout->plan;
    for (int i = 0; i < plot->n - 1; i++) {
        const int parts[] = {plot->branches[i].left, plot->branches[i].right};
        if (plan->colour[plot->n + i] >= 0) continue;
        for (int k = 0; k < 2; k++) {
            if (plan->colour[parts[k]] < 0) continue;
            double end = plan->height[plot->n + i];
            if (isfinite(plot->cut)) end = fmin(end, fmax(plot->cut, plan->height[parts[k]]));
            char class[32];
            snprintf(class, sizeof class, "sl-wide sl-c%d", plan->colour[parts[k]] % SVG_COLOURS);
            double y = row_y(layout, plan->place[parts[k]]);
            sl_svg_line(out, class, sl_axis_place(&layout->axis, plan->height[parts[k]]), y,
                        sl_axis_place(&layout->axis, end), y);
        }
    }
}

static void add_cut(const Layout *layout, SlText *out) {
    if (!isfinite(layout->plot->cut)) return;
    double x = sl_axis_place(&layout->axis, layout->plot->cut);
    sl_svg_line(out, "sl-cut", x, layout->top - 4, x, layout->bottom);
}

void sl_draw_tree_svg(const SlTreePlot *plot, SlText *out) {
    SlArena scratch;
    Layout layout = {.plot = plot};
    sl_arena_init(&scratch, 0);
    if (sl_tree_plan_make(plot, &scratch, &layout.plan)) {
        lay_out(&layout);
        char about[96];
        snprintf(about, sizeof about, "A tree of %d leaves; branches meet at their distance.",
                 plot->n);
        sl_svg_open(out, layout.width, layout.height, plot->title, about);
        sl_svg_text(out, "sl-ink sl-title", SVG_START, 16, 28, plot->title);
        add_axis(&layout, out);
        for (int i = plot->n - 2; i >= 0; i--) add_branch(&layout, i, out);
        add_root(&layout, out);
        add_lone_stems(&layout, out);
        add_cut(&layout, out);
        for (int i = 0; i < plot->n; i++) add_leaf(&layout, i, out);
        sl_svg_close(out);
    } else {
        out->failed = true;
    }
    sl_arena_free(&scratch);
}
