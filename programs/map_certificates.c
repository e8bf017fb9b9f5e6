// map_certificates.c - what ties the certificates of a run to its results: which file, which
// machine, which space. `starling verify` compares them.
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "map.h"
#include "starling/prove.h"

static void certificate_name(const Map *map, const MapLayer *layer, size_t n, char *out) {
    snprintf(out, n, "%s.cert", map->names[layer->job->first]);
}

json_t *certificate_json(const Map *map, const MapLayer *layer) {
    char name[FILE_NAME_ROOM + 8], path[FILE_NAME_ROOM + 32];
    if (!layer_has_bound(layer)) return json_null();
    certificate_name(map, layer, sizeof name, name);
    snprintf(path, sizeof path, "certificates/%s", name);
    return json_string(path);
}

// every line as a text of a list
static json_t *lines_json(const SlText *text) {
    json_t *list = command_need(json_array());
    if (text->failed) command_no_memory();
    for (const char *at = text->data; *at;) {
        size_t n = strcspn(at, "\n");
        json_add(list, json_stringn(at, n));
        at += n + (at[n] == '\n');
    }
    return list;
}

json_t *machine_json(const Map *map) {
    SlText text;
    sl_text_init(&text, map->arena);
    sl_certificate_machine(&map->eval.accel, &text);
    return lines_json(&text);
}

json_t *lists_json(const Map *map, const MapLayer *layer) {
    SlText text;
    if (!map->options->space.constraints || !layer_has_bound(layer)) return json_null();
    sl_text_init(&text, map->arena);
    sl_certificate_lists(&layer->job->space, &text);
    return lines_json(&text);
}

// ---- files ----

static void certificate_path(const Map *map, const MapLayer *layer,
                             char out[static RUN_PATH_ROOM]) {
    snprintf(out, RUN_PATH_ROOM, "%s/certificates/%s.cert", map->dir,
             map->names[layer->job->first]);
}

bool certificate_exists(const Map *map, const MapLayer *layer) {
    char path[RUN_PATH_ROOM];
    struct stat info;
    certificate_path(map, layer, path);
    return stat(path, &info) == 0;
}

SlStatus certificate_write(const Map *map, const MapLayer *layer, const SlProveSetup *setup,
                           SlError *err) {
    char path[RUN_PATH_ROOM];
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_certificate_write(setup, &layer->job->proof, &text);
    if (text.failed) command_no_memory();
    certificate_path(map, layer, path);
    SlStatus status = sl_file_write(path, text.data, text.n, err);
    sl_arena_free(&arena);
    return status;
}

static bool is_ours(const Map *map, const char *file) {
    char name[FILE_NAME_ROOM + 8];
    for (int i = 0; i < map->n_layers; i++) {
        certificate_name(map, &map->layers[i], sizeof name, name);
        if (layer_has_bound(&map->layers[i]) && strcmp(name, file) == 0) return true;
    }
    return false;
}

SlStatus certificates_clear(const Map *map, SlError *err) {
    char dir[RUN_PATH_ROOM], path[RUN_PATH_ROOM + 256];
    run_path(map->dir, "certificates", dir);
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
