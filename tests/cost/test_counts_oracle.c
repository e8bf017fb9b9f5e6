// test_counts_oracle.c - random nests: closed form, oracle and machine agree (checked build).
#include "oracle_compare.h"
#include "support/check.h"

static void the_closed_form_equals_the_oracle_on_3000_random_nests(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "counts against oracle");
    for (int i = 0; i < 3000; i++) {
        Case c;
        char why[DIFFERENCE_MAX];
        case_sample(&rng, 1000, &c);
        if (oracle_differs(&c, sizeof why, why)) fail_msg("nest %d: %s", i, why);
    }
}

static void a_machine_that_moves_values_agrees_with_the_oracle_on_1000_nests(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "machine");
    for (int i = 0; i < 1000; i++) {
        Case c;
        char why[DIFFERENCE_MAX];
        case_sample(&rng, 500, &c);
        if (machine_differs(&c, &rng, sizeof why, why)) fail_msg("nest %d: %s", i, why);
    }
}

static void random_cases_are_nests_of_their_layers_and_replay_from_their_text(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 2, "cases");
    for (int i = 0; i < 3000; i++) {
        Case c, again;
        char text[CASE_TEXT_MAX], text_again[CASE_TEXT_MAX];
        case_sample(&rng, 20000, &c);
        assert_null(sl_layer_check(&c.layer));
        assert_null(sl_mapping_check(&c.layer, &c.mapping));
        case_read(case_text(&c, sizeof text, text), &again);
        assert_string_equal(case_text(&again, sizeof text_again, text_again), text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_equals_the_oracle_on_3000_random_nests),
        cmocka_unit_test(a_machine_that_moves_values_agrees_with_the_oracle_on_1000_nests),
        cmocka_unit_test(random_cases_are_nests_of_their_layers_and_replay_from_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
