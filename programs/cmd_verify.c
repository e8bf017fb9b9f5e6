// cmd_verify.c - `starling verify`: are the claims of certificates true?
//
// Every branch of the space is listed and closed again, so a proof takes about as long to check as
// it took to find.
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "proof_show.h"

enum { MAX_BYTES = 1 << 28, PATH_ROOM = 4352 };

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
             "did. One line per\ncertificate. A DIR is a run of 'starling map' or a folder of "
             ".cert files.\nExit code 0: every claim holds; 1: one does not; 2: a file cannot be "
             "read.",
    .options = options_table,
    .examples = "starling verify starling-runs/resnet18\n"
                "starling verify proven/certificates/conv2_1.cert --json",
};

// What is known so far.
typedef struct {
    const VerifyOptions *options;
    SlArena *arena;
    SlPool *pool;
    int n_files, n_room;
    const char **files; // (n_files)
    int n_done, n_false, n_unread;
    SlText text;
    json_t *json, *items;
} Verify;

// ---- which files ----

static void add_file(Verify *verify, const char *path) {
    if (verify->n_files == verify->n_room) {
        int room = verify->n_room ? 2 * verify->n_room : 64;
        const char **files = command_need(SL_NEW(verify->arena, room, const char *));
        if (verify->n_files > 0)
            memcpy(files, verify->files, (size_t)verify->n_files * sizeof *files);
        verify->files = files;
        verify->n_room = room;
    }
    verify->files[verify->n_files++] =
        command_need(sl_arena_text(verify->arena, path, strlen(path)));
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_certificate(const char *name) {
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".cert") == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// DIR/certificates/*.cert, else DIR/*.cert, by name
static SlStatus add_folder(Verify *verify, const char *dir, SlError *err) {
    char inside[PATH_ROOM], path[2 * PATH_ROOM];
    int before = verify->n_files;
    snprintf(inside, sizeof inside, "%s/certificates", dir);
    if (!is_folder(inside)) snprintf(inside, sizeof inside, "%s", dir);
    DIR *folder = opendir(inside);
    if (!folder) return sl_fail_at(err, SL_EINPUT, inside, 0, 0, "cannot read the folder");
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_certificate(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", inside, entry->d_name);
        add_file(verify, path);
    }
    closedir(folder);
    int n = verify->n_files - before;
    if (n == 0)
        return sl_fail_at(err, SL_EINPUT, dir, 0, 0,
                          "expected certificates (*.cert), as 'starling map --prove' writes them");
    qsort(verify->files + before, (size_t)n, sizeof *verify->files, by_name);
    return SL_OK;
}

static SlStatus gather(Verify *verify, const SlWords *words, SlError *err) {
    for (int i = 0; i < words->n; i++) {
        SlStatus status = SL_OK;
        if (is_folder(words->words[i]))
            status = add_folder(verify, words->words[i], err);
        else
            add_file(verify, words->words[i]);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}

// ---- one certificate ----

static void show_progress(const Verify *verify, const char *file) {
    bool live = isatty(STDERR_FILENO) && !verify->options->common.quiet;
    if (live)
        fprintf(stderr, "\rchecking %d/%d: %.60s\033[K", verify->n_done + 1, verify->n_files, file);
}

static void hide_progress(const Verify *verify) {
    if (isatty(STDERR_FILENO) && !verify->options->common.quiet) fputs("\r\033[K", stderr);
}

// "FILE: true: gap 0.26 %, edp 5.04257e14 ..., 340 branches, 12,345 nodes, conv:K=64,... on
// eyeriss"
static void add_verdict(Verify *verify, const char *file, const SlVerdict *verdict) {
    char value[SHOW_ROOM], bound[SHOW_ROOM], gap[SHOW_ROOM], count[32], nodes[32];
    SlGoal goal = {0};
    SlText line;
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_text_init(&line, verify->arena);
    sl_text_add(&line, "%s: %s", file, verdict->valid ? "true" : "FALSE: ");
    if (!verdict->valid) sl_text_add(&line, "%s", verdict->reason);
    sl_text_add(
        &line, ": gap %s, %s %s, lower bound %s, %s branch%s, %s nodes, %s on %s",
        show_gap(verdict->gap, gap), verdict->goal, show_value_unit(&goal, verdict->value, value),
        show_value(&goal, verdict->lower_bound, bound),
        sl_show_count((double)verdict->n_branches, count), verdict->n_branches == 1 ? "" : "es",
        sl_show_count((double)verdict->nodes, nodes), verdict->layer, verdict->accel);
    if (line.failed) command_no_memory();
    clean_text(line.data);
    sl_text_add(&verify->text, "%s\n", line.data);
}

// names of files and words of certificates may be anything; what is not UTF-8 becomes '?'
static void put_words(json_t *to, const char *key, const char *words) {
    char clean[PATH_ROOM];
    json_t *text = json_string(words);
    if (!text) {
        snprintf(clean, sizeof clean, "%s", words);
        for (char *at = clean; *at; at++)
            if ((unsigned char)*at >= 0x80) *at = '?';
        text = json_string(clean);
    }
    json_put(to, key, text);
}

static json_t *verdict_json(const char *file, const SlVerdict *verdict) {
    json_t *to = command_need(json_object());
    put_words(to, "file", file);
    json_put(to, "valid", json_boolean(verdict->valid));
    if (verdict->valid)
        json_put(to, "reason", json_null());
    else
        put_words(to, "reason", verdict->reason);
    put_words(to, "layer", verdict->layer);
    put_words(to, "accel", verdict->accel);
    put_words(to, "objective", verdict->goal);
    json_put_number(to, "objective_value", verdict->value);
    json_put_number(to, "lower_bound", verdict->lower_bound);
    json_put_number(to, "gap", verdict->gap);
    json_put(to, "branches", json_integer(verdict->n_branches));
    json_put(to, "nodes", json_integer(verdict->nodes));
    return to;
}

// a file that cannot be read is told at once and the others are checked all the same
static SlStatus verify_file(Verify *verify, const char *file, SlError *err) {
    SlArena arena;
    SlVerdict verdict;
    char *text = NULL;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    show_progress(verify, file);
    SlStatus status = sl_file_read(file, MAX_BYTES, &arena, &text, &n, err);
    if (status == SL_OK)
        status = sl_certificate_verify(file, text, n, verify->pool, &arena, &verdict, err);
    hide_progress(verify);
    if (status == SL_OK) {
        verify->n_false += !verdict.valid;
        add_verdict(verify, file, &verdict);
        json_add(verify->items, verdict_json(file, &verdict));
    }
    verify->n_done++;
    sl_arena_free(&arena);
    return status;
}

// ---- all of them ----

static void add_sum(Verify *verify) {
    int n_true = verify->n_files - verify->n_false - verify->n_unread;
    sl_text_add(&verify->text, "\n%d certificate%s: %d true", verify->n_files,
                verify->n_files == 1 ? "" : "s", n_true);
    if (verify->n_false > 0) sl_text_add(&verify->text, ", %d FALSE", verify->n_false);
    if (verify->n_unread > 0) sl_text_add(&verify->text, ", %d not read", verify->n_unread);
    sl_text_add(&verify->text, "\n");
    json_put(verify->json, "n_true", json_integer(n_true));
    json_put(verify->json, "n_false", json_integer(verify->n_false));
    json_put(verify->json, "n_unread", json_integer(verify->n_unread));
}

static int run(Verify *verify, const SlWords *words) {
    SlError err;
    int code = CODE_DONE;
    SlStatus status = gather(verify, words, &err);
    if (status != SL_OK) return command_fail(status, &err);
    verify->json = command_need(sl_json_document("verify", 1));
    verify->items = command_need(json_array());
    json_put(verify->json, "certificates", verify->items);
    for (int i = 0; i < verify->n_files; i++) {
        status = verify_file(verify, verify->files[i], &err);
        if (status == SL_ENOMEM) command_no_memory();
        if (status == SL_OK) continue;
        verify->n_unread++;
        code = command_fail(status, &err);
    }
    if (code == CODE_DONE && verify->n_false > 0) code = CODE_FALSE;
    // nothing was read: the sentences say it all
    if (verify->n_unread == verify->n_files) {
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
    Verify verify = {.options = &options, .arena = &arena};
    sl_arena_init(&arena, 0);
    sl_text_init(&verify.text, &arena);
    verify.pool = sl_pool_make((int)options.threads);
    code = run(&verify, &words);
    if (verify.pool) sl_pool_free(verify.pool);
    sl_arena_free(&arena);
    return code;
}
