// test_vta_resources.c - what cores need, and whether chips have it.
#include "vta_help.h"

static SlVtaCore core_of(const char *text) {
    SlVtaCore core;
    SlError err;
    sl_vta_core_init(&core);
    assert_int_equal(sl_vta_core_parse(text, &core, &err), SL_OK);
    return core;
}

static void the_default_core_needs_111_block_rams(void **state) {
    (void)state;
    SlVtaCore core = core_of("1x16x16");
    SlVtaResources need;
    sl_vta_resources(&core, 0, &need);
    const int expected[5] = {8, 8, 58, 29, 8}; // uop, inp, wgt, acc, out
    for (int i = 0; i < 5; i++) assert_int_equal(need.bram36[i], expected[i]);
    assert_int_equal(need.bram36_total, 111);
    assert_int_equal(need.macs, 256);
    assert_int_equal(need.alu_lanes, 16);
    assert_int_equal(need.sram_bytes, (32 + 32 + 256 + 128 + 32) * 1024);
    assert_int_equal(need.dsp, 256);
    assert_int_equal(need.lut, 0);
}

static void other_cores_need_what_their_widths_say(void **state) {
    (void)state;
    const struct {
        const char *core;
        int bram36, macs;
    } cases[] = {{"4x8x8_i8w8a32_15_16_16_18", 110, 256},
                 {"1x32x32", 173, 1024},
                 // 16 bits x 64 K: 4 bits x 8 K in 4 x 8 blocks; the others as ever
                 {"1x2x1_i8w8a32_15_17_17_17", 32 + 32 + 32 + 8 + 8, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlVtaCore core = core_of(cases[i].core);
        SlVtaResources need;
        sl_vta_resources(&core, 0, &need);
        assert_int_equal(need.bram36_total, cases[i].bram36);
        assert_int_equal(need.macs, cases[i].macs);
    }
}

static void multipliers_beyond_the_dsps_are_made_of_luts(void **state) {
    (void)state;
    SlVtaCore core = core_of("1x16x16");
    SlVtaResources need;
    sl_vta_resources(&core, 220, &need);
    assert_int_equal(need.dsp, 220);
    assert_int_equal(need.lut, 36 * 65);
    sl_vta_resources(&core, 1000, &need);
    assert_int_equal(need.dsp, 256);
    assert_int_equal(need.lut, 0);
}

static void expect_fill(const char *core_text, const char *budget_text, double fill,
                        const char *name) {
    SlVtaCore core = core_of(core_text);
    SlVtaBudget budget;
    SlError err;
    const char *which;
    assert_int_equal(sl_vta_budget_parse(budget_text, &budget, &err), SL_OK);
    double found = sl_vta_fill(&core, &budget, &which);
    if (found < fill - 1e-9 || found > fill + 1e-9) fail_msg("%s: %g", budget_text, found);
    assert_string_equal(which, name);
    assert_true(sl_vta_fill(&core, &budget, NULL) == found);
}

static void the_fill_is_that_of_the_tightest_limit(void **state) {
    (void)state;
    expect_fill("1x16x16", "z7020", 1, "DSP");
    expect_fill("1x32x32", "z7020", 173.0 / 140, "BRAM36");
    expect_fill("1x32x32", "zu3eg", 1, "DSP");
    expect_fill("4x32x32", "z7020", (4096 - 220) * 65.0 / 53200, "LUT");
    expect_fill("1x16x16", "macs=512", 0.5, "MAC");
    expect_fill("1x16x16", "dsp=128", 2, "DSP"); // nothing says how many LUTs there are
    expect_fill("1x16x16", "dsp=128,lut=100000,bram=148", 1, "DSP");
    expect_fill("1x16x16", "bram=148", 0.75, "BRAM36");
    expect_fill("1x16x16", "sram=1M", 480.0 / 1024, "SRAM");
    expect_fill("1x16x16", "z7020,macs=128", 2, "MAC");
}

static void budgets_are_chips_or_limits(void **state) {
    (void)state;
    SlVtaBudget budget;
    SlError err;
    assert_int_equal(sl_vta_budget_parse("z7020", &budget, &err), SL_OK);
    assert_string_equal(budget.name, "z7020");
    assert_int_equal(budget.dsp, 220);
    assert_int_equal(budget.bram36, 140);
    assert_int_equal(budget.lut, 53200);
    assert_int_equal(sl_vta_budget_parse("zu3eg", &budget, &err), SL_OK);
    assert_int_equal(budget.dsp, 360);
    assert_int_equal(budget.bram36, 216);
    assert_int_equal(budget.lut, 70560);
    assert_int_equal(
        sl_vta_budget_parse("macs=256,bram=140,dsp=220,lut=53200,sram=1M", &budget, &err), SL_OK);
    assert_string_equal(budget.name, "custom");
    assert_int_equal(budget.macs, 256);
    assert_int_equal(budget.sram_bytes, 1 << 20);
    assert_int_equal(sl_vta_budget_parse("macs=2K", &budget, &err), SL_OK);
    assert_int_equal(budget.macs, 2048);
    assert_int_equal(budget.dsp, 0);
}

static void wrong_budgets_are_refused(void **state) {
    (void)state;
    const struct {
        const char *text, *why;
    } cases[] = {
        {"", "no chip ''; expected z7020, zu3eg, or limits like macs=256,bram=140"},
        {"z7010", "no chip 'z7010'; is z7020 meant?"},
        {"spartan", "no chip 'spartan'; expected z7020"},
        {"mac=3", "budget has no 'mac'; is macs meant?"},
        {"flops=3", "budget has no 'flops'; it has macs, dsp, bram, lut, sram"},
        {"macs=", "budget macs: "},
        {"macs=many", "budget macs: "},
        {"macs=0", "budget macs: "},
        {"dsp=4G", "budget dsp: "},
        {"sram=99999999999999999999999999", "budget sram: "},
        {"macs=3,z7020", "budget 'z7020': expected KEY=NUMBER"},
        {"macs=3,", "budget '': expected KEY=NUMBER"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlVtaBudget budget = {.name = "before", .macs = 7};
        SlError err;
        assert_int_equal(sl_vta_budget_parse(cases[i].text, &budget, &err), SL_EINPUT);
        if (strncmp(err.text, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("'%s': %s", cases[i].text, err.text);
        assert_string_equal(budget.name, "before");
    }
    char text[300];
    SlVtaBudget budget;
    SlError err;
    memset(text, 'z', sizeof text);
    text[sizeof text - 1] = 0;
    assert_int_equal(sl_vta_budget_parse(text, &budget, &err), SL_EINPUT);
    assert_string_equal(err.text, "a budget has at most 199 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_core_needs_111_block_rams),
        cmocka_unit_test(other_cores_need_what_their_widths_say),
        cmocka_unit_test(multipliers_beyond_the_dsps_are_made_of_luts),
        cmocka_unit_test(the_fill_is_that_of_the_tightest_limit),
        cmocka_unit_test(budgets_are_chips_or_limits),
        cmocka_unit_test(wrong_budgets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
