// accel.h - accelerators: storage levels, what spreads work between them, and what everything
// costs.
//
// Flow: sl_accel_find("eyeriss" or a file) -> SlAccel -> mapping (legality), cost.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum {
    SL_MAX_LEVELS = 7,   // storage levels with DRAM; the MACs come after the last
    SL_MAX_AXES = 4,     // of one fan-out
    SL_KEEP_ALL = 7,     // W | I | O as bits 1, 2, 4
    SL_SPREAD_ALL = 255, // every dim, bit d for dim d of workload.h (N G K C P Q R S)
};

#define SL_MAX_INSTANCES (INT64_C(1) << 40) // of one kind, MACs included

// How a level overlaps transfers with work, and how often its tile counts against its capacity.
typedef enum {
    SL_BUFFER_SINGLE,     // transfers add to the time; tile counted once
    SL_BUFFER_DOUBLE,     // transfers overlap; tile counted twice
    SL_BUFFER_OVERLAPPED, // transfers overlap; tile counted once (the capacity given is that of one
                          // half)
} SlBuffering;
extern const char *const sl_buffering_names[4]; // "single", "double", "overlapped", NULL

// One storage level. Rates are words per cycle of one instance, INFINITY = never binds. Energies
// are per word.
typedef struct {
    char name[24];
    int64_t capacity_bytes; // of one instance; 0 = unlimited (DRAM)
    uint8_t keep;           // tensors it can hold, bits 1 W, 2 I, 4 O
    SlBuffering buffering;
    double port_words; // reads and writes share the port
    double link_words; // of the whole network that feeds the instances of this level (not DRAM)
    double read_pj, write_pj; // per word
    double link_pj;           // per word delivered into this level over its network
    double area_um2_per_byte;
    int64_t line_bytes; // of a cache, for critics (sl_mapping_lines); 0 = not known, or no cache
} SlLevel;

// One axis of a fan-out: up to `size` instances side by side, and which dims may be spread over
// them.
typedef struct {
    char name[16];
    int64_t size;
    uint8_t dims; // bit d = dim d allowed
} SlAxis;

// What lies between level l and level l + 1 (the MACs after the last level). A flexible fan-out has
// one axis whose size is the number of instances in all: any number of spatial loops share it
// (clusters). A fixed grid gives each spatial loop one axis; several loops on one axis multiply. No
// axes: one instance.
typedef struct {
    int n_axes;
    SlAxis axes[SL_MAX_AXES];
    bool multicast; // one read of the parent serves all instances that need the same word
    bool reduction; // partial sums of several instances are added on the way to the parent
} SlFanout;

typedef struct {
    char name[64];
    char title[128];
    char source[512];
    int n_levels;                    // with DRAM = level 0
    SlLevel levels[SL_MAX_LEVELS];   // outermost first
    SlFanout fanouts[SL_MAX_LEVELS]; // fanouts[l] is below level l; fanouts[n_levels-1] spreads
                                     // over MACs
    double word_bytes[3];            // of W, I, O
    double mac_pj, mac_area_um2;
    double clock_mhz;
} SlAccel;

// NULL, or the first reason why the description cannot be one ("the capacity of a level on chip
// must be positive"). The readers below have checked already, with place and value.
const char *sl_accel_check(const SlAccel *accel);

// Names of accelerators, levels and axes are one word of ASCII letters, digits, '_', '-' and '.'.
bool sl_accel_name_ok(const char *name);

// Sizes of a description that passed the check.
int64_t sl_fanout_size(const SlFanout *fanout); // instances it can feed: product of its axes
int64_t sl_accel_instances(const SlAccel *accel, int level); // of a level in all, 1 for DRAM
int64_t sl_accel_macs(const SlAccel *accel);                 // MAC lanes in all (PEs x lanes)
double sl_accel_bytes(const SlAccel *accel);                 // on-chip storage of all instances
double sl_accel_area_um2(const SlAccel *accel);              // MACs and on-chip storage

// YAML (docs/formats/accelerator.md). `scratch` is used and given back; `accel` is written only on
// success. SL_EINPUT with file, line, column and what was expected.
SlStatus sl_accel_read(const char *path, SlArena *scratch, SlAccel *accel, SlError *err);
SlStatus sl_accel_parse(const char *name, const char *text, size_t n, SlArena *scratch,
                        SlAccel *accel, SlError *err);

// The same YAML without title and source: what it reads back as is equal in everything else.
void sl_accel_write(const SlAccel *accel, SlText *out);

// What a user types: a preset's name, or a file (a '/' or an ending .yaml, .yml, .json).
SlStatus sl_accel_find(const char *selector, SlArena *scratch, SlAccel *accel, SlError *err);

// The accelerator as a picture in text of at most 100 columns (UTF-8): boxes from DRAM down to the
// MACs with sizes, rates and energies, then the totals and the source.
void sl_accel_draw(const SlAccel *accel, SlText *out);

SL_API_END
