// certificate_inside.h - inside prove: what a certificate says, and its parts as text
// (docs/formats/certificate.md).
#pragma once

#include "starling/cost/bound.h"
#include "starling/prove.h"

// One line `branch`.
typedef struct {
    const char *spread; // "1c:K*3 1a0:P*56", "" = nothing
    double bound;
    int64_t nodes;
} SlClaim;

// Points into itself: do not copy.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlGoal goal;
    SlSpace space;
    bool constrained; // the lists are not those of the preset
    uint8_t open;     // else: dims opened besides
    SlMapping mapping;
    const char *counts; // the line without its key
    double latency, energy, value, bound, epsilon;
    int n_claims;
    SlClaim *claims; // (n_claims)
} SlCertificate;

// Everything in it is well-formed: the layer, the accelerator, the lists of the space. Whether it
// is true is another question. SL_EINPUT with the line and what was expected there.
SlStatus sl_certificate_read(const char *name, const char *text, size_t n, SlArena *arena,
                             SlCertificate *out, SlError *err);

// A set of letters, "-" if empty; the line `layer`; the lines from `space` to the last list.
void sl_certificate_set(unsigned set, const char *const *names, SlText *out);
void sl_certificate_layer(const SlLayer *layer, SlText *out);
void sl_certificate_space(const SlSpace *space, bool constrained, uint8_t open, SlText *out);

// The accelerator with the words of the layer.
SlAccel sl_certificate_accel(const SlLayer *layer, const SlAccel *accel);

// Whether a space is that of its preset, dims of `open` opened besides.
bool sl_certificate_preset(const SlSpace *space, uint8_t *open, SlArena *scratch);

// The names of the lists that the preset would have otherwise, with the dims opened that leave
// fewest: "order 1, sizes 2 K". In the arena; NULL = no memory.
const char *sl_certificate_others(const SlSpace *space, SlArena *arena);

// What the space of a certificate is called. SL_ENOMEM.
SlStatus sl_certificate_proven_space(const SlCertificate *certificate, SlArena *scratch,
                                     SlProvenSpace *out);

// What a branch spreads; the counts of a mapping. Without key and end of line.
void sl_certificate_spread(const SlSpread *spread, SlText *out);
void sl_certificate_counts(const SlCounts *counts, const SlMapping *mapping, SlText *out);

// A flexible fan-out between two levels on chip: clusters and what is inside them.
static inline bool sl_has_clusters(const SlAccel *accel, int level) {
    return level >= 1 && level < accel->n_levels - 1 && accel->fanouts[level].n_axes == 1;
}
