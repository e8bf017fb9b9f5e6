// libraries.c - versions of the libraries that core stands on.
#include "starling/core/libraries.h"

#include <jansson.h>
#include <yaml.h>
#include <zlib.h>

int sl_libraries(SlLibrary out[SL_AT_LEAST(SL_MAX_LIBRARIES)]) {
    int n = 0;
    out[n++] = (SlLibrary){"libyaml", yaml_get_version_string()};
    out[n++] = (SlLibrary){"Jansson", JANSSON_VERSION};
    out[n++] = (SlLibrary){"zlib", zlibVersion()};
    return n;
}
