// test_tpe.c - the Parzen estimator proposes what good points have and others have not.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

enum { MOST = 64, FIRST_SIZE = 2 }; // the parameter that cases look at: a tile of L2

typedef struct {
    World world;
    MethodRun run;
    int n_params;
    int32_t points[MOST * SL_MAX_PARAMS];
} Setup;

static void begin(Setup *setup, const char *changes) {
    world_make(&setup->world, RES18, "eyeriss");
    method_begin(&setup->run, &setup->world, "tpe", changes, 1);
    setup->n_params = setup->world.space.n_params;
    assert_int_equal(setup->world.space.params[FIRST_SIZE].kind, SL_ORDINAL);
}

static int ask(Setup *setup, int room) {
    return setup->run.method->ask(setup->run.state, room, setup->points);
}

static void tell(Setup *setup, int n, const int32_t *points, double score) {
    SlSample outcomes[MOST];
    for (int i = 0; i < n; i++) outcomes[i] = (SlSample){.score = score};
    setup->run.method->tell(setup->run.state, n, points, outcomes);
}

static void meet(Setup *setup, const int32_t *guest, double score) {
    const SlSample outcome = {.score = score};
    sl_method_meet(setup->run.method, setup->run.state, 1, guest, &outcome);
}

static void starts_come_at_once_and_proposals_one_by_one(void **state) {
    (void)state;
    Setup setup;
    begin(&setup, "starts=12");
    assert_int_equal(ask(&setup, 5), 5);
    tell(&setup, 5, setup.points, 1);
    assert_int_equal(ask(&setup, MOST), 7);
    tell(&setup, 7, setup.points, 1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ask(&setup, MOST), 1);
        tell(&setup, 1, setup.points, 1);
    }
    world_free(&setup.world);
}

// good points have the largest size, others the smallest: how often is a large one proposed?
static int large_ones(const char *changes, double low, double high) {
    Setup setup;
    SlRng rng;
    int n = 0;
    begin(&setup, changes);
    sl_rng_init(&rng, 1, "guests");
    const int32_t last = setup.world.space.params[FIRST_SIZE].n - 1;
    for (int i = 0; i < 100; i++) {
        int32_t guest[SL_MAX_PARAMS];
        sl_space_sample(&setup.world.space, &rng, guest);
        guest[FIRST_SIZE] = i % 10 ? 0 : last;
        meet(&setup, guest, i % 10 ? high : low);
    }
    for (int i = 0; i < 50; i++) {
        assert_int_equal(ask(&setup, MOST), 1);
        n += setup.points[FIRST_SIZE] > last / 2;
        tell(&setup, 1, setup.points, high + 1);
    }
    world_free(&setup.world);
    return n;
}

static void values_of_good_points_are_proposed(void **state) {
    (void)state;
    static const char *const forms[] = {"joint=true share=0.05 prior=1 keep=0.5",
                                        "joint=false share=0.05 prior=1 keep=0.5"};
    for (int form = 0; form < 2; form++) {
        assert_true(large_ones(forms[form], 1, 2) >= 45);
        assert_true(large_ones(forms[form], 2, 1) <= 5);
    }
}

// each of two good points has what the other has not: only one density per parameter mixes them
static int mixed_ones(const char *changes) {
    Setup setup;
    int32_t good[2][SL_MAX_PARAMS], guest[SL_MAX_PARAMS];
    SlRng rng;
    int n = 0;
    begin(&setup, changes);
    sl_rng_init(&rng, 1, "guests");
    for (int p = 0; p < setup.n_params; p++) {
        good[0][p] = 0;
        good[1][p] = setup.world.space.params[p].n - 1;
    }
    for (int k = 0; k < 2; k++) meet(&setup, good[k], 1);
    for (int i = 0; i < 18; i++) {
        sl_space_sample(&setup.world.space, &rng, guest);
        meet(&setup, guest, 2);
    }
    for (int i = 0; i < 30; i++) {
        int like[2] = {0};
        ask(&setup, 1);
        for (int k = 0; k < 2; k++)
            for (int p = 0; p < setup.n_params; p++) like[k] += setup.points[p] == good[k][p];
        n += like[0] >= 2 && like[1] >= 2;
        tell(&setup, 1, setup.points, 3);
    }
    world_free(&setup.world);
    return n;
}

static void a_joint_density_keeps_parameters_together(void **state) {
    (void)state;
    int joint = mixed_ones("joint=true share=0.1 good=2 prior=0.01 keep=0.9");
    int apart = mixed_ones("joint=false share=0.1 good=2 prior=0.01 keep=0.9");
    if (joint > 3 || apart < 25) fail_msg("joint %d, apart %d of 30", joint, apart);
}

static void points_told_before_the_first_ask_count_as_starts(void **state) {
    (void)state;
    Setup setup;
    int32_t guest[SL_MAX_PARAMS] = {0};
    begin(&setup, "starts=6");
    meet(&setup, guest, 1);
    guest[FIRST_SIZE] = 1;
    meet(&setup, guest, 1);
    assert_int_equal(ask(&setup, MOST), 4);
    world_free(&setup.world);
}

static void after_patience_it_begins_anew(void **state) {
    (void)state;
    Setup setup;
    begin(&setup, "starts=4 patience=10");
    for (int round = 0; round < 3; round++) {
        assert_int_equal(ask(&setup, MOST), 4);
        tell(&setup, 4, setup.points, 1); // the first of them is an improvement
        for (int i = 3; i < 10; i++) {
            assert_int_equal(ask(&setup, MOST), 1);
            tell(&setup, 1, setup.points, 1);
        }
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
    method_begin(&run, &world, "tpe", NULL, 1);
    method_begin(&careless, &world, "tpe", "redraws=0", 1);
    method_continue(&run, 1000, 16);
    method_continue(&careless, 1000, 16);
    assert_int_equal(count_repeats(&run), 0);
    assert_true(count_repeats(&careless) > 30);
    world_free(&world);
}

// tables of one point, of none but the best, of thousands
static void extreme_options_are_survived(void **state) {
    (void)state;
    static const char *const changes[] = {
        "good=1 bad=0 candidates=1 starts=1", "good=1000 bad=1000 share=1 candidates=2",
        "joint=true keep=0 width=0 prior=0.000001", "joint=true keep=0.999 turn=0.000001 bad=0",
        "joint=false keep=0 width=10 turn=1 prior=1000000"};
    for (int i = 0; i < 5; i++) {
        World world;
        MethodRun run;
        world_make(&world, RES18, i % 2 ? "tpu" : "eyeriss");
        method_begin(&run, &world, "tpe", changes[i], 1);
        method_continue(&run, 200, 8);
        assert_non_null(sl_task_best(run.task));
        world_free(&world);
    }
}

static double mean_log_best(const char *method, const char *changes) {
    double sum = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        World world;
        MethodRun run;
        world_make(&world, RES18, "eyeriss");
        method_begin(&run, &world, method, changes, seed);
        method_continue(&run, 400, 20);
        sum += log(sl_task_best(run.task)->outcome.value);
        world_free(&world);
    }
    return sum / 4;
}

static void both_forms_beat_random_clearly(void **state) {
    (void)state;
    double random = mean_log_best("random", NULL);
    assert_true(random - mean_log_best("tpe", "joint=true") > log(1.15));
    assert_true(random - mean_log_best("tpe", "joint=false") > log(1.15));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_come_at_once_and_proposals_one_by_one),
        cmocka_unit_test(values_of_good_points_are_proposed),
        cmocka_unit_test(a_joint_density_keeps_parameters_together),
        cmocka_unit_test(points_told_before_the_first_ask_count_as_starts),
        cmocka_unit_test(after_patience_it_begins_anew),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(extreme_options_are_survived),
        cmocka_unit_test(both_forms_beat_random_clearly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
