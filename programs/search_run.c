// search_run.c - a space of the user's own: what the options name, the run directory, the run.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "search_command.h"

// ---- what is to be done ----

static SlStatus read_agents(Search *search, SlError *err) {
    const char *text = search->options->agents;
    int64_t n = 0;
    int n_params = search->own.own.space.n_params;
    if (strcmp(text, "all") == 0) return SL_OK;
    if (sl_parse_int(text, 1, n_params, &n, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, the parameters of %s, got "
                       "'%.40s'",
                       n_params, search->own.own.name, text);
    if (!search->own.method->learns)
        return sl_fail(err, SL_EINPUT, "--agents: %s has no agents", search->own.method->name);
    search->own.choice.n_agents = (int)n;
    return SL_OK;
}

static SlStatus read_method(Search *search, SlError *err) {
    SlError inside;
    const SearchOptions *options = search->options;
    void *set = NULL;
    SlStatus status = sl_method_open(options->method, &search->own.method, err);
    if (status != SL_OK) return status;
    status = sl_method_options(search->own.method, options->set, search->arena, &set, &inside);
    search->own.options = set;
    return status == SL_OK ? read_agents(search, err)
                           : sl_fail(err, status, "--set: %s", inside.text);
}

SlStatus search_plan(Search *search, const char *path, SlError *err) {
    const SearchOptions *options = search->options;
    SlOwnSearch *own = &search->own;
    *own = (SlOwnSearch){.program = {.command = options->evaluator,
                                     .copies = (int)options->program.copies,
                                     .timeout_s = options->program.timeout},
                         .choice.assign = sl_assign_defaults(),
                         .seed = (uint64_t)options->seed,
                         .budget = {.samples = options->samples, .seconds = options->time}};
    own->choice.assign.samples = options->dataset;
    SlStatus status = sl_own_search_read(own, path, search->arena, err);
    if (status == SL_OK) status = read_method(search, err);
    if (status == SL_OK) status = sl_own_search_open(own, search->arena, err);
    if (status != SL_OK) return status;
    const char *fault = sl_method_check(own->method, own->task);
    return fault ? sl_fail(err, SL_EINPUT, "--method %s: %s", own->method->name, fault) : SL_OK;
}

// ---- the run directory ----

static void add_key(const Search *search, SlDoc *doc) {
    const SearchOptions *options = search->options;
    sl_doc_own_search(doc, &search->own);
    sl_doc_string(doc, "agents", NULL, options->agents);
    sl_doc_plain(doc, "dataset", (double)options->dataset);
    sl_doc_plain(doc, "samples", (double)options->samples);
    sl_doc_plain(doc, "time", options->time);
    sl_doc_plain(doc, "seed", (double)options->seed);
}

static SlStatus take_folder(Search *search, SlError *err) {
    static const char *const names[] = {"log.jsonl",   "search.json", "search.txt",
                                        "search.html", "curve.csv",   NULL};
    SlHeldRun held;
    bool alone = false;
    SlStatus status = run_lock(search->dir, &alone, err);
    if (status != SL_OK) return status;
    sl_folder_look(search->dir, &held);
    if (held.any && search->options->resume) return run_check(search->dir, &held, search->key, err);
    status = sl_folder_clear(search->dir, names, err);
    if (status != SL_OK) return status;
    SlDoc *doc = sl_doc_make(search->arena, "search-run", 1);
    sl_doc_string(doc, "key", NULL, search->key);
    sl_doc_open(doc, "setup", NULL);
    add_key(search, doc);
    sl_doc_close(doc);
    return run_write_doc(search->dir, "run.json", doc, err);
}

SlStatus search_open(Search *search, SlError *err) {
    char name[FILE_NAME_ROOM], title[FILE_NAME_ROOM + 16], path[SL_FOLDER_PATH];
    SlDoc *setup = sl_doc_make(search->arena, "search-run", 1);
    add_key(search, setup);
    run_doc_key(sl_task_name(search->own.task), setup, search->key);
    folder_file_name(search->own.own.name, name);
    snprintf(title, sizeof title, "search-%s", name);
    SlStatus status = run_open(search->call, title, search->key, INT64_MAX, &search->dir, err);
    if (status != SL_OK || !search->dir) return status;
    status = take_folder(search, err);
    if (status != SL_OK) return status;
    sl_folder_path(search->dir, "log.jsonl", path);
    return sl_log_open(path, search->arena, &search->own.log, err);
}

// ---- the run ----

typedef struct {
    bool live;
    bool shown; // a line stands there
    double last;
} Line;

static bool watch(void *context, const SlEvent *event) {
    Line *line = context;
    char count[SL_UNIT_ROOM];
    double now = sl_clock_seconds();
    if (line->live && event->kind != SL_EVENT_END && now - line->last >= 0.1) {
        line->last = now;
        line->shown = true;
        fprintf(stderr, "\r%s evaluations, %lld failed | best %.6g\033[K",
                sl_unit_show(SL_UNIT_COUNT, (double)event->samples, count),
                (long long)event->failures, event->value);
        fflush(stderr);
    }
    return interrupt_caught() != 0;
}

SlStatus search_run(Search *search, SlError *err) {
    Interrupt interrupt;
    Line line = {.live = isatty(STDERR_FILENO) && !search->call->common->quiet,
                 .last = sl_clock_seconds()};
    interrupt_begin(&interrupt);
    SlStatus status = sl_own_search_run(&search->own, watch, &line, search->arena, err);
    search->signal = interrupt_caught();
    interrupt_end(&interrupt);
    if (line.shown) fputs("\r\033[K", stderr);
    return status;
}
