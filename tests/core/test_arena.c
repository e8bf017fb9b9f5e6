// test_arena.c - pieces are zeroed, aligned, limited, and gone after a rewind.
#include "support/check.h"

#include <string.h>

#include "starling/core/arena.h"
#include "starling/core/rng.h"

static void pieces_are_zeroed_and_aligned(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t n = 0; n < 300; n++) {
        size_t mark = sl_arena_mark(&arena);
        unsigned char *piece = SL_NEW(&arena, n, unsigned char);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % SL_ARENA_ALIGN, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(piece[i], 0);
        // used memory comes back dirty and must be zeroed again
        memset(piece, 0xAA, n);
        if (n % 3 == 0) sl_arena_rewind(&arena, mark);
    }
    sl_arena_free(&arena);
}

static void pieces_do_not_overlap(void **state) {
    (void)state;
    enum { N = 500 };
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 1, "arena");
    unsigned char *pieces[N];
    size_t sizes[N];
    for (int i = 0; i < N; i++) {
        sizes[i] = (size_t)sl_rng_range(&rng, 1, 5000);
        pieces[i] = SL_NEW(&arena, sizes[i], unsigned char);
        memset(pieces[i], i % 251, sizes[i]);
    }
    for (int i = 0; i < N; i++) {
        for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(pieces[i][j], i % 251);
    }
    sl_arena_free(&arena);
}

static void the_limit_holds_and_a_refusal_changes_nothing(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 1024);
    assert_non_null(SL_NEW(&arena, 900, char));
    assert_int_equal(arena.used, 928);
    assert_null(SL_NEW(&arena, 97, char));
    assert_null(SL_NEW(&arena, 1 << 20, char));
    assert_int_equal(arena.used, 928);
    assert_non_null(SL_NEW(&arena, 96, char));
    assert_null(SL_NEW(&arena, 1, char));
    sl_arena_free(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(SL_NEW(&arena, 900, char));
    sl_arena_free(&arena);
}

static void products_that_overflow_are_refused(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_null(sl_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(sl_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(sl_arena_alloc(&arena, (size_t)1 << 33, (size_t)1 << 33));
    assert_null(sl_arena_alloc(&arena, ((size_t)1 << 61) + 1, 8));
    assert_null(SL_NEW(&arena, -1, double));
    assert_null(sl_arena_text(&arena, "", SIZE_MAX));
    assert_int_equal(arena.used, 0);
    sl_arena_free(&arena);
}

static void what_came_before_a_mark_survives_the_rewind(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    int *kept = SL_NEW(&arena, 100, int);
    for (int i = 0; i < 100; i++) kept[i] = i;
    size_t mark = sl_arena_mark(&arena);
    for (int round = 0; round < 100; round++) {
        // small pieces in the same block and large ones in blocks of their own
        for (int i = 1; i < 20; i++) assert_non_null(SL_NEW(&arena, i * 997 * (round % 7), char));
        sl_arena_rewind(&arena, mark);
        assert_int_equal(arena.used, mark);
    }
    for (int i = 0; i < 100; i++) assert_int_equal(kept[i], i);
    sl_arena_rewind(&arena, 0);
    assert_int_equal(arena.used, 0);
    sl_arena_free(&arena);
}

static void a_rewind_in_a_loop_reuses_the_memory(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    char *first = SL_NEW(&arena, 100, char);
    for (int i = 0; i < 10; i++) {
        sl_arena_rewind(&arena, 0);
        assert_ptr_equal(SL_NEW(&arena, 100, char), first);
    }
    sl_arena_free(&arena);
}

static void large_blocks_are_given_back_by_the_rewind(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlArenaBlock *small = NULL;
    assert_non_null(SL_NEW(&arena, 10, char));
    small = arena.top;
    size_t mark = sl_arena_mark(&arena);
    assert_non_null(SL_NEW(&arena, 10 << 20, char));
    assert_ptr_not_equal(arena.top, small);
    sl_arena_rewind(&arena, mark);
    assert_ptr_equal(arena.top, small);
    // the same when the large block is the only one
    sl_arena_free(&arena);
    assert_non_null(SL_NEW(&arena, 10 << 20, char));
    sl_arena_rewind(&arena, 0);
    assert_null(arena.top);
    sl_arena_free(&arena);
}

static void a_copied_text_is_closed(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_string_equal(sl_arena_text(&arena, "starling", 4), "star");
    assert_string_equal(sl_arena_text(&arena, NULL, 0), "");
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_and_aligned),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(the_limit_holds_and_a_refusal_changes_nothing),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(what_came_before_a_mark_survives_the_rewind),
        cmocka_unit_test(a_rewind_in_a_loop_reuses_the_memory),
        cmocka_unit_test(large_blocks_are_given_back_by_the_rewind),
        cmocka_unit_test(a_copied_text_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
