// test_rows_release.c - a flock taught by RTL rows orders the mappings of layers it never saw.
#include "support/check.h"

#include "rows_help.h"

static void critics_order_layers_they_never_saw(void **state) {
    (void)state;
    Rtl rtl;
    SlFlock *flock = NULL;
    SlError err = {0};
    rtl_make(&rtl);
    const SlTeachOptions options = rtl_options(11, 1);
    assert_int_equal(sl_flock_teach(rtl.rows.n_tasks, rtl.rows.lessons, &options, NULL, &rtl.arena,
                                    &flock, &err),
                     SL_OK);
    const SlFlockInfo *info = sl_flock_info(flock);
    print_message("tau %.3f, factors %.3f and %.3f\n", info->tau, info->regret1, info->regret3);
    assert_true(info->tau >= 0.74);
    assert_true(info->regret1 <= 1.17);
    assert_true(info->regret3 <= 1.05);
    rtl_free(&rtl);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(critics_order_layers_they_never_saw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
