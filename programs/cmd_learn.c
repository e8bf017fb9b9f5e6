// cmd_learn.c - `starling learn`: teach a flock before, on many tasks of an evaluator.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "choices.h"
#include "interrupt.h"
#include "job_progress.h"
#include "learn_programs.h"
#include "run_folder.h"
#include "starling/job/rows.h"
#include "starling/job/teach.h"
#include "starling/report/flock_doc.h"

typedef struct {
    CommonOptions common;
    const char *accels;       // names or files, blanks between them; NULL = as the evaluator likes
    const char *objective;    // an objective, or weights
    const char *evaluator;    // native, maestro, vta, cpu, or a program
    const char *core;         // vta
    const char *method, *set; // NULL = the usual ones
    EvaluatorOptions program;
    SpaceChoice space;
    int machines;
    int64_t tasks, samples, rounds, round_samples, batch, seed, threads;
    double random;
    const char *macs; // "LEAST..MOST" of drawn layers, NULL = all
    bool resume;
    const char *critic; // options of the critic, NULL = none
    const char *rows;   // a file of measured nests, NULL = none
    const char *column; // its values, NULL = the last numbers
    const char *from;   // folders of earlier teachings, commas between them; NULL = none
} LearnOptions;

static const char *const machine_names[] = {"like", "fixed", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(LearnOptions, "evaluator", evaluator, "maestro", "NAME|PROGRAM",
                "cost model (maestro, native, or a PROGRAM of your own), or measurement of "
                "programs (vta, cpu)"),
    EVALUATOR_OPTIONS(LearnOptions),
    SL_OPT_TEXT(LearnOptions, "objective", objective, "edp", "NAME",
                "objective to minimise: latency, energy, edp, area, power, or a weighted product "
                "such as latency=2,energy=1",
                .letter = 'o'),
    SL_OPT_TEXT(
        LearnOptions, "accels", accels, NULL, "NAME,...",
        "accelerators, bundled names or YAML files (default: gamma168 with maestro, else eyeriss)",
        .letter = 'a'),
    SL_OPT_TEXT(LearnOptions, "core", core, NULL, "BxIxO",
                "BATCH, BLOCK_IN and BLOCK_OUT of the core (vta; default: 1x16x16)"),
    SL_OPT_CHOICE(LearnOptions, "machines", machines, NULL, machine_names, "WHICH",
                  "machines of the tasks: like (drawn around --accels, other sizes and rates) or "
                  "fixed (--accels themselves)"),
    SL_OPT_WHOLE(LearnOptions, "batch", batch, "1", 1, 1 << 30, "N", "batch size", .letter = 'b'),
    SL_OPT_WHOLE(
        LearnOptions, "tasks", tasks, "400", 0, 100000, "N",
        "training tasks, each a layer on a machine; 0 = every pair given, or none besides --from"),
    SL_OPT_TEXT(LearnOptions, "macs", macs, NULL, "LEAST..MOST",
                "range of multiply-accumulates of drawn layers, such as 2e5..6e6"),
    SL_OPT_WHOLE(LearnOptions, "samples", samples, "250", 2, 100000, "N",
                 "evaluations per task for the first flock", .letter = 'n'),
    SL_OPT_REAL(LearnOptions, "random", random, "0.25", 0, 1, "X",
                "share of these evaluations at uniformly random points"),
    SL_OPT_WHOLE(LearnOptions, "rounds", rounds, "1", 0, 100, "N",
                 "rounds in which the flock searches the tasks itself and is retrained"),
    SL_OPT_WHOLE(LearnOptions, "round-samples", round_samples, "50", 1, 100000, "N",
                 "evaluations per task in such a round"),
    SL_OPT_TEXT(LearnOptions, "method", method, NULL, "NAME",
                "search method before the first flock; see 'starling list methods' (default: marl; "
                "for programs " LEARN_PROGRAMS_METHOD ")",
                .letter = 'm'),
    SL_OPT_TEXT(LearnOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of this method; see 'starling list methods NAME' (default for "
                "programs: " LEARN_PROGRAMS_SET ")"),
    SL_OPT_TEXT(LearnOptions, "critic", critic, NULL, "NAME=VALUE,...",
                "options of the critic: members, trees, depth, rate, share, cap, bend, best, "
                "policies, rivals (docs/learn.md)"),
    SL_OPT_TEXT(LearnOptions, "from", from, NULL, "DIR,...",
                "folders of earlier 'starling learn' runs whose evaluations are reused; alone with "
                "--tasks 0 and no workload"),
    SL_OPT_TEXT(
        LearnOptions, "rows", rows, NULL, "FILE",
        "CSV file of measured nests to learn from instead of searching (docs/formats/eval-csv.md)"),
    SL_OPT_TEXT(LearnOptions, "column", column, NULL, "NAME",
                "column of the measured values in --rows (default: the last numeric one)"),
    SPACE_OPTIONS(LearnOptions),
    SL_OPT_FLAG(LearnOptions, "resume", resume,
                "continue an earlier run of the same command from its folder", .fallback = "true"),
    SL_OPT_WHOLE(LearnOptions, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds give identical output", .letter = 's'),
    SL_OPT_WHOLE(LearnOptions, "threads", threads, "0", 0, 1024, "N",
                 "tasks in parallel; 0 = one per core. Results do not depend on it", .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

enum { MOST_ACCELS = 64, MOST_FROM = 64 };

// What the options name.
typedef struct {
    const LearnOptions *options;
    SlArena *arena;
    SlTeachSetup setup;
    SlAccel accels[MOST_ACCELS];
    SlLayer *layers;
    SlConstraints constraints;
    SlProcessOptions process;
    LearnPrograms programs;
    const char *method, *set; // as given, or the usual ones
    char source[512];
    char key[SL_FOLDER_KEY];
    const char *dir; // NULL = none
    bool fresh;      // there was no such run in it
    SlTeaching *teaching;
    SlRows rows; // of --rows
    char *from[MOST_FROM];
} Learn;

// ---- what is to be done ----

static SlStatus read_accels(Learn *learn, SlError *err) {
    bool maestro = learn->setup.kind == &sl_kind_maestro;
    const char *names = learn->options->accels;
    char list[1024];
    snprintf(list, sizeof list, "%s", names ? names : maestro ? "gamma168" : "eyeriss");
    char *rest = NULL;
    SlStatus status = SL_OK;
    for (char *name = strtok_r(list, ",", &rest); name && status == SL_OK;
         name = strtok_r(NULL, ",", &rest)) {
        if (learn->setup.n_accels == MOST_ACCELS)
            return sl_fail(err, SL_EINPUT, "--accels: expected at most %d", MOST_ACCELS);
        status = sl_accel_find(name, learn->arena, &learn->accels[learn->setup.n_accels++], err);
    }
    learn->setup.accels = learn->accels;
    learn->setup.vary = learn->options->machines == 0;
    return status;
}

// the distinct layers of all workloads
static SlStatus read_layers(Learn *learn, const SlWords *words, SlError *err) {
    SlTeachSetup *setup = &learn->setup;
    enum { MOST_LAYERS = 4096 };
    if (words->n == 0) return SL_OK;
    learn->layers = call_need(SL_NEW(learn->arena, MOST_LAYERS, SlLayer));
    for (int w = 0; w < words->n; w++) {
        SlNetwork net;
        SlStatus status =
            sl_workload_find(words->words[w], learn->options->batch, learn->arena, &net, err);
        if (status != SL_OK) return status;
        for (int i = 0; i < net.n_layers; i++) {
            bool known = false;
            for (int k = 0; k < setup->n_layers && !known; k++)
                known = sl_layer_same(&learn->layers[k], &net.layers[i]);
            if (!known && setup->n_layers < MOST_LAYERS)
                learn->layers[setup->n_layers++] = net.layers[i];
        }
    }
    setup->layers = learn->layers;
    return SL_OK;
}

// the folders of --from
static SlStatus read_from(Learn *learn, SlError *err) {
    SlTeachSetup *setup = &learn->setup;
    const char *names = learn->options->from;
    char *rest = NULL;
    if (!names) return SL_OK;
    char *list = call_need(sl_arena_text(learn->arena, names, strlen(names)));
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (setup->n_from == MOST_FROM)
            return sl_fail(err, SL_EINPUT, "--from: expected at most %d folders", MOST_FROM);
        learn->from[setup->n_from++] = name;
    }
    setup->from = (const char *const *)learn->from;
    return setup->n_from > 0 ? SL_OK : sl_fail(err, SL_EINPUT, "--from: expected a folder");
}

static SlStatus read_method(Learn *learn, SlError *err) {
    const LearnOptions *options = learn->options;
    SlError inside;
    void *set = NULL;
    const char *usual = learn->setup.kind->maps ? "marl" : LEARN_PROGRAMS_METHOD;
    learn->method = options->method ? options->method : usual;
    learn->set = options->set;
    if (!options->set && strcmp(learn->method, usual) == 0)
        learn->set = learn->setup.kind->maps ? NULL : LEARN_PROGRAMS_SET;
    SlStatus status = sl_method_open(learn->method, &learn->setup.method, err);
    if (status != SL_OK) return status;
    status = sl_method_options(learn->setup.method, learn->set, learn->arena, &set, &inside);
    learn->setup.options = set;
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--set: %s", inside.text);
}

static SlStatus read_critic(Learn *learn, SlError *err) {
    char list[512], *rest = NULL;
    SlTeachOptions *teach = &learn->setup.teach;
    sl_options_init(sl_teach_options, teach);
    // hundreds of rows, spread over all that can be measured (docs/studies/gemmini-rtl.md)
    if (learn->options->rows) {
        teach->trees = 500;
        teach->depth = 6;
        teach->rate = 0.03;
        teach->cap = 100;
        teach->bend = 1;
        teach->kind = &sl_kind_process;
    }
    teach->source = learn->source;
    snprintf(list, sizeof list, "%s", learn->options->critic ? learn->options->critic : "");
    for (char *pair = strtok_r(list, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(pair, '=');
        SlError inside;
        if (!value)
            return sl_fail(err, SL_EINPUT, "--critic: expected NAME=VALUE, got '%.40s'", pair);
        *value++ = '\0';
        if (sl_options_set(sl_teach_options, teach, pair, value, &inside) != SL_OK)
            return sl_fail(err, SL_EINPUT, "--critic: %s", inside.text);
    }
    return SL_OK;
}

// "2e5..6e6"
static SlStatus read_macs(Learn *learn, bool drawn, SlError *err) {
    const char *text = learn->options->macs;
    double *macs = learn->setup.macs;
    char least[32];
    if (!text) return SL_OK;
    if (!drawn)
        return sl_fail(err, SL_EINPUT, "--macs: expected no workload, it applies to drawn layers");
    const char *dots = strstr(text, "..");
    size_t n = dots ? (size_t)(dots - text) : sizeof least;
    SlError inside;
    if (n < sizeof least) {
        snprintf(least, sizeof least, "%.*s", (int)n, text);
        if (sl_parse_real(least, 1, 1e15, &macs[0], &inside) == SL_OK &&
            sl_parse_real(dots + 2, macs[0], 1e15, &macs[1], &inside) == SL_OK)
            return SL_OK;
    }
    return sl_fail(err, SL_EINPUT, "--macs: expected LEAST..MOST such as 2e5..6e6, got '%.40s'",
                   text);
}

static void describe(Learn *learn, const SlWords *words) {
    const LearnOptions *options = learn->options;
    size_t used = 0, room = sizeof learn->source;
    char *out = learn->source;
    if (words->n == 0)
        used = (size_t)snprintf(out, room, "layers%s%.40s%s drawn as docs/learn.md says",
                                options->macs ? " of " : "", options->macs ? options->macs : "",
                                options->macs ? " MACs" : "");
    for (int w = 0; w < words->n && used < room; w++)
        used += (size_t)snprintf(out + used, room - used, w ? ", %.60s" : "layers of %.60s",
                                 words->words[w]);
    if (used < room && !learn->setup.kind->maps)
        snprintf(out + used, room - used, "; seed %lld", (long long)options->seed);
    else if (used < room)
        snprintf(out + used, room - used, " on machines %s %.100s; seed %lld",
                 options->machines == 0 ? "drawn like" : "as they are:",
                 options->accels ? options->accels : learn->accels[0].name,
                 (long long)options->seed);
}

// copies of the program serve tasks side by side: most methods ask for one point at a time
static void set_program(Learn *learn) {
    SlProcessOptions *process = &learn->process;
    sl_evaluator_close(process->shared);
    process->shared = NULL;
    process->program.copies = 1;
    learn->setup.kind_options = process;
    learn->setup.apart = (int)learn->options->program.copies;
}

static SlStatus read_evaluator(Learn *learn, SlError *err) {
    const LearnOptions *options = learn->options;
    SlTeachSetup *setup = &learn->setup;
    const SlTaskKind *programs = learn_programs_kind(options->evaluator);
    if (programs) return learn_programs_read(programs, options->core, &learn->programs, setup, err);
    SlStatus status = choices_read_goal(options->objective, &setup->goal, err);
    if (status == SL_OK)
        status = choices_read_evaluator(options->evaluator, &options->program, &learn->process,
                                        &setup->kind, err);
    if (setup->kind == &sl_kind_process) set_program(learn);
    return status;
}

static SlStatus plan(Learn *learn, const SlWords *words, SlError *err) {
    const LearnOptions *options = learn->options;
    SlTeachSetup *setup = &learn->setup;
    *setup = (SlTeachSetup){.tasks = options->tasks,
                            .samples = options->samples,
                            .random = options->random,
                            .rounds = options->rounds,
                            .round_samples = options->round_samples,
                            .seed = (uint64_t)options->seed};
    SlStatus status = read_evaluator(learn, err);
    if (status != SL_OK) return status;
    if (options->batch != 1 && words->n == 0)
        return sl_fail(err, SL_EINPUT,
                       "--batch: expected a workload too; drawn layers have batches of their own");
    if (options->tasks == 0 && words->n == 0 && !options->from)
        return sl_fail(err, SL_EINPUT, "--tasks: expected at least 1 without a workload");
    if (setup->kind->maps) status = read_accels(learn, err);
    if (status == SL_OK) status = read_layers(learn, words, err);
    if (status == SL_OK) status = read_from(learn, err);
    if (status == SL_OK) status = read_method(learn, err);
    if (status == SL_OK) status = read_critic(learn, err);
    if (status == SL_OK) status = read_macs(learn, words->n == 0, err);
    if (status == SL_OK)
        status = choices_read_space(&options->space, learn->arena, &learn->constraints,
                                    &setup->space, err);
    describe(learn, words);
    return status;
}

// ---- the run directory ----

static void put_setup(const Learn *learn, SlDoc *doc) {
    const LearnOptions *options = learn->options;
    sl_doc_string(doc, "rows", NULL, options->rows);
    sl_doc_string(doc, "column", NULL, options->column);
    sl_doc_string(doc, "from", NULL, options->from);
    sl_doc_string(doc, "evaluator", NULL, options->evaluator);
    sl_doc_string(doc, "objective", NULL, options->objective);
    sl_doc_string(doc, "core", NULL, options->core);
    sl_doc_string(doc, "source", NULL, learn->source);
    sl_doc_string(doc, "space", NULL, sl_space_names[options->space.preset]);
    sl_doc_string(doc, "open", NULL, options->space.open);
    sl_doc_string(doc, "constraints", NULL, options->space.constraints);
    sl_doc_plain(doc, "batch", (double)options->batch);
    sl_doc_string(doc, "method", NULL, learn->method);
    sl_doc_string(doc, "set", NULL, learn->set);
    sl_doc_string(doc, "critic", NULL, options->critic);
    if (options->macs) sl_doc_string(doc, "macs", NULL, options->macs);
    sl_doc_plain(doc, "tasks", (double)options->tasks);
    sl_doc_plain(doc, "samples", (double)options->samples);
    sl_doc_plain(doc, "random", options->random);
    sl_doc_plain(doc, "rounds", (double)options->rounds);
    sl_doc_plain(doc, "round_samples", (double)options->round_samples);
    sl_doc_plain(doc, "seed", (double)options->seed);
}

// run.json last: without it there is no run
static const char *const files[] = {SL_LESSONS_FILE, SL_FLOCK_FILE, "learn.json", "learn.txt",
                                    "learn.html",    "run.json",    NULL};

static SlStatus take_folder(Learn *learn, SlError *err) {
    SlHeldRun held;
    bool alone = false;
    SlStatus status = run_lock(learn->dir, &alone, err);
    if (status != SL_OK) return status;
    sl_folder_look(learn->dir, &held);
    if (held.any && learn->options->resume) return run_check(learn->dir, &held, learn->key, err);
    status = sl_folder_clear(learn->dir, files, err);
    if (status != SL_OK) return status;
    learn->fresh = true;
    SlDoc *doc = sl_doc_make(learn->arena, "learn-run", 1);
    sl_doc_string(doc, "key", NULL, learn->key);
    put_setup(learn, doc);
    return run_write_doc(learn->dir, "run.json", doc, err);
}

// a run that failed before anything of it was kept leaves nothing that would refuse another one
static void drop_folder(const Learn *learn) {
    const SlTeaching *teaching = learn->teaching;
    bool kept = teaching && sl_teaching_samples(teaching) > sl_teaching_resumed(teaching);
    if (!learn->fresh || kept) return;
    sl_folder_clear(learn->dir, files, NULL);
    rmdir(learn->dir); // where nothing else is in it
}

static SlStatus open_folder(const Call *call, Learn *learn, SlError *err) {
    char name[FILE_NAME_ROOM], title[2 * FILE_NAME_ROOM];
    SlDoc *setup = sl_doc_make(learn->arena, "learn-run", 1);
    put_setup(learn, setup);
    run_doc_key("", setup, learn->key);
    folder_file_name(learn->options->rows ? "rows" : learn->options->evaluator, name);
    bool goal = learn->options->rows || learn->setup.kind->maps;
    snprintf(title, sizeof title, "learn-%s%s%.40s", name, goal ? "-" : "",
             goal ? learn->options->objective : "");
    SlStatus status = run_open(call, title, learn->key, INT64_MAX, &learn->dir, err);
    return status == SL_OK && learn->dir ? take_folder(learn, err) : status;
}

// once it is known that there is something to teach: a run that is refused leaves no folder
static SlStatus open_teaching(const Call *call, Learn *learn, SlError *err) {
    char path[SL_FOLDER_PATH];
    SlStatus status = sl_teaching_open(&learn->setup, learn->arena, &learn->teaching, err);
    if (status == SL_OK) status = open_folder(call, learn, err);
    if (status != SL_OK || !learn->dir) return status;
    sl_folder_path(learn->dir, SL_LESSONS_FILE, path);
    return sl_teaching_set_file(learn->teaching, path, err);
}

// ---- the run ----

static bool watch(void *context, const SlEvent *event) {
    progress_event(context, event);
    return interrupt_caught() != 0;
}

static void show_value(const void *context, double value, size_t n, char *out) {
    (void)context;
    snprintf(out, n, "%.4g", value);
}

static SlStatus teach(Learn *learn, SlFlock **flock, int *signal, SlError *err) {
    Interrupt interrupt;
    SlPool *pool = call_need(sl_pool_make((int)learn->options->threads));
    ProgressSetup shown = {.quiet = learn->options->common.quiet,
                           .items = "tasks",
                           .samples = (double)learn->options->samples,
                           .show = show_value};
    int workers = sl_pool_threads(pool), apart = learn->setup.apart;
    Progress *progress = progress_make(&shown, apart > workers ? apart : workers, learn->arena);
    interrupt_begin(&interrupt);
    SlStatus status =
        sl_teaching_run(learn->teaching, pool, watch, progress, learn->arena, flock, err);
    *signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(progress);
    sl_pool_free(pool);
    return status;
}

static int64_t n_resumed(const Learn *learn) {
    return learn->teaching ? sl_teaching_resumed(learn->teaching) : 0;
}

static int deliver(const Call *call, const Learn *learn, const SlFlock *flock) {
    char path[SL_FOLDER_PATH], note[64] = "";
    SlError err;
    SlStatus status = SL_OK;
    SlDoc *doc = sl_report_flock(flock, learn->dir ? learn->dir : "taught", learn->arena);
    if (learn->dir) {
        sl_folder_path(learn->dir, SL_FLOCK_FILE, path);
        status = sl_flock_write(flock, path, &err);
        if (status == SL_OK) status = call_write_files(doc, learn->dir, "learn", &err);
    }
    if (status != SL_OK) return call_fail(call, status, &err);
    int code = call_show(call, doc, CODE_DONE);
    int64_t resumed = n_resumed(learn);
    if (resumed > 0) snprintf(note, sizeof note, ", %lld from before", (long long)resumed);
    if (learn->dir)
        call_note(call,
                  "%lld evaluations%s. Written to %s: " SL_FLOCK_FILE "; use it with --flock %s",
                  (long long)sl_flock_info(flock)->evaluations, note, learn->dir, learn->dir);
    return code;
}

// ---- rows that somebody measured ----

static SlStatus plan_rows(Learn *learn, const SlWords *words, SlError *err) {
    const LearnOptions *options = learn->options;
    SlTeachSetup *setup = &learn->setup;
    if (words->n > 0)
        return sl_fail(err, SL_EINPUT, "--rows: expected no workload, the file has the layers");
    if (!options->accels)
        return sl_fail(err, SL_EINPUT,
                       "--rows: expected --accels too, with the machine that was measured");
    setup->kind = &sl_kind_native;
    SlStatus status = choices_read_goal(options->objective, &setup->goal, err);
    if (status == SL_OK) status = read_accels(learn, err);
    if (status == SL_OK) status = read_critic(learn, err);
    if (status == SL_OK && setup->n_accels != 1)
        return sl_fail(err, SL_EINPUT,
                       "--accels: expected one accelerator, the one that was measured");
    setup->teach.seed = (uint64_t)options->seed;
    snprintf(learn->source, sizeof learn->source, "rows of %.200s on %.60s; seed %lld",
             options->rows, learn->accels[0].name, (long long)options->seed);
    return status;
}

static int work_on_rows(const Call *call, Learn *learn) {
    SlError err;
    SlFlock *flock = NULL;
    SlStatus status = plan_rows(learn, &call->words, &err);
    SlRowsSetup setup = {.path = learn->options->rows,
                         .column = learn->options->column,
                         .accel = &learn->accels[0],
                         .goal = learn->setup.goal};
    if (status == SL_OK) status = sl_rows_read(&setup, learn->arena, &learn->rows, &err);
    if (status == SL_OK) status = open_folder(call, learn, &err);
    SlPool *pool = call_need(sl_pool_make((int)learn->options->threads));
    if (status == SL_OK)
        status = sl_flock_teach(learn->rows.n_tasks, learn->rows.lessons, &learn->setup.teach, pool,
                                learn->arena, &flock, &err);
    sl_pool_free(pool);
    if (status == SL_OK) return deliver(call, learn, flock);
    drop_folder(learn);
    return call_fail(call, status, &err);
}

static int work(const Call *call, Learn *learn) {
    SlError err;
    SlFlock *flock = NULL;
    int signal = 0;
    SlStatus status = plan(learn, &call->words, &err);
    if (status == SL_OK) status = open_teaching(call, learn, &err);
    if (status == SL_OK) status = teach(learn, &flock, &signal, &err);
    if (status != SL_OK) drop_folder(learn);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (flock) return deliver(call, learn, flock);
    call_note(call, "Interrupted: %lld evaluations are kept.%s",
              (long long)sl_teaching_samples(learn->teaching),
              learn->dir ? " Rerun the command to resume." : "");
    return CODE_SIGNAL + signal;
}

static int run(Call *call) {
    Learn *learn = call_need(SL_NEW(call->arena, 1, Learn));
    learn->options = call->options;
    learn->arena = call->arena;
    const char *rows = learn->options->rows;
    if (!rows && learn->options->column) return call_refuse(call, "--column: expected --rows too");
    const SlTaskKind *programs = learn_programs_kind(learn->options->evaluator);
    char where[64];
    snprintf(where, sizeof where, "--evaluator %.40s", learn->options->evaluator);
    int code =
        rows ? call_refuse_idle(
                   call,
                   "evaluator evaluator-copies evaluator-timeout from machines "
                   "batch tasks macs samples random rounds round-samples method set space "
                   "open constraints core",
                   "--rows")
             : call_refuse_idle(call, programs ? learn_programs_idle(programs) : "core", where);
    if (code != CODE_DONE) return code;
    code = rows ? work_on_rows(call, learn) : work(call, learn);
    if (rows) sl_rows_close(&learn->rows);
    sl_teaching_close(learn->teaching);
    sl_evaluator_close(learn->process.shared);
    return code;
}

const Command cmd_learn = {
    .name = "learn",
    .summary = "pre-train search agents (a flock) on many layers and machines",
    .usage = "learn [WORKLOAD...] [OPTION...]",
    .about =
        "Pre-trains search agents (a flock) on many tasks, each a layer on a machine. Searches "
        "every task\n"
        "briefly, trains a central critic on the results, lets the agents search the tasks "
        "themselves, and\n"
        "trains again. 'starling map --flock DIR' then needs few evaluations on unseen layers and "
        "machines.\n\n"
        "WORKLOADs are what 'starling map' takes; without any, layers are drawn (docs/learn.md). "
        "The run\n"
        "directory is the DIR of --out, else starling-runs/learn-EVALUATOR-OBJECTIVE. It holds\n"
        "taught.flock, learn.txt, learn.json, learn.html and lessons.bin. After an interruption, "
        "rerun the\n"
        "command to resume. A folder of another run is refused; --no-resume replaces it.",
    .examples =
        "starling learn --objective edp --tasks 40 --samples 100 --out small\n"
        "starling learn --evaluator maestro --objective latency --tasks 600\n"
        "starling learn resnet18 mobilenet_v2 --evaluator native --machines fixed --tasks 0\n"
        "starling learn resnet18 --evaluator ./simulate.py --tasks 0 --samples 60\n"
        "starling learn --rows measured.csv --accels npu.yaml --objective latency",
    .options = options_table,
    .options_bytes = sizeof(LearnOptions),
    .run = run,
};
