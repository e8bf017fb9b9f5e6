// version.h - which Starling this is.
#pragma once

#define SL_VERSION "0.1.0"

const char *sl_version(void); // of the library at run time
