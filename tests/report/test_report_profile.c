// test_report_profile.c - a profile as a document: growth, samplings, rows held, pictures.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "starling/report/training_doc.h"
#include "support/check.h"

// tag with 2 and 4 agents, uniform and neighbor: phase p of case i takes (i + 1) (p + 1) ms
static SlProfile made_up(SlArena *arena) {
    const SlProfileLists lists = {.worlds = {1, {0}},
                                  .agents = {2, {2, 4}},
                                  .algos = {1, {SL_MADDPG}},
                                  .modes = {1, {SL_MODE_FAITHFUL}},
                                  .layouts = {1, {SL_LAYOUT_JOINT}},
                                  .samplings = {2, {SL_SAMPLE_UNIFORM, SL_SAMPLE_NEIGHBOR}}};
    SlProfile profile = {.measured = {.rounds = 3, .fill = 1000, .bytes = 5e6}, .threads = 1};
    SlEngineSetup like;
    sl_engine_init(&like);
    assert_int_equal(sl_profile_combine(&profile, &lists, &like, arena, NULL), SL_OK);
    for (int i = 0; i < profile.n; i++) {
        SlEngineProfile *one = &profile.times[i];
        one->rows = i < 2 ? 1000 : 400;
        for (int p = 0; p < SL_N_PHASES; p++) one->phases[p].median = (i + 1) * (p + 1);
        one->all.median = (i + 1) * 28;
        for (int c = 0; c < SL_N_COUNTERS; c++) one->counts[c] = NAN;
    }
    return profile;
}

static void cases_are_compared_with_their_partners(void **state) {
    Paper *paper = *state;
    SlProfile profile = made_up(&paper->arena);
    paper->doc = sl_report_profile(&profile, &paper->arena);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "2 to 4"));
    assert_null(strstr(text, "4 to 8"));
    assert_non_null(strstr(text, "+100.0 %")); // neighbor, 2 agents
    assert_non_null(strstr(text, "+33.3 %"));  // neighbor, 4 agents
    assert_non_null(strstr(text, "Transitions held: 1,000 (tag 2), 400 (tag 4)."));
    assert_non_null(strstr(text, "would pass 5 MB"));
    assert_non_null(strstr(text, "unavailable."));
}

static void everybody_holds_the_same_where_memory_suffices(void **state) {
    Paper *paper = *state;
    SlProfile profile = made_up(&paper->arena);
    profile.measured.fill = 400;
    paper->doc = sl_report_profile(&profile, &paper->arena);
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), "Transitions held: 1,000.\n"));
}

static void a_world_has_four_pictures(void **state) {
    Paper *paper = *state;
    SlProfile profile = made_up(&paper->arena);
    paper->doc = sl_report_profile(&profile, &paper->arena);
    const char *page = paper_form(paper, SL_FORM_HTML);
    assert_int_equal(count_of(page, "<figure"), 4);
    assert_non_null(strstr(page, "2 to 4 agents"));
}

// both algorithms with three and six agents; misses of case i are (i + 1) times those of the first
static SlProfile simulated(SlArena *arena) {
    const SlProfileLists lists = {.worlds = {1, {0}},
                                  .agents = {2, {3, 6}},
                                  .algos = {2, {SL_MADDPG, SL_MASAC}},
                                  .modes = {1, {SL_MODE_FAITHFUL}},
                                  .layouts = {1, {SL_LAYOUT_SEPARATE}},
                                  .samplings = {1, {SL_SAMPLE_UNIFORM}}};
    SlProfile profile = {.measured = {.rounds = 3, .fill = 1000, .bytes = 5e6, .simulate = 77000},
                         .threads = 1};
    SlEngineSetup like;
    sl_engine_init(&like);
    assert_int_equal(sl_profile_combine(&profile, &lists, &like, arena, NULL), SL_OK);
    for (int i = 0; i < profile.n; i++) {
        SlEngineProfile *one = &profile.times[i];
        one->rows = 1000;
        for (int p = 0; p < SL_N_PHASES; p++) one->phases[p].median = (i + 1) * (p + 1);
        one->all.median = (i + 1) * 28;
        for (int c = 0; c < SL_N_COUNTERS; c++) one->counts[c] = NAN;
        one->misses = (SlMisses){.rows = 77000, .reads = 10000};
        one->list = (SlMisses){.rows = 77000, .reads = 20000};
        for (int l = 0; l < SL_CACHE_WALK_2M; l++)
            one->misses.read_misses[l] = one->list.read_misses[l] = 1234 * (i + 1);
    }
    return profile;
}

static void simulated_misses_and_their_growth_are_shown(void **state) {
    Paper *paper = *state;
    SlProfile profile = simulated(&paper->arena);
    paper->doc = sl_report_profile(&profile, &paper->arena);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "     3  separate  uniform   10.0  1.23"));
    assert_non_null(strstr(text, "     3  list      uniform   20.0  1.23"));
    assert_int_equal(count_of(text, "     3  list "), 1); // algorithms sample alike
    assert_non_null(strstr(text, "3 to 6  list      uniform   1.00  3.00"));
    assert_non_null(strstr(text, "Simulated: 77,000 transitions"));
    assert_null(strstr(text, "--simulate"));
}

static void growth_of_both_algorithms_has_a_mean(void **state) {
    Paper *paper = *state;
    SlProfile profile = simulated(&paper->arena);
    paper->doc = sl_report_profile(&profile, &paper->arena);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "3 to 6  maddpg  separate  uniform   3.00"));
    assert_non_null(strstr(text, "3 to 6  masac   separate  uniform   2.00"));
    assert_non_null(strstr(text, "3 to 6  mean    separate  uniform   2.50"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "3 to 6 agents, mean"));
}

static SlDoc *make(const void *of, SlArena *arena) {
    return sl_report_profile(of, arena);
}

static void little_memory_is_no_crash(void **state) {
    Paper *paper = *state;
    SlProfile profile = made_up(&paper->arena);
    assert_survives_little_memory(make, &profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cases_are_compared_with_their_partners, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(everybody_holds_the_same_where_memory_suffices, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(simulated_misses_and_their_growth_are_shown, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(growth_of_both_algorithms_has_a_mean, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(a_world_has_four_pictures, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(little_memory_is_no_crash, paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
