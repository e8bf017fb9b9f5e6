// verify_files.c - the certificates that the words of `starling verify` name.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_folder.h"
#include "verify_run.h"

// ---- lists that grow ----

static void *grow(SlArena *arena, void *items, int n, int *room, size_t size) {
    if (n < *room) return items;
    *room = *room ? 2 * *room : 64;
    void *more = call_need(sl_arena_alloc(arena, (size_t)*room, size));
    if (n > 0) memcpy(more, items, (size_t)n * size);
    return more;
}

static void list_file(VerifyList *list, const char *path, const char *run) {
    list->files =
        grow(list->arena, list->files, list->n_files, &list->file_room, sizeof *list->files);
    const char *kept = call_need(sl_arena_text(list->arena, path, strlen(path)));
    list->files[list->n_files++] = (CertificateFile){.path = kept, .run = run};
}

static void list_fault(VerifyList *list, const MappedRun *run, int layer) {
    list->faults =
        grow(list->arena, list->faults, list->n_faults, &list->fault_room, sizeof *list->faults);
    list->faults[list->n_faults++] = (RunFault){
        .run = run->dir, .layer = run->names[layer], .reason = run->bindings[layer].reason};
}

// ---- folders ----

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_certificate(const char *name) {
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".cert") == 0;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const CertificateFile *)a)->path, ((const CertificateFile *)b)->path);
}

// every *.cert of a folder, by name; returns how many
static int list_folder(VerifyList *list, const char *dir, const char *run) {
    char path[2 * SL_FOLDER_PATH];
    int before = list->n_files;
    DIR *folder = opendir(dir);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (!is_certificate(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        list_file(list, path, run);
    }
    if (folder) closedir(folder);
    int n = list->n_files - before;
    if (n > 0) qsort(list->files + before, (size_t)n, sizeof *list->files, by_path);
    return n;
}

static SlStatus fail_empty(const char *dir, SlError *err) {
    return sl_fail_at(err, SL_EINPUT, dir, 0, 0,
                      "expected certificates (*.cert), as 'starling map --prove' writes them");
}

// ---- runs ----

// the certificates of a run, each beside the result it belongs to
static SlStatus list_run(VerifyList *list, const char *dir, SlError *err) {
    char inside[SL_FOLDER_PATH];
    MappedRun *run = call_need(SL_NEW(list->arena, 1, MappedRun));
    int n_faults = list->n_faults;
    SlStatus status = run_read(dir, list->arena, run, err);
    if (status != SL_OK) return status;
    sl_folder_path(dir, "certificates", inside);
    int n = list_folder(list, inside, dir);
    CertificateFile *files = n ? list->files + list->n_files - n : NULL;
    if (run_bind(run, n, files, list->arena) != SL_OK) call_no_memory();
    for (int i = 0; i < run->n_layers; i++) {
        const SlBinding *binding = &run->bindings[i];
        bool shown = files && binding->file >= 0 && files[binding->file].layer == run->names[i];
        if (binding->reason[0] && !shown) list_fault(list, run, i);
    }
    return n == 0 && list->n_faults == n_faults ? fail_empty(dir, err) : SL_OK;
}

static SlStatus list_word(VerifyList *list, const char *word, SlError *err) {
    char inside[SL_FOLDER_PATH];
    if (!is_folder(word)) {
        list_file(list, word, NULL);
        return SL_OK;
    }
    if (run_is_mapped(word)) return list_run(list, word, err);
    sl_folder_path(word, "certificates", inside);
    if (is_folder(inside))
        return sl_fail_at(err, SL_EINPUT, word, 0, 0,
                          "expected map.json, which says what the certificates belong to: finish "
                          "the run, or name the certificates themselves");
    return list_folder(list, word, NULL) > 0 ? SL_OK : fail_empty(word, err);
}

SlStatus verify_gather(VerifyList *list, const SlWords *words, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < words->n && status == SL_OK; i++)
        status = list_word(list, words->words[i], err);
    return status;
}
