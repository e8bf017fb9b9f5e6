// test_vta_timing.c - when instructions start and end.
#include <stdlib.h>

#include "vta_help.h"

static SlArena arena;

static double cycles_of(const SlVtaCore *core, int64_t n, const SlVtaInsn *insns) {
    SlVtaTime time;
    SlError err = {.text = ""};
    SlStatus status = sl_vta_time_program(core, n, insns, &arena, &time, &err);
    if (status != SL_OK) print_error("%s\n", err.text);
    assert_int_equal(status, SL_OK);
    assert_int_equal(time.insns, n);
    return time.cycles;
}

// a core that nothing waits for: instructions are there at once, data comes at once
static SlVtaCore quick_core(void) {
    SlVtaCore core;
    sl_vta_core_init(&core);
    core.timing.fetch = false;
    core.timing.latency = 0;
    return core;
}

static int parse_line(char *line, SlVtaInsn *insn) {
    char *words[15], *rest = line;
    int n = 0;
    for (char *word; n < 15 && (word = strtok_r(rest, ", \n", &rest));) words[n++] = word;
    if (n < 15) return 0;
    int v[11];
    for (int i = 0; i < 11; i++) v[i] = (int)strtol(words[4 + i], NULL, 10);
    const char *module = words[1], *kind = words[2], *mem = words[3];
    *insn = (SlVtaInsn){.module = !strcmp(module, "load")      ? SL_VTA_LOAD
                                  : !strcmp(module, "compute") ? SL_VTA_COMPUTE
                                                               : SL_VTA_STORE,
                        .op = !strncmp(kind, "load", 4) ? SL_VTA_READ
                              : !strcmp(kind, "store")  ? SL_VTA_WRITE
                              : !strcmp(kind, "gemm")   ? SL_VTA_GEMM
                              : !strcmp(kind, "sync")   ? SL_VTA_SYNC
                                                        : SL_VTA_ALU,
                        .mem = !strcmp(kind, "loadUop") ? SL_VTA_MEM_UOP
                               : !strcmp(mem, "inp")    ? SL_VTA_MEM_INP
                               : !strcmp(mem, "wgt")    ? SL_VTA_MEM_WGT
                                                        : SL_VTA_MEM_OUT,
                        .x_size = v[0],
                        .x_stride = v[0],
                        .y_size = v[1],
                        .uop_begin = v[2],
                        .uop_end = v[3],
                        .outer = v[4],
                        .inner = v[5],
                        .immediate = v[6],
                        .pop_prev = v[7],
                        .pop_next = v[8],
                        .push_prev = v[9],
                        .push_next = v[10]};
    return 1;
}

static void the_reference_program_takes_as_long_as_published(void **state) {
    (void)state;
    FILE *file = fopen(SL_SOURCE_DIR "/tests/data/vta/reference_program.csv", "r");
    assert_non_null(file);
    SlVtaInsn insns[256];
    char line[256];
    int n = 0;
    while (n < 256 && fgets(line, sizeof line, file)) n += parse_line(line, &insns[n]);
    fclose(file);
    assert_int_equal(n, 142);
    SlVtaCore core;
    sl_vta_core_init(&core);
    double cycles = cycles_of(&core, n, insns); // published: 137,204
    assert_true(cycles >= 137204 && cycles <= 137206);
}

static void instructions_take_what_the_table_says(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    const struct {
        SlVtaInsn insn;
        double cycles;
    } cases[] = {
        // token only: 2
        {{.module = SL_VTA_LOAD, .op = SL_VTA_SYNC}, 2},
        // kernels: 6 and a cycle per micro-op, two where the ALU reads a second operand
        {{.module = SL_VTA_COMPUTE, .op = SL_VTA_GEMM, .uop_end = 9, .outer = 4, .inner = 7}, 258},
        {{.module = SL_VTA_COMPUTE, .op = SL_VTA_ALU, .uop_end = 2, .outer = 5, .inner = 3}, 66},
        {{.module = SL_VTA_COMPUTE,
          .op = SL_VTA_ALU,
          .immediate = true,
          .uop_end = 2,
          .outer = 5,
          .inner = 3},
         36},
        // three rows of five inputs of two beats behind a request
        {{.module = SL_VTA_LOAD,
          .op = SL_VTA_READ,
          .mem = SL_VTA_MEM_INP,
          .y_size = 3,
          .x_size = 5,
          .x_stride = 9},
         31},
        // four micro-ops of 4 bytes are two beats
        {{.module = SL_VTA_COMPUTE,
          .op = SL_VTA_READ,
          .mem = SL_VTA_MEM_UOP,
          .y_size = 1,
          .x_size = 4,
          .x_stride = 4},
         3},
        // zeros are written while no data comes: 30 beats, 4 x 7 - 15 zeros
        {{.module = SL_VTA_LOAD,
          .op = SL_VTA_READ,
          .mem = SL_VTA_MEM_INP,
          .y_size = 3,
          .x_size = 5,
          .x_stride = 9,
          .pad_top = 1,
          .pad_right = 2},
         44},
        // 27 cycles for eight outputs of two beats
        {{.module = SL_VTA_STORE,
          .op = SL_VTA_WRITE,
          .mem = SL_VTA_MEM_OUT,
          .y_size = 2,
          .x_size = 8,
          .x_stride = 8},
         54},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(cycles_of(&core, 1, &cases[i].insn) == cases[i].cycles);
}

static void rows_that_follow_each_other_are_read_as_one(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    core.bus_bits = 512; // 4 inputs per beat
    SlVtaInsn insn = {.module = SL_VTA_LOAD,
                      .op = SL_VTA_READ,
                      .mem = SL_VTA_MEM_INP,
                      .y_size = 3,
                      .x_size = 5,
                      .x_stride = 6};
    assert_true(cycles_of(&core, 1, &insn) == 1 + 3 * 2);
    insn.x_stride = 5;
    assert_true(cycles_of(&core, 1, &insn) == 1 + 4); // 15 inputs
}

static void a_board_adds_cycles_to_rows_loads_and_bursts(void **state) {
    (void)state;
    SlVtaCore core;
    sl_vta_core_init(&core);
    core.timing = *sl_vta_timing("pynq");
    SlVtaInsn read = {.module = SL_VTA_LOAD,
                      .op = SL_VTA_READ,
                      .mem = SL_VTA_MEM_INP,
                      .y_size = 3,
                      .x_size = 5,
                      .x_stride = 9};
    assert_true(cycles_of(&core, 1, &read) == 1 + 60 + 3 * (10 + 20) + 10);
    SlVtaInsn zeros = {.module = SL_VTA_LOAD,
                       .op = SL_VTA_READ,
                       .mem = SL_VTA_MEM_INP,
                       .y_size = 3,
                       .x_stride = 9,
                       .pad_left = 5};
    assert_true(cycles_of(&core, 1, &zeros) == 1 + 15 + 10); // nothing is read
    SlVtaInsn write = {
        .module = SL_VTA_STORE, .op = SL_VTA_WRITE, .y_size = 2, .x_size = 8, .x_stride = 8};
    assert_true(cycles_of(&core, 1, &write) == 2 * (24 + 13));
}

static void modules_overlap_unless_tokens_order_them(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    SlVtaInsn insns[] = {
        {.module = SL_VTA_LOAD,
         .op = SL_VTA_READ,
         .mem = SL_VTA_MEM_INP,
         .y_size = 1,
         .x_size = 50,
         .x_stride = 50},
        {.module = SL_VTA_COMPUTE, .op = SL_VTA_GEMM, .uop_end = 10, .outer = 10, .inner = 1}};
    assert_true(cycles_of(&core, 2, insns) == 106);
    insns[0].push_next = true;
    insns[1].pop_prev = true;
    assert_true(cycles_of(&core, 2, insns) == 101 + 106);
}

static void tokens_move_in_whole_cycles(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    SlVtaInsn insns[] = {{.module = SL_VTA_STORE,
                          .op = SL_VTA_WRITE,
                          .mem = SL_VTA_MEM_OUT,
                          .y_size = 1,
                          .x_size = 1,
                          .x_stride = 1},
                         {.module = SL_VTA_COMPUTE, .op = SL_VTA_SYNC}};
    assert_true(cycles_of(&core, 1, insns) == 27 / 8.0);
    insns[0].push_prev = true;
    insns[1].pop_next = true;
    assert_true(cycles_of(&core, 2, insns) == 4 + 2);
}

static void loads_of_both_modules_share_the_channel(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    const SlVtaInsn insns[] = {{.module = SL_VTA_LOAD,
                                .op = SL_VTA_READ,
                                .mem = SL_VTA_MEM_INP,
                                .y_size = 1,
                                .x_size = 50,
                                .x_stride = 50},
                               {.module = SL_VTA_COMPUTE,
                                .op = SL_VTA_READ,
                                .mem = SL_VTA_MEM_ACC,
                                .y_size = 1,
                                .x_size = 10,
                                .x_stride = 10}};
    assert_true(cycles_of(&core, 2, insns) == 1 + 100 + 80);
}

static void instructions_come_in_groups_of_eight(void **state) {
    (void)state;
    SlVtaCore core;
    SlVtaInsn insns[9] = {{0}};
    sl_vta_core_init(&core);
    for (int i = 0; i < 9; i++) insns[i].module = SL_VTA_LOAD;
    // 21 and two beats per instruction until a group is there, then one per cycle; a sync takes 2
    assert_true(cycles_of(&core, 1, insns) == 21 + 2 + 1 + 2);
    assert_true(cycles_of(&core, 8, insns) == 21 + 16 + 1 + 8 * 2);
    assert_true(cycles_of(&core, 9, insns) == 21 + 16 + 8 + 1 + 21 + 2 + 1 + 2);
}

static void a_program_that_waits_forever_is_an_error(void **state) {
    (void)state;
    SlVtaCore core = quick_core();
    SlVtaTime time;
    SlError err;
    SlVtaInsn insns[2] = {{.module = SL_VTA_STORE, .op = SL_VTA_SYNC},
                          {.module = SL_VTA_COMPUTE, .op = SL_VTA_GEMM, .pop_prev = true}};
    assert_int_equal(sl_vta_time_program(&core, 2, insns, &arena, &time, &err), SL_EINPUT);
    assert_string_equal(err.text, "instruction 1 (gemm of compute) waits forever");
    insns[0].pop_next = true; // nobody is behind store
    assert_int_equal(sl_vta_time_program(&core, 1, insns, &arena, &time, &err), SL_EINPUT);
    assert_string_equal(err.text, "instruction 0 (sync of store) waits forever");
}

// ---- streams ----

static void a_stream_takes_as_long_as_its_program_in_memory(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 5, "vta time");
    for (int i = 0; i < 150; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaStream stream;
        SlVtaTime time;
        SlError err;
        vta_random_task(&rng, &task);
        if (i % 3 == 0) task.core.timing = *sl_vta_timing("pynq");
        vta_random_schedule(&rng, &task, &schedule);
        sl_vta_stream_init(&task, &schedule, &stream);
        SlVtaInsn *insns = vta_program(&stream, &arena);
        assert_int_equal(sl_vta_time(&task, &schedule, &arena, &time, &err), SL_OK);
        assert_true(time.cycles == cycles_of(&task.core, stream.n_insns, insns));
        assert_int_equal(time.insns, stream.n_insns);
        for (int m = 0; m < SL_N_VTA_MODULES; m++)
            assert_true(time.busy[m] > 0 && time.busy[m] <= time.cycles);
        double macs = (double)sl_layer_macs(&task.layer);
        assert_true(time.macs_per_cycle == macs / time.cycles);
        assert_true(time.utilisation > 0 && time.utilisation < 1);
        sl_arena_rewind(&arena, mark);
    }
}

static void a_wider_bus_and_less_latency_never_hurt(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=14,Q=14,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(7, 14, 1, 2, 2, 1);
    SlVtaTime time;
    SlError err;
    double before = 1e300;
    for (int bits = 64; bits <= 512; bits *= 2) {
        task.core.bus_bits = bits;
        assert_int_equal(sl_vta_time(&task, &schedule, &arena, &time, &err), SL_OK);
        assert_true(time.cycles <= before);
        before = time.cycles;
    }
    task.core.timing.latency = 10;
    assert_int_equal(sl_vta_time(&task, &schedule, &arena, &time, &err), SL_OK);
    assert_true(time.cycles < before);
}

static void too_little_memory_is_an_error(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=14,Q=14,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(7, 14, 1, 2, 2, 1);
    SlVtaTime time;
    SlError err;
    SlStatus status = SL_ENOMEM;
    for (size_t limit = 64; status == SL_ENOMEM; limit += limit / 2) {
        SlArena small;
        sl_arena_init(&small, limit);
        status = sl_vta_time(&task, &schedule, &small, &time, &err);
        if (status == SL_ENOMEM) assert_string_equal(err.text, "not enough memory");
        sl_arena_free(&small);
        assert_true(limit > 100 || status == SL_ENOMEM);
    }
    assert_int_equal(status, SL_OK);
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_program_takes_as_long_as_published),
        cmocka_unit_test(instructions_take_what_the_table_says),
        cmocka_unit_test(rows_that_follow_each_other_are_read_as_one),
        cmocka_unit_test(a_board_adds_cycles_to_rows_loads_and_bursts),
        cmocka_unit_test(modules_overlap_unless_tokens_order_them),
        cmocka_unit_test(tokens_move_in_whole_cycles),
        cmocka_unit_test(loads_of_both_modules_share_the_channel),
        cmocka_unit_test(instructions_come_in_groups_of_eight),
        cmocka_unit_test(a_program_that_waits_forever_is_an_error),
        cmocka_unit_test(a_stream_takes_as_long_as_its_program_in_memory),
        cmocka_unit_test(a_wider_bus_and_less_latency_never_hurt),
        cmocka_unit_test(too_little_memory_is_an_error),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}
