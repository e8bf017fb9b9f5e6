// cmd_study.c - `starling study`: comparisons of methods, the tables and figures of the papers.
#include <stdio.h>
#include <string.h>

#include "study_command.h"

static const char *const format_names[] = {"csv", "json", NULL};
static const char *const what_names[] = {"cells", "curves", "windows", NULL};

static const SlOption options_table[] = {
    {.name = "quick",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(StudyOptions, quick),
     .help = "run: the short form of the plan, for a first look"},
    {.name = "methods",
     .letter = 'm',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(StudyOptions, methods),
     .value = "A,B",
     .help = "run: only these rows of the plan"},
    {.name = "samples",
     .letter = 'n',
     .kind = SL_OPTION_INT,
     .offset = offsetof(StudyOptions, samples),
     .max = 1e12,
     .value = "N",
     .help = "run: of every run; 0 = as the plan says"},
    {.name = "seeds",
     .kind = SL_OPTION_INT,
     .offset = offsetof(StudyOptions, seeds),
     .max = 100000,
     .value = "N",
     .help = "run: seeds 1 to N; 0 = as the plan says"},
    {.name = "evaluator",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(StudyOptions, evaluator),
     .value = "NAME",
     .help =
         "run: who prices mappings instead of the plan's evaluator: native, or maestro (without "
         "proofs)"},
    {.name = "model",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(StudyOptions, evaluator),
     .value = "NAME",
     .help = "older name of --evaluator"},
    {.name = "threads",
     .letter = 'j',
     .kind = SL_OPTION_INT,
     .offset = offsetof(StudyOptions, threads),
     .max = 1024,
     .value = "N",
     .help = "run, resume: cells side by side, 0 = one per core; results do not depend on it"},
    {.name = "format",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(StudyOptions, format),
     .choices = format_names,
     .value = "NAME",
     .help = "export: the form"},
    {.name = "what",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(StudyOptions, what),
     .choices = what_names,
     .value = "NAME",
     .help = "export: a line per cell, per point of a curve, or per stretch of samples"},
    {.name = "times",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(StudyOptions, times),
     .fallback = "true",
     .help = "export: seconds, machine and date too; without them the same study gives the same "
             "bytes"},
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "study list [PLAN]\nstudy run PLAN [--quick] [OPTION...]\nstudy resume STUDY\n"
             "study report STUDY\nstudy export STUDY [--format csv|json] [--what ...]\n"
             "study merge STUDY STUDY... --out DIR",
    .about =
        "Compares methods: every row of a plan on every layer, accelerator and objective with "
        "every seed.\nPLAN is the name of a bundled plan ('starling study list') or a YAML file "
        "(docs/formats/plan.md).\n\n"
        "The folder of a study is the DIR of --out, else starling-runs/study-NAME. It holds "
        "study.db, one\nrecord per cell (docs/formats/store.md); when the run is through also "
        "report.html, report.md,\nfigures/ and tables/. Ctrl-C and kill lose at most the cells in "
        "flight: the same command, or\n'study resume', goes on. A cell that fails is a record with "
        "its reason, and is tried again next time.\n\n"
        "STUDY is such a folder, or a store. 'report' writes its tables and pictures again, "
        "'merge' puts the\nrecords of several into a new one, 'export' prints them, also those of "
        "records.db in the folder of\n'map' and 'tune'.",
    .options = options_table,
    .examples = "starling study list\n"
                "starling study run table3 --quick\n"
                "starling study run mine.yaml --seeds 20 --out mine\n"
                "starling study resume mine\n"
                "starling study report mine\n"
                "starling study export mine --what curves > curves.csv\n"
                "starling study merge mine theirs --out both",
};

// run or go on, then report
static int run(Study *study, SlError *err, SlStatus status) {
    int code = CODE_DONE;
    if (status == SL_OK) status = study_run(study, err);
    if (status == SL_OK) status = study_read(study, err);
    int ended = study->signal ? CODE_SIGNAL + study->signal : CODE_DONE;
    if (status == SL_OK) status = study_deliver(study, ended, &code, err);
    return status == SL_OK ? code : command_fail(status, err);
}

static int report(Study *study, SlError *err, SlStatus status) {
    int code = CODE_DONE;
    if (status == SL_OK) status = study_read(study, err);
    if (status == SL_OK) status = study_deliver(study, CODE_DONE, &code, err);
    return status == SL_OK ? code : command_fail(status, err);
}

static int export_records(Study *study, SlError *err, SlStatus status) {
    if (status == SL_OK) status = study_read(study, err);
    return status == SL_OK ? study_export(study) : command_fail(status, err);
}

static int on_study(const StudyOptions *options, const char *verb, const char *where) {
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    Study *study = command_need(SL_NEW(&arena, 1, Study));
    study->options = options;
    study->arena = &arena;
    bool is_run = strcmp(verb, "run") == 0;
    study->planless = strcmp(verb, "export") == 0;
    SlStatus status =
        is_run ? study_open_plan(study, where, &err) : study_open_store(study, where, &err);
    int code;
    if (is_run || strcmp(verb, "resume") == 0)
        code = run(study, &err, status);
    else if (strcmp(verb, "report") == 0)
        code = report(study, &err, status);
    else
        code = export_records(study, &err, status);
    study_close(study);
    sl_arena_free(&arena);
    return code;
}

// options of other verbs; the help says whose they are
static int refuse_idle(const StudyOptions *options, const char *verb) {
    char where[32];
    snprintf(where, sizeof where, "study %s", verb);
    bool is_run = strcmp(verb, "run") == 0, is_export = strcmp(verb, "export") == 0;
    int code = CODE_DONE;
    if (!is_run)
        code =
            command_refuse_idle(options_table, options, "quick methods samples seeds model", where);
    if (code == CODE_DONE && !is_export)
        code = command_refuse_idle(options_table, options, "format what times", where);
    return code;
}

int cmd_study(int argc, const char *const *argv) {
    static const char *const verbs[] = {"list", "run", "resume", "report", "export", "merge", NULL};
    StudyOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n == 0)
        return command_refuse("study: expected what to do: list, run, resume, report, export or "
                              "merge, such as 'starling study run table3 --quick'");
    const char *verb = words.words[0];
    bool known = false;
    for (int i = 0; verbs[i]; i++) known |= strcmp(verb, verbs[i]) == 0;
    if (!known) {
        const char *near = sl_nearest_name(verb, verbs);
        return near ? command_refuse("study: unknown '%.40s' (did you mean '%s'?)", verb, near)
                    : command_refuse("study: unknown '%.40s', expected list, run, resume, report, "
                                     "export or merge",
                                     verb);
    }
    code = refuse_idle(&options, verb);
    if (code != CODE_DONE) return code;
    if (strcmp(verb, "merge") == 0) return study_merge(&options, words.n - 1, words.words + 1);
    if (strcmp(verb, "list") == 0 && words.n <= 2)
        return study_list(&options, words.n == 2 ? words.words[1] : NULL);
    if (words.n != 2)
        return command_refuse("study %s: expected one %s", verb,
                              strcmp(verb, "run") == 0 ? "plan; see 'starling study list'"
                                                       : "folder of a study, or a store");
    return on_study(&options, verb, words.words[1]);
}
