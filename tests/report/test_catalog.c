// test_catalog.c - what is bundled and what the library can be told, as documents; episodes that
// were played again.
#include <string.h>

#include "doc_help.h"
#include "starling/report/catalog.h"
#include "starling/report/training_doc.h"
#include "support/check.h"

typedef SlStatus Lister(const char *name, SlArena *arena, SlDoc **doc, SlError *err);
static Lister *const listers[] = {sl_report_networks, sl_report_accels, sl_report_constraints};

static void all_or_one_of_what_is_bundled(void **state) {
    Paper *paper = *state;
    static const struct {
        const char *one, *in_all, *in_one;
    } cases[] = {{"resnet18", "\"n_distinct\": 12", "\"name\": \"conv2_1\""},
                 {"eyeriss", "\"name\": \"flex1024\"", "\"capacity_bytes\":"},
                 {"weight-stationary", "\"n_rules\":", "\"n_rules\":"}};
    SlError err;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(listers[i](NULL, &paper->arena, &paper->doc, &err), SL_OK);
        const char *all = paper_form(paper, SL_FORM_JSON);
        assert_non_null(strstr(all, cases[i].in_all));
        assert_int_equal(listers[i](cases[i].one, &paper->arena, &paper->doc, &err), SL_OK);
        const char *one = paper_form(paper, SL_FORM_JSON);
        assert_non_null(strstr(one, cases[i].in_one));
        assert_non_null(strstr(one, cases[i].one));
        assert_int_equal(listers[i]("nosuch", &paper->arena, &paper->doc, &err), SL_EINPUT);
    }
}

static void little_memory_is_an_error(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        for (size_t limit = 512; limit < 400000; limit += limit / 2) {
            SlArena arena;
            SlDoc *doc = NULL;
            SlError err;
            sl_arena_init(&arena, limit);
            SlStatus status = listers[i / 2](i % 2 ? "nosuch" : NULL, &arena, &doc, &err);
            assert_true(status == SL_OK || status == SL_ENOMEM || status == SL_EINPUT);
            sl_arena_free(&arena);
        }
    }
}

static void objectives_and_spaces_have_meanings(void **state) {
    Paper *paper = *state;
    paper->doc = sl_report_objectives(&paper->arena);
    const char *csv = paper_form(paper, SL_FORM_CSV);
    assert_int_equal(count_of(csv, "\n"), SL_N_OBJECTIVES + 1);
    assert_non_null(strstr(csv, "edp,pJ x cycles,energy times latency"));
    paper->doc = sl_report_spaces(&paper->arena);
    csv = paper_form(paper, SL_FORM_CSV);
    assert_int_equal(count_of(csv, "\n"), SL_N_SPACES + 1);
    assert_null(strstr(csv, "unit"));
}

static SlDoc *make_method(const void *of, SlArena *arena) {
    return sl_report_method(of, arena);
}

static void a_method_has_options_with_defaults(void **state) {
    Paper *paper = *state;
    static const SlOption options[] = {
        {.name = "depth", .kind = SL_OPTION_INT, .value = "N", .fallback = "7", .help = "of it"},
        {0},
    };
    static const SlMethod deep = {.name = "deep",
                                  .title = "digs",
                                  .source = "a book",
                                  .options = options,
                                  .options_bytes = sizeof(int64_t)};
    static const SlMethod *const methods[] = {&deep, &deep, NULL};
    paper->doc = sl_report_methods(methods, &paper->arena);
    assert_int_equal(count_of(paper_form(paper, SL_FORM_TEXT), "digs; source: a book"), 2);
    assert_int_equal(count_of(paper_form(paper, SL_FORM_CSV), "deep,digs,a book"), 2);
    paper->doc = sl_report_method(&deep, &paper->arena);
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), "depth N"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "\"default\": 7"));
    assert_survives_little_memory(make_method, &deep);
}

static SlDoc *make_worlds(const void *of, SlArena *arena) {
    (void)of;
    return sl_report_worlds(arena);
}

static void worlds_have_sizes_by_number_of_agents(void **state) {
    Paper *paper = *state;
    paper->doc = sl_report_worlds(&paper->arena);
    const char *json = paper_form(paper, SL_FORM_JSON);
    int n = 0;
    while (sl_worlds[n]) n++;
    assert_int_equal(count_of(json, "\"agents\": 48"), n);
    assert_survives_little_memory(make_worlds, NULL);
}

static void episodes_played_again_tell_how_far_apart_they_end(void **state) {
    Paper *paper = *state;
    const SlDeviation apart = {.episodes = 1, .steps = 25, .pos = 1e-9, .reward = 0.125};
    paper->doc = sl_report_deviation((SlParticleRules)0, &apart, &paper->arena);
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), "1 episode, 25 steps, rules openai"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "\"reward_dev\": 0.125"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_or_one_of_what_is_bundled, paper_make, paper_free),
        cmocka_unit_test(little_memory_is_an_error),
        cmocka_unit_test_setup_teardown(objectives_and_spaces_have_meanings, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(a_method_has_options_with_defaults, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(worlds_have_sizes_by_number_of_agents, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(episodes_played_again_tell_how_far_apart_they_end,
                                        paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
