// test_report_assignment.c - parameters grouped into agents, as a document.
#include <string.h>

#include "doc_help.h"
#include "report/assignment_inside.h"
#include "starling/report/assignment_doc.h"
#include "support/check.h"
#include "support/world.h"

static SlGrouping grouped(World *world, int n_agents) {
    SlGrouping grouping = {.space = &world->space,
                           .goal = world_goal("latency"),
                           .setup = sl_assign_defaults(),
                           .n_agents = n_agents};
    SlTaskSetup task = {.space = &world->space, .goal = grouping.goal};
    SlError err;
    grouping.setup.samples = 60;
    grouping.setup.share = 7.0 / 100;
    if (sl_assign_run(&task, &grouping.setup, &world->arena, &grouping.found, &err) != SL_OK)
        fail_msg("%s", err.text);
    return grouping;
}

static void who_steers_what_is_the_cut_of_the_tree(void **state) {
    Paper *paper = *state;
    World world;
    world_make(&world, "conv:name=small,K=8,C=4,P=4,Q=4,R=3,S=3", "eyeriss");
    SlGrouping grouping = grouped(&world, 3);
    paper->doc = sl_report_assignment(&grouping, &paper->arena);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "small on eyeriss: "));
    assert_non_null(strstr(text, "60 samples by random, of which the best 7 % (5) by latency"));
    assert_non_null(strstr(text, "agent 3"));
    assert_null(strstr(text, "agent 4"));
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"share_percent\": 7,"));
    assert_non_null(strstr(json, "\"constraints\": null"));
    assert_non_null(strstr(json, "\"points\": \"repaired\""));
    assert_non_null(strstr(json, "\"objective_correlation\": ["));
    assert_non_null(strstr(text, "The last merge is at height "));
    assert_int_equal(count_of(paper_form(paper, SL_FORM_CSV), "\n"), world.space.n_params + 1);
    world_free(&world);
}

static void one_agent_has_no_cut(void **state) {
    Paper *paper = *state;
    World world;
    world_make(&world, "conv:name=small,K=8,C=4,P=4,Q=4,R=3,S=3", "eyeriss");
    SlGrouping grouping = grouped(&world, 1);
    paper->doc = sl_report_assignment(&grouping, &paper->arena);
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "\"cut\": null"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), "The tree\n"));
    world_free(&world);
}

static SlDoc *make(const void *of, SlArena *arena) {
    return sl_report_assignment(of, arena);
}

static void little_memory_is_no_crash(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:name=small,K=8,C=4,P=4,Q=4,R=3,S=3", "eyeriss");
    SlGrouping grouping = grouped(&world, 3);
    assert_survives_little_memory(make, &grouping);
    world_free(&world);
}

static void matrices_are_shown_in_the_order_of_the_leaves(void **state) {
    Paper *paper = *state;
    static const double r[] = {1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1};
    static const char *const names[] = {"a", "b", "c"};
    static const int leaves[] = {2, 0, 1};
    char axis[SL_TREE_AXIS];
    static const double objective[] = {0.1, 0.4, -0.6};
    SlHeatSource source = {.n = 3, .r = r, .names = names, .leaves = leaves};
    SlHeatMap heat = sl_heat_of_tree(&source, &paper->arena);
    assert_int_equal(heat.n, 3);
    assert_string_equal(heat.names[0], "c");
    assert_true(heat.values[1] == 0.2 && heat.values[2] == -0.3 && heat.values[5] == 0.5);
    // the objective stands behind the parameters
    source.objective = objective;
    source.goal = "edp";
    heat = sl_heat_of_tree(&source, &paper->arena);
    assert_int_equal(heat.n, 4);
    assert_string_equal(heat.names[3], "edp");
    assert_true(heat.values[0 * 4 + 3] == -0.6 && heat.values[3 * 4 + 0] == -0.6);
    assert_true(heat.values[1 * 4 + 3] == 0.1 && heat.values[15] == 1);
    assert_string_equal(sl_tree_axis(SL_METRIC_ONE_MINUS_R, SL_LINK_AVERAGE, axis),
                        "distance 1 - |r|, average linkage");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_steers_what_is_the_cut_of_the_tree, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(one_agent_has_no_cut, paper_make, paper_free),
        cmocka_unit_test(little_memory_is_no_crash),
        cmocka_unit_test_setup_teardown(matrices_are_shown_in_the_order_of_the_leaves, paper_make,
                                        paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
