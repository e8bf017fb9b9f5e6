// maestro.h - MAESTRO's cost model, number by number, and where its numbers are not physical
// (docs/maestro.md).
//
// Flow: SlMaestroNetwork (a .m file) or sl_maestro_of_nest (a nest of ours) -> sl_maestro_eval ->
//       SlMaestroCost -> sl_maestro_csv_row (as MAESTRO prints it), sl_maestro_guard (is it
//       physical?), sl_maestro_reasons (why it differs from the exact counts).
#pragma once

#include "starling/accel/maestro_hardware.h"
#include "starling/cost.h"
#include "starling/mapping/maestro_nest.h"

SL_API_BEGIN

// Why MAESTRO gives no result, or dies.
typedef enum {
    SL_FAULT_NONE,
    SL_FAULT_DIM_MISSING,    // the layer does not declare `var`
    SL_FAULT_DIM_TWICE,      // both Y and Y', or both X and X', are declared
    SL_FAULT_VAR_UNKNOWN,    // level `level` maps `var`, which is no dim there
    SL_FAULT_FILTER_CUT,     // TemporalMap of R or S that is not the whole filter
    SL_FAULT_OUTPUT_CENTRIC, // level maps Y' (X') without R (S), or Y and Y' together
    SL_FAULT_LEVELS,         // more than 4 levels
    SL_FAULT_NO_SPATIAL,     // level without a SpatialMap
    SL_FAULT_MANY_SPATIAL,   // level with more than two
    SL_FAULT_PES,            // fewer PEs than the clusters need: a = PEs, b = needed
    SL_FAULT_BANDWIDTH,      // NoC or off-chip bandwidth below 1
    SL_FAULT_NOTHING_NEW,    // `var` moves on without new elements (its steps are whole)
    SL_FAULT_IDLE_CLUSTERS,  // a step of level 0 whose clusters compute nothing
    SL_FAULT_TOO_MANY_STEPS, // the number of steps overflows
} SlMaestroFaultKind;

typedef struct {
    SlMaestroFaultKind kind;
    int level;
    SlMaestroVar var;
    int64_t a, b;
} SlMaestroFault;

// One sentence, with what MAESTRO does: "level 1 has no SpatialMap (MAESTRO exits with 255)".
const char *sl_maestro_fault_text(const SlMaestroFault *fault, size_t n, char *out);

typedef struct {
    int64_t min, max, avg;
} SlMaestroDelay;

// Everything MAESTRO reports of a layer. Whole numbers are as it counts them (they may be zero,
// negative or wrapped for mappings that compute nothing sensible); ratios may be NaN. Tensors in
// our order, SlTensor.
typedef struct {
    int64_t runtime_cycles, macs;
    int64_t l2_read[SL_N_TENSORS], l2_write[SL_N_TENSORS];
    int64_t l1_read[SL_N_TENSORS], l1_write[SL_N_TENSORS];
    int64_t l2_need[SL_N_TENSORS], l1_need[SL_N_TENSORS]; // bytes, double buffered
    int64_t l2_bytes, l1_bytes;                           // their sums as printed
    SlMaestroDelay ingress, egress, compute;
    int64_t peak_bw, offchip_bw;
    double avg_bw;
    double active_pes, intensity;
    bool single;               // one level, or nothing valid: the energy is of this layer alone
    double energy_nj;          // of the CSV: L1 counts are those of the layer before, unless single
    long double screen_energy; // of the screen report, in MACs
    double area_um2, power_mw;
    double pe_mw, l1_mw, l2_mw, noc_mw;
    int64_t input_pixels, weight_pixels; // as declared
} SlMaestroCost;

// Price a mapping. `previous` is the result of the layer before in the same file, NULL for the
// first. False with the reason in `fault` where MAESTRO gives no result; `out` is then undefined.
// Pure; allocates nothing (takes up to 64 KB of stack); any thread.
bool sl_maestro_eval(const SlMaestroLayer *layer, const SlMaestroMapping *mapping,
                     const SlMaestroHardware *hardware, const SlMaestroCost *previous,
                     SlMaestroCost *out, SlMaestroFault *fault);

// The CSV file: MAESTRO's header line, and a row as it prints it.
extern const char sl_maestro_csv_header[];
void sl_maestro_csv_row(const char *network, const char *layer, const SlMaestroHardware *hardware,
                        const SlMaestroCost *cost, SlText *out);

// --- Is it physical?

// The strict guard: what a result must satisfy to be an objective.
typedef enum {
    SL_GUARD_MACS = 1,    // every multiply-accumulate of the layer is there, none twice
    SL_GUARD_RUNTIME = 2, // not faster than the mapping computes
    SL_GUARD_L1 = 4,      // the buffers suffice
    SL_GUARD_L2 = 8,
} SlGuardRule;

typedef struct {
    int broken;                  // SlGuardRule bits; 0 = accepted
    double macs, macs_expected;  // expected: of the tiles as MAESTRO counts positions, at
                                 // stride 1 inside a tile; without strides the layer's own
    double cycles, cycles_least; // least: exact compute cycles of the nest over the lanes
    double l1_need, l1_have, l2_need, l2_have;
    double excess; // log of the worst ratio of what is broken, 0 = accepted
} SlMaestroGuard;

// `nest` is the same mapping (sl_maestro_nest); NULL where it has none: then `least` is that of
// perfectly busy PEs. Returns broken == 0.
bool sl_maestro_guard(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                      const SlMaestroHardware *hardware, const SlMaestroCost *cost,
                      const SlLayer *layer, const SlMapping *nest, SlMaestroGuard *guard);
const char *sl_maestro_guard_text(const SlMaestroGuard *guard, SlGuardRule rule, size_t n,
                                  char *out); // "32 of 192 MACs are missing"

// --- Why it differs

// Quantities that both models have. L2 read W and I: words sent to the array; L2 read O: what
// leaves L2; L2 write W and I: what enters it; L2 write O: words that the array sends up.
typedef enum {
    SL_ROW_MACS,
    SL_ROW_RUNTIME,
    SL_ROW_L2_READ, // + tensor
    SL_ROW_L2_WRITE = SL_ROW_L2_READ + SL_N_TENSORS,
    SL_ROW_L1_READ = SL_ROW_L2_WRITE + SL_N_TENSORS,
    SL_ROW_L1_WRITE,
    SL_ROW_L2_NEED,
    SL_ROW_L1_NEED,
    SL_ROW_PES,
    SL_ROW_ENERGY,        // of the CSV
    SL_ROW_SCREEN_ENERGY, // of the screen report
    SL_ROW_OFFCHIP,
    SL_N_ROWS
} SlMaestroRow;

// Ways of MAESTRO that make a quantity differ from the exact one. Each has a name, a sentence and a
// section in docs/maestro.md.
typedef enum {
    // work
    SL_REASON_LOST_EDGE,  // a partial last cluster of a spread dim is forgotten
    SL_REASON_EMPTY_EDGE, // a map larger than its dim leaves too little of it, or nothing
    SL_REASON_GAPS,       // steps leave gaps: work is missing
    SL_REASON_GAP_EDGE,   // an edge behind a gap counts as the whole dim
    SL_REASON_OVERLAP,    // steps overlap: work is done twice
    SL_REASON_STRIDE,     // outputs are counted at stride 1
    SL_REASON_BATCH,      // N is coupled to nothing
    SL_REASON_GROUPS,     // outputs of a grouped layer are not summed over C
    SL_REASON_LONE_EDGE,  // a cluster that is alone at an edge has as many outputs as inputs
    SL_REASON_NO_OUTPUT,  // a tile smaller than the filter has no outputs
    // traffic
    SL_REASON_HALO,         // neighbours share their halo, but not in the first step of level 0
    SL_REASON_EDGE_LOADS,   // an edge is loaded as a full tile
    SL_REASON_NO_REFETCH,   // what moved away is not loaded again when an outer loop advances
    SL_REASON_INSIDE,       // what moves at the steps inside a cluster is not counted
    SL_REASON_L2_ONCE,      // every input and weight enters L2 once
    SL_REASON_UNTOUCHED,    // inputs that no window touches enter L2, too
    SL_REASON_EACH_STEP,    // outputs go up at every step, even if they stay
    SL_REASON_NO_RETURN,    // partial sums that come back are not counted
    SL_REASON_LAST_PE,      // the last PE at work sends no outputs
    SL_REASON_L1_MULTICAST, // a word for several PEs is one write of L1
    SL_REASON_OUTPUT_TILE,  // L1 holds output tiles of the size of input tiles
    SL_REASON_OVERSIZE,     // a map larger than its dim is held whole
    // time
    SL_REASON_COLD_START, // at every step of the outermost level the inner ones start empty
    SL_REASON_PARTS,      // a PE with a smaller tile counts as one
    SL_REASON_AVERAGED,   // PEs at work are averaged over steps, not over time
    SL_REASON_FULL_EDGE,  // an edge takes as long as a full tile inside a cluster
    SL_REASON_LANES,      // every step fills whole rows of lanes
    SL_REASON_OFFCHIP,    // off-chip transfers are those of the first step
    SL_REASON_HALVED,     // the off-chip rate is halved at every kind of step
    // energy
    SL_REASON_ENERGY_L1,    // the CSV's energy has the L1 accesses of the layer before, or none
    SL_REASON_ENERGY_PARTS, // the CSV's energy has no MACs, nor outputs read from L2
    SL_N_REASONS
} SlMaestroReason;

// Bits of the reasons that apply to this mapping, row by row, and all of them.
typedef struct {
    uint32_t row[SL_N_ROWS], all;
} SlMaestroReasons;
void sl_maestro_reasons(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                        const SlMaestroHardware *hardware, const SlMaestroCost *cost,
                        SlMaestroReasons *out);
const char *sl_maestro_reason_name(SlMaestroReason reason); // "lost edge"
const char *sl_maestro_reason_text(SlMaestroReason reason); // "a partial last cluster of ..."

SL_API_END
