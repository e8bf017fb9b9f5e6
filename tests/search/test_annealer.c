// test_annealer.c - annealing on a cost model: the rule, the best points, when it stops.
#include "search/annealer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/task_run.h"

static const int VALUES[] = {20, 20, 20};

typedef struct {
    ToyTask toy;
    SlArena arena;
    SlFresh seen;
    SlAnnealer *annealer;
    int32_t points[256 * 3];
    int64_t found[256]; // their numbers
    int calls;          // of the model
} Bench;

static Bench world;

static double one(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return 1;
}

static void begin(SlAnnealerSetup setup, bool check) {
    sl_arena_init(&world.arena, 0);
    toy_task_init(&world.toy, 3, VALUES);
    world.toy.value = one;
    world.calls = 0;
    const SlMethodSetup method = {
        .task = &world.toy.task, .seed = 1, .stream = "test", .budget = 100};
    assert_true(sl_fresh_init(&world.seen, &method, "anneal", check, &world.arena));
    world.annealer = sl_annealer_make(world.seen.space, &setup, &world.arena);
    assert_non_null(world.annealer);
}

static void end(void) {
    sl_arena_free(&world.arena);
}

// distinct scores, best at (7, 7, 7)
static double score(const int32_t *point) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum -= abs(point[k] - 7) * (1 + 0.013 * k) + 0.001 * point[k];
    return sum;
}

static void hill(void *context, int n, const int32_t *points, double *scores) {
    (void)context;
    world.calls++;
    for (int i = 0; i < n; i++) scores[i] = score(points + (ptrdiff_t)3 * i);
}

static void flat(void *context, int n, const int32_t *points, double *scores) {
    (void)context, (void)points;
    world.calls++;
    for (int i = 0; i < n; i++) scores[i] = 0;
}

static int find(SlPointModel *model) {
    const int n = sl_annealer_find(world.annealer, &world.seen, model, NULL, world.points);
    for (int i = 0; i < n; i++)
        world.found[i] = sl_space_index(world.seen.space, world.points + (ptrdiff_t)3 * i);
    return n;
}

// u < exp(min((to - from) / (t + 1e-5), 1))
static void better_points_are_always_taken_and_worse_ones_while_it_is_warm(void **state) {
    (void)state;
    const double surely = nextafter(1, 0);
    assert_true(sl_anneal_accepts(0, 1, 1, surely));
    assert_true(sl_anneal_accepts(0, 0, 1, surely));
    assert_true(sl_anneal_accepts(0, 1e9, 0, surely)); // no overflow
    assert_true(sl_anneal_accepts(1, 0, 1, 0.367));
    assert_false(sl_anneal_accepts(1, 0, 1, 0.369)); // exp(-1) = 0.3679
    assert_true(sl_anneal_accepts(1, 0.5, 0.25, 0.135));
    assert_false(sl_anneal_accepts(1, 0.5, 0.25, 0.136)); // exp(-2) = 0.1353
    assert_false(sl_anneal_accepts(1, 0.999, 0, 1e-30));  // 1e-5 keeps it finite: exp(-100)
    assert_true(sl_anneal_accepts(1, 1 - 1e-5, 0, 0.36));
}

static int64_t best_index(int rank) { // the rank-th best of all points, by listing
    static double scores[8000];
    static bool taken[8000];
    int64_t best = -1;
    memset(taken, 0, sizeof taken);
    for (int64_t i = 0; i < 8000; i++) {
        int32_t point[3];
        sl_space_at(world.seen.space, i, point);
        scores[i] = score(point);
    }
    for (int r = 0; r <= rank; r++) {
        best = -1;
        for (int64_t i = 0; i < 8000; i++)
            if (!taken[i] && (best < 0 || scores[i] > scores[best])) best = i;
        taken[best] = true;
    }
    return best;
}

static void the_best_points_are_found_in_their_order(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 64, .steps = 1500, .patience = 1500, .most = 10}, false);
    assert_int_equal(find(hill), 10);
    for (int i = 0; i < 10; i++) assert_int_equal(world.found[i], best_index(i));
    end();
}

static void points_that_were_seen_or_fail_are_left_out(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 64, .steps = 1500, .patience = 1500, .most = 5}, false);
    int32_t point[3];
    for (int i = 0; i < 3; i++) {
        sl_space_at(world.seen.space, best_index(i), point);
        sl_fresh_add(&world.seen, point);
    }
    assert_int_equal(find(hill), 5);
    for (int i = 0; i < 5; i++) assert_int_equal(world.found[i], best_index(i + 3));
    end();
}

static bool last_is_even(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[2] % 2 == 0;
}

static void with_check_points_that_fail_are_left_out(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 64, .steps = 500, .patience = 500, .most = 50}, true);
    world.toy.valid = last_is_even;
    assert_int_equal(find(hill), 50);
    for (int i = 0; i < 50; i++) {
        int32_t point[3];
        sl_space_at(world.seen.space, world.found[i], point);
        assert_int_equal(point[2] % 2, 0);
    }
    end();
}

// On a flat model the heap fills up and then never changes.
static void it_stops_when_the_best_do_not_change(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 8, .steps = 500, .patience = 50, .most = 64}, false);
    assert_int_equal(find(flat), 64);
    const int filled = 64 / 8 - 1; // steps after the first points; a few of them met known points
    assert_in_range(sl_annealer_steps(world.annealer), filled + 49, filled + 54);
    assert_int_equal(world.calls, sl_annealer_steps(world.annealer) + 1);
    end();
}

static void it_stops_after_its_steps(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 4, .steps = 30, .patience = 50, .most = 256}, false);
    const int n = find(flat);
    assert_int_equal(sl_annealer_steps(world.annealer), 30);
    assert_in_range(n, 60, 31 * 4); // no more than were scored, all distinct
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) assert_int_not_equal(world.found[i], world.found[j]);
    end();
}

enum { STEPS = 2000 };
static double means[STEPS + 1]; // of the points that were scored, call by call

static void gentle(void *context, int n, const int32_t *points, double *scores) {
    hill(context, n, points, scores);
    double *mean = &means[world.calls - 1];
    *mean = 0;
    for (int i = 0; i < n; i++) *mean += (scores[i] *= 0.2) / n;
}

static double mean_of(int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; i++) sum += means[i] / (end - begin);
    return sum;
}

// Steps of 0.2 hardly matter at temperature 1; at the end all walks are near the top.
static void it_cools_down(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 32, .steps = STEPS, .patience = STEPS, .most = 8}, false);
    find(gentle);
    assert_int_equal(world.calls, STEPS + 1);
    const double hot = mean_of(100, 300), half = mean_of(900, 1100), cold = mean_of(1900, 2000);
    assert_true(hot < half - 0.1);
    assert_true(half < cold - 0.1);
    end();
}

// The best of the first points alone, whatever order they come in.
static void a_small_heap_keeps_the_best(void **state) {
    (void)state;
    int64_t all[128];
    begin((SlAnnealerSetup){.chains = 128, .steps = 0, .patience = 1, .most = 128}, false);
    assert_int_equal(find(hill), 128);
    memcpy(all, world.found, sizeof all);
    end();
    begin((SlAnnealerSetup){.chains = 128, .steps = 0, .patience = 1, .most = 40}, false);
    assert_int_equal(find(hill), 40);
    assert_memory_equal(world.found, all, 40 * sizeof *all);
    end();
}

// Without steps only the chains' own points can be found: they are where the last search left them.
static void chains_go_on_where_they_were(void **state) {
    (void)state;
    begin((SlAnnealerSetup){.chains = 16, .steps = 0, .patience = 50, .most = 64}, false);
    assert_int_equal(find(hill), 16);
    int64_t first[16];
    memcpy(first, world.found, sizeof first);
    assert_int_equal(find(hill), 16);
    assert_memory_equal(first, world.found, sizeof first);
    end();
}

static void a_space_of_one_point_is_no_trap(void **state) {
    (void)state;
    static const int one_value[] = {1};
    SlArena arena;
    ToyTask toy;
    SlFresh seen;
    sl_arena_init(&arena, 0);
    toy_task_init(&toy, 1, one_value);
    const SlMethodSetup method = {.task = &toy.task, .seed = 1, .stream = "test", .budget = 100};
    assert_true(sl_fresh_init(&seen, &method, "anneal", false, &arena));
    const SlAnnealerSetup setup = {.chains = 4, .steps = 10, .patience = 50, .most = 8};
    SlAnnealer *annealer = sl_annealer_make(seen.space, &setup, &arena);
    assert_int_equal(sl_annealer_find(annealer, &seen, flat, NULL, world.points), 1);
    assert_int_equal(world.points[0], 0);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_points_are_always_taken_and_worse_ones_while_it_is_warm),
        cmocka_unit_test(the_best_points_are_found_in_their_order),
        cmocka_unit_test(points_that_were_seen_or_fail_are_left_out),
        cmocka_unit_test(with_check_points_that_fail_are_left_out),
        cmocka_unit_test(it_stops_when_the_best_do_not_change),
        cmocka_unit_test(it_stops_after_its_steps),
        cmocka_unit_test(it_cools_down),
        cmocka_unit_test(a_small_heap_keeps_the_best),
        cmocka_unit_test(chains_go_on_where_they_were),
        cmocka_unit_test(a_space_of_one_point_is_no_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
