// dcoc_options.c - the options of `dcoc` and `dcoc-paper`: one list, two sets of defaults.
#include "dcoc.h"

#define OPTIONS SlDcocOptions
#include "option_rows.h"

const char *const sl_pick_names[SL_N_PICKS + 1] = {"confidence", "uniform", "top", NULL};
const char *const sl_trust_names[SL_N_TRUSTS + 1] = {"critic", "model", "both", NULL};
static const char *const agent_names[] = {"three", "single", NULL};
static const char *const critic_names[] = {"central", "own", NULL};
static const char *const prior_names[] = {"none", "draft", NULL};

// clang-format off
#define LIST(size, start, envs, length, rolls, word, make, soft, view, guess, free, best, chance,  \
             safe, pool, look, beside)                                                             \
    WHOLE("batch", batch, size, 1, 4096, "measurements of a round (published: 64)"),               \
    WHOLE("most", most, "64", 1, 4096, "it doubles up to this while nothing better is found"),     \
    WHOLE("first", first, start, 1, 4096, "random ones before the first model"),                   \
    WHOLE("walkers", walkers, envs, 1, 4096, "walks side by side"),                                \
    WHOLE("steps", steps, length, 1, 4096, "steps of a walk"),                                     \
    WHOLE("rollouts", rollouts, rolls, 1, 1000, "walks and updates in a round"),                   \
    PICK("agents", agents, "three", agent_names, "three agents, or one with all knobs"),           \
    PICK("critic", critic, "central", critic_names, "one of everything, or one per agent"),        \
    PICK("pick", pick, "confidence", sl_pick_names, "which points of the walks are measured"),     \
    PICK("trust", trust, word, sl_trust_names, "whose word is confidence (published: critic)"),    \
    REAL("sure", sure, safe, 0, 1, "share of a batch that is the cost model's best"),              \
    PICK("synthesis", synthesis, make, sl_synthesis_names, "what replaces low confidence"),        \
    PICK("threshold", threshold, "drawn", sl_threshold_names, "where confidence begins"),          \
    REAL("temperature", temperature, soft, 0, 1e6, "of its softmax, 0 = deviation of the values"), \
    PICK("sight", sight, view, sl_tree_sight_names, "what the cost model sees"),                        \
    PICK("prior", prior, guess, prior_names, "what it starts from"),                               \
    FLAG("check", check, free, "leave out points that fail the free check"),         \
    FLAG("transfer", transfer, "true", "begin with what other tasks have shown"),      \
    REAL("elite", elite, best, 0, 1, "share of walks that begin at the best points"),              \
    FLAG("neighbours", neighbours, beside, "what lies beside the best points is a candidate too"), \
    WHOLE("scan", scan, look, 0, 1 << 24, "points the draft looks at before the first walk"),      \
    WHOLE("draws", draws, pool, 1, 64, "random points of which the best begins a walk"),           \
    REAL("explore", explore, chance, 0, 1, "share of a batch drawn at random"),                    \
    WHOLE("hidden", hidden, "64", 1, 1024, "units of a hidden layer"),                             \
    WHOLE("epochs", epochs, "4", 1, 100, "passes over a walk"),                                    \
    WHOLE("minibatch", minibatch, "64", 1, 65536, "rows of an update"),                            \
    REAL("rate", rate, "0.001", 0, 1, "step size of Adam"),                                        \
    REAL("gamma", gamma, "0.9", 0, 1, "discount of a step"),                                       \
    REAL("lambda", lambda, "0.99", 0, 1, "of generalised advantages"),                             \
    REAL("clip", clip, "0.2", 0, 10, "how far the probability ratio counts"),                      \
    REAL("entropy", entropy, "0.1", 0, 10, "bonus at first, a tenth at the end"),                  \
    REAL("max-norm", most_norm, "0.5", 0, 1e30, "longest gradient, 0 = any")

const SlOption sl_dcoc_options[] = {
    LIST("8", "8", "32", "16", "2", "both", "half", "0", "program", "draft", "true", "0.5", "0.125",
         "0.5", "32", "262144", "true"),
    {0}};
const SlOption sl_dcoc_paper_options[] = {
    LIST("64", "64", "128", "64", "1", "critic", "mode", "1", "knobs", "none", "false", "0", "0",
         "0", "1", "0", "false"),
    {0}};
// clang-format on
