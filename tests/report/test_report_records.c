// test_report_records.c - records for other programs: CSV and a document say the same.
#include "doc_help.h"
#include "starling/report/records.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

static SlCurvePoint curve[] = {{.sample = 1, .value = 8}, {.sample = 5, .value = 2.5}};
static SlWindow windows[] = {{.last = 10, .mean_inverse = 0.125}};

// a run, and a cell that failed
static SlCellRecord cells[] = {
    {.kind = SL_CELL_RUN,
     .key = "run/a/ga/1",
     .task = "a, edp",
     .row = "ga",
     .settings = "{\"population\": 20}",
     .seed = 1,
     .budget = 100,
     .value = 2.5,
     .floor = NAN,
     .seconds = 0.75,
     .n_curve = 2,
     .curve = curve,
     .n_windows = 1,
     .windows = windows},
    {.kind = SL_CELL_PROOF, .key = "proof/a", .task = "a, edp", .reason = "why", .value = NAN},
};

static const char *csv(Paper *paper, SlRecords records) {
    SlText out;
    sl_text_init(&out, &paper->arena);
    sl_records_csv(&records, &out);
    return out.data;
}

static SlRecords all(SlRecordsPart part, bool times) {
    return (SlRecords){.study = "mine", .n = 2, .records = cells, .part = part, .times = times};
}

static void csv_has_a_line_per_cell(void **state) {
    const char *text = csv(*state, all(SL_RECORDS_CELLS, false));
    assert_int_equal(count_of(text, "\n"), 3);
    assert_int_equal(strncmp(text, "kind,key,task,", 14), 0);
    assert_non_null(strstr(text, "\nrun,run/a/ga/1,\"a, edp\","));
    assert_null(strstr(text, "seconds"));
    assert_null(strstr(text, "0.75"));
    text = csv(*state, all(SL_RECORDS_CELLS, true));
    assert_non_null(strstr(text, ",seconds,machine,finished\n"));
    assert_non_null(strstr(text, ",0.75,,\n"));
}

static void csv_of_curves_and_windows_has_a_line_per_point(void **state) {
    assert_string_equal(csv(*state, all(SL_RECORDS_CURVES, false)),
                        "task,row,seed,sample,best\n\"a, edp\",ga,1,1,8\n\"a, edp\",ga,1,5,2.5\n");
    assert_string_equal(csv(*state, all(SL_RECORDS_WINDOWS, false)),
                        "task,row,seed,last_sample,mean_inverse\n\"a, edp\",ga,1,10,0.125\n");
}

static void a_document_has_an_object_per_cell(void **state) {
    Paper *paper = *state;
    SlRecords records = all(SL_RECORDS_CURVES, false);
    paper->doc = sl_report_records(&records, &paper->arena);
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"study\": \"mine\""));
    assert_non_null(strstr(json, "\"population\": 20"));
    assert_non_null(strstr(json, "\"floor\": null"));
    assert_non_null(strstr(json, "\"reason\": \"why\""));
    assert_int_equal(count_of(json, "\"curve\""), 2);
    assert_int_equal(count_of(json, "\"seconds\""), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(csv_has_a_line_per_cell, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(csv_of_curves_and_windows_has_a_line_per_point, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(a_document_has_an_object_per_cell, paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
