// vta_execute.c - run a program on the machine, the modules in any order that tokens allow.
//
// Each module walks the program by itself and skips what belongs to others, so nothing has to be
// queued: a group is made anew for every module that comes to it.
#include <stdio.h>

#include "vta_machine.h"

enum { TOKENS_MAX = 255 }; // the counters of the Chisel sources have 8 bits and saturate

// ---- where a module is ----

typedef struct {
    const VtaProgram *program;
    int module;
    const SlVtaInsn *insns; // of the group
    SlVtaInsn *room;        // for groups of a stream
    int64_t group, at, n;
    int64_t base; // instructions before the group
} Cursor;

// the next group; false at the end
static bool turn_page(Cursor *cursor) {
    const VtaProgram *program = cursor->program;
    int64_t groups = program->stream ? program->stream->n_groups : 1;
    if (++cursor->group >= groups) return false;
    cursor->base += cursor->n;
    cursor->at = 0;
    cursor->insns = program->stream ? cursor->room : program->insns;
    cursor->n = program->stream ? sl_vta_stream_group(program->stream, cursor->group, cursor->room)
                                : program->n_insns;
    return true;
}

// the module's next instruction, which stays its next one; NULL at the end
static const SlVtaInsn *head(Cursor *cursor) {
    for (;;) {
        for (; cursor->at < cursor->n; cursor->at++)
            if (cursor->insns[cursor->at].module == cursor->module)
                return &cursor->insns[cursor->at];
        if (!turn_page(cursor)) return NULL;
    }
}

// ---- tokens ----

typedef struct {
    Cursor cursor[SL_N_VTA_MODULES];
    int down[2], up[2]; // load -> compute, compute -> store; and back
} Run;

// the counter on one side of a module; NULL = nobody is there
static int *pop_from(Run *run, int module, bool prev) {
    if (prev) return module == SL_VTA_LOAD ? NULL : &run->down[module - 1];
    return module == SL_VTA_STORE ? NULL : &run->up[module];
}
static int *push_to(Run *run, int module, bool prev) {
    if (prev) return module == SL_VTA_LOAD ? NULL : &run->up[module - 1];
    return module == SL_VTA_STORE ? NULL : &run->down[module];
}

static bool has_token(const int *tokens) {
    return tokens && *tokens > 0;
}

static bool ready(Run *run, const SlVtaInsn *insn) {
    if (insn->pop_prev && !has_token(pop_from(run, insn->module, true))) return false;
    return !insn->pop_next || has_token(pop_from(run, insn->module, false));
}

static void push(int *tokens) {
    if (tokens && *tokens < TOKENS_MAX) ++*tokens;
}

static void move_tokens(Run *run, const SlVtaInsn *insn) {
    if (insn->pop_prev) --*pop_from(run, insn->module, true);
    if (insn->pop_next) --*pop_from(run, insn->module, false);
    if (insn->push_prev) push(push_to(run, insn->module, true));
    if (insn->push_next) push(push_to(run, insn->module, false));
}

// ---- the run ----

// one module as far as its tokens allow
static SlStatus serve(VtaMachine *machine, Run *run, int module, bool *moved, SlError *err) {
    Cursor *cursor = &run->cursor[module];
    for (const SlVtaInsn *insn; (insn = head(cursor)) && ready(run, insn); cursor->at++) {
        SlStatus status = sl_vta_machine_step(machine, insn, cursor->base + cursor->at, err);
        if (status != SL_OK) return status;
        move_tokens(run, insn);
        *moved = true;
    }
    return SL_OK;
}

// nothing moves: the earliest instruction that waits
static SlStatus stuck(Run *run, SlError *err) {
    const Cursor *first = NULL;
    for (int m = 0; m < SL_N_VTA_MODULES; m++) {
        Cursor *cursor = &run->cursor[m];
        if (!head(cursor)) continue;
        if (!first || cursor->base + cursor->at < first->base + first->at) first = cursor;
    }
    if (!first) return SL_OK;
    const SlVtaInsn *insn = &first->insns[first->at];
    bool prev = insn->pop_prev && !has_token(pop_from(run, insn->module, true));
    int other = insn->module + (prev ? -1 : 1);
    int64_t number = first->base + first->at;
    char name[32];
    return sl_fail(err, SL_EINPUT, "instruction %lld (%s) waits forever for a token of %s",
                   (long long)number, sl_vta_insn_name(insn, sizeof name, name),
                   other < 0 || other >= SL_N_VTA_MODULES ? "nobody" : sl_vta_module_names[other]);
}

static SlStatus all_stored(const VtaMachine *machine, SlError *err) {
    for (int64_t i = 0; i < machine->dram.size[SL_VTA_MEM_OUT]; i++)
        if (!machine->stored[i])
            return sl_fail(err, SL_EINPUT, "the program never writes block %lld of its output",
                           (long long)i);
    return SL_OK;
}

static SlStatus run_make(const VtaProgram *program, SlArena *scratch, Run *run, SlError *err) {
    *run = (Run){.down = {0}};
    for (int m = 0; m < SL_N_VTA_MODULES; m++) {
        run->cursor[m] = (Cursor){.program = program, .module = m, .group = -1};
        if (!program->stream) continue;
        run->cursor[m].room = SL_NEW(scratch, program->stream->group_insns, SlVtaInsn);
        if (!run->cursor[m].room) return sl_fail(err, SL_ENOMEM, "not enough memory");
    }
    return SL_OK;
}

SlStatus sl_vta_machine_run(VtaMachine *machine, const VtaProgram *program, SlVtaOrder order,
                            SlArena *scratch, SlError *err) {
    Run run;
    SlStatus status = run_make(program, scratch, &run, err);
    for (bool moved = true; moved && status == SL_OK;) {
        moved = false;
        for (int i = 0; i < SL_N_VTA_MODULES && status == SL_OK; i++) {
            int module = order == SL_VTA_LOAD_FIRST ? i : SL_N_VTA_MODULES - 1 - i;
            status = serve(machine, &run, module, &moved, err);
        }
    }
    if (status == SL_OK) status = stuck(&run, err);
    return status == SL_OK ? all_stored(machine, err) : status;
}

static SlStatus execute(const SlVtaTask *task, const SlVtaSchedule *schedule,
                        const SlVtaTensors *tensors, SlVtaOrder order, SlArena *scratch,
                        int8_t *out, SlError *err) {
    SlVtaStream stream;
    VtaDram dram;
    VtaMachine machine;
    sl_vta_stream_init(task, schedule, &stream);
    SlVtaUop *uops = SL_NEW(scratch, stream.n_uops, SlVtaUop);
    if (!uops) return sl_fail(err, SL_ENOMEM, "not enough memory");
    sl_vta_stream_uops(&stream, uops);
    SlStatus status = sl_vta_pack(task, tensors, scratch, &dram, err);
    if (status != SL_OK) return status;
    dram.uops = uops;
    dram.size[SL_VTA_MEM_UOP] = stream.n_uops;
    status = sl_vta_machine_make(&task->core, &dram, scratch, &machine, err);
    VtaProgram program = {.stream = &stream, .n_insns = stream.n_insns};
    if (status == SL_OK) status = sl_vta_machine_run(&machine, &program, order, scratch, err);
    if (status == SL_OK) sl_vta_unpack(task, dram.out, out);
    return status;
}

SlStatus sl_vta_execute(const SlVtaTask *task, const SlVtaSchedule *schedule,
                        const SlVtaTensors *tensors, SlVtaOrder order, SlArena *scratch,
                        int8_t *out, SlError *err) {
    SlVtaFault fault;
    if (!sl_vta_check(task, schedule, &fault)) return sl_fail(err, SL_EINPUT, "%s", fault.text);
    if (task->bias && !tensors->bias) return sl_fail(err, SL_EINPUT, "the layer has a bias");
    if (tensors->shift < 0 || tensors->shift > 31)
        return sl_fail(err, SL_EINPUT, "a shift of %d is not in 0..31", tensors->shift);
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = execute(task, schedule, tensors, order, scratch, out, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
