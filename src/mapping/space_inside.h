// space_inside.h - what the files about spaces share.
#pragma once

#include "nest_inside.h"

#define SL_BIT(d) (1u << (d))

// A table under construction. Lists of sizes go into the arena.
typedef struct {
    SlSpace *space;
    SlArena *arena;
    const SlSpaceOptions *options;
    uint8_t open; // dims with tiles at every level
    bool failed;  // memory ran out
} SlSpaceDraft;

// Append a parameter and give its row, with name and role filled in; NULL if there is no space.
SlParam *sl_draft_param(SlSpaceDraft *draft, SlParamRole role, int level, const char *name);
void sl_draft_tile(SlSpaceDraft *draft, int level, int dim, const char *name, int n,
                   const int64_t *sizes);
void sl_draft_order(SlSpaceDraft *draft, int level, uint8_t dims, const char *name);

// Any levels and fan-outs: the native space, with the sizes that make a difference or all of them.
static inline bool sl_space_is_native(SlSpacePreset preset) {
    return preset == SL_SPACE_NATIVE || preset == SL_SPACE_ALL;
}

// The tables of the presets. SL_EINPUT where the accelerator or the layer does not suit.
SlStatus sl_space_native(SlSpaceDraft *draft, SlError *err);
SlStatus sl_space_paper(SlSpaceDraft *draft, SlError *err);

// Narrow the tables to what the constraints allow. SL_EINPUT if nothing is left of a parameter or a
// rule does not suit the accelerator.
SlStatus sl_space_constrain(const SlConstraints *constraints, SlArena *arena, SlSpace *space,
                            SlError *err);

// Dims that the rules tile or spread and that would else be whole or outermost, bit d.
uint8_t sl_constraints_open(const SlConstraints *constraints, const SlLayer *layer,
                            const SlAccel *accel);

// A flexible fan-out between two levels on chip: clusters and what is inside them.
static inline bool sl_fanout_clusters(const SlAccel *accel, int level) {
    return level >= 1 && level < accel->n_levels - 1 && accel->fanouts[level].n_axes == 1;
}

// K, or G where it takes K's place; P, or N where it takes P's place.
static inline int sl_channel_dim(const SlLayer *layer) {
    return layer->dims[SL_K] == 1 && layer->dims[SL_C] == 1 && layer->dims[SL_G] > 1 ? SL_G : SL_K;
}
static inline int sl_row_dim(const SlLayer *layer) {
    return layer->dims[SL_P] == 1 && layer->dims[SL_N] > 1 ? SL_N : SL_P;
}

// Extents of the largest tile in level l.
static inline int64_t sl_scheme_extent(const SlScheme *scheme, int l, int d) {
    int64_t n = scheme->clusters[l] == d ? scheme->n_clusters[l] : 1;
    int64_t tile = scheme->tile[l][d], whole = scheme->tile[l - 1][d];
    return tile >= sl_ceil_div(whole, n) ? whole : tile * n;
}

// Bytes that the tiles of a scheme need in level l, and whether they are there.
double sl_scheme_bytes(const SlSpace *space, const SlScheme *scheme, int level);
bool sl_scheme_fits(const SlSpace *space, const SlScheme *scheme);

// The same as MAESTRO counts them; `share` gets those of each tensor (NULL = not wanted).
double sl_scheme_maestro_bytes(const SlSpace *space, const SlScheme *scheme, int level,
                               double share[SL_N_TENSORS]);

// Smaller tiles where MAESTRO would lose work at an edge of these.
void sl_scheme_maestro_mend(const SlSpace *space, SlScheme *scheme);

// Inputs along one axis that `a` outputs with windows of `b` taps touch.
static inline int64_t sl_scheme_window(int64_t a, int64_t b, int64_t stride, int64_t dilation) {
    int64_t a_left = a - dilation, b_left = b - stride;
    return a_left > 0 && b_left > 0 ? a * b - a_left * b_left : a * b;
}

// How many instances of an axis each dim takes: those inside come first and take what they need.
void sl_scheme_shares(const SlSpace *space, const SlScheme *scheme, int level,
                      int64_t share[SL_MAX_AXES][SL_N_DIMS]);

// Choose the cluster size of a space that derives it, once the constraints have been applied.
void sl_space_settle(SlSpace *space);

// Fill in what the derived rows of a space are about; the tiles follow from those of the outer
// level.
void sl_scheme_derive_clusters(const SlSpace *space, SlScheme *scheme);
void sl_scheme_derive_tiles(const SlSpace *space, SlScheme *scheme);

// All tiles as small as the parameters allow, nothing spread.
void sl_scheme_smallest(const SlSpace *space, SlScheme *scheme);

// Points of a space, 0 = 2^62 or more (space_knobs.c); the value of a knob as text.
int64_t sl_space_count(const SlSpace *space);
void sl_knob_text(const SlParam *param, int32_t value, size_t n, char *out);
