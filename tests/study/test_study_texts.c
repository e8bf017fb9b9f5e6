// test_study_texts.c - a study in its store: its plan and what was changed of it come back.
#include "support/check.h"

#include <string.h>

#include "starling/study/study_run.h"
#include "support/store_help.h"

static const char text[] = "study: small\n"
                           "layers:\n"
                           "  - a: conv:K=8,C=6,P=7,Q=7\n"
                           "objectives: [edp]\n"
                           "samples: 150\n"
                           "seeds: 2\n"
                           "methods: [random, local, ga]\n";

typedef struct {
    Folder folder;
    SlArena arena;
    SlPlan plan;
    SlStore *store, *other;
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    char path[TEMP_ROOM];
    folder_make(&fixture.folder);
    sl_arena_init(&fixture.arena, 0);
    fixture.store = open_store(folder_path(&fixture.folder, "a.study", path));
    fixture.other = open_store(folder_path(&fixture.folder, "b.study", path));
    plan_of(text, NULL, &fixture.arena, &fixture.plan);
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    Fixture *fixture = *state;
    sl_store_close(fixture->store);
    sl_store_close(fixture->other);
    sl_arena_free(&fixture->arena);
    folder_remove(&fixture->folder);
    return 0;
}

static void keep(Fixture *fixture, const SlPlanChanges *changes) {
    SlError err;
    if (sl_study_keep(&fixture->plan, changes, fixture->store, &err) != SL_OK)
        fail_msg("%s", err.text);
}

static SlPlan recall(Fixture *fixture, SlStore *store) {
    SlPlan plan;
    SlError err;
    if (sl_study_recall(store, &fixture->arena, &plan, &err) != SL_OK) fail_msg("%s", err.text);
    return plan;
}

static void a_plan_comes_back_with_what_was_changed(void **state) {
    Fixture *fixture = *state;
    keep(fixture, &(SlPlanChanges){.samples = 7, .seeds = 3, .methods = "ga,random"});
    SlPlan plan = recall(fixture, fixture->store);
    assert_string_equal(plan.name, "small");
    assert_string_equal(plan.text, text);
    assert_int_equal(plan.n_rows, 2);
    assert_int_equal(plan.n_seeds, 3);
    assert_int_equal(plan.rows[0].samples, 7);
    assert_false(plan.quick);
}

static void a_store_without_a_plan_gives_none(void **state) {
    Fixture *fixture = *state;
    assert_null(recall(fixture, fixture->store).name);
}

static void the_first_study_merged_gives_its_plan(void **state) {
    Fixture *fixture = *state;
    SlError err;
    int n_new = -1;
    keep(fixture, &(SlPlanChanges){.seeds = 5});
    assert_int_equal(sl_study_merge(fixture->other, fixture->store, &n_new, &err), SL_OK);
    assert_int_equal(n_new, 0);
    assert_int_equal(recall(fixture, fixture->other).n_seeds, 5);
    keep(fixture, &(SlPlanChanges){.seeds = 6});
    assert_int_equal(sl_study_merge(fixture->other, fixture->store, &n_new, &err), SL_OK);
    assert_int_equal(recall(fixture, fixture->other).n_seeds, 5);
}

static void a_merged_study_keeps_its_evaluator(void **state) {
    Fixture *fixture = *state;
    SlError err;
    int n_new = 0;
    keep(fixture, &(SlPlanChanges){.evaluator = "maestro"});
    assert_int_equal(sl_study_merge(fixture->other, fixture->store, &n_new, &err), SL_OK);
    assert_string_equal(recall(fixture, fixture->other).kind->name, "maestro");
}

static void a_store_is_of_one_study(void **state) {
    Fixture *fixture = *state;
    SlError err;
    keep(fixture, &(SlPlanChanges){0});
    assert_int_equal(sl_study_check(&fixture->plan, fixture->store, &err), SL_OK);
    fixture->plan.name = "large";
    assert_int_equal(sl_study_check(&fixture->plan, fixture->store, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "holds the study 'small', not 'large'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plan_comes_back_with_what_was_changed, begin, end),
        cmocka_unit_test_setup_teardown(a_store_without_a_plan_gives_none, begin, end),
        cmocka_unit_test_setup_teardown(the_first_study_merged_gives_its_plan, begin, end),
        cmocka_unit_test_setup_teardown(a_merged_study_keeps_its_evaluator, begin, end),
        cmocka_unit_test_setup_teardown(a_store_is_of_one_study, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
