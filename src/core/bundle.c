// bundle.c - look things up in the table of embedded files that the build generates.
#include "starling/core/bundle.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "starling/core/text.h"

enum { MAX_NAMES = 256 };

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

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

bool sl_bundle_is_path(const char *selector) {
    return strchr(selector, '/') || ends_with(selector, ".yaml") || ends_with(selector, ".yml") ||
           ends_with(selector, ".json");
}

SlStatus sl_bundle_unknown(const char *folder, const char *what, const char *selector,
                           SlError *err) {
    const char *names[MAX_NAMES];
    char list[256] = "", hint[128] = "";
    sl_bundle_names(folder, MAX_NAMES, names);
    size_t used = 0;
    for (int i = 0; names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, i ? ", %s" : "%s", names[i]);
    const char *near = sl_nearest_name(selector, names);
    if (near) snprintf(hint, sizeof hint, " (did you mean '%s'?)", near);
    return sl_fail(err, SL_EINPUT, "unknown %s '%.64s'%s, expected one of %s, or a .yaml file",
                   what, selector, hint, list);
}
