// plain_gp_kernel.c - see gp_names.h.
#include "gp_names.h"

#include "approx/gp_kernel.c" // NOLINT(bugprone-suspicious-include)
