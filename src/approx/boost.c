// boost.c - boosted trees: memory and the rounds of a fit.
#include "starling/approx/boost.h"

#include <assert.h>
#include <math.h>

#include "boost_inside.h"

SlBoostOptions sl_boost_defaults(void) {
    return (SlBoostOptions){.loss = SL_BOOST_RANK,
                            .depth = 3,
                            .rounds = 8000,
                            .rate = 0.3,
                            .gamma = 1e-4,
                            .lambda = 1,
                            .child = 1,
                            .patience = 20,
                            .top = 64};
}

static bool make_bins(int n_inputs, int rows, SlArena *arena, SlBoostBins *bins) {
    const size_t slots = (size_t)n_inputs * SL_BOOST_BINS;
    bins->input = SL_NEW(arena, n_inputs, int);
    bins->first = SL_NEW(arena, n_inputs + 1, int);
    bins->cut = SL_NEW(arena, slots, float);
    bins->slots = SL_NEW(arena, (size_t)rows * (size_t)n_inputs, uint16_t);
    return bins->input && bins->first && bins->cut && bins->slots;
}

static bool make_pairs(int rows, SlArena *arena, SlBoostPairs *pairs) {
    int **const whole[] = {&pairs->order, &pairs->rank,   &pairs->begin,
                           &pairs->end,   &pairs->higher, &pairs->lower};
    pairs->apart = SL_NEW(arena, rows + SL_BOOST_LANES, float);
    bool made = pairs->apart != NULL;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        *whole[i] = SL_NEW(arena, rows, int);
        made = made && *whole[i];
    }
    return made;
}

static bool make_rows(int rows, SlArena *arena, SlBoost *boost) {
    boost->margin = SL_NEW(arena, rows, float);
    boost->grad = SL_NEW(arena, rows, float);
    boost->hess = SL_NEW(arena, rows, float);
    boost->words = SL_NEW(arena, rows, uint64_t);
    boost->rows = SL_NEW(arena, rows, int);
    boost->aside = SL_NEW(arena, rows, int);
    boost->sort = SL_NEW(arena, 3 * (size_t)rows, uint64_t);
    return boost->margin && boost->grad && boost->hess && boost->words && boost->rows &&
           boost->aside && boost->sort;
}

static bool make_sums(int n_inputs, SlArena *arena, SlBoost *boost) {
    const size_t slots = (size_t)n_inputs * SL_BOOST_BINS;
    boost->sums = SL_NEW(arena, slots * SL_BOOST_MAX_DEPTH, uint64_t);
    boost->left[0] = SL_NEW(arena, slots + SL_BOOST_LANES, int32_t);
    boost->left[1] = SL_NEW(arena, slots + SL_BOOST_LANES, int32_t);
    return boost->sums && boost->left[0] && boost->left[1];
}

SlBoost *sl_boost_make(int n_inputs, int room_rows, int room_rounds, SlArena *arena) {
    assert(1 <= n_inputs && n_inputs <= SL_BOOST_MAX_INPUTS);
    assert(1 <= room_rows && room_rows <= SL_BOOST_MAX_ROWS && 0 <= room_rounds &&
           room_rounds <= INT32_MAX / 8);
    const size_t mark = sl_arena_mark(arena);
    SlBoost *boost = SL_NEW(arena, 1, SlBoost);
    if (boost) {
        *boost =
            (SlBoost){.n_inputs = n_inputs, .room_rows = room_rows, .room_leaves = 8 * room_rounds};
        boost->trees.n_inputs = n_inputs;
        boost->trees.nodes = SL_NEW(arena, boost->room_leaves, SlBoostNode);
        boost->trees.leaves = SL_NEW(arena, boost->room_leaves, float);
        if (boost->trees.nodes && boost->trees.leaves &&
            make_bins(n_inputs, room_rows, arena, &boost->bins) &&
            make_pairs(room_rows, arena, &boost->pairs) && make_rows(room_rows, arena, boost) &&
            make_sums(n_inputs, arena, boost))
            return boost;
    }
    sl_arena_rewind(arena, mark);
    return NULL;
}

// margins before the first tree: those given, for squared loss so that the errors have mean 0
static void begin(SlBoost *boost, const SlBoostOptions *options, int n, const float *y,
                  const float *base) {
    boost->trees.n_trees = 0;
    boost->trees.depth = options->depth;
    double error = 0;
    for (int i = 0; i < n; i++) {
        boost->margin[i] = base ? base[i] : 0;
        error += (double)y[i] - (double)boost->margin[i];
    }
    boost->trees.start = options->loss == SL_BOOST_SQUARED ? (float)(error / n) : 0;
    for (int i = 0; i < n; i++) boost->margin[i] += boost->trees.start;
}

// false if no target is above another, so that there is no loss
static bool differentiate(SlBoost *boost, SlBoostLoss loss, int n, const float *y, SlRng *rng) {
    if (loss == SL_BOOST_SQUARED) {
        sl_boost_squared(n, boost->margin, y, boost->grad, boost->hess);
        return true;
    }
    const int n_pairs = sl_boost_draw(&boost->pairs, n, rng);
    sl_boost_ranked(n, n_pairs, &boost->pairs, boost->margin, boost->grad, boost->hess);
    return n_pairs > 0;
}

// the rows of a tree to the front of boost->rows; how many
static int draw_rows(SlBoost *boost, double share, int n, SlRng *rng) {
    const bool all = share <= 0 || share >= 1;
    int n_seen = 0, n_left = 0;
    for (int i = 0; i < n; i++) {
        const bool seen = all || sl_rng_uniform(rng) < share;
        if (seen)
            boost->rows[n_seen++] = i;
        else
            boost->aside[n_left++] = i;
    }
    for (int i = 0; i < n_left; i++) boost->rows[n_seen + i] = boost->aside[i];
    return n_seen;
}

// what the newest tree gives to the rows that it did not see
static void pass_rows(SlBoost *boost, int n_seen, int n, const float *x) {
    for (int i = n_seen; i < n; i++) {
        const int row = boost->rows[i], newest = boost->trees.n_trees - 1;
        const int leaf =
            sl_boost_leaf(&boost->trees, newest, x + (size_t)row * (size_t)boost->n_inputs);
        boost->margin[row] +=
            boost->trees.leaves[((size_t)newest << boost->trees.depth) + (size_t)leaf];
    }
}

void sl_boost_fit(SlBoost *boost, const SlBoostOptions *options, int n, const float *x,
                  const float *y, const float *base, SlRng *rng) {
    assert(1 <= n && n <= boost->room_rows);
    assert(1 <= options->depth && options->depth <= SL_BOOST_MAX_DEPTH && options->top >= 1);
    assert(options->gamma >= 0 && options->lambda >= 0 && options->child >= 0);
    assert(rng ||
           (options->loss == SL_BOOST_SQUARED && options->share * (1 - options->share) <= 0));
    begin(boost, options, n, y, base);
    sl_boost_bin(&boost->bins, n, boost->n_inputs, x, boost->sort);
    sl_boost_order(&boost->pairs, n, y, boost->sort);
    if (boost->bins.n_columns == 0) return;

    double best = -INFINITY;
    for (int round = 0, waited = 0; round < options->rounds; round++) {
        const size_t leaves = (size_t)(boost->trees.n_trees + 1) << boost->trees.depth;
        if (leaves > (size_t)boost->room_leaves) break;
        if (!differentiate(boost, options->loss, n, y, rng)) break;
        const int n_seen = draw_rows(boost, options->share, n, rng);
        const bool grown = n_seen > 0 && sl_boost_grow(boost, options, n, n_seen);
        boost->trees.n_trees += grown;
        if (grown) pass_rows(boost, n_seen, n, x);
        // other pairs may help, but the same errors will not
        if (!grown && options->loss == SL_BOOST_SQUARED && n_seen == n) break;
        if (options->patience == 0) continue;
        const double recall =
            sl_boost_recall_ranked(n, boost->margin, boost->pairs.rank, options->top, boost->sort);
        waited = recall > best ? 0 : waited + 1;
        best = fmax(best, recall);
        if (waited >= options->patience) break;
    }
}

const SlBoostTrees *sl_boost_trees(const SlBoost *boost) {
    return &boost->trees;
}

int sl_boost_n_trees(const SlBoost *boost) {
    return boost->trees.n_trees;
}
