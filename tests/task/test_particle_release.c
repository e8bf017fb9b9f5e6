// test_particle_release.c - particle worlds in the optimised build: fast enough, and steps allocate
// nothing.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "starling/task/particle.h"
#include "support/check.h"

static long n_allocations; // of the whole process since the start

#if defined(__GLIBC__)
void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// our definitions come before those of the C library, for the library under test as well
void *malloc(size_t size) {
    n_allocations++;
    return __libc_malloc(size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    n_allocations++;
    return __libc_memalign(alignment, size);
}
#endif

enum { N_ENVS = 64, STEPS = 25 };

// Worlds with buffers for everything.
typedef struct {
    SlArena arena;
    SlParticles *particles;
    SlParticleBuffers buffers;
} Flock;

static void flock_make(Flock *flock, const char *world, int n_agents) {
    const SlParticleSetup setup = {.world = sl_world_find(world),
                                   .n_agents = n_agents,
                                   .n_envs = N_ENVS,
                                   .episode_steps = STEPS};
    sl_arena_init(&flock->arena, 0);
    flock->particles = sl_particles_make(&setup, &flock->arena);
    const SlParticleShape *shape = sl_particles_shape(flock->particles);
    const int rows = N_ENVS * n_agents;
    float *actions = SL_NEW(&flock->arena, rows * SL_PARTICLE_ACTIONS, float);
    SlRng rng;
    sl_rng_init(&rng, 1, "actions");
    for (int i = 0; i < rows * SL_PARTICLE_ACTIONS; i++)
        actions[i] = (float)(0.4 * sl_rng_uniform(&rng));
    flock->buffers = (SlParticleBuffers){
        .actions = actions,
        .observations = SL_NEW(&flock->arena, rows * shape->n_observed, float),
        .state = SL_NEW(&flock->arena, N_ENVS * shape->n_state, float),
        .rewards = SL_NEW(&flock->arena, rows, float),
        .ended = SL_NEW(&flock->arena, N_ENVS, uint8_t),
    };
    sl_particles_reset(flock->particles, 1, &flock->buffers);
}

static void play_episode(Flock *flock) {
    for (int step = 0; step < STEPS; step++)
        sl_particles_step(flock->particles, NULL, &flock->buffers);
    for (int e = 0; e < N_ENVS; e++) sl_particles_restart(flock->particles, e, &flock->buffers);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// env steps per second with everything written, the best of many episodes
static double speed(int n_agents) {
    Flock flock;
    double best = INFINITY;
    flock_make(&flock, "tag", n_agents);
    for (int i = 0; i < 100; i++) {
        double begun = seconds();
        play_episode(&flock);
        best = fmin(best, seconds() - begun);
    }
    sl_arena_free(&flock.arena);
    return N_ENVS * STEPS / best;
}

static void tag_makes_three_million_steps_a_second_with_three_agents(void **state) {
    (void)state;
    assert_true(speed(3) > 3e6);
}

static void tag_makes_three_hundred_thousand_steps_a_second_with_24_agents(void **state) {
    (void)state;
    assert_true(speed(24) > 3e5);
}

static void steps_and_restarts_allocate_nothing(void **state) {
    (void)state;
#if !defined(__GLIBC__)
    skip();
#endif
    for (int w = 0; sl_worlds[w]; w++) {
        Flock flock;
        long before = n_allocations;
        flock_make(&flock, sl_world_names[w], 6);
        assert_true(n_allocations > before); // they are counted
        before = n_allocations;
        play_episode(&flock);
        assert_int_equal(n_allocations, before);
        sl_arena_free(&flock.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tag_makes_three_million_steps_a_second_with_three_agents),
        cmocka_unit_test(tag_makes_three_hundred_thousand_steps_a_second_with_24_agents),
        cmocka_unit_test(steps_and_restarts_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
