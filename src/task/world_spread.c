// world_spread.c - agents that cover landmarks without touching each other (cooperative
// navigation). Rules and sources: docs/particle.md.
#ifndef REAL

#include <math.h>

#include "particle_inside.h"

static const ParticleFacts facts = {
    .agent = {.size = 0.15, .accel = 5, .max_speed = INFINITY, .pushes = true},
    .landmark = {.size = 0.05},
    .edge = 1,
    .sight = {SIGHT_VELOCITY, SIGHT_POSITION, SIGHT_LANDMARKS, SIGHT_OTHERS, SIGHT_SILENCE},
};

#define WORLD_FILE "world_spread.c"
#include "world_build.h"

static int n_landmarks(int n_agents) {
    return n_agents;
}

static const char *const scripts[] = {"none", "random", "still", NULL}; // of nobody

static const char *const teams[] = {"agents", NULL};

static const SlOption options[] = {{0}};

static const SlWorldRow row = {
    .facts = &facts,
    .codes = &codes,
    .n_landmarks = n_landmarks,
};

const SlWorld sl_world_spread = {
    .name = "spread",
    .title = "agents spread over landmarks without touching each other",
    .options = options,
    .scripts = scripts,
    .teams = teams,
    .row = &row,
};

#else

// distance of the nearest agent, summed over landmarks
SL_INLINE VEC SIZED(uncovered)(const ParticleWorld *world, const REAL *state) {
    const REAL *landmarks = state + (size_t)(4 * world->n_movers) * BLOCK;
    VEC sum = {0};
    for (int k = 0; k < world->n_landmarks; k++)
        sum += SIZED(root)(SIZED(nearest)(world->n_agents, state, GET(landmarks, 2 * k),
                                          GET(landmarks, 2 * k + 1)));
    return sum;
}

SL_INLINE void SIZED(reward_column)(const ParticleWorld *world, const REAL *state, REAL *rewards) {
    const REAL least = (REAL)facts.agent.size + (REAL)facts.agent.size;
    const int n = world->n_agents;
    const VEC far = SIZED(uncovered)(world, state);
    VEC touching = {0}; // pairs
    for (int i = 0; i < n; i++) PUT(rewards, i) = (VEC){0};
    for (int i = 0; i < n; i++) {
        const size_t next = (size_t)(i + 1) * BLOCK;
        VEC count = SIZED(count_close)(GET(state, 2 * i), GET(state, 2 * i + 1), n - i - 1, least,
                                       state + 2 * next, rewards + next);
        PUT(rewards, i) += count; // those it touches
        touching += count;
    }
    // the sum over all agents, which count themselves; or half of the whole, half of one's own
    const VEC sum = -(REAL)n * far - (REAL)n - 2 * touching;
    const bool openai = world->rules == SL_RULES_OPENAI;
    for (int i = 0; i < n; i++)
        PUT(rewards, i) = openai ? sum : (REAL)0.5 * -far - (REAL)0.5 * GET(rewards, i);
}

#endif
