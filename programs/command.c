// command.c - errors and output, the same for every command.
#include "command.h"
#include "look.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void call_no_memory(void) {
    fputs("starling: not enough memory\n", stderr);
    exit(CODE_SYSTEM);
}

void *call_need(void *pointer) {
    if (!pointer) call_no_memory();
    return pointer;
}

// ---- what comes out ----

SlForm call_form(const Call *call) {
    return call->common->json ? SL_FORM_JSON : (SlForm)call->common->form;
}

bool call_is_json(const Call *call) {
    return call_form(call) == SL_FORM_JSON;
}

static bool print(const char *bytes, size_t n) {
    bool written = fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0;
    // main ignores SIGPIPE, so a closed pipe comes here
    return written || errno == EPIPE;
}

int call_print(const Call *call, const char *bytes, size_t n, int code) {
    SlError err;
    if (print(bytes, n)) return code;
    sl_fail(&err, SL_EIO, "cannot write to standard output: %s", strerror(errno));
    return call_fail(call, SL_EIO, &err);
}

int call_show(const Call *call, const SlDoc *doc, int code) {
    SlText text;
    SlError err;
    sl_text_init(&text, call->arena);
    SlTextLook look = look_of_output();
    bool terminal = call_form(call) == SL_FORM_TEXT;
    SlStatus status = terminal ? sl_doc_write_text(doc, &look, &text, &err)
                               : sl_doc_write(doc, call_form(call), &text, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    return call_print(call, text.data, text.n, code);
}

int call_deliver(const Call *call, const SlDoc *doc, const char *name, int code) {
    const char *dir = call->common->out;
    SlError err;
    // files first: a reader of the output may stop early
    SlStatus status = dir ? call_write_files(doc, dir, name, &err) : SL_OK;
    if (status != SL_OK) return call_fail(call, status, &err);
    if (dir)
        call_note(call, "Written to %s: %s.html, %s.txt, %s.json and its tables", dir, name, name,
                  name);
    return call_show(call, doc, code);
}

void call_note(const Call *call, const char *fmt, ...) {
    if (call->common->quiet) return;
    va_list args;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

// ---- what goes wrong ----

static void show_error(const SlError *err, int code) {
    SlArena arena;
    SlText text;
    SlError other;
    sl_arena_init(&arena, 0);
    SlDoc *doc = sl_doc_make(&arena, "error", 1);
    sl_doc_open(doc, "error", NULL);
    sl_doc_text(doc, "message", NULL, "%s", err->text);
    if (err->file[0])
        sl_doc_text(doc, "file", NULL, "%s", err->file);
    else
        sl_doc_null(doc, "file");
    sl_doc_number(doc, "line", NULL, SL_UNIT_PLAIN, err->line > 0 ? err->line : (double)NAN);
    sl_doc_number(doc, "column", NULL, SL_UNIT_PLAIN, err->column > 0 ? err->column : (double)NAN);
    sl_doc_number(doc, "code", NULL, SL_UNIT_PLAIN, code);
    sl_doc_close(doc);
    sl_text_init(&text, &arena);
    if (sl_doc_write(doc, SL_FORM_JSON, &text, &other) == SL_OK) print(text.data, text.n);
    sl_arena_free(&arena);
}

static int fail(bool json, SlStatus status, const SlError *err) {
    char line[1024];
    int code = status == SL_EINPUT ? CODE_INPUT : CODE_SYSTEM;
    fprintf(stderr, "starling: %s\n", sl_error_text(err, sizeof line, line));
    if (json) show_error(err, code);
    return code;
}

int call_fail(const Call *call, SlStatus status, const SlError *err) {
    return fail(call_is_json(call), status, err);
}

int call_tell(SlStatus status, const SlError *err) {
    return fail(false, status, err);
}

int call_refuse(const Call *call, const char *fmt, ...) {
    SlError err;
    char sentence[sizeof err.text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return call_fail(call, sl_fail(&err, SL_EINPUT, "%s", sentence), &err);
}

int call_refuse_idle(const Call *call, const char *names, const char *where) {
    while (*names) {
        char name[32];
        size_t n = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        if (!sl_option_is_default(call->command->options, name, call->options))
            return call_refuse(call, "--%s: does not apply to %s", name, where);
        names += n + strspn(names + n, " ");
    }
    return CODE_DONE;
}

// ---- the version ----

int command_version(bool json) {
    char version[32];
    SlArena arena;
    SlText text;
    SlError err;
    int n = snprintf(version, sizeof version, "starling %s\n", sl_version());
    if (!json) return print(version, (size_t)n) ? CODE_DONE : CODE_SYSTEM;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    SlDoc *doc = sl_doc_make(&arena, "version", 1);
    sl_doc_text(doc, "name", NULL, "starling");
    sl_doc_text(doc, "compiler", NULL, "%s", __VERSION__);
#ifdef NDEBUG
    sl_doc_flag(doc, "assertions", NULL, false);
#else
    sl_doc_flag(doc, "assertions", NULL, true);
#endif
    SlStatus status = sl_doc_write(doc, SL_FORM_JSON, &text, &err);
    int code = status != SL_OK ? fail(false, status, &err) : CODE_DONE;
    if (status == SL_OK && !print(text.data, text.n)) code = CODE_SYSTEM;
    sl_arena_free(&arena);
    return code;
}
