// test_maestro_doc.c - documents of MAESTRO's numbers.
#include "starling/report/maestro_doc.h"

#include <string.h>

#include "doc_help.h"
#include "support/check.h"
#include "support/evaluated.h"

static void one_layer_is_shown_in_full(void **state) {
    Paper *paper = *state;
    SlMaestroEvaluation eval = maestro_evaluated(&paper->arena, "lost_edge.m", 2);
    paper->doc = sl_report_maestro(&eval);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "Side by side"));
    assert_non_null(strstr(text, "NOT PHYSICAL:"));
    assert_non_null(strstr(text, "lost edge"));
}

static void several_layers_are_rows_with_sums(void **state) {
    Paper *paper = *state;
    SlMaestroEvaluation eval = maestro_evaluated(&paper->arena, "stale_energy.m", 4);
    paper->doc = sl_report_maestro(&eval);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "2 layers"));
    assert_null(strstr(text, "Side by side"));
    assert_int_equal(count_of(paper_form(paper, SL_FORM_JSON), "\"runtime\": "), 3);
    SlText csv;
    sl_text_init(&csv, &paper->arena);
    sl_maestro_csv(&eval, &csv);
    assert_int_equal(count_of(csv.data, "\n"), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_layer_is_shown_in_full, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(several_layers_are_rows_with_sums, paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
