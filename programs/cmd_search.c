// cmd_search.c - `starling search`: the best point of a space of the user's own, evaluated by a
// program of the user's.
#include <unistd.h>

#include "search_command.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(SearchOptions, "evaluator", evaluator, NULL, "PROGRAM",
                "command that evaluates points: one JSON line per request, one per reply",
                .letter = 'e'),
    EVALUATOR_OPTIONS(SearchOptions),
    SL_OPT_TEXT(SearchOptions, "method", method, "marl", "NAME|FILE.so",
                "search method; see 'starling list methods'", .letter = 'm'),
    SL_OPT_TEXT(SearchOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of the search method; see 'starling list methods NAME'"),
    SL_OPT_TEXT(SearchOptions, "agents", agents, "all", "B|all",
                "agents of multi-agent methods: all (one per parameter), or B that share the "
                "parameters by correlation"),
    SL_OPT_WHOLE(
        SearchOptions, "dataset", dataset, "40", 20, 1e7, "N",
        "random evaluations for the correlations; not part of --samples (with --agents B)"),
    SL_OPT_WHOLE(SearchOptions, "samples", samples, "100", 1, 1e9, "N", "evaluations",
                 .letter = 'n'),
    SL_OPT_REAL(SearchOptions, "time", time, NULL, 0, 1e9, "SECONDS",
                "time limit. Results then depend on the machine", .letter = 't'),
    SL_OPT_FLAG(SearchOptions, "resume", resume, "continue an earlier run of the same command",
                .fallback = "true"),
    SL_OPT_WHOLE(SearchOptions, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds ask for identical points", .letter = 's'),
    COMMON_OPTIONS,
    {0},
};

static const char *conflict(const SearchOptions *options, const SlWords *words) {
    if (words->n != 1)
        return "expected one file with a space, such as 'starling search space.yaml --evaluator "
               "./simulate.py'";
    if (!options->evaluator)
        return "--evaluator: expected a command that evaluates points; see 'starling search "
               "--help'";
    return NULL;
}

// what went on, for people; never part of the results
static void tell(const Search *search) {
    const Call *call = search->call;
    const SlRecord *record = &search->own.record;
    int64_t asked = record->samples - record->replayed - record->repeats;
    char count[SL_UNIT_ROOM], seconds[SL_UNIT_ROOM];
    if (!search->dir && !isatty(STDERR_FILENO)) return;
    call_note(call, "%s evaluations in %s", sl_unit_show(SL_UNIT_COUNT, (double)asked, count),
              sl_unit_show(SL_UNIT_SECONDS, record->seconds, seconds));
    if (record->replayed > 0)
        call_note(call, "%s more were in the log already",
                  sl_unit_show(SL_UNIT_COUNT, (double)record->replayed, count));
    if (search->signal)
        call_note(call, "Interrupted.%s",
                  search->own.log ? " Rerun the command to resume from the log." : "");
    if (search->dir)
        call_note(call, "Written to %s: search.html, search.txt, search.json, curve.csv, log.jsonl",
                  search->dir);
}

static int deliver(const Search *search) {
    SlError err;
    const SlDoc *doc = sl_report_search(&search->own, search->arena);
    SlStatus status = search->dir ? call_write_files(doc, search->dir, "search", &err) : SL_OK;
    if (status != SL_OK) return call_fail(search->call, status, &err);
    int code =
        call_show(search->call, doc, search->signal ? CODE_SIGNAL + search->signal : CODE_DONE);
    tell(search);
    return code;
}

static int run(Call *call) {
    const SearchOptions *options = call->options;
    const char *reason = conflict(options, &call->words);
    SlError err;
    if (reason) return call_refuse(call, "%s", reason);
    Search search = {.call = call, .options = options, .arena = call->arena};
    SlStatus status = search_plan(&search, call->words.words[0], &err);
    if (status == SL_OK) status = search_open(&search, &err);
    if (status == SL_OK) status = search_run(&search, &err);
    int code = status == SL_OK ? deliver(&search) : call_fail(call, status, &err);
    sl_own_search_close(&search.own);
    sl_log_close(search.own.log);
    return code;
}

const Command cmd_search = {
    .name = "search",
    .summary = "search a parameter space of your own with your own evaluator",
    .usage = "search SPACE.yaml --evaluator PROGRAM [OPTION...]",
    .about =
        "Searches a parameter space of your own for the point with the smallest value. SPACE.yaml "
        "lists\n"
        "parameters (ordinal, categorical, permutation) and rules that a point must obey\n"
        "(docs/formats/space.md). PROGRAM is any command: it reads one JSON line per request and "
        "writes one\n"
        "per reply (docs/formats/evaluator.md). A request that fails counts as a sample with its "
        "reason.\n\n"
        "The run directory is the DIR of --out, else starling-runs/search-NAME (none with --json "
        "alone). It\n"
        "holds search.json, search.txt, and log.jsonl with every reply. After Ctrl-C, SIGTERM "
        "(exit codes\n"
        "130 and 143) or kill -9, rerun the command to resume: no answered request is repeated.",
    .examples = "starling search space.yaml --evaluator ./simulate.py\n"
                "starling search space.yaml --evaluator './simulate --fast' --samples 30 "
                "--evaluator-copies 4\n"
                "starling search space.yaml --evaluator ./simulate.py --method bo --seed 2\n"
                "starling search space.yaml --evaluator ./simulate.py --method ./mine.so",
    .options = options_table,
    .options_bytes = sizeof(SearchOptions),
    .run = run,
};
