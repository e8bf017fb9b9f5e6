// training.h - what a training came to: how far it got, what its agents return in new episodes.
//
// Flow: sl_engine_run -> SlTraining with what was asked for -> sl_training_evaluate; as a document:
//       starling/report/training_doc.h.
#pragma once

#include "starling/learn/engine.h"

SL_API_BEGIN

typedef struct {
    const SlEngine *engine;
    int64_t episodes;            // to train in all
    int64_t trials;              // new episodes of the evaluation
    int64_t resumed, first_step; // episodes and steps of earlier runs
    double seconds;              // of training, without earlier runs
    // what sl_training_evaluate finds
    SlEngineState now;
    SlReturn noisy, greedy, random; // as in training, likeliest actions, random actions
    SlEngineVerdict verdict;
} SlTraining;

// In worlds that no training of the seed has seen, the same for all trainings of it.
void sl_training_evaluate(SlTraining *training);

bool sl_training_is_finished(const SlTraining *training); // as of `now`

SL_API_END
