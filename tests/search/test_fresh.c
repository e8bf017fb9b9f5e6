// test_fresh.c - random orders are permutations, fair ones; what was seen is not drawn.
#include "search/fresh.h"

#include <string.h>

#include "search/task_run.h"

static void a_walk_comes_by_every_index_once(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 5, 17, 64, 480, 1000, 4097};
    for (int s = 0; s < 10; s++) {
        bool seen[5000] = {0};
        SlRng rng;
        SlIndexWalk walk;
        sl_rng_init(&rng, 1, "walk");
        sl_index_walk_init(&walk, sizes[s], &rng);
        for (int i = 0; i < sizes[s]; i++) {
            const int64_t index = sl_index_walk_next(&walk);
            assert_in_range(index, 0, sizes[s] - 1);
            assert_false(seen[index]);
            seen[index] = true;
        }
        assert_int_equal(sl_index_walk_next(&walk), -1);
        assert_int_equal(sl_index_walk_next(&walk), -1);
    }
}

// Every place of every index about equally often: 60 cells of 1000 +- 32 walks.
static void walks_are_fair(void **state) {
    (void)state;
    enum { N = 10, PLACES = 6, WALKS = 10000 };
    int counts[PLACES][N] = {{0}};
    SlRng rng;
    sl_rng_init(&rng, 1, "fair");
    for (int i = 0; i < WALKS; i++) {
        SlIndexWalk walk;
        sl_index_walk_init(&walk, N, &rng);
        for (int p = 0; p < PLACES; p++) counts[p][sl_index_walk_next(&walk)]++;
    }
    for (int p = 0; p < PLACES; p++)
        for (int i = 0; i < N; i++) assert_in_range(counts[p][i], 860, 1140);
}

static void the_largest_spaces_can_be_walked(void **state) {
    (void)state;
    SlRng rng;
    SlIndexWalk walk;
    sl_rng_init(&rng, 1, "walk");
    const int64_t n = (INT64_C(1) << 61) + 12345;
    sl_index_walk_init(&walk, n, &rng);
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        const int64_t index = sl_index_walk_next(&walk);
        assert_true(0 <= index && index < n);
        sum += (double)index / (double)n;
    }
    assert_in_range((int)sum, 450, 550);
}

static double one(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return 1;
}

static bool first_is_even(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[0] % 2 == 0;
}

static void begin(SlFresh *points, ToyTask *toy, bool check, uint64_t seed, SlArena *arena) {
    const SlMethodSetup setup = {.task = &toy->task, .seed = seed, .stream = "test", .budget = 100};
    toy->value = one;
    assert_true(sl_fresh_init(points, &setup, "name", check, arena));
}

static void what_was_seen_is_not_drawn(void **state) {
    (void)state;
    // few points, and more than are marked by a bit each
    static const int small[] = {6, 5}, large[] = {96, 96, 96, 96, 96};
    for (int which = 0; which < 2; which++) {
        ToyTask toy;
        SlArena arena;
        SlFresh points;
        int32_t point[SL_MAX_PARAMS];
        sl_arena_init(&arena, 0);
        toy_task_init(&toy, which ? 5 : 2, which ? large : small);
        begin(&points, &toy, false, 1, &arena);
        for (int i = 0; i < 15; i++) {
            assert_true(sl_fresh_draw(&points, point));
            assert_false(sl_fresh_has(&points, point));
            assert_true(sl_fresh_add(&points, point));
            assert_false(sl_fresh_add(&points, point));
            assert_true(sl_fresh_has(&points, point));
        }
        assert_int_equal(points.seen.n, 15);
        // another order of the same points meets those 15 as well
        SlFresh others;
        begin(&others, &toy, false, 2, &arena);
        for (int i = 0; i < 10; i++) {
            assert_true(sl_fresh_draw(&others, point));
            sl_fresh_add(&points, point);
        }
        int left = 0;
        while (left < 100 && sl_fresh_draw(&points, point)) {
            assert_true(sl_fresh_add(&points, point));
            left++;
        }
        if (which == 0) assert_int_equal(points.seen.n, 30);
        if (which == 1) assert_int_equal(left, 100);
        sl_arena_free(&arena);
    }
}

static void drawing_may_be_kept_to_what_passes(void **state) {
    (void)state;
    static const int values[] = {5, 4};
    ToyTask toy;
    SlArena arena;
    SlFresh points;
    int32_t point[SL_MAX_PARAMS];
    sl_arena_init(&arena, 0);
    toy_task_init(&toy, 2, values);
    toy.valid = first_is_even;
    begin(&points, &toy, true, 1, &arena);
    int n = 0;
    for (; sl_fresh_draw(&points, point); n++) assert_int_equal(point[0] % 2, 0);
    assert_int_equal(n, 12);
    sl_arena_free(&arena);
}

static void names_and_seeds_make_other_orders(void **state) {
    (void)state;
    static const int values[] = {90, 90};
    ToyTask toy;
    SlArena arena;
    sl_arena_init(&arena, 0);
    toy_task_init(&toy, 2, values);
    toy.value = one;
    int32_t points[4][2 * 8];
    for (int i = 0; i < 4; i++) {
        SlFresh space;
        const SlMethodSetup setup = {.task = &toy.task,
                                     .seed = i == 1 ? 2 : 1,
                                     .stream = i == 2 ? "other" : "test",
                                     .budget = 100};
        assert_true(sl_fresh_init(&space, &setup, i == 3 ? "b" : "a", false, &arena));
        for (int j = 0; j < 8; j++) assert_true(sl_fresh_draw(&space, points[i] + 2 * j));
    }
    for (int i = 1; i < 4; i++) assert_memory_not_equal(points[0], points[i], sizeof points[0]);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_comes_by_every_index_once),
        cmocka_unit_test(walks_are_fair),
        cmocka_unit_test(the_largest_spaces_can_be_walked),
        cmocka_unit_test(what_was_seen_is_not_drawn),
        cmocka_unit_test(drawing_may_be_kept_to_what_passes),
        cmocka_unit_test(names_and_seeds_make_other_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
