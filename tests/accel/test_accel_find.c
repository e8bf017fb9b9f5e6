// test_accel_find.c - presets and files by what a user types; the constants of the presets.
//
// Constants of `golden`: the header of layers.csv (tests/data); of `eyeriss`: Chen et al. 2016,
// 2017 and the choices named in the file.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/accel/maestro_hardware.h"

static SlStatus find(const char *selector, SlAccel *accel, SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_accel_find(selector, &scratch, accel, err);
    sl_arena_free(&scratch);
    return status;
}

static SlAccel find_good(const char *selector) {
    SlAccel accel = {0};
    SlError err = {0};
    char sentence[1024];
    if (find(selector, &accel, &err) != SL_OK) {
        fail_msg("%s", sl_error_text(&err, sizeof sentence, sentence));
    }
    return accel;
}

// one level's rates and energies: port, link, read = write, link energy
static void expect_level(const SlLevel *level, const double expected[4]) {
    assert_true(level->port_words == expected[0]);
    assert_true(level->link_words == expected[1]);
    assert_true(level->read_pj == expected[2] && level->write_pj == expected[2]);
    assert_true(level->link_pj == expected[3]);
}

// DRAM, L2, L1 below a fan-out of `pes` flexible clusters
static void expect_flexible(const SlAccel *accel, int64_t pes, int64_t l2, int64_t l1,
                            SlBuffering buffering) {
    assert_int_equal(accel->n_levels, 3);
    assert_int_equal(sl_accel_macs(accel), pes);
    assert_int_equal(sl_accel_instances(accel, 1), 1);
    assert_int_equal(sl_accel_instances(accel, 2), pes);
    assert_int_equal(accel->levels[1].capacity_bytes, l2);
    assert_int_equal(accel->levels[2].capacity_bytes, l1);
    for (int l = 1; l < 3; l++) {
        assert_int_equal(accel->levels[l].keep, SL_KEEP_ALL);
        assert_int_equal(accel->levels[l].buffering, buffering);
    }
    const SlFanout *fanout = &accel->fanouts[1];
    assert_int_equal(fanout->n_axes, 1);
    assert_int_equal(fanout->axes[0].dims, SL_SPREAD_ALL);
    assert_true(fanout->multicast && fanout->reduction);
}

static void every_preset_reads_and_says_where_it_comes_from(void **state) {
    (void)state;
    const char *names[64];
    int n = sl_bundle_names("accels", 64, names);
    assert_true(n >= 8);
    for (int i = 0; i < n; i++) {
        SlAccel accel = find_good(names[i]);
        assert_null(sl_accel_check(&accel));
        assert_string_equal(accel.name, names[i]);
        assert_true(accel.title[0] != '\0');
        assert_true(accel.source[0] != '\0');
        bool caches = accel.levels[1].line_bytes > 0; // of a core: no area is said
        assert_true(caches || sl_accel_area_um2(&accel) > 0);
    }
}

static void golden_has_the_constants_of_the_golden_file(void **state) {
    (void)state;
    SlAccel accel = find_good("golden");
    expect_flexible(&accel, 256, 1 << 20, 4096, SL_BUFFER_DOUBLE);
    for (int t = 0; t < 3; t++) assert_true(accel.word_bytes[t] == 2);
    expect_level(&accel.levels[0], (double[]){16, INFINITY, 200, 0});
    expect_level(&accel.levels[1], (double[]){64, 16, 6, 0});
    expect_level(&accel.levels[2], (double[]){4, 64, 1, 0.1});
    assert_true(accel.mac_pj == 0.5);
    assert_true(fabs(sl_accel_area_um2(&accel) / 1e6 - 6.547456) < 1e-12);
}

static void eyeriss_has_the_published_ratios(void **state) {
    (void)state;
    SlAccel accel = find_good("eyeriss");
    expect_flexible(&accel, 168, 108000, 512, SL_BUFFER_OVERLAPPED);
    for (int t = 0; t < 3; t++) assert_true(accel.word_bytes[t] == 1);
    expect_level(&accel.levels[0], (double[]){16, INFINITY, 200, 0});
    expect_level(&accel.levels[1], (double[]){INFINITY, 16, 6, 0});
    expect_level(&accel.levels[2], (double[]){INFINITY, 64, 1, 2});
    assert_true(accel.mac_pj == 1 && accel.clock_mhz == 200);
}

static void the_flex_machines_are_eyeriss_in_other_sizes(void **state) {
    (void)state;
    SlAccel small = find_good("flex256"), large = find_good("flex1024"),
            eyeriss = find_good("eyeriss");
    expect_flexible(&small, 256, 512 << 10, 1024, SL_BUFFER_OVERLAPPED);
    expect_flexible(&large, 1024, 512 << 10, 512, SL_BUFFER_OVERLAPPED);
    expect_level(&small.levels[0], (double[]){16, INFINITY, 200, 0});
    expect_level(&small.levels[2], (double[]){INFINITY, 64, 1, 2});
    expect_level(&large.levels[0], (double[]){32, INFINITY, 200, 0});
    expect_level(&large.levels[1], (double[]){INFINITY, 32, 6, 0});
    expect_level(&large.levels[2], (double[]){INFINITY, 256, 1, 2});
    assert_true(small.mac_area_um2 == eyeriss.mac_area_um2);
    assert_true(large.mac_area_um2 == eyeriss.mac_area_um2);
}

static void the_real_machines_have_their_published_sizes(void **state) {
    (void)state;
    const struct {
        const char *name;
        int64_t macs, bytes_without_registers;
    } machines[] = {
        {"nvdla", 2048, (512 + 16) << 10},
        {"tpu", 65536, (24 << 20) + (4 << 20) + (256 << 10)},
        {"gemmini", 256, (256 + 64) << 10},
        {"simba", 1024, (64 + 16 * (32 + 8 + 3)) << 10},
    };
    for (int i = 0; i < 4; i++) {
        SlAccel accel = find_good(machines[i].name);
        assert_int_equal(sl_accel_macs(&accel), machines[i].macs);
        double registers = 2.0 * (double)machines[i].macs;
        assert_true(sl_accel_bytes(&accel) - registers ==
                    (double)machines[i].bytes_without_registers);
        assert_non_null(strstr(accel.title, "-like"));
    }
}

// what maestro-project/gamma gives MAESTRO, and MAESTRO's constants
static void the_machines_of_gamma_are_those_of_maestro(void **state) {
    (void)state;
    SlAccel small = find_good("gamma168"), large = find_good("gamma1024"), maestro;
    SlMaestroHardware hardware;
    assert_null(sl_maestro_hardware_of(&large, &hardware));
    assert_int_equal(hardware.num_pes, 1024);
    assert_true(hardware.l1_bytes == INT32_MAX && hardware.l2_bytes == INT32_MAX);
    assert_null(sl_maestro_hardware_of(&small, &hardware));
    assert_int_equal(hardware.num_pes, 168);
    assert_int_equal(hardware.l1_bytes, 512);
    assert_int_equal(hardware.l2_bytes, 108000);
    assert_int_equal(hardware.noc_bw, 81920000);
    assert_int_equal(hardware.offchip_bw, 70000);
    assert_int_equal(hardware.noc_latency, 1);
    sl_maestro_accel(&hardware, &maestro);
    assert_true(small.mac_pj == maestro.mac_pj && small.mac_area_um2 == maestro.mac_area_um2);
    assert_true(small.levels[0].read_pj == 0);
    for (int l = 1; l < 3; l++) {
        const SlLevel *a = &small.levels[l], *b = &maestro.levels[l];
        assert_true(a->capacity_bytes == b->capacity_bytes && a->buffering == b->buffering);
        assert_true(fabs(a->read_pj - b->read_pj) < 1e-12 && a->read_pj == a->write_pj);
        assert_true(a->area_um2_per_byte == b->area_um2_per_byte);
    }
}

static void an_unknown_preset_gets_the_nearest_name_and_the_list(void **state) {
    (void)state;
    SlAccel accel;
    SlError err = {0};
    assert_int_equal(find("eyeris", &accel, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "unknown accelerator 'eyeris' (did you mean 'eyeriss'?)"));
    assert_non_null(strstr(err.text, "expected one of cache_twin, eyeriss, flex1024"));
    assert_int_equal(find("zzzzzzzz", &accel, &err), SL_EINPUT);
    assert_null(strstr(err.text, "did you mean"));
    assert_int_equal(find("", &accel, &err), SL_EINPUT);
}

static void a_selector_with_a_slash_or_an_ending_is_a_file(void **state) {
    (void)state;
    SlAccel accel = find_good(SL_SOURCE_DIR "/examples/accels/small_npu.yaml");
    assert_string_equal(accel.name, "small_npu");
    assert_int_equal(sl_accel_macs(&accel), 64);
    const char *absent[] = {"no/such", "absent.yaml", "absent.yml", "absent.json"};
    for (int i = 0; i < 4; i++) {
        SlError err = {0};
        assert_int_equal(find(absent[i], &accel, &err), SL_EINPUT);
        assert_string_equal(err.file, absent[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_reads_and_says_where_it_comes_from),
        cmocka_unit_test(golden_has_the_constants_of_the_golden_file),
        cmocka_unit_test(eyeriss_has_the_published_ratios),
        cmocka_unit_test(the_flex_machines_are_eyeriss_in_other_sizes),
        cmocka_unit_test(the_real_machines_have_their_published_sizes),
        cmocka_unit_test(the_machines_of_gamma_are_those_of_maestro),
        cmocka_unit_test(an_unknown_preset_gets_the_nearest_name_and_the_list),
        cmocka_unit_test(a_selector_with_a_slash_or_an_ending_is_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
