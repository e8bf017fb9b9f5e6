// belief.c - the table of beliefs, and the process that all of them share.
#include "belief.h"

#include <math.h>

static const double TWIN = 1e-12; // least noise
// networks taught by 400 tasks help trees, by 32 they hurt (docs/studies/marl.md)
enum { MANY_TASKS = 100 };

const SlBeliefRow *const sl_belief_rows[] = {&sl_belief_critic,      &sl_belief_process,
                                             &sl_belief_both,        &sl_belief_fidelity,
                                             &sl_belief_calibration, &sl_belief_none};
const char *const sl_belief_names[] = {"auto",     "critic",      "process", "both",
                                       "fidelity", "calibration", "none",    NULL};

const SlBeliefRow *sl_belief_choose(int name, const SlFlock *flock) {
    if (name > 0) return sl_belief_rows[name - 1];
    bool both = sl_belief_both.taught(flock) && sl_flock_info(flock)->n_tasks >= MANY_TASKS;
    return both ? &sl_belief_both : &sl_belief_critic;
}

const char *sl_belief_lack(const SlBeliefRow *row, const SlFlock *flock) {
    return !row->taught || row->taught(flock) ? NULL : row->lack;
}

static bool make_process(SlBelief *belief, SlArena *arena) {
    size_t room = (size_t)belief->setup.room, bytes = belief->row->mark_bytes(belief->state);
    belief->mark_bytes = bytes;
    belief->process = sl_kriging_make(belief->setup.room, arena);
    belief->error = SL_NEW(arena, room, double);
    belief->marks = sl_arena_alloc(arena, room, bytes);
    belief->mark = sl_arena_alloc(arena, 1, bytes);
    belief->covariance = SL_NEW(arena, (room + 4) * SL_KRIGING_ROWS, double);
    return belief->process && belief->error && belief->marks && belief->mark && belief->covariance;
}

SlBelief *sl_belief_make(const SlBeliefRow *row, const SlBeliefSetup *setup, SlArena *arena) {
    SlBelief *belief = SL_NEW(arena, 1, SlBelief);
    if (!belief) return NULL;
    *belief = (SlBelief){.row = row, .setup = *setup};
    belief->state = row->make(setup, arena);
    if (!belief->state) return NULL;
    return !row->mark_bytes || make_process(belief, arena) ? belief : NULL;
}

static bool learns(const SlBelief *belief) {
    return belief->row->mark_bytes && belief->setup.residual;
}

void sl_belief_guess(SlBelief *belief, int n, const float *rows, float *guess) {
    float doubt[SL_BELIEF_ROWS];
    belief->row->guess(belief->state, n, rows, guess, doubt);
    for (int i = 0; i < n; i++) guess[i] += (float)belief->setup.doubt * doubt[i];
}

// covariances of a mark with those of the samples, `step` numbers apart
static void covary(const SlBelief *belief, const char *mark, size_t step, double *out) {
    for (int k = 0; k < belief->n; k++)
        out[(size_t)k * step] = belief->row->covary(
            belief->state, belief->marks + (size_t)k * belief->mark_bytes, mark);
}

void sl_belief_believe(SlBelief *belief, int n, const float *rows, const float *guess,
                       float *believed) {
    double mean[SL_BELIEF_ROWS], variance[SL_BELIEF_ROWS], own[SL_BELIEF_ROWS] = {0};
    const size_t width = (size_t)sl_flock_info(belief->setup.flock)->n_inputs;
    if (!learns(belief) || belief->n == 0) {
        for (int i = 0; i < n; i++) believed[i] = guess[i];
        return;
    }
    for (int i = 0; i < n; i++) {
        belief->row->mark(belief->state, rows + (size_t)i * width, belief->mark);
        own[i] = belief->row->covary(belief->state, belief->mark, belief->mark);
        covary(belief, belief->mark, SL_KRIGING_ROWS, belief->covariance + i);
    }
    sl_kriging_predict(belief->process, n, belief->covariance, own, mean, variance);
    for (int i = 0; i < n; i++)
        believed[i] =
            (float)((double)guess[i] + mean[i] - belief->setup.optimism * sqrt(variance[i]));
}

void sl_belief_learn(SlBelief *belief, const float *row, double score) {
    float value;
    if (!learns(belief) || belief->n == belief->setup.room) return;
    const int at = belief->n;
    char *mark = belief->marks + (size_t)at * belief->mark_bytes;
    double before[SL_KRIGING_MAX_POINTS];
    belief->row->guess(belief->state, 1, row, &value, NULL);
    if (at == 0) belief->origin = score - (double)value;
    belief->error[at] = score - (double)value - belief->origin;
    belief->row->mark(belief->state, row, mark);
    covary(belief, mark, 1, before);
    belief->n++;
    sl_kriging_add(belief->process, before,
                   belief->row->covary(belief->state, mark, mark) +
                       fmax(belief->row->noise(belief->state), TWIN));
}

void sl_belief_settle(SlBelief *belief) {
    if (learns(belief)) sl_kriging_teach(belief->process, belief->error);
}
