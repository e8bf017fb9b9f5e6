// dcoc_options.c - the options of `dcoc` and `dcoc-paper`: one list, two sets of defaults.
#include "dcoc.h"

const char *const sl_pick_names[SL_N_PICKS + 1] = {"confidence", "uniform", "top", NULL};
const char *const sl_trust_names[SL_N_TRUSTS + 1] = {"critic", "model", "both", "spread", NULL};
static const char *const agent_names[] = {"three", "single", NULL};
static const char *const critic_names[] = {"central", "own", NULL};
static const char *const prior_names[] = {"none", "draft", NULL};

// the list; where the methods differ, `of` picks from both defaults
#define TUNED(first, second) first
#define PUBLISHED(first, second) second
#define LIST(of)                                                                                   \
    SL_OPT_WHOLE(SlDcocOptions, "batch", batch, of("8", "64"), 1, 4096, "N",                       \
                 "measurements of a round (published: 64)"),                                       \
        SL_OPT_WHOLE(SlDcocOptions, "most", most, "64", 1, 4096, "N",                              \
                     "it doubles up to this while nothing better is found"),                       \
        SL_OPT_WHOLE(SlDcocOptions, "first", first, of("8", "64"), 1, 4096, "N",                   \
                     "random ones before the first model"),                                        \
        SL_OPT_WHOLE(SlDcocOptions, "walkers", walkers, of("32", "128"), 1, 4096, "N",             \
                     "walks side by side"),                                                        \
        SL_OPT_WHOLE(SlDcocOptions, "steps", steps, of("16", "64"), 1, 4096, "N",                  \
                     "steps of a walk"),                                                           \
        SL_OPT_WHOLE(SlDcocOptions, "rollouts", rollouts, of("2", "1"), 1, 1000, "N",              \
                     "walks and updates in a round"),                                              \
        SL_OPT_CHOICE(SlDcocOptions, "agents", agents, "three", agent_names, "FORM",               \
                      "three agents, or one with all knobs"),                                      \
        SL_OPT_CHOICE(SlDcocOptions, "critic", critic, "central", critic_names, "FORM",            \
                      "one of everything, or one per agent"),                                      \
        SL_OPT_CHOICE(SlDcocOptions, "pick", pick, "confidence", sl_pick_names, "FORM",            \
                      "which points of the walks are measured"),                                   \
        SL_OPT_CHOICE(SlDcocOptions, "trust", trust, of("both", "critic"), sl_trust_names, "FORM", \
                      "whose word is confidence (published: critic)"),                             \
        SL_OPT_REAL(SlDcocOptions, "doubt", doubt, "1", -100, 100, "X",                            \
                    "deviations of the models' scores taken off one (trust=spread)"),              \
        SL_OPT_REAL(SlDcocOptions, "sure", sure, of("0.5", "0"), 0, 1, "X",                        \
                    "share of a batch that is the cost model's best"),                             \
        SL_OPT_CHOICE(SlDcocOptions, "synthesis", synthesis, of("half", "mode"),                   \
                      sl_synthesis_names, "FORM", "what replaces low confidence"),                 \
        SL_OPT_CHOICE(SlDcocOptions, "threshold", threshold, "drawn", sl_threshold_names, "FORM",  \
                      "where confidence begins"),                                                  \
        SL_OPT_REAL(SlDcocOptions, "temperature", temperature, of("0", "1"), 0, 1e6, "X",          \
                    "of its softmax, 0 = deviation of the values"),                                \
        SL_OPT_CHOICE(SlDcocOptions, "sight", sight, of("program", "knobs"), sl_tree_sight_names,  \
                      "FORM", "what the cost model sees"),                                         \
        SL_OPT_CHOICE(SlDcocOptions, "prior", prior, of("draft", "none"), prior_names, "FORM",     \
                      "what it starts from"),                                                      \
        SL_OPT_FLAG(SlDcocOptions, "check", check, "leave out points that fail the free check",    \
                    .fallback = of("true", "false")),                                              \
        SL_OPT_FLAG(SlDcocOptions, "transfer", transfer, "begin with what other tasks have shown", \
                    .fallback = "true"),                                                           \
        SL_OPT_REAL(SlDcocOptions, "elite", elite, of("0.5", "0"), 0, 1, "X",                      \
                    "share of walks that begin at the best points"),                               \
        SL_OPT_FLAG(SlDcocOptions, "neighbours", neighbours,                                       \
                    "what lies beside the best points is a candidate too",                         \
                    .fallback = of("true", "false")),                                              \
        SL_OPT_WHOLE(SlDcocOptions, "scan", scan, of("262144", "0"), 0, 1 << 24, "N",              \
                     "points the draft looks at before the first walk"),                           \
        SL_OPT_WHOLE(SlDcocOptions, "draws", draws, of("32", "1"), 1, 64, "N",                     \
                     "random points of which the best begins a walk"),                             \
        SL_OPT_REAL(SlDcocOptions, "explore", explore, of("0.125", "0"), 0, 1, "X",                \
                    "share of a batch drawn at random"),                                           \
        SL_OPT_WHOLE(SlDcocOptions, "hidden", hidden, "64", 1, 1024, "N",                          \
                     "units of a hidden layer"),                                                   \
        SL_OPT_WHOLE(SlDcocOptions, "epochs", epochs, "4", 1, 100, "N", "passes over a walk"),     \
        SL_OPT_WHOLE(SlDcocOptions, "minibatch", minibatch, "64", 1, 65536, "N",                   \
                     "rows of an update"),                                                         \
        SL_OPT_REAL(SlDcocOptions, "rate", rate, "0.001", 0, 1, "X", "step size of Adam"),         \
        SL_OPT_REAL(SlDcocOptions, "gamma", gamma, "0.9", 0, 1, "X", "discount of a step"),        \
        SL_OPT_REAL(SlDcocOptions, "lambda", lambda, "0.99", 0, 1, "X",                            \
                    "of generalised advantages"),                                                  \
        SL_OPT_REAL(SlDcocOptions, "clip", clip, "0.2", 0, 10, "X",                                \
                    "how far the probability ratio counts"),                                       \
        SL_OPT_REAL(SlDcocOptions, "entropy", entropy, "0.1", 0, 10, "X",                          \
                    "bonus at first, a tenth at the end"),                                         \
        SL_OPT_REAL(SlDcocOptions, "max-norm", most_norm, "0.5", 0, 1e30, "X",                     \
                    "longest gradient, 0 = any")

const SlOption sl_dcoc_options[] = {LIST(TUNED), {0}};
const SlOption sl_dcoc_paper_options[] = {LIST(PUBLISHED), {0}};
