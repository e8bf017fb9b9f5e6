// maestro_hardware.h - what MAESTRO knows of an accelerator (docs/formats/maestro.md).
//
// Flow: sl_maestro_hardware_init (its command line's defaults), _read (a hardware file) or _of (an
//       accelerator of ours) -> cost/maestro.h; sl_maestro_accel is the way to an SlAccel.
#pragma once

#include "starling/accel.h"

SL_API_BEGIN

typedef struct {
    int32_t num_pes;
    int32_t simd_lanes;  // MACs per PE and cycle
    int32_t noc_bw;      // elements per cycle, the same at every level
    int32_t noc_latency; // cycles of the first element: hops x latency of a hop
    int32_t offchip_bw;  // elements per cycle
    int32_t l1_bytes;    // of a PE; INT32_MAX = not limited. MAESTRO only warns; the strict guard
    int32_t l2_bytes;    // does not
} SlMaestroHardware;

// 7 PEs, one lane, no limit of NoC and buffers, latency 0, off-chip 70,000.
void sl_maestro_hardware_init(SlMaestroHardware *hardware);

// A hardware file: everything but the lanes is set, with the file's own defaults (1 PE, latency 1,
// no limits) where it is silent. SL_EINPUT with place and what was expected.
SlStatus sl_maestro_hardware_read(const char *path, SlArena *scratch, SlMaestroHardware *hardware,
                                  SlError *err);

// An accelerator with two levels on chip and one flexible fan-out between them: its PEs, lanes,
// capacities in words (both halves of overlapped levels), link into the PEs, and DRAM's port or the
// link into L2, whichever is smaller; latency 1. NULL, or why it is no such machine.
const char *sl_maestro_hardware_of(const SlAccel *accel, SlMaestroHardware *hardware);

// The machine that MAESTRO has in mind: DRAM of the off-chip bandwidth, an L2 and an L1 per PE,
// both double buffered, with MAESTRO's energies of MACs and accesses (DRAM: none).
void sl_maestro_accel(const SlMaestroHardware *hardware, SlAccel *accel);

SL_API_END
