// cmd_study.c - `starling study`: comparisons of methods, the tables and figures of the papers.
#include "starling/report/records.h"
#include "study_command.h"

enum { FORMAT_CSV, FORMAT_JSON };
static const char *const format_names[] = {"csv", "json", NULL};
static const char *const what_names[] = {"cells", "curves", "windows", NULL}; // SlRecordsPart

#define RUN_OPTIONS                                                                                \
    SL_OPT_FLAG(StudyOptions, "quick", quick, "reduced form of the plan, for a first look"),       \
        SL_OPT_TEXT(StudyOptions, "methods", methods, NULL, "A,B",                                 \
                    "rows of the plan to run (default: all)", .letter = 'm'),                      \
        SL_OPT_WHOLE(StudyOptions, "samples", samples, NULL, 0, 1e12, "N",                         \
                     "samples per run; 0 = the plan's value", .letter = 'n'),                      \
        SL_OPT_WHOLE(StudyOptions, "seeds", seeds, NULL, 0, 100000, "N",                           \
                     "number of seeds, 1 to N; 0 = the plan's value"),                             \
        SL_OPT_TEXT(StudyOptions, "evaluator", evaluator, NULL, "NAME|PROGRAM",                    \
                    "cost model instead of the plan's: native; without proofs also maestro or a "  \
                    "PROGRAM of your own (a path, or with arguments)"),                            \
        SL_OPT_TEXT(StudyOptions, "model", evaluator, NULL, "NAME", "older name of --evaluator")
#define THREADS_OPTION                                                                             \
    SL_OPT_WHOLE(StudyOptions, "threads", threads, NULL, 0, 1024, "N",                             \
                 "runs in parallel; 0 = one per core. Results do not depend on it", .letter = 'j')

static const SlOption run_options[] = {RUN_OPTIONS, THREADS_OPTION, COMMON_OPTIONS, {0}};
static const SlOption resume_options[] = {THREADS_OPTION, COMMON_OPTIONS, {0}};
static const SlOption common_options[] = {COMMON_OPTIONS, {0}};
static const SlOption export_options[] = {
    SL_OPT_CHOICE(StudyOptions, "format", format, NULL, format_names, "NAME",
                  "output format; --json is short for json"),
    SL_OPT_CHOICE(StudyOptions, "what", what, NULL, what_names, "NAME",
                  "rows: cells (one per run), curves (one per improvement) or windows (one per "
                  "range of samples)"),
    SL_OPT_FLAG(
        StudyOptions, "times", times,
        "include seconds, machine and date; without them equal studies give identical output",
        .fallback = "true"),
    COMMON_OPTIONS,
    {0},
};

// ---- the verbs ----

// run or go on, then report
static int run_and_report(Study *study, bool runs, SlStatus status, SlError *err) {
    int code = CODE_DONE;
    if (status == SL_OK && runs) status = study_run(study, err);
    if (status == SL_OK) status = study_read(study, err);
    int ended = study->signal ? CODE_SIGNAL + study->signal : CODE_DONE;
    if (status == SL_OK) status = study_deliver(study, ended, &code, err);
    study_close(study);
    return status == SL_OK ? code : call_fail(study->call, status, err);
}

static Study *make_study(const Call *call) {
    Study *study = call_need(SL_NEW(call->arena, 1, Study));
    *study = (Study){.call = call, .options = call->options, .arena = call->arena};
    return study;
}

static int refuse_words(const Call *call) {
    return call_refuse(call, "%s: expected one %s", call->command->name,
                       call->command->options == run_options ? "plan; see 'starling study list'"
                                                             : "folder of a study, or a store");
}

static int run_plan(Call *call) {
    SlError err;
    if (call->words.n != 1) return refuse_words(call);
    Study *study = make_study(call);
    return run_and_report(study, true, study_open_plan(study, call->words.words[0], &err), &err);
}

static int resume(Call *call) {
    SlError err;
    if (call->words.n != 1) return refuse_words(call);
    Study *study = make_study(call);
    return run_and_report(study, true, study_open_store(study, call->words.words[0], &err), &err);
}

static int report(Call *call) {
    SlError err;
    if (call->words.n != 1) return refuse_words(call);
    Study *study = make_study(call);
    return run_and_report(study, false, study_open_store(study, call->words.words[0], &err), &err);
}

static int print_records(const Study *study) {
    const StudyOptions *options = study->options;
    const SlRecords records = {.study = study->plan.name,
                               .n = study->n_records,
                               .records = study->records,
                               .part = (SlRecordsPart)options->what,
                               .times = options->times};
    SlText text;
    SlError err;
    SlStatus status = SL_OK;
    sl_text_init(&text, study->arena);
    if (options->format == FORMAT_JSON || call_is_json(study->call))
        status = sl_doc_write(sl_report_records(&records, study->arena), SL_FORM_JSON, &text, &err);
    else
        sl_records_csv(&records, &text);
    if (status != SL_OK) return call_fail(study->call, status, &err);
    if (text.failed) call_no_memory();
    return call_print(study->call, text.data, text.n, CODE_DONE);
}

static int export_records(Call *call) {
    SlError err;
    if (call->words.n != 1) return refuse_words(call);
    Study *study = make_study(call);
    study->planless = true;
    SlStatus status = study_open_store(study, call->words.words[0], &err);
    if (status == SL_OK) status = study_read(study, &err);
    int code = status == SL_OK ? print_records(study) : call_fail(call, status, &err);
    study_close(study);
    return code;
}

// ---- the rows ----

#define ROW(verb, what, use, of, table, shown, does)                                               \
    static const Command row_##verb = {.name = "study " #verb,                                     \
                                       .summary = (what),                                          \
                                       .usage = "study " #verb use,                                \
                                       .about = (of),                                              \
                                       .examples = (shown),                                        \
                                       .options = (table),                                         \
                                       .options_bytes = sizeof(StudyOptions),                      \
                                       .run = (does)}
#define STUDY_IS "STUDY is the folder of a study, or its store study.db."

ROW(list, "list the bundled plans, or what one of them compares", " [PLAN] [OPTION...]",
    "Lists the bundled plans. With a PLAN, bundled or a YAML file (docs/formats/plan.md), lists "
    "its\n"
    "tasks and rows.",
    run_options, "starling study list\nstarling study list table3", study_list);
ROW(run, "run a plan and report", " PLAN [--quick] [OPTION...]",
    "Runs every row of a plan on every layer, accelerator and objective with every seed. PLAN is "
    "the\n"
    "name of a bundled plan ('starling study list') or a YAML file (docs/formats/plan.md).\n\n"
    "The folder of the study is the DIR of --out, else starling-runs/study-NAME. After Ctrl-C or "
    "kill,\n"
    "rerun the command (or 'study resume'): only the runs in progress are lost.",
    run_options,
    "starling study run table3 --quick\nstarling study run mine.yaml --seeds 20 --out mine",
    run_plan);
ROW(resume, "resume a study and report", " STUDY [OPTION...]",
    "Runs what is missing from a study and what failed.\n" STUDY_IS, resume_options,
    "starling study resume mine", resume);
ROW(report, "write the tables and figures of a study again", " STUDY [OPTION...]",
    "Writes report.html, report.md, figures/ and tables/ from the records.\n" STUDY_IS,
    common_options, "starling study report mine", report);
ROW(export, "print the records of a study or of a run", " STUDY [--format csv|json] [--what ...]",
    "Prints records as CSV or JSON, also from the records.db of a 'map' or 'tune' run.\n" STUDY_IS,
    export_options,
    "starling study export mine --what curves > curves.csv\n"
    "starling study export starling-runs/resnet18/records.db",
    export_records);
ROW(merge, "merge the records of several studies into a new one", " STUDY STUDY... --out DIR",
    "Merges the records of several studies into a new one in DIR. Overwrites nothing.\n" STUDY_IS,
    common_options, "starling study merge mine theirs --out both", study_merge);

static const Command *const parts[] = {&row_list,   &row_run,   &row_resume, &row_report,
                                       &row_export, &row_merge, NULL};

const Command cmd_study = {
    .name = "study",
    .summary = "compare search methods: the tables and figures of the papers, or your own",
    .usage = "study list [PLAN]\n"
             "study run PLAN [--quick] [OPTION...]\n"
             "study resume STUDY\n"
             "study report STUDY\n"
             "study export STUDY [--format csv|json] [--what ...]\n"
             "study merge STUDY STUDY... --out DIR",
    .about =
        "Compares search methods: runs every row of a plan on every layer, accelerator and "
        "objective with\n"
        "every seed. PLAN is the name of a bundled plan ('starling study list') or a YAML file\n"
        "(docs/formats/plan.md).\n\n"
        "The folder of a study is the DIR of --out, else starling-runs/study-NAME. It holds "
        "study.db with\n"
        "one record per run (docs/formats/store.md), and in the end report.html, report.md, "
        "figures/ and\n"
        "tables/. After Ctrl-C or kill, rerun the command (or 'study resume'): only the runs in "
        "progress\n"
        "are lost. A run that fails is recorded with its reason and tried again next time.\n\n"
        "STUDY is such a folder, or its store study.db.",
    .examples = "starling study list\n"
                "starling study run table3 --quick\n"
                "starling study run mine.yaml --seeds 20 --out mine\n"
                "starling study resume mine\n"
                "starling study report mine\n"
                "starling study export mine --what curves > curves.csv\n"
                "starling study merge mine theirs --out both",
    .options = common_options,
    .options_bytes = sizeof(StudyOptions),
    .parts = parts,
};
