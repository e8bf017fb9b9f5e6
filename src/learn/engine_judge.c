// engine_judge.c - whether a training has come to anything: were there updates, and are the agents
// better than chance?
//
// Chance is what a team's random actions return in new episodes of the same world. The last tenth
// of the training, at least 100 episodes, is better where its mean is more than two standard errors
// of the difference above that.
#include <math.h>

#include "engine_inside.h"

enum { LAST_SHARE = 10, LEAST_EPISODES = 100, SURE_ERRORS = 2 };

const char *const sl_learnt_names[SL_N_LEARNT + 1] = {"no-update", "chance", "better", NULL};

// mean of the last returns, and its standard error
static SlReturn last_return(const SlEngine *engine, int team, int64_t n) {
    const float *returns = engine->returns[team] + engine->so_far.episodes - n;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) sum += returns[i];
    double mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++) squares += (returns[i] - mean) * (returns[i] - mean);
    double error = n > 1 ? sqrt(squares / ((double)n * (double)(n - 1))) : NAN;
    return (SlReturn){mean, error};
}

SlEngineVerdict sl_engine_judge(const SlEngine *engine, int team, SlReturn chance) {
    int64_t all = engine->so_far.episodes, n = all / LAST_SHARE;
    if (n < LEAST_EPISODES) n = all < LEAST_EPISODES ? all : LEAST_EPISODES;
    SlReturn last = n > 0 ? last_return(engine, team, n) : (SlReturn){NAN, NAN};
    double margin = SURE_ERRORS * hypot(last.error, chance.error);
    SlLearnt learnt = engine->so_far.rounds == 0         ? SL_LEARNT_NO_UPDATE
                      : last.mean - chance.mean > margin ? SL_LEARNT_BETTER
                                                         : SL_LEARNT_CHANCE;
    return (SlEngineVerdict){.learnt = learnt, .episodes = n, .last = last};
}
