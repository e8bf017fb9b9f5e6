// test_agreement.c - how far two partitions agree.
#include "support/check.h"

#include <math.h>

#include "starling/assign.h"

static void assert_index(int n, const int *a, const int *b, double expected) {
    double index = sl_partition_agreement(n, a, b);
    if (!(fabs(index - expected) <= 1e-12)) fail_msg("%.17g is not %.17g", index, expected);
    assert_true(sl_partition_agreement(n, b, a) == index);
}

// examples of the documentation of scikit-learn 1.5, adjusted_rand_score
static void indices_equal_those_of_scikit_learn(void **state) {
    (void)state;
    assert_index(4, (const int[]){0, 0, 1, 1}, (const int[]){0, 0, 1, 1}, 1);
    assert_index(4, (const int[]){0, 0, 1, 1}, (const int[]){1, 1, 0, 0}, 1);
    assert_index(4, (const int[]){0, 0, 1, 2}, (const int[]){0, 0, 1, 1}, 4.0 / 7);
    assert_index(4, (const int[]){0, 0, 0, 0}, (const int[]){0, 1, 2, 3}, 0);
    assert_index(4, (const int[]){0, 0, 1, 1}, (const int[]){0, 1, 0, 1}, -0.5);
}

static void one_group_and_lone_points_leave_nothing_to_disagree_about(void **state) {
    (void)state;
    const int one[] = {0, 0, 0}, each[] = {0, 1, 2};
    assert_index(3, one, one, 1);
    assert_index(3, each, each, 1);
    assert_index(1, one, each, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_equal_those_of_scikit_learn),
        cmocka_unit_test(one_group_and_lone_points_leave_nothing_to_disagree_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
