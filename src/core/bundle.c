// bundle.c - look things up in the table of embedded files that the build generates.
#include "starling/core/bundle.h"

#include <assert.h>
#include <string.h>

// generated from data/*/*.yaml, sorted by folder, then name; the last row has folder NULL
extern const SlBundled sl_bundled_files[];

const SlBundled *sl_bundle_files(void) {
    return sl_bundled_files;
}

const SlBundled *sl_bundle_find(const char *folder, const char *name) {
    for (const SlBundled *file = sl_bundled_files; file->folder; file++) {
        if (strcmp(file->folder, folder) == 0 && strcmp(file->name, name) == 0) return file;
    }
    return NULL;
}

int sl_bundle_names(const char *folder, int room, const char **names) {
    assert(room >= 1);
    int n = 0;
    for (const SlBundled *file = sl_bundled_files; file->folder; file++) {
        if (n < room - 1 && strcmp(file->folder, folder) == 0) names[n++] = file->name;
    }
    names[n] = NULL;
    return n;
}
