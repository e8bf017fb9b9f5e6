// ppo_options.c - the options of `ppo` and `marl-paper`.
//
// One list for both. "published" is what the public trainer behind the mapping paper does; the
// defaults were tuned, docs/methods/ppo.md says how.
#include "ppo.h"

// the list; where the methods differ, `of` picks from both defaults
#define SINGLE(first, second) first
#define FLOCK(first, second) second
#define LIST(of)                                                                                   \
    SL_OPT_WHOLE(SlPpoOptions, "hidden", hidden, "32", 1, 1024, "N",                               \
                 "units per hidden layer (published: 32)"),                                        \
        SL_OPT_WHOLE(SlPpoOptions, "layers", layers, "2", 1, SL_MLP_MAX_LAYERS - 1, "N",           \
                     "hidden layers (published: 3)"),                                              \
        SL_OPT_WHOLE(SlPpoOptions, "rollout", rollout, of("16", "8"), 2, 1 << 20, "N",             \
                     "samples between updates (published: 2048)"),                                 \
        SL_OPT_WHOLE(SlPpoOptions, "epochs", epochs, "4", 1, 1000, "N",                            \
                     "passes over a rollout (published: 2)"),                                      \
        SL_OPT_WHOLE(SlPpoOptions, "minibatches", minibatches, "1", 1, 1 << 20, "N",               \
                     "minibatches per pass (published: 8)"),                                       \
        SL_OPT_REAL(SlPpoOptions, "rate", rate, "0.01", 0, 10, "X",                                \
                    "learning rate (published: 2e-5)"),                                            \
        SL_OPT_REAL(SlPpoOptions, "clip", clip, of("0.8", "0.2"), 0, 10, "X",                      \
                    "clipping range of the probability ratio (published: 0.2)"),                   \
        SL_OPT_REAL(SlPpoOptions, "entropy", entropy, of("0.05", "0.1"), 0, 100, "X",              \
                    "entropy coefficient at the first sample (published: 0.1)"),                   \
        SL_OPT_REAL(SlPpoOptions, "entropy-last", entropy_last, of("0.05", "0.1"), 0, 100, "X",    \
                    "entropy coefficient at the last sample, linear in between (published: 0.1)"), \
        SL_OPT_REAL(SlPpoOptions, "gamma", gamma, "0.99", 0, 1, "X",                               \
                    "discount factor (published: 0.99)"),                                          \
        SL_OPT_REAL(SlPpoOptions, "lambda", lambda, "0.95", 0, 1, "X",                             \
                    "GAE parameter lambda (published: 0.95)"),                                     \
        SL_OPT_WHOLE(SlPpoOptions, "episode", episode, "1", 1, 1 << 20, "N",                       \
                     "steps per episode; 1 = a bandit (published: 100)"),                          \
        SL_OPT_CHOICE(SlPpoOptions, "reward", reward, "rank", sl_reward_names, "FORM",             \
                      "reward: log, inverse or rank of the objective (published: inverse)"),       \
        SL_OPT_FLAG(SlPpoOptions, "scale-rewards", scale_rewards,                                  \
                    "scale rewards by their running mean and deviation (published: no)",           \
                    .fallback = "true"),                                                           \
        SL_OPT_FLAG(SlPpoOptions, "scale-advantages", scale_advantages,                            \
                    "scale advantages to mean 0 and variance 1 per rollout (published: no)",       \
                    .fallback = "true"),                                                           \
        SL_OPT_REAL(SlPpoOptions, "max-norm", most_norm, "0.5", 0, 1e30, "X",                      \
                    "gradient norm limit; 0 = off")

const SlOption sl_ppo_single_options[] = {LIST(SINGLE), {0}};
const SlOption sl_ppo_flock_options[] = {LIST(FLOCK), {0}};
