// test_own_search.c - a search in a space of the user's own, by a program of the user's.
#include "starling/job/own_search.h"

#include <string.h>

#include "support/check.h"
#include "support/folder.h"

#define INPUTS SL_SOURCE_DIR "/tools/outputs/inputs/"

// 12 samples of space.yaml, whose evaluator fails now and then
static SlOwnSearch opened(const char *method, int n_agents, SlArena *arena) {
    SlOwnSearch search = {.program = {.command = "exec python3 -S -E '" INPUTS "simulate.py'"},
                          .method = sl_method_find(method),
                          .choice = {.n_agents = n_agents, .assign = sl_assign_defaults()},
                          .seed = 3,
                          .budget = {.samples = 12}};
    SlError err;
    search.choice.assign.samples = 40;
    if (sl_own_search_read(&search, INPUTS "space.yaml", arena, &err) != SL_OK)
        fail_msg("%s", err.text);
    return search;
}

static void run(SlOwnSearch *search, SlArena *arena) {
    SlError err;
    SlStatus status = sl_own_search_open(search, arena, &err);
    if (status == SL_OK) status = sl_own_search_run(search, NULL, NULL, arena, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    sl_own_search_close(search);
    assert_null(search->task);
}

static void the_best_point_obeys_the_rules_and_has_the_least_value(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlOwnSearch search = opened("random", 0, &arena);
    run(&search, &arena);
    const SlRecord *record = &search.record;
    assert_int_equal(record->samples, 12);
    assert_true(record->failures >= 1);
    assert_int_equal(search.assign_samples, 0);
    assert_int_equal(search.agents.n_agents, search.own.space.n_params);
    assert_null(sl_rules_broken(search.own.rules, &search.own.space, record->best.point));
    assert_true(record->best.outcome.value == record->curve[record->n_curve - 1].value);
    sl_arena_free(&arena);
}

static void fewer_agents_take_evaluations_of_their_own(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlOwnSearch search = opened("marl", 2, &arena);
    run(&search, &arena);
    assert_int_equal(search.agents.n_agents, 2);
    assert_int_equal(search.assign_samples, 40);
    assert_int_equal(search.record.samples, 12);
    sl_arena_free(&arena);
}

static void rules_that_no_point_obeys_are_told_at_once(void **state) {
    (void)state;
    static const char space[] =
        "name: no\nparameters:\n  a: {ordinal: [1, 2]}\nrules:\n  - a > 5\n";
    char path[TEMP_ROOM];
    Folder folder;
    SlArena arena;
    SlError err;
    SlOwnSearch search = {0};
    sl_arena_init(&arena, 0);
    folder_make(&folder);
    folder_path(&folder, "space.yaml", path);
    assert_int_equal(sl_file_write(path, space, strlen(space), &err), SL_OK);
    assert_int_equal(sl_own_search_read(&search, path, &arena, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "none of 20000 random points obeys the rules"));
    folder_remove(&folder);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_point_obeys_the_rules_and_has_the_least_value),
        cmocka_unit_test(fewer_agents_take_evaluations_of_their_own),
        cmocka_unit_test(rules_that_no_point_obeys_are_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
