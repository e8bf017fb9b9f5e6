// test_report_verify.c - checked certificates as a document: rows, lines, sums.
#include "doc_help.h"
#include "starling/report/verify_doc.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

static SlCertificateFile certificate(const char *path, bool valid, const char *fault) {
    SlCertificateFile file = {.path = path, .fault = fault, .run = "run", .layer = "conv"};
    file.read = true;
    file.verdict = (SlVerdict){.valid = valid,
                               .reason = "the bound is too high",
                               .value = 1026,
                               .lower_bound = 1000,
                               .gap = 0.026,
                               .n_branches = 1,
                               .nodes = 12345,
                               .layer = "conv:K=4",
                               .accel = "small",
                               .goal = "latency"};
    return file;
}

static void says(Paper *paper, SlForm form, const char *piece) {
    const char *text = paper_form(paper, form);
    if (!strstr(text, piece)) fail_msg("'%s' is not in:\n%s", piece, text);
}

static void every_certificate_has_a_line_and_the_sum_counts_them(void **state) {
    Paper *paper = *state;
    SlCertificateFile files[] = {certificate("a.cert", true, NULL),
                                 certificate("b.cert", false, NULL),
                                 certificate("c.cert", true, "it is of another layer"),
                                 {.path = "none.cert"}};
    SlRunFault fault = {"run", "dense", "its certificate is missing"};
    SlVerify verify = {.arena = &paper->arena,
                       .n_files = 4,
                       .files = files,
                       .n_faults = 1,
                       .faults = &fault,
                       .n_true = 1,
                       .n_false = 2,
                       .n_unread = 1};
    paper->doc = sl_report_verify(&verify);
    says(paper, SL_FORM_TEXT,
         "a.cert: true: gap 2.6 %, latency 1,026 cycles, lower bound 1,000 cycles, 1 branch, "
         "12,345 nodes,"
         " conv:K=4 on small, proven in the space");
    says(paper, SL_FORM_TEXT, "b.cert: FALSE: layer conv: the bound is too high: gap");
    says(paper, SL_FORM_TEXT, "c.cert: FALSE: layer conv: it is of another layer: gap");
    says(paper, SL_FORM_TEXT, "run: FALSE: layer dense: its certificate is missing");
    says(paper, SL_FORM_TEXT,
         "4 certificates: 1 true, 2 FALSE, 1 not read; 1 result without a certificate");
    assert_int_equal(count_of(paper_form(paper, SL_FORM_TEXT), "none.cert"), 0);
    says(paper, SL_FORM_JSON, "\"reason\": \"it is of another layer\"");
    says(paper, SL_FORM_JSON, "\"n_false\": 2");
    assert_int_equal(count_of(paper_form(paper, SL_FORM_JSON), "\"valid\": true"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_certificate_has_a_line_and_the_sum_counts_them,
                                        paper_make, paper_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
