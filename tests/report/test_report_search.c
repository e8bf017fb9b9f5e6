// test_report_search.c - a search in a space of one's own as a document.
#include <string.h>

#include "doc_help.h"
#include "starling/report/search_doc.h"
#include "support/check.h"

static SlCurvePoint curve[] = {{1, 7}, {4, 2.5}};

// the best point is the last value of everything
static SlOwnSearch found(SlArena *arena) {
    SlOwnSearch search = {.program = {.command = "./mine"},
                          .method = sl_method_find("random"),
                          .seed = 9,
                          .agents = {.n_agents = 5},
                          .record = {.samples = 10, .failures = 2, .n_curve = 2, .curve = curve}};
    SlError err;
    if (sl_own_search_read(&search, SL_SOURCE_DIR "/tools/outputs/inputs/space.yaml", arena,
                           &err) != SL_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < search.own.space.n_params; i++)
        search.record.best.point[i] = search.own.space.params[i].n - 1;
    search.record.best.sample = 4;
    search.record.best.outcome.value = 2.5;
    return search;
}

static void the_best_point_has_names_and_values(void **state) {
    Paper *paper = *state;
    SlOwnSearch search = found(&paper->arena);
    paper->doc = sl_report_search(&search, &paper->arena);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "toy: 5 parameters, 5,400 points"));
    assert_non_null(strstr(text, "2.5 at evaluation 4"));
    assert_non_null(strstr(text, "2 without a value"));
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"rows\": 64"));
    assert_non_null(strstr(json, "\"dataflow\": \"is\""));
    assert_non_null(strstr(json, "\"evaluator\": \"./mine\""));
    assert_non_null(strstr(paper_form(paper, SL_FORM_CSV), "4,2.5"));
}

static void without_a_value_there_is_no_point(void **state) {
    Paper *paper = *state;
    SlOwnSearch search = found(&paper->arena);
    search.record.best.sample = 0;
    paper->doc = sl_report_search(&search, &paper->arena);
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), "No point has a value."));
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "\"point\": null"));
}

static SlDoc *make(const void *of, SlArena *arena) {
    return sl_report_search(of, arena);
}

static void little_memory_is_no_crash(void **state) {
    Paper *paper = *state;
    SlOwnSearch search = found(&paper->arena);
    assert_survives_little_memory(make, &search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_best_point_has_names_and_values, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(without_a_value_there_is_no_point, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(little_memory_is_no_crash, paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
