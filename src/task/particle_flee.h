// particle_flee.h - prey that run, and blocks as rows; in floats, after particle_step.h.
#ifndef VEC_BYTES
#error "set VEC_BYTES, BLOCK and SIZED"
#endif

typedef const SIZED(AnyVec) * SIZED(Rows);

// Away from the predators, each weighing 1 / distance^4 (the nearest one decides), and from the
// walls where the penalty of prey begins; at most a whole action. Numbers: docs/particle.md.
SL_INLINE void SIZED(flee_one)(const ParticleWorld *world, int prey, const float *state,
                               float *force) {
    const float soft = 0.01F, wall = 0.8F, stiff = 100, accel = 4;
    const size_t at = (size_t)(2 * prey) * BLOCK;
    const SIZED(Vec) x = *(SIZED(Rows))(state + at), y = *(SIZED(Rows))(state + at + BLOCK);
    SIZED(Vec) gx = {0}, gy = {0};
    for (int i = 0; i < world->n_agents; i++) {
        const float *predator = state + (size_t)(2 * i) * BLOCK;
        SIZED(Vec) dx = x - *(SIZED(Rows))predator, dy = y - *(SIZED(Rows))(predator + BLOCK);
        SIZED(Vec) by = 1 / (dx * dx + dy * dy + soft);
        gx += dx * (by * by);
        gy += dy * (by * by);
    }
    gx -= stiff * (SIZED(where)(x > wall, x - wall) + SIZED(where)(x < -wall, x + wall));
    gy -= stiff * (SIZED(where)(y > wall, y - wall) + SIZED(where)(y < -wall, y + wall));
    SIZED(Vec) size = SIZED(root)(gx * gx + gy * gy);
    SIZED(Vec) scale = accel / SIZED(select)(size > 1, size, SIZED(all)(1));
    *(SIZED(AnyVec) *)(force + at) = gx * scale;
    *(SIZED(AnyVec) *)(force + at + BLOCK) = gy * scale;
}

static void SIZED(flee)(const ParticleWorld *world, const float *state, float *force) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES))
        for (int i = world->n_agents; i < world->n_movers; i++)
            SIZED(flee_one)(world, i, state + l, force + l);
}

static void SIZED(rows)(int n_rows, const float *state, size_t stride, float *out) {
    for (int l = 0; l < BLOCK; l++)
        for (int r = 0; r < n_rows; r++)
            out[(size_t)l * stride + (size_t)r] = state[(size_t)r * BLOCK + (size_t)l];
}

static void SIZED(observe)(const ParticleWorld *world, const float *row, float *out) {
    for (int i = 0; i < world->n_agents; i++) out = SIZED(see)(world, row, i, out);
}

static const ParticleCode SIZED(code) = {SIZED(flee), SIZED(move), SIZED(reward), SIZED(rows),
                                         SIZED(observe)};
