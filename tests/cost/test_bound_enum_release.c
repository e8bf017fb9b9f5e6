// test_bound_enum_release.c - a thousand tiny layers: every mapping priced, the least of every
// branch and of every choice of tiles is what the bounds say.
#include "bound_check.h"
#include "support/check.h"

static void compare(uint64_t seed, long n, double most) {
    char why[BOUND_WHY_MAX];
    BoundTally tally = {0};
    for (long i = 0; i < n; i++)
        if (tiny_bounds_wrong(seed, i, most, &tally, sizeof why, why)) fail_msg("%s", why);
    print_message("%ld layers, %ld branches, %ld mappings, %ld bounds compared\n", tally.cases,
                  tally.branches, tally.mappings, tally.checks);
    assert_true(tally.cases == n && tally.mappings > 200 * n);
}

static void a_thousand_tiny_layers_have_the_optimum_of_their_bounds(void **state) {
    (void)state;
    compare(22, 1000, 4000);
}

static void forty_larger_ones_have_too(void **state) {
    (void)state;
    compare(23, 40, 40000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_tiny_layers_have_the_optimum_of_their_bounds),
        cmocka_unit_test(forty_larger_ones_have_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
