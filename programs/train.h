// train.h - inside `starling train`.
//
// Flow: cmd_train reads the options -> train_open (folder, what an earlier run left) -> train_run
//       (steps, checkpoints, the line on a terminal, evaluation) -> sl_report_training.
#pragma once

#include "run_folder.h"
#include "starling/report/training_doc.h"

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
    int64_t every_episodes;  // between checkpoints, 0 = by the clock
    double every_seconds;
    int signal; // that ended it, 0 = none
    SlTraining result;
} Train;

// --- The folder (train_folder.c)

// Choose and make the folder; goes on from its checkpoint.
SlStatus train_open(Train *train, SlError *err);
SlStatus train_save(const Train *train, SlError *err); // the checkpoint
SlStatus train_write(const Train *train, const SlDoc *doc, SlError *err);

// --- The run (train_watch.c)

SlStatus train_run(Train *train, SlError *err);
