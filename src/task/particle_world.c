// particle_world.c - what a particle world consists of, and what is seen of it. docs/particle.md.
#include <assert.h>
#include <math.h>

#include "particle_inside.h"

const char *const sl_scenario_names[SL_N_SCENARIOS + 1] = {"tag", "spread", NULL};
const char *const sl_particle_rules_names[SL_N_PARTICLE_RULES + 1] = {"openai", "mpe2", NULL};
const char *const sl_prey_names[SL_N_PREY + 1] = {"flee", "random", "still", NULL};

static int max_int(int a, int b) {
    return a > b ? a : b;
}

const char *sl_particles_check(const SlParticleSetup *setup) {
    if ((unsigned)setup->scenario >= SL_N_SCENARIOS) return "scenario: expected tag or spread";
    if ((unsigned)setup->rules >= SL_N_PARTICLE_RULES) return "rules: expected openai or mpe2";
    if ((unsigned)setup->prey >= SL_N_PREY) return "prey: expected flee, random or still";
    if (setup->n_agents < 1 || setup->n_agents > SL_PARTICLE_MAX_AGENTS)
        return "n_agents: expected 1 to 256";
    if (setup->n_prey < 0 || setup->n_prey > SL_PARTICLE_MAX_AGENTS)
        return "n_prey: expected 0 to 256";
    if (setup->n_prey > 0 && setup->scenario != SL_TAG) return "n_prey: only tag has prey";
    if (setup->n_landmarks < 0 || setup->n_landmarks > SL_PARTICLE_MAX_AGENTS)
        return "n_landmarks: expected 0 to 256";
    if (setup->n_envs < 1 || setup->n_envs > SL_PARTICLE_MAX_ENVS)
        return "n_envs: expected 1 to 1,048,576";
    if (setup->episode_steps < 1) return "episode_steps: expected 1 or more";
    return NULL;
}

ParticleWorld sl_particle_world(const SlParticleSetup *setup) {
    const bool tag = setup->scenario == SL_TAG;
    const int n = setup->n_agents, third = n / 3;
    ParticleWorld world = {.scenario = setup->scenario, .rules = setup->rules, .n_agents = n};
    if (tag) world.n_prey = setup->n_prey ? setup->n_prey : max_int(1, third);
    world.n_landmarks = tag ? max_int(2, third) : n;
    if (setup->n_landmarks) world.n_landmarks = setup->n_landmarks;
    world.n_movers = n + world.n_prey;
    world.n_state = 4 * world.n_movers + 2 * world.n_landmarks;
    return world;
}

const ParticleBody *sl_particle_body(const ParticleWorld *world, int mover) {
    static const ParticleBody predator = {0.075, 3, 1}, prey = {0.05, 4, 1.3},
                              agent = {0.15, 5, INFINITY};
    if (world->scenario == SL_SPREAD) return &agent;
    return mover < world->n_agents ? &predator : &prey;
}

int sl_particle_n_observed(const ParticleWorld *world, int mover) {
    const int others = world->n_movers - 1;
    const int last = world->scenario == SL_SPREAD ? others
                     : mover < world->n_agents    ? world->n_prey
                                                  : world->n_prey - 1;
    return 4 + 2 * world->n_landmarks + 2 * others + 2 * last;
}

// two numbers, x and y, at `plus` minus those at `minus`
static SlObserved *observe_pair(SlObserved *to, int plus, int minus) {
    for (int i = 0; i < 2; i++)
        *to++ = (SlObserved){(int16_t)(plus < 0 ? -1 : plus + i),
                             (int16_t)(minus < 0 ? -1 : minus + i)};
    return to;
}

void sl_particle_map(const SlParticleShape *shape, SlScenario scenario, SlObserved *map) {
    const int n_movers = shape->n_movers, velocities = 2 * n_movers, landmarks = 4 * n_movers;
    SlObserved *to = map;
    for (int a = 0; a < shape->n_agents; a++) {
        to = observe_pair(to, velocities + 2 * a, -1);
        to = observe_pair(to, 2 * a, -1);
        for (int k = 0; k < shape->n_landmarks; k++)
            to = observe_pair(to, landmarks + 2 * k, 2 * a);
        for (int i = 0; i < n_movers; i++)
            if (i != a) to = observe_pair(to, 2 * i, 2 * a);
        for (int i = shape->n_agents; i < n_movers; i++)
            to = observe_pair(to, velocities + 2 * i, -1);
        for (int i = 1; i < n_movers && scenario == SL_SPREAD; i++) to = observe_pair(to, -1, -1);
        assert(to == map + (ptrdiff_t)(a + 1) * shape->n_observed);
    }
}
