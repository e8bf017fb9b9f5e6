// space.h - the choices that make a mapping of one layer on one accelerator: parameters, points,
// the way to a nest and back.
//
// Flow: sl_space_make -> a point (one whole number per parameter) -> sl_space_decode -> SlScheme
//       (tiles, orders, spreads) -> sl_scheme_repair -> sl_scheme_mapping -> SlMapping -> env.
//       sl_space_encode is the way back; sl_mapping_key tells equal nests; sl_mapping_features
//       describes a nest to a critic.
#pragma once

#include "starling/mapping/constraints.h"

SL_API_BEGIN

typedef enum {
    SL_ORDINAL,     // sizes in ascending order
    SL_CATEGORICAL, // sets of dims that are spread
    SL_PERMUTATION, // orders of loops, numbered as sl_permutation_number does
} SlParamKind;

typedef enum {
    SL_ROLE_ORDER,
    SL_ROLE_PARALLEL,
    SL_ROLE_TILE,
    SL_ROLE_CLUSTER,
    SL_ROLE_KNOB, // of a space that makes no mappings
} SlParamRole;

// Who steers a parameter where agents have professions (DCOC).
typedef enum {
    SL_AGENT_HARDWARE,
    SL_AGENT_SCHEDULING,
    SL_AGENT_MAPPING,
    SL_N_PROFESSIONS
} SlProfession;
extern const char *const sl_profession_names[SL_N_PROFESSIONS + 1]; // "hardware", "scheduling",
                                                                    // "mapping", NULL

enum {
    SL_MAX_PARAMS = 96,
    SL_MAX_SPREADS = 64, // values of a categorical parameter
};

// One parameter. Values are 0..n-1.
typedef struct {
    char name[48]; // "L2 order", "L2 parallel", "L1 K", "cluster size"
    SlParamKind kind;
    SlParamRole role;
    int level;   // ORDER and TILE: the storage level whose tiles it decides. PARALLEL and CLUSTER:
                 // the level above the fan-out
    int axis;    // PARALLEL: of the fan-out (flexible ones: 0 clusters, 1 inside a cluster)
    int dim;     // TILE
    int32_t n;   // number of values
    int n_items; // PERMUTATION: dims that change places; n = n_items!
    uint8_t items[SL_N_DIMS]; // PERMUTATION: those dims
    int n_before, n_after;    // PERMUTATION: dims fixed outside and inside them
    uint8_t before[SL_N_DIMS], after[SL_N_DIMS];
    const int64_t *sizes;            // ORDINAL: (n), ascending
    uint8_t spreads[SL_MAX_SPREADS]; // CATEGORICAL: (n), sets of dims, bit d for dim d
    // KNOB alone
    SlProfession profession;
    const char *const *labels; // (n) of values, of a PERMUTATION (n_items) of its items; NULL =
                               // the sizes speak for themselves
} SlParam;

SlProfession sl_param_profession(const SlParam *param);

typedef enum {
    SL_SPACE_NATIVE,
    SL_SPACE_ALL, // native with every tile and cluster size
    SL_SPACE_PAPER,
    SL_SPACE_PAPER10,
    SL_N_SPACES
} SlSpacePreset;
extern const char *const sl_space_names[SL_N_SPACES + 1]; // "native", "all", "paper", "paper10"

typedef struct {
    SlSpacePreset preset;
    uint8_t open;                     // dims to tile at every level as well, bit d for dim d
    const SlConstraints *constraints; // NULL = none; used while making, not kept
    bool maestro; // tiles take as much space as MAESTRO says: outputs in the innermost level as
                  // much as inputs, the halos of clusters are not shared
} SlSpaceOptions;

// The whole space. Read it, do not change it. Layer and accelerator are kept as pointers.
typedef struct {
    const SlLayer *layer; // NULL where nothing is mapped
    const SlAccel *accel; // NULL where points are not mappings: all parameters are knobs
    SlSpacePreset preset;
    int n_params;
    int n_derived;     // rows after the parameters: what decoding chooses itself (paper10)
    SlParam *params;   // (n_params + n_derived)
    uint8_t dims;      // dims with tile parameters, bit d
    uint8_t outermost; // dims that are steps outside everything else (N, G), bit d
    double log10_size; // points
    int64_t n_points;  // the same, 0 = 2^62 or more
    bool maestro;      // room as MAESTRO counts it
    bool constrained;  // constraints forbid mappings that the accelerator would run

    // for quick decoding
    int16_t tile_param[SL_MAX_LEVELS][SL_N_DIMS]; // parameter of a tile, -1 = whole
    double word_bytes[SL_MAX_LEVELS]
                     [SL_N_TENSORS]; // a word in a level counts so much, 0 = not kept
    int64_t stride[2], dilation[2];  // of the windows, without common divisor
} SlSpace;

// Build the parameters of a layer on an accelerator (docs/spaces.md). SL_EINPUT with the violated
// inequality if not even the smallest tiles fit, or with what the preset or the constraints lack.
SlStatus sl_space_make(const SlLayer *layer, const SlAccel *accel, const SlSpaceOptions *options,
                       SlArena *arena, SlSpace *space, SlError *err);

// The accelerator and all that every parameter may be, as text: two spaces of a layer are the same
// if theirs are. For fingerprints, not for people.
void sl_space_describe(const SlSpace *space, SlText *out);

// The structured view: what a point says, level by level. Index l >= 1 is a storage level on chip;
// fan-out l lies below level l.
typedef struct {
    int64_t tile[SL_MAX_LEVELS][SL_N_DIMS];  // of level l, or of one cluster below it; [0] is what
                                             // the outermost loops leave of the layer
    uint8_t n_order[SL_MAX_LEVELS];          // loops in time just above level l
    uint8_t order[SL_MAX_LEVELS][SL_N_DIMS]; // their dims, outermost first
    uint8_t clusters[SL_MAX_LEVELS];         // flexible fan-outs: dim spread over clusters
    int64_t n_clusters[SL_MAX_LEVELS];       // 1 = no clusters
    uint8_t spread[SL_MAX_LEVELS][SL_MAX_AXES]; // sets of dims spread over each axis (inside a
                                                // cluster)
    int64_t axis[SL_MAX_LEVELS][SL_MAX_AXES];   // instances of each axis
} SlScheme;

// Total and deterministic: any point decodes, values out of range count as the nearest one. Tiles
// are clamped to those outside them.
void sl_space_decode(const SlSpace *space, const int32_t *point, SlScheme *scheme);

// Make it fit: from the outermost level in, step down the tile whose next smaller size frees most,
// then clusters; then round tiles up to what a fan-out takes at a time where that costs no trip and
// still fits (native). A scheme that fits is only rounded. Never fails: the smallest tiles fit.
void sl_scheme_repair(const SlSpace *space, SlScheme *scheme);

// The nest of a scheme, without loops that never iterate. Always well-formed; fits once repaired.
void sl_scheme_mapping(const SlSpace *space, const SlScheme *scheme, SlMapping *mapping);

// All three; returns false if the point as it stands does not fit and `repair` is false.
bool sl_space_mapping(const SlSpace *space, const int32_t *point, bool repair, SlMapping *mapping);

// The point nearest to a well-formed nest with as many levels as the accelerator: exact where the
// space holds an equivalent of the nest.
void sl_space_encode(const SlSpace *space, const SlMapping *mapping, int32_t *point);

// The point of a mapping as it stands after clamping and repair: tiles as they came out, the listed
// size nearest by ratio where the size itself is not listed; orders, parallel dims and cluster
// sizes as chosen. Returns whether the point says all of it. `out` may be `point`.
bool sl_space_repaired(const SlSpace *space, const int32_t *point, int32_t *out);

// --- Spaces that make no mappings

// Begin an empty space; add parameters, each with 1 value or more; close it. sl_space_close returns
// false without memory or where a parameter did not fit (SL_MAX_PARAMS).
void sl_space_open(SlSpace *space, const SlLayer *layer, SlArena *arena);
// Values are whole numbers, ascending, at least 0; kept in the arena.
void sl_space_add_sizes(SlSpace *space, const char *name, SlProfession profession, int n,
                        const int32_t *values, SlArena *arena);
// The next parameter to be filled in by the caller; NULL where there is no space.
SlParam *sl_space_add(SlSpace *space, const char *name, SlProfession profession);
bool sl_space_close(SlSpace *space);

// Points of a space with n_points > 0 as numbers 0..n_points-1, and back; the last parameter counts
// ones.
int64_t sl_space_index(const SlSpace *space, const int32_t *point);
void sl_space_at(const SlSpace *space, int64_t index, int32_t *point);

// "tile_h=14 tile_w=56 ..."; at most n-1 bytes into `out`, which is returned. Orders are items
// joined by '>'.
enum { SL_POINT_TEXT_MAX = 6144 };
const char *sl_space_show(const SlSpace *space, const int32_t *point, size_t n, char *out);
// A point from such a text: every parameter once, values from their lists. SL_EINPUT with what was
// expected.
SlStatus sl_space_parse(const SlSpace *space, const char *text, int32_t *point, SlError *err);

// A uniform point; the value of one parameter as text ("56", "K C P Q R S", "C").
void sl_space_sample(const SlSpace *space, SlRng *rng, int32_t *point);
const char *sl_param_text(const SlParam *param, int32_t value, size_t n, char *out);

// Permutations of 0..n-1 (n <= 8) by number (Lehmer code; 0 = ascending), and back.
void sl_permutation(int n, int32_t number, uint8_t *order);
int32_t sl_permutation_number(int n, const uint8_t *order);
int32_t sl_factorial(int n);

// A key that equivalent nests share: loops that never iterate do not count, nor the order of what
// is inside the innermost level or of neighbouring spatial loops over different dims.
uint64_t sl_mapping_key(const SlLayer *layer, const SlMapping *mapping);

// What a critic sees of a nest: trip counts, spreads, who is outside whom, utilisation, tile
// volumes, and reuse (words moved into every level under this loop order, edges ignored). Numbers
// of order one. The number of features depends on the accelerator's levels alone. The first ones
// are half the logarithm of the estimated latency and energy over the least that the layer can
// take.
// Their meaning is counted: models of another version cannot read them.
enum { SL_FEATURES_VERSION = 1 };
enum { SL_FEATURE_LATENCY, SL_FEATURE_ENERGY, SL_N_ESTIMATES };
typedef enum {
    SL_FEATURES_PLAIN,    // trips, spreads, tiles, utilisation, order
    SL_FEATURES_REUSE,    // words moved into every level
    SL_FEATURES_ESTIMATE, // cycles of ports and links; latency and energy
} SlFeatureGroup;
SlFeatureGroup sl_feature_group(const SlAccel *accel, int feature);
int sl_features_n(const SlAccel *accel);
void sl_mapping_features(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                         float *out);

// Levels with a line size are caches: the lines of W, I, O and of all that each would fetch, over
// those of the tensors, as halves of logarithms. Critics of flocks see them behind the features.
int sl_lines_n(const SlAccel *accel); // 0 where no level has one
void sl_mapping_lines(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                      float *out);

SL_API_END
