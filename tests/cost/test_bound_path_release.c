// test_bound_path_release.c - a hundred thousand bounds on the way to mappings of real layers.
#include "bound_check.h"
#include "support/check.h"

static void no_bound_on_the_way_is_above_the_mapping(void **state) {
    (void)state;
    char why[BOUND_WHY_MAX];
    BoundTally tally = {0};
    for (long i = 0; i < 100; i++)
        if (path_bounds_wrong(32, i, 2000, &tally, sizeof why, why)) fail_msg("%s", why);
    print_message("%ld climbs, %ld mappings, %ld bounds compared\n", tally.cases, tally.mappings,
                  tally.checks);
    assert_true(tally.checks > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_on_the_way_is_above_the_mapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
