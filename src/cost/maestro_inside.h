// maestro_inside.h - inside cost: MAESTRO's cluster levels, completed and measured once per
// mapping, then analysed for the sizes that each step hands down.
//
// Flow: sl_maestro_build (levels, tables) -> sl_maestro_analyse (cases, volumes, delays) ->
//       sl_maestro_eval (energy, area). Names of quantities are those of docs/maestro.md.
#pragma once

#include "starling/cost/maestro.h"

enum {
    SL_MAESTRO_MAX_MAPS = 24,       // of one completed level
    SL_MAESTRO_MAX_CASES = 1 << 16, // of one analysis of a level
    SL_MAESTRO_MAX_SIZES = 1 << 8,  // ways in which a level cuts the dims: whole or edge, each
    SL_MAESTRO_MAX_COUPLED = 8,     // dims that index inputs or weights
};

// The dims of a tensor in MAESTRO's order.
typedef struct {
    int n;
    uint8_t dims[SL_MAESTRO_MAX_COUPLED];
    uint16_t mask; // bit of each
} SlMaestroDims;

// A map of a completed level.
typedef struct {
    uint8_t var;
    bool spatial;
    int32_t size, offset;
} SlMaestroMap;

// One cluster level. Tables are by variable, Y' and X' included.
typedef struct {
    int n;
    SlMaestroMap maps[SL_MAESTRO_MAX_MAPS];
    int32_t fanout;               // sub-clusters
    int32_t dims[SL_N_MV];        // static sizes; 0 = no dim here
    int16_t first[SL_N_MV];       // map that speaks for a variable, -1 = none
    int16_t last[SL_N_MV];        // map whose state and sizes it has
    int n_spatial, spatial[2];    // maps
    int64_t edge_population;      // sub-clusters at work at a spatial edge
    int64_t mapped[SL_N_MV];      // elements of a step
    int64_t mapped_edge[SL_N_MV]; // of a step at the edge
    int64_t fresh[SL_N_MV];       // new elements of a step
    int64_t fresh_edge[SL_N_MV];
} SlMaestroLevel;

typedef struct {
    const SlMaestroHardware *hardware;
    SlMaestroDims tensor[SL_N_TENSORS];
    int n_coupled; // dims of inputs and weights, in the order of their names
    uint8_t coupled[SL_MAESTRO_MAX_COUPLED];
    uint8_t place[SL_N_MV]; // of a dim in it
    bool windows;           // X slides over S, Y over R
    int32_t stride[SL_N_MV];
    int n_levels;
    SlMaestroLevel levels[SL_MAESTRO_MAX_LEVELS];
} SlMaestroModel;

// Sizes of all dims of a layer, declared and derived; 0 = none. Strides likewise.
bool sl_maestro_dims(const SlMaestroLayer *layer, int32_t dims[static SL_N_MV],
                     int32_t stride[static SL_N_MV], SlMaestroFault *fault);

// Split the list into levels and complete them. False with the fault.
bool sl_maestro_build(const SlMaestroLayer *layer, const SlMaestroMapping *mapping,
                      const SlMaestroHardware *hardware, SlMaestroModel *model,
                      SlMaestroFault *fault);

// Counters of the outermost level: `out` gets everything but energy, area and power.
bool sl_maestro_analyse(const SlMaestroModel *model, SlMaestroCost *out, SlMaestroFault *fault);
