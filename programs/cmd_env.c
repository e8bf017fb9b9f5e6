// cmd_env.c - `starling env replay`: recorded episodes of particle worlds, played again by our
// rules.
#include "command.h"
#include "starling/report/training_doc.h"

typedef struct {
    CommonOptions common;
    int rules;
} EnvOptions;

static const SlOption options_table[] = {
    SL_OPT_CHOICE(EnvOptions, "rules", rules, NULL, sl_particle_rules_names, "NAME",
                  "rules: openai (the original environments) or mpe2 (their successor)"),
    COMMON_OPTIONS,
    {0},
};

static int replay(Call *call) {
    SlParticleRules rules = (SlParticleRules)((const EnvOptions *)call->options)->rules;
    SlDeviation apart;
    SlError err;
    if (call->words.n != 1) return call_refuse(call, "env replay: expected one file of episodes");
    SlStatus status = sl_episodes_play(call->words.words[0], rules, call->arena, &apart, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    return call_deliver(call, sl_report_deviation(rules, &apart, call->arena), "env-replay",
                        CODE_DONE);
}

#define ABOUT                                                                                      \
    "Replays recorded episodes of particle environments in double precision, from the recorded "   \
    "start\n"                                                                                      \
    "and with all recorded actions. Reports the largest absolute differences of positions, "       \
    "velocities,\n"                                                                                \
    "observations and rewards. 'starling list envs' lists the environments."
#define EXAMPLES                                                                                   \
    "starling env replay episodes.jsonl.gz\n"                                                      \
    "starling env replay episodes.jsonl --rules mpe2 --json"

static const Command row_replay = {
    .name = "env replay",
    .summary = "replay recorded episodes and report differences",
    .usage = "env replay FILE.jsonl[.gz] [OPTION...]",
    .about = ABOUT,
    .examples = EXAMPLES,
    .options = options_table,
    .options_bytes = sizeof(EnvOptions),
    .run = replay,
};

static const Command *const parts[] = {&row_replay, NULL};

const Command cmd_env = {
    .name = "env",
    .summary = "replay recorded episodes and report differences",
    .usage = "env replay FILE.jsonl[.gz] [OPTION...]",
    .about = ABOUT,
    .examples = EXAMPLES,
    .options = options_table,
    .options_bytes = sizeof(EnvOptions),
    .parts = parts,
};
