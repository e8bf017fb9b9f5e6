// flock_find.c - flocks by what a user types: a bundled name, a file, a folder of 'starling learn'.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "flock_inside.h"

enum { PATH_ROOM = 4352, MOST_NAMES = 64 };

static SlStatus read_bundled(const SlBundled *file, SlArena *arena, SlFlock **flock, SlError *err) {
    char *bytes = NULL;
    size_t n = 0;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status =
        sl_gunzip(file->name, file->text, file->n, SL_FLOCK_MAX_BYTES, &scratch, &bytes, &n, err);
    if (status == SL_OK) status = sl_flock_parse(file->name, bytes, n, arena, flock, err);
    sl_arena_free(&scratch);
    return status;
}

static SlStatus unknown(const char *selector, SlError *err) {
    const char *names[MOST_NAMES];
    sl_bundle_names("flocks", MOST_NAMES, names);
    const char *near = sl_nearest_name(selector, names);
    return sl_fail(
        err, SL_EINPUT,
        "unknown flock '%.64s'%s%s%s, expected a bundled one ('starling list flocks'), a "
        "file, or a folder of 'starling learn'",
        selector, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

SlStatus sl_flock_find(const char *selector, SlArena *arena, SlFlock **flock, SlError *err) {
    const SlBundled *bundled = sl_bundle_find("flocks", selector);
    char path[PATH_ROOM];
    struct stat info;
    if (bundled) return read_bundled(bundled, arena, flock, err);
    if (stat(selector, &info) != 0) return unknown(selector, err);
    bool folder = S_ISDIR(info.st_mode);
    snprintf(path, sizeof path, "%.4000s%s", selector, folder ? "/" SL_FLOCK_FILE : "");
    return sl_flock_read(path, arena, flock, err);
}

SlStatus sl_flock_for(const SlTaskKind *kind, const SlGoal *goal, const SlAccel *accel,
                      SlArena *arena, const char **name, SlFlock **flock, SlError *err) {
    const size_t n = strlen(kind->name);
    SlStatus status = SL_OK;
    *name = NULL;
    *flock = NULL;
    for (const SlBundled *file = sl_bundle_files(); file->folder && status == SL_OK; file++) {
        // those of other evaluators need not be unpacked
        if (strcmp(file->folder, "flocks") != 0 || strncmp(file->name, kind->name, n) != 0 ||
            file->name[n] != '-')
            continue;
        size_t mark = sl_arena_mark(arena);
        status = read_bundled(file, arena, flock, err);
        if (status == SL_OK && !sl_flock_suits(*flock, kind, goal, accel)) {
            *name = file->name;
            return SL_OK;
        }
        sl_arena_rewind(arena, mark);
        *flock = NULL;
    }
    return status;
}
