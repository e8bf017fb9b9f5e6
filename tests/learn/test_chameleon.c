// test_chameleon.c - CHAMELEON's adaptive sampling: which knobs are clustered, how many centres pay
// off, what becomes of them.
#include "learn/chameleon.c"

#include "search/task_run.h"

enum { KNOBS = 4 };
static const int VALUES[KNOBS] = {5, 20, 3, 20};

typedef struct {
    SlArena arena;
    ToyTask toy;
    Chameleon c;
    Ranked best[64];
    int n;
} Bench;

static Bench w;

static bool third_is_0(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[2] == 0;
}

static int set_up(void **state) {
    (void)state;
    memset(&w, 0, sizeof w);
    sl_arena_init(&w.arena, 0);
    toy_task_init(&w.toy, KNOBS, VALUES);
    w.c = (Chameleon){.setup = {.task = &w.toy.task},
                      .o = {.plan = 64, .stride = 8, .knee = 2.5},
                      .space = &w.toy.space,
                      .arena = &w.arena};
    sl_rng_init(&w.c.rng, 1, "chameleon");
    w.c.asked = sl_keyset_make(256, &w.arena);
    w.c.plan = SL_NEW(&w.arena, 64 * KNOBS, int32_t);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&w.arena);
    return 0;
}

// ---- main knobs ----

static void check_main(int n, const int *values, int first, int second) {
    int found[2];
    toy_task_init(&w.toy, n, values);
    main_knobs(&w.c, found);
    assert_int_equal(found[0], first);
    assert_int_equal(found[1], second);
}

static void the_two_knobs_with_the_most_values_are_clustered(void **state) {
    (void)state;
    check_main(4, (const int[]){5, 20, 3, 20}, 1, 3);
    check_main(4, (const int[]){5, 20, 3, 21}, 3, 1);
    check_main(4, (const int[]){9, 8, 7, 6}, 0, 1);
    check_main(4, (const int[]){6, 7, 8, 9}, 3, 2);
    check_main(4, (const int[]){9, 6, 7, 8}, 0, 3);
    check_main(3, (const int[]){4, 4, 4}, 0, 1);
    check_main(1, (const int[]){4}, 0, 0);
}

// ---- the knee ----

// points (n) evenly around `spots` far from each other
static void scatter(int n, int spots, float *x) {
    for (int i = 0; i < n; i++) {
        x[2 * i] = (float)(100 * (i % spots)) + (float)(i / spots % 2);
        x[2 * i + 1] = (float)(i / spots / 2 % 2);
    }
}

static int centres_for(int n, const float *x, int stride, double knee) {
    static float centres[2 * 64];
    static int member[64];
    w.c.o.stride = stride;
    w.c.o.knee = knee;
    return centres_of(&w.c, n, x, centres, member);
}

static void centres_stop_growing_at_the_knee(void **state) {
    (void)state;
    float x[2 * 64];
    // four squares of 16 points: four centres leave 32, eight leave 16, which is half of it
    scatter(64, 4, x);
    assert_int_equal(centres_for(64, x, 4, 2.5), 8);
    // one square: two centres leave half of what one does
    scatter(64, 1, x);
    assert_int_equal(centres_for(64, x, 1, 2.5), 2);
    assert_true(centres_for(64, x, 1, 1.2) > 2);
}

static void there_are_no_more_centres_than_points(void **state) {
    (void)state;
    float x[2 * 64];
    scatter(64, 7, x);
    for (int n = 1; n <= 64; n++) {
        int k = centres_for(n, x, 8, 2.5);
        assert_in_range(k, 1, n);
        if (n >= 8) assert_int_equal(k % 8, 0);
        if (n < 8) assert_int_equal(k, n); // few points are all measured
    }
    w.c.o.plan = 10;
    assert_int_equal(centres_for(64, x, 8, 1), 8);
}

// ---- samples ----

static void add(int32_t a, int32_t b, int32_t c, int32_t d) {
    w.best[w.n++] = (Ranked){.point = {a, b, c, d}};
}

// centres have their main knobs from clusters, whole numbers, the others from the plan
static void samples_are_centres(void **state) {
    (void)state;
    for (int i = 0; i < 32; i++) add(1 + i % 2, 3 + i % 2 * 10, 2, 6 + i % 2 * 10);
    w.c.o.stride = 2;
    sample(&w.c, w.n, w.best);
    assert_in_range(w.c.n_plan, 2, 4);
    SlKeySet *seen = sl_keyset_make(64, &w.arena);
    for (int i = 0; i < w.c.n_plan; i++) {
        const int32_t *point = w.c.plan + (ptrdiff_t)i * KNOBS;
        assert_true(sl_keyset_add(seen, key_of(&w.c, point)));
        assert_true(sl_keyset_has(w.c.asked, key_of(&w.c, point)));
        assert_true(point[0] == 1 || point[0] == 2); // drawn apart from the cluster
        assert_true(point[1] == 3 || point[1] == 13);
        assert_int_equal(point[2], 2);
        assert_int_equal(point[3], point[1] + 3);
    }
}

static void others_may_be_the_most_frequent_values(void **state) {
    (void)state;
    for (int i = 0; i < 32; i++) add(i % 3 ? 4 : 0, i % 8, i % 5 ? 1 : 2, i % 8 * 2);
    w.c.o.others = 1;
    sample(&w.c, w.n, w.best);
    assert_true(w.c.n_plan >= 8);
    bool with_mode[8] = {false};
    for (int i = 0; i < w.c.n_plan; i++) {
        const int32_t *point = w.c.plan + (ptrdiff_t)i * KNOBS;
        bool first = !with_mode[point[1]];
        with_mode[point[1]] = true;
        // centres at one place are drawn apart from the second on
        if (first) assert_true(point[0] == 4 && point[2] == 1);
    }
}

static void samples_are_new_and_valid_where_that_is_asked(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) add(i % 5, i % 20, i % 3, 3 * i % 20);
    w.toy.valid = third_is_0;
    w.c.o.check = 1;
    for (int round = 0; round < 5; round++) {
        SlKeySet *before = sl_keyset_make(256, &w.arena);
        for (int64_t p = 0; p < w.toy.space.n_points; p++)
            if (sl_keyset_has(w.c.asked, (uint64_t)p)) sl_keyset_add(before, (uint64_t)p);
        w.c.n_plan = 0;
        sample(&w.c, w.n, w.best);
        assert_true(w.c.n_plan > 0);
        for (int i = 0; i < w.c.n_plan; i++) {
            const int32_t *point = w.c.plan + (ptrdiff_t)i * KNOBS;
            assert_int_equal(point[2], 0);
            assert_false(sl_keyset_has(before, key_of(&w.c, point)));
        }
    }
}

// ---- runs ----

static void sampling_measures_less_than_the_plan(void **state) {
    (void)state;
    const char *quick[] = {"walkers=16 steps=16 hidden=8",
                           "walkers=16 steps=16 hidden=8 sampling=off"};
    int asked[2];
    for (int i = 0; i < 2; i++) {
        static int32_t points[64 * SL_MAX_PARAMS];
        TaskRun run;
        SlTask *task = vta_layer_task("conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1", &w.arena);
        task_run_begin(&run, task, "chameleon", quick[i], 1, NULL);
        task_run_continue(&run, 64, 64);
        asked[i] = run.method->ask(run.state, 64, points);
        task_run_end(&run);
    }
    assert_int_equal(asked[1], 64);
    assert_in_range(asked[0], 4, 63);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(the_two_knobs_with_the_most_values_are_clustered),
        CASE(centres_stop_growing_at_the_knee),
        CASE(there_are_no_more_centres_than_points),
        CASE(samples_are_centres),
        CASE(others_may_be_the_most_frequent_values),
        CASE(samples_are_new_and_valid_where_that_is_asked),
        CASE(sampling_measures_less_than_the_plan),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
