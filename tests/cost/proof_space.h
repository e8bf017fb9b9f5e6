// proof_space.h - the mappings that a proof speaks of, listed as docs/formats/certificate.md
// defines them, by none of the code that bounds or decodes them: branches, tile sizes, nests.
//
// Flow: proof_spreads -> proof_branch_make -> proof_each_tiles -> proof_each_order -> proof_nest.
#pragma once

#include "starling/cost/bound.h"

// All branches in order into `out` (room); returns their number, -1 if there are more than `room`.
int proof_spreads(const SlSpace *space, int room, SlSpread *out);

// Do both spread alike? Which dim goes over one cluster makes no difference.
bool proof_same_spread(const SlAccel *accel, const SlSpread *a, const SlSpread *b);

// "1c:K*3 1a0:P*56", as in a certificate.
const char *proof_spread_text(const SlAccel *accel, const SlSpread *spread, size_t n, char *out);

// A branch and the sizes of its tiles.
typedef struct {
    const SlSpace *space;
    SlSpread spread;
    int n_sizes[SL_MAX_LEVELS][SL_N_DIMS]; // of S_l[d], 0 = as in the level outside
    int64_t *sizes[SL_MAX_LEVELS][SL_N_DIMS];
} ProofBranch;

// The lists are in the arena; false without memory.
bool proof_branch_make(const SlSpace *space, const SlSpread *spread, SlArena *arena,
                       ProofBranch *branch);

// Sizes of T_l[d] below a tile of `whole`, ascending, into `sizes` (as many as the longest list
// has, and one); returns their number.
int proof_sizes(const ProofBranch *branch, int level, int dim, int64_t whole, int64_t *sizes);

// Of `pieces` of a dim what every axis of fan-out l takes.
void proof_shares(const ProofBranch *branch, int l, int dim, int64_t pieces,
                  int64_t share[SL_MAX_AXES]);

// The parameter with this role at a level, NULL if there is none.
const SlParam *proof_param(const SlSpace *space, SlParamRole role, int level, int axis);

// The first scheme of a walk: T_0, and orders as the space lists them.
void proof_start(const SlSpace *space, SlScheme *scheme);

// The largest extents in level l, X_l.
void proof_extents(const ProofBranch *branch, const SlScheme *scheme, int level,
                   int64_t extent[SL_N_DIMS]);

// Do the tiles fit the level?
bool proof_fits(const ProofBranch *branch, const SlScheme *scheme, int level);

// Is the scheme one of the branch's, and does it fit? NULL, or what is not so.
const char *proof_lacks(const ProofBranch *branch, const SlScheme *scheme, size_t n, char *out);

// The nest of the scheme's tiles and orders under the branch's spread.
void proof_nest(const ProofBranch *branch, const SlScheme *scheme, SlMapping *nest);

// Call `visit` for every choice of tiles that fits; false ends the walk, and is returned. The
// orders of the scheme may be changed by the visitor.
typedef bool ProofVisit(void *context, SlScheme *scheme);
bool proof_each_tiles(const ProofBranch *branch, ProofVisit *visit, void *context);

// Call `visit` for every order of the loops that iterate, the tiles being as they are.
bool proof_each_order(const ProofBranch *branch, const SlScheme *scheme, ProofVisit *visit,
                      void *context);
double proof_n_orders(const ProofBranch *branch, const SlScheme *scheme);
