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
                  "which rules to play by"),
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
    "Plays recorded episodes of particle worlds again, in doubles: from the recorded start, with " \
    "the\nrecorded actions of everybody. Tells the largest absolute differences of positions, "    \
    "velocities,\nobservations and rewards. 'starling list envs' shows the worlds."
#define EXAMPLES                                                                                   \
    "starling env replay episodes.jsonl.gz\nstarling env replay episodes.jsonl --rules mpe2 "      \
    "--json"

static const Command row_replay = {
    .name = "env replay",
    .summary = "play recorded episodes again and compare",
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
    .summary = "play recorded episodes of multi-agent worlds again and compare",
    .usage = "env replay FILE.jsonl[.gz] [OPTION...]",
    .about = ABOUT,
    .examples = EXAMPLES,
    .options = options_table,
    .options_bytes = sizeof(EnvOptions),
    .parts = parts,
};
