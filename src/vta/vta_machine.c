// vta_machine.c - the memories of a core, and what an instruction does to them.
//
// Every access is checked: an address beyond a buffer or a tensor, and a read of what was never
// written, is a bug of whoever made the program. Accumulators wrap at 32 bits as hardware does;
// whatever writes an accumulator also writes its low bytes to OUT.
#include <stdio.h>
#include <string.h>

#include "vta_machine.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SL_NO_CLONES)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

enum { LOOP_MAX = 16383, SIZE_MAX_FIELD = 65535 };

static int log_bytes(const SlVtaCore *core, int mem) {
    const int logs[VTA_N_MEMS] = {[SL_VTA_MEM_UOP] = core->log_uop,
                                  [SL_VTA_MEM_WGT] = core->log_wgt,
                                  [SL_VTA_MEM_INP] = core->log_inp,
                                  [SL_VTA_MEM_ACC] = core->log_acc,
                                  [SL_VTA_MEM_OUT] = core->log_acc - 2};
    return logs[mem];
}

SlStatus sl_vta_machine_make(const SlVtaCore *core, const VtaDram *dram, SlArena *arena,
                             VtaMachine *machine, SlError *err) {
    *machine = (VtaMachine){.core = *core, .dram = *dram};
    bool made = true;
    for (int mem = 0; mem < VTA_N_MEMS; mem++) {
        machine->depth[mem] = (1 << log_bytes(core, mem)) / sl_vta_element_bytes(core, mem);
        machine->written[mem] = SL_NEW(arena, machine->depth[mem], bool);
        made = made && machine->written[mem];
    }
    machine->inp = SL_NEW(arena, 1 << core->log_inp, int16_t);
    machine->wgt = SL_NEW(arena, 1 << core->log_wgt, int16_t);
    machine->acc = SL_NEW(arena, 1 << (core->log_acc - 2), int32_t);
    machine->out = SL_NEW(arena, 1 << (core->log_acc - 2), int8_t);
    machine->uops = SL_NEW(arena, machine->depth[SL_VTA_MEM_UOP], SlVtaUop);
    machine->stored = SL_NEW(arena, dram->size[SL_VTA_MEM_OUT], bool);
    made = made && machine->inp && machine->wgt && machine->acc && machine->out && machine->uops &&
           machine->stored;
    return made ? SL_OK : sl_fail(err, SL_ENOMEM, "not enough memory");
}

// ---- access ----

// one instruction at work
typedef struct {
    VtaMachine *machine;
    const SlVtaInsn *insn;
    int64_t number;
    SlError *err;
} Step;

static bool refuse(const Step *step, const char *what, int mem, int64_t at, const char *where,
                   int64_t have) {
    char name[32];
    sl_fail(step->err, SL_EINPUT, "instruction %lld (%s) %s element %lld of %s%s, which has %lld",
            (long long)step->number, sl_vta_insn_name(step->insn, sizeof name, name), what,
            (long long)at, sl_vta_mem_names[mem], where, (long long)have);
    return false;
}

static bool can_write(const Step *step, int mem, int64_t at) {
    if (at >= 0 && at < step->machine->depth[mem]) return true;
    return refuse(step, "writes", mem, at, "", step->machine->depth[mem]);
}

static bool can_read(const Step *step, int mem, int64_t at) {
    if (at < 0 || at >= step->machine->depth[mem])
        return refuse(step, "reads", mem, at, "", step->machine->depth[mem]);
    if (step->machine->written[mem][at]) return true;
    char name[32];
    sl_fail(step->err, SL_EINPUT,
            "instruction %lld (%s) reads element %lld of %s, which was never written",
            (long long)step->number, sl_vta_insn_name(step->insn, sizeof name, name), (long long)at,
            sl_vta_mem_names[mem]);
    return false;
}

static bool in_dram(const Step *step, const char *what, int mem, int64_t at) {
    int64_t size = step->machine->dram.size[mem];
    return (at >= 0 && at < size) || refuse(step, what, mem, at, " in DRAM", size);
}

// ---- read and write ----

static void widen(const int8_t *from, int n, int16_t *to) {
    for (int i = 0; i < n; i++) to[i] = (int16_t)from[i];
}

// an element of DRAM, or zeros (from = -1), into a buffer
static void fill(VtaMachine *machine, int mem, int64_t to, int64_t from) {
    static const SlVtaUop nothing = {0};
    const VtaDram *dram = &machine->dram;
    int64_t n = sl_vta_element_bytes(&machine->core, mem);
    machine->written[mem][to] = true;
    if (mem == SL_VTA_MEM_UOP) {
        machine->uops[to] = from < 0 ? nothing : dram->uops[from];
    } else if (mem == SL_VTA_MEM_ACC) {
        int32_t *acc = machine->acc + to * (n / 4);
        if (from < 0)
            memset(acc, 0, (size_t)n);
        else
            memcpy(acc, dram->bias + from * (n / 4), (size_t)n);
    } else {
        int16_t *buffer = (mem == SL_VTA_MEM_INP ? machine->inp : machine->wgt) + to * n;
        if (from < 0)
            memset(buffer, 0, (size_t)n * sizeof *buffer);
        else
            widen((mem == SL_VTA_MEM_INP ? dram->inp : dram->wgt) + from * n, (int)n, buffer);
    }
}

static bool sizes_fit(const Step *step) {
    const SlVtaInsn *insn = step->insn;
    const int32_t sizes[] = {insn->y_size, insn->x_size, insn->x_stride};
    for (int i = 0; i < 3; i++) {
        if (sizes[i] >= 0 && sizes[i] <= SIZE_MAX_FIELD) continue;
        sl_fail(step->err, SL_EINPUT, "instruction %lld: a size of %d is not in 0..65535",
                (long long)step->number, sizes[i]);
        return false;
    }
    return true;
}

static bool read(const Step *step) {
    const SlVtaInsn *insn = step->insn;
    if (!sizes_fit(step)) return false;
    int high = insn->pad_top + insn->y_size + insn->pad_bottom;
    int wide = insn->pad_left + insn->x_size + insn->pad_right;
    int64_t to = insn->sram;
    for (int row = -insn->pad_top; row < high - insn->pad_top; row++) {
        for (int column = -insn->pad_left; column < wide - insn->pad_left; column++, to++) {
            bool inside = row >= 0 && row < insn->y_size && column >= 0 && column < insn->x_size;
            int64_t from = inside ? insn->dram + (int64_t)row * insn->x_stride + column : -1;
            if (inside && !in_dram(step, "reads", insn->mem, from)) return false;
            if (!can_write(step, insn->mem, to)) return false;
            fill(step->machine, insn->mem, to, from);
        }
    }
    return true;
}

static bool write(const Step *step) {
    const SlVtaInsn *insn = step->insn;
    VtaMachine *machine = step->machine;
    if (!sizes_fit(step)) return false;
    int n = sl_vta_element_bytes(&machine->core, SL_VTA_MEM_OUT);
    int64_t from = insn->sram;
    for (int row = 0; row < insn->y_size; row++) {
        for (int column = 0; column < insn->x_size; column++, from++) {
            int64_t to = insn->dram + (int64_t)row * insn->x_stride + column;
            if (!can_read(step, SL_VTA_MEM_OUT, from)) return false;
            if (!in_dram(step, "writes", SL_VTA_MEM_OUT, to)) return false;
            memcpy(machine->dram.out + to * n, machine->out + from * n, (size_t)n);
            machine->stored[to] = true;
        }
    }
    return true;
}

// ---- kernels ----

// acc (b, o) += inp (b, i) x wgt (o, i); out: the low bytes
CLONES static void multiply(const SlVtaCore *core, const int16_t *restrict inp,
                            const int16_t *restrict wgt, int32_t *restrict acc,
                            int8_t *restrict out) {
    int n_in = core->block_in, n_out = core->block_out;
    for (int b = 0; b < core->batch; b++) {
        for (int o = 0; o < n_out; o++) {
            int32_t sum = 0;
            for (int i = 0; i < n_in; i++) sum += (int32_t)inp[b * n_in + i] * wgt[o * n_in + i];
            uint32_t total = (uint32_t)acc[b * n_out + o] + (uint32_t)sum;
            acc[b * n_out + o] = (int32_t)total;
            out[b * n_out + o] = (int8_t)total;
        }
    }
}

static bool gemm_turn(const Step *step, int64_t dst, int64_t src, int64_t wgt) {
    VtaMachine *machine = step->machine;
    const SlVtaCore *core = &machine->core;
    int lanes = core->batch * core->block_out;
    if (step->insn->reset) {
        if (!can_write(step, SL_VTA_MEM_ACC, dst)) return false;
        memset(machine->acc + dst * lanes, 0, (size_t)lanes * sizeof *machine->acc);
        memset(machine->out + dst * lanes, 0, (size_t)lanes);
        machine->written[SL_VTA_MEM_ACC][dst] = machine->written[SL_VTA_MEM_OUT][dst] = true;
        return true;
    }
    if (!can_read(step, SL_VTA_MEM_ACC, dst) || !can_read(step, SL_VTA_MEM_INP, src) ||
        !can_read(step, SL_VTA_MEM_WGT, wgt))
        return false;
    multiply(core, machine->inp + src * core->batch * core->block_in,
             machine->wgt + wgt * core->block_in * core->block_out, machine->acc + dst * lanes,
             machine->out + dst * lanes);
    machine->written[SL_VTA_MEM_OUT][dst] = true;
    return true;
}

static int32_t alu(SlVtaAlu op, int32_t a, int32_t b) {
    switch (op) {
    case SL_VTA_MIN:
        return a < b ? a : b;
    case SL_VTA_MAX:
        return a > b ? a : b;
    case SL_VTA_ADD:
        return (int32_t)((uint32_t)a + (uint32_t)b);
    default:
        return a >> (b & 31);
    }
}

static bool alu_turn(const Step *step, int64_t dst, int64_t src) {
    VtaMachine *machine = step->machine;
    const SlVtaInsn *insn = step->insn;
    int lanes = machine->core.batch * machine->core.block_out;
    const int16_t values[] = {[SL_VTA_MIN] = machine->dram.high,
                              [SL_VTA_MAX] = machine->dram.low,
                              [SL_VTA_ADD] = insn->value,
                              [SL_VTA_SHR] = machine->dram.shift};
    if (!can_read(step, SL_VTA_MEM_ACC, dst)) return false;
    if (!insn->immediate && !can_read(step, SL_VTA_MEM_ACC, src)) return false;
    const int32_t *from = machine->acc + (insn->immediate ? dst : src) * lanes;
    int32_t *acc = machine->acc + dst * lanes;
    int8_t *out = machine->out + dst * lanes;
    for (int i = 0; i < lanes; i++) {
        acc[i] = alu(insn->alu, acc[i], insn->immediate ? values[insn->alu] : from[i]);
        out[i] = (int8_t)(uint32_t)acc[i];
    }
    machine->written[SL_VTA_MEM_OUT][dst] = true;
    return true;
}

// micro-ops inside two loops
static bool kernel(const Step *step) {
    const SlVtaInsn *insn = step->insn;
    if (insn->outer < 0 || insn->outer > LOOP_MAX || insn->inner < 0 || insn->inner > LOOP_MAX) {
        sl_fail(step->err, SL_EINPUT, "instruction %lld: %d x %d turns are not in 0..16383",
                (long long)step->number, insn->outer, insn->inner);
        return false;
    }
    for (int64_t u = insn->uop_begin; u < insn->uop_end; u++)
        if (!can_read(step, SL_VTA_MEM_UOP, u)) return false;
    for (int64_t i = 0; i < insn->outer; i++) {
        for (int64_t j = 0; j < insn->inner; j++) {
            int64_t dst = i * insn->dst[0] + j * insn->dst[1];
            int64_t src = i * insn->src[0] + j * insn->src[1];
            int64_t wgt = i * insn->wgt[0] + j * insn->wgt[1];
            for (int32_t u = insn->uop_begin; u < insn->uop_end; u++) {
                SlVtaUop uop = step->machine->uops[u];
                bool done = insn->op == SL_VTA_GEMM
                                ? gemm_turn(step, uop.dst + dst, uop.src + src, uop.wgt + wgt)
                                : alu_turn(step, uop.dst + dst, uop.src + src);
                if (!done) return false;
            }
        }
    }
    return true;
}

// ---- an instruction ----

// what a module has no wires for
static bool belongs(const SlVtaInsn *insn) {
    switch (insn->op) {
    case SL_VTA_SYNC:
        return insn->module < SL_N_VTA_MODULES;
    case SL_VTA_READ:
        if (insn->mem == SL_VTA_MEM_INP || insn->mem == SL_VTA_MEM_WGT)
            return insn->module == SL_VTA_LOAD;
        return insn->module == SL_VTA_COMPUTE && insn->mem != SL_VTA_MEM_OUT &&
               insn->mem < VTA_N_MEMS;
    case SL_VTA_WRITE:
        return insn->module == SL_VTA_STORE && insn->mem == SL_VTA_MEM_OUT;
    case SL_VTA_GEMM:
        return insn->module == SL_VTA_COMPUTE;
    default:
        return insn->op == SL_VTA_ALU && insn->module == SL_VTA_COMPUTE && insn->alu <= SL_VTA_SHR;
    }
}

SlStatus sl_vta_machine_step(VtaMachine *machine, const SlVtaInsn *insn, int64_t number,
                             SlError *err) {
    if (!belongs(insn))
        return sl_fail(err, SL_EINPUT, "instruction %lld is not one of its module",
                       (long long)number);
    Step step = {.machine = machine, .insn = insn, .number = number, .err = err};
    bool done = true;
    if (insn->op == SL_VTA_READ) done = read(&step);
    if (insn->op == SL_VTA_WRITE) done = write(&step);
    if (insn->op == SL_VTA_GEMM || insn->op == SL_VTA_ALU) done = kernel(&step);
    return done ? SL_OK : SL_EINPUT;
}
