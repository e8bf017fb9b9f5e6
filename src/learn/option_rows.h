// option_rows.h - inside learn: rows of option tables. The file that includes it names its options
// struct OPTIONS first.
#pragma once

#include <stddef.h>

#include "starling/core.h"

#define FIELD(field) offsetof(OPTIONS, field)
#define WHOLE(name, field, fallback, low, high, help)                                              \
    { name, 0, SL_OPTION_INT, FIELD(field), fallback, low, high, NULL, "N", help, NULL }
#define REAL(name, field, fallback, low, high, help)                                               \
    { name, 0, SL_OPTION_REAL, FIELD(field), fallback, low, high, NULL, "X", help, NULL }
#define FLAG(name, field, fallback, help)                                                          \
    { name, 0, SL_OPTION_FLAG, FIELD(field), fallback, 0, 0, NULL, NULL, help, NULL }
#define PICK(name, field, fallback, names, help)                                                   \
    { name, 0, SL_OPTION_CHOICE, FIELD(field), fallback, 0, 0, names, "FORM", help, NULL }
