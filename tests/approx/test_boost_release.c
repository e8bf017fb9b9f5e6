// test_boost_release.c - the optimised boosted trees: every instruction set gives the same bits, a
// fit takes milliseconds, and nothing is allocated on the way.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "approx/boost_inside.h"
#include "support/check.h"

// plain_boost.c
void plain_boost_fit(SlBoost *boost, const SlBoostOptions *options, int n, const float *x,
                     const float *y, const float *base, SlRng *rng);
void plain_boost_predict(const SlBoost *boost, int n, const float *x, float *out);

static long n_allocations; // of the whole process since the start

#if defined(__GLIBC__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);

// our definitions come before those of the C library, for the library under test as well
void *malloc(size_t size) {
    n_allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    n_allocations++;
    return __libc_calloc(n, size);
}
#endif

enum { N = 1000, ASKED = 10000, INPUTS = 40, ROUNDS = 100 };

typedef struct {
    SlArena arena;
    SlBoost *boost;
    SlBoostOptions options;
    float *x, *y, *out; // (ASKED, INPUTS), (ASKED), (ASKED); the first N are fitted
} Rows;

// inputs of so many values, 0 = all differ
static void rows_init(Rows *rows, SlBoostLoss loss, int n_values) {
    SlRng rng;
    sl_rng_init(&rng, 1, "rows");
    *rows = (Rows){.options = sl_boost_defaults()};
    rows->options.loss = loss;
    rows->options.rounds = ROUNDS;
    rows->options.patience = ROUNDS; // measured, but never the reason to stop
    sl_arena_init(&rows->arena, 0);
    rows->boost = sl_boost_make(INPUTS, N, 2 * ROUNDS, &rows->arena);
    rows->x = SL_NEW(&rows->arena, ASKED * INPUTS, float);
    rows->y = SL_NEW(&rows->arena, ASKED, float);
    rows->out = SL_NEW(&rows->arena, ASKED, float);
    assert_true(rows->boost && rows->x && rows->y && rows->out);
    for (int i = 0; i < ASKED; i++) {
        float *x = rows->x + (size_t)i * INPUTS;
        for (int k = 0; k < INPUTS; k++)
            x[k] = n_values ? (float)sl_rng_below(&rng, (uint64_t)n_values)
                            : (float)sl_rng_normal(&rng);
        rows->y[i] = x[0] * x[1] + sinf(x[2]) + 0.1F * x[3] + 0.1F * (float)sl_rng_normal(&rng);
    }
}

static void fit(Rows *rows) {
    SlRng rng;
    sl_rng_init(&rng, 1, "fit");
    sl_boost_fit(rows->boost, &rows->options, N, rows->x, rows->y, NULL, &rng);
}

static void every_instruction_set_grows_the_same_trees(void **state) {
    (void)state;
    for (int trial = 0; trial < 8; trial++) {
        Rows chosen, plain;
        SlRng rng;
        rows_init(&chosen, (SlBoostLoss)(trial % 2), trial % 3 * 8);
        rows_init(&plain, (SlBoostLoss)(trial % 2), trial % 3 * 8);
        chosen.options.depth = plain.options.depth = 1 + trial / 2;
        fit(&chosen);
        sl_boost_predict(chosen.boost, ASKED, chosen.x, chosen.out);
        sl_rng_init(&rng, 1, "fit");
        plain_boost_fit(plain.boost, &plain.options, N, plain.x, plain.y, NULL, &rng);
        plain_boost_predict(plain.boost, ASKED, plain.x, plain.out);
        assert_int_equal(chosen.boost->trees.n_trees, ROUNDS);
        assert_int_equal(plain.boost->trees.n_trees, ROUNDS);
        const size_t n_leaves = (size_t)ROUNDS << chosen.options.depth;
        assert_memory_equal(chosen.boost->trees.nodes, plain.boost->trees.nodes,
                            (n_leaves - ROUNDS) * sizeof(SlBoostNode));
        assert_memory_equal(chosen.boost->trees.leaves, plain.boost->trees.leaves,
                            n_leaves * sizeof(float));
        assert_memory_equal(chosen.out, plain.out, ASKED * sizeof(float));
        sl_arena_free(&chosen.arena);
        sl_arena_free(&plain.arena);
    }
}

static void fits_and_predictions_allocate_nothing(void **state) {
    (void)state;
    Rows rows;
    rows_init(&rows, SL_BOOST_RANK, 8);
#if defined(__GLIBC__)
    assert_true(n_allocations > 0);
#endif
    const long before = n_allocations;
    fit(&rows);
    sl_boost_predict(rows.boost, ASKED, rows.x, rows.out);
    assert_int_equal(n_allocations, before);
    sl_arena_free(&rows.arena);
}

// of the processor: other programs run, too
static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void a_fit_takes_milliseconds(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        Rows rows;
        double fit_ms = 1e9, predict_ms = 1e9; // the best of many
        rows_init(&rows, (SlBoostLoss)(trial % 2), trial / 2 * 8);
        for (int i = 0; i < 30; i++) {
            const double start = now_ms();
            fit(&rows);
            const double middle = now_ms();
            sl_boost_predict(rows.boost, ASKED, rows.x, rows.out);
            const double end = now_ms();
            fit_ms = fmin(fit_ms, middle - start);
            predict_ms = fmin(predict_ms, end - middle);
        }
        print_message("%s loss, inputs of %s values: %d trees on %d rows of %d inputs in %.1f ms, "
                      "predictions of %d rows in %.2f ms\n",
                      trial % 2 ? "rank" : "squared", trial / 2 ? "8" : "many", ROUNDS, N, INPUTS,
                      fit_ms, ASKED, predict_ms);
        assert_true(fit_ms < 40);    // 5 to 9 on an idle machine
        assert_true(predict_ms < 4); // 0.4 on an idle machine with AVX2
        sl_arena_free(&rows.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_grows_the_same_trees),
        cmocka_unit_test(fits_and_predictions_allocate_nothing),
        cmocka_unit_test(a_fit_takes_milliseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
