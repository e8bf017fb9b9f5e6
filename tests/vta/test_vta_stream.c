// test_vta_stream.c - the program of a schedule: how many instructions, in which order, of what.
#include "vta/vta_inside.h"
#include "vta_help.h"

static SlArena arena;

// what `vta_program` checks on the way: groups are as long as promised and add up
static void counts_equal_what_is_emitted(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 6, "vta stream");
    for (int i = 0; i < 300; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaStream stream;
        vta_random_task(&rng, &task);
        vta_random_schedule(&rng, &task, &schedule);
        sl_vta_stream_init(&task, &schedule, &stream);
        SlVtaInsn *insns = vta_program(&stream, &arena);
        // every micro-op is loaded once, and used by kernels that lie within what was loaded
        int loaded = 0;
        for (int64_t k = 0; k < stream.n_insns; k++) {
            const SlVtaInsn *insn = &insns[k];
            if (insn->op == SL_VTA_READ && insn->mem == SL_VTA_MEM_UOP) loaded += insn->x_size;
            if (insn->op != SL_VTA_GEMM && insn->op != SL_VTA_ALU) continue;
            assert_true(insn->uop_begin >= 0 && insn->uop_end <= stream.n_uops);
            assert_true(insn->uop_begin < insn->uop_end);
        }
        assert_int_equal(loaded, stream.n_uops);
        sl_arena_rewind(&arena, mark);
    }
}

static void tokens_pushed_are_popped(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 7, "vta tokens");
    for (int i = 0; i < 100; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaStream stream;
        vta_random_task(&rng, &task);
        vta_random_schedule(&rng, &task, &schedule);
        sl_vta_stream_init(&task, &schedule, &stream);
        SlVtaInsn *insns = vta_program(&stream, &arena);
        int down[4] = {0}, up[4] = {0}; // between a module and the next one
        for (int64_t k = 0; k < stream.n_insns; k++) {
            const SlVtaInsn *insn = &insns[k];
            down[insn->module + 1] += insn->push_next;
            down[insn->module] -= insn->pop_prev;
            up[insn->module] += insn->push_prev;
            up[insn->module + 1] -= insn->pop_next;
        }
        for (int m = 0; m < 4; m++) assert_true(down[m] == 0 && up[m] == 0);
        sl_arena_rewind(&arena, mark);
    }
}

static void macs_of_all_gemms_are_those_of_the_padded_layer(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 8, "vta macs");
    for (int i = 0; i < 100; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaStream stream;
        vta_random_task(&rng, &task);
        vta_random_schedule(&rng, &task, &schedule);
        sl_vta_stream_init(&task, &schedule, &stream);
        SlVtaInsn *insns = vta_program(&stream, &arena);
        int64_t turns = 0, resets = 0, steps = 0, stored = 0;
        for (int64_t k = 0; k < stream.n_insns; k++) {
            const SlVtaInsn *insn = &insns[k];
            int64_t n = (int64_t)(insn->uop_end - insn->uop_begin) * insn->outer * insn->inner;
            if (insn->op == SL_VTA_GEMM) *(insn->reset ? &resets : &turns) += n;
            if (insn->op == SL_VTA_ALU) steps += n;
            if (insn->op == SL_VTA_WRITE) stored += (int64_t)insn->y_size * insn->x_size;
        }
        int64_t outputs = (int64_t)task.n * task.co * task.rows * task.columns;
        assert_int_equal(turns, outputs * task.ci * task.taps[0] * task.taps[1]);
        assert_int_equal(resets, outputs);
        assert_int_equal(steps, outputs * (task.bias ? 4 : 3));
        assert_int_equal(stored, outputs);
        sl_arena_rewind(&arena, mark);
    }
}

static void the_first_two_loops_run_in_hardware(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=8,Q=8,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(4, 2, 2, 4, 1, 1);
    SlVtaStream stream;
    sl_vta_stream_init(&task, &schedule, &stream);
    // of ci 2, w 2, kw 3, kh 3, co 4, h 4 the first two; of co 4, h 4, w 2 as well
    assert_int_equal(stream.kernel_size[1], 3 * 3 * 4 * 4);
    assert_int_equal(stream.kernel_size[0], 2);
    assert_int_equal(stream.n_uops, 144 + 4 * 2);
    assert_int_equal(stream.n_groups, 2 * 4);
    SlVtaInsn *insns = vta_program(&stream, &arena);
    for (int64_t i = 0; i < stream.n_insns; i++) {
        if (insns[i].op != SL_VTA_GEMM || insns[i].reset) continue;
        assert_int_equal(insns[i].outer, 2);
        assert_int_equal(insns[i].inner, 2);
        assert_int_equal(insns[i].src[0], 6 * 4); // an input plane of the tile
        assert_int_equal(insns[i].src[1], 1);
        assert_int_equal(insns[i].wgt[0], 9);
        assert_int_equal(insns[i].dst[1], 1);
    }
}

static void spans_cover_windows_exactly(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 9, "vta spans");
    for (int i = 0; i < 2000; i++) {
        SlVtaTask task;
        VtaSpan span;
        vta_random_task(&rng, &task);
        int first = (int)sl_rng_below(&rng, (uint64_t)task.rows);
        int outputs = 1 + (int)sl_rng_below(&rng, (uint64_t)(task.rows - first));
        sl_vta_span(&task, 0, first, outputs, &span);
        int top = first * task.stride[0] - task.pad[0];
        int wanted = (outputs - 1) * task.stride[0] + task.taps[0], before = 0, inside = 0;
        for (int y = top; y < top + wanted; y++) {
            bool exists = y >= 0 && y < task.in_rows;
            inside += exists;
            before += !exists && !inside;
        }
        assert_int_equal(span.size, inside);
        assert_int_equal(span.before + span.size + span.after, wanted);
        if (inside) assert_int_equal(span.before, before);
        if (inside) assert_int_equal(span.from, top + before);
        assert_in_range(span.before, 0, 15);
        assert_in_range(span.after, 0, 15);
    }
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_what_is_emitted),
        cmocka_unit_test(tokens_pushed_are_popped),
        cmocka_unit_test(macs_of_all_gemms_are_those_of_the_padded_layer),
        cmocka_unit_test(the_first_two_loops_run_in_hardware),
        cmocka_unit_test(spans_cover_windows_exactly),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}
