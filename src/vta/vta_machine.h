// vta_machine.h - inside vta: the memories of a core, and what an instruction does to them.
//
// Flow: sl_vta_machine_make -> sl_vta_machine_run (a program) or sl_vta_machine_step (one
// instruction).
#pragma once

#include "vta_inside.h"

enum { VTA_N_MEMS = 5 };

// "UOP", "WGT", "INP", "ACC", "OUT"; "load", "compute", "store".
extern const char *const sl_vta_mem_names[VTA_N_MEMS];
extern const char *const sl_vta_module_names[SL_N_VTA_MODULES];
// "read INP", "gemm", "shr"; FINISH and no-ops are "sync".
const char *sl_vta_insn_name(const SlVtaInsn *insn, size_t n, char *out);

// Tensors in DRAM, packed in elements: inp (n, ci, rows, columns, B, Bi), wgt (co, ci, R, S, Bo,
// Bi), bias (co, B, Bo), out (n, co, rows, columns, B, Bo).
typedef struct {
    const int8_t *inp, *wgt;
    const int32_t *bias;
    const SlVtaUop *uops;
    int8_t *out;
    int64_t size[VTA_N_MEMS]; // elements of each, by SlVtaMem
    int16_t shift, low, high; // immediates of the ALU
} VtaDram;

typedef struct {
    SlVtaCore core;
    VtaDram dram;
    bool *stored; // (dram.size[OUT]) what has been written
    // buffers by SlVtaMem: their elements, and which hold something
    int depth[VTA_N_MEMS];
    bool *written[VTA_N_MEMS];
    int16_t *inp, *wgt; // int8 values; 16 bits multiply faster
    int32_t *acc;
    int8_t *out;
    SlVtaUop *uops;
} VtaMachine;
SlStatus sl_vta_machine_make(const SlVtaCore *core, const VtaDram *dram, SlArena *arena,
                             VtaMachine *machine, SlError *err);

// SL_EINPUT if it touches what is not there or was never written; `number` names it, from 0.
SlStatus sl_vta_machine_step(VtaMachine *machine, const SlVtaInsn *insn, int64_t number,
                             SlError *err);

// A program: of a stream, or in memory (stream = NULL).
typedef struct {
    const SlVtaStream *stream;
    const SlVtaInsn *insns;
    int64_t n_insns;
} VtaProgram;
// All of it, each module as far as its tokens allow. Every block of the output must be written.
SlStatus sl_vta_machine_run(VtaMachine *machine, const VtaProgram *program, SlVtaOrder order,
                            SlArena *scratch, SlError *err);

// Between plain and packed tensors.
SlStatus sl_vta_pack(const SlVtaTask *task, const SlVtaTensors *tensors, SlArena *arena,
                     VtaDram *dram, SlError *err);
void sl_vta_unpack(const SlVtaTask *task, const int8_t *packed, int8_t *out);
