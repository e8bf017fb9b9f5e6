// test_world_tag.c - rewards of predators, and prey that flee, by worlds made by hand.
#include "support/check.h"

#include <math.h>

#include "particle_block.h"

static void predators_share_ten_for_every_touch(void **state) {
    Block *block = *state;
    block_init(block, "tag", SL_RULES_OPENAI, 6); // two prey
    put_mover(block, 6, 0, 0);
    put_mover(block, 7, 0.1, 0);
    put_mover(block, 0, 0.05, 0);  // touches both
    put_mover(block, 1, 0, -0.12); // touches one
    put_mover(block, 2, 0.1, 0.13);
    for (int i = 0; i < 6; i++) assert_true(reward_of(block, i) == 30);
    block->world.rules = SL_RULES_MPE2;
    assert_true(reward_of(block, 0) == 30);
}

static void touching_means_strictly_closer_than_both_sizes(void **state) {
    Block *block = *state;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0, 0);
    put_mover(block, 1, 0.125, 0);
    assert_true(reward_of(block, 0) == 0);
    put_mover(block, 1, nextafterf(0.125F, 0), 0);
    assert_true(reward_of(block, 0) == 10);
    put_mover(block, 1, 0, -0.125);
    assert_true(reward_of(block, 0) == 0);
}

static void prey_flee_from_the_nearest_predator_and_from_walls(void **state) {
    Block *block = *state;
    const float *prey = block->force + (size_t)(2 * 3) * PARTICLE_BLOCK;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0, 0);
    put_mover(block, 0, -0.2, 0); // near
    put_mover(block, 1, 0, 0.8);  // far
    block_drive(block);
    assert_true(prey[0] > 3.99F && prey[PARTICLE_BLOCK] < 0 && prey[PARTICLE_BLOCK] > -0.4F);
    // nobody near: hardly a force; at the wall, back
    put_mover(block, 0, -40, 0);
    put_mover(block, 1, 40, 0);
    block_drive(block);
    assert_true(fabsf(prey[0]) < 0.01F && fabsf(prey[PARTICLE_BLOCK]) < 0.01F);
    put_mover(block, 3, 0.9, -1.1);
    block_drive(block);
    near_to(hypotf(prey[0], prey[PARTICLE_BLOCK]), 4);
    assert_true(prey[0] < -1 && prey[PARTICLE_BLOCK] > 3);
    put_mover(block, 3, -0.9, 1.1);
    block_drive(block);
    assert_true(prey[0] > 1 && prey[PARTICLE_BLOCK] < -3);
}

static void prey_push_at_most_as_hard_as_a_whole_action(void **state) {
    Block *block = *state;
    const float *prey = block->force + (size_t)(2 * 3) * PARTICLE_BLOCK;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0.85, 0); // 100 x 0.05 is more than 1
    block_drive(block);
    assert_true(fabsf(prey[0] + 4) < 1e-4F);
    put_mover(block, 3, 0.805, 0); // half a one
    block_drive(block);
    assert_true(fabsf(prey[0] + 2) < 1e-3F);
}

static void prey_that_dodge_see_the_nearest_predator_alone(void **state) {
    Block *block = *state;
    const float *prey = block->force + (size_t)(2 * 3) * PARTICLE_BLOCK;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    block->world.script = SL_SCRIPT_SECOND;
    put_mover(block, 3, 0, 0);
    put_mover(block, 0, -0.3, 0);
    put_mover(block, 1, 0.31, 0); // nearly as near, on the other side
    put_mover(block, 2, 0, 0.4);
    block_drive(block);
    near_to(prey[0], 4);
    near_to(prey[PARTICLE_BLOCK], 0);
    put_mover(block, 1, 0.29, 0);
    block_drive(block);
    near_to(prey[0], -4);
    // as hard as prey that flee from one predator, and off the walls as they are
    put_mover(block, 1, 1.5, 0);
    put_mover(block, 2, 40, 0);
    put_mover(block, 0, 40, 0);
    block_drive(block);
    const float dodged = prey[0];
    block->world.script = SL_SCRIPT_OWN;
    block_drive(block);
    assert_true(dodged < -0.5F && fabsf(prey[0] - dodged) < 1e-3F);
    block->world.script = SL_SCRIPT_SECOND;
    put_mover(block, 1, 60, 0);
    put_mover(block, 3, 0, -0.9);
    block_drive(block);
    near_to(prey[PARTICLE_BLOCK], 4);
}

// what leaving the square costs by the original's words, in doubles
static double leaving(double c) {
    c = fabs(c);
    return c < 0.9 ? 0 : c < 1 ? 10 * (c - 0.9) : fmin(exp(2 * c - 2), 10);
}

static void prey_lose_ten_for_every_touch_and_by_leaving(void **state) {
    Block *block = *state;
    for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
        block_init(block, "tag", (SlParticleRules)rules, 3);
        for (double x = -2.5; x < 2.5; x += 0.037) {
            put_mover(block, 3, x, 0.95);
            put_mover(block, 0, x + 0.1, 0.95);
            put_mover(block, 1, x, 0.85);
            near_to(reward_of(block, 3), -20 - leaving((float)x) - leaving(0.95F));
            near_to(reward_of(block, 0), 20);
        }
    }
}

static void shaping_is_minus_the_distances_to_the_nearest_prey(void **state) {
    Block *block = *state;
    block_init(block, "tag", SL_RULES_OPENAI, 6); // two prey
    put_mover(block, 6, 0, 0);
    put_mover(block, 7, 2, 0);
    for (int i = 0; i < 4; i++) put_mover(block, i, 0, 0.5);
    put_mover(block, 4, 2, 1);
    put_mover(block, 5, 5, 4); // 5 from the second prey
    for (int i = 0; i < 6; i++) near_to(shaping_of(block, i), -(4 * 0.5 + 1 + 5));
    near_to(shaping_of(block, 6), 4 * 0.5 + sqrt(5) + sqrt(41));
    near_to(shaping_of(block, 7), 4 * sqrt(4.25) + 1 + 5);
}

int main(void) {
    static Block block;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(predators_share_ten_for_every_touch, &block),
        cmocka_unit_test_prestate(touching_means_strictly_closer_than_both_sizes, &block),
        cmocka_unit_test_prestate(prey_flee_from_the_nearest_predator_and_from_walls, &block),
        cmocka_unit_test_prestate(prey_push_at_most_as_hard_as_a_whole_action, &block),
        cmocka_unit_test_prestate(prey_that_dodge_see_the_nearest_predator_alone, &block),
        cmocka_unit_test_prestate(prey_lose_ten_for_every_touch_and_by_leaving, &block),
        cmocka_unit_test_prestate(shaping_is_minus_the_distances_to_the_nearest_prey, &block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
