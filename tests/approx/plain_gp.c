// plain_gp.c - see gp_names.h.
#include "gp_names.h"

#include "approx/gp.c" // NOLINT(bugprone-suspicious-include)
