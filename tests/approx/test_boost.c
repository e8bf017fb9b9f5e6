// test_boost.c - boosted trees as a whole: what they learn, when they stop, awkward rows.
// Losses, splits, bins, recall: test_boost_parts.c.
#include <math.h>
#include <string.h>

#include "approx/boost_inside.h"
#include "support/check.h"

enum { MOST = 600, ROUNDS = 200 };

// Rows of at most 4 inputs and what is predicted of them.
typedef struct {
    SlArena arena;
    SlBoost *boost;
    SlBoostOptions options;
    int n, n_inputs;
    float x[4 * MOST], y[MOST], base[MOST], out[MOST];
    uint64_t scratch[3 * MOST];
} Rows;

static Rows rows;

static void rows_init(int n, int n_inputs, SlBoostLoss loss) {
    rows = (Rows){.n = n, .n_inputs = n_inputs, .options = sl_boost_defaults()};
    rows.options.loss = loss;
    rows.options.rounds = ROUNDS;
    rows.options.patience = 0;
    sl_arena_init(&rows.arena, 0);
    rows.boost = sl_boost_make(n_inputs, n, ROUNDS, &rows.arena);
    assert_non_null(rows.boost);
}

static void rows_free(void) {
    sl_arena_free(&rows.arena);
}

static void fit(const float *base, uint64_t seed) {
    SlRng rng;
    sl_rng_init(&rng, seed, "fit");
    sl_boost_fit(rows.boost, &rows.options, rows.n, rows.x, rows.y, base, &rng);
    sl_boost_predict(rows.boost, rows.n, rows.x, rows.out);
}

static double worst_error(void) {
    double worst = 0;
    for (int i = 0; i < rows.n; i++)
        worst = fmax(worst, fabs((double)rows.out[i] - (double)rows.y[i]));
    return worst;
}

static double recall(const float *predicted) {
    return sl_boost_recall(rows.n, predicted, rows.y, 64, rows.scratch);
}

static void a_step_is_one_tree(void **state) {
    (void)state;
    rows_init(300, 2, SL_BOOST_SQUARED);
    rows.options.rate = 1;
    rows.options.lambda = 0;
    for (int i = 0; i < rows.n; i++) {
        rows.x[2 * i] = (float)(i * 7 % 60) / 60;
        rows.x[2 * i + 1] = (float)(i % 11);
        rows.y[i] = rows.x[2 * i] > 0.37F ? 2 : -1;
    }
    rows.options.depth = 1;
    fit(NULL, 1);
    assert_true(worst_error() < 1e-5);
    assert_int_equal(rows.boost->trees.nodes[0].input, 0);
    assert_true(fabsf(rows.boost->trees.nodes[0].threshold - 22.5F / 60) < 1e-6F);
    // what is left is rounding
    rows.options.rounds = 1;
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), 1);
    assert_true(worst_error() < 1e-5);
    rows_free();
}

static void xor_needs_depth_two(void **state) {
    (void)state;
    rows_init(400, 2, SL_BOOST_SQUARED);
    SlRng rng;
    sl_rng_init(&rng, 3, "xor");
    for (int i = 0; i < rows.n; i++) {
        const bool a = sl_rng_uniform(&rng) < 0.4, b = sl_rng_uniform(&rng) < 0.6;
        rows.x[2 * i] = a;
        rows.x[2 * i + 1] = b;
        rows.y[i] = a != b;
    }
    rows.options.depth = 1;
    fit(NULL, 1);
    assert_true(worst_error() > 0.3);
    rows.options.depth = 2;
    fit(NULL, 1);
    assert_true(worst_error() < 0.01);
    rows_free();
}

// a rising function of two inputs, noise, and an input that says nothing
static void fill_monotone(void) {
    SlRng rng;
    sl_rng_init(&rng, 5, "monotone");
    for (int i = 0; i < rows.n; i++) {
        for (int k = 0; k < 3; k++) rows.x[3 * i + k] = (float)sl_rng_uniform(&rng);
        const double a = (double)rows.x[3 * i], b = (double)rows.x[3 * i + 1];
        rows.y[i] = (float)(exp(3 * a) + 4 * b + 0.3 * sl_rng_normal(&rng));
    }
}

static void pairs_teach_an_order(void **state) {
    (void)state;
    rows_init(500, 3, SL_BOOST_RANK);
    fill_monotone();
    const double before = recall(rows.out);
    fit(NULL, 1);
    assert_true(before < 0.1);
    assert_true(recall(rows.out) > 0.75);
    // rows that were not seen, ranked by the same trees
    SlRng rng;
    int right = 0, n_pairs = 0;
    sl_rng_init(&rng, 6, "unseen");
    for (; n_pairs < 1000; n_pairs++) {
        float x[2][3], margin[2];
        double truth[2];
        for (int k = 0; k < 6; k++) x[k / 3][k % 3] = (float)sl_rng_uniform(&rng);
        for (int k = 0; k < 2; k++) truth[k] = exp(3 * (double)x[k][0]) + 4 * (double)x[k][1];
        sl_boost_predict(rows.boost, 2, x[0], margin);
        right += (margin[0] > margin[1]) == (truth[0] > truth[1]);
    }
    assert_true(right > 950);
    rows_free();
}

static void one_seed_is_one_model(void **state) {
    (void)state;
    static SlBoostNode nodes[8 * ROUNDS];
    static float leaves[8 * ROUNDS];
    rows_init(300, 3, SL_BOOST_RANK);
    fill_monotone();
    fit(NULL, 1);
    const int n_trees = sl_boost_n_trees(rows.boost);
    memcpy(nodes, rows.boost->trees.nodes, sizeof nodes);
    memcpy(leaves, rows.boost->trees.leaves, sizeof leaves);
    fit(NULL, 2);
    int others = 0;
    for (int i = 0; i < 8 * n_trees; i++) others += leaves[i] != rows.boost->trees.leaves[i];
    assert_true(others > n_trees);
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), n_trees);
    assert_memory_equal(nodes, rows.boost->trees.nodes, sizeof nodes);
    assert_memory_equal(leaves, rows.boost->trees.leaves, sizeof leaves);
    rows_free();
}

static void trees_correct_the_base(void **state) {
    (void)state;
    rows_init(400, 3, SL_BOOST_SQUARED);
    fill_monotone();
    // nothing is left to correct
    fit(rows.y, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), 0);
    assert_true(rows.out[0] == 0);
    // predictions leave the base out
    for (int i = 0; i < rows.n; i++) rows.base[i] = 100 - rows.y[i];
    fit(rows.base, 1);
    for (int i = 0; i < rows.n; i++) rows.out[i] += rows.base[i];
    assert_true(worst_error() < 1);
    rows_free();
}

static void an_order_builds_on_the_base(void **state) {
    (void)state;
    rows_init(400, 3, SL_BOOST_RANK);
    fill_monotone();
    // the base knows all about one input, the trees see the other alone
    for (int i = 0; i < rows.n; i++) {
        rows.base[i] = expf(3 * rows.x[3 * i]);
        rows.x[3 * i] = 0;
    }
    const double base_alone = recall(rows.base);
    fit(rows.base, 1);
    const double trees_alone = recall(rows.out);
    for (int i = 0; i < rows.n; i++) rows.out[i] += rows.base[i];
    assert_true(recall(rows.out) > base_alone + 0.05);
    assert_true(recall(rows.out) > trees_alone + 0.05);
    rows_free();
}

static void equal_targets_leave_nothing_to_learn(void **state) {
    (void)state;
    for (int loss = SL_BOOST_SQUARED; loss <= SL_BOOST_RANK; loss++) {
        rows_init(50, 3, (SlBoostLoss)loss);
        fill_monotone();
        for (int i = 0; i < rows.n; i++) rows.y[i] = -7;
        fit(NULL, 1);
        assert_int_equal(sl_boost_n_trees(rows.boost), 0);
        for (int i = 0; i < rows.n; i++)
            assert_true(rows.out[i] == (loss == SL_BOOST_SQUARED ? -7.0F : 0.0F));
        rows_free();
    }
}

static void equal_inputs_give_the_mean(void **state) {
    (void)state;
    for (int loss = SL_BOOST_SQUARED; loss <= SL_BOOST_RANK; loss++) {
        rows_init(50, 3, (SlBoostLoss)loss);
        fill_monotone();
        double mean = 0;
        for (int i = 0; i < 3 * rows.n; i++) rows.x[i] = i % 3 == 1 && i % 2 ? -0.0F : 0.0F;
        for (int i = 0; i < rows.n; i++) mean += (double)rows.y[i] / rows.n;
        fit(NULL, 1);
        assert_int_equal(sl_boost_n_trees(rows.boost), 0);
        assert_true(fabs((double)rows.out[0] - (loss == SL_BOOST_SQUARED ? mean : 0)) < 1e-4);
        rows_free();
    }
}

static void one_row_is_enough(void **state) {
    (void)state;
    for (int loss = SL_BOOST_SQUARED; loss <= SL_BOOST_RANK; loss++) {
        rows_init(1, 3, (SlBoostLoss)loss);
        fill_monotone();
        rows.options.patience = 3;
        fit(NULL, 1);
        assert_int_equal(sl_boost_n_trees(rows.boost), 0);
        assert_true(rows.out[0] == (loss == SL_BOOST_SQUARED ? rows.y[0] : 0));
        rows_free();
    }
}

// equal rows of different targets, no regularisation at all, numbers of all sizes
static void awkward_rows_stay_finite(void **state) {
    (void)state;
    static const float scales[] = {1e-30F, 1, 1e15F};
    for (int trial = 0; trial < 24; trial++) {
        rows_init(60, 3, (SlBoostLoss)(trial % 2));
        fill_monotone();
        const float scale = scales[trial / 2 % 3];
        for (int i = 0; i < 90; i++) rows.x[i + 90] = rows.x[i];
        for (int i = 0; i < 180; i++)
            rows.x[i] = (rows.x[i] - 0.5F) * (trial < 12 ? 1e38F : 1e-38F);
        for (int i = 0; i < 60; i++) rows.y[i] *= scale;
        if (trial >= 6) rows.options.lambda = rows.options.gamma = rows.options.child = 0;
        if (trial >= 18) rows.options.depth = 8;
        fit(NULL, 1);
        if (scale == 1) assert_true(sl_boost_n_trees(rows.boost) > 0);
        for (int i = 0; i < 60; i++) assert_true(isfinite(rows.out[i]));
        for (int i = 0; i < 30; i++) assert_true(rows.out[i] == rows.out[i + 30]);
        rows_free();
    }
}

static void fits_stop_without_patience_or_room(void **state) {
    (void)state;
    rows_init(400, 3, SL_BOOST_SQUARED);
    fill_monotone();
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), ROUNDS);
    rows.options.patience = 5;
    fit(NULL, 1);
    assert_in_range(sl_boost_n_trees(rows.boost), 6, ROUNDS - 1);
    // nothing grows in the last rounds, and it grew before them
    const int n_trees = sl_boost_n_trees(rows.boost);
    const double last = recall(rows.out);
    rows.options.patience = 0;
    rows.options.rounds = n_trees - 5;
    fit(NULL, 1);
    assert_true(recall(rows.out) >= last);
    rows.options.rounds = n_trees - 6;
    fit(NULL, 1);
    assert_true(recall(rows.out) < last);
    // a tree of depth 6 takes the room of eight
    rows.options.rounds = ROUNDS;
    rows.options.depth = 6;
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), ROUNDS / 8);
    rows_free();
}

static void patience_waits_for_growth_alone(void **state) {
    (void)state;
    rows_init(200, 1, SL_BOOST_SQUARED);
    for (int i = 0; i < rows.n; i++) {
        rows.x[i] = (float)i;
        rows.y[i] = i >= 150;
    }
    rows.options.patience = 5; // the first tree knows all
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), 6);
    // without a split, no number of rounds helps
    rows.options.patience = 0;
    rows.options.rounds = INT32_MAX;
    rows.options.gamma = 1e9;
    fit(NULL, 1);
    assert_int_equal(sl_boost_n_trees(rows.boost), 0);
    rows_free();
}

static void a_fit_forgets_the_one_before(void **state) {
    (void)state;
    static float first[MOST];
    rows_init(300, 3, SL_BOOST_SQUARED);
    sl_boost_predict(rows.boost, rows.n, rows.x, rows.out);
    assert_true(rows.out[0] == 0 && rows.out[299] == 0);
    fill_monotone();
    fit(NULL, 1);
    memcpy(first, rows.out, sizeof first);
    // fewer rows of other values, then the same again
    rows.options.depth = 2;
    rows.n = 40;
    for (int i = 0; i < rows.n; i++) rows.y[i] += 100;
    fit(NULL, 1);
    assert_true(worst_error() < 5);
    rows.options.depth = 3;
    rows.n = 300;
    fill_monotone();
    fit(NULL, 1);
    assert_memory_equal(first, rows.out, 300 * sizeof *first);
    rows_free();
}

// rows that a tree does not see get its leaves all the same: margins are those of the trees
static void trees_may_see_a_share_of_the_rows(void **state) {
    (void)state;
    rows_init(400, 2, SL_BOOST_SQUARED);
    rows.options.share = 0.4;
    for (int i = 0; i < rows.n; i++) {
        rows.x[2 * i] = (float)(i * 7 % 60) / 60;
        rows.x[2 * i + 1] = (float)(i % 11);
        rows.y[i] = rows.x[2 * i] + (rows.x[2 * i + 1] > 5 ? 1 : 0);
    }
    fit(NULL, 1);
    assert_true(worst_error() < 0.1);
    for (int i = 0; i < rows.n; i++)
        assert_true(fabsf(rows.boost->margin[i] - rows.out[i]) < 1e-4F);
    float first[MOST];
    memcpy(first, rows.out, sizeof first);
    fit(NULL, 1);
    assert_memory_equal(first, rows.out, (size_t)rows.n * sizeof *first);
    fit(NULL, 2);
    assert_memory_not_equal(first, rows.out, (size_t)rows.n * sizeof *first);
    rows_free();
}

static void a_margin_is_the_sum_of_its_leaves(void **state) {
    (void)state;
    for (int depth = 2; depth <= 6; depth += 2) {
        rows_init(200, 1, SL_BOOST_SQUARED);
        rows.options.depth = depth;
        for (int i = 0; i < rows.n; i++) {
            rows.x[i] = (float)i;
            rows.y[i] = sinf((float)i / 20);
        }
        fit(NULL, 1);
        const SlBoostTrees *trees = sl_boost_trees(rows.boost);
        for (int i = 0; i < rows.n; i += 17) {
            float sum = trees->start;
            for (int t = 0; t < trees->n_trees; t++) {
                int leaf = sl_boost_leaf(trees, t, rows.x + i);
                assert_in_range(leaf, 0, (1 << depth) - 1);
                sum += trees->leaves[(t << depth) + leaf];
            }
            assert_true(fabsf(sum - rows.out[i]) < 1e-5F);
        }
        rows_free();
    }
}

static void too_little_memory_is_said(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_non_null(sl_boost_make(5, 20, 10, &arena));
    const size_t needed = arena.used;
    sl_arena_free(&arena);
    for (size_t limit = 1; limit < needed; limit += 61) {
        sl_arena_init(&arena, limit);
        assert_null(sl_boost_make(5, 20, 10, &arena));
        assert_int_equal(arena.used, 0);
        sl_arena_free(&arena);
    }
    sl_arena_init(&arena, needed);
    assert_non_null(sl_boost_make(5, 20, 10, &arena));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_one_tree),
        cmocka_unit_test(xor_needs_depth_two),
        cmocka_unit_test(pairs_teach_an_order),
        cmocka_unit_test(one_seed_is_one_model),
        cmocka_unit_test(trees_correct_the_base),
        cmocka_unit_test(an_order_builds_on_the_base),
        cmocka_unit_test(equal_targets_leave_nothing_to_learn),
        cmocka_unit_test(equal_inputs_give_the_mean),
        cmocka_unit_test(one_row_is_enough),
        cmocka_unit_test(awkward_rows_stay_finite),
        cmocka_unit_test(fits_stop_without_patience_or_room),
        cmocka_unit_test(patience_waits_for_growth_alone),
        cmocka_unit_test(a_fit_forgets_the_one_before),
        cmocka_unit_test(trees_may_see_a_share_of_the_rows),
        cmocka_unit_test(a_margin_is_the_sum_of_its_leaves),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
