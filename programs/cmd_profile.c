// cmd_profile.c - `starling profile`: where the time of training goes, for every combination of
// worlds, numbers of agents, algorithms, replay layouts and samplings.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "number_list.h"
#include "starling/report/training_doc.h"

typedef struct {
    CommonOptions common;
    const char *env, *agents, *algo, *layouts, *samplings, *mode; // lists
    SlEngineSetup engine; // neighbors, batch, hidden and seed alone
    int64_t fill, memory, rounds, threads, simulate;
} ProfileOptions;

#define PROFILE_SHARED "neighbors batch hidden seed"

static const SlOption options_table[] = {
    SL_OPT_TEXT(
        ProfileOptions, "env", env, "tag", "LIST",
        "particle environments: names, both (the first two) or all; see 'starling list envs'"),
    SL_OPT_TEXT(ProfileOptions, "agents", agents, "3,6,12", "LIST",
                "numbers of agents, at most 256 each; growth is shown from N to 2 N"),
    SL_OPT_TEXT(ProfileOptions, "algo", algo, "both", "LIST", "algorithms: maddpg, masac or both"),
    SL_OPT_TEXT(ProfileOptions, "layouts", layouts, "separate", "LIST",
                "replay layouts: separate, joint, state or all (folded modes: state only)"),
    SL_OPT_TEXT(ProfileOptions, "samplings", samplings, "uniform,neighbor", "LIST",
                "replay sampling: uniform, neighbor, priority or all"),
    SL_OPT_TEXT(ProfileOptions, "mode", mode, "faithful", "LIST",
                "update modes: faithful, shared, folded, folded-shared or all"),
    SL_OPT_WHOLE(ProfileOptions, "fill", fill, "100000", 25, 2147483647, "ROWS",
                 "replay capacity, filled by random play; less if --memory does not suffice"),
    SL_OPT_WHOLE(ProfileOptions, "memory", memory, "3000", 1, 1e9, "MB",
                 "memory limit for all replays of one number of agents"),
    SL_OPT_WHOLE(
        ProfileOptions, "simulate", simulate, "0", 0, 2147483647, "ROWS",
        "replay capacity in a simulation of caches and TLBs, which allocates none of it; 0 = off"),
    SL_OPT_WHOLE(ProfileOptions, "rounds", rounds, "9", 1, 1000000, "N",
                 "rounds of 100 environment steps and one update; medians are shown",
                 .letter = 'r'),
    SL_OPT_WHOLE(ProfileOptions, "threads", threads, "1", 0, 1024, "N",
                 "worker threads; 0 = one per core", .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

// options of the engine that all cases have in common, and those of the command
static const SlOption *join(SlArena *arena) {
    const SlOptionPart parts[] = {
        {.table = sl_engine_options,
         .offset = offsetof(ProfileOptions, engine),
         .names = PROFILE_SHARED},
        {.table = options_table},
    };
    return sl_options_join(2, parts, arena);
}

// ---- lists ----

// in the order given, each once
static void add_item(SlProfileList *list, int item) {
    for (int i = 0; i < list->n; i++)
        if (list->items[i] == item) return;
    if (list->n < SL_PROFILE_LIST) list->items[list->n++] = item;
}

// the word that `at` starts with, and what follows it
static void next_word(const char **at, char word[static 32]) {
    size_t n = strcspn(*at, ",");
    snprintf(word, 32, "%.*s", (int)(n < 31 ? n : 31), *at);
    *at += n + ((*at)[n] == ',');
}

// "all" names, or "both": the first two
static SlStatus read_names(const char *option, const char *text, const char *const *names,
                           SlProfileList *list, SlError *err) {
    char word[32];
    *list = (SlProfileList){0};
    for (const char *at = text; *at;) {
        int found = -1;
        next_word(&at, word);
        const int n = strcmp(word, "all") == 0    ? SL_PROFILE_LIST
                      : strcmp(word, "both") == 0 ? 2
                                                  : 0;
        for (int i = 0; names[i]; i++) {
            if (strcmp(names[i], word) == 0) found = i;
            if (i < n) add_item(list, i);
        }
        if (found >= 0) add_item(list, found);
        if (found >= 0 || n > 0) continue;
        const char *near = sl_nearest_name(word, names);
        return sl_fail(err, SL_EINPUT, "--%s: unknown '%s'%s%s%s", option, word,
                       near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    return list->n > 0 ? SL_OK : sl_fail(err, SL_EINPUT, "--%s: expected a list of names", option);
}

// ---- combinations ----

static SlStatus read_lists(const ProfileOptions *options, SlProfileLists *lists, SlError *err) {
    const struct {
        const char *option, *text;
        const char *const *names;
        SlProfileList *list;
    } rows[] = {{"env", options->env, sl_world_names, &lists->worlds},
                {"algo", options->algo, sl_algo_names, &lists->algos},
                {"layouts", options->layouts, sl_replay_layout_names, &lists->layouts},
                {"samplings", options->samplings, sl_sampling_names, &lists->samplings},
                {"mode", options->mode, sl_engine_mode_names, &lists->modes}};
    SlStatus status = number_list_read("agents", options->agents, SL_PARTICLE_MAX_AGENTS,
                                       SL_PROFILE_LIST, lists->agents.items, &lists->agents.n, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == SL_OK; i++)
        status = read_names(rows[i].option, rows[i].text, rows[i].names, rows[i].list, err);
    return status;
}

static SlStatus list_cases(const Call *call, SlProfile *profile, SlError *err) {
    const ProfileOptions *options = call->options;
    SlProfileLists lists;
    SlEngineSetup like;
    SlStatus status = read_lists(options, &lists, err);
    if (status != SL_OK) return status;
    sl_engine_init(&like);
    like.neighbors = options->engine.neighbors;
    like.batch = options->engine.batch;
    like.hidden = options->engine.hidden;
    like.seed = options->engine.seed;
    return sl_profile_combine(profile, &lists, &like, call->arena, err);
}

// ---- measuring ----

static SlStatus measure(const Call *call, SlProfile *profile, SlError *err) {
    SlPool *pool = call_need(sl_pool_make(profile->threads));
    SlStatus status = SL_OK;
    for (int i = 0, n; i < profile->n && status == SL_OK; i += n) {
        const SlEngineSetup *first = &profile->setups[i];
        n = sl_profile_group(profile, i);
        if (isatty(STDERR_FILENO))
            call_note(call, "%s, %lld agents: %d engines", first->world.world->name,
                      (long long)first->world.n_agents, n);
        status = sl_engine_profile(n, first, &profile->measured, pool, &profile->times[i], err);
    }
    sl_pool_free(pool);
    return status;
}

static int run(Call *call) {
    const ProfileOptions *options = call->options;
    SlError err;
    if (call->words.n > 0)
        return call_refuse(call, "profile: unexpected '%.40s'", call->words.words[0]);
    SlProfile profile = {.measured = {.rounds = options->rounds,
                                      .fill = options->fill,
                                      .bytes = 1e6 * (double)options->memory,
                                      .simulate = options->simulate},
                         .threads = (int)options->threads};
    SlStatus status = list_cases(call, &profile, &err);
    if (status == SL_OK) status = measure(call, &profile, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    return call_deliver(call, sl_report_profile(&profile, call->arena), "profile", CODE_DONE);
}

const Command cmd_profile = {
    .name = "profile",
    .summary = "measure where the training time goes, phase by phase",
    .usage = "profile [OPTION...]",
    .about =
        "Measures where the training time goes, for every combination of the lists: action "
        "selection,\n"
        "environment, mini-batch sampling, target Q, Q loss, P loss and the rest. Shows how each "
        "phase\n"
        "grows when the number of agents doubles, and hardware counters during sampling, if "
        "available. A\n"
        "LIST is names or numbers separated by commas.\n\n"
        "Files of --out also include the figures of the paper: training-ENV.svg, growth-ENV.svg,\n"
        "update-ENV.svg and neighbor-ENV.svg.",
    .examples = "starling profile\n"
                "starling profile --env tag,spread --agents 3,6,12,24,48 --out profile\n"
                "starling profile --agents 24 --layouts all --samplings all --algo maddpg\n"
                "starling profile --agents 24 --mode all --layouts state --json",
    .join = join,
    .options_bytes = sizeof(ProfileOptions),
    .run = run,
};
