// test_bound_path.c - bounds on the way to mappings of real layers, with sanitizers.
//
// A hundred thousand: test_bound_path_release.c; a million: long_bound.c.
#include "bound_check.h"
#include "support/check.h"

static void no_bound_on_the_way_is_above_the_mapping(void **state) {
    (void)state;
    char why[BOUND_WHY_MAX];
    BoundTally tally = {0};
    for (long i = 0; i < 8; i++)
        if (path_bounds_wrong(31, i, 300, &tally, sizeof why, why)) fail_msg("%s", why);
    assert_true(tally.checks > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_on_the_way_is_above_the_mapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
