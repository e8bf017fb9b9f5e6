// test_boost_parts.c - the parts of boosted trees: losses against finite differences, sorting,
// bins, splits against hand and brute force, predictions against a walk, recall against its
// definition.
#include <math.h>
#include <string.h>

#include "approx/boost_inside.h"
#include "support/check.h"

enum { MOST = 1000, INPUTS = 5 };

static SlRng begin(const char *what) {
    SlRng rng;
    sl_rng_init(&rng, 1, what);
    return rng;
}

// --- Losses

static double squared_loss(int n, const double *margin, const float *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0.5 * pow(margin[i] - (double)y[i], 2);
    return sum;
}

static double pair_loss(const SlBoostPairs *pairs, int n_pairs, const double *margin) {
    double sum = 0;
    for (int i = 0; i < n_pairs; i++)
        sum += log1p(exp(margin[pairs->lower[i]] - margin[pairs->higher[i]]));
    return sum;
}

static void squared_gradients_are_finite_differences(void **state) {
    (void)state;
    enum { N = 9 };
    float margin[N], y[N], grad[N], hess[N];
    double at[N];
    SlRng rng = begin("squared");
    for (int i = 0; i < N; i++) {
        at[i] = margin[i] = (float)sl_rng_normal(&rng);
        y[i] = (float)sl_rng_normal(&rng);
    }
    sl_boost_squared(N, margin, y, grad, hess);
    for (int i = 0; i < N; i++) {
        const double step = 1e-3, here = at[i], middle = squared_loss(N, at, y);
        at[i] = here + step;
        const double more = squared_loss(N, at, y);
        at[i] = here - step;
        const double less = squared_loss(N, at, y);
        at[i] = here;
        assert_true(fabs((more - less) / (2 * step) - (double)grad[i]) < 1e-6);
        assert_true(fabs((more - 2 * middle + less) / (step * step) - (double)hess[i]) < 1e-6);
    }
}

// Pairs of 9 rows with targets of which some are equal, drawn once.
enum { N_RANKED = 9 };
typedef struct {
    int whole[6][N_RANKED];
    float apart[N_RANKED + SL_BOOST_LANES];
    uint64_t sort[2 * N_RANKED];
    SlBoostPairs pairs;
} Ranked;

static int draw_pairs(Ranked *r, const float *y, SlRng *rng) {
    r->pairs = (SlBoostPairs){.order = r->whole[0],
                              .rank = r->whole[1],
                              .begin = r->whole[2],
                              .end = r->whole[3],
                              .higher = r->whole[4],
                              .lower = r->whole[5],
                              .apart = r->apart};
    sl_boost_order(&r->pairs, N_RANKED, y, r->sort);
    return sl_boost_draw(&r->pairs, N_RANKED, rng);
}

static void gradients_of_pairs_are_finite_differences(void **state) {
    (void)state;
    const float y[N_RANKED] = {1, 2, 2, 0, -1, 2, 5, 0, 3};
    float margin[N_RANKED], grad[N_RANKED], hess[N_RANKED];
    double at[N_RANKED];
    Ranked ranked = {0};
    SlRng rng = begin("ranked");
    for (int i = 0; i < N_RANKED; i++) at[i] = margin[i] = (float)(3 * sl_rng_normal(&rng));
    const int n_pairs = draw_pairs(&ranked, y, &rng);
    assert_int_equal(n_pairs, N_RANKED);
    sl_boost_ranked(N_RANKED, n_pairs, &ranked.pairs, margin, grad, hess);
    for (int i = 0; i < N_RANKED; i++) {
        const double step = 1e-4, here = at[i];
        at[i] = here + step;
        const double more = pair_loss(&ranked.pairs, n_pairs, at);
        at[i] = here - step;
        const double less = pair_loss(&ranked.pairs, n_pairs, at);
        at[i] = here;
        assert_true(fabs((more - less) / (2 * step) - (double)grad[i]) < 1e-5);
    }
}

static void hessians_of_a_pair_are_its_curvature_as_it_parts(void **state) {
    (void)state;
    Ranked ranked = {0};
    SlBoostPairs *pairs = &ranked.pairs;
    *pairs =
        (SlBoostPairs){.higher = ranked.whole[4], .lower = ranked.whole[5], .apart = ranked.apart};
    pairs->higher[0] = 1; // of rows 0 and 1
    for (int d = -12; d <= 12; d++) {
        const float margin[2] = {0.3F, 0.3F + (float)d};
        float grad[2], hess[2];
        sl_boost_ranked(2, 1, pairs, margin, grad, hess);
        double loss[3];
        for (int k = 0; k < 3; k++) {
            const double by = 1e-3 * (k - 1);
            const double at[2] = {(double)margin[0] - by, (double)margin[1] + by};
            loss[k] = pair_loss(pairs, 1, at);
        }
        const double bend = (loss[2] - 2 * loss[1] + loss[0]) / 1e-6;
        assert_true(hess[0] == hess[1] && grad[0] == -grad[1]);
        assert_true(fabs(bend - 2 * (double)hess[0]) < 2e-6 + 1e-4 * bend);
    }
    // far apart, both ways
    for (int k = 0; k < 2; k++) {
        const float margin[2] = {k ? 3e38F : 0, k ? 0 : 3e38F};
        float grad[2], hess[2];
        sl_boost_ranked(2, 1, pairs, margin, grad, hess);
        assert_true(fabsf(grad[0] - (float)k) < 1e-6F && hess[0] > 0 && hess[0] < 1e-6F);
    }
}

static void pairs_are_uniform_over_unequal_targets(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    const float y[N_RANKED] = {1, 2, 2, 0, -0.0F, 2, 5, 0, 3};
    static int counts[N_RANKED][N_RANKED];
    memset(counts, 0, sizeof counts);
    Ranked ranked = {0};
    SlRng rng = begin("uniform");
    for (int d = 0; d < DRAWS; d++) {
        const int n_pairs = draw_pairs(&ranked, y, &rng);
        for (int i = 0; i < n_pairs; i++) counts[ranked.pairs.higher[i]][ranked.pairs.lower[i]]++;
    }
    for (int i = 0; i < N_RANKED; i++) {
        for (int j = 0; j < N_RANKED; j++) {
            int others[2] = {0};
            for (int k = 0; k < N_RANKED; k++) {
                others[0] += y[k] != y[i];
                others[1] += y[k] != y[j];
            }
            const double wanted = y[i] > y[j] ? 1.0 / others[0] + 1.0 / others[1] : 0;
            assert_true(fabs(counts[i][j] / (double)DRAWS - wanted) <= 0.02 * (wanted > 0));
        }
    }
}

// --- Bins

static void words_are_sorted_and_equals_keep_their_order(void **state) {
    (void)state;
    static uint64_t words[2 * MOST];
    SlRng rng = begin("sort");
    for (int trial = 0; trial < 40; trial++) {
        const int n = 1 + (int)sl_rng_below(&rng, MOST);
        const float scale = trial % 4 ? 1 : 1e20F, grain = trial % 3 ? 7 : 1e6F;
        for (int i = 0; i < n; i++) {
            const float x = roundf((float)sl_rng_normal(&rng) * grain) / grain * scale;
            words[i] = (uint64_t)sl_boost_key(i % 5 ? x : -0.0F * x) << 32 | (uint64_t)i;
        }
        const uint64_t *sorted = sl_boost_sort(n, words, words + n);
        for (int i = 1; i < n; i++) assert_true(sorted[i - 1] < sorted[i]);
    }
    const float ascending[] = {-3e38F, -1, -1e-40F, 0, 1e-40F, 1, 2, 3e38F};
    for (int i = 1; i < 8; i++)
        assert_true(sl_boost_key(ascending[i - 1]) < sl_boost_key(ascending[i]));
    assert_true(sl_boost_key(-0.0F) == sl_boost_key(0.0F));
}

// A fit of random rows: inputs of 2, 1, 9, 64 and many values.
typedef struct {
    SlArena arena;
    SlBoost *boost;
    SlBoostOptions options;
    int n;
    float x[MOST * INPUTS], y[MOST], out[MOST];
} Fit;

static void fit_init(Fit *fit, int n, int depth, SlRng *rng) {
    const int values[INPUTS] = {2, 1, 9, 64, 100000};
    *fit = (Fit){.n = n, .options = sl_boost_defaults()};
    fit->options.depth = depth;
    fit->options.loss = SL_BOOST_SQUARED;
    fit->options.rounds = 3;
    fit->options.patience = 0;
    sl_arena_init(&fit->arena, 0);
    fit->boost = sl_boost_make(INPUTS, MOST, 3 << SL_BOOST_MAX_DEPTH, &fit->arena);
    assert_non_null(fit->boost);
    for (int i = 0; i < n; i++) {
        float *x = fit->x + (size_t)i * INPUTS;
        for (int k = 0; k < INPUTS; k++)
            x[k] = (float)sl_rng_below(rng, (uint64_t)values[k]) / (float)values[k] - 0.5F;
        fit->y[i] = x[0] * x[2] + x[3] * x[4] + 0.1F * (float)sl_rng_normal(rng);
    }
    sl_boost_fit(fit->boost, &fit->options, n, fit->x, fit->y, NULL, rng);
    sl_boost_predict(fit->boost, n, fit->x, fit->out);
}

static void bins_are_single_values_or_hold_equal_shares(void **state) {
    (void)state;
    static Fit fit;
    static int counts[INPUTS * SL_BOOST_BINS];
    SlRng rng = begin("bins");
    fit_init(&fit, MOST, 3, &rng);
    const SlBoostBins *bins = &fit.boost->bins;
    const int inputs[] = {0, 2, 3, 4}, wanted[] = {2, 9, 64, 64};
    assert_int_equal(bins->n_columns, 4);
    memset(counts, 0, sizeof counts);
    for (int c = 0; c < 4; c++) {
        assert_int_equal(bins->input[c], inputs[c]);
        assert_int_equal(bins->first[c + 1] - bins->first[c], wanted[c]);
        for (int i = 0; i < MOST; i++) {
            const int slot = bins->slots[i * 4 + c];
            const float x = fit.x[i * INPUTS + inputs[c]];
            assert_in_range(slot, bins->first[c], bins->first[c + 1] - 1);
            counts[slot]++;
            if (slot > bins->first[c]) assert_true(x >= bins->cut[slot - 1]);
            if (slot < bins->first[c + 1] - 1) assert_true(x < bins->cut[slot]);
        }
    }
    for (int s = bins->first[3]; s < bins->first[4]; s++) assert_in_range(counts[s], 14, 17);
    sl_arena_free(&fit.arena);
}

static void a_frequent_value_leaves_bins_to_others(void **state) {
    (void)state;
    enum { N = 900 };
    static float x[N], y[N];
    SlArena arena;
    SlRng rng = begin("frequent");
    sl_arena_init(&arena, 0);
    SlBoost *boost = sl_boost_make(1, N, 1, &arena);
    assert_non_null(boost);
    for (int i = 0; i < N; i++) x[i] = i % 3 ? 0 : (float)sl_rng_normal(&rng);
    SlBoostOptions options = sl_boost_defaults();
    sl_boost_fit(boost, &options, N, x, y, NULL, &rng);
    const int n_bins = boost->bins.first[1];
    int most = 0, counts[SL_BOOST_BINS] = {0};
    for (int i = 0; i < N; i++) counts[boost->bins.slots[i]]++;
    for (int b = 0; b < n_bins; b++) {
        assert_true(counts[b] > 0);
        if (counts[b] < 300 && counts[b] > most) most = counts[b];
    }
    assert_true(n_bins > 30 && n_bins <= 64);
    assert_true(most < 20);
    sl_arena_free(&arena);
}

// --- Trees

// errors 3, 3, -1, -5 from the mean; lambda 1. Scores of both sides behind the first, second and
// third row: 9/2 + 9/4, 36/3 + 36/3, 25/4 + 25/2; that of the whole is 0.
static void a_split_is_that_of_the_hand(void **state) {
    (void)state;
    const float x[] = {10, 1, 10, 2, 10, 3, 10, 4}, y[] = {1, 1, 5, 9};
    const struct {
        double gamma, child;
        int n_trees;
    } cases[] = {{0, 1, 1}, {23.9, 2, 1}, {24.1, 1, 0}, {0, 2.01, 0}};
    for (int i = 0; i < 4; i++) {
        SlArena arena;
        float out[4];
        SlBoostOptions options = sl_boost_defaults();
        options.loss = SL_BOOST_SQUARED;
        options.depth = options.rounds = 1;
        options.rate = 1;
        options.gamma = cases[i].gamma;
        options.child = cases[i].child;
        sl_arena_init(&arena, 0);
        SlBoost *boost = sl_boost_make(2, 4, 1, &arena);
        assert_non_null(boost);
        sl_boost_fit(boost, &options, 4, x, y, NULL, NULL);
        assert_int_equal(sl_boost_n_trees(boost), cases[i].n_trees);
        sl_boost_predict(boost, 4, x, out);
        const float apart = cases[i].n_trees ? 2 : 0;
        assert_true(out[0] == 4 - apart && out[1] == out[0]);
        assert_true(out[2] == 4 + apart && out[3] == out[2]);
        if (apart > 0) {
            assert_int_equal(boost->trees.nodes[0].input, 1);
            assert_true(boost->trees.nodes[0].threshold == 2.5F);
        }
        sl_arena_free(&arena);
    }
}

// Fit n rows of two inputs by one tree without lambda; the root.
static SlBoostNode stump(int n, const float *x, const float *y, double child, float *out) {
    SlArena arena;
    SlBoostOptions options = sl_boost_defaults();
    options.loss = SL_BOOST_SQUARED;
    options.depth = options.rounds = 1;
    options.rate = 1;
    options.lambda = 0;
    options.child = child;
    sl_arena_init(&arena, 0);
    SlBoost *boost = sl_boost_make(2, n, 1, &arena);
    assert_non_null(boost);
    sl_boost_fit(boost, &options, n, x, y, NULL, NULL);
    assert_int_equal(sl_boost_n_trees(boost), 1);
    sl_boost_predict(boost, n, x, out);
    const SlBoostNode root = boost->trees.nodes[0];
    sl_arena_free(&arena);
    return root;
}

static void both_sides_have_enough_rows(void **state) {
    (void)state;
    const float x[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    const float low[] = {9, 0, 0, 0, 0, 0}, high[] = {0, 0, 0, 0, 0, 9};
    float out[6];
    assert_true(stump(6, x, low, 1, out).threshold == 1.5F);
    assert_true(stump(6, x, low, 2, out).threshold == 2.5F);
    assert_true(stump(6, x, high, 1, out).threshold == 5.5F);
    assert_true(stump(6, x, high, 2, out).threshold == 4.5F);
}

static void equal_splits_go_to_the_first_input(void **state) {
    (void)state;
    const float x[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, y[] = {0, 0, 0, 0, 1};
    float out[5];
    const SlBoostNode root = stump(5, x, y, 1, out);
    assert_true(root.input == 0 && root.threshold == 4.5F);
}

static void neighbouring_floats_are_told_apart(void **state) {
    (void)state;
    const float x[] = {0, 1, 0, nextafterf(1, 2)}, y[] = {3, 5};
    const float tiny[] = {0, 0, 0, nextafterf(0, 1)};
    float out[2];
    stump(2, x, y, 1, out);
    assert_true(out[0] == 3 && out[1] == 5);
    stump(2, tiny, y, 1, out);
    assert_true(out[0] == 3 && out[1] == 5);
}

static double gain_of(double gl, double hl, double g, double h) {
    const double gr = g - gl, hr = h - hl, lambda = 1;
    return gl * gl / (hl + lambda) + gr * gr / (hr + lambda) - g * g / (h + lambda);
}

// the gain of a cut of some rows, 0 if it leaves one side empty
static double gain_at(const Fit *fit, int n, const int *rows, const double *grad, SlBoostNode cut) {
    double total = 0, left = 0, n_left = 0;
    for (int i = 0; i < n; i++) {
        const bool stays = fit->x[rows[i] * INPUTS + cut.input] < cut.threshold;
        total += grad[rows[i]];
        left += stays ? grad[rows[i]] : 0;
        n_left += stays;
    }
    return n_left > 0 && n_left < n ? gain_of(left, n_left, total, n) : 0;
}

// check the split of a node and its children; `rows` (n) are parted
static void check_node(const Fit *fit, int at, int n, int *rows, const double *grad) {
    const int n_nodes = (1 << fit->options.depth) - 1;
    double total = 0, best = 0;
    for (int i = 0; i < n; i++) total += grad[rows[i]];
    if (at >= n_nodes) {
        const double leaf = n ? -0.3 * total / (n + 1) : 0;
        if (n) assert_true(fabs((double)fit->boost->trees.leaves[at - n_nodes] - leaf) < 1e-5);
        return;
    }
    // cuts where a row's value is the first on the right
    for (int k = 0; k < INPUTS; k++)
        for (int i = 0; i < n; i++) {
            const SlBoostNode cut = {.threshold = fit->x[rows[i] * INPUTS + k], .input = k};
            best = fmax(best, gain_at(fit, n, rows, grad, cut));
        }
    const SlBoostNode node = fit->boost->trees.nodes[at];
    const double gain = gain_at(fit, n, rows, grad, node);
    assert_true(gain >= best - 1e-4 - 1e-5 * best);
    assert_int_equal(node.threshold<INFINITY, gain> 1e-4);
    int left = 0;
    for (int i = 0; i < n; i++) {
        const int row = rows[i];
        if (fit->x[row * INPUTS + node.input] >= node.threshold) continue;
        rows[i] = rows[left];
        rows[left++] = row;
    }
    check_node(fit, 2 * at + 1, left, rows, grad);
    check_node(fit, 2 * at + 2, n - left, rows + left, grad);
}

static void every_split_is_the_best_of_all(void **state) {
    (void)state;
    static Fit fit;
    SlRng rng = begin("best");
    for (int trial = 0; trial < 20; trial++) {
        int rows[60];
        double grad[60];
        const int n = 60 - trial; // so few rows that no two values share a bin
        fit_init(&fit, n, 1 + trial % 4, &rng);
        for (int i = 0; i < n; i++) {
            rows[i] = i;
            grad[i] = (double)fit.boost->trees.start - (double)fit.y[i];
        }
        check_node(&fit, 0, n, rows, grad);
        sl_arena_free(&fit.arena);
    }
}

static float walk(const SlBoost *boost, const float *x) {
    const int n_nodes = (1 << boost->trees.depth) - 1;
    float sum = boost->trees.start;
    for (int t = 0; t < boost->trees.n_trees; t++) {
        int at = 0;
        while (at < n_nodes) {
            const SlBoostNode *node = &boost->trees.nodes[t * n_nodes + at];
            at = x[node->input] < node->threshold ? 2 * at + 1 : 2 * at + 2;
        }
        sum += boost->trees.leaves[t * (n_nodes + 1) + at - n_nodes];
    }
    return sum;
}

static void predictions_are_walks_and_the_margins_of_the_fit(void **state) {
    (void)state;
    static Fit fit;
    SlRng rng = begin("walk");
    for (int depth = 1; depth <= SL_BOOST_MAX_DEPTH; depth++) {
        fit_init(&fit, MOST - 3 * depth, depth, &rng);
        assert_int_equal(sl_boost_n_trees(fit.boost), 3);
        assert_memory_equal(fit.out, fit.boost->margin, (size_t)fit.n * sizeof *fit.out);
        for (int i = 0; i < fit.n; i++)
            assert_true(fit.out[i] == walk(fit.boost, fit.x + (size_t)i * INPUTS));
        // values that are thresholds themselves
        for (int t = 0; t < 3; t++) {
            float x[INPUTS] = {0}, out;
            const SlBoostNode *nodes = fit.boost->trees.nodes + t * ((1 << depth) - 1);
            for (int k = 0; k < (1 << depth) - 1; k++)
                if (nodes[k].threshold < INFINITY) x[nodes[k].input] = nodes[k].threshold;
            sl_boost_predict(fit.boost, 1, x, &out);
            assert_true(out == walk(fit.boost, x));
        }
        // any number of rows
        for (int n = 1; n < 20; n++) {
            float out[20] = {0};
            sl_boost_predict(fit.boost, n, fit.x, out);
            assert_memory_equal(out, fit.out, (size_t)n * sizeof *out);
            assert_true(out[n] == 0);
        }
        sl_arena_free(&fit.arena);
    }
}

static void the_most_inputs_are_predicted_too(void **state) {
    (void)state;
    enum { N = 70, WIDTH = SL_BOOST_MAX_INPUTS };
    static float x[N * WIDTH], y[N], out[N];
    SlArena arena;
    SlRng rng = begin("wide");
    sl_arena_init(&arena, 0);
    SlBoost *boost = sl_boost_make(WIDTH, N, 10, &arena);
    assert_non_null(boost);
    for (int i = 0; i < N * WIDTH; i++) x[i] = (float)sl_rng_normal(&rng);
    for (int i = 0; i < N; i++) y[i] = x[i * WIDTH + WIDTH - 1];
    SlBoostOptions options = sl_boost_defaults();
    options.loss = SL_BOOST_SQUARED;
    sl_boost_fit(boost, &options, N, x, y, NULL, NULL);
    sl_boost_predict(boost, N, x, out);
    assert_int_equal(boost->trees.nodes[0].input, WIDTH - 1);
    for (int i = 0; i < N; i++) assert_true(out[i] == walk(boost, x + (size_t)i * WIDTH));
    sl_arena_free(&arena);
}

// --- Recall

// rows before row i: of larger predictions, of equal ones those of worse targets, then the first
static int place_of(int n, const float *p, const float *y, int i) {
    int place = 0;
    for (int j = 0; j < n; j++) {
        const bool worse = y[j] < y[i] || (y[j] == y[i] && j < i);
        place += p[j] > p[i] || (p[j] == p[i] && worse);
    }
    return place;
}

static double naive_recall(int n, const float *p, const float *y, int top) {
    static int rank[MOST]; // of targets, by place
    double sum = 0;
    const int most = top < n ? top : n;
    for (int i = 0; i < n; i++) {
        int above = 0;
        for (int j = 0; j < n; j++) above += y[j] > y[i];
        rank[place_of(n, p, y, i)] = above;
    }
    for (int m = 0; m < most; m++) {
        int found = 0;
        for (int i = 0; i < m; i++) found += rank[i] <= m;
        sum += found / (m + 1.0);
    }
    return sum / most;
}

static void recall_is_that_of_the_definition(void **state) {
    (void)state;
    static float p[MOST], y[MOST];
    static uint64_t scratch[3 * MOST];
    SlRng rng = begin("recall");
    for (int trial = 0; trial < 60; trial++) {
        const int n = 1 + (int)sl_rng_below(&rng, 150), top = 1 + (int)sl_rng_below(&rng, 100);
        const float grain = trial % 3 ? 1e4F : 3; // many equal numbers
        for (int i = 0; i < n; i++) {
            y[i] = roundf((float)sl_rng_normal(&rng) * grain);
            p[i] = roundf((y[i] / grain + (float)sl_rng_normal(&rng)) * grain);
        }
        const double naive = naive_recall(n, p, y, top);
        assert_true(fabs(sl_boost_recall(n, p, y, top, scratch) - naive) < 1e-12);
    }
}

static void recall_knows_the_best_and_the_worst(void **state) {
    (void)state;
    float p[200], y[200];
    uint64_t scratch[600];
    double most = 0;
    for (int m = 0; m < 64; m++) most += m / (m + 1.0) / 64;
    for (int i = 0; i < 200; i++) {
        y[i] = (float)(i * 77 % 200);
        p[i] = -y[i];
    }
    assert_true(fabs(sl_boost_recall(200, y, y, 64, scratch) - most) < 1e-12);
    assert_true(fabs(most - 0.926) < 1e-3);
    assert_true(sl_boost_recall(200, p, y, 64, scratch) == 0);
    // a constant knows nothing
    for (int i = 0; i < 200; i++) p[i] = 1;
    assert_true(sl_boost_recall(200, p, y, 64, scratch) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squared_gradients_are_finite_differences),
        cmocka_unit_test(gradients_of_pairs_are_finite_differences),
        cmocka_unit_test(hessians_of_a_pair_are_its_curvature_as_it_parts),
        cmocka_unit_test(pairs_are_uniform_over_unequal_targets),
        cmocka_unit_test(words_are_sorted_and_equals_keep_their_order),
        cmocka_unit_test(bins_are_single_values_or_hold_equal_shares),
        cmocka_unit_test(a_frequent_value_leaves_bins_to_others),
        cmocka_unit_test(a_split_is_that_of_the_hand),
        cmocka_unit_test(both_sides_have_enough_rows),
        cmocka_unit_test(equal_splits_go_to_the_first_input),
        cmocka_unit_test(neighbouring_floats_are_told_apart),
        cmocka_unit_test(every_split_is_the_best_of_all),
        cmocka_unit_test(predictions_are_walks_and_the_margins_of_the_fit),
        cmocka_unit_test(the_most_inputs_are_predicted_too),
        cmocka_unit_test(recall_is_that_of_the_definition),
        cmocka_unit_test(recall_knows_the_best_and_the_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
