// constraints.c - what a user types for a dataflow: a bundled one's name or a file.
#include "starling/mapping/constraints.h"

SlStatus sl_constraints_find(const char *selector, SlArena *scratch, SlConstraints *out,
                             SlError *err) {
    if (sl_bundle_is_path(selector)) return sl_constraints_read(selector, scratch, out, err);
    const SlBundled *file = sl_bundle_find("constraints", selector);
    if (!file) return sl_bundle_unknown("constraints", "constraints", selector, err);
    return sl_constraints_parse(file->name, file->text, file->n, scratch, out, err);
}
