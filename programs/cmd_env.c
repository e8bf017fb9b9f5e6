// cmd_env.c - `starling env replay`: recorded episodes of particle worlds, played again by our
// rules.
#include <jansson.h>
#include <math.h>
#include <string.h>

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

static const CommandHelp help = {
    .usage = "env replay FILE.jsonl[.gz] [OPTION...]",
    .about =
        "Plays recorded episodes of particle worlds again, in doubles: from the recorded start, "
        "with the\nrecorded actions of everybody. Tells the largest absolute differences of "
        "positions, velocities,\nobservations and rewards. 'starling list envs' shows the "
        "worlds.",
    .options = options_table,
    .examples = "starling env replay episodes.jsonl.gz\n"
                "starling env replay episodes.jsonl --rules mpe2 --json",
};

static json_t *replay_json(const EnvOptions *options, const SlDeviation *apart) {
    json_t *json = command_need(sl_json_document("env-replay", 1));
    json_put_text(json, "rules", sl_particle_rules_names[options->rules]);
    json_put_number(json, "episodes", apart->episodes);
    json_put_number(json, "steps", apart->steps);
    json_put_number(json, "pos_dev", apart->pos);
    json_put_number(json, "vel_dev", apart->vel);
    json_put_number(json, "obs_dev", apart->obs);
    json_put_number(json, "reward_dev", apart->reward);
    return json;
}

static void replay_text(const EnvOptions *options, const SlDeviation *apart, SlText *out) {
    char episodes[32], steps[32];
    sl_text_add(out, "%s episode%s, %s step%s, rules %s: largest absolute differences\n\n",
                sl_show_count(apart->episodes, episodes), apart->episodes == 1 ? "" : "s",
                sl_show_count(apart->steps, steps), apart->steps == 1 ? "" : "s",
                sl_particle_rules_names[options->rules]);
    sl_text_add(out,
                "positions     %.3g\nvelocities    %.3g\nobservations  %.3g\nrewards       %.3g\n",
                apart->pos, apart->vel, apart->obs, apart->reward);
}

static int replay(const EnvOptions *options, const char *path) {
    SlArena arena;
    SlDeviation apart;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_episodes_play(path, (SlParticleRules)options->rules, &arena, &apart, &err);
    int code = CODE_DONE;
    if (status != SL_OK) {
        code = command_fail(status, &err);
    } else {
        SlText text;
        sl_text_init(&text, &arena);
        replay_text(options, &apart, &text);
        json_t *json = command_wants_json(&options->common) ? replay_json(options, &apart) : NULL;
        code = command_deliver(&options->common, "env-replay", &text, json, CODE_DONE);
    }
    sl_arena_free(&arena);
    return code;
}

int cmd_env(int argc, const char *const *argv) {
    EnvOptions options = {0};
    SlWords words;
    int code;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n < 1 || strcmp(words.words[0], "replay") != 0)
        return command_refuse("env: expected what to do: replay FILE");
    if (words.n != 2) return command_refuse("env replay: expected one file of episodes");
    return replay(&options, words.words[1]);
}
