// test_particle_rules.c - the rules of particle worlds, by worlds made by hand: contacts, speed,
// integration, rewards; and the same bits from vectors of every size.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "task/particle_inside.h"

enum { ROOM = 4 * PARTICLE_MAX_MOVERS + 2 * SL_PARTICLE_MAX_AGENTS };

// A block of equal worlds.
typedef struct {
    ParticleWorld world;
    float state[ROOM * PARTICLE_BLOCK];
    float force[2 * PARTICLE_MAX_MOVERS * PARTICLE_BLOCK];
    float rewards[SL_PARTICLE_MAX_AGENTS * PARTICLE_BLOCK];
} Block;

static void put(float *rows, int row, double x, double y) {
    for (int l = 0; l < PARTICLE_BLOCK; l++) {
        rows[row * PARTICLE_BLOCK + l] = (float)x;
        rows[(row + 1) * PARTICLE_BLOCK + l] = (float)y;
    }
}

static void put_mover(Block *block, int i, double x, double y) {
    put(block->state, 2 * i, x, y);
}

static void put_velocity(Block *block, int i, double x, double y) {
    put(block->state, 2 * (block->world.n_movers + i), x, y);
}

static void put_landmark(Block *block, int k, double x, double y) {
    put(block->state, 4 * block->world.n_movers + 2 * k, x, y);
}

// everybody at rest and far from everybody else, no forces
static void block_init(Block *block, SlScenario scenario, SlParticleRules rules, int n_agents) {
    const SlParticleSetup setup = {.scenario = scenario, .rules = rules, .n_agents = n_agents};
    memset(block, 0, sizeof *block);
    block->world = sl_particle_world(&setup);
    for (int i = 0; i < block->world.n_movers; i++) put_mover(block, i, 10 * i, -50);
    for (int k = 0; k < block->world.n_landmarks; k++) put_landmark(block, k, 10 * k, 50);
}

static double x_of(const Block *block, int mover) {
    return block->state[2 * mover * PARTICLE_BLOCK];
}

static double y_of(const Block *block, int mover) {
    return block->state[(2 * mover + 1) * PARTICLE_BLOCK];
}

static double vx_of(const Block *block, int mover) {
    return x_of(block, block->world.n_movers + mover);
}

static double vy_of(const Block *block, int mover) {
    return y_of(block, block->world.n_movers + mover);
}

static void move(Block *block) {
    sl_particle_code()->move(&block->world, block->state, block->force);
}

static double reward_of(Block *block, int agent) {
    sl_particle_code()->reward(&block->world, block->state, block->rewards);
    return block->rewards[agent * PARTICLE_BLOCK + PARTICLE_BLOCK - 1];
}

static void near_to(double got, double want) {
    if (!(fabs(got - want) <= 1e-6 * fmax(1, fabs(want))))
        fail_msg("expected %.9g, got %.9g", want, got);
}

static void deep_contacts_push_by_a_hundred_times_the_overlap(void **state) {
    Block *block = *state;
    block_init(block, SL_SPREAD, SL_RULES_OPENAI, 3);
    put_mover(block, 0, 0, 0);
    put_mover(block, 2, 0.12, 0.16); // 0.2 apart, 0.1 too near
    move(block);
    near_to(vx_of(block, 0), -0.6);
    near_to(vy_of(block, 0), -0.8);
    near_to(vx_of(block, 2), 0.6);
    near_to(vy_of(block, 2), 0.8);
    near_to(x_of(block, 2), 0.18);
    near_to(y_of(block, 2), 0.24);
    assert_true(vx_of(block, 1) == 0 && vy_of(block, 1) == 0);
}

static void contacts_begin_softly(void **state) {
    Block *block = *state;
    const double gaps[] = {0, 0.002, -0.003, 0.01};
    for (int i = 0; i < 4; i++) {
        block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
        put_mover(block, 0, 0, 0);
        put_mover(block, 1, 0, 0.15 + gaps[i]);
        move(block);
        const double force = 0.1 * log1p(exp(-gaps[i] / 0.001));
        assert_true(fabs(vy_of(block, 1) - 0.1 * force) < 2e-6);
        assert_true(vy_of(block, 1) == -vy_of(block, 0));
        assert_true(vy_of(block, 1) > 0);
    }
}

static void far_pairs_and_equal_places_feel_nothing(void **state) {
    Block *block = *state;
    block_init(block, SL_SPREAD, SL_RULES_OPENAI, 3);
    put_mover(block, 0, 0.5, 0.5);
    put_mover(block, 1, 0.5, 0.5);
    put_mover(block, 2, 0.5, 0.5 + 0.3 + 0.021);
    move(block);
    for (int i = 0; i < 3; i++) assert_true(vx_of(block, i) == 0 && vy_of(block, i) == 0);
}

static void obstacles_push_and_stay_but_landmarks_of_spread_do_not_push(void **state) {
    Block *block = *state;
    block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
    put_landmark(block, 1, 0.5, 0);
    put_mover(block, 0, 0.5 + 0.2, 0);          // predator, 0.075 too near
    put_mover(block, 3, 0.5, 0.2 + 0.05 - 0.1); // prey, 0.1 too near
    move(block);
    near_to(vx_of(block, 0), 0.75);
    near_to(vy_of(block, 3), 1);
    near_to(x_of(block, 2 * block->world.n_movers + 1), 0.5);
    block_init(block, SL_SPREAD, SL_RULES_OPENAI, 3);
    put_landmark(block, 1, 0.5, 0);
    put_mover(block, 0, 0.45, 0);
    move(block);
    assert_true(vx_of(block, 0) == 0);
}

static void speed_has_a_limit_in_tag_alone(void **state) {
    Block *block = *state;
    block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
    for (int i = 0; i < 4; i++) put_velocity(block, i, 3, -4);
    move(block);
    near_to(vx_of(block, 0), 0.6);
    near_to(vy_of(block, 0), -0.8);
    near_to(vx_of(block, 3), 1.3 * 0.6);
    near_to(vy_of(block, 3), 1.3 * -0.8);
    block_init(block, SL_SPREAD, SL_RULES_OPENAI, 3);
    put_velocity(block, 0, 3, -4);
    move(block);
    near_to(vx_of(block, 0), 2.25);
    near_to(vy_of(block, 0), -3);
}

static void new_velocities_move_by_openai_rules_and_old_ones_by_mpe2(void **state) {
    Block *block = *state;
    for (int scenario = 0; scenario < SL_N_SCENARIOS; scenario++) {
        for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
            block_init(block, (SlScenario)scenario, (SlParticleRules)rules, 3);
            put_mover(block, 0, 0, 0);
            put_velocity(block, 0, 0.4, 0);
            put(block->force, 0, 1, -2);
            move(block);
            near_to(vx_of(block, 0), 0.3 + 0.1);
            near_to(vy_of(block, 0), -0.2);
            near_to(x_of(block, 0), 0.04);
            near_to(y_of(block, 0), rules == SL_RULES_OPENAI ? -0.02 : 0);
        }
    }
}

static void predators_share_ten_for_every_touch(void **state) {
    Block *block = *state;
    block_init(block, SL_TAG, SL_RULES_OPENAI, 6); // two prey
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
    block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0, 0);
    put_mover(block, 1, 0.125, 0);
    assert_true(reward_of(block, 0) == 0);
    put_mover(block, 1, nextafterf(0.125F, 0), 0);
    assert_true(reward_of(block, 0) == 10);
    put_mover(block, 1, 0, -0.125);
    assert_true(reward_of(block, 0) == 0);
}

// three agents on a line, two of them touching, landmarks at known distances: 0.1, 0.5, 0
static void spread_scene(Block *block, SlParticleRules rules) {
    block_init(block, SL_SPREAD, rules, 3);
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

static void prey_flee_from_the_nearest_predator_and_from_walls(void **state) {
    Block *block = *state;
    const float *prey = block->force + (size_t)(2 * 3) * PARTICLE_BLOCK;
    block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0, 0);
    put_mover(block, 0, -0.2, 0); // near
    put_mover(block, 1, 0, 0.8);  // far
    sl_particle_code()->flee(&block->world, block->state, block->force);
    assert_true(prey[0] > 3.99F && prey[PARTICLE_BLOCK] < 0 && prey[PARTICLE_BLOCK] > -0.4F);
    // nobody near: hardly a force; at the wall, back
    put_mover(block, 0, -40, 0);
    put_mover(block, 1, 40, 0);
    sl_particle_code()->flee(&block->world, block->state, block->force);
    assert_true(fabsf(prey[0]) < 0.01F && fabsf(prey[PARTICLE_BLOCK]) < 0.01F);
    put_mover(block, 3, 0.9, -1.1);
    sl_particle_code()->flee(&block->world, block->state, block->force);
    near_to(hypotf(prey[0], prey[PARTICLE_BLOCK]), 4);
    assert_true(prey[0] < -1 && prey[PARTICLE_BLOCK] > 3);
    put_mover(block, 3, -0.9, 1.1);
    sl_particle_code()->flee(&block->world, block->state, block->force);
    assert_true(prey[0] > 1 && prey[PARTICLE_BLOCK] < -3);
}

static void prey_push_at_most_as_hard_as_a_whole_action(void **state) {
    Block *block = *state;
    const float *prey = block->force + (size_t)(2 * 3) * PARTICLE_BLOCK;
    block_init(block, SL_TAG, SL_RULES_OPENAI, 3);
    put_mover(block, 3, 0.85, 0); // 100 x 0.05 is more than 1
    sl_particle_code()->flee(&block->world, block->state, block->force);
    assert_true(fabsf(prey[0] + 4) < 1e-4F);
    put_mover(block, 3, 0.805, 0); // half a one
    sl_particle_code()->flee(&block->world, block->state, block->force);
    assert_true(fabsf(prey[0] + 2) < 1e-3F);
}

// ---- vectors of every size, floats and doubles ----

// numbers up to `size`
static void draw_rows(float *rows, int n_rows, double size, SlRng *rng) {
    for (int i = 0; i < n_rows * PARTICLE_BLOCK; i++)
        rows[i] = (float)(size * (2 * sl_rng_uniform(rng) - 1));
}

// a crowd, with forces
static void draw_block(Block *block, SlScenario scenario, SlParticleRules rules, SlRng *rng) {
    block_init(block, scenario, rules, 7);
    draw_rows(block->state, block->world.n_state, 0.6, rng);
    draw_rows(block->force, 2 * block->world.n_movers, 3, rng);
}

static void run(const ParticleCode *code, Block *block) {
    if (block->world.scenario == SL_TAG) code->flee(&block->world, block->state, block->force);
    code->move(&block->world, block->state, block->force);
    code->reward(&block->world, block->state, block->rewards);
}

static void vectors_of_every_size_give_the_same_bits(void **state) {
    static Block plain, wide;
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 3, "blocks");
    for (int i = 0; i < 40; i++) {
        draw_block(&plain, (SlScenario)(i % 2), (SlParticleRules)(i / 2 % 2), &rng);
        if (i % 8 > 3) { // at rest without forces, what is far must be exactly 0
            const int n = 2 * plain.world.n_movers * PARTICLE_BLOCK;
            memset(plain.state + n, 0, (size_t)n * sizeof *plain.state);
            memset(plain.force, 0, sizeof plain.force);
        }
        wide = plain;
        for (int step = 0; step < 5; step++) {
            run(sl_particle_code_plain(), &plain);
            run(sl_particle_code(), &wide);
        }
        assert_memory_equal(&plain, &wide, sizeof plain);
        float row[ROOM], seen[2][7 * 64];
        for (int r = 0; r < plain.world.n_state; r++) row[r] = plain.state[r * PARTICLE_BLOCK];
        memset(seen, 0, sizeof seen);
        sl_particle_code_plain()->observe(&plain.world, row, seen[0]);
        sl_particle_code()->observe(&plain.world, row, seen[1]);
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    }
}

// the first worlds of a block in doubles
static void widen(const float *from, int n_rows, double *to) {
    for (int r = 0; r < n_rows; r++)
        for (int l = 0; l < PARTICLE_PAIR; l++)
            to[r * PARTICLE_PAIR + l] = from[r * PARTICLE_BLOCK + l];
}

static double most_apart(const float *from, int n_rows, const double *to) {
    double most = 0;
    for (int r = 0; r < n_rows; r++)
        for (int l = 0; l < PARTICLE_PAIR; l++)
            most = fmax(most, fabs(to[r * PARTICLE_PAIR + l] - from[r * PARTICLE_BLOCK + l]));
    return most;
}

// the largest difference after any step of an episode that starts like those of three agents
static double episode_apart(Block *block, SlScenario scenario, SlParticleRules rules, SlRng *rng) {
    static double wide[ROOM * PARTICLE_PAIR], force[ROOM * PARTICLE_PAIR], rewards[ROOM];
    double most = 0;
    block_init(block, scenario, rules, 3);
    const ParticleWorld *world = &block->world;
    draw_rows(block->state, world->n_state, 1, rng);
    memset(block->state + 2 * world->n_movers * PARTICLE_BLOCK, 0,
           (size_t)(2 * world->n_movers * PARTICLE_BLOCK) * sizeof(float));
    widen(block->state, world->n_state, wide);
    for (int step = 0; step < 25; step++) {
        draw_rows(block->force, 2 * world->n_movers, 3, rng);
        widen(block->force, 2 * world->n_movers, force);
        move(block);
        sl_particle_move_double(world, wide, force);
        most = fmax(most, most_apart(block->state, world->n_state, wide));
        reward_of(block, 0);
        sl_particle_reward_double(world, wide, rewards);
        most = fmax(most, 0.1 * most_apart(block->rewards, world->n_agents, rewards));
    }
    return most;
}

static void floats_stay_near_doubles_for_an_episode(void **state) {
    SlRng rng;
    sl_rng_init(&rng, 5, "episodes");
    for (int i = 0; i < 40; i++) {
        const SlScenario scenario = (SlScenario)(i % 2);
        const SlParticleRules rules = (SlParticleRules)(i / 2 % 2);
        assert_true(episode_apart(*state, scenario, rules, &rng) < 1e-4);
    }
}

int main(void) {
    static Block block;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(deep_contacts_push_by_a_hundred_times_the_overlap, &block),
        cmocka_unit_test_prestate(contacts_begin_softly, &block),
        cmocka_unit_test_prestate(far_pairs_and_equal_places_feel_nothing, &block),
        cmocka_unit_test_prestate(obstacles_push_and_stay_but_landmarks_of_spread_do_not_push,
                                  &block),
        cmocka_unit_test_prestate(speed_has_a_limit_in_tag_alone, &block),
        cmocka_unit_test_prestate(new_velocities_move_by_openai_rules_and_old_ones_by_mpe2, &block),
        cmocka_unit_test_prestate(predators_share_ten_for_every_touch, &block),
        cmocka_unit_test_prestate(touching_means_strictly_closer_than_both_sizes, &block),
        cmocka_unit_test_prestate(spread_sums_rewards_and_counts_agents_as_touching_themselves,
                                  &block),
        cmocka_unit_test_prestate(spread_by_mpe2_is_half_global_half_own_without_oneself, &block),
        cmocka_unit_test_prestate(prey_flee_from_the_nearest_predator_and_from_walls, &block),
        cmocka_unit_test_prestate(prey_push_at_most_as_hard_as_a_whole_action, &block),
        cmocka_unit_test(vectors_of_every_size_give_the_same_bits),
        cmocka_unit_test_prestate(floats_stay_near_doubles_for_an_episode, &block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
