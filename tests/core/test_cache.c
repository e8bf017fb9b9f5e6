// test_cache.c - simulated caches and TLBs against sequences counted by hand.
#include "core/cache_inside.h"
#include "support/check.h"

#include "starling/core.h"

typedef struct {
    SlArena arena;
    SlCache cache;
} Bench;

static void make(Bench *bench, int64_t n_units, int n_ways) {
    sl_arena_init(&bench->arena, 0);
    assert_true(sl_cache_make(&(SlCacheShape){n_units, n_ways, 6}, &bench->arena, &bench->cache));
}

// '1' where the unit was there
static void assert_touches(SlCache *cache, int n, const int *units, const char *there) {
    for (int i = 0; i < n; i++)
        assert_int_equal(sl_cache_touch(cache, (uint64_t)units[i]), there[i] == '1');
}

static void the_least_recently_used_unit_goes(void **state) {
    (void)state;
    Bench bench;
    make(&bench, 3, 3);
    // 4 takes the place of 2, since 1 was used again; then 2 that of 3
    static const int units[] = {1, 2, 3, 1, 4, 1, 3, 4, 1, 2, 3, 1};
    assert_touches(&bench.cache, 12, units, "000101111001");
    sl_arena_free(&bench.arena);
}

static void units_of_one_set_leave_the_others_alone(void **state) {
    (void)state;
    Bench bench;
    make(&bench, 8, 2); // four sets: 0, 4, 8, 12 share one; 1 and 5 another
    static const int units[] = {0, 4, 1, 5, 8, 0, 4, 1, 5, 12, 4, 8};
    assert_touches(&bench.cache, 12, units, "000000011010");
    sl_arena_free(&bench.arena);
}

static void one_way_is_a_direct_map(void **state) {
    (void)state;
    Bench bench;
    make(&bench, 4, 1);
    static const int units[] = {0, 0, 4, 0, 3, 3, 7, 1, 4, 0};
    assert_touches(&bench.cache, 10, units, "0100010000");
    sl_arena_free(&bench.arena);
}

static void a_level_of_nothing_misses_always(void **state) {
    (void)state;
    Bench bench;
    make(&bench, 0, 0);
    assert_false(sl_cache_touch(&bench.cache, 1));
    assert_false(sl_cache_touch(&bench.cache, 1));
    sl_arena_free(&bench.arena);
}

// L1 of 2 lines, L2 of 4, no L3; TLBs of 1 and 2 entries
static const SlCachesShape small = {.levels = {[SL_CACHE_L1] = {2, 2, 6},
                                               [SL_CACHE_L2] = {4, 4, 6},
                                               [SL_CACHE_TLB_4K] = {1, 1, 12},
                                               [SL_CACHE_WALK_4K] = {2, 2, 12},
                                               [SL_CACHE_TLB_2M] = {1, 1, 21},
                                               [SL_CACHE_WALK_2M] = {2, 2, 21}}};

static void levels_see_what_those_before_them_miss(void **state) {
    (void)state;
    SlArena arena;
    SlCaches caches;
    sl_arena_init(&arena, 0);
    assert_true(sl_caches_make(&small, &arena, &caches));
    // 130 bytes from 60 on: lines 0, 1 and 2
    sl_caches_touch(&caches, 60, 130, false);
    assert_int_equal(caches.reads, 3);
    assert_int_equal(caches.read_misses[SL_CACHE_L1], 3);
    assert_int_equal(caches.read_misses[SL_CACHE_L2], 3);
    assert_int_equal(caches.read_misses[SL_CACHE_L3], 3);
    assert_int_equal(caches.read_misses[SL_CACHE_TLB_4K], 1);
    // line 0 went from L1 (it has 1 and 2), not from L2; line 2 is in both
    sl_caches_touch(&caches, 128, 1, false);
    sl_caches_touch(&caches, 0, 4, true);
    assert_int_equal(caches.read_misses[SL_CACHE_L1], 3);
    assert_int_equal(caches.write_misses[SL_CACHE_L1], 1);
    assert_int_equal(caches.write_misses[SL_CACHE_L2], 0);
    assert_int_equal(caches.writes, 1);
    sl_caches_touch(&caches, 0, 0, false);
    assert_int_equal(caches.reads, 4);
    sl_arena_free(&arena);
}

static void pages_are_asked_for_once_a_piece(void **state) {
    (void)state;
    SlArena arena;
    SlCaches caches;
    sl_arena_init(&arena, 0);
    assert_true(sl_caches_make(&small, &arena, &caches));
    // pages 0, 1, 2 of 4 KiB, in one of 2 MiB; then page 1, which the second TLB still has, and 0,
    // which it has not
    sl_caches_touch(&caches, 0, 3 * 4096, false);
    sl_caches_touch(&caches, 4096, 8, false);
    sl_caches_touch(&caches, 0, 8, false);
    assert_int_equal(caches.read_misses[SL_CACHE_TLB_4K], 5);
    assert_int_equal(caches.read_misses[SL_CACHE_WALK_4K], 4);
    assert_int_equal(caches.read_misses[SL_CACHE_TLB_2M], 1);
    assert_int_equal(caches.read_misses[SL_CACHE_WALK_2M], 1);
    sl_caches_forget(&caches);
    sl_caches_touch(&caches, 1 << 21, 8, false);
    sl_caches_touch(&caches, 0, 8, false);
    assert_int_equal(caches.reads, 2);
    assert_int_equal(caches.read_misses[SL_CACHE_TLB_2M], 2);
    assert_int_equal(caches.read_misses[SL_CACHE_WALK_2M], 1);
    sl_arena_free(&arena);
}

// a cycle of one line more than fits misses always, of as many never, whatever the sets
static void cycles_fit_or_do_not(void **state) {
    (void)state;
    SlArena arena;
    SlCaches caches;
    sl_arena_init(&arena, 0);
    assert_true(sl_caches_make(&sl_caches_zen5, &arena, &caches));
    for (int round = 0; round < 3; round++) {
        sl_caches_forget(&caches);
        sl_caches_touch(&caches, 0, 48 * 1024 + (uint64_t)64 * 64, false);
    }
    // 13 lines in every set of 12 ways, 832 in all; the next level has them
    assert_int_equal(caches.read_misses[SL_CACHE_L1], 832);
    assert_int_equal(caches.read_misses[SL_CACHE_L2], 0);
    for (int round = 0; round < 2; round++) {
        sl_caches_forget(&caches);
        sl_caches_touch(&caches, 0, 48 * 1024, false);
    }
    assert_int_equal(caches.read_misses[SL_CACHE_L1], 0);
    for (int i = 0; i < SL_N_CACHE_LEVELS; i++) assert_non_null(sl_cache_level_names[i]);
    sl_arena_free(&arena);
}

static void too_little_memory_is_said(void **state) {
    (void)state;
    SlArena arena;
    SlCaches caches;
    sl_arena_init(&arena, 100000);
    assert_false(sl_caches_make(&sl_caches_zen5, &arena, &caches));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_unit_goes),
        cmocka_unit_test(units_of_one_set_leave_the_others_alone),
        cmocka_unit_test(one_way_is_a_direct_map),
        cmocka_unit_test(a_level_of_nothing_misses_always),
        cmocka_unit_test(levels_see_what_those_before_them_miss),
        cmocka_unit_test(pages_are_asked_for_once_a_piece),
        cmocka_unit_test(cycles_fit_or_do_not),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
