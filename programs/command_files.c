// command_files.c - folders and files of the program.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

SlStatus folder_make(const char *dir, SlError *err) {
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

SlStatus folder_write(const char *dir, const char *name, const SlText *text, SlError *err) {
    char path[4352];
    if (text->failed) call_no_memory();
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return sl_file_write(path, text->data, text->n, err);
}

void folder_file_name(const char *name, char out[static FILE_NAME_ROOM]) {
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t n = 0;
    for (; name[n] && n < 64; n++) out[n] = strchr(allowed, name[n]) ? name[n] : '_';
    out[n] = '\0';
    if (out[0] == '.' || n == 0) out[0] = '_';
    if (n == 0) out[1] = '\0';
}

// ---- documents ----

static SlStatus write_form(const SlDoc *doc, SlForm form, const char *dir, const char *file,
                           SlError *err) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    SlStatus status = sl_doc_write(doc, form, &text, err);
    if (status == SL_OK) status = folder_write(dir, file, &text, err);
    sl_arena_free(&arena);
    return status;
}

static SlStatus write_file(void *dir, const char *file, const SlText *bytes, SlError *err) {
    return folder_write(dir, file, bytes, err);
}

SlStatus call_write_files(const SlDoc *doc, const char *dir, const char *name, SlError *err) {
    static const struct {
        SlForm form;
        const char *ending;
    } forms[] = {{SL_FORM_TEXT, "txt"}, {SL_FORM_JSON, "json"}, {SL_FORM_HTML, "html"}};
    char file[256];
    SlStatus status = folder_make(dir, err);
    for (int i = 0; i < 3 && status == SL_OK; i++) {
        snprintf(file, sizeof file, "%.200s.%s", name, forms[i].ending);
        status = write_form(doc, forms[i].form, dir, file, err);
    }
    return status == SL_OK ? sl_doc_files(doc, write_file, (void *)dir, err) : status;
}
