// marl_options.c - the options of `marl`.
#include "marl_options.h"

#include "critic.h"
#include "policy.h"

const char *const sl_critic_names[4] = {"auto", "on", "off", NULL};
static const char *const sight_names[] = {"plain", "reuse", "estimate", NULL};

#define FIELD(field) offsetof(SlMarlOptions, field)
#define WHOLE(name, field, fallback, low, high, help)                                              \
    { name, 0, SL_OPTION_INT, FIELD(field), fallback, low, high, NULL, "N", help, NULL }
#define REAL(name, field, fallback, low, high, help)                                               \
    { name, 0, SL_OPTION_REAL, FIELD(field), fallback, low, high, NULL, "X", help, NULL }
#define PICK(name, field, fallback, names, help)                                                   \
    { name, 0, SL_OPTION_CHOICE, FIELD(field), fallback, 0, 0, names, "WHAT", help, NULL }

const SlOption sl_marl_options[] = {
    PICK("critic", critic, "auto", sl_critic_names,
         "screen proposals by a critic; auto: on for few samples or a slow evaluator"),
    PICK("sight", sight, "estimate", sight_names,
         "what the critic sees of a nest: its shape, also reuse, also estimated costs"),
    WHOLE("candidates", candidates, "8", 1, SL_CRITIC_ROWS,
          "proposals of which the critic picks one"),
    WHOLE("rounds", rounds, "12", 1, 1000,
          "rounds of candidates at the start, each deviating from the critic's pick so far"),
    REAL("rounds-samples", rounds_samples, "1000", 1, 1e9,
         "samples in which they fall by a factor e, towards one"),
    WHOLE("blind", blind, "8", 2, 1000000, "samples before the critic is asked"),
    REAL("unscreened", unscreened, "0.1", 0, 1, "share of samples that the critic does not pick"),
    REAL("optimism", optimism, "1", 0, 100,
         "deviations of the critic's networks taken off its guess"),
    REAL("keep", keep, "0.8", 0, 1,
         "chance that an agent keeps the incumbent's values, at the start"),
    REAL("keep-end", keep_end, "0.3", 0, 1, "the same in the end (with the critic)"),
    REAL("keep-samples", keep_samples, "500", 1, 1e9,
         "samples in which it falls by a factor e (with the critic)"),
    REAL("near", near, "0.6", 0, 1,
         "share of draws of sizes that step up or down from the incumbent's"),
    WHOLE("reach", reach, "12", 1, 1000000, "most steps of such a draw"),
    WHOLE("batch", batch, "16", 2, SL_POLICY_BATCH, "samples between two steps of the policies"),
    REAL("rate", rate, "0.1", 0, 10, "learning rate of the policies"),
    REAL("clip", clip, "0.2", 0, 10, "clip of the probability ratio of an agent"),
    REAL("entropy", entropy, "0.1", 0, 10, "bonus for undecided policies"),
    REAL("kernel", kernel, "1", 0, 10, "steps over which the choice of a size is smeared"),
    WHOLE("epochs", epochs, "4", 1, 1000, "passes over a batch"),
    WHOLE("patience", patience, "300", 1, 1000000000,
          "samples without improvement before a fresh start (a third more without the critic)"),
    WHOLE("redraws", redraws, "20", 0, 1000000, "new draws when a nest was evaluated before"),
    REAL("critic-rate", critic_rate, "0.003", 0, 1, "learning rate of the critic"),
    REAL("critic-decay", critic_decay, "0.001", 0, 1, "decay of its weights"),
    WHOLE("critic-hidden", critic_hidden, "48", 1, 1024, "width of its hidden layers"),
    WHOLE("critic-steps", critic_steps, "4", 0, 1000, "minibatches per sample"),
    {0},
};
