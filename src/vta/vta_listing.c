// vta_listing.c - a program for people: one line per instruction.
#include <inttypes.h>
#include <stdio.h>

#include "vta_machine.h"

const char *const sl_vta_mem_names[VTA_N_MEMS] = {"UOP", "WGT", "INP", "ACC", "OUT"};
const char *const sl_vta_module_names[SL_N_VTA_MODULES] = {"load", "compute", "store"};

const char *sl_vta_insn_name(const SlVtaInsn *insn, size_t n, char *out) {
    static const char *const alus[] = {"min", "max", "add", "shr"};
    const char *mem = insn->mem < VTA_N_MEMS ? sl_vta_mem_names[insn->mem] : "?";
    switch (insn->op) {
    case SL_VTA_READ:
        snprintf(out, n, "read %s", mem);
        break;
    case SL_VTA_WRITE:
        snprintf(out, n, "write %s", mem);
        break;
    case SL_VTA_GEMM:
        snprintf(out, n, "%s", insn->reset ? "reset" : "gemm");
        break;
    case SL_VTA_ALU:
        snprintf(out, n, "%s%s", insn->alu <= SL_VTA_SHR ? alus[insn->alu] : "?",
                 insn->immediate ? " imm" : "");
        break;
    default:
        snprintf(out, n, "sync");
    }
    return out;
}

// ---- operands ----

static void show_access(const SlVtaInsn *insn, size_t n, char *out) {
    int at = snprintf(out, n, "sram %" PRId32 " dram %" PRId32 " size %" PRId32 "x%" PRId32,
                      insn->sram, insn->dram, insn->y_size, insn->x_size);
    if (at < 0 || (size_t)at >= n) return;
    if (insn->y_size > 1 && insn->x_stride != insn->x_size)
        at += snprintf(out + at, n - (size_t)at, " stride %" PRId32, insn->x_stride);
    if ((size_t)at >= n) return;
    if (insn->pad_top || insn->pad_bottom || insn->pad_left || insn->pad_right)
        snprintf(out + at, n - (size_t)at, " pad %d %d %d %d", insn->pad_top, insn->pad_bottom,
                 insn->pad_left, insn->pad_right);
}

static void show_kernel(const SlVtaInsn *insn, size_t n, char *out) {
    int at = snprintf(out, n, "uops %" PRId32 "..%" PRId32 " turns %" PRId32 "x%" PRId32,
                      insn->uop_begin, insn->uop_end - 1, insn->outer, insn->inner);
    if (at < 0 || (size_t)at >= n) return;
    at +=
        snprintf(out + at, n - (size_t)at, " dst %" PRId32 ",%" PRId32, insn->dst[0], insn->dst[1]);
    if (insn->immediate || insn->reset || (size_t)at >= n) return;
    at +=
        snprintf(out + at, n - (size_t)at, " src %" PRId32 ",%" PRId32, insn->src[0], insn->src[1]);
    if (insn->op != SL_VTA_GEMM || (size_t)at >= n) return;
    snprintf(out + at, n - (size_t)at, " wgt %" PRId32 ",%" PRId32, insn->wgt[0], insn->wgt[1]);
}

// "<load >store": pops a token of load, pushes one to store
static void show_tokens(const SlVtaInsn *insn, size_t n, char *out) {
    const struct {
        bool moves;
        char sign;
        int other;
    } tokens[] = {{insn->pop_prev, '<', insn->module - 1},
                  {insn->pop_next, '<', insn->module + 1},
                  {insn->push_prev, '>', insn->module - 1},
                  {insn->push_next, '>', insn->module + 1}};
    size_t at = 0;
    out[0] = 0;
    for (int i = 0; i < 4; i++) {
        bool exists = tokens[i].other >= 0 && tokens[i].other < SL_N_VTA_MODULES;
        if (!tokens[i].moves || !exists || at >= n) continue;
        int wrote = snprintf(out + at, n - at, "%s%c%s", at ? " " : "", tokens[i].sign,
                             sl_vta_module_names[tokens[i].other]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
}

static void add_line(const SlVtaInsn *insn, int64_t number, SlText *out) {
    char name[32], operands[160] = "", tokens[64];
    sl_vta_insn_name(insn, sizeof name, name);
    if (insn->op == SL_VTA_READ || insn->op == SL_VTA_WRITE)
        show_access(insn, sizeof operands, operands);
    if (insn->op == SL_VTA_GEMM || insn->op == SL_VTA_ALU)
        show_kernel(insn, sizeof operands, operands);
    show_tokens(insn, sizeof tokens, tokens);
    const char *module = sl_vta_module_names[insn->module];
    if (!operands[0] && !tokens[0])
        sl_text_add(out, "%7" PRId64 "  %-7s  %s\n", number, module, name);
    else if (!tokens[0])
        sl_text_add(out, "%7" PRId64 "  %-7s  %-9s  %s\n", number, module, name, operands);
    else
        sl_text_add(out, "%7" PRId64 "  %-7s  %-9s  %-52s  %s\n", number, module, name, operands,
                    tokens);
}

// ---- the listing ----

static SlStatus add_header(const SlVtaTask *task, const SlVtaSchedule *schedule,
                           const SlVtaStream *stream, SlArena *scratch, SlText *out) {
    char layer[384], core[96], tiles[128], cycles[32];
    SlVtaTime time;
    SlStatus status = sl_vta_time(task, schedule, scratch, &time, NULL);
    if (status != SL_OK) return status;
    sl_text_add(out, "layer     %s%s\n", sl_layer_show(&task->layer, sizeof layer, layer),
                task->bias ? " with bias" : "");
    sl_text_add(out, "core      %s, %d-bit bus, %s\n",
                sl_vta_core_write(&task->core, sizeof core, core), task->core.bus_bits,
                task->core.timing.name ? task->core.timing.name : "own timing");
    sl_text_add(out, "schedule  %s\n", sl_vta_schedule_write(schedule, sizeof tiles, tiles));
    sl_text_add(out,
                "cycles    %s, %.1f %% of the MACs busy; %" PRId64 " instructions in %" PRId64
                " group%s, %d micro-ops\n",
                sl_show_count(time.cycles, cycles), 100 * time.utilisation, stream->n_insns,
                stream->n_groups, stream->n_groups == 1 ? "" : "s", stream->n_uops);
    return SL_OK;
}

SlStatus sl_vta_listing(const SlVtaTask *task, const SlVtaSchedule *schedule, int64_t most,
                        SlArena *scratch, SlText *out) {
    SlVtaStream stream;
    sl_vta_stream_init(task, schedule, &stream);
    size_t mark = sl_arena_mark(scratch);
    bool own = out->arena != scratch; // what the text holds must stay
    SlStatus status = add_header(task, schedule, &stream, scratch, out);
    SlVtaInsn *insns = SL_NEW(scratch, stream.group_insns, SlVtaInsn);
    if (status == SL_OK && !insns) status = SL_ENOMEM;
    int64_t number = 0, left = most > 0 && most < stream.n_insns ? most : stream.n_insns;
    for (int64_t g = 0; status == SL_OK && g < stream.n_groups && number < left; g++) {
        int n = sl_vta_stream_group(&stream, g, insns);
        for (int i = 0; i < n && number < left; i++) add_line(&insns[i], number++, out);
    }
    if (status == SL_OK && number < stream.n_insns)
        sl_text_add(out, "... and %" PRId64 " more\n", stream.n_insns - number);
    if (own) sl_arena_rewind(scratch, mark);
    return status == SL_OK && out->failed ? SL_ENOMEM : status;
}
