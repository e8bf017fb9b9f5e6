// boost_grow.c - one boosted tree: histograms of gradients (as in LightGBM, Ke et al. 2017, with
// the larger child's by subtraction), the best split of a node, rows parted, leaves.
#include <math.h>
#include <string.h>

#include "boost_inside.h"
#include "exp_log.h"

// sums of whole numbers stay below 2^30, rounding of SL_BOOST_MAX_ROWS of them included
static const double whole_most = 0x1p29;

typedef struct {
    SlBoost *boost;
    const SlBoostOptions *options;
    SlBoostNode *nodes; // of the tree
    float *leaves;
    int least;    // hessian of a leaf, in units
    float lambda; // in units
} Grower;

typedef struct {
    int begin, end; // of boost->rows
} Span;

typedef struct {
    int column, slot; // rows up to the slot stay left; column -1 = no split
} Split;

static int32_t grad_of(uint64_t word) {
    return (int32_t)(uint32_t)(word >> 32);
}

static int32_t hess_of(uint64_t word) {
    return (int32_t)(uint32_t)word;
}

// the largest power of two that times `sum` is at most whole_most
static double unit_of(double sum) {
    int exponent;
    frexp(whole_most / sum, &exponent);
    return ldexp(1, 1 - exponent);
}

// gradients and hessians as whole numbers; false if no row has a gradient, or one has no end
static bool pack(SlBoost *boost, int n) {
    double grads = 0, hesses = 0;
    for (int i = 0; i < n; i++) {
        grads += fabs((double)boost->grad[i]);
        hesses += (double)boost->hess[i];
    }
    if (!(grads > 0 && grads < INFINITY && hesses > 0)) return false;
    boost->grad_unit = unit_of(grads);
    boost->hess_unit = unit_of(hesses);
    const double per_grad = 1 / boost->grad_unit, per_hess = 1 / boost->hess_unit;
    for (int i = 0; i < n; i++) {
        const double g = (double)boost->grad[i] * per_grad, h = (double)boost->hess[i] * per_hess;
        const int32_t grad = (int32_t)(g + copysign(0.5, g)), hess = (int32_t)(h + 0.5);
        boost->words[i] = ((uint64_t)(int64_t)grad << 32) + (uint64_t)hess;
    }
    return true;
}

// of all rows: every column holds them once
static uint64_t total_of(const SlBoost *boost, const uint64_t *sums) {
    uint64_t total = 0;
    for (int s = 0; s < boost->bins.first[1]; s++) total += sums[s];
    return total;
}

static void fill_sums(const SlBoost *boost, Span span, uint64_t *sums) {
    const SlBoostBins *bins = &boost->bins;
    const int n_columns = bins->n_columns;
    memset(sums, 0, (size_t)bins->first[bins->n_columns] * sizeof *sums);
    for (int i = span.begin; i < span.end; i++) {
        const int row = boost->rows[i];
        const uint64_t word = boost->words[row];
        const uint16_t *slots = bins->slots + (size_t)row * (size_t)bins->n_columns;
#pragma GCC unroll 8
        for (int c = 0; c < n_columns; c++) sums[slots[c]] += word;
    }
}

static void subtract_sums(const SlBoost *boost, const uint64_t *part, uint64_t *sums) {
    const int n_slots = boost->bins.first[boost->bins.n_columns];
    for (int s = 0; s < n_slots; s++) sums[s] -= part[s];
}

// what lies left of a cut behind every slot
static void add_up(SlBoost *boost, const uint64_t *sums) {
    const SlBoostBins *bins = &boost->bins;
    for (int c = 0; c < bins->n_columns; c++) {
        uint64_t sum = 0;
        for (int s = bins->first[c]; s < bins->first[c + 1]; s++) {
            sum += sums[s];
            boost->left[0][s] = grad_of(sum);
            boost->left[1][s] = hess_of(sum);
        }
    }
}

INLINE WideMask load_whole(const int32_t *at) {
    WideMask v;
    memcpy(&v, at, sizeof v);
    return v;
}

// the first of the best slots of eight lanes, -1 if none has a score
INLINE int best_lane(Wide best, WideMask where) {
    int slot = -1;
    float most = -1;
    for (int l = 0; l < WIDE; l++) {
        if (where[l] < 0 || best[l] < most || (best[l] == most && where[l] > slot)) continue;
        most = best[l];
        slot = where[l];
    }
    return slot;
}

// The slot behind which a cut makes the scores of both sides largest, -1 if no cut leaves enough on
// both. Scores are G^2 / (H + lambda) in units.
SL_CLONES static int best_slot(const Grower *g, int n_slots, uint64_t total) {
    const int32_t *grads = g->boost->left[0], *hesses = g->boost->left[1];
    const int32_t grad = grad_of(total), hess = hess_of(total);
    const Wide lambda = wide_all(g->lambda);
    Wide best = wide_all(-1);
    WideMask where = (WideMask){0} - 1, slot = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int s = 0; s < n_slots; s += WIDE, slot += WIDE) {
        const WideMask gl = load_whole(grads + s), hl = load_whole(hesses + s);
        const WideMask gr = grad - gl, hr = hess - hl;
        const Wide a = __builtin_convertvector(gl, Wide), b = __builtin_convertvector(gr, Wide);
        const Wide c = __builtin_convertvector(hl, Wide), d = __builtin_convertvector(hr, Wide);
        const Wide score = a * a / (c + lambda) + b * b / (d + lambda);
        const WideMask better =
            (score > best) & (hl >= g->least) & (hr >= g->least) & (slot < n_slots);
        best = wide_select(better, score, best);
        where = (better & slot) | (~better & where);
    }
    return best_lane(best, where);
}

static double score(const Grower *g, int32_t grad, int32_t hess) {
    const double whole = grad * g->boost->grad_unit;
    return whole * whole / (hess * g->boost->hess_unit + g->options->lambda);
}

static Split find_split(const Grower *g, const uint64_t *sums) {
    const SlBoostBins *bins = &g->boost->bins;
    const uint64_t total = total_of(g->boost, sums);
    const Split none = {.column = -1};
    if (hess_of(total) / 2 < g->least) return none;
    add_up(g->boost, sums);
    const int slot = best_slot(g, bins->first[bins->n_columns], total);
    if (slot < 0) return none;
    const int32_t grad = g->boost->left[0][slot], hess = g->boost->left[1][slot];
    const double gain = score(g, grad, hess) +
                        score(g, grad_of(total) - grad, hess_of(total) - hess) -
                        score(g, grad_of(total), hess_of(total));
    if (!(gain > g->options->gamma)) return none;
    int column = 0;
    while (bins->first[column + 1] <= slot) column++;
    return (Split){.column = column, .slot = slot};
}

// rows of the left side first, each side in its order; where the right one begins
static int part_rows(SlBoost *boost, Span span, Split split) {
    const SlBoostBins *bins = &boost->bins;
    int left = span.begin, right = 0;
    for (int i = span.begin; i < span.end; i++) {
        const int row = boost->rows[i];
        const size_t at = (size_t)row * (size_t)bins->n_columns + (size_t)split.column;
        const bool stays = bins->slots[at] <= split.slot;
        boost->rows[left] = row;
        boost->aside[right] = row;
        left += stays;
        right += !stays;
    }
    memcpy(boost->rows + left, boost->aside, (size_t)right * sizeof *boost->rows);
    return left;
}

// node `at` of a level stays whole: nodes below it let all rows pass, all leaves are the same
static void close_node(const Grower *g, int level, int at, Span span) {
    SlBoost *boost = g->boost;
    double grad = 0, hess = 0;
    for (int i = span.begin; i < span.end; i++) {
        grad += (double)boost->grad[boost->rows[i]];
        hess += (double)boost->hess[boost->rows[i]];
    }
    const float value = (float)(-g->options->rate * grad / (hess + g->options->lambda));
    for (int i = span.begin; i < span.end; i++) boost->margin[boost->rows[i]] += value;
    const int below = boost->trees.depth - level;
    for (int deeper = 0; deeper < below; deeper++) {
        const int first = (1 << (level + deeper)) - 1 + (at << deeper);
        for (int k = 0; k < 1 << deeper; k++)
            g->nodes[first + k] = (SlBoostNode){.threshold = INFINITY};
    }
    for (int k = 0; k < 1 << below; k++) g->leaves[(at << below) + k] = value;
}

// Grow what is below node `at` of a level, given its histogram, which is overwritten; histograms
// of the next levels follow it. False if the node was not split; the root is then left open.
// NOLINTNEXTLINE(misc-no-recursion): at most SL_BOOST_MAX_DEPTH deep
static bool grow_node(const Grower *g, int level, int at, Span span, uint64_t *sums) {
    SlBoost *boost = g->boost;
    const SlBoostBins *bins = &boost->bins;
    const bool open = level < boost->trees.depth && span.end - span.begin > 1;
    const Split split = open ? find_split(g, sums) : (Split){.column = -1};
    if (split.column < 0) {
        if (level > 0) close_node(g, level, at, span);
        return false;
    }
    g->nodes[(1 << level) - 1 + at] =
        (SlBoostNode){.threshold = bins->cut[split.slot], .input = bins->input[split.column]};
    const int middle = part_rows(boost, span, split);
    const Span sides[2] = {{span.begin, middle}, {middle, span.end}};
    const int smaller = middle - span.begin > span.end - middle;
    uint64_t *next = sums + (size_t)boost->n_inputs * SL_BOOST_BINS;
    // leaves need no histogram
    if (level + 1 < boost->trees.depth) {
        fill_sums(boost, sides[smaller], next);
        subtract_sums(boost, next, sums);
    }
    grow_node(g, level + 1, 2 * at + smaller, sides[smaller], next);
    grow_node(g, level + 1, 2 * at + !smaller, sides[!smaller], sums);
    return true;
}

bool sl_boost_grow(SlBoost *boost, const SlBoostOptions *options, int n, int n_seen) {
    if (!pack(boost, n)) return false;
    const size_t tree = (size_t)boost->trees.n_trees;
    const double least = ceil(options->child / boost->hess_unit);
    const Grower g = {.boost = boost,
                      .options = options,
                      .nodes = boost->trees.nodes + tree * (((size_t)1 << boost->trees.depth) - 1),
                      .leaves = boost->trees.leaves + (tree << boost->trees.depth),
                      .least = (int)fmin(fmax(least, 1), INT32_MAX),
                      .lambda = (float)(options->lambda / boost->hess_unit)};
    const Span all = {0, n_seen};
    fill_sums(boost, all, boost->sums);
    return grow_node(&g, 0, 0, all, boost->sums);
}
