// plain_gp_matrix.c - see gp_names.h.
#include "gp_names.h"

#include "approx/gp_matrix.c" // NOLINT(bugprone-suspicious-include)
