// test_kinds.c - the table of evaluators: what every row says and does, whatever it evaluates.
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"
#include "support/world.h"

static const char *const LAYER = "conv:K=64,C=64,P=14,Q=14,R=3,S=3,pad=1";

static void names_are_found_and_rows_are_whole(void **state) {
    (void)state;
    static const char *const names[] = {"native", "maestro", "vta", "cpu", "process"};
    for (int i = 0; i < 5; i++) {
        const SlTaskKind *kind = sl_task_kinds[i];
        assert_string_equal(kind->name, names[i]);
        assert_ptr_equal(sl_task_kind_find(names[i]), kind);
    }
    assert_null(sl_task_kinds[5]);
    assert_null(sl_task_kind_find("vtb"));
    assert_true(sl_kind_native.maps && sl_kind_maestro.maps);
    assert_true(!sl_kind_vta.maps && !sl_kind_cpu.maps);
    assert_true(sl_kind_vta.dear && sl_kind_cpu.dear && sl_kind_cpu.noisy);
    assert_true(!sl_kind_native.dear && !sl_kind_native.noisy && !sl_kind_vta.noisy);
}

// Tasks of one layer, one per kind that can be made here.
enum { N_TASKS = 4 };
static const SlTaskKind *const KINDS[N_TASKS] = {&sl_kind_native, &sl_kind_maestro, &sl_kind_vta,
                                                 &sl_kind_cpu};

typedef struct {
    World world;
    SlTask *tasks[N_TASKS];
} Scene;

static SlTask *made(Scene *scene, const SlTaskKind *kind) {
    const SlTaskSetup setup = {.kind = kind,
                               .space = kind->maps ? &scene->world.space : NULL,
                               .layer = kind->maps ? NULL : &scene->world.layer,
                               .goal = world_goal("edp"),
                               .illegal = SL_ILLEGAL_PENALTY};
    SlTask *task = NULL;
    SlError err = {0};
    if (sl_task_make(&setup, &scene->world.arena, &task, &err) != SL_OK) fail_msg("%s", err.text);
    return task;
}

static int set_up(void **state) {
    Scene *scene = test_calloc(1, sizeof *scene);
    world_make(&scene->world, LAYER, "gamma168");
    for (int k = 0; k < N_TASKS; k++) scene->tasks[k] = made(scene, KINDS[k]);
    *state = scene;
    return 0;
}

static int tear_down(void **state) {
    Scene *scene = *state;
    world_free(&scene->world);
    test_free(scene);
    return 0;
}

// without options every kind has defaults
static void tasks_say_what_they_are(void **state) {
    const Scene *scene = *state;
    for (int k = 0; k < N_TASKS; k++) {
        const SlTask *task = scene->tasks[k];
        assert_ptr_equal(sl_task_kind(task), KINDS[k]);
        assert_int_equal(sl_layer_macs(sl_task_layer(task)), sl_layer_macs(&scene->world.layer));
        assert_int_equal(sl_task_space(task)->accel != NULL, KINDS[k]->maps);
        assert_true(sl_task_unit(task)[0] && sl_task_samples(task) == 0 && !sl_task_best(task));
        assert_null(sl_task_broken(task));
    }
    SlVtaCore core;
    sl_vta_core_init(&core);
    const SlVtaOptions *vta = sl_task_vta_options(scene->tasks[2]);
    assert_true(vta->core.block_in == core.block_in && vta->hardware == SL_HARDWARE_FIXED);
    assert_int_equal(sl_task_cpu_options(scene->tasks[3])->threads, 1);
    assert_null(sl_task_cpu_options(scene->tasks[3])->bench);
}

static void see_all(const SlTask *task, const int32_t *point, bool fits) {
    float features[SL_MAX_FEATURES], seen[SL_MAX_FEATURES];
    SlView view;
    sl_task_view(task, point, &view);
    assert_true(view.key == sl_task_key(task, point));
    assert_in_range(sl_task_n_features(task), 1, SL_MAX_FEATURES);
    sl_task_features(task, point, &view, features);
    for (int f = 0; f < sl_task_n_features(task); f++)
        assert_true(isfinite(features[f]) && fabsf(features[f]) < 100);
    for (int sight = SL_SEE_KNOBS; sight <= SL_SEE_PROGRAM; sight++) {
        float sum = 0;
        assert_in_range(sl_task_n_seen(task, (SlTreeSight)sight), 1, SL_MAX_FEATURES);
        sl_task_see(task, (SlTreeSight)sight, point, seen);
        for (int f = 0; f < sl_task_n_seen(task, (SlTreeSight)sight); f++) sum += fabsf(seen[f]);
        assert_true(isfinite(sum));
        if (sight == SL_SEE_PROGRAM) assert_int_equal(sum > 0, fits);
    }
}

// what fails the check has no draft, no floor and no program, but features and a key
static void what_is_free_is_there_for_all_points(void **state) {
    const Scene *scene = *state;
    for (int k = 0; k < N_TASKS; k++) {
        const SlTask *task = scene->tasks[k];
        SlRng rng;
        int fitting = 0;
        sl_rng_init(&rng, 1, "free");
        for (int i = 0; i < 200; i++) {
            int32_t point[SL_MAX_PARAMS];
            SlFault fault;
            sl_space_sample(sl_task_space(task), &rng, point);
            const bool fits = sl_task_check(task, point, &fault);
            assert_int_equal(fits, fault.text[0] == 0);
            if (sl_task_has_draft(task))
                assert_int_equal(isfinite(sl_task_draft(task, point)), fits);
            assert_int_equal(isfinite(sl_task_point_floor(task, point)), fits);
            see_all(task, point, fits);
            fitting += fits;
        }
        if (KINDS[k] != &sl_kind_cpu) assert_in_range(fitting, 1, 199);
        if (KINDS[k] == &sl_kind_cpu) assert_int_equal(fitting, 200); // one thread: all share
        assert_int_equal(sl_task_samples(task), 0);
    }
}

static void groups_of_features_begin_with_the_estimates(void **state) {
    const Scene *scene = *state;
    static const int n_estimates[N_TASKS] = {SL_N_ESTIMATES, SL_N_ESTIMATES, 1, 1};
    for (int k = 0; k < N_TASKS; k++) {
        const SlTask *task = scene->tasks[k];
        assert_int_equal(sl_task_n_estimates(task), n_estimates[k]);
        for (int f = 0; f < sl_task_n_estimates(task); f++)
            assert_int_equal(sl_task_feature_group(task, f), SL_FEATURES_ESTIMATE);
        int plain = 0;
        for (int f = 0; f < sl_task_n_features(task); f++)
            plain += sl_task_feature_group(task, f) == SL_FEATURES_PLAIN;
        assert_true(plain > 3);
    }
}

static void starts_pass_the_check(void **state) {
    const Scene *scene = *state;
    for (int k = 0; k < N_TASKS; k++) {
        int32_t point[SL_MAX_PARAMS];
        sl_task_start(scene->tasks[k], point);
        for (int i = 0; i < sl_task_space(scene->tasks[k])->n_params; i++)
            assert_in_range(point[i], 0, sl_task_space(scene->tasks[k])->params[i].n - 1);
        assert_true(sl_task_check(scene->tasks[k], point, NULL));
    }
}

// What a run has measured is counted as if it were evaluated: samples, scores and the best.
static void replayed_samples_count(void **state) {
    Scene *scene = *state;
    for (int k = 0; k < 3; k++) {
        SlTask *first = made(scene, KINDS[k]), *second = made(scene, KINDS[k]);
        SlRng rng;
        sl_rng_init(&rng, 2, "replay");
        for (int i = 0; i < 30; i++) {
            int32_t point[SL_MAX_PARAMS];
            SlSample sample, again;
            sl_space_sample(sl_task_space(first), &rng, point);
            if (i == 0) sl_task_start(first, point);
            sl_task_eval(first, 1, point, &sample);
            again = sample;
            again.score = NAN;
            sl_task_replay(second, point, &again);
            assert_true(again.score == sample.score && again.value == sample.value);
        }
        assert_int_equal(sl_task_samples(second), 30);
        assert_int_equal(sl_task_best(first)->sample, sl_task_best(second)->sample);
        assert_true(sl_task_best(first)->outcome.value == sl_task_best(second)->outcome.value);
        assert_memory_equal(sl_task_best(first)->point, sl_task_best(second)->point,
                            sizeof sl_task_best(first)->point);
    }
}

static void methods_are_refused_by_what_a_task_lacks(void **state) {
    const Scene *scene = *state;
    static const unsigned needs[] = {0, SL_NEEDS_MAPPINGS, SL_NEEDS_DRAFT, SL_NEEDS_FLOORS,
                                     SL_NEEDS_FLOCK};
    static const bool suits[N_TASKS][5] = {{true, true, true, false},
                                           {true, true, true, false},
                                           {true, false, true, true},
                                           {true, false, true, false}};
    for (int k = 0; k < N_TASKS; k++)
        for (int n = 0; n < 5; n++) {
            const SlMethod method = {.name = "needy", .needs = needs[n]};
            const char *reason = sl_method_check(&method, scene->tasks[k]);
            if (!reason != suits[k][n]) fail_msg("%s, %u", KINDS[k]->name, needs[n]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_and_rows_are_whole),
        cmocka_unit_test_setup_teardown(tasks_say_what_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_free_is_there_for_all_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_of_features_begin_with_the_estimates, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(starts_pass_the_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replayed_samples_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(methods_are_refused_by_what_a_task_lacks, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
