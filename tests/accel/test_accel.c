// test_accel.c - sizes, areas, and the reasons why a description is no accelerator.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/accel.h"

// a two-level machine with 4 PEs of 8 x 2 lanes
static SlAccel small_accel(void) {
    SlLevel dram = {.name = "DRAM", .keep = SL_KEEP_ALL, .buffering = SL_BUFFER_OVERLAPPED};
    dram.port_words = 16;
    dram.link_words = INFINITY;
    SlLevel chip = dram;
    memcpy(chip.name, "L1", 3);
    chip.capacity_bytes = 1000;
    chip.area_um2_per_byte = 3;
    SlAccel accel = {.name = "small", .n_levels = 2, .word_bytes = {1, 1, 4}, .clock_mhz = 100};
    accel.levels[0] = dram;
    accel.levels[1] = chip;
    accel.fanouts[0] = (SlFanout){.n_axes = 1, .axes = {{"clusters", 4, SL_SPREAD_ALL}}};
    accel.fanouts[1] = (SlFanout){.n_axes = 2, .axes = {{"x", 8, 4}, {"y", 2, 8}}};
    accel.mac_pj = 1;
    accel.mac_area_um2 = 500;
    return accel;
}

static void instances_are_the_product_of_the_fanouts_above(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    assert_null(sl_accel_check(&accel));
    assert_int_equal(sl_fanout_size(&accel.fanouts[0]), 4);
    assert_int_equal(sl_fanout_size(&accel.fanouts[1]), 16);
    assert_int_equal(sl_accel_instances(&accel, 0), 1);
    assert_int_equal(sl_accel_instances(&accel, 1), 4);
    assert_int_equal(sl_accel_instances(&accel, 2), 64);
    assert_int_equal(sl_accel_macs(&accel), 64);
}

static void a_fanout_without_axes_is_one_instance(void **state) {
    (void)state;
    SlFanout none = {.n_axes = 0};
    assert_int_equal(sl_fanout_size(&none), 1);
}

static void area_is_that_of_macs_and_storage_on_chip(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    assert_true(sl_accel_bytes(&accel) == 4 * 1000);
    assert_true(sl_accel_area_um2(&accel) == 64 * 500.0 + 4 * 1000 * 3.0);
}

static void names_are_one_plain_word(void **state) {
    (void)state;
    assert_true(sl_accel_name_ok("L1-a_b.2"));
    assert_false(sl_accel_name_ok(""));
    assert_false(sl_accel_name_ok("L 1"));
    assert_false(sl_accel_name_ok("L1\n"));
    assert_false(sl_accel_name_ok("µ"));
}

// break one field at a time; each reason must name what is wrong
static void expect_reason(const SlAccel *accel, const char *part) {
    const char *why = sl_accel_check(accel);
    if (!why || !strstr(why, part)) fail_msg("expected '%s', got '%s'", part, why ? why : "NULL");
}

static void the_check_refuses_numbers_that_make_no_machine(void **state) {
    (void)state;
    const double bad[] = {0, -1, NAN, -INFINITY, 1e-31};
    for (int i = 0; i < 5; i++) {
        SlAccel accel = small_accel();
        accel.clock_mhz = bad[i];
        expect_reason(&accel, "clock");
        accel = small_accel();
        accel.word_bytes[2] = bad[i];
        expect_reason(&accel, "bytes per word");
        accel = small_accel();
        accel.levels[0].port_words = bad[i];
        expect_reason(&accel, "port");
        accel = small_accel();
        accel.levels[1].link_words = bad[i];
        expect_reason(&accel, "link");
    }
}

static void the_check_refuses_energies_and_areas_below_zero(void **state) {
    (void)state;
    const double bad[] = {-1, NAN, INFINITY, 1e31};
    for (int i = 0; i < 4; i++) {
        SlAccel accel = small_accel();
        accel.mac_pj = bad[i];
        expect_reason(&accel, "energy of a MAC");
        accel = small_accel();
        accel.mac_area_um2 = bad[i];
        expect_reason(&accel, "area of a MAC");
        accel = small_accel();
        accel.levels[1].write_pj = bad[i];
        expect_reason(&accel, "energies");
        accel = small_accel();
        accel.levels[1].area_um2_per_byte = bad[i];
        expect_reason(&accel, "area per byte");
    }
}

static void the_check_refuses_storage_that_holds_nothing(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    accel.levels[1].capacity_bytes = 0;
    expect_reason(&accel, "capacity");
    accel = small_accel();
    accel.levels[1].keep = 0;
    expect_reason(&accel, "keep");
    accel = small_accel();
    accel.levels[0].keep = 3;
    expect_reason(&accel, "must keep W, I and O");
    accel = small_accel();
    accel.levels[0].capacity_bytes = 1;
    expect_reason(&accel, "unlimited");
    accel = small_accel();
    accel.levels[1].buffering = (SlBuffering)3;
    expect_reason(&accel, "buffering");
}

static void the_check_refuses_a_broken_structure(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    accel.n_levels = 1;
    expect_reason(&accel, "2 to 7 levels");
    accel.n_levels = SL_MAX_LEVELS + 1;
    expect_reason(&accel, "2 to 7 levels");
    accel = small_accel();
    memcpy(accel.levels[1].name, "DRAM", 5);
    expect_reason(&accel, "two levels have the same name");
    accel = small_accel();
    memcpy(accel.fanouts[1].axes[1].name, "x", 2);
    expect_reason(&accel, "two axes");
    accel = small_accel();
    accel.fanouts[1].axes[0].dims = 0;
    expect_reason(&accel, "at least one dim");
    accel = small_accel();
    accel.fanouts[0].axes[0].size = 0;
    expect_reason(&accel, "at least 1");
    accel = small_accel();
    accel.fanouts[0].n_axes = SL_MAX_AXES + 1;
    expect_reason(&accel, "axes");
}

static void the_check_refuses_more_macs_than_can_be_counted(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    accel.fanouts[0].axes[0].size = INT64_C(1) << 36;
    assert_null(sl_accel_check(&accel)); // 2^36 x 16 = 2^40
    accel.fanouts[0].axes[0].size += 1;
    expect_reason(&accel, "2^40");
    accel.fanouts[0].axes[0].size = INT64_MAX; // the product itself must not overflow
    expect_reason(&accel, "2^40");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_are_the_product_of_the_fanouts_above),
        cmocka_unit_test(a_fanout_without_axes_is_one_instance),
        cmocka_unit_test(area_is_that_of_macs_and_storage_on_chip),
        cmocka_unit_test(names_are_one_plain_word),
        cmocka_unit_test(the_check_refuses_numbers_that_make_no_machine),
        cmocka_unit_test(the_check_refuses_energies_and_areas_below_zero),
        cmocka_unit_test(the_check_refuses_storage_that_holds_nothing),
        cmocka_unit_test(the_check_refuses_a_broken_structure),
        cmocka_unit_test(the_check_refuses_more_macs_than_can_be_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
