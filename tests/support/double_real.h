// double_real.h - SlReal is double in the file that includes this first: the sources that it then
// compiles once more, under other names, are checked in that precision.
#pragma once

// the library's own, by a name that nobody uses, so that it is not declared again
#define SlReal SlLibraryReal
#include "starling/approx/real.h"
#undef SlReal

#define SlReal double
#define SL_APPROX_DOUBLE
