// cmd_verify.c - `starling verify`: are the claims of certificates true, and do they belong to the
// results of their run?
//
// Every branch of the space is listed and closed again, so a proof takes about as long to check as
// it took to find.
#include <stdio.h>
#include <unistd.h>

#include "verify_run.h"

enum { MAX_BYTES = 1 << 28 };

typedef struct {
    CommonOptions common;
    int64_t threads;
} VerifyOptions;

static const SlOption options_table[] = {
    SL_OPT_WHOLE(VerifyOptions, "threads", threads, "0", 0, 1024, "N",
                 "branches checked side by side, 0 = one per core; results do not depend on it",
                 .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

// What is known so far.
typedef struct {
    Call *call;
    VerifyList list;
    SlPool *pool;
    SlDoc *doc;
    SlText lines; // a line per certificate and fault
    int n_done, n_true, n_narrowed, n_unread;
} Verify;

// ---- one certificate ----

static bool shows_progress(const Verify *verify) {
    return isatty(STDERR_FILENO) && !verify->call->common->quiet;
}

static void show_progress(const Verify *verify, const char *file) {
    if (shows_progress(verify))
        fprintf(stderr, "\rchecking %d/%d: %.60s\033[K", verify->n_done + 1, verify->list.n_files,
                file);
}

static void hide_progress(const Verify *verify) {
    if (shows_progress(verify)) fputs("\r\033[K", stderr);
}

// a file that cannot be read is told at once and the others are checked all the same
static SlStatus verify_file(Verify *verify, const CertificateFile *file, SlError *err) {
    SlArena arena;
    SlVerdict verdict;
    char *text = NULL;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    show_progress(verify, file->path);
    SlStatus status = sl_file_read(file->path, MAX_BYTES, &arena, &text, &n, err);
    if (status == SL_OK)
        status = sl_certificate_verify(file->path, text, n, verify->pool, &arena, &verdict, err);
    hide_progress(verify);
    if (status == SL_OK) {
        bool holds = verdict.valid && !file->fault;
        verify->n_true += holds;
        verify->n_narrowed += holds && verdict.space.narrowed;
        add_verdict(file, &verdict, verify->doc);
        add_verdict_line(file, &verdict, &verify->lines);
    }
    verify->n_done++;
    sl_arena_free(&arena);
    return status;
}

// every file; the exit code
static int verify_files(Verify *verify) {
    SlError err;
    int code = CODE_DONE, n_files = verify->list.n_files;
    bool alone = n_files == 1 && verify->list.n_faults == 0; // then nothing else is shown
    sl_doc_detail(verify->doc, true);
    begin_verdicts(verify->doc);
    for (int i = 0; i < n_files; i++) {
        SlStatus status = verify_file(verify, &verify->list.files[i], &err);
        if (status == SL_ENOMEM) call_no_memory();
        if (status == SL_OK) continue;
        verify->n_unread++;
        code = alone ? call_fail(verify->call, status, &err) : call_tell(status, &err);
    }
    sl_doc_close(verify->doc);
    sl_doc_detail(verify->doc, false);
    return code;
}

// ---- all of them ----

// results of runs without a certificate to show them at
static void add_faults(Verify *verify) {
    static const SlColumn columns[] = {SL_COLUMN("run", "run"), SL_COLUMN("run_layer", "layer"),
                                       SL_COLUMN("reason", "without a certificate")};
    SlDoc *doc = verify->doc;
    sl_doc_detail(doc, true);
    sl_doc_table(doc, "faults", NULL, 3, columns);
    for (int i = 0; i < verify->list.n_faults; i++) {
        const RunFault *fault = &verify->list.faults[i];
        sl_doc_row(doc);
        sl_doc_string(doc, "run", NULL, fault->run);
        sl_doc_string(doc, "run_layer", NULL, fault->layer);
        sl_doc_string(doc, "reason", NULL, fault->reason);
        sl_text_add(&verify->lines, "%s: FALSE: layer %s: %s\n", fault->run, fault->layer,
                    fault->reason);
    }
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
    if (verify->lines.failed) call_no_memory();
    sl_doc_terminal(doc, verify->lines.data);
}

static int count_false(const Verify *verify) {
    return verify->list.n_files - verify->n_true - verify->n_unread;
}

static void add_sum(const Verify *verify, SlDoc *doc) {
    int n_files = verify->list.n_files, n_faults = verify->list.n_faults;
    int n_false = count_false(verify);
    SlText words;
    sl_text_init(&words, verify->call->arena);
    sl_text_add(&words, "%d certificate%s: %d true", n_files, n_files == 1 ? "" : "s",
                verify->n_true);
    if (verify->n_narrowed > 0)
        sl_text_add(&words, " (%d in a space narrowed by constraints)", verify->n_narrowed);
    if (n_false > 0) sl_text_add(&words, ", %d FALSE", n_false);
    if (verify->n_unread > 0) sl_text_add(&words, ", %d not read", verify->n_unread);
    if (n_faults > 0)
        sl_text_add(&words, "; %d result%s without a certificate", n_faults,
                    n_faults == 1 ? "" : "s");
    sl_doc_words(doc, "%s", words.data);
    sl_doc_number(doc, "n_true", NULL, SL_UNIT_COUNT, verify->n_true);
    sl_doc_number(doc, "n_narrowed", NULL, SL_UNIT_COUNT, verify->n_narrowed);
    sl_doc_number(doc, "n_false", NULL, SL_UNIT_COUNT, n_false);
    sl_doc_number(doc, "n_unread", NULL, SL_UNIT_COUNT, verify->n_unread);
    sl_doc_number(doc, "n_faults", NULL, SL_UNIT_COUNT, n_faults);
}

static int verify_all(Verify *verify) {
    SlError err;
    SlStatus status = verify_gather(&verify->list, &verify->call->words, &err);
    if (status != SL_OK) return call_fail(verify->call, status, &err);
    int code = verify_files(verify);
    add_faults(verify);
    bool holds = count_false(verify) == 0 && verify->list.n_faults == 0;
    if (code == CODE_DONE && !holds) code = CODE_FALSE;
    // nothing was read: the sentences say it all
    if (verify->n_unread == verify->list.n_files && verify->list.n_faults == 0) return code;
    add_sum(verify, verify->doc);
    return call_deliver(verify->call, verify->doc, "verify", code);
}

static int run(Call *call) {
    const VerifyOptions *options = call->options;
    if (call->words.n == 0)
        return call_refuse(call, "expected certificates or runs, such as 'starling verify "
                                 "starling-runs/resnet18'");
    Verify verify = {.call = call,
                     .list = {.arena = call->arena},
                     .doc = sl_doc_make(call->arena, "verify", 2),
                     .pool = sl_pool_make((int)options->threads)};
    sl_text_init(&verify.lines, call->arena);
    int code = verify_all(&verify);
    if (verify.pool) sl_pool_free(verify.pool);
    return code;
}

const Command cmd_verify = {
    .name = "verify",
    .summary = "check the certificates of proofs: is what they claim true?",
    .usage = "verify FILE|DIR... [OPTION...]",
    .about = "Checks certificates that 'starling map --prove' wrote: prices the mapping, lists the "
             "branches of\nthe space and closes each again, which takes about as long as the proof "
             "did. One line per\ncertificate, with the space that it holds for. A DIR is a run of "
             "'starling map', whose every\nresult must be what its certificate says (layer, "
             "machine, goal, space, mapping, value, bound),\nor a folder of .cert files.\nExit "
             "code 0: every claim holds; 1: one does not, is missing or belongs to no result; 2: "
             "a\nfile cannot be read.",
    .examples = "starling verify starling-runs/resnet18\n"
                "starling verify proven/certificates/conv2_1.cert --json",
    .options = options_table,
    .options_bytes = sizeof(VerifyOptions),
    .run = run,
};
