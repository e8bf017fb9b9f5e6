// cmd_verify.c - `starling verify`: are the claims of certificates true, and do they belong to the
// results of their run?
//
// Every branch of the space is listed and closed again, so a proof takes about as long to check as
// it took to find.
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "starling/report/verify_doc.h"

typedef struct {
    CommonOptions common;
    int64_t threads;
} VerifyOptions;

static const SlOption options_table[] = {
    SL_OPT_WHOLE(VerifyOptions, "threads", threads, "0", 0, 1024, "N",
                 "branches checked in parallel; 0 = one per core. Results do not depend on it",
                 .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

// ---- progress ----

static bool shows_progress(const Call *call) {
    return isatty(STDERR_FILENO) && !call->common->quiet;
}

static void show_progress(const Call *call, const SlVerify *verify, int i) {
    if (shows_progress(call))
        fprintf(stderr, "\rchecking %d/%d: %.60s\033[K", i + 1, verify->n_files,
                verify->files[i].path);
}

static void hide_progress(const Call *call) {
    if (shows_progress(call)) fputs("\r\033[K", stderr);
}

// ---- the work ----

// a file that cannot be read is told at once and the others are checked all the same; the exit code
static int verify_files(const Call *call, SlPool *pool, SlVerify *verify) {
    SlError err;
    int code = CODE_DONE;
    bool alone = verify->n_files == 1 && verify->n_faults == 0; // then nothing else is shown
    for (int i = 0; i < verify->n_files; i++) {
        show_progress(call, verify, i);
        SlStatus status = sl_verify_file(verify, i, pool, &err);
        hide_progress(call);
        if (status == SL_ENOMEM) call_no_memory();
        if (status != SL_OK) code = alone ? call_fail(call, status, &err) : call_tell(status, &err);
    }
    return code;
}

static int verify_all(const Call *call, SlPool *pool) {
    SlVerify verify = {.arena = call->arena};
    SlError err;
    for (int i = 0; i < call->words.n; i++) {
        SlStatus status = sl_verify_gather(&verify, call->words.words[i], &err);
        if (status != SL_OK) return call_fail(call, status, &err);
    }
    int code = verify_files(call, pool, &verify);
    if (code == CODE_DONE && verify.n_false + verify.n_faults > 0) code = CODE_FALSE;
    // nothing was read: the sentences say it all
    if (verify.n_unread == verify.n_files && verify.n_faults == 0) return code;
    return call_deliver(call, sl_report_verify(&verify), "verify", code);
}

static int run(Call *call) {
    const VerifyOptions *options = call->options;
    if (call->words.n == 0)
        return call_refuse(call, "expected certificates or runs, such as 'starling verify "
                                 "starling-runs/resnet18'");
    SlPool *pool = sl_pool_make((int)options->threads);
    int code = verify_all(call, pool);
    if (pool) sl_pool_free(pool);
    return code;
}

const Command cmd_verify = {
    .name = "verify",
    .summary = "check optimality certificates",
    .usage = "verify FILE|DIR... [OPTION...]",
    .about = "Checks the certificates of 'starling map --prove'. Evaluates the mapping, lists the "
             "branches of\n"
             "the space and closes each again; this takes about as long as the proof. Prints one "
             "line per\n"
             "certificate, with the space that it holds for. DIR is a run of 'starling map', whose "
             "results must\n"
             "all agree with their certificates (layer, machine, objective, space, mapping, value, "
             "bound), or a\n"
             "folder of .cert files. Exit code 0: every claim holds; 1: a claim fails, is missing "
             "or belongs to\n"
             "no result; 2: a file cannot be read.",
    .examples = "starling verify starling-runs/resnet18\n"
                "starling verify proven/certificates/conv2_1.cert --json",
    .options = options_table,
    .options_bytes = sizeof(VerifyOptions),
    .run = run,
};
