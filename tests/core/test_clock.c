// test_clock.c - the clock goes forward, in seconds.
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_goes_forward_in_seconds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
