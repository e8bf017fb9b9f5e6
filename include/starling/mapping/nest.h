// nest.h - the mapped loop nest: what it is, whether it fits, how it is read, written, mended
// and shown.
//
// Flow: sl_mapping_parse / sl_mapping_default -> sl_mapping_check (is it a nest of this layer?)
//       -> sl_mapping_fit (does it fit this accelerator? every violated inequality) ->
//       sl_mapping_repair -> cost.
#pragma once

#include "starling/accel.h"
#include "starling/workload.h"

SL_API_BEGIN

enum { SL_MAX_LOOPS = 40, SL_MAX_BOUNDARIES = SL_MAX_LEVELS - 1 };

// A loop over one dim in pieces of `tile`: ceil(extent / tile) iterations, the last one possibly
// smaller.
typedef struct {
    int64_t tile; // >= 1
    uint8_t dim;
    bool spatial; // iterations are instances side by side instead of steps in time
} SlLoop;

// The loop list, outermost first. Boundary b (0-based; storage level b + 1, DRAM being level 0)
// lies after its first `at[b]` loops and keeps the tensors in `keep[b]`. Plain value.
typedef struct {
    uint8_t n_loops, n_boundaries;
    uint8_t at[SL_MAX_BOUNDARIES]; // non-decreasing, <= n_loops
    uint8_t keep[SL_MAX_BOUNDARIES];
    SlLoop loops[SL_MAX_LOOPS];
} SlMapping;

// NULL, or why this is no nest of this layer ("the last loop over K must have tiles of 1").
// Everything that prices or runs a nest needs this to be NULL.
const char *sl_mapping_check(const SlLayer *layer, const SlMapping *mapping);

// Extents and footprints at every boundary b (storage level b + 1), index n_boundaries = one MAC.
typedef struct {
    int64_t extent[SL_MAX_LEVELS][SL_N_DIMS];   // of the largest tile
    int64_t words[SL_MAX_LEVELS][SL_N_TENSORS]; // its elements, kept or not
    int64_t grid[SL_MAX_LEVELS]; // instances of the level: product of the largest spatial trip
                                 // counts above it
    int64_t trips[SL_MAX_LOOPS]; // largest trip count of each loop
} SlFootprint;

void sl_mapping_footprint(const SlLayer *layer, const SlMapping *mapping, SlFootprint *out);

// One violated inequality.
typedef enum {
    SL_RULE_LEVELS,   // the nest has `need` boundaries, the accelerator has `have` on-chip levels
    SL_RULE_KEEP,     // level keeps tensors (mask `need`) that it cannot hold (mask `have`)
    SL_RULE_CAPACITY, // tiles need `need` bytes, the level has `have`
    SL_RULE_FANOUT,   // spatial loops need `need` instances, the fan-out has `have`
    SL_RULE_AXES,     // each fits alone, but no assignment of the spatial loops to the axes exists
    SL_RULE_SPREAD,   // dim `dim` may not be spread here
} SlRule;

typedef struct {
    SlRule rule;
    int level; // storage level (fan-outs: the level above the fan-out)
    int dim;   // SL_RULE_SPREAD
    double need, have;
    double bytes[SL_N_TENSORS]; // SL_RULE_CAPACITY: share of each tensor (doubling included)
    bool doubled;
    double spread[SL_N_DIMS]; // SL_RULE_FANOUT, SL_RULE_AXES: instances that each dim asks for
} SlViolation;

enum { SL_MAX_VIOLATIONS = 80 }; // no nest has more

typedef struct {
    int n; // 0 = fits
    SlViolation list[SL_MAX_VIOLATIONS];
} SlFit;

// Every violated inequality of a well-formed nest on an accelerator. Returns n == 0.
bool sl_mapping_fit(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                    SlFit *fit);

// "L1 needs 640 B (W 288, I 96, O 256; double buffered), has 512 B".
const char *sl_violation_text(const SlAccel *accel, const SlViolation *violation, size_t n,
                              char *out);

// Bytes per word that count: the layer's where given, else the accelerator's.
double sl_word_bytes(const SlLayer *layer, const SlAccel *accel, SlTensor tensor);

// Make a well-formed nest fit by shrinking tiles, spatial trips and kept sets, changing as little
// as it can; a nest that fits comes back unchanged. SL_EINPUT with the inequality that no tile size
// can meet; the nest is then left as it was.
SlStatus sl_mapping_repair(const SlLayer *layer, const SlAccel *accel, SlMapping *mapping,
                           SlError *err);

// A decent mapping without search: spread what fills the array, grow tiles from the inside out,
// keep the costliest tensor still. SL_EINPUT if the accelerator cannot run the layer at all, with
// the inequality.
SlStatus sl_mapping_default(const SlLayer *layer, const SlAccel *accel, SlMapping *mapping,
                            SlError *err);

// The nest text: `K:4` temporal, `K*4` spatial, `@7` boundary keeping W=1 I=2 O=4. For example
// `C:1 P:2 @7 K*2 K:1 R:1 @7 P:1`. SL_NEST_TEXT_MAX bytes hold any nest.
enum { SL_NEST_TEXT_MAX = 1024 };
SlStatus sl_mapping_parse(const char *text, SlMapping *mapping, SlError *err);
const char *sl_mapping_write(const SlMapping *mapping, size_t n, char *out);

// A mapping file holds that text or the readable YAML form (docs/formats/mapping.md). Its text (n)
// ends with NUL; `name` stands in errors; `accel` names the levels and may be NULL.
SlStatus sl_mapping_parse_file(const char *name, const char *text, size_t n, SlArena *scratch,
                               SlMapping *mapping, SlError *err);
void sl_mapping_write_yaml(const SlMapping *mapping, const SlAccel *accel, SlText *out);

// The nest as indented loops with trip counts and tiles for people.
void sl_mapping_draw(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                     SlText *out);

// Names of what is counted at a level of a nest, as golden files order them: "fill_W" ... "grid".
enum { SL_N_LEVEL_COUNTS = 23 };
extern const char *const sl_count_names[SL_N_LEVEL_COUNTS + 1]; // ends with NULL

SL_API_END
