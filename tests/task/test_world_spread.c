// test_world_spread.c - rewards of agents over landmarks, by worlds made by hand.
#include "support/check.h"

#include "particle_block.h"

// three agents on a line, two of them touching, landmarks at known distances: 0.1, 0.5, 0
static void spread_scene(Block *block, SlParticleRules rules) {
    block_init(block, "spread", rules, 3);
    put_mover(block, 0, 0, 0);
    put_mover(block, 1, 0.2, 0);
    put_mover(block, 2, 0.6, 0);
    put_landmark(block, 0, 0.2, 0.1);
    put_landmark(block, 1, -0.3, 0.4);
    put_landmark(block, 2, 0.6, 0);
}

static void spread_sums_rewards_and_counts_agents_as_touching_themselves(void **state) {
    Block *block = *state;
    spread_scene(block, SL_RULES_OPENAI);
    for (int i = 0; i < 3; i++) near_to(reward_of(block, i), -3 * 0.6 - 3 - 2);
    put_mover(block, 2, 0.4, 0); // touches one more
    near_to(reward_of(block, 0), -3 * (0.6 + 0.2) - 3 - 4);
}

static void spread_by_mpe2_is_half_global_half_own_without_oneself(void **state) {
    Block *block = *state;
    spread_scene(block, SL_RULES_MPE2);
    near_to(reward_of(block, 0), -0.5 * 0.6 - 0.5);
    near_to(reward_of(block, 1), -0.5 * 0.6 - 0.5);
    near_to(reward_of(block, 2), -0.5 * 0.6);
    put_mover(block, 2, 0.4, 0);
    near_to(reward_of(block, 0), -0.5 * 0.8 - 0.5);
    near_to(reward_of(block, 1), -0.5 * 0.8 - 1);
    near_to(reward_of(block, 2), -0.5 * 0.8 - 0.5);
}

int main(void) {
    static Block block;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(spread_sums_rewards_and_counts_agents_as_touching_themselves,
                                  &block),
        cmocka_unit_test_prestate(spread_by_mpe2_is_half_global_half_own_without_oneself, &block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
