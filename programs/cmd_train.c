// cmd_train.c - `starling train`: agents of particle worlds learn by MADDPG or MASAC.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "show.h"
#include "train.h"

static const char *const layout_names[] = {"auto", "separate", "joint", "state", NULL};

static const SlOption options_table[] = {
    SL_OPT_CHOICE(TrainOptions, "env", env, NULL, sl_world_names, "NAME",
                  "the world; 'starling list envs' says what each is"),
    SL_OPT_WHOLE(TrainOptions, "agents", agents, "3", 1, SL_PARTICLE_MAX_AGENTS, "N",
                 "agents that learn"),
    SL_OPT_CHOICE(TrainOptions, "algo", algo, NULL, sl_algo_names, "NAME", "how they learn"),
    SL_OPT_CHOICE(
        TrainOptions, "mode", mode, NULL, sl_engine_mode_names, "NAME",
        "rounds of updates as in the original, with one draw for all, on the world state, or both"),
    SL_OPT_CHOICE(
        TrainOptions, "layout", layout, NULL, layout_names, "NAME",
        "of the replay; auto is state for folded modes, else joint. Batches do not depend on it"),
    SL_OPT_CHOICE(TrainOptions, "sampling", sampling, NULL, sl_sampling_names, "NAME",
                  "how batches are drawn"),
    SL_OPT_WHOLE(TrainOptions, "neighbors", neighbors, "3", 1, 64, "N",
                 "on each side of a reference, except uniform"),
    SL_OPT_WHOLE(TrainOptions, "episodes", episodes, "5000", 1, 1e9, "N",
                 "of 25 steps; a finished run goes on when more are asked for", .letter = 'n'),
    SL_OPT_WHOLE(TrainOptions, "envs", envs, "1", 1, 65536, "N", "worlds that step together"),
    SL_OPT_CHOICE(TrainOptions, "rules", rules, NULL, sl_particle_rules_names, "NAME",
                  "of the world"),
    SL_OPT_WHOLE(TrainOptions, "batch", batch, "1024", 1, 1 << 20, "N", "transitions per update",
                 .letter = 'b'),
    SL_OPT_WHOLE(TrainOptions, "capacity", capacity, "1000000", 2, 2147483647, "N",
                 "transitions held; then the oldest go"),
    SL_OPT_WHOLE(TrainOptions, "warm", warm, NULL, 0, 2147483647, "N",
                 "transitions before the first update; 0 = 25 batches"),
    SL_OPT_WHOLE(TrainOptions, "every", every, "100", 1, 1e9, "STEPS",
                 "from one round of updates to the next"),
    SL_OPT_WHOLE(TrainOptions, "hidden", hidden, "64", 1, 1024, "N",
                 "units of each of the two hidden layers"),
    SL_OPT_REAL(TrainOptions, "rate", rate, "0.01", 1e-9, 10, "X", "of learning"),
    SL_OPT_REAL(TrainOptions, "gamma", gamma, "0.95", 0, 1, "X", "what the next step counts"),
    SL_OPT_REAL(TrainOptions, "tau", tau, "0.01", 0, 1, "X", "how fast target networks follow"),
    SL_OPT_REAL(TrainOptions, "clip", clip, "0.5", 0, 1e9, "X",
                "longest gradient of a tensor; 0 = any"),
    SL_OPT_REAL(TrainOptions, "regulariser", regulariser, "0.001", 0, 1e9, "X",
                "of the logits (maddpg)"),
    SL_OPT_REAL(TrainOptions, "entropy", entropy, "0.05", 0, 1e9, "X", "what it counts (masac)"),
    SL_OPT_WHOLE(TrainOptions, "trials", trials, "1000", 2, 1 << 20, "N",
                 "new episodes of the evaluation at the end"),
    SL_OPT_TEXT(TrainOptions, "checkpoint", checkpoint, "120s", "N|SECONDSs",
                "write one every N episodes, or every so many seconds"),
    SL_OPT_FLAG(TrainOptions, "resume", resume, "go on from the checkpoint of the same command",
                .fallback = "true"),
    SL_OPT_WHOLE(TrainOptions, "seed", seed, "1", 0, 9e15, "S",
                 "of all random numbers; the same seed gives the same weights", .letter = 's'),
    SL_OPT_WHOLE(TrainOptions, "threads", threads, NULL, 0, 1024, "N",
                 "0 = one per core; results do not depend on it", .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "train [OPTION...]",
    .about =
        "Trains the agents of a particle world by MADDPG or MASAC and shows what they learnt: the "
        "mean return\nof an agent over the episodes, and in new episodes beside random actions.\n\n"
        "The run directory is the DIR of --out, else starling-runs/train-ENV-N-ALGO: train.json, "
        "train.txt,\ncurve.svg, curve.csv, and a checkpoint, from which the same command goes on "
        "after Ctrl-C, SIGTERM\n(exit codes 130 and 143) or kill -9, to the same weights bit by "
        "bit. A finished run is shown again;\nwith more --episodes it goes on.",
    .options = options_table,
    .examples = "starling train --env tag --agents 3\n"
                "starling train --env spread --agents 6 --algo masac --episodes 20000\n"
                "starling train --agents 24 --mode folded-shared --checkpoint 1000\n"
                "starling train --sampling neighbor --seed 2 --out neighbor-2 --json",
};

// ---- what was asked for ----

static void fill_setup(const TrainOptions *options, SlEngineSetup *setup) {
    bool folded = options->mode == SL_MODE_FOLDED || options->mode == SL_MODE_FOLDED_SHARED;
    sl_engine_init(setup);
    setup->world = options->worlds[options->env];
    setup->world.n_agents = (int)options->agents;
    setup->world.rules = (SlParticleRules)options->rules;
    setup->world.n_envs = (int)options->envs;
    setup->algo = (SlAlgo)options->algo;
    setup->mode = (SlEngineMode)options->mode;
    setup->layout = options->layout > 0 ? (SlReplayLayout)(options->layout - 1)
                    : folded            ? SL_LAYOUT_STATE
                                        : SL_LAYOUT_JOINT;
    setup->sampling = (SlSampling)options->sampling;
    setup->neighbors = (int)options->neighbors;
    setup->capacity = options->capacity;
    setup->hidden = (int)options->hidden;
    setup->batch = (int)options->batch;
    setup->rate = options->rate;
    setup->gamma = options->gamma;
    setup->tau = options->tau;
    setup->clip = options->clip;
    setup->regulariser = options->regulariser;
    setup->entropy = options->entropy;
    setup->update_every = options->every;
    setup->warm = options->warm > 0 ? options->warm : 25 * options->batch;
    setup->seed = (uint64_t)options->seed;
}

// "500" episodes, "60s" seconds
static SlStatus read_checkpoint(Train *train, SlError *err) {
    char number[32];
    const char *text = train->options->checkpoint;
    size_t n = strlen(text);
    bool seconds = n > 1 && text[n - 1] == 's';
    SlStatus status = n < sizeof number ? SL_OK : SL_EINPUT;
    if (status == SL_OK) {
        memcpy(number, text, n + 1);
        if (seconds) number[n - 1] = '\0';
        status = seconds
                     ? sl_parse_real(number, 0, 1e9, &train->every_seconds, NULL)
                     : sl_parse_int(number, 1, INT64_C(1000000000), &train->every_episodes, NULL);
    }
    if (status == SL_OK) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "--checkpoint: expected a number of episodes, or seconds such as 60s, got "
                   "'%.40s'",
                   text);
}

// ---- what comes of it ----

static void tell(const Train *train) {
    const CommonOptions *common = &train->options->common;
    char steps[32], seconds[SHOW_ROOM];
    if (!train->dir && !isatty(STDERR_FILENO)) return;
    if (train->seconds > 0)
        command_note(common, "%s steps in %s",
                     sl_show_count((double)(train->now.steps - train->first_step), steps),
                     show_seconds(train->seconds, seconds));
    if (train->signal)
        command_note(common, "Interrupted.%s",
                     train->dir ? " The same command again goes on from the checkpoint." : "");
    if (train->dir)
        command_note(common,
                     "Written to %s: train.json, train.txt, curve.svg, curve.csv, checkpoint",
                     train->dir);
}

static int deliver(const Train *train) {
    SlText text, json;
    SlError err;
    sl_text_init(&text, train->arena);
    sl_text_init(&json, train->arena);
    train_text(train, &text);
    if (text.failed) command_no_memory();
    SlStatus status = sl_json_print(train_json(train), &json, &err);
    if (status == SL_OK && train->dir) status = train_write(train, &text, &json, &err);
    if (status != SL_OK) return command_fail(status, &err);
    const SlText *shown = train->options->common.json ? &json : &text;
    int code = command_print(shown->data, shown->n,
                             train->signal ? CODE_SIGNAL + train->signal : CODE_DONE);
    tell(train);
    return code;
}

// a finished run, as it was
static int report_again(const Train *train) {
    SlText text;
    SlError err;
    sl_text_init(&text, train->arena);
    SlStatus status = train_reread(train, &text, &err);
    if (status != SL_OK) return command_fail(status, &err);
    int code = command_print(text.data, text.n, CODE_DONE);
    command_note(&train->options->common, "Finished before, in %s (--no-resume trains it again)",
                 train->dir);
    return code;
}

static int work(Train *train) {
    SlError err;
    SlStatus status = read_checkpoint(train, &err);
    if (status == SL_OK) status = sl_engine_make(&train->setup, &train->engine, &err);
    if (status == SL_OK) status = train_open(train, &err);
    if (status != SL_OK) return command_fail(status, &err);
    if (train->reported) return report_again(train);
    if (train->resumed > 0)
        command_note(&train->options->common, "Going on after %lld episodes, from %s",
                     (long long)train->resumed, train->dir);
    status = train_run(train, &err);
    if (status != SL_OK) return command_fail(status, &err);
    train_finish(train);
    return deliver(train);
}

// options of another world, algorithm or sampling
static int refuse_idle(const TrainOptions *options) {
    const bool masac = options->algo == SL_MASAC;
    int code = command_refuse_idle(options_table, options, masac ? "regulariser" : "entropy",
                                   masac ? "--algo masac" : "--algo maddpg");
    if (code == CODE_DONE) code = world_options_refuse(options->worlds, sl_worlds[options->env]);
    if (code == CODE_DONE && options->sampling == SL_SAMPLE_UNIFORM)
        code = command_refuse_idle(options_table, options, "neighbors", "--sampling uniform");
    return code;
}

static int train_agents(const TrainOptions *options, SlArena *arena) {
    Train train = {.options = options, .arena = arena};
    fill_setup(options, &train.setup);
    const char *reason = sl_engine_check(&train.setup);
    int code = reason ? command_refuse("train: %s", reason) : work(&train);
    sl_engine_free(train.engine);
    return code;
}

int cmd_train(int argc, const char *const *argv) {
    TrainOptions options = {0};
    CommandHelp with_worlds = help;
    SlWords words;
    SlArena arena;
    int code = CODE_DONE;
    sl_arena_init(&arena, 0);
    world_options_init(options.worlds);
    with_worlds.options = world_options(options_table, offsetof(TrainOptions, worlds), &arena);
    if (command_parse(&with_worlds, argc, argv, &options, &words, &code)) {
        code = words.n > 0 ? command_refuse("train: unexpected '%.40s'", words.words[0])
                           : refuse_idle(&options);
        if (code == CODE_DONE) code = train_agents(&options, &arena);
    }
    sl_arena_free(&arena);
    return code;
}
