// test_tuned_vta.c - networks tuned for VTA: instructions, limits, the core that was found.
#include <string.h>

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

static void a_program_is_a_list_of_instructions(void **state) {
    Tuned *tuned = *state;
    SlText out;
    tuned_run(tuned);
    sl_text_init(&out, &tuned->arena);
    sl_tuned_program(&tuned->tuned, sl_job_task(tuned->tuned.job, 1), &out);
    assert_false(out.failed);
    assert_non_null(strstr(out.data, "gemm"));
    assert_string_equal(sl_tuned_ending(&tuned->tuned), ".vta");
    assert_int_equal(sl_tuned_unit(&tuned->tuned), SL_UNIT_CYCLES);
}

static void limits_are_called_as_they_were_given(void **state) {
    Tuned *tuned = *state;
    tuned_run(tuned);
    assert_non_null(strstr(tuned_form(tuned, SL_FORM_MARKDOWN), "limits: none"));
    tuned->vta.budget.macs = 512;
    tuned->tuned.limits = "macs=512";
    assert_non_null(strstr(tuned_form(tuned, SL_FORM_MARKDOWN), "limits: macs=512"));
    assert_true(tuned_number(tuned, "resources.fill") == 0.5);
}

static void a_network_that_chose_a_core_shows_the_others(void **state) {
    Tuned *tuned = *state;
    tuned->vta.budget = sl_vta_budget_equal(&tuned->vta.core, "as given");
    tuned->setup.n_cores = 2;
    tuned_run(tuned);
    const SlJobCore *chosen = sl_job_core(tuned->tuned.job);
    const char *json = tuned_form(tuned, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"hardware\": \"search\""));
    assert_true(tuned_number(tuned, "total.cycles") == chosen->cycles);
    assert_true(tuned_number(tuned, "core.block_out") == chosen->core.block_out);
    assert_true(tuned_number(tuned, "cores.0.drafted_cycles") <=
                tuned_number(tuned, "cores.1.drafted_cycles"));
    assert_true(tuned_number(tuned, "total.measurements") == 40); // of both cores
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(a_program_is_a_list_of_instructions),
        CASE(limits_are_called_as_they_were_given),
        CASE(a_network_that_chose_a_core_shows_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
