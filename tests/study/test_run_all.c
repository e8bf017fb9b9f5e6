// test_run_all.c - many runs give what each gives alone, with any number of threads.
#include "support/check.h"

#include <stdatomic.h>
#include <string.h>

#include "study_help.h"

enum { RUNS = 12 };

static const char *const layers[] = {"conv:K=16,C=12,P=14,Q=14,R=3,S=3",
                                     "dw:G=24,P=28,Q=28,R=3,S=3", "gemm:M=64,N=48,K=96"};
enum { LAYERS = sizeof layers / sizeof layers[0] };

typedef struct {
    World worlds[LAYERS];
    SlRunSetup setups[RUNS];
    SlArena arenas[RUNS];
    SlRecord records[RUNS];
} Batch;

// all methods in turn on all layers, budgets of different lengths
static void batch_init(Batch *batch) {
    memset(batch, 0, sizeof *batch);
    for (int i = 0; i < LAYERS; i++) world_make(&batch->worlds[i], layers[i], "eyeriss");
    int n_methods = 0;
    while (sl_method_at(n_methods)) n_methods++;
    for (int i = 0; i < RUNS; i++) {
        const char *method = sl_method_at(i % n_methods)->name;
        batch->setups[i] = run_setup(&batch->worlds[i % LAYERS], "edp", method);
        batch->setups[i].seed = (uint64_t)i;
        batch->setups[i].budget.samples = 40 + 8 * (RUNS - i);
        sl_arena_init(&batch->arenas[i], 0);
    }
}

static void batch_free(Batch *batch) {
    for (int i = 0; i < RUNS; i++) sl_arena_free(&batch->arenas[i]);
    for (int i = 0; i < LAYERS; i++) world_free(&batch->worlds[i]);
}

static void batch_run(Batch *batch, int threads, SlWatch *watch, void *context) {
    SlPool *pool = sl_pool_make(threads);
    assert_non_null(pool);
    SlError err = {0};
    SlStatus status =
        sl_run_all(RUNS, batch->setups, pool, watch, context, batch->arenas, batch->records, &err);
    sl_pool_free(pool);
    if (status != SL_OK) fail_msg("%s", err.text);
}

static void any_number_of_threads_gives_the_same_records(void **state) {
    (void)state;
    static Batch one, two, four;
    batch_init(&one);
    batch_init(&two);
    batch_init(&four);
    batch_run(&one, 1, NULL, NULL);
    batch_run(&two, 2, NULL, NULL);
    batch_run(&four, 4, NULL, NULL);
    for (int i = 0; i < RUNS; i++) {
        assert_int_equal(one.records[i].samples, one.setups[i].budget.samples);
        assert_same_record(&one.records[i], &two.records[i]);
        assert_same_record(&one.records[i], &four.records[i]);
    }
    batch_free(&one);
    batch_free(&two);
    batch_free(&four);
}

static void a_run_among_many_is_the_run_alone(void **state) {
    (void)state;
    static Batch batch;
    batch_init(&batch);
    batch_run(&batch, 2, NULL, NULL);
    for (int i = 0; i < RUNS; i++) {
        SlRecord alone;
        assert_int_equal(sl_run(&batch.setups[i], NULL, NULL, &batch.arenas[i], &alone, NULL),
                         SL_OK);
        assert_same_record(&batch.records[i], &alone);
    }
    batch_free(&batch);
}

typedef struct {
    atomic_int finished[RUNS];
} Watchers;

// everyone is to stop from the first moment on
static bool watch_all(void *context, const SlProgress *progress) {
    Watchers *watchers = context;
    assert_in_range(progress->run, 0, RUNS - 1);
    if (progress->finished) atomic_fetch_add(&watchers->finished[progress->run], 1);
    return true;
}

static void after_an_interrupt_every_run_has_a_mapping(void **state) {
    (void)state;
    static Batch batch;
    static Watchers watchers;
    batch_init(&batch);
    for (int i = 0; i < RUNS; i++) batch.setups[i].budget.samples = INT64_C(1) << 40;
    batch_run(&batch, 2, watch_all, &watchers);
    for (int i = 0; i < RUNS; i++) {
        assert_int_equal(batch.records[i].stopped, SL_STOP_ASKED);
        assert_int_equal(batch.records[i].best.sample, 1);
        assert_true(batch.records[i].floor_multiple >= 1);
        assert_int_equal(atomic_load(&watchers.finished[i]), 1);
    }
    batch_free(&batch);
}

static void the_first_error_in_order_is_returned(void **state) {
    (void)state;
    static Batch batch;
    batch_init(&batch);
    SlAgents none = {0};
    batch.setups[7].budget = (SlBudget){0};
    batch.setups[3].agents = &none;
    SlPool *pool = sl_pool_make(2);
    assert_non_null(pool);
    SlError err = {0};
    SlStatus status =
        sl_run_all(RUNS, batch.setups, pool, NULL, NULL, batch.arenas, batch.records, &err);
    assert_int_equal(status, SL_EINPUT);
    assert_non_null(strstr(err.text, "agent"));
    sl_pool_free(pool);
    batch_free(&batch);
}

static void no_runs_are_no_trouble(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(2);
    assert_non_null(pool);
    assert_int_equal(sl_run_all(0, NULL, pool, NULL, NULL, NULL, NULL, NULL), SL_OK);
    sl_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_records),
        cmocka_unit_test(a_run_among_many_is_the_run_alone),
        cmocka_unit_test(after_an_interrupt_every_run_has_a_mapping),
        cmocka_unit_test(the_first_error_in_order_is_returned),
        cmocka_unit_test(no_runs_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
