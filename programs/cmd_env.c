// cmd_env.c - `starling env replay`: recorded episodes of particle worlds, played again by our
// rules.
#include "command.h"
#include "starling/task/particle.h"

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

static SlDoc *replay_doc(const char *rules, const SlDeviation *apart, SlArena *arena) {
    const struct {
        const char *key, *label;
        double value;
    } rows[] = {{"pos_dev", "positions", apart->pos},
                {"vel_dev", "velocities", apart->vel},
                {"obs_dev", "observations", apart->obs},
                {"reward_dev", "rewards", apart->reward}};
    char episodes[SL_UNIT_ROOM], steps[SL_UNIT_ROOM];
    SlDoc *doc = sl_doc_make(arena, "env-replay", 1);
    sl_doc_words(doc, "%s episode%s, %s step%s, rules %s: largest absolute differences",
                 sl_unit_show(SL_UNIT_COUNT, apart->episodes, episodes),
                 apart->episodes == 1 ? "" : "s", sl_unit_show(SL_UNIT_COUNT, apart->steps, steps),
                 apart->steps == 1 ? "" : "s", rules);
    sl_doc_string(doc, "rules", NULL, rules);
    sl_doc_number(doc, "episodes", NULL, SL_UNIT_COUNT, apart->episodes);
    sl_doc_number(doc, "steps", NULL, SL_UNIT_COUNT, apart->steps);
    for (int i = 0; i < 4; i++) {
        sl_doc_number(doc, rows[i].key, rows[i].label, SL_UNIT_PLAIN, rows[i].value);
        sl_doc_shown(doc, "%.3g", rows[i].value);
    }
    return doc;
}

static int replay(Call *call) {
    int rules = ((const EnvOptions *)call->options)->rules;
    SlDeviation apart;
    SlError err;
    if (call->words.n != 1) return call_refuse(call, "env replay: expected one file of episodes");
    SlStatus status =
        sl_episodes_play(call->words.words[0], (SlParticleRules)rules, call->arena, &apart, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    SlDoc *doc = replay_doc(sl_particle_rules_names[rules], &apart, call->arena);
    return call_deliver(call, doc, "env-replay", CODE_DONE);
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
