// world_tag.c - predators after prey, around obstacles. Rules and sources: docs/particle.md.
#ifndef REAL

#include <math.h>

#include "particle_inside.h"

static const ParticleFacts facts = {
    .agent = {.size = 0.075, .accel = 3, .max_speed = 1, .pushes = true, .adversary = true},
    .scripted = {.size = 0.05, .accel = 4, .max_speed = 1.3, .pushes = true},
    .landmark = {.size = 0.2, .pushes = true},
    .edge = 0.9,
    .sight = {SIGHT_VELOCITY, SIGHT_POSITION, SIGHT_LANDMARKS, SIGHT_OTHERS,
              SIGHT_SCRIPTED_VELOCITIES},
};

#define WORLD_DRIVES
#define WORLD_FILE "world_tag.c"
#include "world_build.h"

// ---- how many ----

static int n_prey(int n_agents) {
    return n_agents / 3 > 1 ? n_agents / 3 : 1;
}

static int n_obstacles(int n_agents) {
    return n_agents / 3 > 2 ? n_agents / 3 : 2;
}

// ---- what prey get, in recordings ----

// what leaving the square costs, per coordinate
static double boundary_penalty(double c) {
    c = fabs(c);
    if (c < 0.9) return 0;
    return c < 1 ? 10 * (c - 0.9) : fmin(exp(2 * c - 2), 10);
}

static double prey_reward(const ParticleWorld *world, const double *row, int prey) {
    const double x = row[2 * prey], y = row[2 * prey + 1];
    double reward = 0;
    for (int i = 0; i < world->n_agents; i++) {
        const double dx = row[2 * i] - x, dy = row[2 * i + 1] - y;
        if (sqrt(dx * dx + dy * dy) < facts.agent.size + facts.scripted.size) reward -= 10;
    }
    return reward - boundary_penalty(x) - boundary_penalty(y);
}

// ---- the row ----

static const char *const scripts[] = {"flee", "random", "still", NULL};

static const SlOption options[] = {
    SL_OPT_CHOICE(SlParticleSetup, "prey", script, "random", scripts, "NAME",
                  "who moves the prey of tag"),
    {0},
};

static const SlWorldRow row = {
    .facts = &facts,
    .codes = &codes,
    .n_scripted = n_prey,
    .n_landmarks = n_obstacles,
    .scripted_reward = prey_reward,
};

const SlWorld sl_world_tag = {
    .name = "tag",
    .title = "predators after prey, around obstacles; prey are part of the environment",
    .options = options,
    .scripts = scripts,
    .row = &row,
};

#else

// ten for every predator that touches a prey, the same to all
SL_INLINE void SIZED(reward_column)(const ParticleWorld *world, const REAL *state, REAL *rewards) {
    const REAL least = (REAL)facts.agent.size + (REAL)facts.scripted.size;
    VEC count = {0};
    for (int i = world->n_agents; i < world->n_movers; i++)
        count += SIZED(count_close)(GET(state, 2 * i), GET(state, 2 * i + 1), world->n_agents,
                                    least, state, NULL);
    for (int i = 0; i < world->n_agents; i++) PUT(rewards, i) = 10 * count;
}

// Away from the predators, each weighing 1 / distance^4 (the nearest one decides), and from the
// walls where the penalty of prey begins; at most a whole action. Numbers: docs/particle.md.
SL_INLINE void SIZED(drive_one)(const ParticleWorld *world, int prey, const REAL *state,
                                REAL *force) {
    const REAL soft = (REAL)0.01, wall = (REAL)0.8, stiff = 100;
    const VEC x = GET(state, 2 * prey), y = GET(state, 2 * prey + 1);
    VEC gx = {0}, gy = {0};
    for (int i = 0; i < world->n_agents; i++) {
        VEC dx = x - GET(state, 2 * i), dy = y - GET(state, 2 * i + 1);
        VEC by = 1 / (dx * dx + dy * dy + soft);
        gx += dx * (by * by);
        gy += dy * (by * by);
    }
    gx -= stiff * (SIZED(where)(x > wall, x - wall) + SIZED(where)(x < -wall, x + wall));
    gy -= stiff * (SIZED(where)(y > wall, y - wall) + SIZED(where)(y < -wall, y + wall));
    VEC size = SIZED(root)(gx * gx + gy * gy);
    VEC scale = (REAL)facts.scripted.accel / SIZED(select)(size > 1, size, SIZED(all)(1));
    PUT(force, 2 * prey) = gx * scale;
    PUT(force, 2 * prey + 1) = gy * scale;
}

#endif
