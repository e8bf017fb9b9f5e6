// flock_policy.h - inside learn: policies taught before, one head per parameter.
//
// Flow: sl_flock_policy_teach (lessons) -> SlFlockPolicy -> sl_flock_policy_bind (a task) ->
//       sl_flock_policy_fresh, sl_flock_policy_draw ... ; sl_flock_policy_write and _read.
//
// A head sees the task's context and choices of other parameters, in numbers that mean the same in
// every space. A layer of rectified units turns them into coefficients, one per feature of a value:
//
//   hidden = max(0, W condition + b),  coefficients = V hidden + c
//   sizes and sets of dims: softmax over the listed values of coefficients . features(value)
//   orders: Plackett-Luce, the coefficient of a dim is its score
//
// Condition: either the choices of the heads before (fresh points, one head after the other), or
// those of all other heads (an agent that deviates). One more input says which.
//
// Agents: every head has hidden units of its own. Joint: all heads share one larger layer of them.
#pragma once

#include "starling/approx.h"
#include "starling/learn/flock.h"

// A choice of one parameter in words that other spaces understand.
typedef struct {
    int8_t kind, role, level, axis, dim; // of the parameter
    bool whole;                          // a size: the largest of its list
    uint32_t name;                       // knobs: hash of the name
    int64_t value; // a size; a set of dims; items of an order, four bits each, the first lowest
} SlChoice;

enum { SL_FLOCK_AGENTS, SL_FLOCK_JOINT, SL_N_FLOCK_POLICIES };
enum {
    SL_HEAD_MOST_OUT = 18,      // coefficients of a head
    SL_HEAD_MOST_VALUES = 4096, // of a size or set; parameters with more have no head
    SL_TRUNK_MOST_HIDDEN = 512,
};

typedef struct {
    SlChoice key; // which parameter
    int slot;     // first of the inputs that tell its choice
    int trunk;    // whose hidden units it reads
    size_t first; // weight: V (hidden, n_out), then c (n_out)
} SlHead;

typedef struct {
    int n_heads;             // 0 = nothing was taught
    int n_context, n_inputs; // inputs: context, which condition, the choice of every head
    int n_trunks, hidden;
    SlHead heads[SL_MAX_PARAMS];      // in the order of choosing
    size_t trunks[SL_MAX_PARAMS + 1]; // first weight: W (n_inputs, hidden), b (hidden), its heads
    float *mean, *deviation;          // (n_context) of the context over the tasks
    SlReal *weights;                  // (trunks[n_trunks])
} SlFlockPolicy;

// A policy on one task. Read-only once bound.
typedef struct {
    const SlFlockPolicy *policy;
    const SlSpace *space;
    int head[SL_MAX_PARAMS];        // of every parameter, -1 = none: any value is as good
    int param[SL_MAX_PARAMS];       // of every head, -1 = not in this space
    int outer[SL_MAX_PARAMS];       // of a tile: the parameter of the next larger one, -1 = none
    float *features[SL_MAX_PARAMS]; // (n, n_out) of the values of sizes and sets
    float *slots[SL_MAX_PARAMS];    // (n, 3) of sizes: what other heads see
    float *logs[SL_MAX_PARAMS];     // (n) of sizes: log2
    float context[SL_FLOCK_MAX_INPUTS];
    SlReal *base; // (n_trunks, hidden) what the context adds to hidden units; NULL = not known yet
} SlBoundPolicy;

// --- Teaching

typedef struct {
    bool joint;
    int hidden; // units of an agent; the joint policy gets as many weights as all agents
    int epochs; // of the agents; the joint policy gets as much time, about
    double rate, decay;
    double falloff; // log of value over best at which a point weighs 1/e
    int most;       // points of a task
    uint64_t seed;
} SlFlockPolicyOptions;
extern const SlFlockPolicyOptions sl_flock_policy_usual;

// Imitate the best points of every lesson. Heads that share no units are taught side by side; the
// result does not depend on threads. SL_ENOMEM.
SlStatus sl_flock_policy_teach(int n, const SlLesson *lessons, const SlFlockPolicyOptions *options,
                               SlPool *pool, SlArena *arena, SlFlockPolicy *policy);

// --- On a task

// Both kinds of condition and the rules of a value in one place: heads of this task, features of
// their values. False without memory.
bool sl_flock_policy_bind(const SlFlockPolicy *policy, const SlTask *task, SlArena *arena,
                          SlBoundPolicy *bound);
// What the context adds, once and for all; the weights must not change any more.
bool sl_flock_policy_settle(SlBoundPolicy *bound, SlArena *arena);

// A whole point, head by head.
void sl_flock_policy_fresh(const SlBoundPolicy *bound, SlRng *rng, int32_t *point);
// Another value of parameter i given all other choices of the point.
int32_t sl_flock_policy_draw(const SlBoundPolicy *bound, const int32_t *point, int i, SlRng *rng);
// Log-probability of what the point chooses for parameter i, which has a head; `all`: given all
// other choices, else those before. `x` (n_inputs) are its inputs.
double sl_flock_policy_logp(const SlBoundPolicy *bound, const int32_t *point, const float *x, int i,
                            bool all);
// Inputs (n_inputs) of a point, the choices of all heads.
void sl_flock_policy_inputs(const SlBoundPolicy *bound, const int32_t *point, float *x);
// The same number, with `scale` times its gradient by the weights of the trunk and its heads added
// to `grad` (like the trunk's weights).
double sl_flock_policy_gradient(const SlBoundPolicy *bound, const int32_t *point, const float *x,
                                int i, bool all, double scale, SlReal *grad);

// --- Parts

int sl_head_n_out(const SlChoice *key);
int sl_head_n_slots(const SlChoice *key);
// Places of all inputs and weights, from keys, n_context, n_trunks and hidden; false if too many.
bool sl_flock_policy_lay_out(SlFlockPolicy *policy);

// --- Files: numbers of the shape, keys, then floats; little-endian, as on the machines we know

// Appends; a policy without heads is a shape of zeros. text->failed without memory.
void sl_flock_policy_write(const SlFlockPolicy *policy, SlText *text);
// Reads at *at, which moves behind. SL_EINPUT with the reason, SL_ENOMEM.
SlStatus sl_flock_policy_read(const char *bytes, size_t n, size_t *at, SlArena *arena,
                              SlFlockPolicy *policy, SlError *err);
