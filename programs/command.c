// command.c - options, help, errors and output, the same for every command.
#include "command.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Noreturn void command_no_memory(void) {
    fputs("starling: not enough memory\n", stderr);
    exit(CODE_SYSTEM);
}

void *command_need(void *pointer) {
    if (!pointer) command_no_memory();
    return pointer;
}

int command_fail(SlStatus status, const SlError *err) {
    char line[1024];
    fprintf(stderr, "starling: %s\n", sl_error_text(err, sizeof line, line));
    return status == SL_EINPUT ? CODE_INPUT : CODE_SYSTEM;
}

int command_refuse(const char *fmt, ...) {
    SlError err;
    char sentence[sizeof err.text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return command_fail(sl_fail(&err, SL_EINPUT, "%s", sentence), &err);
}

int command_refuse_idle(const SlOption *table, const void *options, const char *names,
                        const char *where) {
    while (*names) {
        char name[32];
        size_t n = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        if (!sl_option_is_default(table, name, options))
            return command_refuse("--%s: does not apply to %s", name, where);
        names += n + strspn(names + n, " ");
    }
    return CODE_DONE;
}

void command_note(const CommonOptions *common, const char *fmt, ...) {
    if (common->quiet) return;
    va_list args;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

// ---- help ----

// "Usage: starling eval ...", further forms below each other
static void add_usage(const char *usage, SlText *out) {
    for (const char *lead = "Usage:"; *usage; lead = "      ") {
        size_t n = strcspn(usage, "\n");
        sl_text_add(out, "%s starling %.*s\n", lead, (int)n, usage);
        usage += n + (usage[n] == '\n');
    }
}

static void add_examples(const char *examples, SlText *out) {
    while (*examples) {
        size_t n = strcspn(examples, "\n");
        sl_text_add(out, "  %.*s\n", (int)n, examples);
        examples += n + (examples[n] == '\n');
    }
}

static int print_help(const CommandHelp *help) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    add_usage(help->usage, &text);
    sl_text_add(&text, "\n%s\n\nOptions:\n", help->about);
    sl_options_help(help->options, &text);
    sl_text_add(&text, "\nExamples:\n");
    add_examples(help->examples, &text);
    sl_text_add(&text,
                "\nExit codes: 0 done, 1 unfit or untrue, 2 something given is wrong, 3 cannot "
                "write, or no memory.\n");
    if (text.failed) command_no_memory();
    int code = command_print(text.data, text.n, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}

bool command_parse(const CommandHelp *help, int argc, const char *const *argv, void *options,
                   SlWords *words, int *code) {
    SlError err;
    sl_options_init(help->options, options);
    SlStatus status = sl_options_parse(help->options, argc, argv, options, words, &err);
    const CommonOptions *common = options;
    if (status != SL_OK)
        *code = command_fail(status, &err);
    else if (common->help)
        *code = print_help(help);
    else if (common->version)
        *code = command_version(common->json);
    else
        return true;
    return false;
}

// ---- output ----

int command_print(const char *bytes, size_t n, int code) {
    bool written = fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0;
    // main ignores SIGPIPE, so a closed pipe comes here
    if (written || errno == EPIPE) return code;
    SlError err;
    return command_fail(
        sl_fail(&err, SL_EIO, "cannot write to standard output: %s", strerror(errno)), &err);
}

SlStatus command_make_dir(const char *dir, SlError *err) {
    char path[4096];
    size_t n = strlen(dir);
    if (n == 0 || n >= sizeof path)
        return sl_fail(err, SL_EINPUT, "--out: expected the name of a folder");
    memcpy(path, dir, n + 1);
    // every folder on the way, then the last one
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        path[i] = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return sl_fail_at(err, SL_EIO, path, 0, 0, "cannot make the folder: %s",
                              strerror(errno));
        if (i < n) path[i] = '/';
    }
    struct stat info;
    if (stat(dir, &info) == 0 && S_ISDIR(info.st_mode)) return SL_OK;
    return sl_fail_at(err, SL_EIO, dir, 0, 0, "is not a folder");
}

SlStatus command_write(const char *dir, const char *name, const SlText *text, SlError *err) {
    char path[4352];
    if (text->failed) command_no_memory();
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return sl_file_write(path, text->data, text->n, err);
}

void command_file_name(const char *name, char out[static FILE_NAME_ROOM]) {
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t n = 0;
    for (; name[n] && n < 64; n++) out[n] = strchr(allowed, name[n]) ? name[n] : '_';
    out[n] = '\0';
    if (out[0] == '.' || n == 0) out[0] = '_';
    if (n == 0) out[1] = '\0';
}

bool command_wants_json(const CommonOptions *common) {
    return common->json || common->out;
}

// NAME.txt and NAME.json in the folder of --out
static SlStatus write_both(const char *dir, const char *name, const SlText *text,
                           const SlText *json, SlError *err) {
    char file[256];
    SlStatus status = command_make_dir(dir, err);
    snprintf(file, sizeof file, "%s.txt", name);
    if (status == SL_OK) status = command_write(dir, file, text, err);
    snprintf(file, sizeof file, "%s.json", name);
    return status == SL_OK ? command_write(dir, file, json, err) : status;
}

int command_deliver(const CommonOptions *common, const char *name, const SlText *text,
                    struct json_t *json, int code) {
    SlError err;
    SlText printed;
    sl_text_init(&printed, text->arena);
    SlStatus status = json ? sl_json_print(json, &printed, &err) : SL_OK;
    if (text->failed) command_no_memory();
    // files first: a reader of the output may stop early
    if (status == SL_OK && common->out)
        status = write_both(common->out, name, text, &printed, &err);
    if (status != SL_OK) return command_fail(status, &err);
    if (common->out)
        command_note(common, "Written to %s: %s.txt, %s.json", common->out, name, name);
    return common->json ? command_print(printed.data, printed.n, code)
                        : command_print(text->data, text->n, code);
}

// ---- JSON ----

void json_put(struct json_t *object, const char *key, struct json_t *value) {
    if (!value || json_object_set_new(object, key, value) != 0) command_no_memory();
}

void json_add(struct json_t *array, struct json_t *value) {
    if (!value || json_array_append_new(array, value) != 0) command_no_memory();
}

void json_put_text(struct json_t *object, const char *key, const char *text) {
    json_put(object, key, json_string(text));
}

void json_put_number(struct json_t *object, const char *key, double value) {
    json_put(object, key, sl_json_number(value));
}
