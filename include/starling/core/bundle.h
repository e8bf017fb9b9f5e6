// bundle.h - the data files inside the program: the zoo, the accelerator presets and the dataflows,
// so that nothing needs installing.
#pragma once

#include "starling/core/status.h"

typedef struct {
    const char *folder; // "accels", "constraints", "networks"
    const char *name;   // file name without its ending
    const char *text;   // NUL-terminated
    size_t n;           // bytes without the NUL
} SlBundled;

// All files of all folders in alphabetical order; the last one has folder NULL.
const SlBundled *sl_bundle_files(void);
const SlBundled *sl_bundle_find(const char *folder, const char *name); // NULL if absent

// The names in a folder, ended by NULL, into `names` (room entries); returns their number.
int sl_bundle_names(const char *folder, int room, const char **names);
