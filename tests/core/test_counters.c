// test_counters.c - hardware counters count, or say that they cannot; they never fail.
#include "support/check.h"

#include <math.h>

#include "starling/core.h"

static double work(int n) {
    volatile double sum = 0;
    for (int i = 0; i < n; i++) sum = sum + 1.0 / (1 + i);
    return sum;
}

static void what_is_counted_grows_with_the_work(void **state) {
    (void)state;
    SlCounters counters;
    double none[SL_N_COUNTERS], some[SL_N_COUNTERS], more[SL_N_COUNTERS];
    sl_counters_open(&counters);
    work(100000); // before it starts
    sl_counters_read(&counters, none);
    sl_counters_start(&counters);
    work(100000);
    sl_counters_stop(&counters);
    sl_counters_read(&counters, some);
    work(100000); // stopped
    sl_counters_start(&counters);
    work(1000000);
    sl_counters_stop(&counters);
    sl_counters_read(&counters, more);
    for (int i = 0; i < SL_N_COUNTERS; i++) {
        assert_non_null(sl_counter_names[i]);
        if (counters.files[i] < 0) {
            assert_true(isnan(none[i]) && isnan(some[i]) && isnan(more[i]));
            continue;
        }
        assert_true(isnan(more[i]) || (none[i] == 0 && some[i] >= 0 && more[i] >= some[i]));
    }
    if (counters.files[SL_COUNTER_INSTRUCTIONS] >= 0 && !isnan(more[SL_COUNTER_INSTRUCTIONS]))
        assert_true(more[SL_COUNTER_INSTRUCTIONS] > 1000000);
    assert_null(sl_counter_names[SL_N_COUNTERS]);
    sl_counters_close(&counters);
}

static void closed_counters_say_nothing(void **state) {
    (void)state;
    SlCounters counters;
    double counts[SL_N_COUNTERS];
    sl_counters_open(&counters);
    sl_counters_close(&counters);
    sl_counters_close(&counters);
    sl_counters_start(&counters);
    sl_counters_stop(&counters);
    sl_counters_read(&counters, counts);
    for (int i = 0; i < SL_N_COUNTERS; i++) assert_true(isnan(counts[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_counted_grows_with_the_work),
        cmocka_unit_test(closed_counters_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
