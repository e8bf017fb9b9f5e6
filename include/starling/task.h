// task.h - the one door to an evaluation, where samples are counted; and the multi-agent
// environment on it.
//
// Flow: SlTask (a layer, an accelerator, a space, a goal) -> sl_task_eval(point) -> SlOutcome: one
//       sample. Methods propose points and are told outcomes (SlMethod: ask, tell). SlEnv is the
//       same task as a vectorised multi-agent environment with caller-owned buffers: reset, step.
//       Particle worlds, where nothing is mapped, are in task/particle.h.
#pragma once

#include "starling/cost.h"
#include "starling/task/particle.h"

// --- Models: who prices a mapping

typedef enum {
    SL_MODEL_NATIVE,
    SL_MODEL_MAESTRO, // MAESTRO's numbers of a layer alone in its file, behind the strict guard of
                      // cost/maestro.h
    SL_N_MODELS
} SlModel;
extern const char *const sl_model_names[SL_N_MODELS + 1]; // "native", "maestro", NULL

// NULL, or why a model cannot price mappings of this layer on this accelerator.
const char *sl_model_check(SlModel model, const SlLayer *layer, const SlAccel *accel);

// What a model asks of a space: MAESTRO's counts room in its own way, and needs whole filters
// (where the user has no constraints, the bundled ones called maestro, which are read into
// `constraints`).
SlStatus sl_model_space(SlModel model, SlArena *scratch, SlConstraints *constraints,
                        SlSpaceOptions *options, SlError *err);

// No mapping is below; NAN where there is no floor. MAESTRO's model has one of latency alone: every
// lane of every PE busy.
double sl_model_floor(SlModel model, const SlGoal *goal, const SlLayer *layer,
                      const SlAccel *accel);

// --- A task: mappings of one layer on one accelerator, priced for one goal

typedef enum {
    SL_ILLEGAL_REPAIR,  // a point that does not fit is made to fit, deterministically and for free
    SL_ILLEGAL_PENALTY, // it is not priced; its score says by how much the worst inequality fails
} SlIllegal;
extern const char *const sl_illegal_names[3]; // "repair", "penalty", NULL

// What one sample says. Scores are for learning, values for reporting.
typedef struct {
    double value; // of the goal in its unit; INFINITY where the mapping is illegal or the cost is
                  // not a finite positive number, so that it never becomes the best
    double score; // log value where legal; else above every legal score seen so far, growing with
                  // the violation. Always finite; lower is better
    double latency_cycles, energy_pj, area_um2, power_mw; // 0 where illegal; area as the objective
    double excess; // log of need / have of the worst violated inequality, 0 = fits. With MAESTRO's
                   // model also of what the strict guard refuses, or 8 where it gives no result
} SlOutcome;

typedef struct SlTask SlTask;

typedef struct {
    const SlSpace *space; // names layer and accelerator too; kept
    SlGoal goal;
    SlIllegal illegal;
    SlModel model; // sl_model_check must have nothing against it
} SlTaskSetup;

SlTask *sl_task_make(const SlTaskSetup *setup, SlArena *arena); // NULL without memory
const SlSpace *sl_task_space(const SlTask *task);

// Price a point, or any well-formed nest with the accelerator's levels. Each call is one sample,
// repeats too.
void sl_task_eval(SlTask *task, const int32_t *point, SlOutcome *out);
void sl_task_eval_mapping(SlTask *task, const SlMapping *mapping, SlOutcome *out);
int64_t sl_task_samples(const SlTask *task);

// All counts and costs of the last sample that was priced; NULL before the first, and always with
// another model than the native one.
const SlCost *sl_task_cost(const SlTask *task);

// The best so far, of equal values the one with the lower energy-delay product; NULL before the
// first legal sample.
typedef struct {
    SlMapping mapping;
    SlOutcome outcome;
    int64_t sample; // at which this value was found, from 1
} SlBest;
const SlBest *sl_task_best(const SlTask *task);

// --- Rewards and observations

typedef enum {
    SL_REWARD_LOG,     // reference score - score: scale-free
    SL_REWARD_INVERSE, // 1 / value, 0 where illegal (the paper)
    SL_REWARD_RANK,    // rank in the batch, ties averaged, mean 0, variance 1
} SlReward;
extern const char *const sl_reward_names[4]; // "log", "inverse", "rank", NULL

// Rewards (n) of a batch of outcomes. `reference` is a score (SL_REWARD_LOG). `order` (n) is
// scratch.
void sl_rewards(SlReward form, int n, const SlOutcome *outcomes, double reference, int *order,
                double *rewards);

typedef enum {
    SL_OBSERVE_PAPER,    // latency, power, energy, area of the last mapping: normalised logs
    SL_OBSERVE_EXTENDED, // plus the agent's own last choices, the budget left, layer, accelerator
} SlObserve;
extern const char *const sl_observe_names[3]; // "paper", "extended", NULL

// The four of the paper: log2 of each over its reference (latency and energy: the floors; area and
// power: those of the first legal outcome), divided by 8 and clamped to -1..1; ones where illegal.
enum { SL_N_OBSERVED = 4 };
typedef struct {
    double reference[SL_N_OBSERVED]; // 0 = not known yet
} SlObserver;
void sl_observer_init(SlObserver *observer, const SlSpace *space);
void sl_observe(SlObserver *observer, const SlOutcome *outcome, float out[static SL_N_OBSERVED]);

// --- Methods: whatever proposes points and learns from outcomes

// Which agent steers which parameter.
typedef struct {
    int n_agents;
    int agent[SL_MAX_PARAMS]; // of each parameter, 0..n_agents-1
} SlAgents;
void sl_agents_each(const SlSpace *space, SlAgents *agents); // one agent per parameter
const char *sl_agents_check(const SlSpace *space, const SlAgents *agents); // NULL or the reason

// What a run may hand to a later one on another layer of the same accelerator: examples of
// (features, score), and the policies at its end. Opaque to all but the method that made it.
typedef struct SlMemory SlMemory;

typedef struct {
    const SlSpace *space; // kept
    const SlAgents *agents;
    uint64_t seed;
    const char *stream;     // names the random numbers of this run, for example the layer; kept
    int64_t budget;         // samples that will be asked for at most; at least 1
    double evaluator_us;    // what one sample costs, microseconds
    SlIllegal illegal;      // what will become of points that do not fit
    const SlMemory *memory; // from other layers, NULL = none; kept
} SlMethodSetup;

// One row of a method table. Adding a method = one file, one row, one test file, one docs page.
typedef struct SlMethod {
    const char *name, *title; // "marl", "agents that deviate from the best mapping, with a critic"
    const char *source;       // paper
    const SlOption *options;  // of its options struct; a lone {0} where it has none
    size_t options_bytes;     // size of that struct
    bool learns;              // uses agents

    // A new state in the arena, NULL without memory. `options` is copied.
    void *(*make)(const SlMethodSetup *setup, const void *options, SlArena *arena);

    // Write 1..room points (room, n_params); returns how many.
    int (*ask)(void *state, int room, int32_t *points);

    // Outcomes of points, those asked for or any others (a starting point). In the order of asking.
    void (*tell)(void *state, int n, const int32_t *points, const SlOutcome *outcomes);

    // What this run hands to later ones, in the arena; NULL where the method has nothing (or the
    // row is NULL).
    SlMemory *(*remember)(const void *state, const SlMemory *older, SlArena *arena);
} SlMethod;

// --- The vectorised multi-agent environment

typedef struct {
    int n_envs, n_agents;
    int n_observed;           // numbers each agent sees
    int n_heads;              // choices of all agents together
    const int *agent;         // (n_heads) whose choice it is
    const int32_t *n_choices; // (n_heads)
    int episode_steps;
} SlEnvShape;

// Caller-owned, row-major.
typedef struct {
    const int32_t *actions; // (n_envs, n_heads)
    float *observations;    // (n_envs, n_agents, n_observed)
    float *rewards;         // (n_envs, n_agents); shared: all agents of an env get the same
    uint8_t *dones;         // (n_envs); 1 = the episode ended, the observation is that of a new one
    SlOutcome *outcomes;    // (n_envs), NULL = not wanted
} SlEnvBuffers;

typedef struct SlEnv SlEnv;

typedef struct {
    SlTaskSetup task;
    const SlAgents *agents; // copied
    int n_envs;
    int episode_steps; // 1 = a bandit; the paper has 100
    SlReward reward;   // RANK ranks among the envs of one step
    SlObserve observe;
    int64_t budget; // samples in all, for the share that is left; 0 = not told
} SlMappingEnvSetup;

SlEnv *sl_mapping_env_make(const SlMappingEnvSetup *setup, SlArena *arena);
const SlEnvShape *sl_env_shape(const SlEnv *env);
void sl_env_reset(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers); // fills observations
void sl_env_step(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers);   // pool NULL = this thread
int64_t sl_env_samples(const SlEnv *env);                            // of all envs
const SlBest *sl_env_best(const SlEnv *env);                         // over all envs
