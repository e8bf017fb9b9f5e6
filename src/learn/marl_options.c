// marl_options.c - the options of `marl`.
#include "marl_options.h"

#include "critic.h"
#include "policy.h"

const char *const sl_critic_names[4] = {"auto", "on", "off", NULL};
static const char *const sight_names[] = {"plain", "reuse", "estimate", NULL};

const SlOption sl_marl_options[] = {
    SL_OPT_CHOICE(SlMarlOptions, "critic", critic, "auto", sl_critic_names, "WHAT",
                  "screen proposals by a critic; auto: on for few samples or a slow evaluator"),
    SL_OPT_CHOICE(SlMarlOptions, "sight", sight, "estimate", sight_names, "WHAT",
                  "what the critic sees of a nest: its shape, also reuse, also estimated costs"),
    SL_OPT_WHOLE(SlMarlOptions, "candidates", candidates, "8", 1, SL_CRITIC_ROWS, "N",
                 "proposals of which the critic picks one"),
    SL_OPT_WHOLE(SlMarlOptions, "rounds", rounds, "128", 1, 1000, "N",
                 "rounds of candidates at the start, each deviating from the critic's pick so far"),
    SL_OPT_REAL(SlMarlOptions, "rounds-samples", rounds_samples, "200", 1, 1e9, "X",
                "samples in which they fall by a factor e, towards one"),
    SL_OPT_WHOLE(SlMarlOptions, "blind", blind, "0", 0, 1000000, "N",
                 "samples with a value before the critic is asked"),
    SL_OPT_REAL(SlMarlOptions, "unscreened", unscreened, "0.1", 0, 1, "X",
                "share of samples that the critic does not pick"),
    SL_OPT_REAL(SlMarlOptions, "optimism", optimism, "1", 0, 100, "X",
                "deviations of the critic's networks taken off its guess"),
    SL_OPT_REAL(SlMarlOptions, "keep", keep, "0.8", 0, 1, "X",
                "chance that an agent keeps the incumbent's values, at the start"),
    SL_OPT_REAL(SlMarlOptions, "keep-end", keep_end, "0.3", 0, 1, "X",
                "the same in the end (with the critic)"),
    SL_OPT_REAL(SlMarlOptions, "keep-samples", keep_samples, "500", 1, 1e9, "X",
                "samples in which it falls by a factor e (with the critic)"),
    SL_OPT_REAL(SlMarlOptions, "near", near, "0.6", 0, 1, "X",
                "share of draws of sizes that step up or down from the incumbent's"),
    SL_OPT_WHOLE(SlMarlOptions, "reach", reach, "12", 1, 1000000, "N", "most steps of such a draw"),
    SL_OPT_WHOLE(SlMarlOptions, "batch", batch, "16", 2, SL_POLICY_BATCH, "N",
                 "samples between two steps of the policies"),
    SL_OPT_REAL(SlMarlOptions, "rate", rate, "0.1", 0, 10, "X", "learning rate of the policies"),
    SL_OPT_REAL(SlMarlOptions, "clip", clip, "0.2", 0, 10, "X",
                "clip of the probability ratio of an agent"),
    SL_OPT_REAL(SlMarlOptions, "entropy", entropy, "0.1", 0, 10, "X",
                "bonus for undecided policies"),
    SL_OPT_REAL(SlMarlOptions, "kernel", kernel, "1", 0, 10, "X",
                "steps over which the choice of a size is smeared"),
    SL_OPT_WHOLE(SlMarlOptions, "epochs", epochs, "4", 1, 1000, "N", "passes over a batch"),
    SL_OPT_WHOLE(
        SlMarlOptions, "patience", patience, "300", 1, 1000000000, "N",
        "samples without improvement before a fresh start (a third more without the critic)"),
    SL_OPT_WHOLE(SlMarlOptions, "redraws", redraws, "20", 0, 1000000, "N",
                 "new draws when a nest was evaluated before"),
    SL_OPT_REAL(SlMarlOptions, "critic-rate", critic_rate, "0.003", 0, 1, "X",
                "learning rate of the critic"),
    SL_OPT_REAL(SlMarlOptions, "critic-decay", critic_decay, "0.001", 0, 1, "X",
                "decay of its weights"),
    SL_OPT_WHOLE(SlMarlOptions, "critic-hidden", critic_hidden, "48", 1, 1024, "N",
                 "width of its hidden layers"),
    SL_OPT_WHOLE(SlMarlOptions, "critic-steps", critic_steps, "4", 0, 1000, "N",
                 "minibatches per sample"),
    {0},
};
