// test_tuned_cpu.c - networks tuned for this processor: C programs, their share of the peak.
#include <string.h>

#include "support/check.h"
#include "tuned_help.h"

static int setup(void **state) {
    static Tuned tuned;
    static const SlCpuOptions cpu = {.threads = 2};
    tuned_make(&tuned);
    tuned.setup.kind = &sl_kind_cpu;
    tuned.setup.kind_options = &cpu;
    tuned.setup.prove = false;
    tuned_open(&tuned);
    *state = &tuned;
    return 0;
}

static int teardown(void **state) {
    tuned_free(*state);
    return 0;
}

// as if the first point had been measured
static SlJobTask *pretend(Tuned *tuned, double seconds) {
    SlJobTask *task = sl_job_task(tuned->tuned.job, 1);
    task->searched = true;
    task->record.best.sample = task->record.samples = 1;
    task->record.best.outcome.value = task->best_value = seconds;
    task->untuned_value = 2 * seconds;
    return task;
}

static void the_peak_is_that_of_all_threads(void **state) {
    Tuned *tuned = *state;
    const SlJobTask *task = pretend(tuned, 1e-3);
    double gops = 2e-9 * (double)sl_layer_macs(task->layer) / 1e-3;
    assert_non_null(strstr(tuned_form(tuned, SL_FORM_TEXT), "not known"));
    tuned->tuned.peak_gops = gops;
    assert_true(tuned_number(tuned, "layers.1.peak_share") == 0.5);
    assert_true(tuned_number(tuned, "layers.1.speed_up") == 2);
    assert_true(tuned_number(tuned, "layers.1.best.measured_s") == 1e-3);
    assert_true(tuned_number(tuned, "setup.threads") == 2);
}

static void a_program_is_c(void **state) {
    Tuned *tuned = *state;
    SlText out;
    sl_text_init(&out, &tuned->arena);
    sl_tuned_program(&tuned->tuned, pretend(tuned, 1), &out);
    assert_non_null(strstr(out.data, "void "));
    assert_string_equal(sl_tuned_ending(&tuned->tuned), ".c");
    assert_int_equal(sl_tuned_unit(&tuned->tuned), SL_UNIT_SECONDS);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(the_peak_is_that_of_all_threads),
        CASE(a_program_is_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
