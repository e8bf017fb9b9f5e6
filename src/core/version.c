// version.c - the version the library was built as.
#include "starling/core/version.h"

const char *sl_version(void) {
    return SL_VERSION;
}
