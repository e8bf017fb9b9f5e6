// train.h - inside `starling train`.
//
// Flow: cmd_train reads the options -> train_open (folder, what an earlier run left) -> train_run
//       (steps, checkpoints, the line on a terminal) -> train_finish (evaluation) -> train_judge ->
//       train_json, train_text, files.
#pragma once

#include "run_folder.h"
#include "starling/learn/engine.h"
#include "world_options.h"

enum { TRAIN_BLOCK = 100 }; // episodes that one number of a curve stands for

typedef struct {
    CommonOptions common;
    int env, algo, layout, sampling, mode, rules;
    SlParticleSetup worlds[WORLDS_ROOM]; // what options of their own say
    int64_t agents, neighbors, episodes, seed, envs, batch, capacity, hidden, every, warm, trials;
    int64_t threads;
    double rate, gamma, tau, clip, regulariser, entropy;
    const char *checkpoint; // "500", "60s"
    bool resume;
} TrainOptions;

// The evaluation at the end.
typedef struct {
    SlReturn noisy, greedy, random;
} TrainTrials;

typedef struct {
    const TrainOptions *options;
    SlArena *arena;
    SlEngineSetup setup;
    SlEngine *engine;
    char key[RUN_KEY_ROOM]; // of everything that decides the weights, but the number of episodes
    const char *dir;        // NULL: none
    bool reported;          // finished before: nothing to do
    int64_t resumed;        // episodes of earlier runs
    int64_t first_step;     // steps of earlier runs
    int64_t every_episodes; // between checkpoints, 0 = by the clock
    double every_seconds;
    int signal;        // that ended it, 0 = none
    double seconds;    // of training, in this run
    SlEngineState now; // at the end
    TrainTrials trials;
} Train;

// --- The folder (train_folder.c)

// Choose and make the folder; goes on from its checkpoint.
SlStatus train_open(Train *train, SlError *err);
SlStatus train_save(const Train *train, SlError *err); // the checkpoint
// What was printed before: train.json or train.txt.
SlStatus train_reread(const Train *train, SlText *out, SlError *err);
SlStatus train_write(const Train *train, const SlText *text, const SlText *json, SlError *err);

// --- The run (train_watch.c)

SlStatus train_run(Train *train, SlError *err);
void train_finish(Train *train); // evaluation

// --- Whether it has come to anything (train_verdict.c)

typedef enum { TRAIN_NO_UPDATE, TRAIN_CHANCE, TRAIN_BETTER } TrainLearnt;
extern const char *const train_learnt_names[]; // "no-update", "chance", "better"

typedef struct {
    TrainLearnt learnt;
    int64_t episodes;   // the last ones of the training, which are judged
    SlReturn last;      // of them; NAN where there are too few
    const char *words;  // the verdict for people: "no better than chance"
    char sentence[320]; // the same with its numbers, and what to do
} TrainVerdict;
TrainVerdict train_judge(const Train *train); // after train_finish

// --- What came of it (train_report.c, train_json.c)

void train_text(const Train *train, SlText *out);
void train_csv(const Train *train, SlText *out);
void train_svg(const Train *train, SlText *out);
struct json_t *train_json(const Train *train);
void train_setup_json(const Train *train, struct json_t *to);

// The mean of episodes i * TRAIN_BLOCK and following; the last block may be short.
int64_t train_blocks(const Train *train);
double train_block(const Train *train, int64_t i);
bool train_finished(const Train *train);
