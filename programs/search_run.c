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
    if (strcmp(text, "all") == 0) return SL_OK;
    if (sl_parse_int(text, 1, SL_MAX_PARAMS, &n, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, got '%.40s'",
                       SL_MAX_PARAMS, text);
    if (!search->method->learns)
        return sl_fail(err, SL_EINPUT, "--agents: %s has no agents", search->method->name);
    search->n_agents = (int)n;
    return SL_OK;
}

static SlStatus read_method(Search *search, SlError *err) {
    SlError inside;
    const SearchOptions *options = search->options;
    SlStatus status = sl_method_open(options->method, &search->method, err);
    if (status != SL_OK) return status;
    status = sl_method_options(search->method, options->set, search->arena, &search->method_options,
                               &inside);
    return status == SL_OK ? read_agents(search, err)
                           : sl_fail(err, status, "--set: %s", inside.text);
}

// A space whose rules no point obeys is worth a word before anything is asked.
static SlStatus check_rules(const Search *search, SlError *err) {
    enum { DRAWS = 20000 };
    int32_t point[SL_MAX_PARAMS];
    SlRng rng;
    sl_rng_init(&rng, 1, "rules");
    for (int i = 0; i < DRAWS; i++) {
        sl_space_sample(&search->own.space, &rng, point);
        if (!sl_rules_broken(search->own.rules, &search->own.space, point)) return SL_OK;
    }
    return sl_fail(err, SL_EINPUT, "%s: none of %d random points obeys the rules", search->own.name,
                   DRAWS);
}

SlStatus search_plan(Search *search, const char *path, SlError *err) {
    const SearchOptions *options = search->options;
    SlStatus status = sl_own_space_read(path, search->arena, &search->own, err);
    if (status == SL_OK) status = check_rules(search, err);
    if (status == SL_OK) status = read_method(search, err);
    if (status != SL_OK) return status;
    search->process = (SlProcessOptions){.program = {.command = options->evaluator,
                                                     .copies = (int)options->program.copies,
                                                     .timeout_s = options->program.timeout},
                                         .rules = search->own.rules};
    search->setup = (SlTaskSetup){.kind = &sl_kind_process,
                                  .space = &search->own.space,
                                  .goal.weight[SL_LATENCY] = 1,
                                  .options = &search->process};
    status = sl_task_make(&search->setup, search->arena, &search->task, err);
    if (status != SL_OK) return status;
    const char *fault = sl_method_check(search->method, search->task);
    return fault ? sl_fail(err, SL_EINPUT, "--method %s: %s", search->method->name, fault) : SL_OK;
}

// ---- the run directory ----

static void add_key(const Search *search, SlDoc *doc) {
    const SearchOptions *options = search->options;
    search_add_setup(search, doc);
    sl_doc_string(doc, "agents", NULL, options->agents);
    sl_doc_number(doc, "dataset", NULL, SL_UNIT_PLAIN, (double)options->dataset);
    sl_doc_number(doc, "samples", NULL, SL_UNIT_PLAIN, (double)options->samples);
    sl_doc_number(doc, "time", NULL, SL_UNIT_PLAIN, options->time);
    sl_doc_number(doc, "seed", NULL, SL_UNIT_PLAIN, (double)options->seed);
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
    run_doc_key(sl_task_name(search->task), setup, search->key);
    folder_file_name(search->own.name, name);
    snprintf(title, sizeof title, "search-%s", name);
    SlStatus status = run_open(search->call, title, search->key, INT64_MAX, &search->dir, err);
    if (status != SL_OK || !search->dir) return status;
    status = take_folder(search, err);
    if (status != SL_OK) return status;
    sl_folder_path(search->dir, "log.jsonl", path);
    return sl_log_open(path, search->arena, &search->log, err);
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

static SlStatus assign(Search *search, SlError *err) {
    SlAssignSetup setup = sl_assign_defaults();
    setup.samples = search->options->dataset;
    setup.seed = (uint64_t)search->options->seed;
    return sl_agents_assign(&search->setup, &setup, search->n_agents, search->arena,
                            &search->agents, &search->assign_samples, err);
}

SlStatus search_run(Search *search, SlError *err) {
    const SearchOptions *options = search->options;
    Interrupt interrupt;
    Line line = {.live = isatty(STDERR_FILENO) && !options->common.quiet,
                 .last = sl_clock_seconds()};
    SlRunSetup setup = {.task = search->task,
                        .method = search->method,
                        .options = search->method_options,
                        .agents = &search->agents,
                        .seed = (uint64_t)options->seed,
                        .stream = search->own.name,
                        .budget = {.samples = options->samples, .seconds = options->time},
                        .start = SL_START_NONE,
                        .log = search->log};
    interrupt_begin(&interrupt);
    SlStatus status = assign(search, err);
    if (status == SL_OK) status = sl_run(&setup, watch, &line, search->arena, &search->record, err);
    search->signal = interrupt_caught();
    interrupt_end(&interrupt);
    if (line.shown) fputs("\r\033[K", stderr);
    return status;
}
