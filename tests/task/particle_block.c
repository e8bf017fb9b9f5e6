// particle_block.c - a block of equal particle worlds, made by hand.
#include "particle_block.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

void put(float *rows, int row, double x, double y) {
    for (int l = 0; l < PARTICLE_BLOCK; l++) {
        rows[row * PARTICLE_BLOCK + l] = (float)x;
        rows[(row + 1) * PARTICLE_BLOCK + l] = (float)y;
    }
}

void put_mover(Block *block, int i, double x, double y) {
    put(block->state, 2 * i, x, y);
}

void put_velocity(Block *block, int i, double x, double y) {
    put(block->state, 2 * (block->world.n_movers + i), x, y);
}

void put_landmark(Block *block, int k, double x, double y) {
    put(block->state, 4 * block->world.n_movers + 2 * k, x, y);
}

void block_init(Block *block, const char *world, SlParticleRules rules, int n_agents) {
    const SlParticleSetup setup = {
        .world = sl_world_find(world), .rules = rules, .n_agents = n_agents};
    assert_non_null(setup.world);
    memset(block, 0, sizeof *block);
    block->world = sl_particle_world(&setup);
    for (int i = 0; i < block->world.n_movers; i++) put_mover(block, i, 10 * i, -50);
    for (int k = 0; k < block->world.n_fixed / 2; k++) put_landmark(block, k, 10 * k, 50);
}

double x_of(const Block *block, int mover) {
    return block->state[2 * mover * PARTICLE_BLOCK];
}

double y_of(const Block *block, int mover) {
    return block->state[(2 * mover + 1) * PARTICLE_BLOCK];
}

double vx_of(const Block *block, int mover) {
    return x_of(block, block->world.n_movers + mover);
}

double vy_of(const Block *block, int mover) {
    return y_of(block, block->world.n_movers + mover);
}

void block_move(Block *block) {
    sl_particle_code(block->world.kind)->move(&block->world, block->state, block->force);
}

void block_drive(Block *block) {
    sl_particle_code(block->world.kind)->drive(&block->world, block->state, block->force);
}

double force_of(const Block *block, int mover, int axis) {
    return block->force[(2 * mover + axis) * PARTICLE_BLOCK];
}

double reward_of(Block *block, int mover) {
    const ParticleCode *code = sl_particle_code(block->world.kind);
    code->reward(&block->world, block->state, block->rewards);
    if (block->world.n_scripted > 0)
        code->reward_scripted(&block->world, block->state, block->rewards);
    return block->rewards[mover * PARTICLE_BLOCK + PARTICLE_BLOCK - 1];
}

double shaping_of(Block *block, int mover) {
    sl_particle_code(block->world.kind)->shape(&block->world, block->state, block->rewards);
    return block->rewards[mover * PARTICLE_BLOCK + PARTICLE_BLOCK - 1];
}

void near_to(double got, double want) {
    if (!(fabs(got - want) <= 1e-6 * fmax(1, fabs(want))))
        fail_msg("expected %.9g, got %.9g", want, got);
}
