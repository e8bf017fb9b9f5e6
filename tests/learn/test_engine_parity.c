// test_engine_parity.c - recorded rounds of MADDPG in floats: within 1e-5 of every tensor's norm.
#include "engine_parity.h"

static void two_recorded_rounds_come_out_in_floats(void **state) {
    (void)state;
    Distance distance = play_recording(NULL);
    if (distance.tensor > 1e-5) fail_msg("a tensor is off by %g of its norm", distance.tensor);
    if (distance.target > 1e-4) fail_msg("a target is off by %g", distance.target);
}

static void threads_do_not_change_them(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(3);
    Distance alone = play_recording(NULL), together = play_recording(pool);
    sl_pool_free(pool);
    assert_memory_equal(&alone, &together, sizeof alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_recorded_rounds_come_out_in_floats),
        cmocka_unit_test(threads_do_not_change_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
