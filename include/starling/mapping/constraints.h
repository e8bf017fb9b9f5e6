// constraints.h - fixed dataflows: what a user allows the mapper to choose.
//
// Flow: sl_constraints_find("weight-stationary" or a file) -> SlSpaceOptions -> sl_space_make.
#pragma once

#include "starling/mapping/nest.h"

SL_API_BEGIN

enum { SL_MAX_RULES = 16 };

// One rule about a storage level: a name, or where it is.
typedef struct {
    char level[24]; // "L1"; "inner" = the innermost level, "outer" = the outermost on chip,
                    // "array" = that above the largest fan-out, "all" = all on chip
    bool has_order;
    int n_before, n_after; // loops fixed outside and inside the free ones ("C * P Q")
    uint8_t before[SL_N_DIMS], after[SL_N_DIMS];
    int n_parallel; // axes given: sets of dims that each may spread, of the fan-out below the level
    uint8_t parallel[SL_MAX_AXES];
    int64_t least[SL_N_DIMS], most[SL_N_DIMS]; // of the level's tiles; 0 = free; most -1 = whole
    int64_t cluster_least, cluster_most;       // of the cluster size below the level; 0 = free
} SlRuleSet;

typedef struct {
    char name[64], title[128], source[256];
    int n_rules;
    SlRuleSet rules[SL_MAX_RULES];
} SlConstraints;

// YAML (docs/formats/constraints.md). `scratch` is used and given back. SL_EINPUT with the place.
SlStatus sl_constraints_parse(const char *name, const char *text, size_t n, SlArena *scratch,
                              SlConstraints *out, SlError *err);
SlStatus sl_constraints_read(const char *path, SlArena *scratch, SlConstraints *out, SlError *err);

// What a user types: a bundled one, or a file (a '/' or an ending .yaml, .yml, .json).
SlStatus sl_constraints_find(const char *selector, SlArena *scratch, SlConstraints *out,
                             SlError *err);

SL_API_END
