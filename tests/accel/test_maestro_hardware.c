// test_maestro_hardware.c - MAESTRO's hardware files, and its machine as one of ours.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accel/maestro_text.h"

static SlMaestroHardware parse_text(const char *text) {
    SlMaestroHardware hardware;
    SlError err;
    char line[1024];
    sl_maestro_hardware_init(&hardware);
    hardware.simd_lanes = 3;
    if (sl_maestro_hardware_parse("h.m", text, strlen(text), &hardware, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof line, line));
    return hardware;
}

static void expect_hardware(const SlMaestroHardware *got, SlMaestroHardware expected) {
    assert_int_equal(got->num_pes, expected.num_pes);
    assert_int_equal(got->simd_lanes, expected.simd_lanes);
    assert_int_equal(got->noc_bw, expected.noc_bw);
    assert_int_equal(got->noc_latency, expected.noc_latency);
    assert_int_equal(got->offchip_bw, expected.offchip_bw);
    assert_int_equal(got->l1_bytes, expected.l1_bytes);
    assert_int_equal(got->l2_bytes, expected.l2_bytes);
}

static void the_defaults_are_those_of_the_command_line(void **state) {
    (void)state;
    SlMaestroHardware hardware;
    sl_maestro_hardware_init(&hardware);
    expect_hardware(&hardware,
                    (SlMaestroHardware){7, 1, INT32_MAX, 0, 70000, INT32_MAX, INT32_MAX});
}

static void a_file_sets_everything_but_the_lanes(void **state) {
    (void)state;
    SlMaestroHardware all = parse_text("num_pes: 256 // PEs\n"
                                       "l1_size_cstr: 100\r\n"
                                       "l2_size_cstr -> 3000;\n"
                                       "noc_bw_cstr(1000), offchip_bw_cstr 50\n"
                                       "\tNoC_NumHops:2");
    expect_hardware(&all, (SlMaestroHardware){256, 3, 1000, 2, 50, 100, 3000});
    // what a file does not say is not what the command line would have
    SlMaestroHardware none = parse_text("// nothing\n");
    expect_hardware(&none,
                    (SlMaestroHardware){1, 3, INT32_MAX, 1, INT32_MAX, INT32_MAX, INT32_MAX});
}

static void a_wrong_file_gets_one_sentence_and_changes_nothing(void **state) {
    (void)state;
#define A_KEY                                                                                      \
    "expected num_pes, l1_size_cstr, l2_size_cstr, noc_bw_cstr, NoC_NumHops or offchip_bw_cstr, "  \
    "got "
    static const struct {
        const char *text;
        int line, column;
        const char *sentence;
    } bad[] = {
        {"num_pes: 4\nnum_pe: 4", 2, 1, A_KEY "'num_pe' (did you mean 'num_pes'?)"},
        {"NumPEs: 168", 1, 1, A_KEY "'NumPEs' (did you mean 'num_pes'?)"},
        {"Network n {", 1, 1, A_KEY "'Network'"},
        {"4 4", 1, 1, A_KEY "'4'"},
        {"num_pes:", 1, 9, "num_pes: expected a number, got the end of the file"},
        {"num_pes: four", 1, 10, "num_pes: expected a number from 1 to 2147483647, got 'four'"},
        {"num_pes: 0", 1, 10, "num_pes: expected a number from 1 to 2147483647, got '0'"},
        {"num_pes: -4", 1, 11, "num_pes: expected a number from 1 to 2147483647, got '-4'"},
        {"noc_bw_cstr: 0", 1, 14, "noc_bw_cstr: expected a number from 1 to 2147483647, got '0'"},
        {"offchip_bw_cstr: 0", 1, 18,
         "offchip_bw_cstr: expected a number from 1 to 2147483647, got '0'"},
        {"l1_size_cstr: 1e3", 1, 15,
         "l1_size_cstr: expected a number from 0 to 2147483647, got '1e3'"},
        {"l2_size_cstr: 2147483648", 1, 15,
         "l2_size_cstr: expected a number from 0 to 2147483647, got '2147483648'"},
        {"num_pes: 4\nnum_pes: 4", 2, 1, "num_pes is given twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlMaestroHardware hardware, before;
        SlError err = {0};
        sl_maestro_hardware_init(&hardware);
        before = hardware;
        size_t n = strlen(bad[i].text);
        assert_int_equal(sl_maestro_hardware_parse("h.m", bad[i].text, n, &hardware, &err),
                         SL_EINPUT);
        assert_string_equal(err.text, bad[i].sentence);
        assert_string_equal(err.file, "h.m");
        assert_int_equal(err.line, bad[i].line);
        assert_int_equal(err.column, bad[i].column);
        expect_hardware(&hardware, before);
    }
}

static void a_file_is_read_from_its_path(void **state) {
    (void)state;
    SlArena arena;
    SlMaestroHardware hardware;
    SlError err;
    char path[] = "/tmp/starling-hardware-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs("num_pes: 9\n", file);
    fclose(file);
    sl_arena_init(&arena, 0);
    sl_maestro_hardware_init(&hardware);
    SlStatus status = sl_maestro_hardware_read(path, &arena, &hardware, &err);
    remove(path);
    assert_int_equal(status, SL_OK);
    assert_int_equal(hardware.num_pes, 9);
    assert_int_equal(arena.used, 0);
    assert_int_equal(sl_maestro_hardware_read("/nowhere/h.m", &arena, &hardware, &err), SL_EINPUT);
    sl_arena_free(&arena);
}

static void maestros_machine_has_its_energies_and_areas(void **state) {
    (void)state;
    SlAccel accel;
    SlMaestroHardware hardware = {16, 4, 32, 1, 8, 512, 4096};
    sl_maestro_accel(&hardware, &accel);
    assert_null(sl_accel_check(&accel));
    assert_int_equal(sl_accel_macs(&accel), 64);
    assert_int_equal(sl_accel_instances(&accel, 2), 16);
    assert_int_equal(accel.levels[1].capacity_bytes, 4096);
    assert_int_equal(accel.levels[2].capacity_bytes, 512);
    assert_int_equal(accel.levels[1].buffering, SL_BUFFER_DOUBLE);
    assert_int_equal(accel.levels[2].buffering, SL_BUFFER_DOUBLE);
    assert_true(accel.levels[0].port_words == 8);
    assert_true(accel.levels[2].link_words == 32);
    assert_true(accel.levels[0].read_pj == 0 && accel.levels[0].write_pj == 0);
    assert_true(accel.mac_pj == 0.23);
    assert_float_equal(accel.levels[1].read_pj, 4.2803, 1e-9);
    assert_float_equal(accel.levels[1].write_pj, 4.2803, 1e-9);
    assert_float_equal(accel.levels[2].read_pj, 0.3864, 1e-9);
    assert_float_equal(accel.levels[2].write_pj, 0.3864, 1e-9);
    assert_float_equal(sl_accel_area_um2(&accel), 16 * (283 * 4 + 0.104 * 512) + 0.104 * 4096,
                       1e-6);
    // no limits: rates that never bind, buffers that still have a size
    sl_maestro_hardware_init(&hardware);
    hardware.offchip_bw = INT32_MAX;
    sl_maestro_accel(&hardware, &accel);
    assert_null(sl_accel_check(&accel));
    assert_true(isinf(accel.levels[0].port_words) && isinf(accel.levels[2].link_words));
    hardware.l1_bytes = hardware.l2_bytes = 0;
    sl_maestro_accel(&hardware, &accel);
    assert_null(sl_accel_check(&accel));
}

static void a_machine_of_maestro_comes_back_the_same(void **state) {
    (void)state;
    const SlMaestroHardware some[] = {
        {16, 4, 32, 1, 8, 512, 4096},
        {1, 1, INT32_MAX, 1, INT32_MAX, INT32_MAX, INT32_MAX},
        {168, 1, 2000000001, 1, 70000, 1, 1},
    };
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        SlAccel accel;
        SlMaestroHardware again;
        sl_maestro_accel(&some[i], &accel);
        assert_null(sl_maestro_hardware_of(&accel, &again));
        expect_hardware(&again, some[i]);
    }
}

static SlAccel find_accel(const char *name) {
    SlArena scratch;
    SlAccel accel = {0};
    SlError err;
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_accel_find(name, &scratch, &accel, &err), SL_OK);
    sl_arena_free(&scratch);
    return accel;
}

static void a_flexible_preset_is_such_a_machine(void **state) {
    (void)state;
    SlAccel accel = find_accel("eyeriss");
    SlMaestroHardware hardware;
    assert_null(sl_maestro_hardware_of(&accel, &hardware));
    expect_hardware(&hardware, (SlMaestroHardware){168, 1, 64, 1, 16, 1024, 216000});
    // MAESTRO counts elements
    for (int t = 0; t < 3; t++) accel.word_bytes[t] = 2;
    assert_null(sl_maestro_hardware_of(&accel, &hardware));
    expect_hardware(&hardware, (SlMaestroHardware){168, 1, 64, 1, 16, 512, 108000});
}

static void expect_reason(const SlAccel *accel, const char *reason) {
    SlMaestroHardware hardware;
    const char *got = sl_maestro_hardware_of(accel, &hardware);
    assert_non_null(got);
    assert_string_equal(got, reason);
}

static void other_machines_say_what_they_are_not(void **state) {
    (void)state;
    const SlAccel good = find_accel("eyeriss");
    SlAccel accel = good;
    accel.n_levels = 2;
    expect_reason(&accel, "MAESTRO's machine has two levels on chip, L2 and L1");
    accel = good;
    accel.fanouts[0] = good.fanouts[1];
    expect_reason(&accel, "MAESTRO's machine has one L2");
    accel = good;
    accel.fanouts[1].axes[0].dims = 3;
    expect_reason(&accel, "MAESTRO's PEs form flexible clusters, not a fixed grid");
    accel = good;
    accel.fanouts[1].n_axes = 2;
    accel.fanouts[1].axes[1] = (SlAxis){.name = "y", .size = 2, .dims = SL_SPREAD_ALL};
    expect_reason(&accel, "MAESTRO's PEs form flexible clusters, not a fixed grid");
    accel = good;
    accel.fanouts[1].reduction = false;
    expect_reason(&accel, "MAESTRO's network always multicasts and reduces");
    accel = good;
    accel.levels[2].keep = 3;
    expect_reason(&accel, "MAESTRO's L2 and L1 keep all tensors");
    accel = good;
    accel.word_bytes[2] = 4;
    expect_reason(&accel, "MAESTRO's words of all tensors have the same size");
    accel = good;
    accel.levels[0].port_words = 0.5;
    expect_reason(&accel, "MAESTRO's bandwidths are at least one element per cycle");
    accel = good;
    accel.levels[2].link_words = 0.5;
    expect_reason(&accel, "MAESTRO's bandwidths are at least one element per cycle");
    accel = good;
    accel.fanouts[1].axes[0].size = INT64_C(1) << 33;
    expect_reason(&accel, "MAESTRO's numbers of PEs end at 2147483647");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_command_line),
        cmocka_unit_test(a_file_sets_everything_but_the_lanes),
        cmocka_unit_test(a_wrong_file_gets_one_sentence_and_changes_nothing),
        cmocka_unit_test(a_file_is_read_from_its_path),
        cmocka_unit_test(maestros_machine_has_its_energies_and_areas),
        cmocka_unit_test(a_machine_of_maestro_comes_back_the_same),
        cmocka_unit_test(a_flexible_preset_is_such_a_machine),
        cmocka_unit_test(other_machines_say_what_they_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
