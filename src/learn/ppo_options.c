// ppo_options.c - the options of `ppo` and `marl-paper`.
//
// One list for both. "published" is what the public trainer behind the mapping paper does; the
// defaults were tuned, docs/methods/ppo.md says how.
#include "ppo.h"

#define OPTIONS SlPpoOptions
#include "option_rows.h"

// the list, with the four defaults in which the methods differ
// clang-format off
#define LIST(most, step, reach, bonus)                                                             \
    WHOLE("hidden", hidden, "32", 1, 1024, "units in a hidden layer (published: 32)"),             \
    WHOLE("layers", layers, "2", 1, SL_MLP_MAX_LAYERS - 1, "hidden layers (published: 3)"),        \
    WHOLE("rollout", rollout, most, 2, 1 << 20, "samples between two updates (published: 2048)"),  \
    WHOLE("epochs", epochs, "4", 1, 1000, "passes over a rollout (published: 2)"),                 \
    WHOLE("minibatches", minibatches, "1", 1, 1 << 20, "steps in a pass (published: 8)"),          \
    REAL("rate", rate, step, 0, 10, "step size of Adam (published: 2e-5)"),                        \
    REAL("clip", clip, reach, 0, 10, "how far the probability ratio counts (published: 0.2)"),     \
    REAL("entropy", entropy, bonus, 0, 100, "bonus at the first sample (published: 0.1)"),         \
    REAL("entropy-last", entropy_last, bonus, 0, 100,                                              \
         "bonus at the last sample, linear in between (published: 0.1)"),                          \
    REAL("gamma", gamma, "0.99", 0, 1, "discount of a step (published: 0.99)"),                    \
    REAL("lambda", lambda, "0.95", 0, 1, "of generalised advantages (published: 0.95)"),           \
    WHOLE("episode", episode, "1", 1, 1 << 20,                                                     \
          "steps of an episode, 1 = a bandit (published: 100)"),                                   \
    PICK("reward", reward, "rank", sl_reward_names, "reward (published: inverse)"),                \
    FLAG("scale-rewards", scale_rewards, "true",                                                   \
         "rewards by their running mean and deviation (published: no)"),                           \
    FLAG("scale-advantages", scale_advantages, "true",                                             \
         "advantages to mean 0 and variance 1 in a rollout (published: no)"),                      \
    REAL("max-norm", most_norm, "0.5", 0, 1e30, "longest gradient, 0 = any")
// clang-format on

const SlOption sl_ppo_single_options[] = {LIST("16", "0.01", "0.8", "0.05"), {0}};
const SlOption sl_ppo_flock_options[] = {LIST("8", "0.01", "0.2", "0.1"), {0}};
