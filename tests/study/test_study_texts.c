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
} Room;

static int begin(void **state) {
    static Room room;
    char path[TEMP_ROOM];
    folder_make(&room.folder);
    sl_arena_init(&room.arena, 0);
    room.store = open_store(folder_path(&room.folder, "a.study", path));
    room.other = open_store(folder_path(&room.folder, "b.study", path));
    plan_of(text, NULL, &room.arena, &room.plan);
    *state = &room;
    return 0;
}

static int end(void **state) {
    Room *room = *state;
    sl_store_close(room->store);
    sl_store_close(room->other);
    sl_arena_free(&room->arena);
    folder_remove(&room->folder);
    return 0;
}

static void keep(Room *room, const SlPlanChanges *changes) {
    SlError err;
    if (sl_study_keep(&room->plan, changes, room->store, &err) != SL_OK) fail_msg("%s", err.text);
}

static SlPlan recall(Room *room, SlStore *store) {
    SlPlan plan;
    SlError err;
    if (sl_study_recall(store, &room->arena, &plan, &err) != SL_OK) fail_msg("%s", err.text);
    return plan;
}

static void a_plan_comes_back_with_what_was_changed(void **state) {
    Room *room = *state;
    keep(room, &(SlPlanChanges){.samples = 7, .seeds = 3, .methods = "ga,random"});
    SlPlan plan = recall(room, room->store);
    assert_string_equal(plan.name, "small");
    assert_string_equal(plan.text, text);
    assert_int_equal(plan.n_rows, 2);
    assert_int_equal(plan.n_seeds, 3);
    assert_int_equal(plan.rows[0].samples, 7);
    assert_false(plan.quick);
}

static void a_store_without_a_plan_gives_none(void **state) {
    Room *room = *state;
    assert_null(recall(room, room->store).name);
}

static void the_first_study_merged_gives_its_plan(void **state) {
    Room *room = *state;
    SlError err;
    int n_new = -1;
    keep(room, &(SlPlanChanges){.seeds = 5});
    assert_int_equal(sl_study_merge(room->other, room->store, &n_new, &err), SL_OK);
    assert_int_equal(n_new, 0);
    assert_int_equal(recall(room, room->other).n_seeds, 5);
    keep(room, &(SlPlanChanges){.seeds = 6});
    assert_int_equal(sl_study_merge(room->other, room->store, &n_new, &err), SL_OK);
    assert_int_equal(recall(room, room->other).n_seeds, 5);
}

static void a_merged_study_keeps_its_evaluator(void **state) {
    Room *room = *state;
    SlError err;
    int n_new = 0;
    keep(room, &(SlPlanChanges){.evaluator = "maestro"});
    assert_int_equal(sl_study_merge(room->other, room->store, &n_new, &err), SL_OK);
    assert_string_equal(recall(room, room->other).kind->name, "maestro");
}

static void a_store_is_of_one_study(void **state) {
    Room *room = *state;
    SlError err;
    keep(room, &(SlPlanChanges){0});
    assert_int_equal(sl_study_check(&room->plan, room->store, &err), SL_OK);
    room->plan.name = "large";
    assert_int_equal(sl_study_check(&room->plan, room->store, &err), SL_EINPUT);
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
