// test_pool.c - every item once, on every number of threads.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "support/check.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "starling/core/pool.h"

enum { N_ITEMS = 1000, MAX_THREADS = 8 };

typedef struct {
    int n_threads;
    int done[N_ITEMS];          // plain: an item belongs to one worker
    int by_worker[MAX_THREADS]; // plain: a slot belongs to one worker
    atomic_int bad;
} Work;

static void count_item(void *context, int item, int worker) {
    Work *work = context;
    if (item < 0 || item >= N_ITEMS || worker < 0 || worker >= work->n_threads) {
        atomic_fetch_add(&work->bad, 1);
        return;
    }
    work->done[item]++;
    work->by_worker[worker]++;
}

static void every_item_is_done_once(void **state) {
    (void)state;
    for (int n = 1; n <= MAX_THREADS; n++) {
        SlPool *pool = sl_pool_make(n);
        assert_non_null(pool);
        assert_int_equal(sl_pool_threads(pool), n);
        Work work = {.n_threads = n};
        sl_pool_run(pool, N_ITEMS, count_item, &work);
        int total = 0;
        for (int i = 0; i < N_ITEMS; i++) assert_int_equal(work.done[i], 1);
        for (int i = 0; i < n; i++) total += work.by_worker[i];
        assert_int_equal(total, N_ITEMS);
        assert_int_equal(atomic_load(&work.bad), 0);
        sl_pool_free(pool);
    }
}

static void many_rounds_follow_each_other(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(4);
    assert_non_null(pool);
    Work work = {.n_threads = 4};
    int expected[N_ITEMS] = {0};
    for (int round = 0; round < 2000; round++) {
        int n = round % 7;
        sl_pool_run(pool, n, count_item, &work);
        for (int i = 0; i < n; i++) expected[i]++;
        // what a round wrote is visible when it is over
        assert_memory_equal(work.done, expected, 8 * sizeof *expected);
    }
    assert_int_equal(atomic_load(&work.bad), 0);
    sl_pool_free(pool);
}

typedef struct {
    atomic_int arrived, workers; // workers: one bit each
} Meeting;

// waits until all workers have arrived, which only works if they run at the same time
static void meet(void *context, int item, int worker) {
    (void)item;
    Meeting *meeting = context;
    atomic_fetch_or(&meeting->workers, 1 << worker);
    atomic_fetch_add(&meeting->arrived, 1);
    for (time_t start = time(NULL); atomic_load(&meeting->arrived) < 3 && time(NULL) - start < 30;)
        sched_yield();
}

static void workers_run_at_the_same_time_under_their_own_numbers(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(3);
    Meeting meeting = {0};
    time_t start = time(NULL);
    sl_pool_run(pool, 3, meet, &meeting);
    assert_true(time(NULL) - start < 30);
    assert_int_equal(atomic_load(&meeting.arrived), 3);
    assert_int_equal(atomic_load(&meeting.workers), 7);
    sl_pool_free(pool);
}

// the caller is quick, the others are not
static void dawdle(void *context, int item, int worker) {
    meet(context, item, worker);
    if (worker > 0) nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    Meeting *meeting = context;
    atomic_fetch_add(&meeting->arrived, 1);
}

static void a_run_ends_when_the_slowest_item_is_done(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(3);
    Meeting meeting = {0};
    sl_pool_run(pool, 3, dawdle, &meeting);
    assert_int_equal(atomic_load(&meeting.arrived), 6);
    sl_pool_free(pool);
}

static void zero_threads_means_one_per_core(void **state) {
    (void)state;
    cpu_set_t set, one;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    SlPool *pool = sl_pool_make(0);
    assert_int_equal(sl_pool_threads(pool), CPU_COUNT(&set));
    sl_pool_free(pool);
    // only the cores this process may use count
    int first = 0;
    while (!CPU_ISSET(first, &set)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    pool = sl_pool_make(0);
    assert_int_equal(sl_pool_threads(pool), 1);
    sl_pool_free(pool);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
}

static void a_pool_without_work_can_be_freed(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) sl_pool_free(sl_pool_make(3));
    sl_pool_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(many_rounds_follow_each_other),
        cmocka_unit_test(workers_run_at_the_same_time_under_their_own_numbers),
        cmocka_unit_test(a_run_ends_when_the_slowest_item_is_done),
        cmocka_unit_test(zero_threads_means_one_per_core),
        cmocka_unit_test(a_pool_without_work_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
