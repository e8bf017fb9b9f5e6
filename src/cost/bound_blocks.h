// bound_blocks.h - inside the bounds: lists of options, how they are built and kept.
#pragma once

#include "bound_inside.h"

// ---- bound_cache.c ----

enum { KEY_WORDS = 3 + 2 * MAX_CHIP };

// What names a table: its kind, dim or group and level; roles; tiles outside.
typedef struct {
    int64_t word[KEY_WORDS];
} Key;

enum { KIND_BLOCK, KIND_PAIR, KIND_BLOCK_ANY, KIND_PAIR_ANY, KIND_SIZES };

static inline Key sl_key(int kind, int dim, int level, int role) {
    return (Key){{kind | dim << 8 | level << 16, role}};
}

void *sl_work_take(SlBoundWork *work, size_t n, size_t size); // NULL without memory
const void *sl_work_recall(const SlBoundWork *work, const Key *key);
void sl_work_keep(SlBoundWork *work, const Key *key, const void *value);

static inline const Role *sl_work_role(const SlBoundWork *work, int d) {
    return &work->bounds->roles[d][work->branch->role[d]];
}

// ---- bound_options.c ----

// a = the lesser of a and b, lane by lane
#define SL_LEAST(a, b)                                                                             \
    do {                                                                                           \
        for (int lane_ = 0; lane_ < N_LANES; lane_++)                                              \
            if ((b)[lane_] < (a)[lane_]) (a)[lane_] = (b)[lane_];                                  \
    } while (0)

// Loops in time of segments s.. above the level; whether there is one in segment s.
int sl_wrapped_from(const DimTable *dim, int level, int s);
bool sl_loop_in(const DimTable *dim, int level, int s);

// Build the tables of dim d for tiles[0..level].
void sl_build_loops(SlBoundWork *work, int d, int level, const int64_t *tiles);

bool sl_block_lists(SlBoundWork *work, int n, Block *block); // space for n options
void sl_block_least(Block *block, bool strict); // of a class: over options that move (strict) or
                                                // are active
// Does a tile fit the level if every other dim has extent 1?
bool sl_fits_alone(const SlBounds *bounds, int d, int level, int64_t extent);

// ---- bound_pairs.c ----

// Factors of a group in all pairs of states (states, states), from the tables as they are built.
void sl_pair_states(SlBoundWork *work, int group, int level, Lanes *state);

// What is fetched at least, in words of the group, if dim `a` of it (0, 1) has the innermost loop
// above the level: the volume minus the most that each kind of transition can leave in place.
// INFINITY if it has no loop. `moves[k][s]`: dim k has a loop in segment s.
void sl_window_near(const Lanes *state, int level, int a, const bool moves[2][MAX_CHIP],
                    Lanes *out);

PairBlock *sl_pair_take(SlBoundWork *work, int n_a, int n_b); // all factors INFINITY
void sl_pair_least(PairBlock *pair);
