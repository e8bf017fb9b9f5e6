// cmd_train.c - `starling train`: agents of particle worlds learn by MADDPG or MASAC.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "show.h"
#include "train.h"

static const char *const layout_names[] = {"auto", "separate", "joint", "state", NULL};

static const SlOption options_table[] = {
    {.name = "env",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, env),
     .choices = sl_scenario_names,
     .value = "NAME",
     .help = "the world: predators after prey, or agents over landmarks"},
    {.name = "agents",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, agents),
     .fallback = "3",
     .min = 1,
     .max = SL_PARTICLE_MAX_AGENTS,
     .value = "N",
     .help = "agents that learn"},
    {.name = "algo",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, algo),
     .choices = sl_algo_names,
     .value = "NAME",
     .help = "how they learn"},
    {.name = "mode",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, mode),
     .choices = sl_engine_mode_names,
     .value = "NAME",
     .help = "rounds of updates as in the original, with one draw for all, on the world state, or "
             "both"},
    {.name = "layout",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, layout),
     .choices = layout_names,
     .value = "NAME",
     .help = "of the replay; auto is state for folded modes, else joint. Batches do not depend on "
             "it"},
    {.name = "sampling",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, sampling),
     .choices = sl_sampling_names,
     .value = "NAME",
     .help = "how batches are drawn"},
    {.name = "neighbors",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, neighbors),
     .fallback = "3",
     .min = 1,
     .max = 64,
     .value = "N",
     .help = "on each side of a reference, except uniform"},
    {.name = "episodes",
     .letter = 'n',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, episodes),
     .fallback = "5000",
     .min = 1,
     .max = 1e9,
     .value = "N",
     .help = "of 25 steps; a finished run goes on when more are asked for"},
    {.name = "envs",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, envs),
     .fallback = "1",
     .min = 1,
     .max = 65536,
     .value = "N",
     .help = "worlds that step together"},
    {.name = "prey",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, prey),
     .choices = sl_prey_names,
     .fallback = "random",
     .value = "NAME",
     .help = "who moves the prey of tag"},
    {.name = "rules",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TrainOptions, rules),
     .choices = sl_particle_rules_names,
     .value = "NAME",
     .help = "of the world"},
    {.name = "batch",
     .letter = 'b',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, batch),
     .fallback = "1024",
     .min = 1,
     .max = 1 << 20,
     .value = "N",
     .help = "transitions per update"},
    {.name = "capacity",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, capacity),
     .fallback = "1000000",
     .min = 2,
     .max = 2147483647,
     .value = "N",
     .help = "transitions held; then the oldest go"},
    {.name = "warm",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, warm),
     .max = 2147483647,
     .value = "N",
     .help = "transitions before the first update; 0 = 25 batches"},
    {.name = "every",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, every),
     .fallback = "100",
     .min = 1,
     .max = 1e9,
     .value = "STEPS",
     .help = "from one round of updates to the next"},
    {.name = "hidden",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, hidden),
     .fallback = "64",
     .min = 1,
     .max = 1024,
     .value = "N",
     .help = "units of each of the two hidden layers"},
    {.name = "rate",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, rate),
     .fallback = "0.01",
     .min = 1e-9,
     .max = 10,
     .value = "X",
     .help = "of learning"},
    {.name = "gamma",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, gamma),
     .fallback = "0.95",
     .max = 1,
     .value = "X",
     .help = "what the next step counts"},
    {.name = "tau",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, tau),
     .fallback = "0.01",
     .max = 1,
     .value = "X",
     .help = "how fast target networks follow"},
    {.name = "clip",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, clip),
     .fallback = "0.5",
     .max = 1e9,
     .value = "X",
     .help = "longest gradient of a tensor; 0 = any"},
    {.name = "regulariser",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, regulariser),
     .fallback = "0.001",
     .max = 1e9,
     .value = "X",
     .help = "of the logits (maddpg)"},
    {.name = "entropy",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TrainOptions, entropy),
     .fallback = "0.05",
     .max = 1e9,
     .value = "X",
     .help = "what it counts (masac)"},
    {.name = "trials",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, trials),
     .fallback = "1000",
     .min = 2,
     .max = 1 << 20,
     .value = "N",
     .help = "new episodes of the evaluation at the end"},
    {.name = "checkpoint",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TrainOptions, checkpoint),
     .fallback = "120s",
     .value = "N|SECONDSs",
     .help = "write one every N episodes, or every so many seconds"},
    {.name = "resume",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(TrainOptions, resume),
     .fallback = "true",
     .help = "go on from the checkpoint of the same command"},
    {.name = "seed",
     .letter = 's',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, seed),
     .fallback = "1",
     .min = 0,
     .max = 9e15,
     .value = "S",
     .help = "of all random numbers; the same seed gives the same weights"},
    {.name = "threads",
     .letter = 'j',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TrainOptions, threads),
     .max = 1024,
     .value = "N",
     .help = "0 = one per core; results do not depend on it"},
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
    setup->world.scenario = (SlScenario)options->env;
    setup->world.n_agents = (int)options->agents;
    setup->world.rules = (SlParticleRules)options->rules;
    setup->world.prey = (SlPrey)options->prey;
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
    if (code == CODE_DONE && options->env == SL_SPREAD)
        code = command_refuse_idle(options_table, options, "prey", "--env spread");
    if (code == CODE_DONE && options->sampling == SL_SAMPLE_UNIFORM)
        code = command_refuse_idle(options_table, options, "neighbors", "--sampling uniform");
    return code;
}

int cmd_train(int argc, const char *const *argv) {
    TrainOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n > 0) return command_refuse("train: unexpected '%.40s'", words.words[0]);
    code = refuse_idle(&options);
    if (code != CODE_DONE) return code;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Train train = {.options = &options, .arena = &arena};
    fill_setup(&options, &train.setup);
    const char *reason = sl_engine_check(&train.setup);
    code = reason ? command_refuse("train: %s", reason) : work(&train);
    sl_engine_free(train.engine);
    sl_arena_free(&arena);
    return code;
}
