// cmd_profile.c - `starling profile`: where the time of training goes, for every combination of
// worlds, numbers of agents, algorithms, replay layouts and samplings.
#include <stdio.h>
#include <string.h>

#include "profile.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(ProfileOptions, "env", env, "tag", "LIST",
                "worlds, both (the first two) or all; 'starling list envs' shows them"),
    SL_OPT_TEXT(ProfileOptions, "agents", agents, "3,6,12", "LIST",
                "numbers of agents, up to 48; growth is shown from N to 2 N"),
    SL_OPT_TEXT(ProfileOptions, "algo", algo, "both", "LIST", "maddpg, masac or both"),
    SL_OPT_TEXT(ProfileOptions, "layouts", layouts, "separate", "LIST",
                "of the replay: separate, joint, state or all; folded modes have state alone"),
    SL_OPT_TEXT(ProfileOptions, "samplings", samplings, "uniform,neighbor", "LIST",
                "uniform, neighbor, priority or all"),
    SL_OPT_WHOLE(ProfileOptions, "neighbors", neighbors, "3", 1, 64, "N",
                 "on each side of a reference, except uniform"),
    SL_OPT_TEXT(ProfileOptions, "mode", mode, "faithful", "LIST",
                "faithful, shared, folded, folded-shared or all"),
    SL_OPT_WHOLE(ProfileOptions, "fill", fill, "100000", 25, 2147483647, "ROWS",
                 "transitions of random play that are held; fewer where --memory does not suffice"),
    SL_OPT_WHOLE(ProfileOptions, "memory", memory, "3000", 1, 1e9, "MB",
                 "of all replays of a number of agents, which are there together"),
    SL_OPT_WHOLE(ProfileOptions, "rounds", rounds, "9", 1, 1000000, "N",
                 "of 100 env steps and an update, in turns; medians are shown", .letter = 'r'),
    SL_OPT_WHOLE(ProfileOptions, "batch", batch, "1024", 1, 1 << 20, "N", "transitions per update",
                 .letter = 'b'),
    SL_OPT_WHOLE(ProfileOptions, "hidden", hidden, "64", 1, 1024, "N",
                 "units of each of the two hidden layers"),
    SL_OPT_WHOLE(ProfileOptions, "seed", seed, "1", 0, 9e15, "S", "of all random numbers",
                 .letter = 's'),
    SL_OPT_WHOLE(ProfileOptions, "threads", threads, "1", 0, 1024, "N", "0 = one per core",
                 .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "profile [OPTION...]",
    .about =
        "Measures where the time of training goes: action selection, environment, mini-batch "
        "sampling,\ntarget Q, Q loss, P loss and the rest, for every combination of the lists; how "
        "each grows when the\nagents double; and what the processor counts while batches are "
        "sampled, where the system lets\nus see. LISTs are names or numbers with commas "
        "between.\n\n"
        "With --out also pictures as in the paper: training-ENV.svg, growth-ENV.svg, "
        "update-ENV.svg and\nneighbor-ENV.svg.",
    .options = options_table,
    .examples = "starling profile\n"
                "starling profile --env tag,spread --agents 3,6,12,24,48 --out profile\n"
                "starling profile --agents 24 --layouts all --samplings all --algo maddpg\n"
                "starling profile --agents 24 --mode all --layouts state --json",
};

// ---- lists ----

enum { MOST = 64 };

// Items of a list, in the order given, each once.
typedef struct {
    int n;
    int items[MOST];
} Items;

static void add_item(Items *list, int item) {
    for (int i = 0; i < list->n; i++)
        if (list->items[i] == item) return;
    if (list->n < MOST) list->items[list->n++] = item;
}

// the word that `at` starts with, and what follows it
static void next_word(const char **at, char word[static 32]) {
    size_t n = strcspn(*at, ",");
    snprintf(word, 32, "%.*s", (int)(n < 31 ? n : 31), *at);
    *at += n + ((*at)[n] == ',');
}

// "all" names, or "both": the first two
static SlStatus read_names(const char *option, const char *text, const char *const *names,
                           Items *list, SlError *err) {
    char word[32];
    *list = (Items){0};
    for (const char *at = text; *at;) {
        int found = -1;
        next_word(&at, word);
        const int n = strcmp(word, "all") == 0 ? MOST : strcmp(word, "both") == 0 ? 2 : 0;
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

static SlStatus read_agents(const char *text, Items *list, SlError *err) {
    char word[32];
    int64_t value;
    *list = (Items){0};
    for (const char *at = text; *at;) {
        next_word(&at, word);
        if (sl_parse_int(word, 1, PROFILE_MOST_AGENTS, &value, NULL) != SL_OK)
            return sl_fail(err, SL_EINPUT, "--agents: expected numbers from 1 to %d, got '%s'",
                           PROFILE_MOST_AGENTS, word);
        add_item(list, (int)value);
    }
    return list->n > 0 ? SL_OK : sl_fail(err, SL_EINPUT, "--agents: expected a list of numbers");
}

// ---- combinations ----

typedef struct {
    Items env, agents, algo, layouts, samplings, modes;
} Lists;

static SlStatus read_lists(const ProfileOptions *options, Lists *lists, SlError *err) {
    SlStatus status = read_names("env", options->env, sl_world_names, &lists->env, err);
    if (status == SL_OK) status = read_agents(options->agents, &lists->agents, err);
    if (status == SL_OK)
        status = read_names("algo", options->algo, sl_algo_names, &lists->algo, err);
    if (status == SL_OK)
        status =
            read_names("layouts", options->layouts, sl_replay_layout_names, &lists->layouts, err);
    if (status == SL_OK)
        status =
            read_names("samplings", options->samplings, sl_sampling_names, &lists->samplings, err);
    return status == SL_OK
               ? read_names("mode", options->mode, sl_engine_mode_names, &lists->modes, err)
               : status;
}

// layouts and samplings of one world, number of agents, algorithm and mode
static void add_cases(Profile *profile, const Lists *lists, const ProfileCase *like) {
    static const Items state = {1, {SL_LAYOUT_STATE}};
    bool folded = like->mode == SL_MODE_FOLDED || like->mode == SL_MODE_FOLDED_SHARED;
    const Items *layouts = folded ? &state : &lists->layouts;
    for (int l = 0; l < layouts->n; l++) {
        for (int s = 0; s < lists->samplings.n && profile->n < PROFILE_MOST_CASES; s++) {
            ProfileCase *one = &profile->cases[profile->n++];
            *one = *like;
            one->layout = (SlReplayLayout)layouts->items[l];
            one->sampling = (SlSampling)lists->samplings.items[s];
        }
    }
}

SlStatus profile_list(Profile *profile, SlError *err) {
    Lists lists;
    SlStatus status = read_lists(profile->options, &lists, err);
    if (status != SL_OK) return status;
    profile->cases = command_need(SL_NEW(profile->arena, PROFILE_MOST_CASES, ProfileCase));
    for (int e = 0; e < lists.env.n; e++)
        for (int n = 0; n < lists.agents.n; n++)
            for (int a = 0; a < lists.algo.n; a++)
                for (int m = 0; m < lists.modes.n; m++) {
                    ProfileCase like = {.env = sl_worlds[lists.env.items[e]],
                                        .agents = lists.agents.items[n],
                                        .algo = (SlAlgo)lists.algo.items[a],
                                        .mode = (SlEngineMode)lists.modes.items[m]};
                    add_cases(profile, &lists, &like);
                }
    if (profile->n < PROFILE_MOST_CASES) return SL_OK;
    return sl_fail(err, SL_EINPUT, "expected fewer than %d combinations", PROFILE_MOST_CASES);
}

static int deliver(const Profile *profile) {
    const CommonOptions *common = &profile->options->common;
    SlText text;
    SlError err;
    sl_text_init(&text, profile->arena);
    profile_text(profile, &text);
    struct json_t *json = command_wants_json(common) ? profile_json(profile) : NULL;
    int code = command_deliver(common, "profile", &text, json, CODE_DONE);
    if (code != CODE_DONE || !common->out) return code;
    SlStatus status = profile_draw(profile, &err);
    if (status != SL_OK) return command_fail(status, &err);
    command_note(common, "Pictures there: training-ENV.svg, update-ENV.svg and others");
    return code;
}

int cmd_profile(int argc, const char *const *argv) {
    ProfileOptions options = {0};
    SlWords words;
    SlArena arena;
    SlError err;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n > 0) return command_refuse("profile: unexpected '%.40s'", words.words[0]);
    sl_arena_init(&arena, 0);
    Profile profile = {.options = &options, .arena = &arena};
    SlStatus status = profile_list(&profile, &err);
    if (status == SL_OK) status = profile_measure(&profile, &err);
    code = status == SL_OK ? deliver(&profile) : command_fail(status, &err);
    sl_arena_free(&arena);
    return code;
}
