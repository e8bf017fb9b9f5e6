// particle.c - many particle worlds at once: reset, step, restart, checkpoints.
//
// Worlds lie in blocks (particle_inside.h); the last block is filled up with worlds that nobody
// sees. A block is one item of work for the threads, and depends on nothing outside it.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "particle_inside.h"

// rows of state are read in vectors of pairs, never past their end
enum { ROOM_STATE = 4 * PARTICLE_MAX_MOVERS + 2 * (SL_PARTICLE_MAX_AGENTS + 1) };

struct SlParticles {
    ParticleWorld world;
    SlParticleShape shape;
    double shaping;
    int episode_steps;
    int n_blocks;
    const ParticleCode *code;
    // what a checkpoint holds
    float *states; // (n_blocks, n_state, PARTICLE_BLOCK)
    SlRng *rngs;   // (n_blocks * PARTICLE_BLOCK)
    int32_t *age;  // (n_blocks * PARTICLE_BLOCK) steps since the world was made
};

static size_t block_numbers(const SlParticles *particles) {
    return (size_t)particles->world.n_state * PARTICLE_BLOCK;
}

static size_t n_worlds(const SlParticles *particles) {
    return (size_t)particles->n_blocks * PARTICLE_BLOCK;
}

SlParticles *sl_particles_make(const SlParticleSetup *setup, SlArena *arena) {
    assert(!sl_particles_check(setup));
    SlParticles *particles = SL_NEW(arena, 1, SlParticles);
    if (!particles) return NULL;
    const ParticleWorld world = sl_particle_world(setup);
    *particles = (SlParticles){
        .world = world,
        .shape = {.n_envs = (int)setup->n_envs,
                  .n_agents = world.n_choosers,
                  .n_team = world.n_agents,
                  .n_movers = world.n_movers,
                  .n_landmarks = world.n_landmarks,
                  .n_observed = sl_particle_n_observed(&world, 0),
                  .n_state = world.n_state,
                  .n_fixed = world.n_fixed},
        .shaping = setup->shaping,
        .episode_steps = (int)setup->episode_steps,
        .n_blocks = ((int)setup->n_envs + PARTICLE_BLOCK - 1) / PARTICLE_BLOCK,
        .code = sl_particle_code(setup->world),
    };
    particles->states =
        SL_NEW(arena, (size_t)particles->n_blocks * block_numbers(particles), float);
    particles->rngs = SL_NEW(arena, n_worlds(particles), SlRng);
    particles->age = SL_NEW(arena, n_worlds(particles), int32_t);
    return particles->states && particles->rngs && particles->age ? particles : NULL;
}

const SlParticleShape *sl_particles_shape(const SlParticles *particles) {
    return &particles->shape;
}

// ---- what goes out ----

// What the agents of one world see, and those that learn beside them: these see less, and zeros
// behind it.
static void write_observations(const SlParticles *particles, const float *row, float *out) {
    const ParticleWorld *world = &particles->world;
    const int n = particles->shape.n_observed;
    particles->code->observe(world, row, 0, world->n_agents, out);
    for (int i = world->n_agents; i < world->n_choosers; i++) {
        float *to = out + (size_t)i * (size_t)n;
        const int seen = sl_particle_n_observed(world, i);
        particles->code->observe(world, row, i, i + 1, to);
        for (int o = seen; o < n; o++) to[o] = 0;
    }
}

// rows of one world to where the caller wants them
static void write_world(const SlParticles *particles, int env, const float *row,
                        const SlParticleBuffers *buffers) {
    const SlParticleShape *shape = &particles->shape;
    if (buffers->state)
        memcpy(buffers->state + (size_t)env * (size_t)shape->n_state, row,
               (size_t)shape->n_state * sizeof *row);
    if (buffers->observations)
        write_observations(particles, row,
                           buffers->observations +
                               (size_t)env * (size_t)(shape->n_agents * shape->n_observed));
}

static void write_block(const SlParticles *particles, int block, const SlParticleBuffers *buffers) {
    const int n_state = particles->world.n_state, first = block * PARTICLE_BLOCK;
    if (!buffers->state && !buffers->observations) return;
    float rows[PARTICLE_BLOCK * ROOM_STATE];
    particles->code->rows(n_state, particles->states + (size_t)block * block_numbers(particles),
                          (size_t)n_state, rows);
    for (int l = 0; l < PARTICLE_BLOCK && first + l < particles->shape.n_envs; l++)
        write_world(particles, first + l, rows + (size_t)l * (size_t)n_state, buffers);
}

static void write_rewards(const SlParticles *particles, int block, const float *rewards,
                          float *out) {
    const int n = particles->shape.n_agents, first = block * PARTICLE_BLOCK;
    for (int l = 0; l < PARTICLE_BLOCK && first + l < particles->shape.n_envs; l++) {
        float *to = out + (size_t)(first + l) * (size_t)n;
        for (int a = 0; a < n; a++) to[a] = rewards[(size_t)a * PARTICLE_BLOCK + (size_t)l];
    }
}

// ---- new worlds ----

static float draw_between(SlRng *rng, double size) {
    return (float)(size * (2 * sl_rng_uniform(rng) - 1));
}

// one of the landmarks, which begin at `landmarks`; its place is copied behind the last of them
static void draw_goal(const ParticleWorld *world, SlRng *rng, float *landmarks) {
    const size_t goal = sl_rng_below(rng, (uint64_t)world->n_landmarks);
    for (size_t i = 0; i < 2; i++)
        landmarks[(2 * (size_t)world->n_landmarks + i) * PARTICLE_BLOCK] =
            landmarks[(2 * goal + i) * PARTICLE_BLOCK];
}

// movers at rest anywhere, then landmarks
static void draw_world(SlParticles *particles, int env) {
    const ParticleWorld *world = &particles->world;
    const ParticleFacts *facts = world->kind->row->facts;
    float *at = particles->states + (size_t)(env / PARTICLE_BLOCK) * block_numbers(particles) +
                env % PARTICLE_BLOCK;
    SlRng *rng = &particles->rngs[env];
    const int landmarks = 4 * world->n_movers;
    for (int r = 0; r < landmarks + 2 * world->n_landmarks; r++) {
        const bool moves = 2 * world->n_movers <= r && r < landmarks; // a velocity
        at[(size_t)r * PARTICLE_BLOCK] =
            moves ? 0 : draw_between(rng, r < landmarks ? 1 : facts->edge);
    }
    if (facts->has_goal) draw_goal(world, rng, at + (size_t)landmarks * PARTICLE_BLOCK);
    particles->age[env] = 0;
}

void sl_particles_reset(SlParticles *particles, uint64_t seed, SlParticleBuffers *buffers) {
    for (int e = 0; e < (int)n_worlds(particles); e++) {
        char stream[40];
        snprintf(stream, sizeof stream, "particles %d", e);
        sl_rng_init(&particles->rngs[e], seed, stream);
        draw_world(particles, e);
    }
    for (int b = 0; b < particles->n_blocks; b++) write_block(particles, b, buffers);
}

void sl_particles_restart(SlParticles *particles, int env, SlParticleBuffers *buffers) {
    assert(0 <= env && env < particles->shape.n_envs);
    float row[ROOM_STATE];
    draw_world(particles, env);
    const float *from = particles->states +
                        (size_t)(env / PARTICLE_BLOCK) * block_numbers(particles) +
                        env % PARTICLE_BLOCK;
    for (int r = 0; r < particles->world.n_state; r++) row[r] = from[(size_t)r * PARTICLE_BLOCK];
    write_world(particles, env, row, buffers);
}

// ---- a step ----

// forces that the agents of a block choose; none where there is no env
static void choose_forces(const SlParticles *particles, int block, const float *actions,
                          float *force) {
    const ParticleWorld *world = &particles->world;
    const int n = world->n_choosers, first = block * PARTICLE_BLOCK;
    const int left = particles->shape.n_envs - first;
    const int n_lanes = left < PARTICLE_BLOCK ? left : PARTICLE_BLOCK;
    const float sign = world->rules == SL_RULES_OPENAI ? 1 : -1;
    const float accel[2] = {sign * (float)sl_particle_body(world, 0)->accel,
                            sign * (float)sl_particle_body(world, world->n_agents)->accel};
    if (n_lanes < PARTICLE_BLOCK)
        memset(force, 0, (size_t)(2 * n) * PARTICLE_BLOCK * sizeof *force);
    for (int l = 0; l < n_lanes; l++) {
        const float *action =
            actions + (size_t)(first + l) * (size_t)n * (size_t)SL_PARTICLE_ACTIONS;
        for (int a = 0; a < n; a++, action += SL_PARTICLE_ACTIONS) {
            float *to = force + (size_t)(2 * a) * PARTICLE_BLOCK + l;
            const float by = accel[a >= world->n_agents];
            to[0] = by * (action[1] - action[2]);
            to[PARTICLE_BLOCK] = by * (action[3] - action[4]);
        }
    }
}

// a direction, by points in the square until one is in the circle
static void draw_direction(SlRng *rng, float *x, float *y) {
    double u, v, square;
    do {
        u = 2 * sl_rng_uniform(rng) - 1;
        v = 2 * sl_rng_uniform(rng) - 1;
        square = u * u + v * v;
    } while (square > 1 || square == 0);
    const double scale = 1 / sqrt(square);
    *x = (float)(u * scale);
    *y = (float)(v * scale);
}

static void wander(const SlParticles *particles, int block, float *force) {
    const ParticleWorld *world = &particles->world;
    for (int l = 0; l < PARTICLE_BLOCK; l++) {
        for (int i = world->n_agents; i < world->n_movers; i++) {
            const float accel = (float)sl_particle_body(world, i)->accel;
            float *to = force + (size_t)(2 * i) * PARTICLE_BLOCK + l, x, y;
            draw_direction(&particles->rngs[block * PARTICLE_BLOCK + l], &x, &y);
            to[0] = accel * x;
            to[PARTICLE_BLOCK] = accel * y;
        }
    }
}

// forces of those with a script
static void script_forces(const SlParticles *particles, int block, const float *state,
                          float *force) {
    const ParticleWorld *world = &particles->world;
    if (world->script == SL_SCRIPT_OWN || world->script == SL_SCRIPT_SECOND) {
        particles->code->drive(world, state, force);
    } else if (world->script == SL_SCRIPT_RANDOM) {
        wander(particles, block, force);
    } else {
        memset(force + (size_t)(2 * world->n_agents) * PARTICLE_BLOCK, 0,
               (size_t)(2 * world->n_scripted) * PARTICLE_BLOCK * sizeof *force);
    }
}

// rewards and shaping of a block, where they are wanted
static void judge_block(const SlParticles *particles, int block, const float *state,
                        const SlParticleBuffers *buffers) {
    const ParticleWorld *world = &particles->world;
    const ParticleCode *code = particles->code;
    float numbers[PARTICLE_MAX_MOVERS * PARTICLE_BLOCK];
    if (buffers->rewards) {
        code->reward(world, state, numbers);
        if (world->n_choosers > world->n_agents) code->reward_scripted(world, state, numbers);
        write_rewards(particles, block, numbers, buffers->rewards);
    }
    if (buffers->shaping) {
        const int n = world->n_choosers * PARTICLE_BLOCK;
        memset(numbers, 0, (size_t)n * sizeof *numbers);
        if (code->shape) code->shape(world, state, numbers);
        for (int i = 0; i < n; i++) numbers[i] *= (float)particles->shaping;
        write_rewards(particles, block, numbers, buffers->shaping);
    }
}

static void grow_older(SlParticles *particles, int block, uint8_t *ended) {
    for (int e = block * PARTICLE_BLOCK; e < (block + 1) * PARTICLE_BLOCK; e++) {
        if (particles->age[e] < particles->episode_steps) particles->age[e]++;
        if (ended && e < particles->shape.n_envs)
            ended[e] = particles->age[e] == particles->episode_steps;
    }
}

typedef struct {
    SlParticles *particles;
    const SlParticleBuffers *buffers;
} Step;

static void step_block(void *context, int block, int worker) {
    (void)worker;
    const Step *step = context;
    SlParticles *particles = step->particles;
    const ParticleWorld *world = &particles->world;
    float force[2 * PARTICLE_MAX_MOVERS * PARTICLE_BLOCK];
    float *state = particles->states + (size_t)block * block_numbers(particles);
    choose_forces(particles, block, step->buffers->actions, force);
    if (world->n_choosers < world->n_movers) script_forces(particles, block, state, force);
    particles->code->move(world, state, force);
    grow_older(particles, block, step->buffers->ended);
    judge_block(particles, block, state, step->buffers);
    write_block(particles, block, step->buffers);
}

void sl_particles_step(SlParticles *particles, SlPool *pool, SlParticleBuffers *buffers) {
    assert(buffers->actions);
    Step step = {particles, buffers};
    if (pool)
        sl_pool_run(pool, particles->n_blocks, step_block, &step);
    else
        for (int b = 0; b < particles->n_blocks; b++) step_block(&step, b, 0);
}

// ---- checkpoints ----

size_t sl_particles_bytes(const SlParticles *particles) {
    return (size_t)particles->n_blocks * block_numbers(particles) * sizeof(float) +
           n_worlds(particles) * (sizeof(SlRng) + sizeof(int32_t));
}

void sl_particles_save(const SlParticles *particles, void *bytes) {
    const size_t states = (size_t)particles->n_blocks * block_numbers(particles) * sizeof(float);
    const size_t rngs = n_worlds(particles) * sizeof(SlRng);
    unsigned char *to = bytes;
    memcpy(to, particles->states, states);
    memcpy(to + states, particles->rngs, rngs);
    memcpy(to + states + rngs, particles->age, n_worlds(particles) * sizeof(int32_t));
}

void sl_particles_load(SlParticles *particles, const void *bytes) {
    const size_t states = (size_t)particles->n_blocks * block_numbers(particles) * sizeof(float);
    const size_t rngs = n_worlds(particles) * sizeof(SlRng);
    const unsigned char *from = bytes;
    memcpy(particles->states, from, states);
    memcpy(particles->rngs, from + states, rngs);
    memcpy(particles->age, from + states + rngs, n_worlds(particles) * sizeof(int32_t));
    // no other age ever ends an episode
    for (size_t e = 0; e < n_worlds(particles); e++) {
        int32_t *age = &particles->age[e];
        if (*age < 0 || *age > particles->episode_steps) *age = particles->episode_steps;
    }
}
