// accel_find.c - what a user types for an accelerator: a preset's name or a file.
#include "starling/accel.h"

SlStatus sl_accel_find(const char *selector, SlArena *scratch, SlAccel *accel, SlError *err) {
    if (sl_bundle_is_path(selector)) return sl_accel_read(selector, scratch, accel, err);
    const SlBundled *preset = sl_bundle_find("accels", selector);
    if (!preset) return sl_bundle_unknown("accels", "accelerator", selector, err);
    return sl_accel_parse(preset->name, preset->text, preset->n, scratch, accel, err);
}
