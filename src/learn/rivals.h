// rivals.h - inside learn: what a flock is taught beside its critic, so that the critic can be
// compared with other taught methods at the same evaluations before.
//
// Networks guess the distance of a point from the best of its task; kernels say how errors of a
// guess go together, their numbers chosen by the likelihood of training tasks; linear models weigh
// the native cost's quantities.
//
// Flow: sl_rivals_teach (lessons) -> SlRivals in a flock -> rows of belief.h.
#pragma once

#include "starling/approx.h"
#include "starling/learn/flock.h"

enum {
    SL_RIVAL_NETS = 4,
    SL_RIVAL_HIDDEN = 64,
    SL_RIVAL_LAST = 16, // width of the last hidden layer
    SL_RIVAL_MOST_TERMS = 32,
    SL_KERNEL_GROUPS = 3, // of features: plain, reuse, estimates
};

#define SL_LACKS_RIVALS(what)                                                                      \
    "this flock was taught no " what "; 'starling learn --critic rivals=true' teaches one"

// Errors of a guess within a task, as a Gaussian process:
//
//   k(a, b) = level + inputs matern(d(a, b)) + last mean over nets of matern(d_net(a, b) / reach)
//
// d: the features over their deviations, by group over its length and the root of its size; d_net:
// between the last hidden layers. All are kept as logarithms.
typedef struct {
    double inputs, length[SL_KERNEL_GROUPS]; // log variance, log lengths
    double last, reach;                      // log variance, log length
    double noise;                            // log variance
} SlRivalKernel;

// A guess: weights of some inputs.
typedef struct {
    int n;
    int input[SL_RIVAL_MOST_TERMS];
    float weight[SL_RIVAL_MOST_TERMS];
} SlRivalTerms;

typedef struct {
    int n_nets; // 0 = nothing was taught
    SlMlpShape shape;
    float *mean;                     // (n_inputs)
    SlReal *weights[SL_RIVAL_NETS];  // each taught without one share of the tasks
    SlRivalKernel process, fidelity; // of the networks' errors, of the cheap guess
    SlRivalTerms cheap, calibration; // of the estimates alone, of all parts of the native cost
} SlRivals;

// What rivals are taught by: rows of all lessons, in order.
typedef struct {
    int n, n_inputs, n_rows;
    const SlLesson *lessons;
    const float *x;                   // (n_rows, n_inputs)
    const float *targets, *distances; // (n_rows) bent as critics are taught, and as they are
    const float *deviation;           // (n_inputs)
    double bend;
    uint64_t seed;
} SlRivalLessons;
// Everything; the result does not depend on threads. False without memory.
bool sl_rivals_teach(const SlRivalLessons *taught, SlPool *pool, SlArena *arena, SlRivals *rivals);

SlMlpShape sl_rivals_shape(int n_inputs);
// A row as networks see it: less its means, over its deviations.
void sl_rivals_scale(const SlRivals *rivals, const float *deviation, const float *row, SlReal *x);

// --- On a task

// Who asks the networks: memory for one block of rows.
typedef struct {
    const SlRivals *rivals;
    const float *deviation;
    double bend;
    int n_inputs;
    SlReal *x, *work;
} SlRivalAsker;
enum { SL_RIVAL_ROWS = 64 };
bool sl_rivals_asker(const SlRivals *rivals, const float *deviation, double bend, SlArena *arena,
                     SlRivalAsker *asker); // false without memory

// Guesses (n) of one net of inputs (n, n_inputs), n <= SL_RIVAL_ROWS, as it was taught; what its
// last hidden layer makes of one row, before it is rectified (SL_RIVAL_LAST).
const SlReal *sl_rivals_ask(const SlRivalAsker *asker, int net, int n, const float *inputs);
void sl_rivals_embed(const SlRivalAsker *asker, int net, const float *row, float *last);
// The mean of all nets as a distance, and how far they differ; as sl_flock_guess, n <=
// SL_RIVAL_ROWS.
void sl_rivals_guess(const SlRivalAsker *asker, int n, const float *inputs, float *guess,
                     float *doubt);

double sl_rivals_weigh(const SlRivalTerms *terms, const float *inputs);

// Covariance of two points, without the level: squared distances of their features, and of their
// last layers (n), over the lengths.
double sl_rivals_covary(const SlRivalKernel *kernel, double square, int n, const double *last);
// Squared distances of two rows by group: over the deviations and the number of features.
typedef struct {
    int n_inputs, first;    // features begin here
    const float *deviation; // (n_inputs)
    uint8_t group[SL_FLOCK_MAX_INPUTS];
    int size[SL_KERNEL_GROUPS];
} SlRivalGroups;
void sl_rivals_groups(const SlTask *task, const float *deviation, SlRivalGroups *groups);
void sl_rivals_apart(const SlRivalGroups *groups, const float *a, const float *b,
                     double by_group[SL_KERNEL_GROUPS]);

// --- Parts of the teaching

bool sl_rivals_teach_nets(const SlRivalLessons *taught, SlPool *pool, SlArena *arena,
                          SlRivals *rivals); // false without memory
void sl_rivals_teach_terms(const SlRivalLessons *taught, bool all, SlRivalTerms *terms);
// By the errors of nets on tasks they were not taught by, or else those of the cheap guess.
bool sl_rivals_teach_kernel(const SlRivalLessons *taught, const SlRivals *rivals, bool nets,
                            SlRivalKernel *kernel); // false without memory

// --- Files (rivals_file.h)

const char *sl_rivals_check(const SlRivals *rivals); // NULL, or which of its kernels is impossible
