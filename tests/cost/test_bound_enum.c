// test_bound_enum.c - bounds of tiny layers against the list of all their mappings, with
// sanitizers.
//
// A thousand layers: test_bound_enum_release.c; more: long_bound.c.
#include "bound_check.h"
#include "support/check.h"

static void bounds_equal_the_list_of_all_mappings(void **state) {
    (void)state;
    char why[BOUND_WHY_MAX];
    BoundTally tally = {0};
    for (long i = 0; i < 60; i++)
        if (tiny_bounds_wrong(21, i, 1500, &tally, sizeof why, why)) fail_msg("%s", why);
    assert_true(tally.checks > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_equal_the_list_of_all_mappings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
