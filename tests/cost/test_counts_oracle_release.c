// test_counts_oracle_release.c - many random nests: closed form, oracle and machine agree.
//
// The optimised build; a million nests: long_oracle.c.
#include "oracle_compare.h"
#include "support/check.h"

static void compare(uint64_t seed, int n, int64_t max_macs) {
    SlRng rng;
    sl_rng_init(&rng, seed, "counts against oracle");
    for (int i = 0; i < n; i++) {
        Case c;
        char why[DIFFERENCE_MAX];
        case_sample(&rng, max_macs, &c);
        if (oracle_differs(&c, sizeof why, why)) fail_msg("nest %d: %s", i, why);
    }
}

static void the_closed_form_equals_the_oracle_on_30000_small_nests(void **state) {
    (void)state;
    compare(11, 30000, 2000);
}

static void the_closed_form_equals_the_oracle_on_5000_larger_nests(void **state) {
    (void)state;
    compare(12, 5000, 20000);
}

static void a_machine_that_moves_values_agrees_with_the_oracle_on_10000_nests(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 13, "machine");
    for (int i = 0; i < 10000; i++) {
        Case c;
        char why[DIFFERENCE_MAX];
        case_sample(&rng, 1500, &c);
        if (machine_differs(&c, &rng, sizeof why, why)) fail_msg("nest %d: %s", i, why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_equals_the_oracle_on_30000_small_nests),
        cmocka_unit_test(the_closed_form_equals_the_oracle_on_5000_larger_nests),
        cmocka_unit_test(a_machine_that_moves_values_agrees_with_the_oracle_on_10000_nests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
