// training.c - an engine after training: agents as they are, at their likeliest, and chance.
#include "starling/learn/training.h"

bool sl_training_is_finished(const SlTraining *training) {
    return training->now.episodes >= training->episodes;
}

void sl_training_evaluate(SlTraining *training) {
    const SlEngine *engine = training->engine;
    int n = (int)training->trials;
    uint64_t seed = ~(uint64_t)sl_engine_setup(engine)->seed;
    sl_engine_state(engine, &training->now);
    training->noisy = sl_engine_evaluate(engine, SL_ACT_NOISY, n, seed);
    training->greedy = sl_engine_evaluate(engine, SL_ACT_GREEDY, n, seed);
    training->random = sl_engine_evaluate(engine, SL_ACT_RANDOM, n, seed);
    training->verdict = sl_engine_judge(engine, training->random);
}
