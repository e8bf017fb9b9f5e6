// particle_block.h - a block of equal particle worlds, made by hand.
#pragma once

#include "task/particle_inside.h"

enum { BLOCK_ROOM = 4 * PARTICLE_MAX_MOVERS + 2 * (SL_PARTICLE_MAX_AGENTS + 1) };

typedef struct {
    ParticleWorld world;
    float state[BLOCK_ROOM * PARTICLE_BLOCK];
    float force[2 * PARTICLE_MAX_MOVERS * PARTICLE_BLOCK];
    float rewards[PARTICLE_MAX_MOVERS * PARTICLE_BLOCK];
} Block;

// Everybody at rest and far from everybody else, no forces.
void block_init(Block *block, const char *world, SlParticleRules rules, int n_agents);

// In all worlds of the block. `rows` begin with row 0.
void put(float *rows, int row, double x, double y);
void put_mover(Block *block, int i, double x, double y);
void put_velocity(Block *block, int i, double x, double y);
void put_landmark(Block *block, int k, double x, double y); // the goal is behind the last

double x_of(const Block *block, int mover);
double y_of(const Block *block, int mover);
double vx_of(const Block *block, int mover);
double vy_of(const Block *block, int mover);

void block_move(Block *block);
void block_drive(Block *block); // forces by the script of the world
double force_of(const Block *block, int mover, int axis);
double reward_of(Block *block, int mover);  // of the last world; of those with a script too
double shaping_of(Block *block, int mover); // the same of the shaping term

void near_to(double got, double want); // to 1e-6, relative above 1
