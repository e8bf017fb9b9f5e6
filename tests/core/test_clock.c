// test_clock.c - clocks go forward, in seconds.
#include "support/check.h"

#include <time.h>

#include "starling/core.h"

static void it_goes_forward_in_seconds(void **state) {
    (void)state;
    double before = sl_clock_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    double passed = sl_clock_seconds() - before;
    assert_true(passed >= 0.02 && passed < 20);
}

static void a_thread_that_sleeps_takes_no_processor_time(void **state) {
    (void)state;
    double before = sl_clock_thread();
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    assert_true(sl_clock_thread() - before < 0.04);
    volatile double sum = 0;
    double begun = sl_clock_seconds();
    while (sl_clock_thread() - before < 0.05 && sl_clock_seconds() - begun < 20)
        for (int i = 0; i < 1000; i++) sum = sum + i;
    assert_true(sl_clock_thread() - before >= 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_forward_in_seconds),
        cmocka_unit_test(a_thread_that_sleeps_takes_no_processor_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
