// constraints.c - what a user types for a dataflow: a bundled one's name or a file.
#include "starling/mapping/constraints.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BUNDLED = 128 };

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

static bool is_path(const char *selector) {
    return strchr(selector, '/') || ends_with(selector, ".yaml") || ends_with(selector, ".yml") ||
           ends_with(selector, ".json");
}

// the nearest one, then all of them
static SlStatus unknown_name(const char *selector, SlError *err) {
    const char *names[MAX_BUNDLED];
    char list[256] = "", hint[128] = "";
    sl_bundle_names("constraints", MAX_BUNDLED, names);
    size_t used = 0;
    for (int i = 0; names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, i ? ", %s" : "%s", names[i]);
    const char *near = sl_nearest_name(selector, names);
    if (near) snprintf(hint, sizeof hint, " (did you mean '%s'?)", near);
    return sl_fail(err, SL_EINPUT,
                   "unknown constraints '%.64s'%s, expected one of %s, or a .yaml file", selector,
                   hint, list);
}

SlStatus sl_constraints_find(const char *selector, SlArena *scratch, SlConstraints *out,
                             SlError *err) {
    if (is_path(selector)) return sl_constraints_read(selector, scratch, out, err);
    const SlBundled *file = sl_bundle_find("constraints", selector);
    if (!file) return unknown_name(selector, err);
    return sl_constraints_parse(file->name, file->text, file->n, scratch, out, err);
}
