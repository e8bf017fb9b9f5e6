// plain_gp_fit.c - see gp_names.h.
#include "gp_names.h"

#include "approx/gp_fit.c" // NOLINT(bugprone-suspicious-include)
