// test_particle.c - many particle worlds at once: shapes, new worlds, the observation map, episode
// ends, checkpoints, threads.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "starling/task/particle.h"

// Worlds with all their buffers.
typedef struct {
    SlArena arena;
    SlParticles *particles;
    SlParticleShape shape;
    float *actions;
    SlParticleBuffers buffers;
    SlRng rng;
} Flock;

static SlParticleSetup setup_of(const char *world, int n_agents, int n_envs) {
    return (SlParticleSetup){
        .world = sl_world_find(world), .n_agents = n_agents, .n_envs = n_envs, .episode_steps = 25};
}

static size_t n_seen(const Flock *flock) {
    const SlParticleShape *shape = &flock->shape;
    return (size_t)shape->n_envs * (size_t)shape->n_agents * (size_t)shape->n_observed;
}

static size_t n_state(const Flock *flock) {
    return (size_t)flock->shape.n_envs * (size_t)flock->shape.n_state;
}

static size_t n_rewards(const Flock *flock) {
    return (size_t)flock->shape.n_envs * (size_t)flock->shape.n_agents;
}

// not a number, so that what is not written shows
static float *new_floats(SlArena *arena, size_t n) {
    float *floats = SL_NEW(arena, n, float);
    assert_non_null(floats);
    memset(floats, 0xFF, n * sizeof *floats);
    return floats;
}

static void flock_make(Flock *flock, const SlParticleSetup *setup, uint64_t seed) {
    assert_null(sl_particles_check(setup));
    sl_arena_init(&flock->arena, 0);
    flock->particles = sl_particles_make(setup, &flock->arena);
    assert_non_null(flock->particles);
    flock->shape = *sl_particles_shape(flock->particles);
    flock->actions = new_floats(&flock->arena, 5 * n_rewards(flock));
    flock->buffers = (SlParticleBuffers){
        .actions = flock->actions,
        .observations = new_floats(&flock->arena, n_seen(flock)),
        .state = new_floats(&flock->arena, n_state(flock)),
        .rewards = new_floats(&flock->arena, n_rewards(flock)),
        .ended = SL_NEW(&flock->arena, setup->n_envs, uint8_t),
    };
    sl_rng_init(&flock->rng, 9, "actions");
    sl_particles_reset(flock->particles, seed, &flock->buffers);
}

static void flock_free(Flock *flock) {
    sl_arena_free(&flock->arena);
}

static void flock_step(Flock *flock, SlPool *pool) {
    for (size_t i = 0; i < 5 * n_rewards(flock); i++)
        flock->actions[i] = (float)sl_rng_uniform(&flock->rng);
    sl_particles_step(flock->particles, pool, &flock->buffers);
}

static const float *state_of(const Flock *flock, int env) {
    return flock->buffers.state + (size_t)env * (size_t)flock->shape.n_state;
}

static void same_outputs(const Flock *a, const Flock *b) {
    assert_memory_equal(a->buffers.state, b->buffers.state, n_state(a) * sizeof(float));
    assert_memory_equal(a->buffers.observations, b->buffers.observations,
                        n_seen(a) * sizeof(float));
    assert_memory_equal(a->buffers.rewards, b->buffers.rewards, n_rewards(a) * sizeof(float));
    assert_memory_equal(a->buffers.ended, b->buffers.ended, (size_t)a->shape.n_envs);
}

static void shapes_follow_from_the_number_of_agents(void **state) {
    (void)state;
    static const int want[][6] = {
        // n, prey, obstacles, a predator sees; an agent of spread sees, its world
        {1, 1, 2, 12, 6, 6},    {3, 1, 2, 16, 18, 18},    {6, 2, 2, 26, 36, 36},
        {12, 4, 4, 50, 72, 72}, {24, 8, 8, 98, 144, 144}, {48, 16, 16, 194, 288, 288},
    };
    for (int i = 0; i < 6; i++) {
        Flock tag, spread;
        SlParticleSetup setup = setup_of("tag", want[i][0], 1);
        flock_make(&tag, &setup, 1);
        setup.world = sl_world_find("spread");
        flock_make(&spread, &setup, 1);
        assert_int_equal(tag.shape.n_movers, want[i][0] + want[i][1]);
        assert_int_equal(tag.shape.n_landmarks, want[i][2]);
        assert_int_equal(tag.shape.n_observed, want[i][3]);
        assert_int_equal(tag.shape.n_state, 4 * tag.shape.n_movers + 2 * want[i][2]);
        assert_int_equal(spread.shape.n_movers, want[i][0]);
        assert_int_equal(spread.shape.n_observed, want[i][4]);
        assert_int_equal(spread.shape.n_state, want[i][5]);
        flock_free(&tag);
        flock_free(&spread);
    }
}

static void new_worlds_lie_in_the_square_at_rest(void **state) {
    (void)state;
    for (int w = 0; sl_worlds[w]; w++) {
        Flock flock;
        double largest[3] = {0};
        SlParticleSetup setup = setup_of(sl_world_names[w], 6, 200);
        flock_make(&flock, &setup, 4);
        const int n = 2 * flock.shape.n_movers;
        for (int e = 0; e < 200; e++)
            for (int i = 0; i < flock.shape.n_state; i++) {
                double *most = &largest[i < n ? 0 : i < 2 * n ? 1 : 2];
                *most = fmax(*most, fabsf(state_of(&flock, e)[i]));
            }
        const double edge = setup.world == sl_world_find("tag") ? 0.9 : 1;
        assert_true(0.98 < largest[0] && largest[0] <= 1);
        assert_true(largest[1] == 0);
        assert_true(0.98 * edge < largest[2] && largest[2] <= edge + 1e-6);
        flock_free(&flock);
    }
}

static void random_numbers_are_named_by_seed_and_env_alone(void **state) {
    (void)state;
    Flock few, many, other;
    SlParticleSetup setup = setup_of("tag", 3, 5);
    flock_make(&few, &setup, 7);
    flock_make(&other, &setup, 8);
    setup.n_envs = 40;
    flock_make(&many, &setup, 7);
    const size_t world = (size_t)few.shape.n_state * sizeof(float);
    for (int e = 0; e < 5; e++) {
        assert_memory_equal(state_of(&few, e), state_of(&many, e), world);
        assert_memory_not_equal(state_of(&few, e), state_of(&other, e), world);
        assert_memory_not_equal(state_of(&many, e), state_of(&many, e + 1), world);
    }
    sl_particles_restart(many.particles, 2, &many.buffers); // other envs draw nothing
    sl_particles_restart(few.particles, 4, &few.buffers);
    sl_particles_restart(many.particles, 4, &many.buffers);
    assert_memory_equal(state_of(&few, 4), state_of(&many, 4), world);
    flock_free(&few);
    flock_free(&many);
    flock_free(&other);
}

static void check_map(const Flock *flock, const SlWorld *world, SlArena *arena) {
    const SlParticleShape *shape = &flock->shape;
    const size_t n = (size_t)shape->n_agents * (size_t)shape->n_observed;
    SlObserved *map = SL_NEW(arena, n, SlObserved);
    sl_particle_map(world, shape, map);
    for (int e = 0; e < shape->n_envs; e++) {
        const float *row = state_of(flock, e), *seen = flock->buffers.observations + (size_t)e * n;
        for (size_t i = 0; i < n; i++) {
            float plus = map[i].plus < 0 ? 0 : row[map[i].plus];
            float minus = map[i].minus < 0 ? 0 : row[map[i].minus];
            assert_true(seen[i] == plus - minus);
        }
    }
}

static void observations_are_the_map_of_the_state_exactly(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 8, 13, 48};
    for (int i = 0; i < 7; i++) {
        for (int w = 0; sl_worlds[w]; w++) {
            Flock flock;
            SlParticleSetup setup = setup_of(sl_world_names[w], sizes[i], 19);
            flock_make(&flock, &setup, 1);
            check_map(&flock, setup.world, &flock.arena);
            for (int step = 0; step < 3; step++) flock_step(&flock, NULL);
            check_map(&flock, setup.world, &flock.arena);
            flock_free(&flock);
        }
    }
}

static void a_predator_sees_in_the_documented_order(void **state) {
    (void)state;
    Flock flock;
    SlParticleSetup setup = setup_of("tag", 3, 1);
    SlObserved map[3 * 16];
    flock_make(&flock, &setup, 1);
    sl_particle_map(setup.world, &flock.shape, map);
    // agent 1 of four movers: own velocity, own place, 2 obstacles, movers 0 2 3, velocity of prey
    static const int plus[] = {10, 11, 2, 3, 16, 17, 18, 19, 0, 1, 4, 5, 6, 7, 14, 15};
    static const int minus[] = {-1, -1, -1, -1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, -1, -1};
    for (int i = 0; i < 16; i++) {
        assert_int_equal(map[16 + i].plus, plus[i]);
        assert_int_equal(map[16 + i].minus, minus[i]);
    }
    flock_free(&flock);
}

static void actions_push_along_the_axes_with_the_sign_of_the_rules(void **state) {
    (void)state;
    static const float push[SL_PARTICLE_ACTIONS][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < 2 * 2 * SL_PARTICLE_ACTIONS; i++) {
        const int world = i % 2, rules = i / 2 % 2, action = i / 4;
        Flock flock;
        SlParticleSetup setup = setup_of(sl_world_names[world], 1, 1);
        setup.rules = (SlParticleRules)rules;
        setup.script = SL_SCRIPT_STILL;
        flock_make(&flock, &setup, 3); // seed 3: nobody near anybody
        memset(flock.actions, 0, 5 * sizeof(float));
        flock.actions[action] = 1;
        sl_particles_step(flock.particles, NULL, &flock.buffers);
        const float force = (float)((world == 0 ? 3 : 5) * (rules == 0 ? 1 : -1));
        const float *velocity = state_of(&flock, 0) + 2 * flock.shape.n_movers;
        assert_true(fabsf(velocity[0] - 0.1F * force * push[action][0]) < 1e-6F);
        assert_true(fabsf(velocity[1] - 0.1F * force * push[action][1]) < 1e-6F);
        flock_free(&flock);
    }
}

static void episodes_end_after_their_steps_until_they_are_restarted(void **state) {
    (void)state;
    Flock flock;
    SlParticleSetup setup = setup_of("spread", 2, 21);
    setup.episode_steps = 4;
    flock_make(&flock, &setup, 1);
    for (int step = 1; step <= 9; step++) {
        flock_step(&flock, NULL);
        for (int e = 0; e < 21; e++) {
            bool ends = e == 20 && step > 4 ? step == 8 : step >= 4;
            assert_int_equal(flock.buffers.ended[e], ends);
        }
        if (flock.buffers.ended[20]) sl_particles_restart(flock.particles, 20, &flock.buffers);
    }
    flock_free(&flock);
}

static void a_restart_touches_one_env_alone(void **state) {
    (void)state;
    Flock flock, twin;
    SlParticleSetup setup = setup_of("tag", 3, 20);
    flock_make(&flock, &setup, 1);
    flock_make(&twin, &setup, 1);
    flock_step(&flock, NULL);
    flock_step(&twin, NULL);
    const size_t world = (size_t)flock.shape.n_state;
    sl_particles_restart(flock.particles, 17, &flock.buffers);
    assert_memory_not_equal(state_of(&flock, 17), state_of(&twin, 17), world * sizeof(float));
    check_map(&flock, setup.world, &flock.arena); // what is seen belongs to the new world
    for (int i = 2 * flock.shape.n_movers; i < 4 * flock.shape.n_movers; i++)
        assert_true(state_of(&flock, 17)[i] == 0);
    flock_step(&flock, NULL);
    flock_step(&twin, NULL);
    for (int e = 0; e < 20; e++) {
        if (e == 17) continue;
        assert_memory_equal(state_of(&flock, e), state_of(&twin, e), world * sizeof(float));
    }
    flock_free(&flock);
    flock_free(&twin);
}

static void what_was_saved_goes_on_the_same(void **state) {
    (void)state;
    for (int prey = 0; prey < SL_N_SCRIPTS; prey++) {
        Flock flock, twin;
        SlParticleSetup setup = setup_of("tag", 4, 18);
        setup.episode_steps = 3;
        setup.script = prey;
        flock_make(&flock, &setup, 1);
        flock_make(&twin, &setup, 2);
        flock_step(&flock, NULL);
        void *bytes = malloc(sl_particles_bytes(flock.particles));
        sl_particles_save(flock.particles, bytes);
        sl_particles_load(twin.particles, bytes);
        free(bytes);
        twin.rng = flock.rng;
        for (int step = 0; step < 4; step++) {
            flock_step(&flock, NULL);
            flock_step(&twin, NULL);
            same_outputs(&flock, &twin);
            for (int e = 0; e < 18; e++) {
                if (!flock.buffers.ended[e]) continue;
                sl_particles_restart(flock.particles, e, &flock.buffers);
                sl_particles_restart(twin.particles, e, &twin.buffers);
            }
            same_outputs(&flock, &twin);
        }
        flock_free(&flock);
        flock_free(&twin);
    }
}

static void threads_change_nothing(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(4);
    assert_non_null(pool);
    for (int prey = 0; prey < SL_N_SCRIPTS; prey++) {
        Flock alone, pooled;
        SlParticleSetup setup = setup_of("tag", 5, 100);
        setup.script = prey;
        flock_make(&alone, &setup, 1);
        flock_make(&pooled, &setup, 1);
        for (int step = 0; step < 4; step++) {
            flock_step(&alone, NULL);
            flock_step(&pooled, pool);
            same_outputs(&alone, &pooled);
        }
        flock_free(&alone);
        flock_free(&pooled);
    }
    sl_pool_free(pool);
}

static void buffers_that_are_not_wanted_change_nothing(void **state) {
    (void)state;
    Flock flock, twin;
    SlParticleSetup setup = setup_of("spread", 3, 17);
    flock_make(&flock, &setup, 1);
    flock_make(&twin, &setup, 1);
    SlParticleBuffers actions_only = {.actions = twin.actions};
    sl_particles_reset(twin.particles, 1, &actions_only);
    for (int step = 0; step < 2; step++) {
        flock_step(&flock, NULL);
        memcpy(twin.actions, flock.actions, 5 * n_rewards(&flock) * sizeof(float));
        sl_particles_step(twin.particles, NULL, step == 0 ? &actions_only : &twin.buffers);
    }
    same_outputs(&flock, &twin);
    flock_free(&flock);
    flock_free(&twin);
}

static void prey_stay_wander_or_flee_as_told(void **state) {
    (void)state;
    double distance[SL_N_SCRIPTS] = {0};
    for (int prey = 0; prey < SL_N_SCRIPTS; prey++) {
        Flock flock;
        SlParticleSetup setup = setup_of("tag", 1, 256);
        setup.script = prey;
        flock_make(&flock, &setup, 6);
        double sum[2] = {0}, size = 0;
        for (int step = 0; step < 12; step++) {
            memset(flock.actions, 0, 5 * n_rewards(&flock) * sizeof(float));
            sl_particles_step(flock.particles, NULL, &flock.buffers);
            for (int e = 0; e < 256 && step == 0; e++) {
                const float *v = state_of(&flock, e) + 2 * flock.shape.n_movers + 2;
                size += hypotf(v[0], v[1]) / 256;
                for (int c = 0; c < 2; c++) sum[c] += v[c] / 256;
            }
        }
        for (int e = 0; e < 256; e++) {
            const float *p = state_of(&flock, e);
            distance[prey] += hypotf(p[2] - p[0], p[3] - p[1]) / 256;
        }
        // a whole action is 4 x 0.1; obstacles push a few of them
        if (prey == SL_SCRIPT_STILL) assert_true(size < 0.2);
        if (prey == SL_SCRIPT_RANDOM) {
            assert_true(0.35 < size && size < 0.55);
            assert_true(fabs(sum[0]) < 0.08 && fabs(sum[1]) < 0.08);
        }
        flock_free(&flock);
    }
    assert_true(distance[SL_SCRIPT_OWN] > 1.2 * distance[SL_SCRIPT_STILL]);
    assert_true(distance[SL_SCRIPT_SECOND] > 1.2 * distance[SL_SCRIPT_STILL]);
    assert_true(distance[SL_SCRIPT_OWN] > 1.1 * distance[SL_SCRIPT_RANDOM]);
}

static void prey_that_learn_choose_and_see_as_their_team_does(void **state) {
    (void)state;
    for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
        Flock flock;
        SlParticleSetup setup = setup_of("tag", 6, 18);
        setup.rules = rules;
        setup.script = SL_SCRIPT_LEARN;
        setup.shaping = 2;
        flock_make(&flock, &setup, 3);
        assert_int_equal(flock.shape.n_agents, 8);
        assert_int_equal(flock.shape.n_team, 6);
        assert_int_equal(flock.shape.n_movers, 8);
        float *shaping = calloc(n_rewards(&flock), sizeof *shaping);
        flock.buffers.shaping = shaping;
        for (int step = 0; step < 3; step++) {
            flock_step(&flock, NULL);
            check_map(&flock, setup.world, &flock.arena);
        }
        for (int e = 0; e < 18; e++) {
            const float *seen =
                flock.buffers.observations + (size_t)(e * 8 + 7) * (size_t)flock.shape.n_observed;
            const float *rewards = flock.buffers.rewards + (size_t)e * 8;
            // two numbers fewer than predators see, and zeros there
            assert_true(seen[flock.shape.n_observed - 1] == 0);
            assert_true(seen[flock.shape.n_observed - 2] == 0);
            assert_true(seen[flock.shape.n_observed - 3] != 0);
            for (int i = 0; i < 6; i++) assert_true(rewards[i] >= 0);
            assert_true(rewards[6] <= 0 && rewards[7] <= 0);
            assert_true(shaping[e * 8] < 0 && shaping[e * 8 + 6] > 0);
        }
        // a whole action of one prey in a world of its own: 4 x 0.1, and nobody else moves
        sl_particles_restart(flock.particles, 0, &flock.buffers);
        memset(flock.actions, 0, 5 * n_rewards(&flock) * sizeof(float));
        flock.actions[5 * 7 + 3] = 1;
        sl_particles_step(flock.particles, NULL, &flock.buffers);
        const float *v = state_of(&flock, 0) + 2 * 8;
        assert_true(fabsf(v[15] - (rules == SL_RULES_OPENAI ? 0.4F : -0.4F)) < 1e-6F ||
                    fabsf(v[14]) > 0); // unless it began in a contact
        free(shaping);
        flock_free(&flock);
    }
}

static void the_largest_worlds_work(void **state) {
    (void)state;
    Flock flock;
    SlParticleSetup setup = setup_of("tag", SL_PARTICLE_MAX_AGENTS, 1);
    setup.n_scripted = setup.n_landmarks = SL_PARTICLE_MAX_AGENTS;
    flock_make(&flock, &setup, 1);
    assert_int_equal(flock.shape.n_state, 2560);
    flock_step(&flock, NULL);
    check_map(&flock, setup.world, &flock.arena);
    for (size_t i = 0; i < n_state(&flock); i++) assert_true(isfinite(flock.buffers.state[i]));
    assert_true(flock.buffers.rewards[0] > 0); // crowds touch
    flock_free(&flock);
}

static void says_of(const SlParticleSetup *setup, const char *sentence) {
    const char *said = sl_particles_check(setup);
    assert_non_null(said);
    assert_string_equal(said, sentence);
}

static void setups_are_checked(void **state) {
    (void)state;
    SlParticleSetup setup = setup_of("spread", 3, 1);
    assert_null(sl_particles_check(&setup));
    setup.n_scripted = 1;
    says_of(&setup, "n_scripted: in this world everybody chooses");
    setup.world = sl_world_find("tag");
    assert_null(sl_particles_check(&setup));
    setup.n_scripted = 257;
    says_of(&setup, "n_scripted: expected 0 to 256");
    setup = setup_of("tag", 0, 1);
    says_of(&setup, "n_agents: expected 1 to 256");
    setup.n_agents = 257;
    says_of(&setup, "n_agents: expected 1 to 256");
    setup = setup_of("tag", 3, 0);
    says_of(&setup, "n_envs: expected 1 to 1,048,576");
    setup = setup_of("tag", 3, 1);
    setup.episode_steps = 0;
    says_of(&setup, "episode_steps: expected 1 to 1,000,000");
    setup = setup_of("tag", 3, 1);
    setup.n_landmarks = -1;
    says_of(&setup, "n_landmarks: expected 0 to 256");
    setup = setup_of("chess", 3, 1);
    says_of(&setup, "world: expected a row of sl_worlds");
    setup = setup_of("tag", 3, 1);
    setup.rules = SL_N_PARTICLE_RULES;
    says_of(&setup, "rules: expected openai or mpe2");
    setup.rules = SL_RULES_OPENAI;
    setup.script = SL_N_SCRIPTS;
    says_of(&setup, "script: expected one of the world's");
    setup = setup_of("adversary", 3, 1);
    setup.script = SL_SCRIPT_SECOND; // which prey alone have
    says_of(&setup, "script: expected one of the world's");
    setup = setup_of("spread", 3, 1);
    setup.script = SL_SCRIPT_LEARN; // everybody does
    says_of(&setup, "script: expected one of the world's");
    setup.script = SL_SCRIPT_OWN;
    setup.shaping = 1;
    says_of(&setup, "shaping: expected 0 or more, and a world that has it");
    setup = setup_of("tag", 200, 1);
    setup.script = SL_SCRIPT_LEARN;
    says_of(&setup, "expected at most 256 that learn, of both teams together");
    setup.n_scripted = 56;
    assert_null(sl_particles_check(&setup));
}

static void without_memory_there_are_no_worlds(void **state) {
    (void)state;
    const SlParticleSetup setup = setup_of("tag", 3, 30);
    int failed = 0;
    for (size_t limit = 64;; limit += 64, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        const SlParticles *particles = sl_particles_make(&setup, &arena);
        sl_arena_free(&arena);
        if (particles) break;
    }
    assert_true(failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_follow_from_the_number_of_agents),
        cmocka_unit_test(new_worlds_lie_in_the_square_at_rest),
        cmocka_unit_test(random_numbers_are_named_by_seed_and_env_alone),
        cmocka_unit_test(observations_are_the_map_of_the_state_exactly),
        cmocka_unit_test(a_predator_sees_in_the_documented_order),
        cmocka_unit_test(actions_push_along_the_axes_with_the_sign_of_the_rules),
        cmocka_unit_test(episodes_end_after_their_steps_until_they_are_restarted),
        cmocka_unit_test(a_restart_touches_one_env_alone),
        cmocka_unit_test(what_was_saved_goes_on_the_same),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(buffers_that_are_not_wanted_change_nothing),
        cmocka_unit_test(prey_stay_wander_or_flee_as_told),
        cmocka_unit_test(prey_that_learn_choose_and_see_as_their_team_does),
        cmocka_unit_test(the_largest_worlds_work),
        cmocka_unit_test(setups_are_checked),
        cmocka_unit_test(without_memory_there_are_no_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
