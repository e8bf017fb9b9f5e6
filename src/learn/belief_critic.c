// belief_critic.c - the central critic: boosted trees (Friedman 2001), and a process with the
// kernel of their forest, the share of trees in which two points fall into the same leaf (Breiman
// 2000; Davies & Ghahramani 2014). `both` guesses the mean of the critic and of the networks.
#include <math.h>

#include "belief.h"
#include "flock_inside.h"

enum { MOST_TREES = 256 };
static const double LEVEL2 = 1, NOISE2 = 1e-5; // variances: of the level of a task, of a value
static const double LEAST_ERROR = 0.01;

typedef struct {
    const SlFlock *flock;
    double error2; // variance of the critic's error
    int n_trees;   // whose leaves say how alike two points are
    struct {
        int member, tree;
    } trees[MOST_TREES]; // (n_trees)
    SlRivalAsker asker;  // of `both`
} Critic;

// some trees, evenly over all critics
static void choose_trees(Critic *critic, int all) {
    for (int k = 0; k < critic->n_trees; k++) {
        int tree = (int)((int64_t)k * all / critic->n_trees), member = 0;
        while (tree >= critic->flock->members[member].n_trees)
            tree -= critic->flock->members[member++].n_trees;
        critic->trees[k].member = member;
        critic->trees[k].tree = tree;
    }
}

static void *make(const SlBeliefSetup *setup, SlArena *arena) {
    const SlFlockInfo *info = sl_flock_info(setup->flock);
    Critic *critic = SL_NEW(arena, 1, Critic);
    if (!critic) return NULL;
    double deviation = setup->error * fmax(info->error, LEAST_ERROR);
    critic->flock = setup->flock;
    critic->error2 = deviation * deviation;
    critic->n_trees = info->n_trees < MOST_TREES ? info->n_trees : MOST_TREES;
    choose_trees(critic, info->n_trees);
    return critic;
}

static void guess(const void *state, int n, const float *rows, float *guess, float *doubt) {
    const Critic *critic = state;
    sl_flock_guess(critic->flock, n, rows, guess, doubt);
}

static size_t mark_bytes(const void *state) {
    return (size_t)((const Critic *)state)->n_trees;
}

// leaves of some trees of all members
static void mark(void *state, const float *row, void *mark) {
    const Critic *critic = state;
    uint8_t *leaves = mark;
    for (int k = 0; k < critic->n_trees; k++)
        leaves[k] = (uint8_t)sl_boost_leaf(&critic->flock->members[critic->trees[k].member],
                                           critic->trees[k].tree, row);
}

static double covary(const void *state, const void *a, const void *b) {
    const Critic *critic = state;
    const uint8_t *one = a, *other = b;
    int same = 0;
    for (int k = 0; k < critic->n_trees; k++) same += one[k] == other[k];
    double share = (double)same / critic->n_trees;
    return LEVEL2 + critic->error2 * share;
}

static double noise(const void *state) {
    (void)state;
    return NOISE2;
}

const SlBeliefRow sl_belief_critic = {
    .name = "critic",
    .make = make,
    .guess = guess,
    .mark_bytes = mark_bytes,
    .mark = mark,
    .covary = covary,
    .noise = noise,
};

// ---- both ----

static void *make_both(const SlBeliefSetup *setup, SlArena *arena) {
    const SlFlock *flock = setup->flock;
    Critic *critic = make(setup, arena);
    bool made = critic && sl_rivals_asker(&flock->rivals, flock->deviation, flock->bend, arena,
                                          &critic->asker);
    return made ? critic : NULL;
}

static bool has_nets(const SlFlock *flock) {
    return flock->rivals.n_nets > 0;
}

static void guess_both(const void *state, int n, const float *rows, float *guess, float *doubt) {
    const Critic *critic = state;
    float other[SL_BELIEF_ROWS], differ[SL_BELIEF_ROWS];
    sl_flock_guess(critic->flock, n, rows, guess, doubt);
    sl_rivals_guess(&critic->asker, n, rows, other, differ);
    for (int i = 0; i < n; i++) {
        guess[i] = (guess[i] + other[i]) / 2;
        if (doubt) doubt[i] = (doubt[i] + differ[i]) / 2;
    }
}

const SlBeliefRow sl_belief_both = {
    .name = "both",
    .lack = SL_LACKS_RIVALS("process"),
    .taught = has_nets,
    .make = make_both,
    .guess = guess_both,
    .mark_bytes = mark_bytes,
    .mark = mark,
    .covary = covary,
    .noise = noise,
};
