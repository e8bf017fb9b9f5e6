// reward.c - what a batch of outcomes is worth to those who learn.
#include "starling/task/env.h"

#include <math.h>

const char *const sl_reward_names[4] = {"log", "inverse", "rank", NULL};

// ranks to mean 0 and variance 1, the lowest score highest; all equal: zeros
static void rank_rewards(int n, const SlSample *outcomes, int *order, double *rewards) {
    for (int i = 0; i < n; i++) rewards[i] = outcomes[i].score;
    sl_ranks(n, rewards, order, rewards);
    double mean = 0.5 * (n + 1), sum = 0;
    for (int i = 0; i < n; i++) sum += (rewards[i] - mean) * (rewards[i] - mean);
    double scale = sum > 0 ? sqrt(n / sum) : 0;
    for (int i = 0; i < n; i++) rewards[i] = (mean - rewards[i]) * scale;
}

void sl_rewards(SlReward form, int n, const SlSample *outcomes, double reference, int *order,
                double *rewards) {
    switch (form) {
    case SL_REWARD_LOG:
        for (int i = 0; i < n; i++) rewards[i] = reference - outcomes[i].score;
        break;
    case SL_REWARD_INVERSE:
        // the value of what is illegal is infinite
        for (int i = 0; i < n; i++) rewards[i] = 1 / outcomes[i].value;
        break;
    case SL_REWARD_RANK:
        rank_rewards(n, outcomes, order, rewards);
        break;
    }
}
