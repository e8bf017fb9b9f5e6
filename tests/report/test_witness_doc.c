// test_witness_doc.c - documents of executed mappings.
#include "starling/report/witness_doc.h"

#include <string.h>

#include "doc_help.h"
#include "support/check.h"
#include "support/evaluated.h"

// an execution of which one count was changed
static void a_count_that_differs_is_named(void **state) {
    Paper *paper = *state;
    SlEvaluation eval = evaluated(&paper->arena, "conv:K=3,C=2,P=5,R=3", "flex256",
                                  "C:1 P:2 @7 K*2 K:1 R:1 @7 P:1");
    SlWitnessCheck check;
    assert_int_equal(sl_witness_prepare(&eval, &check, NULL), SL_OK);
    SlWitnessed *it = &check.layers[0];
    it->execution.output_right = true;
    it->n_pairs = 2;
    it->n_different = 1;
    it->pairs[0] = (SlWitnessPair){.name = "macs", .tensor = "", .model = 90, .execution = 90};
    it->pairs[1] = (SlWitnessPair){
        .level = "L1", .name = "l2_fill_W", .tensor = "W", .model = 18, .execution = 17};
    paper->doc = sl_report_witness(&check);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "1 of 2 counts differ; the output is right"));
    assert_int_equal(count_of(text, " NO"), 1);
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"equal\": false"));
    assert_int_equal(count_of(json, "\"l2_fill_W\""), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_count_that_differs_is_named, paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
