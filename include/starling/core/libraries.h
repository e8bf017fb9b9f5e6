// libraries.h - the libraries of others that are inside, with the versions at run time.
#pragma once

#include "starling/core/api.h"

SL_API_BEGIN

typedef struct {
    const char *name;
    const char *version;
} SlLibrary;

// libyaml, Jansson and zlib into `out`; returns how many. SQLite: sl_store_library (job/store.h).
enum { SL_MAX_LIBRARIES = 8 };
int sl_libraries(SlLibrary out[SL_AT_LEAST(SL_MAX_LIBRARIES)]);

SL_API_END
