// training.c - an engine after training: agents as they are, at their likeliest, and chance.
#include "starling/learn/training.h"

#include <math.h>

bool sl_training_is_finished(const SlTraining *training) {
    return training->now.episodes >= training->episodes;
}

void sl_training_evaluate(SlTraining *training) {
    const SlEngine *engine = training->engine;
    const int teams = sl_engine_teams(engine);
    SlMatch match = {.episodes = (int)training->trials,
                     .seed = ~(uint64_t)sl_engine_setup(engine)->seed};
    SlReturn noisy[SL_ENGINE_TEAMS], greedy[SL_ENGINE_TEAMS];
    SlReturn random[SL_ENGINE_TEAMS][SL_ENGINE_TEAMS]; // returns of both where one is at random
    sl_engine_state(engine, &training->now);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) match.acting[t] = SL_ACT_NOISY;
    sl_engine_play(engine, &match, noisy);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) match.acting[t] = SL_ACT_GREEDY;
    sl_engine_play(engine, &match, greedy);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) {
        for (int o = 0; o < SL_ENGINE_TEAMS; o++) {
            match.acting[o] = o == t ? SL_ACT_RANDOM : SL_ACT_NOISY;
            random[t][o] = (SlReturn){NAN, NAN};
        }
        if (t < teams) sl_engine_play(engine, &match, random[t]);
    }
    for (int t = 0; t < teams; t++)
        training->teams[t] = (SlTrained){.noisy = noisy[t],
                                         .greedy = greedy[t],
                                         .random = random[t][t],
                                         .against_random = random[1 - t][t],
                                         .verdict = sl_engine_judge(engine, t, random[t][t])};
}
