// world_adversary.c - agents that know the goal, and an adversary that must not find it (physical
// deception). Rules and sources: docs/particle.md.
#ifndef REAL

#include <math.h>

#include "particle_inside.h"

static const ParticleFacts facts = {
    .agent = {.size = 0.15, .accel = 5, .max_speed = INFINITY},
    .scripted = {.size = 0.15, .accel = 5, .max_speed = INFINITY, .adversary = true},
    .landmark = {.size = 0.08},
    .edge = 1,
    .has_goal = true,
    .sight = {SIGHT_GOAL, SIGHT_LANDMARKS, SIGHT_SCRIPTED, SIGHT_AGENTS},
};

#define WORLD_DRIVES
#define WORLD_FILE "world_adversary.c"
#include "world_build.h"

static int n_adversaries(int n_agents) {
    (void)n_agents;
    return 1;
}

static int n_landmarks(int n_agents) {
    return n_agents;
}

static const char *const scripts[] = {"seek", "random", "still", "learn", NULL};
static const char *const teams[] = {"agents", "adversaries"};

static const SlOption options[] = {
    SL_OPT_CHOICE(SlParticleSetup, "adversary", script, "seek", scripts, "NAME",
                  "movement of the adversary (adversary): seek (the nearest agent or goal), "
                  "random, still or learn (trained too)"),
    SL_OPT_WHOLE(SlParticleSetup, "adversaries", n_scripted, NULL, 0, SL_PARTICLE_MAX_AGENTS, "N",
                 "number of adversaries (adversary); 0 = one"),
    {0},
};

static const SlWorldRow row = {
    .facts = &facts,
    .codes = &codes,
    .n_scripted = n_adversaries,
    .n_landmarks = n_landmarks,
};

const SlWorld sl_world_adversary = {
    .name = "adversary",
    .title = "agents approach a goal that an adversary, part of the environment, must not find",
    .options = options,
    .scripts = scripts,
    .teams = teams,
    .row = &row,
};

#else

// how far the adversaries are from the goal minus how far the nearest agent is, the same to all
SL_INLINE void SIZED(reward_column)(const ParticleWorld *world, const REAL *state, REAL *rewards) {
    const REAL *goal = state + (size_t)(4 * world->n_movers + 2 * world->n_landmarks) * BLOCK;
    const VEC x = GET(goal, 0), y = GET(goal, 1);
    VEC sum = -SIZED(root)(SIZED(nearest)(world->n_agents, state, x, y));
    for (int i = world->n_agents; i < world->n_movers; i++) {
        VEC dx = GET(state, 2 * i) - x, dy = GET(state, 2 * i + 1) - y;
        sum += SIZED(root)(dx * dx + dy * dy);
    }
    for (int i = 0; i < world->n_agents; i++) PUT(rewards, i) = sum;
}

// of an adversary: minus its distance from the goal, in the original its square
SL_INLINE VEC SIZED(reward_one)(const ParticleWorld *world, int adversary, const REAL *state) {
    const REAL *goal = state + (size_t)(4 * world->n_movers + 2 * world->n_landmarks) * BLOCK;
    VEC dx = GET(state, 2 * adversary) - GET(goal, 0);
    VEC dy = GET(state, 2 * adversary + 1) - GET(goal, 1);
    VEC square = dx * dx + dy * dy;
    return world->rules == SL_RULES_OPENAI ? -square : -SIZED(root)(square);
}

// To where the agents seem to go: the mean of the landmarks, each weighing 1 / d^4 where d is the
// distance of the agent nearest to it; a whole action from 0.5 on. Numbers: docs/particle.md.
SL_INLINE void SIZED(drive_one)(const ParticleWorld *world, int adversary, const REAL *state,
                                REAL *force) {
    const REAL soft = (REAL)0.01, stiff = 2;
    const REAL *landmarks = state + (size_t)(4 * world->n_movers) * BLOCK;
    VEC sum = {0}, sum_x = {0}, sum_y = {0};
    for (int k = 0; k < world->n_landmarks; k++) {
        const VEC x = GET(landmarks, 2 * k), y = GET(landmarks, 2 * k + 1);
        VEC by = 1 / (SIZED(nearest)(world->n_agents, state, x, y) + soft), weight = by * by;
        sum += weight;
        sum_x += weight * x;
        sum_y += weight * y;
    }
    VEC gx = stiff * (sum_x / sum - GET(state, 2 * adversary));
    VEC gy = stiff * (sum_y / sum - GET(state, 2 * adversary + 1));
    VEC size = SIZED(root)(gx * gx + gy * gy);
    VEC scale = (REAL)facts.scripted.accel / SIZED(select)(size > 1, size, SIZED(all)(1));
    PUT(force, 2 * adversary) = gx * scale;
    PUT(force, 2 * adversary + 1) = gy * scale;
}

#endif
