// map_method.c - who searches, with which options: --method, --set, --critic, --warm, and what may
// not stand beside them; --prove.
#include <string.h>

#include "map.h"
#include "method_rows.h"

// ---- the method and its options ----

static SlStatus find_method(const char *name, Map *map, SlError *err) {
    map->method = method_row_find(name);
    if (map->method) return SL_OK;
    const char *near = method_row_nearest(name);
    if (strchr(name, '/') || !near || strcmp(near, "exact") != 0)
        return sl_method_open(name, &map->method, err);
    return sl_fail(err, SL_EINPUT,
                   "unknown method '%.40s' (did you mean 'exact'?); see 'starling list methods'",
                   name);
}

// options that only another method than flock takes
static bool asks_for_marl(const MapOptions *options) {
    return options->set || options->critic != SL_CRITIC_AUTO || options->warm > 0 ||
           map_agents_asked(options);
}

// --flock; where nobody says what searches, or says flock, the bundled one that suits
static SlStatus find_flock(const MapOptions *options, SlArena *arena, Map *map, SlError *err) {
    SlMapped *mapped = &map->mapped;
    const char *method = options->method;
    SlFlock *flock = NULL;
    SlStatus status = SL_OK;
    bool none = options->flock && strcmp(options->flock, "none") == 0;
    bool open = method ? strcmp(method, "flock") == 0 : !asks_for_marl(options);
    if (options->flock && !none) {
        mapped->flock = options->flock;
        status = sl_flock_find(options->flock, arena, &flock, err);
    } else if (!none && open) {
        status = sl_flock_for(mapped->setup.kind, &mapped->setup.goal, &mapped->eval.accel, arena,
                              &mapped->flock, &flock, err);
    }
    mapped->setup.flock = flock;
    return status;
}

// who may not do without a flock, and who has no use for one
static SlStatus check_flock(const Map *map, SlError *err) {
    const SlJobSetup *setup = &map->mapped.setup;
    const char *name = map->mapped.flock;
    bool needs = map->method->needs & SL_NEEDS_FLOCK;
    if (needs && !setup->flock)
        return sl_fail(
            err, SL_EINPUT,
            "--method %s: expected --flock too; see 'starling list flocks' and 'starling learn'",
            map->method->name);
    if (!setup->flock) return SL_OK;
    if (!needs)
        return sl_fail(err, SL_EINPUT, "--flock: method %s takes no flock; expected --method flock",
                       map->method->name);
    const char *reason =
        sl_flock_suits(setup->flock, setup->kind, &setup->goal, &map->mapped.eval.accel);
    return reason ? sl_fail(err, SL_EINPUT, "--flock %.100s: %s; see 'starling list flocks %.100s'",
                            name, reason, name)
                  : SL_OK;
}

static SlStatus set_method(const MapOptions *options, SlArena *arena, Map *map, SlError *err) {
    void *set = NULL;
    SlError inside;
    SlStatus status = find_flock(options, arena, map, err);
    const char *usual = map->mapped.setup.flock ? "flock" : "marl";
    if (status == SL_OK) status = find_method(options->method ? options->method : usual, map, err);
    if (status == SL_OK) status = check_flock(map, err);
    if (status != SL_OK) return status;
    status = sl_method_options(map->method, options->set, arena, &set, &inside);
    if (status != SL_OK) return sl_fail(err, status, "--set: %s", inside.text);
    map->mapped.setup.method = method_is_exact(map->method) ? NULL : map->method;
    map->mapped.setup.options = set;
    if (options->critic == SL_CRITIC_AUTO) return SL_OK;
    if (!sl_method_has_option(map->method, "critic"))
        return sl_fail(err, SL_EINPUT, "--critic: method %s has no critic", map->method->name);
    return sl_options_set(map->method->options, set, "critic", sl_critic_names[options->critic],
                          err);
}

static SlStatus check_warm(const MapOptions *options, const Map *map, SlError *err) {
    if (options->warm == 0 || map->method->remember) return SL_OK;
    return sl_fail(err, SL_EINPUT, "--warm: method %s does not learn across layers",
                   map->method->name);
}

// ---- proofs ----

enum { MAX_PERCENT = 1000, PROVE_SECONDS = 10 };

// what a search would need and a proof does not
static SlStatus check_exact(const MapOptions *options, SlError *err) {
    const char *name = NULL;
    if (options->samples > 0) name = "--samples";
    if (options->time > 0) name = "--time";
    if (options->target > 0) name = "--target";
    if (!name) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "%s: does not apply to --method exact, which takes no samples; limit it by "
                   "--prove-time or --prove=PERCENT",
                   name);
}

// "0.5" and "0.5%" are the same
static SlStatus read_percent(const char *text, double *percent) {
    char number[40];
    size_t n = strlen(text);
    if (n > 0 && text[n - 1] == '%') n--;
    if (n >= sizeof number) return SL_EINPUT;
    memcpy(number, text, n);
    number[n] = '\0';
    return sl_parse_real(number, 0, MAX_PERCENT, percent, NULL);
}

static SlStatus read_prove(const MapOptions *options, Map *map, SlError *err) {
    SlJobSetup *setup = &map->mapped.setup;
    bool exact = !setup->method;
    double percent = 0;
    setup->prove = options->prove || exact;
    setup->prove_seconds = options->prove_time;
    if (setup->prove && setup->kind != &sl_kind_native)
        return sl_fail(err, SL_EINPUT, "%s: proofs hold for --evaluator native only, not for %s",
                       exact ? "--method exact" : "--prove", setup->kind->name);
    if (!setup->prove && options->prove_time != PROVE_SECONDS)
        return sl_fail(err, SL_EINPUT, "--prove-time: expected --prove too, or --method exact");
    if (options->prove && read_percent(options->prove, &percent) != SL_OK)
        return sl_fail(err, SL_EINPUT, "--prove: expected percent from 0 to %d, got '%.40s'",
                       MAX_PERCENT, options->prove);
    setup->epsilon = percent / 100;
    return exact ? check_exact(options, err) : SL_OK;
}

SlStatus map_search(const MapOptions *options, SlArena *arena, Map *map, SlError *err) {
    SlStatus status = set_method(options, arena, map, err);
    if (status == SL_OK) status = map_agents_read(options, map, err);
    if (status == SL_OK) status = check_warm(options, map, err);
    if (status == SL_OK) status = read_prove(options, map, err);
    return status;
}
