// cmd_train.c - `starling train`: agents of particle worlds learn by MADDPG or MASAC.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "train.h"

static const SlOption world_row[] = {
    SL_OPT_CHOICE(TrainOptions, "env", env, NULL, sl_world_names, "NAME",
                  "particle environment; see 'starling list envs'"),
    {0},
};

static const SlOption options_table[] = {
    SL_OPT_WHOLE(TrainOptions, "episodes", episodes, "5000", 1, 1e9, "N",
                 "training episodes; a finished run continues if more are asked for",
                 .letter = 'n'),
    SL_OPT_WHOLE(TrainOptions, "trials", trials, "1000", 2, 1 << 20, "N",
                 "episodes of the final evaluation"),
    SL_OPT_TEXT(TrainOptions, "checkpoint", checkpoint, "120s", "N|SECONDSs",
                "checkpoint interval: episodes (500) or seconds (120s)"),
    SL_OPT_FLAG(TrainOptions, "resume", resume,
                "continue from the checkpoint of an earlier run of the same command",
                .fallback = "true"),
    SL_OPT_WHOLE(TrainOptions, "threads", threads, NULL, 0, 1024, "N",
                 "worker threads; 0 = one per core. Results do not depend on it", .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

// the world, options that worlds have of their own, all of the engine, those of the command
static const SlOption *join(SlArena *arena) {
    SlOptionPart parts[WORLDS_ROOM + 4] = {{.table = world_row}};
    int n = 1;
    for (size_t w = 0; sl_worlds[w]; w++) {
        assert(w < WORLDS_ROOM);
        parts[n++] =
            (SlOptionPart){.table = sl_worlds[w]->options,
                           .offset = offsetof(TrainOptions, worlds) + w * sizeof(SlParticleSetup)};
    }
    parts[n++] = (SlOptionPart){.table = sl_particle_options,
                                .offset = offsetof(TrainOptions, engine.world)};
    parts[n++] =
        (SlOptionPart){.table = sl_engine_options, .offset = offsetof(TrainOptions, engine)};
    parts[n++] = (SlOptionPart){.table = options_table};
    return sl_options_join(n, parts, arena);
}

// ---- what was asked for ----

static SlEngineSetup setup_of(const TrainOptions *options) {
    const SlWorld *world = sl_worlds[options->env];
    SlEngineSetup setup = options->engine;
    sl_world_init(world, &setup.world);
    sl_options_copy(sl_particle_options, &options->engine.world, &setup.world);
    sl_options_copy(world->options, &options->worlds[options->env], &setup.world);
    return setup;
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

// options of other worlds than the chosen one
static int refuse_other_worlds(const Call *call, const SlWorld *chosen) {
    char where[64];
    int code = CODE_DONE;
    snprintf(where, sizeof where, "--env %s", chosen->name);
    for (int w = 0; sl_worlds[w]; w++) {
        const SlOption *row = sl_worlds[w] == chosen ? NULL : sl_worlds[w]->options;
        for (; row && row->name && code == CODE_DONE; row++)
            code = call_refuse_idle(call, row->name, where);
    }
    return code;
}

// options of another world, algorithm or sampling
static int refuse_idle(const Call *call) {
    const TrainOptions *options = call->options;
    const bool masac = options->engine.algo == SL_MASAC;
    int code = call_refuse_idle(call, masac ? "regulariser" : "entropy",
                                masac ? "--algo masac" : "--algo maddpg");
    if (code == CODE_DONE) code = refuse_other_worlds(call, sl_worlds[options->env]);
    if (code == CODE_DONE && options->engine.sampling == SL_SAMPLE_UNIFORM)
        code = call_refuse_idle(call, "neighbors", "--sampling uniform");
    return code;
}

// ---- what comes of it ----

static void tell(const Train *train) {
    const Call *call = train->call;
    char steps[SL_UNIT_ROOM], seconds[SL_UNIT_ROOM];
    if (!train->dir && !isatty(STDERR_FILENO)) return;
    if (train->result.seconds > 0)
        call_note(call, "%s steps in %s",
                  sl_unit_show(SL_UNIT_COUNT,
                               (double)(train->result.now.steps - train->result.first_step), steps),
                  sl_unit_show(SL_UNIT_SECONDS, train->result.seconds, seconds));
    if (train->signal)
        call_note(call, "Interrupted.%s",
                  train->dir ? " Rerun the command to resume from the checkpoint." : "");
    if (train->dir)
        call_note(
            call,
            "Written to %s: train.html, train.json, train.txt, curve.svg, curve.csv, checkpoint",
            train->dir);
}

static int deliver(const Train *train) {
    SlError err;
    const SlDoc *doc = sl_report_training(&train->result, train->key, train->arena);
    SlStatus status = train->dir ? train_write(train, doc, &err) : SL_OK;
    if (status != SL_OK) return call_fail(train->call, status, &err);
    int code = call_show(train->call, doc, train->signal ? CODE_SIGNAL + train->signal : CODE_DONE);
    tell(train);
    return code;
}

static int work(Train *train, const SlEngineSetup *setup) {
    SlError err;
    SlStatus status = read_checkpoint(train, &err);
    if (status == SL_OK) status = sl_engine_make(setup, &train->engine, &err);
    train->result.engine = train->engine;
    if (status == SL_OK) status = train_open(train, &err);
    if (status != SL_OK) return call_fail(train->call, status, &err);
    if (train->reported) return run_print_again(train->call, train->dir, "train", "curve");
    if (train->result.resumed > 0)
        call_note(train->call, "Resuming after %lld episodes, from %s",
                  (long long)train->result.resumed, train->dir);
    status = train_run(train, &err);
    return status == SL_OK ? deliver(train) : call_fail(train->call, status, &err);
}

static int run(Call *call) {
    const TrainOptions *options = call->options;
    if (call->words.n > 0)
        return call_refuse(call, "train: unexpected '%.40s'", call->words.words[0]);
    int code = refuse_idle(call);
    if (code != CODE_DONE) return code;
    const SlEngineSetup setup = setup_of(options);
    const char *reason = sl_engine_check(&setup);
    if (reason) return call_refuse(call, "train: %s", reason);
    Train train = {.call = call,
                   .options = options,
                   .arena = call->arena,
                   .result = {.episodes = options->episodes, .trials = options->trials}};
    code = work(&train, &setup);
    sl_engine_free(train.engine);
    return code;
}

const Command cmd_train = {
    .name = "train",
    .summary = "train agents in a particle environment (MADDPG, MASAC)",
    .usage = "train [OPTION...]",
    .about = "Trains the agents of a particle environment by MADDPG or MASAC. Shows the mean "
             "return of an agent\n"
             "over the episodes, and in new episodes compared with random actions.\n\n"
             "The run directory is the DIR of --out, else starling-runs/train-ENV-N-ALGO. It holds "
             "train.json,\n"
             "train.txt, train.html, curve.svg, curve.csv and a checkpoint. After Ctrl-C, SIGTERM "
             "(exit codes\n"
             "130 and 143) or kill -9, rerun the command to resume; the weights become the same, "
             "bit by bit. A\n"
             "finished run is shown again; with more --episodes it continues.",
    .examples = "starling train --env tag --agents 3\n"
                "starling train --env spread --agents 6 --algo masac --episodes 20000\n"
                "starling train --agents 24 --mode folded-shared --checkpoint 1000\n"
                "starling train --sampling neighbor --seed 2 --out neighbor-2 --json\n"
                "starling train --prey dodge --shaping 1 --mode folded --episodes 60000\n"
                "starling train --prey learn --prey-count 2 --landmarks 4 --steps 50",
    .join = join,
    .options_bytes = sizeof(TrainOptions),
    .run = run,
};
