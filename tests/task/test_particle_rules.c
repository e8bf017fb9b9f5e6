// test_particle_rules.c - the rules of particle worlds, by worlds made by hand: contacts, speed,
// integration; and the same bits from vectors of every size.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "particle_block.h"

static void deep_contacts_push_by_a_hundred_times_the_overlap(void **state) {
    Block *block = *state;
    block_init(block, "spread", SL_RULES_OPENAI, 3);
    put_mover(block, 0, 0, 0);
    put_mover(block, 2, 0.12, 0.16); // 0.2 apart, 0.1 too near
    block_move(block);
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
        block_init(block, "tag", SL_RULES_OPENAI, 3);
        put_mover(block, 0, 0, 0);
        put_mover(block, 1, 0, 0.15 + gaps[i]);
        block_move(block);
        const double force = 0.1 * log1p(exp(-gaps[i] / 0.001));
        assert_true(fabs(vy_of(block, 1) - 0.1 * force) < 2e-6);
        assert_true(vy_of(block, 1) == -vy_of(block, 0));
        assert_true(vy_of(block, 1) > 0);
    }
}

static void far_pairs_and_equal_places_feel_nothing(void **state) {
    Block *block = *state;
    block_init(block, "spread", SL_RULES_OPENAI, 3);
    put_mover(block, 0, 0.5, 0.5);
    put_mover(block, 1, 0.5, 0.5);
    put_mover(block, 2, 0.5, 0.5 + 0.3 + 0.021);
    block_move(block);
    for (int i = 0; i < 3; i++) assert_true(vx_of(block, i) == 0 && vy_of(block, i) == 0);
}

static void obstacles_push_and_stay_but_landmarks_of_spread_do_not_push(void **state) {
    Block *block = *state;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    put_landmark(block, 1, 0.5, 0);
    put_mover(block, 0, 0.5 + 0.2, 0);          // predator, 0.075 too near
    put_mover(block, 3, 0.5, 0.2 + 0.05 - 0.1); // prey, 0.1 too near
    block_move(block);
    near_to(vx_of(block, 0), 0.75);
    near_to(vy_of(block, 3), 1);
    near_to(x_of(block, 2 * block->world.n_movers + 1), 0.5);
    block_init(block, "spread", SL_RULES_OPENAI, 3);
    put_landmark(block, 1, 0.5, 0);
    put_mover(block, 0, 0.45, 0);
    block_move(block);
    assert_true(vx_of(block, 0) == 0);
}

static void speed_has_a_limit_in_tag_alone(void **state) {
    Block *block = *state;
    block_init(block, "tag", SL_RULES_OPENAI, 3);
    for (int i = 0; i < 4; i++) put_velocity(block, i, 3, -4);
    block_move(block);
    near_to(vx_of(block, 0), 0.6);
    near_to(vy_of(block, 0), -0.8);
    near_to(vx_of(block, 3), 1.3 * 0.6);
    near_to(vy_of(block, 3), 1.3 * -0.8);
    block_init(block, "spread", SL_RULES_OPENAI, 3);
    put_velocity(block, 0, 3, -4);
    block_move(block);
    near_to(vx_of(block, 0), 2.25);
    near_to(vy_of(block, 0), -3);
}

static void new_velocities_move_by_openai_rules_and_old_ones_by_mpe2(void **state) {
    Block *block = *state;
    for (int w = 0; sl_worlds[w]; w++) {
        for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
            block_init(block, sl_world_names[w], (SlParticleRules)rules, 3);
            put_mover(block, 0, 0, 0);
            put_velocity(block, 0, 0.4, 0);
            put(block->force, 0, 1, -2);
            block_move(block);
            near_to(vx_of(block, 0), 0.3 + 0.1);
            near_to(vy_of(block, 0), -0.2);
            near_to(x_of(block, 0), 0.04);
            near_to(y_of(block, 0), rules == SL_RULES_OPENAI ? -0.02 : 0);
        }
    }
}

// ---- vectors of every size, floats and doubles ----

// numbers up to `size`
static void draw_rows(float *rows, int n_rows, double size, SlRng *rng) {
    for (int i = 0; i < n_rows * PARTICLE_BLOCK; i++)
        rows[i] = (float)(size * (2 * sl_rng_uniform(rng) - 1));
}

// a crowd, with forces
static void draw_block(Block *block, const char *world, SlParticleRules rules, SlRng *rng) {
    block_init(block, world, rules, 7);
    draw_rows(block->state, block->world.n_state, 0.6, rng);
    draw_rows(block->force, 2 * block->world.n_movers, 3, rng);
}

static void run(const ParticleCode *code, Block *block) {
    if (code->drive) code->drive(&block->world, block->state, block->force);
    code->move(&block->world, block->state, block->force);
    code->reward(&block->world, block->state, block->rewards);
}

static void vectors_of_every_size_agree_in(const char *world, SlRng *rng) {
    static Block plain, wide;
    for (int i = 0; i < 20; i++) {
        draw_block(&plain, world, (SlParticleRules)(i % 2), rng);
        const ParticleCode *wide_code = sl_particle_code(plain.world.kind);
        const ParticleCode *plain_code = &plain.world.kind->row->codes->plain;
        if (i % 4 > 1) { // at rest without forces, what is far must be exactly 0
            const int n = 2 * plain.world.n_movers * PARTICLE_BLOCK;
            memset(plain.state + n, 0, (size_t)n * sizeof *plain.state);
            memset(plain.force, 0, sizeof plain.force);
        }
        wide = plain;
        for (int step = 0; step < 5; step++) {
            run(plain_code, &plain);
            run(wide_code, &wide);
        }
        assert_memory_equal(&plain, &wide, sizeof plain);
        float row[BLOCK_ROOM], seen[2][7 * 64];
        for (int r = 0; r < plain.world.n_state; r++) row[r] = plain.state[r * PARTICLE_BLOCK];
        memset(seen, 0, sizeof seen);
        plain_code->observe(&plain.world, row, 0, 7, seen[0]);
        wide_code->observe(&plain.world, row, 0, 7, seen[1]);
        assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    }
}

static void vectors_of_every_size_give_the_same_bits(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 3, "blocks");
    for (int w = 0; sl_worlds[w]; w++) vectors_of_every_size_agree_in(sl_world_names[w], &rng);
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
static double episode_apart(Block *block, const char *name, SlParticleRules rules, SlRng *rng) {
    static double wide[BLOCK_ROOM * PARTICLE_PAIR], force[BLOCK_ROOM * PARTICLE_PAIR];
    static double rewards[BLOCK_ROOM];
    double most = 0;
    block_init(block, name, rules, 3);
    const ParticleWorld *world = &block->world;
    const ParticleExact *exact = &world->kind->row->codes->exact;
    draw_rows(block->state, world->n_state, 1, rng);
    memset(block->state + 2 * world->n_movers * PARTICLE_BLOCK, 0,
           (size_t)(2 * world->n_movers * PARTICLE_BLOCK) * sizeof(float));
    widen(block->state, world->n_state, wide);
    for (int step = 0; step < 25; step++) {
        draw_rows(block->force, 2 * world->n_movers, 3, rng);
        widen(block->force, 2 * world->n_movers, force);
        block_move(block);
        exact->move(world, wide, force);
        most = fmax(most, most_apart(block->state, world->n_state, wide));
        reward_of(block, 0);
        exact->reward(world, wide, rewards);
        most = fmax(most, 0.1 * most_apart(block->rewards, world->n_agents, rewards));
    }
    return most;
}

static void floats_stay_near_doubles_for_an_episode(void **state) {
    SlRng rng;
    sl_rng_init(&rng, 5, "episodes");
    for (int w = 0; sl_worlds[w]; w++)
        for (int i = 0; i < 20; i++) {
            const SlParticleRules rules = (SlParticleRules)(i % 2);
            assert_true(episode_apart(*state, sl_world_names[w], rules, &rng) < 1e-4);
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
        cmocka_unit_test(vectors_of_every_size_give_the_same_bits),
        cmocka_unit_test_prestate(floats_stay_near_doubles_for_an_episode, &block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
