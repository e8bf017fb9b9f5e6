// test_keyset.c - keys are there once added, whatever their number, and memory may run out.
#include "support/check.h"

#include "starling/core/keyset.h"
#include "starling/core/rng.h"

static void a_key_is_new_once(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlKeySet *set = sl_keyset_make(0, &arena);
    assert_non_null(set);
    const uint64_t keys[] = {0, 1, UINT64_MAX, 1ull << 63, 64, 128};
    for (size_t i = 0; i < 6; i++) {
        assert_false(sl_keyset_has(set, keys[i]));
        assert_true(sl_keyset_add(set, keys[i]));
        assert_true(sl_keyset_has(set, keys[i]));
        assert_false(sl_keyset_add(set, keys[i]));
    }
    assert_false(sl_keyset_has(set, 2));
    sl_arena_free(&arena);
}

// random keys, and neighbours, which linear probing likes least
static void it_grows_and_keeps_every_key(void **state) {
    (void)state;
    enum { N = 20000 };
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    SlKeySet *set = sl_keyset_make(10, &arena);
    sl_rng_init(&rng, 1, "keyset");
    for (uint64_t i = 0; i < N; i++) {
        assert_true(sl_keyset_add(set, sl_rng_next(&rng) | 1ull << 40));
        assert_true(sl_keyset_add(set, i));
    }
    sl_rng_init(&rng, 1, "keyset");
    for (uint64_t i = 0; i < N; i++) {
        assert_true(sl_keyset_has(set, sl_rng_next(&rng) | 1ull << 40));
        assert_false(sl_keyset_add(set, i));
    }
    assert_false(sl_keyset_has(set, N));
    assert_true(sl_arena_mark(&arena) <= (size_t)64 * 2 * N);
    sl_arena_free(&arena);
}

static void keys_that_find_no_room_stay_new(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 1024);
    SlKeySet *set = sl_keyset_make(0, &arena); // 64 slots, and no memory for 128
    assert_non_null(set);
    for (uint64_t key = 1; key <= 63; key++) assert_true(sl_keyset_add(set, key));
    for (uint64_t key = 64; key <= 200; key++) {
        assert_true(sl_keyset_add(set, key));
        assert_false(sl_keyset_has(set, key));
    }
    for (uint64_t key = 1; key <= 63; key++) assert_true(sl_keyset_has(set, key));
    sl_arena_free(&arena);
}

static void without_memory_there_is_no_set(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 200);
    assert_null(sl_keyset_make(0, &arena));
    sl_arena_free(&arena);
    sl_arena_init(&arena, 1 << 20);
    assert_null(sl_keyset_make(SIZE_MAX, &arena));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_new_once),
        cmocka_unit_test(it_grows_and_keeps_every_key),
        cmocka_unit_test(keys_that_find_no_room_stay_new),
        cmocka_unit_test(without_memory_there_is_no_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
