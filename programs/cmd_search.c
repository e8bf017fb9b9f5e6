// cmd_search.c - `starling search`: the best point of a space of the user's own, evaluated by a
// program of the user's.
#include <string.h>
#include <unistd.h>

#include "search_command.h"
#include "show.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(SearchOptions, "evaluator", evaluator, NULL, "PROGRAM",
                "command that evaluates points: one JSON line per request, one per reply",
                .letter = 'e'),
    EVALUATOR_OPTIONS(SearchOptions),
    SL_OPT_TEXT(SearchOptions, "method", method, "marl", "NAME|FILE.so",
                "search method; see 'starling list methods'", .letter = 'm'),
    SL_OPT_TEXT(SearchOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of the method; see 'starling list methods NAME'"),
    SL_OPT_TEXT(SearchOptions, "agents", agents, "all", "B|all",
                "agents of methods that have them: one per parameter, or B by correlations"),
    SL_OPT_WHOLE(
        SearchOptions, "dataset", dataset, "40", 4, 1e7, "N",
        "with --agents B: random evaluations that the correlations come from, counted apart"),
    SL_OPT_WHOLE(SearchOptions, "samples", samples, "100", 1, 1e9, "N", "evaluations",
                 .letter = 'n'),
    SL_OPT_REAL(SearchOptions, "time", time, NULL, 0, 1e9, "SECONDS",
                "time limit; what is found then depends on the machine", .letter = 't'),
    SL_OPT_FLAG(SearchOptions, "resume", resume, "go on from what the same command left",
                .fallback = "true"),
    SL_OPT_WHOLE(SearchOptions, "seed", seed, "1", 0, 9e15, "S",
                 "of all random numbers; the same seed asks for the same points", .letter = 's'),
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "search SPACE.yaml --evaluator PROGRAM [OPTION...]",
    .about =
        "Searches a space of your own for the point with the least value. SPACE.yaml lists "
        "parameters\n(ordinal, categorical, permutation) and rules that a point must obey "
        "(docs/formats/space.md).\nPROGRAM is any command: it reads one JSON line per request and "
        "writes one per reply\n(docs/formats/evaluator.md). A request that fails is a sample with "
        "its reason, and the search\ngoes on.\n\n"
        "The run directory is the DIR of --out, else starling-runs/search-NAME (none with --json "
        "alone):\nsearch.json, search.txt, and log.jsonl with every reply, from which the same "
        "command goes on\nafter Ctrl-C, SIGTERM (exit codes 130 and 143) or kill -9: nothing that "
        "was answered is asked again.",
    .options = options_table,
    .examples = "starling search space.yaml --evaluator ./simulate.py\n"
                "starling search space.yaml --evaluator './simulate --fast' --samples 30 "
                "--evaluator-copies 4\n"
                "starling search space.yaml --evaluator ./simulate.py --method bo --seed 2\n"
                "starling search space.yaml --evaluator ./simulate.py --method ./mine.so",
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
    const CommonOptions *common = &search->options->common;
    const SlRecord *record = &search->record;
    char count[32], seconds[SHOW_ROOM];
    if (!search->dir && !isatty(STDERR_FILENO)) return;
    command_note(
        common, "%s evaluations in %s",
        sl_show_count((double)(record->samples - record->replayed - record->repeats), count),
        show_seconds(record->seconds, seconds));
    if (record->replayed > 0)
        command_note(common, "%s more were in the log already",
                     sl_show_count((double)record->replayed, count));
    if (search->signal)
        command_note(common, "Interrupted.%s",
                     search->log ? " The same command again goes on from the log." : "");
    if (search->dir)
        command_note(common, "Written to %s: search.txt, search.json, log.jsonl", search->dir);
}

static int deliver(Search *search) {
    SlText text, json;
    SlError err;
    sl_text_init(&text, search->arena);
    sl_text_init(&json, search->arena);
    search_text(search, &text);
    if (text.failed) command_no_memory();
    SlStatus status = sl_json_print(search_json(search), &json, &err);
    if (status == SL_OK && search->dir) status = search_write(search, &text, &json, &err);
    if (status != SL_OK) return command_fail(status, &err);
    const SlText *shown = search->options->common.json ? &json : &text;
    int code = command_print(shown->data, shown->n,
                             search->signal ? CODE_SIGNAL + search->signal : CODE_DONE);
    tell(search);
    return code;
}

int cmd_search(int argc, const char *const *argv) {
    SearchOptions options;
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    const char *reason = conflict(&options, &words);
    if (reason) return command_refuse("%s", reason);
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    Search search = {.options = &options, .arena = &arena};
    SlStatus status = search_plan(&search, words.words[0], &err);
    if (status == SL_OK) status = search_open(&search, &err);
    if (status == SL_OK) status = search_run(&search, &err);
    code = status == SL_OK ? deliver(&search) : command_fail(status, &err);
    sl_task_close(search.task);
    sl_log_close(search.log);
    sl_arena_free(&arena);
    return code;
}
