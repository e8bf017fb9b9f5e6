// training.h - what a training came to: how far it got, what its agents return in new episodes.
//
// Flow: sl_engine_run -> SlTraining with what was asked for -> sl_training_evaluate; as a document:
//       starling/report/training_doc.h.
#pragma once

#include "starling/learn/engine.h"

SL_API_BEGIN

// What a team returns: as in training, by likeliest actions (of both teams), by random actions of
// its own against the others as in training; and as in training against others at random, NAN
// where there are none that learn.
typedef struct {
    SlReturn noisy, greedy, random, against_random;
    SlEngineVerdict verdict;
} SlTrained;

typedef struct {
    const SlEngine *engine;
    int64_t episodes;            // to train in all
    int64_t trials;              // new episodes of the evaluation
    int64_t resumed, first_step; // episodes and steps of earlier runs
    double seconds;              // of training, without earlier runs
    // what sl_training_evaluate finds
    SlEngineState now;
    SlTrained teams[SL_ENGINE_TEAMS]; // the second where it learns too
} SlTraining;

// In worlds that no training of the seed has seen, the same for all trainings of it.
void sl_training_evaluate(SlTraining *training);

bool sl_training_is_finished(const SlTraining *training); // as of `now`

SL_API_END
