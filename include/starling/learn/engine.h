// engine.h - the training engine: many agents, each with an actor and central critics, learning
// from a common replay (docs/engine.md).
//
// Flow: sl_engine_init (SlEngineSetup) -> sl_engine_make -> sl_engine_run (steps, updates,
//       progress) -> sl_engine_evaluate, sl_engine_judge, sl_engine_save; sl_engine_load goes on as
//       if nothing had happened.
#pragma once

#include "starling/learn/replay.h"

SL_API_BEGIN

typedef enum {
    SL_MADDPG, // Lowe et al. 2017
    SL_MASAC,  // two critics and entropy, discrete (docs/engine.md)
    SL_N_ALGOS
} SlAlgo;
extern const char *const sl_algo_names[SL_N_ALGOS + 1]; // "maddpg", "masac"

typedef enum {
    SL_MODE_FAITHFUL, // every agent draws its own rows; agents update one after the other
    SL_MODE_SHARED,   // one draw per round for all; all update from where the round began
    SL_MODE_FOLDED,   // own draws, first critic layer on the world state: exact but for rounding
    SL_MODE_FOLDED_SHARED,
    SL_N_MODES
} SlEngineMode;
extern const char *const sl_engine_mode_names[SL_N_MODES + 1]; // "faithful", "shared", "folded",
                                                               // "folded-shared"

// Where the time goes, as the paper divides it.
typedef enum {
    SL_PHASE_ACT,    // choosing actions
    SL_PHASE_ENV,    // stepping worlds
    SL_PHASE_SAMPLE, // drawing and gathering mini-batches
    SL_PHASE_TARGET, // target actors and critics
    SL_PHASE_Q,      // critics: loss, gradients, step
    SL_PHASE_P,      // actors: loss, gradients, step
    SL_PHASE_REST,   // replay writes, soft updates
    SL_N_PHASES
} SlPhase;
extern const char *const sl_phase_names[SL_N_PHASES + 1]; // "action selection", ...

enum { SL_LAYOUT_AUTO = SL_N_LAYOUTS }; // state for folded modes, else joint

typedef struct {
    SlParticleSetup world; // n_envs worlds step together
    int algo;              // an SlAlgo
    int mode;              // an SlEngineMode
    int layout;            // an SlReplayLayout, or SL_LAYOUT_AUTO; folded modes need `state`
    int sampling;          // an SlSampling
    int64_t neighbors;
    int64_t capacity;
    int64_t hidden, batch;
    double rate, gamma, tau, clip;
    double regulariser;   // of logits, MADDPG
    double entropy;       // MASAC
    int64_t update_every; // env steps between rounds
    int64_t warm;         // transitions before the first round; 0 = 25 batches
    int64_t seed;
} SlEngineSetup;
extern const SlOption sl_engine_options[]; // of all but the world, which has sl_particle_options

// The numbers of the paper, which are the defaults of the options: tag, 3 agents, maddpg.
void sl_engine_init(SlEngineSetup *setup);

typedef struct SlEngine SlEngine;

// NULL, or what is wrong with the setup.
const char *sl_engine_check(const SlEngineSetup *given);
// SL_ENOMEM. Memory is the engine's own.
SlStatus sl_engine_make(const SlEngineSetup *setup, SlEngine **engine, SlError *err);
void sl_engine_free(SlEngine *engine);
const SlEngineSetup *sl_engine_setup(const SlEngine *engine); // without auto, warm as it is
size_t sl_engine_row_bytes(const SlEngine *engine);           // of a transition in the replay

// Agents are the first team; those with a script, where they learn too, the second.
enum { SL_ENGINE_TEAMS = 2 };
int sl_engine_teams(const SlEngine *engine);             // 1 or 2
int sl_engine_members(const SlEngine *engine, int team); // agents of one

// What has happened so far.
typedef struct {
    int64_t steps, rounds, episodes; // of all envs
    double recent[SL_ENGINE_TEAMS];  // mean return of one of a team in the last 100 episodes; NAN
    double seconds[SL_N_PHASES];     // since the engine was made or loaded
} SlEngineState;
void sl_engine_state(const SlEngine *engine, SlEngineState *state);

// The return of every finished episode, summed over its steps and averaged over a team, in order;
// without shaping.
const float *sl_engine_returns(const SlEngine *engine, int team); // (episodes)

// Step until so many episodes are finished in all. `watch` is called every update_every steps; true
// = stop soon. Same results for any pool (NULL = this thread).
typedef bool SlEngineWatch(void *context, const SlEngine *engine);
void sl_engine_run(SlEngine *engine, int64_t episodes, SlPool *pool, SlEngineWatch *watch,
                   void *context);

// Put transitions of random play into the replay until it holds n.
void sl_engine_fill(SlEngine *engine, int64_t n);

// Count what the processor does while batches are drawn and gathered; NULL = do not. Counters are
// of the thread that runs the engine and stay the caller's.
void sl_engine_count(SlEngine *engine, SlCounters *counters);

// Mean and standard error of the return of `episodes` new episodes, acting with the Gumbel noise of
// training or without (the likeliest action); `random`: uniform actions instead.
typedef struct {
    double mean, error;
} SlReturn;
typedef enum { SL_ACT_NOISY, SL_ACT_GREEDY, SL_ACT_RANDOM } SlActing;
typedef struct {
    SlActing acting[SL_ENGINE_TEAMS];
    int episodes;
    uint64_t seed;
} SlMatch;
void sl_engine_play(const SlEngine *engine, const SlMatch *match,
                    SlReturn returns[SL_ENGINE_TEAMS]); // NAN of a team that is not there
// The same of the first team, both acting alike.
SlReturn sl_engine_evaluate(const SlEngine *engine, SlActing acting, int episodes, uint64_t seed);

// Whether the training of a team has come to anything, beside what its random actions return in new
// episodes.
typedef enum { SL_LEARNT_NO_UPDATE, SL_LEARNT_CHANCE, SL_LEARNT_BETTER, SL_N_LEARNT } SlLearnt;
extern const char *const sl_learnt_names[SL_N_LEARNT + 1]; // "no-update", "chance", "better"
typedef struct {
    SlLearnt learnt;  // better: by more than two standard errors of the difference
    int64_t episodes; // the last ones, which are judged: a tenth, at least 100
    SlReturn last;    // of them; NAN where there are too few
} SlEngineVerdict;
SlEngineVerdict sl_engine_judge(const SlEngine *engine, int team, SlReturn chance);

// All weights of all networks, in a fixed order, for comparisons; returns their number.
size_t sl_engine_weights(const SlEngine *engine, const SlReal **weights);

// A checkpoint holds everything, so that a run that was cut off continues as if it had not been.
// Written whole or not at all. sl_engine_load refuses files of another setup.
SlStatus sl_engine_save(SlEngine *engine, const char *path, SlError *err);
SlStatus sl_engine_load(SlEngine *engine, const char *path, SlError *err);

SL_API_END
