// map_certificates.c - what ties the certificates of a run to its results: which file, which
// machine, which space. `starling verify` compares them.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "map.h"
#include "starling/prove.h"

// in the run directory: "certificates/conv.cert"
enum { CERTIFICATE_ROOM = FILE_NAME_ROOM + 32 };
static void certificate_name(const Map *map, const MapLayer *layer,
                             char out[static CERTIFICATE_ROOM]) {
    snprintf(out, CERTIFICATE_ROOM, "certificates/%s.cert", map->names[layer->job->first]);
}

void add_certificate(const Map *map, const MapLayer *layer, SlDoc *doc) {
    char name[CERTIFICATE_ROOM];
    certificate_name(map, layer, name);
    sl_doc_string(doc, "certificate", NULL, sl_job_has_bound(layer->job) ? name : NULL);
}

// every line as a text of a list
static void add_lines(const char *key, const SlText *text, SlDoc *doc) {
    if (text->failed) call_no_memory();
    sl_doc_list(doc, key);
    for (const char *at = text->data; *at;) {
        size_t n = strcspn(at, "\n");
        sl_doc_text(doc, NULL, NULL, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    sl_doc_close(doc);
}

void add_machine(const Map *map, SlDoc *doc) {
    SlText text;
    sl_text_init(&text, map->arena);
    sl_certificate_machine(&map->eval.accel, &text);
    add_lines("machine", &text, doc);
}

void add_lists(const Map *map, const MapLayer *layer, SlDoc *doc) {
    SlText text;
    if (!map->options->space.constraints || !sl_job_has_bound(layer->job)) {
        sl_doc_null(doc, "lists");
        return;
    }
    sl_text_init(&text, map->arena);
    sl_certificate_lists(&layer->job->space, &text);
    add_lines("lists", &text, doc);
}

// ---- files ----

bool certificate_exists(const Map *map, const MapLayer *layer) {
    char name[CERTIFICATE_ROOM], path[SL_FOLDER_PATH];
    struct stat info;
    certificate_name(map, layer, name);
    sl_folder_path(map->dir, name, path);
    return stat(path, &info) == 0;
}

SlStatus certificate_write(const Map *map, const MapLayer *layer, const SlProveSetup *setup,
                           SlError *err) {
    char name[CERTIFICATE_ROOM];
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_certificate_write(setup, &layer->job->proof, &text);
    certificate_name(map, layer, name);
    SlStatus status = folder_write(map->dir, name, &text, err);
    sl_arena_free(&arena);
    return status;
}

static bool is_ours(const Map *map, const char *file) {
    char name[CERTIFICATE_ROOM];
    for (int i = 0; i < map->n_layers; i++) {
        certificate_name(map, &map->layers[i], name);
        const char *own = strchr(name, '/') + 1;
        if (sl_job_has_bound(map->layers[i].job) && strcmp(own, file) == 0) return true;
    }
    return false;
}

SlStatus certificates_clear(const Map *map, SlError *err) {
    char dir[SL_FOLDER_PATH], path[SL_FOLDER_PATH + 256];
    sl_folder_path(map->dir, "certificates", dir);
    // without a proof of every layer, those of earlier runs may still be wanted
    DIR *folder = map->prove && !map->signal ? opendir(dir) : NULL;
    SlStatus status = SL_OK;
    for (const struct dirent *entry; folder && status == SL_OK && (entry = readdir(folder));) {
        size_t n = strlen(entry->d_name);
        if (n <= 5 || strcmp(entry->d_name + n - 5, ".cert") != 0) continue;
        if (is_ours(map, entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (remove(path) != 0 && errno != ENOENT)
            status = sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    if (folder) closedir(folder);
    return status;
}
