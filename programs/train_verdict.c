// train_verdict.c - whether a training has come to anything: were there updates, and are the
// agents better than chance?
//
// Chance is what random actions return in new episodes of the same world. The last tenth of the
// training, at least 100 episodes, is better where its mean is more than two standard errors of the
// difference above that.
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "train.h"

enum { LAST_SHARE = 10, LEAST_EPISODES = 5000, SURE_ERRORS = 2, RETURN_ROOM = 64 };

const char *const train_learnt_names[] = {"no-update", "chance", "better"};

// mean of the last returns, and its standard error
static SlReturn last_return(const Train *train, int64_t n) {
    const float *returns = sl_engine_returns(train->engine) + train->now.episodes - n;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) sum += returns[i];
    double mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++) squares += (returns[i] - mean) * (returns[i] - mean);
    double error = n > 1 ? sqrt(squares / ((double)n * (double)(n - 1))) : NAN;
    return (SlReturn){mean, error};
}

static void tell_no_update(const Train *train, TrainVerdict *verdict) {
    const SlEngineSetup *setup = &train->setup;
    char steps[32], first[32];
    verdict->words = "no update";
    int64_t every = setup->update_every, length = setup->world.episode_steps;
    int64_t needed = (setup->warm + every - 1) / every * every;
    int64_t episodes = 5 * ((needed + length - 1) / length);
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "No update was made: %s steps are fewer than the %s before the first one (--warm, "
             "--every). Give --episodes %lld, or a smaller --warm.",
             sl_show_count((double)train->now.steps, steps), sl_show_count((double)needed, first),
             (long long)(episodes > LEAST_EPISODES ? episodes : LEAST_EPISODES));
}

// "12.31 ± 0.80"
static const char *show_return(const SlReturn *value, char out[static RETURN_ROOM]) {
    int n = snprintf(out, RETURN_ROOM, "%.2f", value->mean);
    if (isfinite(value->error)) snprintf(out + n, RETURN_ROOM - (size_t)n, " ± %.2f", value->error);
    return out;
}

static void tell_chance(const Train *train, TrainVerdict *verdict) {
    const SlReturn *random = &train->trials.random;
    char episodes[32], last[RETURN_ROOM], chance[RETURN_ROOM];
    verdict->words = verdict->learnt == TRAIN_BETTER     ? "better than chance"
                     : verdict->last.mean > random->mean ? "not clearly better than chance"
                                                         : "no better than chance";
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%c%s: the last %s episodes returned %s, random actions %s.%s",
             toupper((unsigned char)verdict->words[0]), verdict->words + 1,
             sl_show_count((double)verdict->episodes, episodes), show_return(&verdict->last, last),
             show_return(random, chance),
             verdict->learnt == TRAIN_BETTER
                 ? ""
                 : " Give more --episodes, a smaller --rate or another --seed.");
}

TrainVerdict train_judge(const Train *train) {
    const SlReturn *random = &train->trials.random;
    int64_t all = train->now.episodes, tenth = all / LAST_SHARE;
    TrainVerdict verdict = {.episodes = tenth > TRAIN_BLOCK ? tenth
                                        : all > TRAIN_BLOCK ? TRAIN_BLOCK
                                                            : all};
    verdict.last =
        verdict.episodes > 0 ? last_return(train, verdict.episodes) : (SlReturn){NAN, NAN};
    double margin = SURE_ERRORS * hypot(verdict.last.error, random->error);
    verdict.learnt = train->now.rounds == 0                      ? TRAIN_NO_UPDATE
                     : verdict.last.mean - random->mean > margin ? TRAIN_BETTER
                                                                 : TRAIN_CHANCE;
    if (verdict.learnt == TRAIN_NO_UPDATE)
        tell_no_update(train, &verdict);
    else
        tell_chance(train, &verdict);
    return verdict;
}
