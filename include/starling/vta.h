// vta.h - the VTA tensor core (Moreau et al. 2019): a configuration, the instruction stream of its
// convolution template for a schedule, how many cycles it takes, what it computes, what it needs.
//
// Flow: SlVtaCore + SlLayer -> sl_vta_task -> (SlVtaSchedule) -> sl_vta_check -> sl_vta_time.
//       The same instructions, tile group by tile group, feed the timing engine, the functional
//       simulator (sl_vta_execute) and sl_vta_listing, so a schedule that computes the wrong thing
//       cannot score. docs/vta.md says where every rule and constant comes from.
#pragma once

#include "starling/workload.h"

SL_API_BEGIN

// --- The core

// When things happen. `tsim` is the Verilator build of the pipelined Chisel core on an ideal DRAM;
// `pynq` is fitted to measured times of a board.
typedef struct {
    const char *name;
    int latency;               // cycles from a read request to its first beat
    int row_cycles;            // more for every row of a load
    int load_cycles;           // more for every load
    int burst_cycles;          // more for every burst of a store, besides 3
    int uop_cycles;            // of a micro-op of GEMM: 1 pipelined, 4 before
    bool fetch;                // instructions arrive in groups of 8, at the bus's pace
    double clock_mhz, call_us; // time of the host around a call
} SlVtaTiming;
extern const SlVtaTiming sl_vta_timings[];          // tsim, pynq; ends with a NULL name
const SlVtaTiming *sl_vta_timing(const char *name); // NULL if there is none

// Elements: inp B x Bi, wgt Bo x Bi, out B x Bo bytes, acc B x Bo words of 32 bits.
typedef struct {
    int batch, block_in, block_out;         // powers of two
    int log_uop, log_inp, log_wgt, log_acc; // log2 of bytes; out has a quarter of acc
    int bus_bits;                           // of the DRAM port: 64, 128, 256, 512
    SlVtaTiming timing;
    bool strict; // refuse unrolled micro-ops that write one accumulator within two cycles
} SlVtaCore;
void sl_vta_core_init(SlVtaCore *core); // 1x16x16, 32 K / 32 K / 256 K / 128 K, 64 bits, tsim
// "1x16x16", or upstream's "1x16_i8w8a32_15_15_18_17" (with a target's name before it or not): sets
// the numbers it names. SL_EINPUT with what was expected.
SlStatus sl_vta_core_parse(const char *text, SlVtaCore *core, SlError *err);
const char *sl_vta_core_write(const SlVtaCore *core, size_t n,
                              char *out);             // upstream's form, 1x16x16_...
const char *sl_vta_core_check(const SlVtaCore *core); // NULL or the reason

// What a core needs of a chip.
typedef struct {
    int64_t macs, alu_lanes, sram_bytes;
    int bram36[5];              // uop, inp, wgt, acc, out
    int bram36_total, dsp, lut; // lut: of multipliers that found no DSP
} SlVtaResources;
typedef struct {
    const char *name; // "z7020", "zu3eg"
    int64_t macs;     // 0 = no limit, as below
    int dsp, bram36, lut;
    int64_t sram_bytes;
} SlVtaBudget;
extern const SlVtaBudget sl_vta_budgets[]; // ends with a NULL name
// `dsp`: multipliers beyond are made of LUTs; 0 = all are DSPs.
void sl_vta_resources(const SlVtaCore *core, int dsp, SlVtaResources *out);
// The largest need / have of the limits, and which it is ("BRAM36"); at most 1 = it fits. DSPs are
// a hard limit unless LUTs have one too.
double sl_vta_fill(const SlVtaCore *core, const SlVtaBudget *budget, const char **which);
// "z7020", "zu3eg", or limits: "macs=256,bram=140,dsp=220,lut=53200,sram=1M"; limits may follow a
// name ("z7020,macs=256").
SlStatus sl_vta_budget_parse(const char *text, SlVtaBudget *budget, SlError *err);
// What the core itself needs is what there is.
SlVtaBudget sl_vta_budget_equal(const SlVtaCore *core, const char *name);

// --- A layer on a core, packed in blocks

typedef struct {
    SlVtaCore core;
    SlLayer layer;
    bool bias;               // a bias is loaded and added
    int n, ci, co;           // blocks of batch, input and output channels, the last one padded
    int rows, columns;       // outputs
    int in_rows, in_columns; // inputs
    int taps[2], stride[2], pad[2];
} SlVtaTask;
// NULL, or why the template has no such layer ("grouped convolutions are not in the template").
const char *sl_vta_task(const SlVtaCore *core, const SlLayer *layer, SlVtaTask *task);

// Tiles in blocks, rows, columns; virtual threads over output channels and over rows.
typedef struct {
    int b, h, w, ci, co;
    int oc_threads, h_threads; // 1 or 2
} SlVtaSchedule;
// Every tile 1, no threads: what the template does untuned.
void sl_vta_schedule_init(SlVtaSchedule *schedule);
const char *sl_vta_schedule_write(const SlVtaSchedule *schedule, size_t n, char *out);

typedef enum {
    SL_VTA_FITS,
    SL_VTA_DIVIDES, // a tile that does not divide its extent
    SL_VTA_THREADS, // tiles that threads cannot share evenly
    SL_VTA_INP,     // a buffer that is too small ...
    SL_VTA_WGT,
    SL_VTA_ACC,
    SL_VTA_UOP,
    SL_VTA_FIELD, // a number that its field in the instruction cannot hold
    SL_VTA_DEP,   // two writes of one accumulator too close (strict)
    SL_N_VTA_RULES
} SlVtaRule;
typedef struct {
    SlVtaRule rule; // the first that fails
    double need, have;
    double excess;  // sum over buffers and fields of need / have - 1 where above 0
    char text[160]; // "WGT: 2 threads x 576 elements need 294912 bytes, the buffer has 262144"
} SlVtaFault;
// True if the schedule is valid; else `fault` says why (NULL = not wanted).
bool sl_vta_check(const SlVtaTask *task, const SlVtaSchedule *schedule, SlVtaFault *fault);

// --- Time

typedef enum { SL_VTA_LOAD, SL_VTA_COMPUTE, SL_VTA_STORE, SL_N_VTA_MODULES } SlVtaModule;
typedef struct {
    double cycles;                 // the last end
    double busy[SL_N_VTA_MODULES]; // cycles in which each module worked
    int64_t insns;
    double macs_per_cycle, utilisation; // of the layer's MACs, not of padded blocks
} SlVtaTime;
// SL_EINPUT for a program that waits forever (named instruction); SL_ENOMEM.
SlStatus sl_vta_time(const SlVtaTask *task, const SlVtaSchedule *schedule, SlArena *scratch,
                     SlVtaTime *time, SlError *err);

// Without simulation, in closed form. No program of the schedule takes fewer cycles than the floor;
// the draft guesses how many.
double sl_vta_floor(const SlVtaTask *task, const SlVtaSchedule *schedule);
double sl_vta_draft(const SlVtaTask *task, const SlVtaSchedule *schedule);
// Numbers that a cost model learns from: logs of counts, bytes, busy cycles, fills.
enum { SL_N_VTA_FEATURES = 27 };
extern const char *const sl_vta_feature_names[SL_N_VTA_FEATURES + 1];
void sl_vta_features(const SlVtaTask *task, const SlVtaSchedule *schedule,
                     float out[SL_AT_LEAST(SL_N_VTA_FEATURES)]);

// --- Function

// Tensors as a program sees them: inp (N, C, in_rows, in_columns) and wgt (K, C, R, S) int8, bias
// (K) int32 or NULL, out (N, K, P, Q) int8 = clip((sum >> shift) + bias). Sums
// wrap at 32 bits; clip is max(low), then min(high).
typedef struct {
    const int8_t *inp, *wgt;
    const int32_t *bias;
    int shift;
    int8_t low, high;
} SlVtaTensors;
// How the queues are served: as far as each can go, beginning with load, or with store.
typedef enum { SL_VTA_LOAD_FIRST, SL_VTA_STORE_FIRST } SlVtaOrder;
// Execute every instruction of the stream on packed tensors. SL_EINPUT for a program that waits
// forever, or touches what is not there (named instruction).
SlStatus sl_vta_execute(const SlVtaTask *task, const SlVtaSchedule *schedule,
                        const SlVtaTensors *tensors, SlVtaOrder order, SlArena *scratch,
                        int8_t *out, SlError *err);
// The same by plain loops.
void sl_vta_convolve(const SlVtaTask *task, const SlVtaTensors *tensors, int8_t *out);

// One line per instruction, at most `most` (0 = all), then how many were left out.
SlStatus sl_vta_listing(const SlVtaTask *task, const SlVtaSchedule *schedule, int64_t most,
                        SlArena *scratch, SlText *out);

SL_API_END
