// train.h - inside `starling train`.
//
// Flow: cmd_train reads the options -> train_open (folder, what an earlier run left) -> train_run
//       (steps, checkpoints, the line on a terminal, evaluation) -> train_document.
#pragma once

#include "run_folder.h"
#include "starling/learn/engine.h"

enum { WORLDS_ROOM = 16 }; // at least as many as there are worlds

typedef struct {
    CommonOptions common;
    int env;                             // of sl_worlds
    SlParticleSetup worlds[WORLDS_ROOM]; // what options of their own say
    SlEngineSetup engine;
    int64_t episodes, trials, threads;
    const char *checkpoint; // "500", "60s"
    bool resume;
} TrainOptions;

typedef struct {
    const Call *call;
    const TrainOptions *options;
    SlArena *arena;
    SlEngine *engine;
    char key[SL_FOLDER_KEY]; // of everything that decides the weights, but the number of episodes
    const char *dir;         // NULL: none
    bool reported;           // finished before: nothing to do
    int64_t resumed;         // episodes of earlier runs
    int64_t first_step;      // steps of earlier runs
    int64_t every_episodes;  // between checkpoints, 0 = by the clock
    double every_seconds;
    int signal;                     // that ended it, 0 = none
    double seconds;                 // of training, in this run
    SlEngineState now;              // at the end
    SlReturn noisy, greedy, random; // of the evaluation at the end
} Train;

bool train_finished(const Train *train);

// --- The folder (train_folder.c)

// Choose and make the folder; goes on from its checkpoint.
SlStatus train_open(Train *train, SlError *err);
SlStatus train_save(const Train *train, SlError *err); // the checkpoint
SlStatus train_write(const Train *train, const SlDoc *doc, SlError *err);

// --- The run (train_watch.c)

SlStatus train_run(Train *train, SlError *err);

// --- What came of it (train_doc.c): docs/formats/train-json.md

void train_add_setup(const Train *train, SlDoc *doc);
SlDoc *train_document(const Train *train);
