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
#define WORLD_SHAPES
#define WORLD_FILE "world_tag.c"
#include "world_build.h"

// ---- how many ----

static int n_prey(int n_agents) {
    return n_agents / 3 > 1 ? n_agents / 3 : 1;
}

static int n_obstacles(int n_agents) {
    return n_agents / 3 > 2 ? n_agents / 3 : 2;
}

// ---- the row ----

static const char *const scripts[] = {"flee", "random", "still", "learn", "dodge", NULL};

static const char *const teams[] = {"predators", "prey"};

static const SlOption options[] = {
    SL_OPT_CHOICE(SlParticleSetup, "prey", script, "random", scripts, "NAME",
                  "movement of the prey (tag): flee, dodge, random, still or learn (trained "
                  "against the predators)"),
    SL_OPT_WHOLE(SlParticleSetup, "prey-count", n_scripted, NULL, 0, SL_PARTICLE_MAX_AGENTS, "N",
                 "number of prey (tag); 0 = one per three predators"),
    SL_OPT_REAL(SlParticleSetup, "shaping", shaping, "0", 0, 1e6, "X",
                "weight of a distance term added to the training reward (tag); 0 = off"),
    {0},
};

static const SlWorldRow row = {
    .facts = &facts,
    .codes = &codes,
    .n_scripted = n_prey,
    .n_landmarks = n_obstacles,
};

const SlWorld sl_world_tag = {
    .name = "tag",
    .title = "predators chase prey around obstacles; prey are part of the environment",
    .options = options,
    .scripts = scripts,
    .teams = teams,
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

// what leaving the square costs, of one coordinate
SL_INLINE VEC SIZED(leaving)(VEC c) {
    const REAL far = (REAL)2.4; // 2 c - 2, where the cost is 10 already
    c = SIZED(select)(c < 0, -c, c);
    VEC out = 2 * c - 2;
    out = SIZED(select)(out < far, out, SIZED(all)(far));
    VEC outside = SIZED(exp_small)(SIZED(where)(out > 0, out));
    outside = SIZED(select)(outside < 10, outside, SIZED(all)(10));
    VEC edge = SIZED(where)(c >= (REAL)0.9, 10 * (c - (REAL)0.9));
    return SIZED(select)(c < 1, edge, outside);
}

// of prey: minus ten for every predator that touches it, minus what leaving costs
SL_INLINE VEC SIZED(reward_one)(const ParticleWorld *world, int prey, const REAL *state) {
    const REAL least = (REAL)facts.agent.size + (REAL)facts.scripted.size;
    const VEC x = GET(state, 2 * prey), y = GET(state, 2 * prey + 1);
    VEC count = SIZED(count_close)(x, y, world->n_agents, least, state, NULL);
    return -10 * count - SIZED(leaving)(x) - SIZED(leaving)(y);
}

// the distances of all predators from one prey, summed
SL_INLINE VEC SIZED(distances)(const ParticleWorld *world, int prey, const REAL *state) {
    VEC sum = {0};
    for (int i = 0; i < world->n_agents; i++) {
        VEC dx = GET(state, 2 * i) - GET(state, 2 * prey);
        VEC dy = GET(state, 2 * i + 1) - GET(state, 2 * prey + 1);
        sum += SIZED(root)(dx * dx + dy * dy);
    }
    return sum;
}

// Of predators: minus the distance of every one from the prey that is nearest to it, the same sum
// to all. Of prey: the distances of all predators.
SL_INLINE void SIZED(shape_column)(const ParticleWorld *world, const REAL *state, REAL *shaping) {
    const REAL *prey = state + (size_t)(2 * world->n_agents) * BLOCK;
    VEC sum = {0};
    for (int i = 0; i < world->n_agents; i++)
        sum -= SIZED(root)(
            SIZED(nearest)(world->n_scripted, prey, GET(state, 2 * i), GET(state, 2 * i + 1)));
    for (int i = 0; i < world->n_agents; i++) PUT(shaping, i) = sum;
    for (int i = world->n_agents; i < world->n_movers; i++)
        PUT(shaping, i) = SIZED(distances)(world, i, state);
}

// Where prey at (x, y) want to go.
typedef struct {
    VEC x, y;
} SIZED(Wish);

// away from all predators, each weighing 1 / distance^4
SL_INLINE SIZED(Wish) SIZED(flee)(const ParticleWorld *world, const REAL *state, VEC x, VEC y) {
    const REAL soft = (REAL)0.01;
    SIZED(Wish) wish = {{0}, {0}};
    for (int i = 0; i < world->n_agents; i++) {
        VEC dx = x - GET(state, 2 * i), dy = y - GET(state, 2 * i + 1);
        VEC by = 1 / (dx * dx + dy * dy + soft);
        wish.x += dx * (by * by);
        wish.y += dy * (by * by);
    }
    return wish;
}

// away from the nearest predator alone, with the same weight
SL_INLINE SIZED(Wish) SIZED(dodge)(const ParticleWorld *world, const REAL *state, VEC x, VEC y) {
    const REAL soft = (REAL)0.01;
    SIZED(Wish) way = {{0}, {0}};
    VEC least = SIZED(all)((REAL)INFINITY);
    for (int i = 0; i < world->n_agents; i++) {
        VEC dx = x - GET(state, 2 * i), dy = y - GET(state, 2 * i + 1);
        VEC square = dx * dx + dy * dy;
        MASK nearer = square < least;
        least = SIZED(select)(nearer, square, least);
        way.x = SIZED(select)(nearer, dx, way.x);
        way.y = SIZED(select)(nearer, dy, way.y);
    }
    VEC by = 1 / (least + soft);
    return (SIZED(Wish)){way.x * (by * by), way.y * (by * by)};
}

// Away from predators, and from the walls where the penalty of prey begins; at most a whole action.
// Numbers: docs/particle.md.
SL_INLINE void SIZED(drive_one)(const ParticleWorld *world, int prey, const REAL *state,
                                REAL *force) {
    const REAL wall = (REAL)0.8, stiff = 100;
    const VEC x = GET(state, 2 * prey), y = GET(state, 2 * prey + 1);
    const bool nearest = world->script == SL_SCRIPT_SECOND;
    SIZED(Wish) wish = nearest ? SIZED(dodge)(world, state, x, y) : SIZED(flee)(world, state, x, y);
    VEC gx = wish.x, gy = wish.y;
    gx -= stiff * (SIZED(where)(x > wall, x - wall) + SIZED(where)(x < -wall, x + wall));
    gy -= stiff * (SIZED(where)(y > wall, y - wall) + SIZED(where)(y < -wall, y + wall));
    VEC size = SIZED(root)(gx * gx + gy * gy);
    VEC scale = (REAL)facts.scripted.accel / SIZED(select)(size > 1, size, SIZED(all)(1));
    PUT(force, 2 * prey) = gx * scale;
    PUT(force, 2 * prey + 1) = gy * scale;
}

#endif
