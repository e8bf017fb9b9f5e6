// test_gamma.c - generations of GAMMA: who is asked for, who has children, when it begins anew.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

enum { POPULATION = 20, MOST = 64 };

// what the authors' program does
#define PUBLISHED                                                                                  \
    "population=20 parents=0.4 elite=0.05 cross=0.57 reorder=0.47 mutate=0.53 trials=3 swap=0.1 "  \
    "grow=0.57 age=0.27 fine=0 ones=true patience=0"

// nothing but swaps of loops, repeats allowed
#define SWAPS_ONLY                                                                                 \
    "population=20 parents=0.4 elite=0.05 cross=0 reorder=1 mutate=0 swap=0 grow=0 age=0 "         \
    "ones=true patience=0 redraws=0"

typedef struct {
    World world;
    MethodRun run;
    int n_params;
    int32_t points[MOST * SL_MAX_PARAMS];
} Setup;

static void begin(Setup *setup, const char *changes) {
    world_make(&setup->world, RES18, "eyeriss");
    method_begin(&setup->run, &setup->world, "gamma", changes, 1);
    setup->n_params = setup->world.space.n_params;
}

static int ask(Setup *setup) {
    return setup->run.method->ask(setup->run.state, MOST, setup->points);
}

// tell the scores of the points that were just asked for
static void tell(Setup *setup, int n, const double *scores) {
    SlSample outcomes[MOST] = {0};
    for (int i = 0; i < n; i++) outcomes[i].score = scores[i];
    setup->run.method->tell(setup->run.state, n, setup->points, outcomes);
}

static int differing(const Setup *setup, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < setup->n_params; i++) n += a[i] != b[i];
    return n;
}

static void copy(const Setup *setup, int32_t *to, const int32_t *from) {
    memcpy(to, from, (size_t)setup->n_params * sizeof *to);
}

static bool inner_tiles_are_ones(const Setup *setup, const int32_t *point) {
    for (int i = 0; i < setup->n_params; i++) {
        const SlParam *param = &setup->world.space.params[i];
        if (param->role == SL_ROLE_TILE && param->level > 1 && point[i] > 0) return false;
    }
    return true;
}

static void a_generation_is_asked_for_as_a_whole(void **state) {
    (void)state;
    Setup setup;
    double scores[POPULATION] = {0};
    begin(&setup, PUBLISHED);
    for (int generation = 0; generation < 3; generation++) {
        assert_int_equal(ask(&setup), POPULATION);
        if (generation == 0)
            for (int i = 0; i < POPULATION; i++)
                assert_true(inner_tiles_are_ones(&setup, setup.points + i * setup.n_params));
        tell(&setup, POPULATION, scores);
    }
    world_free(&setup.world);
}

// the eight best of twenty; each child is one of them with a swap
static void children_descend_from_the_best(void **state) {
    (void)state;
    Setup setup;
    int32_t first[POPULATION * SL_MAX_PARAMS];
    double scores[POPULATION];
    int children_of[POPULATION] = {0};
    begin(&setup, SWAPS_ONLY);
    for (int i = 0; i < POPULATION; i++) scores[i] = (i * 7) % POPULATION; // a permutation
    ask(&setup);
    memcpy(first, setup.points, sizeof first);
    tell(&setup, POPULATION, scores);
    ask(&setup);
    for (int c = 0; c < POPULATION; c++)
        for (int i = 0; i < POPULATION; i++)
            if (differing(&setup, setup.points + c * setup.n_params, first + i * setup.n_params) ==
                1)
                children_of[i]++;
    int n = 0;
    for (int i = 0; i < POPULATION; i++) {
        n += children_of[i];
        if (scores[i] >= 8) assert_int_equal(children_of[i], 0);
    }
    assert_int_equal(n, POPULATION);
    world_free(&setup.world);
}

// children that are all worse: the elite remains the only parent
static void the_elite_keeps_its_score(void **state) {
    (void)state;
    Setup setup;
    int32_t best[SL_MAX_PARAMS];
    double scores[POPULATION];
    begin(&setup, SWAPS_ONLY " parents=0.05");
    for (int i = 0; i < POPULATION; i++) scores[i] = i == 5 ? 1 : 2;
    ask(&setup);
    copy(&setup, best, setup.points + 5 * setup.n_params);
    for (int generation = 0; generation < 4; generation++) {
        tell(&setup, POPULATION, scores);
        for (int i = 0; i < POPULATION; i++) scores[i] = 1.5;
        assert_int_equal(ask(&setup), POPULATION);
        for (int c = 0; c < POPULATION; c++)
            assert_int_equal(differing(&setup, setup.points + c * setup.n_params, best), 1);
    }
    world_free(&setup.world);
}

// a child as good as the elite takes its place
static void of_equal_scores_the_younger_goes_on(void **state) {
    (void)state;
    Setup setup;
    int32_t last[SL_MAX_PARAMS];
    double scores[POPULATION];
    begin(&setup, SWAPS_ONLY " parents=0.05");
    for (int i = 0; i < POPULATION; i++) scores[i] = 1;
    for (int generation = 0; generation < 4; generation++) {
        ask(&setup);
        if (generation > 0)
            for (int c = 0; c < POPULATION; c++)
                assert_int_equal(differing(&setup, setup.points + c * setup.n_params, last), 1);
        copy(&setup, last, setup.points + (POPULATION - 1) * setup.n_params);
        tell(&setup, POPULATION, scores);
    }
    world_free(&setup.world);
}

// two parents and crossing alone: every child has each tile from one of them
static void crossing_mixes_two_parents(void **state) {
    (void)state;
    Setup setup;
    int32_t a[SL_MAX_PARAMS], b[SL_MAX_PARAMS];
    double scores[POPULATION];
    int n_mixed = 0;
    begin(&setup, SWAPS_ONLY " parents=0.1 reorder=0 cross=1");
    for (int i = 0; i < POPULATION; i++) scores[i] = i;
    ask(&setup);
    copy(&setup, a, setup.points);
    copy(&setup, b, setup.points + setup.n_params);
    tell(&setup, POPULATION, scores);
    ask(&setup);
    for (int c = 0; c < POPULATION; c++) {
        const int32_t *child = setup.points + c * setup.n_params;
        for (int i = 0; i < setup.n_params; i++) assert_true(child[i] == a[i] || child[i] == b[i]);
        n_mixed += differing(&setup, child, a) > 0 && differing(&setup, child, b) > 0;
    }
    assert_true(n_mixed > POPULATION / 2);
    world_free(&setup.world);
}

static void points_told_before_the_first_ask_are_part_of_the_population(void **state) {
    (void)state;
    Setup setup;
    int32_t guest[SL_MAX_PARAMS] = {0};
    double scores[POPULATION];
    begin(&setup, SWAPS_ONLY " parents=0.05");
    for (int i = 0; i < setup.n_params; i++) guest[i] = setup.world.space.params[i].n / 2;
    const SlSample good = {.score = 0.5};
    sl_method_meet(setup.run.method, setup.run.state, 1, guest, &good);
    for (int i = 0; i < POPULATION; i++) scores[i] = 1;
    assert_int_equal(ask(&setup), POPULATION - 1);
    tell(&setup, POPULATION - 1, scores);
    assert_int_equal(ask(&setup), POPULATION);
    for (int c = 0; c < POPULATION; c++)
        assert_int_equal(differing(&setup, setup.points + c * setup.n_params, guest), 1);
    world_free(&setup.world);
}

// more guests than fit in: the best of them are kept
static void a_crowd_of_guests_leaves_the_best(void **state) {
    (void)state;
    Setup setup;
    int32_t guest[SL_MAX_PARAMS] = {0};
    begin(&setup, SWAPS_ONLY " parents=0.05");
    for (int k = 0; k < 500; k++) {
        guest[2] = k % setup.world.space.params[2].n;
        const SlSample outcome = {.score = k == 100 ? 1 : 5 + k % 7};
        guest[3] = k == 100;
        sl_method_meet(setup.run.method, setup.run.state, 1, guest, &outcome);
    }
    guest[2] = 100 % setup.world.space.params[2].n;
    guest[3] = 1;
    assert_int_equal(ask(&setup), POPULATION);
    for (int c = 0; c < POPULATION; c++)
        assert_int_equal(differing(&setup, setup.points + c * setup.n_params, guest), 1);
    world_free(&setup.world);
}

// children of a point with large inner tiles have such tiles; a new population has not
static void a_population_that_does_not_improve_is_given_up(void **state) {
    (void)state;
    Setup setup;
    int32_t guest[SL_MAX_PARAMS];
    double scores[POPULATION];
    begin(&setup, SWAPS_ONLY " parents=0.05 patience=3");
    for (int i = 0; i < setup.n_params; i++) guest[i] = setup.world.space.params[i].n - 1;
    const SlSample good = {.score = 0.5};
    sl_method_meet(setup.run.method, setup.run.state, 1, guest, &good);
    for (int i = 0; i < POPULATION; i++) scores[i] = 1;
    // a first population with the guest, three generations that bring nothing, another population
    for (int generation = 0; generation < 5; generation++) {
        int n = ask(&setup);
        bool ones = inner_tiles_are_ones(&setup, setup.points);
        assert_int_equal(ones, generation == 0 || generation == 4);
        tell(&setup, n, scores);
    }
    world_free(&setup.world);
}

static int64_t count_repeats(const MethodRun *run) {
    SlKeySet *seen = sl_keyset_make(0, &run->world->arena);
    int64_t n = 0;
    for (int64_t i = 0; i < run->n_points; i++) {
        SlMapping mapping;
        sl_space_mapping(&run->world->space, run->points + i * run->world->space.n_params, true,
                         &mapping);
        n += !sl_keyset_add(seen, sl_mapping_key(&run->world->layer, &mapping));
    }
    return n;
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run, careless;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "gamma", NULL, 1);
    method_begin(&careless, &world, "gamma", "redraws=0", 1);
    method_continue(&run, 2000, 16);
    method_continue(&careless, 2000, 16);
    assert_int_equal(count_repeats(&run), 0);
    assert_true(count_repeats(&careless) > 30);
    world_free(&world);
}

static double mean_log_best(const char *method, const char *changes) {
    double sum = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        World world;
        MethodRun run;
        world_make(&world, RES18, "eyeriss");
        method_begin(&run, &world, method, changes, seed);
        method_continue(&run, 500, 20);
        sum += log(sl_task_best(run.task)->outcome.value);
        world_free(&world);
    }
    return sum / 6;
}

static void it_beats_random_with_the_published_rates_too(void **state) {
    (void)state;
    double random = mean_log_best("random", NULL);
    assert_true(random - mean_log_best("gamma", NULL) > log(1.15));
    assert_true(random - mean_log_best("gamma", PUBLISHED) > log(1.05));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_generation_is_asked_for_as_a_whole),
        cmocka_unit_test(children_descend_from_the_best),
        cmocka_unit_test(the_elite_keeps_its_score),
        cmocka_unit_test(of_equal_scores_the_younger_goes_on),
        cmocka_unit_test(crossing_mixes_two_parents),
        cmocka_unit_test(points_told_before_the_first_ask_are_part_of_the_population),
        cmocka_unit_test(a_crowd_of_guests_leaves_the_best),
        cmocka_unit_test(a_population_that_does_not_improve_is_given_up),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(it_beats_random_with_the_published_rates_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
