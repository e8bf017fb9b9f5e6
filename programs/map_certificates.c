// map_certificates.c - the files of proofs in a run directory. `starling verify` compares them with
// its results.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "map.h"
#include "starling/prove.h"

// in the run directory: "certificates/conv.cert"
void certificates_name(Map *map) {
    enum { ROOM = FILE_NAME_ROOM + 32 };
    for (int i = 0; i < map->mapped.n_layers; i++) {
        SlMappedLayer *layer = &map->mapped.layers[i];
        char *name = call_need(sl_arena_alloc(map->arena, ROOM, 1));
        snprintf(name, ROOM, "certificates/%s.cert", map->names[layer->task->first]);
        layer->certificate = name;
    }
}

bool certificate_exists(const Map *map, const SlMappedLayer *layer) {
    char path[SL_FOLDER_PATH];
    struct stat info;
    sl_folder_path(map->dir, layer->certificate, path);
    return stat(path, &info) == 0;
}

SlStatus certificate_write(const Map *map, const SlMappedLayer *layer, const SlProveSetup *setup,
                           SlError *err) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_certificate_write(setup, &layer->task->proof, &text);
    SlStatus status = folder_write(map->dir, layer->certificate, &text, err);
    sl_arena_free(&arena);
    return status;
}

static bool is_ours(const SlMapped *mapped, const char *file) {
    for (int i = 0; i < mapped->n_layers; i++) {
        const SlMappedLayer *layer = &mapped->layers[i];
        const char *own = strchr(layer->certificate, '/') + 1;
        if (sl_job_has_bound(layer->task) && strcmp(own, file) == 0) return true;
    }
    return false;
}

SlStatus certificates_clear(const Map *map, SlError *err) {
    char dir[SL_FOLDER_PATH], path[SL_FOLDER_PATH + 256];
    sl_folder_path(map->dir, "certificates", dir);
    // without a proof of every layer, those of earlier runs may still be wanted
    DIR *folder = map->mapped.setup.prove && !map->signal ? opendir(dir) : NULL;
    SlStatus status = SL_OK;
    for (const struct dirent *entry; folder && status == SL_OK && (entry = readdir(folder));) {
        size_t n = strlen(entry->d_name);
        if (n <= 5 || strcmp(entry->d_name + n - 5, ".cert") != 0) continue;
        if (is_ours(&map->mapped, entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (remove(path) != 0 && errno != ENOENT)
            status = sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    if (folder) closedir(folder);
    return status;
}
