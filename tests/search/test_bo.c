// test_bo.c - Bayesian optimisation: expected improvement, the trust region, batches, and what it
// finds in a few hundred samples.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "search/candidates.h"
#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

// --- expected improvement

// E max(best - s, 0) by the trapezoidal rule
static double improvement(double best, double mean, double deviation) {
    const int n = 400000;
    double low = mean - 14 * deviation, sum = 0;
    if (best <= low) return 0;
    double step = (best - low) / n;
    for (int i = 0; i < n; i++) {
        double z = (low + i * step - mean) / deviation;
        sum += (best - low - i * step) * exp(-0.5 * z * z);
    }
    return sum * step / deviation / sqrt(2 * acos(-1));
}

static void improvement_is_the_integral(void **state) {
    (void)state;
    for (int i = -4; i <= 12; i++) {
        double mean = 0.75 * i;
        double expected = log(improvement(1, mean, 0.8));
        double found = sl_log_improvement(1, mean, 0.64);
        if (!(fabs(found - expected) < 2e-3)) fail_msg("at %g: %g, not %g", mean, found, expected);
    }
    // a sure thing, and no advantage but the spread
    assert_true(fabs(sl_log_improvement(5, 2, 1e-12) - log(3)) < 1e-9);
    assert_true(fabs(sl_log_improvement(2, 2, 4) - log(2 / sqrt(2 * acos(-1)))) < 1e-12);
}

static void hopeless_candidates_are_still_compared(void **state) {
    (void)state;
    double last = INFINITY;
    for (int i = 0; i < 1000; i++) {
        double mean = i * 0.01 * exp(0.015 * i); // up to 3e7
        double gain = sl_log_improvement(0, mean, 0.01);
        assert_true(isfinite(gain) && gain < last);
        last = gain;
    }
}

// --- runs

static uint64_t key_of(const MethodRun *run, int64_t i) {
    const World *world = run->world;
    SlMapping mapping;
    sl_space_mapping(&world->space, run->points + i * world->space.n_params, true, &mapping);
    return sl_mapping_key(&world->layer, &mapping);
}

static int64_t count_repeats(const MethodRun *run, SlArena *arena) {
    SlKeySet *seen = sl_keyset_make(0, arena);
    int64_t n = 0;
    for (int64_t i = 0; i < run->n_points; i++) n += !sl_keyset_add(seen, key_of(run, i));
    return n;
}

// mean log of what a method finds, over some seeds
static double found_by(const char *method, const char *changes, int64_t n_samples) {
    enum { N_SEEDS = 3 };
    double sum = 0;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        World world;
        MethodRun run;
        world_make(&world, RES18, "eyeriss");
        method_begin(&run, &world, method, changes, seed);
        method_continue(&run, n_samples, 16);
        sum += log(sl_task_best(run.task)->outcome.value);
        world_free(&world);
    }
    return sum / N_SEEDS;
}

static void it_is_ahead_of_local_search_with_three_times_the_samples(void **state) {
    (void)state;
    assert_true(found_by("bo", NULL, 120) < found_by("local", NULL, 360) - log(1.03));
}

static void every_sight_helps(void **state) {
    (void)state;
    static const char *const sights[] = {"sight=point", "sight=plain", "sight=reuse",
                                         "sight=estimate"};
    double random = found_by("random", NULL, 80), point = 0;
    for (int i = 0; i < 4; i++) {
        double found = found_by("bo", sights[i], 80);
        if (i == 0) point = found;
        double limit = i == 0 ? random - log(1.2) : point - log(1.05);
        if (found > limit) fail_msg("%s: %g, above %g", sights[i], found, limit);
    }
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "bo", "single=20", 1);
    method_continue(&run, 500, 16);
    assert_int_equal(count_repeats(&run, &world.arena), 0);
    world_free(&world);
}

// a space of few nests is asked for as a whole, then repeated
static void a_small_space_is_exhausted(void **state) {
    (void)state;
    World world;
    MethodRun bo, random;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&bo, &world, "bo", "candidates=30", 1);
    method_begin(&random, &world, "random", NULL, 1);
    method_continue(&random, 15000, 64);
    int64_t n_nests = random.n_points - count_repeats(&random, &world.arena);
    method_continue(&bo, 8 * n_nests, 1);
    assert_int_equal(bo.n_points - count_repeats(&bo, &world.arena), n_nests);
    world_free(&world);
}

static void points_that_do_not_fit_are_data_too(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "bo", NULL, 1);
    run.task = world_task(&world, "edp", SL_ILLEGAL_PENALTY);
    const SlMethodSetup setup = {.task = run.task, .seed = 1, .stream = "test", .budget = 150};
    run.state =
        run.method->make(&setup, method_options(run.method, NULL, &world.arena), &world.arena);
    method_continue(&run, 150, 16);
    int legal = 0; // of the last hundred; of uniform points hardly any
    for (int64_t i = 50; i < 150; i++) {
        SlMapping mapping;
        legal +=
            sl_space_mapping(&world.space, run.points + i * world.space.n_params, false, &mapping);
    }
    assert_true(legal > 30);
    world_free(&world);
}

// --- told outcomes of our own

static int differing(const SlSpace *space, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < space->n_params; i++) n += a[i] != b[i];
    return n;
}

// One point scores 0, everything after it 1.
typedef struct {
    World world;
    MethodRun run;
    int32_t best[SL_MAX_PARAMS], points[64 * SL_MAX_PARAMS];
} Stuck;

static int ask_and_disappoint(Stuck *stuck, int room) {
    SlSample outcomes[64];
    for (int i = 0; i < 64; i++) outcomes[i] = (SlSample){.value = 3, .score = 1 + 0.01 * i};
    int n = stuck->run.method->ask(stuck->run.state, room, stuck->points);
    stuck->run.method->tell(stuck->run.state, n, stuck->points, outcomes);
    return n;
}

static void begin_stuck(Stuck *stuck, const char *changes) {
    SlSample outcomes[2] = {{.value = 1, .score = 0}, {.value = 3, .score = 1}};
    SlRng rng;
    world_make(&stuck->world, RES18, "eyeriss");
    method_begin(&stuck->run, &stuck->world, "bo", changes, 3);
    sl_rng_init(&rng, 1, "guests");
    sl_space_sample(&stuck->world.space, &rng, stuck->best);
    sl_space_sample(&stuck->world.space, &rng, stuck->points);
    sl_method_meet(stuck->run.method, stuck->run.state, 1, stuck->best, outcomes);
    sl_method_meet(stuck->run.method, stuck->run.state, 1, stuck->points, outcomes + 1);
}

// 15 parameters: 15, 7, 3, 1 may differ, then another region begins with random points
static void the_region_halves_and_begins_anew(void **state) {
    (void)state;
    enum { FAILURES = 6 };
    static const int radius[] = {15, 7, 3, 1};
    Stuck stuck;
    begin_stuck(&stuck, "failures=6 starts=5 uniform=0 more=0.8 batch=1");
    int n = 1; // samples after the best
    for (int r = 0; r < 4; r++) {
        int most = 0;
        for (; n < (r + 1) * FAILURES; n++) {
            assert_int_equal(ask_and_disappoint(&stuck, 16), 1);
            int apart = differing(&stuck.world.space, stuck.points, stuck.best);
            if (apart > most) most = apart;
        }
        if (most > radius[r]) fail_msg("%d differ, not %d", most, radius[r]);
        assert_true(most > radius[r] / 2 || r == 0);
    }
    assert_int_equal(ask_and_disappoint(&stuck, 16), 5);
    // the new one is around one of those
    assert_int_equal(ask_and_disappoint(&stuck, 16), 1);
    assert_true(differing(&stuck.world.space, stuck.points, stuck.best) > 1);
    world_free(&stuck.world);
}

static void better_samples_in_a_row_double_the_region(void **state) {
    (void)state;
    Stuck stuck;
    begin_stuck(&stuck, "failures=6 uniform=0 more=0.9 batch=1 successes=2 rounds=8");
    for (int n = 1; n < 19; n++) assert_int_equal(ask_and_disappoint(&stuck, 16), 1);
    assert_int_equal(differing(&stuck.world.space, stuck.points, stuck.best), 1);
    // from 1 to 3: two better ones, then what is asked for differs from the second by more than one
    int most = 0;
    for (int n = 0; n < 2; n++) {
        SlSample better = {.value = 0.5, .score = -1 - n};
        stuck.run.method->ask(stuck.run.state, 1, stuck.points);
        stuck.run.method->tell(stuck.run.state, 1, stuck.points, &better);
        memcpy(stuck.best, stuck.points, sizeof stuck.best);
    }
    for (int n = 0; n < 4; n++) {
        ask_and_disappoint(&stuck, 16);
        int apart = differing(&stuck.world.space, stuck.points, stuck.best);
        if (apart > most) most = apart;
    }
    assert_in_range(most, 2, 3);
    world_free(&stuck.world);
}

static void batches_grow_with_the_samples(void **state) {
    (void)state;
    Stuck stuck;
    begin_stuck(&stuck, "single=20 batch=3 failures=1000");
    int told = 2;
    while (told < 100) {
        int batch = 1 + told / 20 < 3 ? 1 + told / 20 : 3;
        int n = ask_and_disappoint(&stuck, 16);
        assert_in_range(n, 1, batch);
        assert_true(n == batch || told > 20); // what is believed may leave nothing to hope for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                assert_true(differing(&stuck.world.space,
                                      stuck.points + (ptrdiff_t)i * stuck.world.space.n_params,
                                      stuck.points + (ptrdiff_t)j * stuck.world.space.n_params));
        told += n;
    }
    world_free(&stuck.world);
}

static void random_points_come_first(void **state) {
    (void)state;
    World world;
    MethodRun run;
    int32_t points[64 * SL_MAX_PARAMS];
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "bo", "starts=23", 1);
    assert_int_equal(run.method->ask(run.state, 16, points), 16);
    assert_int_equal(run.method->ask(run.state, 16, points), 7);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(improvement_is_the_integral),
        cmocka_unit_test(hopeless_candidates_are_still_compared),
        cmocka_unit_test(it_is_ahead_of_local_search_with_three_times_the_samples),
        cmocka_unit_test(every_sight_helps),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(a_small_space_is_exhausted),
        cmocka_unit_test(points_that_do_not_fit_are_data_too),
        cmocka_unit_test(the_region_halves_and_begins_anew),
        cmocka_unit_test(better_samples_in_a_row_double_the_region),
        cmocka_unit_test(batches_grow_with_the_samples),
        cmocka_unit_test(random_points_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
