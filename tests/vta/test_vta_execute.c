// test_vta_execute.c - programs compute what plain loops do, and broken ones are caught.
#include "vta/vta_machine.h"
#include "vta_help.h"

static SlArena arena;

static int clear(void **state) {
    (void)state;
    sl_arena_free(&arena);
    sl_arena_init(&arena, 0);
    return 0;
}

// ---- whole programs ----

static void expect_same(const SlVtaTask *task, const SlVtaSchedule *schedule,
                        const SlVtaTensors *tensors) {
    int64_t n = vta_outputs(task);
    int8_t *expected = SL_NEW(&arena, n, int8_t), *out = SL_NEW(&arena, n, int8_t);
    SlError err = {.text = ""};
    sl_vta_convolve(task, tensors, expected);
    for (int order = SL_VTA_LOAD_FIRST; order <= SL_VTA_STORE_FIRST; order++) {
        memset(out, 99, (size_t)n);
        SlStatus status = sl_vta_execute(task, schedule, tensors, order, &arena, out, &err);
        if (status != SL_OK) print_error("%s\n", err.text);
        assert_int_equal(status, SL_OK);
        assert_memory_equal(out, expected, (size_t)n);
    }
}

static void random_programs_compute_the_convolution_in_both_orders(void **state) {
    (void)state;
    SlRng rng;
    int threads[3][3] = {{0}};
    sl_rng_init(&rng, 1, "vta programs");
    for (int i = 0; i < 160; i++) {
        SlVtaTask task;
        SlVtaSchedule schedule;
        size_t mark = sl_arena_mark(&arena);
        vta_random_task(&rng, &task);
        vta_random_schedule(&rng, &task, &schedule);
        SlVtaTensors tensors = vta_random_tensors(&rng, &task, &arena);
        expect_same(&task, &schedule, &tensors);
        threads[schedule.oc_threads][schedule.h_threads]++;
        sl_arena_rewind(&arena, mark);
    }
    for (int oc = 1; oc <= 2; oc++)
        for (int h = 1; h <= 2; h++) assert_true(threads[oc][h] >= 10);
}

static void results_use_the_whole_range(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 2, "vta range");
    SlVtaTask task = vta_task("", "conv:K=32,C=32,P=8,Q=8,R=3,S=3,pad=1");
    SlVtaTensors tensors = vta_random_tensors(&rng, &task, &arena);
    tensors.low = -100, tensors.high = 101, tensors.shift = 10;
    int8_t *out = SL_NEW(&arena, vta_outputs(&task), int8_t);
    sl_vta_convolve(&task, &tensors, out);
    int least = 127, most = -128;
    for (int64_t i = 0; i < vta_outputs(&task); i++) {
        least = out[i] < least ? out[i] : least;
        most = out[i] > most ? out[i] : most;
    }
    assert_int_equal(least, -100);
    assert_int_equal(most, 101);
}

static void a_convolution_by_hand(void **state) {
    (void)state;
    // two taps in a row over 1 2 3 with one zero on each side, shifted by 1, bias 5
    SlVtaTask task = vta_task("1x1x1_i8w8a32_12_12_12_12", "conv:K=1,C=1,P=1,Q=4,R=1,S=2,pad=0x1");
    task.bias = true;
    assert_int_equal(task.in_columns, 3);
    int8_t inp[] = {1, 2, 3}, wgt[] = {-4, 10}, out[4];
    int32_t bias[] = {5};
    SlVtaTensors tensors = {
        .inp = inp, .wgt = wgt, .bias = bias, .shift = 1, .low = -128, .high = 14};
    // sums 10, 16, 22, -12; halves 5, 8, 11, -6; with bias 10, 13, 16, -1
    const int8_t expected[] = {10, 13, 14, -1};
    sl_vta_convolve(&task, &tensors, out);
    assert_memory_equal(out, expected, 4);
    SlVtaSchedule schedule;
    sl_vta_schedule_init(&schedule);
    expect_same(&task, &schedule, &tensors);
}

static void a_shift_of_a_negative_sum_rounds_down(void **state) {
    (void)state;
    SlVtaTask task = vta_task("1x1x1_i8w8a32_12_12_12_12", "conv:K=1,C=1,P=1,Q=1");
    int8_t inp[] = {-3}, wgt[] = {1}, out[1];
    SlVtaTensors tensors = {.inp = inp, .wgt = wgt, .shift = 1, .low = -128, .high = 127};
    sl_vta_convolve(&task, &tensors, out);
    assert_int_equal(out[0], -2);
    SlVtaSchedule schedule;
    sl_vta_schedule_init(&schedule);
    expect_same(&task, &schedule, &tensors);
}

static void sums_wrap_at_32_bits(void **state) {
    (void)state;
    // 131072 + 1 products of 16384 pass 2^31 and become negative
    SlVtaTask task = vta_task("1x256x1_i8w8a32_15_18_18_17", "conv:K=1,C=131328,P=1,Q=1");
    int8_t *ones = SL_NEW(&arena, 131328, int8_t);
    memset(ones, -128, 131328);
    SlVtaTensors tensors = {.inp = ones, .wgt = ones, .shift = 24, .low = -128, .high = 127};
    int8_t out[1];
    sl_vta_convolve(&task, &tensors, out);
    assert_int_equal(out[0], -128);
    SlVtaSchedule schedule = vta_schedule(1, 1, 27, 1, 1, 1);
    expect_same(&task, &schedule, &tensors);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=16,C=16,P=4,Q=4");
    int8_t data[256] = {0}, out[256];
    SlVtaTensors tensors = {.inp = data, .wgt = data, .high = 127};
    SlVtaSchedule schedule = vta_schedule(3, 1, 1, 1, 1, 1);
    SlError err;
    assert_int_equal(
        sl_vta_execute(&task, &schedule, &tensors, SL_VTA_LOAD_FIRST, &arena, out, &err),
        SL_EINPUT);
    assert_string_equal(err.text, "tile h=3 does not divide 4");
    schedule.h = 2;
    tensors.shift = 32;
    assert_int_equal(
        sl_vta_execute(&task, &schedule, &tensors, SL_VTA_LOAD_FIRST, &arena, out, &err),
        SL_EINPUT);
    assert_string_equal(err.text, "a shift of 32 is not in 0..31");
    tensors.shift = 0;
    task.bias = true;
    assert_int_equal(
        sl_vta_execute(&task, &schedule, &tensors, SL_VTA_LOAD_FIRST, &arena, out, &err),
        SL_EINPUT);
    assert_string_equal(err.text, "the layer has a bias");
}

static void too_little_memory_is_an_error(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=16,C=16,P=4,Q=4");
    int8_t data[256] = {0}, out[256];
    SlVtaTensors tensors = {.inp = data, .wgt = data, .high = 127};
    SlVtaSchedule schedule = vta_schedule(2, 2, 1, 1, 1, 2);
    SlStatus status = SL_ENOMEM;
    for (size_t limit = 100; status == SL_ENOMEM; limit += limit / 2) {
        SlArena small;
        SlError err;
        sl_arena_init(&small, limit);
        status = sl_vta_execute(&task, &schedule, &tensors, SL_VTA_LOAD_FIRST, &small, out, &err);
        sl_arena_free(&small);
        assert_true(limit > 1000 || status == SL_ENOMEM);
    }
    assert_int_equal(status, SL_OK);
}

// ---- broken programs ----

// a program in memory, to be broken
typedef struct {
    SlVtaTask task;
    SlVtaStream stream;
    SlVtaInsn *insns;
    VtaDram dram;
} Broken;

static void broken_make(Broken *broken) {
    SlRng rng;
    SlError err;
    sl_rng_init(&rng, 3, "vta broken");
    broken->task = vta_task("", "conv:K=64,C=32,P=6,Q=6,R=3,S=3,pad=1");
    broken->task.bias = true;
    SlVtaSchedule schedule = vta_schedule(3, 6, 1, 2, 2, 1);
    SlVtaTensors tensors = vta_random_tensors(&rng, &broken->task, &arena);
    sl_vta_stream_init(&broken->task, &schedule, &broken->stream);
    broken->insns = vta_program(&broken->stream, &arena);
    SlVtaUop *uops = SL_NEW(&arena, broken->stream.n_uops, SlVtaUop);
    sl_vta_stream_uops(&broken->stream, uops);
    assert_int_equal(sl_vta_pack(&broken->task, &tensors, &arena, &broken->dram, &err), SL_OK);
    broken->dram.uops = uops;
    broken->dram.size[SL_VTA_MEM_UOP] = broken->stream.n_uops;
}

static SlStatus broken_run(Broken *broken, SlVtaOrder order, SlError *err) {
    VtaMachine machine;
    VtaProgram program = {.insns = broken->insns, .n_insns = broken->stream.n_insns};
    memset(broken->dram.out, 0, (size_t)broken->dram.size[SL_VTA_MEM_OUT] * 16);
    assert_int_equal(sl_vta_machine_make(&broken->task.core, &broken->dram, &arena, &machine, err),
                     SL_OK);
    return sl_vta_machine_run(&machine, &program, order, &arena, err);
}

// the n-th instruction (from 0) of an operation on a memory; its number
static int64_t find(const Broken *broken, SlVtaOp op, int mem, int n) {
    for (int64_t i = 0; i < broken->stream.n_insns; i++) {
        const SlVtaInsn *insn = &broken->insns[i];
        if (insn->op == op && (mem < 0 || insn->mem == mem) && !insn->reset && n-- == 0) return i;
    }
    fail_msg("no such instruction");
    return -1;
}

static void expect_fault(Broken *broken, int64_t number, const char *what) {
    for (int order = SL_VTA_LOAD_FIRST; order <= SL_VTA_STORE_FIRST; order++) {
        char expected[256];
        SlError err = {.text = ""};
        assert_int_equal(broken_run(broken, order, &err), SL_EINPUT);
        snprintf(expected, sizeof expected, "instruction %d %s", (int)number, what);
        assert_string_equal(err.text, expected);
    }
}

static void the_program_that_gets_broken_is_sound(void **state) {
    (void)state;
    Broken broken;
    SlError err;
    broken_make(&broken);
    assert_int_equal(broken_run(&broken, SL_VTA_LOAD_FIRST, &err), SL_OK);
    assert_int_equal(broken_run(&broken, SL_VTA_STORE_FIRST, &err), SL_OK);
}

// without any one push the program must stop at some instruction, without any one pop it may race
static void every_missing_push_is_a_deadlock(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int pushes = 0;
    for (int64_t i = 0; i < broken.stream.n_insns; i++) {
        SlVtaInsn *insn = &broken.insns[i], whole = *insn;
        if (!insn->push_prev && !insn->push_next) continue;
        SlError err;
        insn->push_prev = insn->push_next = false;
        assert_int_equal(broken_run(&broken, SL_VTA_LOAD_FIRST, &err), SL_EINPUT);
        assert_non_null(strstr(err.text, "waits forever for a token of "));
        *insn = whole;
        pushes++;
        clear(NULL);
        broken_make(&broken);
    }
    assert_true(pushes > 20);
}

static void a_deadlock_names_the_instruction_and_whom_it_waits_for(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_READ, SL_VTA_MEM_WGT, 0);
    broken.insns[at].push_next = false;
    // compute waits for a third load that never comes: the last GEMM of the first group's last tile
    SlError err;
    assert_int_equal(broken_run(&broken, SL_VTA_STORE_FIRST, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "(gemm) waits forever for a token of load"));
    broken.insns[at].push_next = true;
    broken.insns[at].pop_prev = true;
    expect_fault(&broken, at, "(read WGT) waits forever for a token of nobody");
}

static void a_missing_wait_is_noticed_by_reading_too_early(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_READ, SL_VTA_MEM_UOP, 2); // waits for the first load
    assert_true(broken.insns[at].pop_prev);
    broken.insns[at].pop_prev = false;
    SlError err;
    assert_int_equal(broken_run(&broken, SL_VTA_STORE_FIRST, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "(gemm) reads element 0 of INP, which was never written"));
}

static void addresses_beyond_a_tensor_are_caught(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_READ, SL_VTA_MEM_INP, 1);
    broken.insns[at].dram = 72 - 23;
    expect_fault(&broken, at, "(read INP) reads element 72 of INP in DRAM, which has 72");
    broken.insns[at].dram = -1;
    expect_fault(&broken, at, "(read INP) reads element -1 of INP in DRAM, which has 72");
    broken_make(&broken);
    at = find(&broken, SL_VTA_WRITE, -1, 0);
    broken.insns[at].dram = 143;
    expect_fault(&broken, at, "(write OUT) writes element 144 of OUT in DRAM, which has 144");
    broken_make(&broken);
    at = find(&broken, SL_VTA_READ, SL_VTA_MEM_ACC, 0);
    broken.insns[at].dram = 3;
    expect_fault(&broken, at, "(read ACC) reads element 4 of ACC in DRAM, which has 4");
}

static void addresses_beyond_a_buffer_are_caught(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_READ, SL_VTA_MEM_WGT, 0);
    broken.insns[at].sram = 1024 - 17;
    expect_fault(&broken, at, "(read WGT) writes element 1024 of WGT, which has 1024");
    broken_make(&broken);
    at = find(&broken, SL_VTA_GEMM, -1, 0);
    broken.insns[at].src[0] = -1;
    expect_fault(&broken, at, "(gemm) reads element -1 of INP, which has 2048");
    broken.insns[at].src[0] = 0;
    broken.insns[at].dst[1] = 2048;
    expect_fault(&broken, at, "(gemm) reads element 2048 of ACC, which has 2048");
    broken.insns[at].dst[1] = 0;
    broken.insns[at].uop_begin = -1;
    expect_fault(&broken, at, "(gemm) reads element -1 of UOP, which has 8192");
    broken.insns[at].uop_begin = 8191;
    broken.insns[at].uop_end = 8192;
    expect_fault(&broken, at, "(gemm) reads element 8191 of UOP, which was never written");
    broken_make(&broken);
    at = find(&broken, SL_VTA_WRITE, -1, 0);
    broken.insns[at].sram = 1000;
    expect_fault(&broken, at, "(write OUT) reads element 1000 of OUT, which was never written");
}

static void reads_of_what_nobody_wrote_are_caught(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_GEMM, -1, 0);
    broken.insns[at].wgt[0] = 512;
    expect_fault(&broken, at, "(gemm) reads element 512 of WGT, which was never written");
    broken_make(&broken);
    at = find(&broken, SL_VTA_READ, SL_VTA_MEM_ACC, 0);
    broken.insns[at].x_size = 1; // half of the bias
    expect_fault(&broken, at + 2, "(add) reads element 37 of ACC, which was never written");
}

static void fields_out_of_range_are_caught(void **state) {
    (void)state;
    Broken broken;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_GEMM, -1, 0);
    int32_t outer = broken.insns[at].outer;
    broken.insns[at].inner = 16384;
    SlError err;
    char expected[128];
    assert_int_equal(broken_run(&broken, SL_VTA_LOAD_FIRST, &err), SL_EINPUT);
    snprintf(expected, sizeof expected, "instruction %d: %d x 16384 turns are not in 0..16383",
             (int)at, outer);
    assert_string_equal(err.text, expected);
    broken_make(&broken);
    at = find(&broken, SL_VTA_READ, SL_VTA_MEM_INP, 0);
    broken.insns[at].y_size = -4;
    assert_int_equal(broken_run(&broken, SL_VTA_LOAD_FIRST, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, ": a size of -4 is not in 0..65535"));
}

static void modules_refuse_what_is_not_theirs(void **state) {
    (void)state;
    const SlVtaInsn wrong[] = {
        {.module = SL_VTA_LOAD, .op = SL_VTA_READ, .mem = SL_VTA_MEM_UOP},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_READ, .mem = SL_VTA_MEM_INP},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_READ, .mem = SL_VTA_MEM_OUT},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_READ, .mem = 9},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_WRITE, .mem = SL_VTA_MEM_OUT},
        {.module = SL_VTA_STORE, .op = SL_VTA_WRITE, .mem = SL_VTA_MEM_ACC},
        {.module = SL_VTA_LOAD, .op = SL_VTA_GEMM},
        {.module = SL_VTA_STORE, .op = SL_VTA_ALU},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_ALU, .alu = 4},
        {.module = SL_VTA_COMPUTE, .op = 17},
    };
    Broken broken;
    VtaMachine machine;
    SlError err;
    broken_make(&broken);
    assert_int_equal(sl_vta_machine_make(&broken.task.core, &broken.dram, &arena, &machine, &err),
                     SL_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sl_vta_machine_step(&machine, &wrong[i], 7, &err), SL_EINPUT);
        assert_string_equal(err.text, "instruction 7 is not one of its module");
    }
}

static void a_program_that_leaves_output_unwritten_is_refused(void **state) {
    (void)state;
    Broken broken;
    SlError err;
    broken_make(&broken);
    int64_t at = find(&broken, SL_VTA_WRITE, -1, 1);
    broken.insns[at].y_size--;
    assert_int_equal(broken_run(&broken, SL_VTA_LOAD_FIRST, &err), SL_EINPUT);
    assert_string_equal(err.text, "the program never writes block 48 of its output");
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(random_programs_compute_the_convolution_in_both_orders, clear),
        cmocka_unit_test_setup(results_use_the_whole_range, clear),
        cmocka_unit_test_setup(a_convolution_by_hand, clear),
        cmocka_unit_test_setup(a_shift_of_a_negative_sum_rounds_down, clear),
        cmocka_unit_test_setup(sums_wrap_at_32_bits, clear),
        cmocka_unit_test_setup(wrong_arguments_are_refused, clear),
        cmocka_unit_test_setup(too_little_memory_is_an_error, clear),
        cmocka_unit_test_setup(the_program_that_gets_broken_is_sound, clear),
        cmocka_unit_test_setup(every_missing_push_is_a_deadlock, clear),
        cmocka_unit_test_setup(a_deadlock_names_the_instruction_and_whom_it_waits_for, clear),
        cmocka_unit_test_setup(a_missing_wait_is_noticed_by_reading_too_early, clear),
        cmocka_unit_test_setup(addresses_beyond_a_tensor_are_caught, clear),
        cmocka_unit_test_setup(addresses_beyond_a_buffer_are_caught, clear),
        cmocka_unit_test_setup(reads_of_what_nobody_wrote_are_caught, clear),
        cmocka_unit_test_setup(fields_out_of_range_are_caught, clear),
        cmocka_unit_test_setup(modules_refuse_what_is_not_theirs, clear),
        cmocka_unit_test_setup(a_program_that_leaves_output_unwritten_is_refused, clear),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}
