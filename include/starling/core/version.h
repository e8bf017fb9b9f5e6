// version.h - which Starling this is.
#pragma once

#include "starling/core/api.h"

SL_API_BEGIN

#define SL_VERSION "0.2.0"

const char *sl_version(void); // of the library at run time

SL_API_END
