// test_report_tuned.c - a tuned network as a document: setup, sums, layers, schedules, pictures.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "support/check.h"
#include "tuned_help.h"

static int setup(void **state) {
    static Tuned tuned;
    tuned_make(&tuned);
    *state = &tuned;
    return 0;
}

static int teardown(void **state) {
    tuned_free(*state);
    return 0;
}

static const char *setup_text(Tuned *tuned) {
    SlText out;
    SlDoc *doc = sl_doc_make(&tuned->arena, "test", 1);
    sl_text_init(&out, &tuned->arena);
    sl_doc_tuned_setup(doc, &tuned->tuned);
    assert_int_equal(sl_doc_write(doc, SL_FORM_JSON, &out, NULL), SL_OK);
    return out.data;
}

static void what_was_asked_for_is_the_same_before_and_after(void **state) {
    Tuned *tuned = *state;
    tuned->tuned.transfer = "0123456789abcdef";
    tuned_open(tuned);
    const char *before = setup_text(tuned);
    assert_non_null(strstr(before, "\"transfer\": \"0123456789abcdef\""));
    assert_false(sl_tuned_is_finished(&tuned->tuned));
    assert_int_equal(sl_job_run(tuned->tuned.job, NULL, NULL, NULL, NULL, NULL), SL_OK);
    assert_string_equal(setup_text(tuned), before);
    assert_true(sl_tuned_is_finished(&tuned->tuned));
    tuned->tuned.interrupted = true;
    assert_false(sl_tuned_is_finished(&tuned->tuned));
}

static void sums_count_layers_as_often_as_they_occur(void **state) {
    Tuned *tuned = *state;
    tuned_run(tuned);
    const SlJobTask *a = sl_job_task(tuned->tuned.job, 1), *b = sl_job_task(tuned->tuned.job, 2);
    double cycles = 2 * a->best_value + b->best_value;
    double seconds = tuned_number(tuned, "total.seconds");
    double macs = 2.0 * (double)sl_layer_macs(a->layer) + (double)sl_layer_macs(b->layer);
    assert_true(tuned_number(tuned, "total.cycles") == cycles);
    assert_true(tuned_number(tuned, "total.layers") == 3);
    assert_true(tuned_number(tuned, "total.macs") == macs);
    assert_true(tuned_number(tuned, "total.measurements") == 40);
    assert_true(tuned_number(tuned, "speed.measured") == 40);
    assert_true(fabs(tuned_number(tuned, "total.gops") * seconds - 2e-9 * macs) < 1e-12);
    assert_true(tuned_number(tuned, "layers.1.best.cycles") == a->best_value);
    assert_true(tuned_number(tuned, "layers.2.regret") ==
                b->best_value / b->optimum.best.outcome.value - 1);
}

static void layers_left_out_are_named_with_the_reason(void **state) {
    Tuned *tuned = *state;
    tuned_run(tuned);
    assert_non_null(
        strstr(tuned_form(tuned, SL_FORM_TEXT), "not in the sums: first (--skip-first)."));
}

static void a_network_without_results_says_so(void **state) {
    Tuned *tuned = *state;
    tuned_open(tuned);
    const char *text = tuned_form(tuned, SL_FORM_TEXT);
    assert_non_null(strstr(text, "Not every layer has a schedule that works."));
    assert_null(strstr(text, "Schedules"));
    assert_null(strstr(tuned_form(tuned, SL_FORM_HTML), "<svg"));
}

static void programs_are_links_where_they_were_written(void **state) {
    static const char *const files[] = {"programs/first.vta", "programs/a.vta", "programs/b.vta"};
    Tuned *tuned = *state;
    tuned_run(tuned);
    assert_null(strstr(tuned_form(tuned, SL_FORM_HTML), "programs/"));
    tuned->tuned.programs = files;
    const char *page = tuned_form(tuned, SL_FORM_HTML);
    assert_int_equal(count_of(page, "programs/a.vta"), 1);
    assert_null(strstr(page, "programs/first.vta")); // it was left out
}

typedef struct {
    int curves, times;
} Files;

static SlStatus see_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    Files *files = context;
    (void)err;
    if (strcmp(file, "time.svg") == 0) files->times++;
    if (strcmp(file, "curves.svg") == 0) files->curves += count_of(bytes->data, ">optimum<");
    return SL_OK;
}

static void pictures_show_times_and_the_proven_optimum(void **state) {
    Tuned *tuned = *state;
    Files files = {0};
    tuned_run(tuned);
    SlDoc *doc = sl_report_tuned(&tuned->tuned);
    assert_int_equal(sl_doc_files(doc, see_file, &files, NULL), SL_OK);
    assert_int_equal(files.times, 1);
    assert_true(files.curves > 0);
}

static void without_memory_there_is_no_document(void **state) {
    Tuned *tuned = *state;
    SlStatus status = SL_ENOMEM;
    int failed = 0;
    tuned_run(tuned);
    for (size_t limit = 512; status != SL_OK; limit += limit / 16) {
        SlArena small;
        SlText out;
        sl_arena_init(&small, limit);
        tuned->tuned.arena = &small;
        SlDoc *doc = sl_report_tuned(&tuned->tuned);
        sl_text_init(&out, &tuned->arena);
        status = sl_doc_write(doc, SL_FORM_JSON, &out, NULL);
        assert_true(status == SL_OK || status == SL_ENOMEM);
        failed += status != SL_OK;
        sl_arena_free(&small);
    }
    assert_true(failed > 10);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(what_was_asked_for_is_the_same_before_and_after),
        CASE(sums_count_layers_as_often_as_they_occur),
        CASE(layers_left_out_are_named_with_the_reason),
        CASE(a_network_without_results_says_so),
        CASE(programs_are_links_where_they_were_written),
        CASE(pictures_show_times_and_the_proven_optimum),
        CASE(without_memory_there_is_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
