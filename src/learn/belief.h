// belief.h - inside learn: what is believed of points that were not evaluated. Kinds of beliefs are
// rows of one table.
//
// A belief is a guess that was taught before, and what a Gaussian process learns of its error on
// this task's own samples, less `optimism` deviations of that process:
//
//   score(x) = guess(x) + level + error(x),   level ~ N(0, 1),   error ~ GP(0, k)
//
// A row gives the guess and k; rows without k stay with their guess.
//
// Flow: sl_belief_choose -> sl_belief_lack -> sl_belief_make -> sl_belief_guess, sl_belief_believe;
//       sl_belief_learn (a sample) ... -> sl_belief_settle -> sl_belief_believe ...
#pragma once

#include "starling/approx/kriging.h"
#include "starling/learn/flock.h"

enum { SL_BELIEF_ROWS = SL_KRIGING_ROWS }; // most points at a time

typedef struct {
    const SlTask *task;
    const SlFlock *flock;
    int room;        // most samples to learn
    double optimism; // deviations of the process taken off
    double error;    // critic: deviation of its error, in units of what it was elsewhere
    double spread;   // other processes: their deviation, in units of what the likelihood chose
    double doubt;    // disagreement of the members, added to a guess
    bool residual;   // learn from samples at all
} SlBeliefSetup;

// A kind of belief. A mark is what k sees of a point, some bytes made from its inputs (n_inputs).
typedef struct {
    const char *name;
    const char *lack;                     // why a flock that has no such belief is refused
    bool (*taught)(const SlFlock *flock); // it has one; NULL = every flock has
    void *(*make)(const SlBeliefSetup *setup, SlArena *arena); // NULL without memory
    // `doubt` (n): how far its members differ; NULL = not wanted, zeros where it has none
    void (*guess)(const void *state, int n, const float *rows, float *guess, float *doubt);
    size_t (*mark_bytes)(const void *state); // NULL = no process
    void (*mark)(void *state, const float *row, void *mark);
    double (*covary)(const void *state, const void *a, const void *b); // level included
    double (*noise)(const void *state);                                // variance of a value
} SlBeliefRow;

extern const SlBeliefRow *const sl_belief_rows[]; // in the order of their names
extern const char *const sl_belief_names[];       // auto, then one per row
// The row of a name by its number. auto: both where the flock has networks taught by many tasks,
// else the critic.
const SlBeliefRow *sl_belief_choose(int name, const SlFlock *flock);

typedef struct {
    const SlBeliefRow *row;
    void *state;
    SlBeliefSetup setup;
    int n;         // samples learnt
    double origin; // the first error
    double *error; // (room) score less guess, less the origin
    SlKriging *process;
    size_t mark_bytes;
    char *marks;        // (room, mark_bytes) of the samples
    char *mark;         // (mark_bytes) scratch
    double *covariance; // (room + 4, SL_KRIGING_ROWS)
} SlBelief;

const char *sl_belief_lack(const SlBeliefRow *row, const SlFlock *flock); // NULL or why not
SlBelief *sl_belief_make(const SlBeliefRow *row, const SlBeliefSetup *setup, SlArena *arena);

// Of rows (n, n_inputs), n <= SL_BELIEF_ROWS: the guess before samples, and with them.
void sl_belief_guess(SlBelief *belief, int n, const float *rows, float *guess);
void sl_belief_believe(SlBelief *belief, int n, const float *rows, const float *guess,
                       float *believed);

void sl_belief_learn(SlBelief *belief, const float *row, double score); // while there is space
void sl_belief_settle(SlBelief *belief);                                // after some of them

// Rows, each in a file of its own.
extern const SlBeliefRow sl_belief_critic, sl_belief_process, sl_belief_both, sl_belief_fidelity,
    sl_belief_calibration, sl_belief_none;
