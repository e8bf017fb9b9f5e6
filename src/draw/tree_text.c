// tree_text.c - a dendrogram for terminals: leaves as rows, heights to the right, box lines.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "label.h"
#include "tree_plan.h"

enum { PAGE = 100, NAME_MOST = 32, TREE_MOST = 60 };

// where lines leave a character cell
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, CUT = 16 };

typedef struct {
    const SlTreePlot *plot;
    TreePlan plan;
    Axis axis;
    int name, number, tree; // columns of each part
    uint8_t *cells;         // (n, tree)
} Layout;

static int row_of(const Layout *layout, int id) {
    return (int)floor(layout->plan.place[id]);
}

static int column_at(const Layout *layout, double height) {
    return (int)lround(sl_axis_place(&layout->axis, height));
}

static bool lay_out(Layout *layout, SlArena *scratch) {
    const SlTreePlot *plot = layout->plot;
    if (!sl_tree_plan_make(plot, scratch, &layout->plan)) return false;
    int n_clusters = 0;
    for (int i = 0; i < plot->n; i++) {
        int columns = sl_label_characters(plot->names[i], NAME_MOST);
        if (columns > layout->name) layout->name = columns;
        if (sl_tree_cluster(plot, i) >= n_clusters) n_clusters = sl_tree_cluster(plot, i) + 1;
    }
    if (plot->cluster)
        layout->number = n_clusters > 999 ? 4 : n_clusters > 99 ? 3 : n_clusters > 9 ? 2 : 1;
    int room = PAGE - 5 - layout->name - layout->number;
    layout->tree = room < TREE_MOST ? room : TREE_MOST;
    sl_axis_init(&layout->axis, false);
    sl_axis_widen(&layout->axis, 0);
    sl_axis_widen(&layout->axis, layout->plan.tallest > 0 ? layout->plan.tallest : 1);
    sl_axis_widen(&layout->axis, plot->cut);
    sl_axis_fit(&layout->axis, false, 0, layout->tree - 2);
    layout->cells = SL_NEW(scratch, (size_t)plot->n * (size_t)layout->tree, uint8_t);
    return layout->cells;
}

static uint8_t *cell(const Layout *layout, int row, int column) {
    return &layout->cells[(size_t)row * (size_t)layout->tree + (size_t)column];
}

static void draw_across(const Layout *layout, int row, int from, int to) {
    for (int column = from; column < to; column++) {
        *cell(layout, row, column) |= RIGHT;
        *cell(layout, row, column + 1) |= LEFT;
    }
}

static void draw_down(const Layout *layout, int column, int from, int to) {
    for (int row = from; row < to; row++) {
        *cell(layout, row, column) |= DOWN;
        *cell(layout, row + 1, column) |= UP;
    }
}

// both parts' lines to the height of the branch, and the line between them
static void draw_branch(const Layout *layout, int i) {
    const SlBranch *branch = &layout->plot->branches[i];
    int column = column_at(layout, layout->plan.height[layout->plot->n + i]);
    int first = row_of(layout, branch->left), second = row_of(layout, branch->right);
    draw_across(layout, first, column_at(layout, layout->plan.height[branch->left]), column);
    draw_across(layout, second, column_at(layout, layout->plan.height[branch->right]), column);
    draw_down(layout, column, first < second ? first : second, first < second ? second : first);
}

static void draw_tree(const Layout *layout) {
    const SlTreePlot *plot = layout->plot;
    for (int i = 0; i < plot->n; i++) *cell(layout, i, 0) |= LEFT;
    for (int i = 0; i < plot->n - 1; i++) draw_branch(layout, i);
    int root = 2 * plot->n - 2, column = column_at(layout, layout->plan.height[root]);
    draw_across(layout, row_of(layout, root), column, column + 1);
    for (int row = 0; row < plot->n && isfinite(plot->cut); row++)
        *cell(layout, row, column_at(layout, plot->cut)) |= CUT;
}

static void add_row(const Layout *layout, int row, SlText *out) {
    static const char *const lines[16] = {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤",
                                          "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
    const SlTreePlot *plot = layout->plot;
    int leaf = plot->leaves[row], last = layout->tree - 1;
    sl_label_put(out, plot->names[leaf], layout->name);
    if (plot->cluster) sl_text_add(out, "  %*d", layout->number, plot->cluster[leaf] + 1);
    sl_text_put(out, " ", 1);
    while (last > 0 && !*cell(layout, row, last)) last--;
    for (int column = 0; column <= last; column++) {
        int mask = *cell(layout, row, column);
        sl_text_add(out, "%s", mask == CUT ? "┊" : lines[mask & 15]);
    }
    sl_text_add(out, "\n");
}

// a line with ticks, then their numbers, each centred below its tick, then what they are
static void add_axis(const Layout *layout, SlText *out) {
    double ticks[AXIS_MAX_TICKS];
    char line[PAGE], text[32];
    int n = sl_axis_ticks(&layout->axis, 5, ticks), end = layout->tree - 1, used = 0;
    int lead = layout->name + (layout->plot->cluster ? 2 + layout->number : 0) + 1;
    memset(line, '-', sizeof line);
    for (int i = 0; i < n; i++) line[column_at(layout, ticks[i])] = '+';
    sl_text_add(out, "%*s%.*s\n%*s", lead, "", end, line, lead, "");
    for (int i = 0; i < n; i++) {
        sl_tick_text(ticks[i], n > 1 ? ticks[1] - ticks[0] : 0, text);
        int start = column_at(layout, ticks[i]) - (int)strlen(text) / 2;
        if (start < used) start = used;
        sl_text_add(out, "%*s%s", start - used, "", text);
        used = start + (int)strlen(text);
    }
    sl_text_add(out, "\n");
    if (!layout->plot->axis) return;
    int half = sl_label_characters(layout->plot->axis, 0) / 2;
    int start = lead + end / 2 > half ? lead + end / 2 - half : 0;
    sl_text_add(out, "%*s%s\n", start, "", layout->plot->axis);
}

void sl_draw_tree_text(const SlTreePlot *plot, SlText *out) {
    SlArena scratch;
    Layout layout = {.plot = plot};
    sl_arena_init(&scratch, 0);
    if (lay_out(&layout, &scratch)) {
        draw_tree(&layout);
        if (plot->title) sl_text_add(out, "%s\n", plot->title);
        for (int row = 0; row < plot->n; row++) add_row(&layout, row, out);
        add_axis(&layout, out);
    } else {
        out->failed = true;
    }
    sl_arena_free(&scratch);
}
