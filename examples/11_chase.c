// 11_chase.c - predators of `tag` by hand-written rules: what do they return against which prey?
#include <math.h>
#include <stdio.h>

#include "starling/task/particle.h"

enum { EPISODES = 2000, STEPS = 25 };

// a whole action of one predator towards its nearest prey, and to where that goes within `ahead`
static void chase(const SlParticleShape *shape, const float *state, int agent, float ahead,
                  float *action) {
    const float *own = state + 2 * agent, *speeds = state + 2 * shape->n_movers;
    float least = INFINITY, x = 0, y = 0;
    for (int i = shape->n_agents; i < shape->n_movers; i++) {
        const float dx = state[2 * i] - own[0], dy = state[2 * i + 1] - own[1];
        const float far = hypotf(dx, dy), time = fminf(far, ahead);
        if (far >= least) continue;
        x = dx + time * speeds[2 * i];
        y = dy + time * speeds[2 * i + 1], least = far;
    }
    const float push[4] = {x, -x, y, -y}, size = fabsf(x) + fabsf(y); // pushes add up to 1
    for (int i = 0; i < 4; i++) action[1 + i] = fmaxf(push[i], 0) / size;
}

// mean return of a predator
static double play(SlScript prey, int n, float ahead, SlArena *arena) {
    const SlParticleSetup setup = {.world = sl_world_find("tag"),
                                   .n_agents = n,
                                   .n_envs = EPISODES,
                                   .episode_steps = STEPS,
                                   .script = prey};
    SlParticles *worlds = sl_particles_make(&setup, arena);
    const SlParticleShape *shape = sl_particles_shape(worlds);
    float *actions = SL_NEW(arena, EPISODES * n * 5, float);
    SlParticleBuffers buffers = {.actions = actions,
                                 .state = SL_NEW(arena, EPISODES * shape->n_state, float),
                                 .rewards = SL_NEW(arena, EPISODES * n, float)};
    double sum = 0;
    sl_particles_reset(worlds, 1, &buffers);
    for (int step = 0; step < STEPS; step++) {
        for (int a = 0; a < EPISODES * n; a++)
            chase(shape, buffers.state + a / n * shape->n_state, a % n, ahead, actions + 5 * a);
        sl_particles_step(worlds, NULL, &buffers);
        for (int e = 0; e < EPISODES; e++) sum += (double)buffers.rewards[e * n] / EPISODES;
    }
    return sum;
}

int main(void) {
    static const SlScript scripts[] = {SL_SCRIPT_OWN, SL_SCRIPT_SECOND, SL_SCRIPT_RANDOM};
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int n = 3; n <= 12; n *= 2)
        for (int s = 0; s < 3; s++)
            printf("%2d predators, prey %-6s: straight %6.2f, to where it goes %6.2f\n", n,
                   sl_world_find("tag")->scripts[scripts[s]], play(scripts[s], n, 0, &arena),
                   play(scripts[s], n, 0.5F, &arena));
    sl_arena_free(&arena);
    return 0;
}
