// test_region.c - which samples are kept, and what the process is told of them.
#include "approx/gp_inside.h"
#include "search/region.h"
#include "support/check.h"

#include <math.h>

enum { ROOM = 16 };

static SlRegion *make_region(SlArena *arena) {
    static const int group[1] = {0};
    const SlGpShape shape = {.n_inputs = 1, .group = group, .room = ROOM, .prior = {-1, 1, -6, 1}};
    sl_arena_init(arena, 0);
    SlRegion *region = sl_region_make(1, &shape, arena);
    assert_non_null(region);
    region->every = 1000;
    return region;
}

static void add(SlRegion *region, int32_t point, double score) {
    double x = point / 100.0;
    sl_region_add(region, &point, &x, score);
}

// scores 0, 5, 10, 15, 4, 9, ...: all different
static double score_of(int i) {
    return i * 5 % 16;
}

static void the_better_half_and_the_newest_quarter_stay(void **state) {
    (void)state;
    SlArena arena;
    SlRegion *region = make_region(&arena);
    for (int i = 0; i <= ROOM; i++) add(region, i, i < ROOM ? score_of(i) : 100);
    int row = 0;
    for (int i = 0; i < ROOM; i++) {
        if (score_of(i) >= 8 && i < 12) continue;
        assert_int_equal(region->points[row], i);
        assert_true(region->scores[row] == score_of(i) && region->inputs[row] == i / 100.0);
        row++;
    }
    assert_true(row >= 8 && row <= 12);
    assert_int_equal(region->n, row + 1);
    assert_int_equal(region->points[row], ROOM);
    assert_int_equal(region->told, ROOM + 1);
    sl_arena_free(&arena);
}

static void equal_scores_are_thinned_out_too(void **state) {
    (void)state;
    SlArena arena;
    SlRegion *region = make_region(&arena);
    for (int i = 0; i < 100; i++) {
        add(region, i, 1);
        sl_region_update(region);
        assert_in_range(region->n, 1, ROOM);
        assert_int_equal(sl_gp_n(region->gp), region->n);
    }
    assert_true(region->n < 100);
    sl_arena_free(&arena);
}

static void the_process_knows_what_is_kept(void **state) {
    (void)state;
    SlArena arena;
    SlRegion *region = make_region(&arena);
    for (int i = 0; i < 40; i++) {
        add(region, i, sin(i / 10.0));
        sl_region_update(region);
    }
    for (int i = 0; i < region->n; i++) {
        double mean, variance;
        sl_gp_predict(region->gp, 1, region->inputs + i, &mean, &variance);
        assert_true(fabs(mean - region->scores[i]) < 0.05);
    }
    sl_arena_free(&arena);
}

static void the_best_come_first_and_of_equals_the_newest(void **state) {
    (void)state;
    static const double scores[8] = {3, 1, 2, 1, 5, 0.5, 2, 9};
    SlArena arena;
    SlRegion *region = make_region(&arena);
    int rows[ROOM];
    assert_int_equal(sl_region_best(region, 4, rows), 0);
    for (int i = 0; i < 8; i++) add(region, i, scores[i]);
    assert_int_equal(sl_region_best(region, 4, rows), 4);
    static const int best[] = {5, 3, 1, 6, 2, 0, 4, 7};
    assert_memory_equal(rows, best, 4 * sizeof *rows);
    assert_int_equal(sl_region_best(region, ROOM, rows), 8);
    assert_memory_equal(rows, best, 8 * sizeof *rows);
    sl_arena_free(&arena);
}

static void fits_become_rarer(void **state) {
    (void)state;
    SlArena arena;
    SlRegion *region = make_region(&arena);
    region->every = 3;
    region->growth = 0.5;
    region->evaluations = 5;
    int fits = 0;
    double last = sl_gp_params(region->gp)[0];
    for (int i = 0; i < 100; i++) {
        add(region, i * 37 % 100, sin(i * 37 % 100 / 7.0));
        sl_region_update(region);
        fits += sl_gp_params(region->gp)[0] != last;
        last = sl_gp_params(region->gp)[0];
    }
    assert_in_range(fits, 5, 10);
    sl_region_clear(region);
    assert_true(sl_gp_params(region->gp)[0] == last);
    assert_true(region->n == 0 && region->told == 0 && sl_gp_n(region->gp) == 0);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_better_half_and_the_newest_quarter_stay),
        cmocka_unit_test(equal_scores_are_thinned_out_too),
        cmocka_unit_test(the_process_knows_what_is_kept),
        cmocka_unit_test(the_best_come_first_and_of_equals_the_newest),
        cmocka_unit_test(fits_become_rarer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
