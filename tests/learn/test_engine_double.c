// test_engine_double.c - recorded rounds of MADDPG in doubles, by the same code: within 1e-10.
#include "support/double_real.h"

#define COPY(name) double_##name
#define sl_agent_scratch COPY(agent_scratch)
#define sl_agent_work_make COPY(agent_work_make)
#define sl_agent_work_widen COPY(agent_work_widen)
#define sl_agent_fold COPY(agent_fold)
#define sl_agent_unfold COPY(agent_unfold)
#define sl_agent_y COPY(agent_y)
#define sl_agent_actions COPY(agent_actions)
#define sl_agent_target COPY(agent_target)
#define sl_agent_critics COPY(agent_critics)
#define sl_agent_actor COPY(agent_actor)
#define sl_agent_soften COPY(agent_soften)
#include "approx/dense_copy.h"

#include "learn/engine_fold.c"
#include "learn/engine_update.c"
#include "learn/engine_work.c"

#include "engine_parity.h"

static void two_recorded_rounds_come_out_in_doubles(void **state) {
    (void)state;
    Distance distance = play_recording(NULL);
    if (distance.weight > 1e-10) fail_msg("a weight is off by %g", distance.weight);
    if (distance.target > 1e-10) fail_msg("a target is off by %g", distance.target);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_recorded_rounds_come_out_in_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
