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
                 "measurements per round (published: 64)"),                                        \
        SL_OPT_WHOLE(SlDcocOptions, "most", most, "64", 1, 4096, "N",                              \
                     "largest batch; batches double up to it while nothing better is found"),      \
        SL_OPT_WHOLE(SlDcocOptions, "first", first, of("8", "64"), 1, 4096, "N",                   \
                     "random measurements before the first model"),                                \
        SL_OPT_WHOLE(SlDcocOptions, "walkers", walkers, of("32", "128"), 1, 4096, "N",             \
                     "parallel walks"),                                                            \
        SL_OPT_WHOLE(SlDcocOptions, "steps", steps, of("16", "64"), 1, 4096, "N",                  \
                     "steps per walk"),                                                            \
        SL_OPT_WHOLE(SlDcocOptions, "rollouts", rollouts, of("2", "1"), 1, 1000, "N",              \
                     "walks and updates per round"),                                               \
        SL_OPT_CHOICE(                                                                             \
            SlDcocOptions, "agents", agents, "three", agent_names, "FORM",                         \
            "agents: three (hardware, schedule, mapping) or single (one with all knobs)"),         \
        SL_OPT_CHOICE(SlDcocOptions, "critic", critic, "central", critic_names, "FORM",            \
                      "critics: central (one that sees everything) or own (one per agent)"),       \
        SL_OPT_CHOICE(SlDcocOptions, "pick", pick, "confidence", sl_pick_names, "FORM",            \
                      "choice of the measured points: confidence (Confidence Sampling), uniform "  \
                      "(random) or top (best score)"),                                             \
        SL_OPT_CHOICE(SlDcocOptions, "trust", trust, of("both", "critic"), sl_trust_names, "FORM", \
                      "source of confidence: critic, model, both, or spread (model less its "      \
                      "uncertainty) (published: critic)"),                                         \
        SL_OPT_REAL(SlDcocOptions, "doubt", doubt, "1", -100, 100, "X",                            \
                    "standard deviations subtracted from a score (trust=spread)"),                 \
        SL_OPT_REAL(SlDcocOptions, "sure", sure, of("0.5", "0"), 0, 1, "X",                        \
                    "share of a batch that is best by the cost model"),                            \
        SL_OPT_CHOICE(SlDcocOptions, "synthesis", synthesis, of("half", "mode"),                   \
                      sl_synthesis_names, "FORM",                                                  \
                      "replacement of dropped points: none, mode (most frequent knobs) or half "   \
                      "(half of the knobs)"),                                                      \
        SL_OPT_CHOICE(SlDcocOptions, "threshold", threshold, "drawn", sl_threshold_names, "FORM",  \
                      "confidence threshold: drawn (median of the drawn points), all (of all "     \
                      "points) or mean"),                                                          \
        SL_OPT_REAL(SlDcocOptions, "temperature", temperature, of("0", "1"), 0, 1e6, "X",          \
                    "softmax temperature of confidence; 0 = standard deviation of the values"),    \
        SL_OPT_CHOICE(                                                                             \
            SlDcocOptions, "sight", sight, of("program", "knobs"), sl_tree_sight_names, "FORM",    \
            "inputs of the cost model: knobs, or program (features of the generated program)"),    \
        SL_OPT_CHOICE(SlDcocOptions, "prior", prior, of("draft", "none"), prior_names, "FORM",     \
                      "starting point of the cost model: draft (a closed-form estimate) or none"), \
        SL_OPT_FLAG(SlDcocOptions, "check", check, "exclude points that fail the free check",      \
                    .fallback = of("true", "false")),                                              \
        SL_OPT_FLAG(SlDcocOptions, "transfer", transfer, "start from records of other tasks",      \
                    .fallback = "true"),                                                           \
        SL_OPT_REAL(SlDcocOptions, "elite", elite, of("0.5", "0"), 0, 1, "X",                      \
                    "share of walks that begin at the best points"),                               \
        SL_OPT_FLAG(SlDcocOptions, "neighbours", neighbours,                                       \
                    "add neighbours of the best points to the candidates",                         \
                    .fallback = of("true", "false")),                                              \
        SL_OPT_WHOLE(SlDcocOptions, "scan", scan, of("262144", "0"), 0, 1 << 24, "N",              \
                     "points scanned by the draft before the first walk"),                         \
        SL_OPT_WHOLE(SlDcocOptions, "draws", draws, of("32", "1"), 1, 64, "N",                     \
                     "random points per walk, of which the best starts it"),                       \
        SL_OPT_REAL(SlDcocOptions, "explore", explore, of("0.125", "0"), 0, 1, "X",                \
                    "share of a batch drawn at random"),                                           \
        SL_OPT_WHOLE(SlDcocOptions, "hidden", hidden, "64", 1, 1024, "N",                          \
                     "units per hidden layer"),                                                    \
        SL_OPT_WHOLE(SlDcocOptions, "epochs", epochs, "4", 1, 100, "N",                            \
                     "passes over the samples of a walk"),                                         \
        SL_OPT_WHOLE(SlDcocOptions, "minibatch", minibatch, "64", 1, 65536, "N",                   \
                     "minibatch size"),                                                            \
        SL_OPT_REAL(SlDcocOptions, "rate", rate, "0.001", 0, 1, "X", "learning rate"),             \
        SL_OPT_REAL(SlDcocOptions, "gamma", gamma, "0.9", 0, 1, "X", "discount factor"),           \
        SL_OPT_REAL(SlDcocOptions, "lambda", lambda, "0.99", 0, 1, "X", "GAE parameter lambda"),   \
        SL_OPT_REAL(SlDcocOptions, "clip", clip, "0.2", 0, 10, "X",                                \
                    "clipping range of the probability ratio"),                                    \
        SL_OPT_REAL(SlDcocOptions, "entropy", entropy, "0.1", 0, 10, "X",                          \
                    "entropy coefficient at the start; a tenth of it at the end"),                 \
        SL_OPT_REAL(SlDcocOptions, "max-norm", most_norm, "0.5", 0, 1e30, "X",                     \
                    "gradient norm limit; 0 = off")

const SlOption sl_dcoc_options[] = {LIST(TUNED), {0}};
const SlOption sl_dcoc_paper_options[] = {LIST(PUBLISHED), {0}};
