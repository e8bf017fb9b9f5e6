// marl_options.c - the options of `marl`.
#include "marl_options.h"

#include "critic.h"
#include "policy.h"

const char *const sl_critic_names[4] = {"auto", "on", "off", NULL};
static const char *const sight_names[] = {"plain", "reuse", "estimate", NULL};

const SlOption sl_marl_options[] = {
    SL_OPT_CHOICE(SlMarlOptions, "critic", critic, "auto", sl_critic_names, "WHAT",
                  "screening of proposals by a critic: on, off or auto (on for few samples or a "
                  "slow evaluator)"),
    SL_OPT_CHOICE(SlMarlOptions, "sight", sight, "estimate", sight_names, "WHAT",
                  "nest features for the critic: plain (shape), reuse (shape, reuse) or estimate "
                  "(shape, reuse, estimated costs)"),
    SL_OPT_WHOLE(SlMarlOptions, "candidates", candidates, "8", 1, SL_CRITIC_ROWS, "N",
                 "proposals per sample, of which the critic picks one"),
    SL_OPT_WHOLE(SlMarlOptions, "rounds", rounds, "128", 1, 1000, "N",
                 "rounds of candidates at the start, each deviating from the critic's pick so far"),
    SL_OPT_REAL(SlMarlOptions, "rounds-samples", rounds_samples, "200", 1, 1e9, "X",
                "samples in which the rounds fall by a factor of e, towards one"),
    SL_OPT_WHOLE(SlMarlOptions, "blind", blind, "0", 0, 1000000, "N",
                 "valid samples before the critic is used"),
    SL_OPT_REAL(SlMarlOptions, "unscreened", unscreened, "0.1", 0, 1, "X",
                "share of samples that bypass the critic"),
    SL_OPT_REAL(SlMarlOptions, "optimism", optimism, "1", 0, 100, "X",
                "standard deviations of the critic's networks subtracted from its estimate"),
    SL_OPT_REAL(SlMarlOptions, "keep", keep, "0.8", 0, 1, "X",
                "probability that an agent keeps the incumbent's values, at the start"),
    SL_OPT_REAL(
        SlMarlOptions, "keep-end", keep_end, "0.3", 0, 1, "X",
        "probability that an agent keeps the incumbent's values, at the end (with the critic)"),
    SL_OPT_REAL(SlMarlOptions, "keep-samples", keep_samples, "500", 1, 1e9, "X",
                "samples in which the keep probability falls by a factor of e (with the critic)"),
    SL_OPT_REAL(SlMarlOptions, "near", near, "0.6", 0, 1, "X",
                "share of size draws that step up or down from the incumbent's size"),
    SL_OPT_WHOLE(SlMarlOptions, "reach", reach, "12", 1, 1000000, "N",
                 "largest step of such a draw"),
    SL_OPT_WHOLE(SlMarlOptions, "batch", batch, "16", 2, SL_POLICY_BATCH, "N",
                 "samples between policy updates"),
    SL_OPT_REAL(SlMarlOptions, "rate", rate, "0.1", 0, 10, "X", "learning rate of the policies"),
    SL_OPT_REAL(SlMarlOptions, "clip", clip, "0.2", 0, 10, "X",
                "clipping range of the probability ratio of an agent"),
    SL_OPT_REAL(SlMarlOptions, "entropy", entropy, "0.1", 0, 10, "X", "entropy coefficient"),
    SL_OPT_REAL(SlMarlOptions, "kernel", kernel, "1", 0, 10, "X",
                "width over which the choice of a size is smoothed, in steps"),
    SL_OPT_WHOLE(SlMarlOptions, "epochs", epochs, "4", 1, 1000, "N", "passes over a batch"),
    SL_OPT_WHOLE(SlMarlOptions, "patience", patience, "300", 1, 1000000000, "N",
                 "samples without improvement before a restart (a third more without the critic)"),
    SL_OPT_WHOLE(SlMarlOptions, "redraws", redraws, "20", 0, 1000000, "N",
                 "redraws of a nest that was already evaluated"),
    SL_OPT_REAL(SlMarlOptions, "critic-rate", critic_rate, "0.003", 0, 1, "X",
                "learning rate of the critic"),
    SL_OPT_REAL(SlMarlOptions, "critic-decay", critic_decay, "0.001", 0, 1, "X",
                "weight decay of the critic"),
    SL_OPT_WHOLE(SlMarlOptions, "critic-hidden", critic_hidden, "48", 1, 1024, "N",
                 "units per hidden layer of the critic"),
    SL_OPT_WHOLE(SlMarlOptions, "critic-steps", critic_steps, "4", 0, 1000, "N",
                 "minibatches per sample"),
    {0},
};
