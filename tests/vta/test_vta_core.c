// test_vta_core.c - configurations as text, their limits, and timings by name.
#include "vta_help.h"

static void the_default_core_is_upstreams(void **state) {
    (void)state;
    SlVtaCore core;
    char text[96];
    sl_vta_core_init(&core);
    assert_null(sl_vta_core_check(&core));
    assert_string_equal(sl_vta_core_write(&core, sizeof text, text), "1x16x16_i8w8a32_15_15_18_17");
    assert_int_equal(core.bus_bits, 64);
    assert_string_equal(core.timing.name, "tsim");
    assert_false(core.strict);
}

static void text_sets_the_numbers_it_names(void **state) {
    (void)state;
    const struct {
        const char *text, *written;
    } cases[] = {
        {"4x8x32", "4x8x32_i8w8a32_15_15_18_17"},
        {"1x16x16_i8w8a32_14_13_17_16", "1x16x16_i8w8a32_14_13_17_16"},
        {"1x16_i8w8a32_15_15_18_17", "1x16x16_i8w8a32_15_15_18_17"},
        {"pynq_4x8_i8w8a32_15_16_16_18", "4x8x8_i8w8a32_15_16_16_18"},
        {"de10nano_1x16x8_i8w8a32_15_15_18_17", "1x16x8_i8w8a32_15_15_18_17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlVtaCore core;
        SlError err;
        char text[96];
        sl_vta_core_init(&core);
        core.bus_bits = 256;
        assert_int_equal(sl_vta_core_parse(cases[i].text, &core, &err), SL_OK);
        assert_string_equal(sl_vta_core_write(&core, sizeof text, text), cases[i].written);
        assert_int_equal(core.bus_bits, 256);
    }
}

static void wrong_text_is_refused_with_what_was_expected(void **state) {
    (void)state;
    const char *shape = "expected BATCHxBLOCK_INxBLOCK_OUT, like 1x16x16";
    const char *tail = "expected _i8w8a32_UOP_INP_WGT_ACC (log2 of bytes) behind the shape";
    const struct {
        const char *text, *why;
    } cases[] = {
        {"", shape},
        {"16", shape},
        {"1x", shape},
        {"16x16", shape},
        {"pynq_1x16", shape},
        {"x16x16", shape},
        {"1x16x", shape},
        {"1x-16x16", shape},
        {"1x16x16384", shape},
        {"pynq", shape},
        {"_1x16", shape},
        {"py nq_1x16", shape},
        {"1x16x16x16", tail},
        {"1x16x16 ", tail},
        {"1x16_i8w8a32", tail},
        {"1x16_i8w8a32_15_15_18", tail},
        {"1x16_i8w8a32_15_15_18_17_9", tail},
        {"1x16_i4w8a32_15_15_18_17", tail},
        {"3x16x16", "batch and blocks are powers of two up to 256"},
        {"1x0x16", "batch and blocks are powers of two up to 256"},
        {"1x16x512", "batch and blocks are powers of two up to 256"},
        {"1x16_i8w8a32_15_15_27_17", "buffers have 2^4 to 2^26 bytes"},
        {"1x16_i8w8a32_3_15_18_17", "buffers have 2^4 to 2^26 bytes"},
        {"1x64_i8w8a32_15_5_18_17", "the INP buffer is smaller than an element"},
        {"1x64_i8w8a32_15_15_11_17", "the WGT buffer is smaller than an element"},
        {"1x64_i8w8a32_15_15_18_7", "the ACC buffer is smaller than an element"},
        {"1x16_i8w8a32_19_15_18_17", "the UOP buffer has more than 65536 micro-ops"},
        {"1x4_i8w8a32_15_19_18_17", "the INP buffer has more than 65536 elements"},
        {"1x1x1", "the WGT buffer has more than 65536 elements"},
        {"1x16x2_i8w8a32_15_15_18_20", "the ACC buffer has more than 65536 elements"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlVtaCore core, before;
        SlError err;
        sl_vta_core_init(&core);
        before = core;
        assert_int_equal(sl_vta_core_parse(cases[i].text, &core, &err), SL_EINPUT);
        if (!strstr(err.text, cases[i].why)) fail_msg("'%s': %s", cases[i].text, err.text);
        char start[128];
        snprintf(start, sizeof start, "core '%s': ", cases[i].text);
        assert_memory_equal(err.text, start, strlen(start));
        assert_int_equal(core.batch, before.batch);
        assert_int_equal(core.block_out, before.block_out);
        assert_int_equal(core.log_acc, before.log_acc);
    }
}

static void buses_and_times_have_limits(void **state) {
    (void)state;
    SlVtaCore core;
    const int buses[] = {0, 32, 96, 1024};
    for (int i = 0; i < 4; i++) {
        sl_vta_core_init(&core);
        core.bus_bits = buses[i];
        assert_string_equal(sl_vta_core_check(&core), "the bus has 64, 128, 256 or 512 bits");
    }
    sl_vta_core_init(&core);
    core.timing.uop_cycles = 0;
    assert_string_equal(sl_vta_core_check(&core), "a micro-op takes at least a cycle");
    sl_vta_core_init(&core);
    core.timing.row_cycles = -1;
    assert_string_equal(sl_vta_core_check(&core), "times are not negative");
}

static void timings_have_names(void **state) {
    (void)state;
    assert_non_null(sl_vta_timing("tsim"));
    assert_true(sl_vta_timing("tsim")->fetch);
    assert_non_null(sl_vta_timing("pynq"));
    assert_false(sl_vta_timing("pynq")->fetch);
    assert_true(sl_vta_timing("pynq")->call_us == 400);
    assert_null(sl_vta_timing("board"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_core_is_upstreams),
        cmocka_unit_test(text_sets_the_numbers_it_names),
        cmocka_unit_test(wrong_text_is_refused_with_what_was_expected),
        cmocka_unit_test(buses_and_times_have_limits),
        cmocka_unit_test(timings_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
