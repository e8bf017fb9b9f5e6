// accel_find.c - what a user types for an accelerator: a preset's name or a file.
#include "starling/accel.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PRESETS = 128 };

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

static bool is_path(const char *selector) {
    return strchr(selector, '/') || ends_with(selector, ".yaml") || ends_with(selector, ".yml") ||
           ends_with(selector, ".json");
}

// the nearest preset, then all of them
static SlStatus unknown_preset(const char *selector, SlError *err) {
    const char *names[MAX_PRESETS];
    char list[256] = "";
    sl_bundle_names("accels", MAX_PRESETS, names);
    size_t used = 0;
    for (int i = 0; names[i] && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, i ? ", %s" : "%s", names[i]);
    }
    const char *near = sl_nearest_name(selector, names);
    if (!near) {
        return sl_fail(err, SL_EINPUT,
                       "unknown accelerator '%.64s', expected one of %s, or a .yaml file", selector,
                       list);
    }
    return sl_fail(
        err, SL_EINPUT,
        "unknown accelerator '%.64s' (did you mean '%s'?), expected one of %s, or a .yaml file",
        selector, near, list);
}

SlStatus sl_accel_find(const char *selector, SlArena *scratch, SlAccel *accel, SlError *err) {
    if (is_path(selector)) return sl_accel_read(selector, scratch, accel, err);
    const SlBundled *preset = sl_bundle_find("accels", selector);
    if (!preset) return unknown_preset(selector, err);
    return sl_accel_parse(preset->name, preset->text, preset->n, scratch, accel, err);
}
