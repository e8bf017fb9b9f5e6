// bundle.h - the data files inside the program: the zoo, the accelerator presets, the dataflows and
// the plans of studies, so that nothing needs installing.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

typedef struct {
    const char *folder; // "accels", "constraints", "flocks", "networks", "plans"
    const char *name;   // file name without its ending
    const char *text;   // NUL-terminated; of flocks the bytes of the file
    size_t n;           // bytes without the NUL
} SlBundled;

// All files of all folders in alphabetical order; the last one has folder NULL.
const SlBundled *sl_bundle_files(void);
const SlBundled *sl_bundle_find(const char *folder, const char *name); // NULL if absent

// The names in a folder, ended by NULL, into `names` (room entries); returns their number.
int sl_bundle_names(const char *folder, int room, const char **names);

// Whether what a user typed is a file of the user's own rather than a bundled name: it has a '/',
// or something before .yaml, .yml or .json at its end.
bool sl_bundle_is_path(const char *selector);

// SL_EINPUT, for a selector that names no file of the folder; `what` is what the folder holds, as
// in "unknown accelerator 'eyeris' (did you mean 'eyeriss'?), expected one of ..., or a .yaml
// file".
SlStatus sl_bundle_unknown(const char *folder, const char *what, const char *selector,
                           SlError *err);

SL_API_END
