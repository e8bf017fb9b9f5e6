// boost_predict.c - margins of many rows. Blocks of rows are turned so that a vector holds one
// input of eight rows. A shallow tree is evaluated whole: all comparisons, then the leaves are
// chosen from the bottom up; a deep one is walked row by row.
#include "boost_inside.h"
#include "exp_log.h"

enum { ROOM = 8192, MOST_ROWS = 128, SHALLOW = 4 }; // numbers of a block, its rows; depth

// A tree ready for vectors: every number as many times as a vector has lanes.
typedef struct {
    size_t column[(1 << SHALLOW) - 1]; // of every node, where it begins in the block
    float threshold[(1 << SHALLOW) - 1][WIDE];
    float leaf[1 << SHALLOW][WIDE];
} WideTree;

INLINE void spread(float value, float *lanes) {
    for (int l = 0; l < WIDE; l++) lanes[l] = value;
}

INLINE void widen(int depth, const SlBoostNode *nodes, const float *leaves, size_t stride,
                  WideTree *tree) {
    const int n_leaves = 1 << depth;
    for (int k = 0; k < n_leaves - 1; k++) {
        tree->column[k] = (size_t)nodes[k].input * stride;
        spread(nodes[k].threshold, tree->threshold[k]);
    }
    for (int k = 0; k < n_leaves; k++) spread(leaves[k], tree->leaf[k]);
}

// What eight rows of a block get below node `at`, where so many levels of nodes are. All of it is
// unrolled.
INLINE WideMask goes_right(const WideTree *tree, int at, const float *rows) {
    return wide_load(rows + tree->column[at]) >= wide_load(tree->threshold[at]);
}

INLINE Wide below_1(const WideTree *tree, int n_nodes, int at, const float *rows) {
    const int leaf = 2 * at + 1 - n_nodes;
    return wide_select(goes_right(tree, at, rows), wide_load(tree->leaf[leaf + 1]),
                       wide_load(tree->leaf[leaf]));
}

INLINE Wide below_2(const WideTree *tree, int n_nodes, int at, const float *rows) {
    return wide_select(goes_right(tree, at, rows), below_1(tree, n_nodes, 2 * at + 2, rows),
                       below_1(tree, n_nodes, 2 * at + 1, rows));
}

INLINE Wide below_3(const WideTree *tree, int n_nodes, int at, const float *rows) {
    return wide_select(goes_right(tree, at, rows), below_2(tree, n_nodes, 2 * at + 2, rows),
                       below_2(tree, n_nodes, 2 * at + 1, rows));
}

INLINE Wide below_4(const WideTree *tree, int n_nodes, int at, const float *rows) {
    return wide_select(goes_right(tree, at, rows), below_3(tree, n_nodes, 2 * at + 2, rows),
                       below_3(tree, n_nodes, 2 * at + 1, rows));
}

INLINE Wide evaluate(int depth, const WideTree *tree, const float *rows) {
    switch (depth) {
    case 1:
        return below_1(tree, 1, 0, rows);
    case 2:
        return below_2(tree, 3, 0, rows);
    case 3:
        return below_3(tree, 7, 0, rows);
    default:
        return below_4(tree, 15, 0, rows);
    }
}

INLINE void add_trees(int depth, const SlBoostTrees *trees, int rows, const float *columns,
                      size_t stride, float *out) {
    const SlBoostNode *nodes = trees->nodes;
    const float *leaves = trees->leaves;
    WideTree tree = {0};
    for (int t = 0; t < trees->n_trees; t++) {
        widen(depth, nodes, leaves, stride, &tree);
        for (int i = 0; i < rows; i += WIDE)
            wide_store(out + i, wide_load(out + i) + evaluate(depth, &tree, columns + i));
        nodes += (1 << depth) - 1;
        leaves += 1 << depth;
    }
}

// columns (n_inputs, stride) of some rows; up to a whole vector the first one is repeated
INLINE void turn(int rows, int n_inputs, const float *x, float *columns, size_t stride) {
    const int whole = (rows + WIDE - 1) / WIDE * WIDE;
    for (int i = 0; i < whole; i++) {
        const float *row = x + (i < rows ? (size_t)i * (size_t)n_inputs : 0);
        for (int k = 0; k < n_inputs; k++) columns[(size_t)k * stride + (size_t)i] = row[k];
    }
}

SL_CLONES static void predict_shallow(const SlBoostTrees *trees, int n, const float *x,
                                      float *out) {
    float columns[ROOM], sums[MOST_ROWS];
    int block = MOST_ROWS; // of rows: a power of two that fits
    while (block * trees->n_inputs > ROOM) block /= 2;
    for (int i = 0; i < n; i += block) {
        const int rows = n - i < block ? n - i : block;
        turn(rows, trees->n_inputs, x + (size_t)i * (size_t)trees->n_inputs, columns,
             (size_t)block);
        for (int r = 0; r < MOST_ROWS; r++) sums[r] = trees->start;
        // depths as constants, so that all is unrolled
        switch (trees->depth) {
        case 1:
            add_trees(1, trees, rows, columns, (size_t)block, sums);
            break;
        case 2:
            add_trees(2, trees, rows, columns, (size_t)block, sums);
            break;
        case 3:
            add_trees(3, trees, rows, columns, (size_t)block, sums);
            break;
        default:
            add_trees(4, trees, rows, columns, (size_t)block, sums);
            break;
        }
        memcpy(out + i, sums, (size_t)rows * sizeof *sums);
    }
}

int sl_boost_leaf(const SlBoostTrees *trees, int tree, const float *row) {
    const int n_nodes = (1 << trees->depth) - 1;
    const SlBoostNode *nodes = trees->nodes + (size_t)tree * (size_t)n_nodes;
    int at = 0;
    while (at < n_nodes) at = 2 * at + 1 + (row[nodes[at].input] >= nodes[at].threshold);
    return at - n_nodes;
}

static float leaf_value(const SlBoostTrees *trees, int tree, const float *row) {
    return trees->leaves[((size_t)tree << trees->depth) + (size_t)sl_boost_leaf(trees, tree, row)];
}

static void predict_deep(const SlBoostTrees *trees, int n, const float *x, float *out) {
    for (int i = 0; i < n; i++) out[i] = trees->start;
    for (int t = 0; t < trees->n_trees; t++)
        for (int i = 0; i < n; i++)
            out[i] += leaf_value(trees, t, x + (size_t)i * (size_t)trees->n_inputs);
}

void sl_boost_trees_predict(const SlBoostTrees *trees, int n, const float *x, float *out) {
    if (trees->depth <= SHALLOW) {
        predict_shallow(trees, n, x, out);
    } else {
        predict_deep(trees, n, x, out);
    }
}

void sl_boost_predict(const SlBoost *boost, int n, const float *x, float *out) {
    sl_boost_trees_predict(&boost->trees, n, x, out);
}
