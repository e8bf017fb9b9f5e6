// cmd_verify.c - `starling verify`: are the claims of certificates true, and do they belong to the
// results of their run?
//
// Every branch of the space is listed and closed again, so a proof takes about as long to check as
// it took to find.
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "verify_run.h"

enum { MAX_BYTES = 1 << 28 };

typedef struct {
    CommonOptions common;
    int64_t threads;
} VerifyOptions;

static const SlOption options_table[] = {
    {.name = "threads",
     .letter = 'j',
     .kind = SL_OPTION_INT,
     .offset = offsetof(VerifyOptions, threads),
     .fallback = "0",
     .max = 1024,
     .value = "N",
     .help = "branches checked side by side, 0 = one per core; results do not depend on it"},
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "verify FILE|DIR... [OPTION...]",
    .about = "Checks certificates that 'starling map --prove' wrote: prices the mapping, lists the "
             "branches of\nthe space and closes each again, which takes about as long as the proof "
             "did. One line per\ncertificate, with the space that it holds for. A DIR is a run of "
             "'starling map', whose every\nresult must be what its certificate says (layer, "
             "machine, goal, space, mapping, value, bound),\nor a folder of .cert files.\nExit "
             "code 0: every claim holds; 1: one does not, is missing or belongs to no result; 2: "
             "a\nfile cannot be read.",
    .options = options_table,
    .examples = "starling verify starling-runs/resnet18\n"
                "starling verify proven/certificates/conv2_1.cert --json",
};

// What is known so far.
typedef struct {
    const VerifyOptions *options;
    VerifyList list;
    SlPool *pool;
    int n_done, n_true, n_narrowed, n_unread;
    SlText text;
    json_t *json, *items;
} Verify;

// ---- one certificate ----

static void show_progress(const Verify *verify, const char *file) {
    bool live = isatty(STDERR_FILENO) && !verify->options->common.quiet;
    if (live)
        fprintf(stderr, "\rchecking %d/%d: %.60s\033[K", verify->n_done + 1, verify->list.n_files,
                file);
}

static void hide_progress(const Verify *verify) {
    if (isatty(STDERR_FILENO) && !verify->options->common.quiet) fputs("\r\033[K", stderr);
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
        add_verdict(file, &verdict, &arena, &verify->text);
        json_add(verify->items, verdict_json(file, &verdict));
    }
    verify->n_done++;
    sl_arena_free(&arena);
    return status;
}

static int verify_files(Verify *verify) {
    SlError err;
    int code = CODE_DONE;
    verify->items = command_need(json_array());
    json_put(verify->json, "certificates", verify->items);
    for (int i = 0; i < verify->list.n_files; i++) {
        SlStatus status = verify_file(verify, &verify->list.files[i], &err);
        if (status == SL_ENOMEM) command_no_memory();
        if (status == SL_OK) continue;
        verify->n_unread++;
        code = command_fail(status, &err);
    }
    return code;
}

// ---- all of them ----

// results of runs without a certificate to show them at
static void add_faults(Verify *verify) {
    json_t *faults = command_need(json_array());
    for (int i = 0; i < verify->list.n_faults; i++) {
        add_fault(&verify->list.faults[i], verify->list.arena, &verify->text);
        json_add(faults, fault_json(&verify->list.faults[i]));
    }
    json_put(verify->json, "faults", faults);
}

static int count_false(const Verify *verify) {
    return verify->list.n_files - verify->n_true - verify->n_unread;
}

static void add_sum(Verify *verify) {
    int n_files = verify->list.n_files, n_faults = verify->list.n_faults;
    int n_false = count_false(verify);
    sl_text_add(&verify->text, "\n%d certificate%s: %d true", n_files, n_files == 1 ? "" : "s",
                verify->n_true);
    if (verify->n_narrowed > 0)
        sl_text_add(&verify->text, " (%d in a space narrowed by constraints)", verify->n_narrowed);
    if (n_false > 0) sl_text_add(&verify->text, ", %d FALSE", n_false);
    if (verify->n_unread > 0) sl_text_add(&verify->text, ", %d not read", verify->n_unread);
    if (n_faults > 0)
        sl_text_add(&verify->text, "; %d result%s without a certificate", n_faults,
                    n_faults == 1 ? "" : "s");
    sl_text_add(&verify->text, "\n");
    json_put(verify->json, "n_true", json_integer(verify->n_true));
    json_put(verify->json, "n_narrowed", json_integer(verify->n_narrowed));
    json_put(verify->json, "n_false", json_integer(n_false));
    json_put(verify->json, "n_unread", json_integer(verify->n_unread));
    json_put(verify->json, "n_faults", json_integer(n_faults));
}

static int run(Verify *verify, const SlWords *words) {
    SlError err;
    SlStatus status = verify_gather(&verify->list, words, &err);
    if (status != SL_OK) return command_fail(status, &err);
    verify->json = command_need(sl_json_document("verify", 2));
    int code = verify_files(verify);
    add_faults(verify);
    bool holds = count_false(verify) == 0 && verify->list.n_faults == 0;
    if (code == CODE_DONE && !holds) code = CODE_FALSE;
    // nothing was read: the sentences say it all
    if (verify->n_unread == verify->list.n_files && verify->list.n_faults == 0) {
        json_decref(verify->json);
        return code;
    }
    add_sum(verify);
    return command_deliver(&verify->options->common, "verify", &verify->text, verify->json, code);
}

int cmd_verify(int argc, const char *const *argv) {
    VerifyOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n == 0)
        return command_refuse("expected certificates or runs, such as 'starling verify "
                              "starling-runs/resnet18'");
    SlArena arena;
    Verify verify = {.options = &options, .list = {.arena = &arena}};
    sl_arena_init(&arena, 0);
    sl_text_init(&verify.text, &arena);
    verify.pool = sl_pool_make((int)options.threads);
    code = run(&verify, &words);
    if (verify.pool) sl_pool_free(verify.pool);
    sl_arena_free(&arena);
    return code;
}
