// test_layer.c - the numbers of a layer: limits, sizes, identity.
#include "workload_help.h"

static SlLayer one_mac(void) {
    SlLayer layer;
    sl_layer_init(&layer);
    return layer;
}

static void a_new_layer_is_a_conv_of_one_mac(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    assert_null(sl_layer_check(&layer));
    assert_int_equal(layer.type, SL_CONV);
    assert_int_equal(sl_layer_macs(&layer), 1);
    for (int t = 0; t < SL_N_TENSORS; t++) assert_int_equal(sl_layer_words(&layer, t), 1);
}

static void tables_of_names_end_with_null(void **state) {
    (void)state;
    assert_string_equal(sl_dim_names[SL_S], "S");
    assert_string_equal(sl_tensor_names[SL_O], "O");
    assert_string_equal(sl_layer_type_names[SL_BMM], "bmm");
    assert_null(sl_dim_names[SL_N_DIMS]);
    assert_null(sl_tensor_names[SL_N_TENSORS]);
    assert_null(sl_layer_type_names[SL_N_LAYER_TYPES]);
}

static void tensors_have_the_dims_of_their_elements(void **state) {
    (void)state;
    const char *const dims[SL_N_TENSORS] = {"GKCRS", "NGCPQRS", "NGKPQ"};
    for (int t = 0; t < SL_N_TENSORS; t++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            bool indexed = strchr(dims[t], sl_dim_names[d][0]) != NULL;
            assert_int_equal(sl_tensor_dims[t] >> d & 1, indexed);
        }
    }
}

// every coordinate p*stride + r*dilation, marked one by one
static int64_t brute_window(int a, int b, int stride, int dilation) {
    bool touched[512] = {false};
    int64_t n = 0;
    for (int p = 0; p < a; p++) {
        for (int r = 0; r < b; r++) {
            bool *at = &touched[p * stride + r * dilation];
            n += !*at;
            *at = true;
        }
    }
    return n;
}

static void the_window_size_equals_brute_force(void **state) {
    (void)state;
    for (int a = 1; a <= 12; a++) {
        for (int b = 1; b <= 9; b++) {
            for (int stride = 1; stride <= 8; stride++) {
                for (int dilation = 1; dilation <= 8; dilation++) {
                    int64_t size = sl_window_size(a, b, stride, dilation);
                    assert_int_equal(size, brute_window(a, b, stride, dilation));
                }
            }
        }
    }
}

static void the_input_counts_touched_coordinates_without_padding(void **state) {
    (void)state;
    // 3x3 over 4x4 outputs: 6x6; with stride 4 the windows do not touch: (4*3)^2
    SlLayer layer = parse_layer("conv:N=2,K=5,C=7,P=4,Q=4,R=3,S=3,pad=1");
    assert_int_equal(sl_layer_words(&layer, SL_I), 2 * 7 * 6 * 6);
    layer = parse_layer("conv:C=1,P=4,Q=4,R=3,S=3,stride=4");
    assert_int_equal(sl_layer_words(&layer, SL_I), 144);
    // a 1x1 filter with stride 2 touches every second coordinate
    layer = parse_layer("conv:C=3,P=28,Q=28,stride=2");
    assert_int_equal(sl_layer_words(&layer, SL_I), 3 * 28 * 28);
}

static void words_are_products_of_the_indexing_dims(void **state) {
    (void)state;
    SlLayer layer = parse_layer("conv:N=2,G=3,K=5,C=7,P=11,Q=13,R=1,S=1");
    assert_int_equal(sl_layer_words(&layer, SL_W), 3 * 5 * 7);
    assert_int_equal(sl_layer_words(&layer, SL_I), 2 * 3 * 7 * 11 * 13);
    assert_int_equal(sl_layer_words(&layer, SL_O), 2 * 3 * 5 * 11 * 13);
    assert_int_equal(sl_layer_macs(&layer), 2 * 3 * 5 * 7 * 11 * 13);
}

static void dims_below_one_are_named(void **state) {
    (void)state;
    for (int d = 0; d < SL_N_DIMS; d++) {
        SlLayer layer = one_mac();
        const int64_t wrong[] = {0, -1, INT64_MIN};
        for (int i = 0; i < 3; i++) {
            layer.dims[d] = wrong[i];
            const char *reason = sl_layer_check(&layer);
            assert_non_null(reason);
            assert_int_equal(reason[0], sl_dim_names[d][0]);
            assert_string_equal(reason + 1, " is below 1");
        }
    }
}

static void macs_stay_below_two_to_the_53(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    layer.dims[SL_K] = INT64_C(1) << 26;
    layer.dims[SL_C] = (INT64_C(1) << 27) - 1;
    assert_null(sl_layer_check(&layer));
    assert_int_equal(sl_layer_macs(&layer), (INT64_C(1) << 53) - (INT64_C(1) << 26));
    layer.dims[SL_C]++;
    assert_string_equal(sl_layer_check(&layer), "the layer has 2^53 MACs or more");
}

static void products_beyond_64_bits_do_not_wrap_around(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    // 2^32 * 2^32 = 2^64 would wrap to 0, one more dim to something small
    layer.dims[SL_K] = layer.dims[SL_C] = INT64_C(1) << 32;
    assert_string_equal(sl_layer_check(&layer), "the layer has 2^53 MACs or more");
    for (int d = 0; d < SL_N_DIMS; d++) layer.dims[d] = INT64_MAX;
    assert_string_equal(sl_layer_check(&layer), "the layer has 2^53 MACs or more");
}

static void strides_dilations_and_padding_have_limits(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    layer.stride[0] = layer.dilation[1] = layer.pad[0] = 1048576;
    assert_null(sl_layer_check(&layer));
    layer.stride[1] = 1048577;
    assert_string_equal(sl_layer_check(&layer), "stride is not in 1..1048576");
    layer.stride[1] = 0;
    assert_string_equal(sl_layer_check(&layer), "stride is not in 1..1048576");
    layer = one_mac();
    layer.dilation[0] = -3;
    assert_string_equal(sl_layer_check(&layer), "dilation is not in 1..1048576");
    layer = one_mac();
    layer.pad[1] = -1;
    assert_string_equal(sl_layer_check(&layer), "pad is not in 0..1048576");
}

static void input_coordinates_stay_below_two_to_the_53(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    layer.stride[0] = 1 << 20;
    layer.dims[SL_P] = INT64_C(1) << 33;
    assert_null(sl_layer_check(&layer));
    layer.dims[SL_P]++;
    assert_string_equal(sl_layer_check(&layer), "the input has 2^53 rows or more");
    // outputs and taps reach 2^53 together only
    layer.dims[SL_P]--;
    layer.dilation[0] = (1 << 20) - 1;
    layer.dims[SL_R] = 2;
    assert_null(sl_layer_check(&layer));
    layer.dilation[0]++;
    assert_string_equal(sl_layer_check(&layer), "the input has 2^53 rows or more");
    layer = one_mac();
    layer.dilation[1] = 1 << 20;
    layer.dims[SL_S] = INT64_C(1) << 50;
    assert_string_equal(sl_layer_check(&layer), "the input has 2^53 columns or more");
}

static void word_widths_and_types_are_checked(void **state) {
    (void)state;
    SlLayer layer = one_mac();
    layer.word_bytes[SL_O] = 64;
    assert_null(sl_layer_check(&layer));
    layer.word_bytes[SL_O] = 65;
    assert_string_equal(sl_layer_check(&layer), "bytes per word are not in 0..64");
    layer.word_bytes[SL_O] = -1;
    assert_string_equal(sl_layer_check(&layer), "bytes per word are not in 0..64");
    layer = one_mac();
    layer.type = SL_N_LAYER_TYPES;
    assert_string_equal(sl_layer_check(&layer), "type is none of conv, dw, linear, gemm, bmm");
}

static void every_number_but_no_name_and_no_type_is_identity(void **state) {
    (void)state;
    SlLayer a = parse_layer("linear:K=10,C=20"), b = parse_layer("conv:K=10,C=20,name=other");
    assert_true(sl_layer_same(&a, &b));
    const char *const others[] = {"conv:K=10,C=21",       "conv:K=10,C=20,stride=2",
                                  "conv:K=10,C=20,pad=1", "conv:K=10,C=20,dilation=1x2",
                                  "conv:K=20,C=10",       "conv:K=10,C=20,bytes=1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        SlLayer other = parse_layer(others[i]);
        assert_false(sl_layer_same(&a, &other));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_layer_is_a_conv_of_one_mac),
        cmocka_unit_test(tables_of_names_end_with_null),
        cmocka_unit_test(tensors_have_the_dims_of_their_elements),
        cmocka_unit_test(the_window_size_equals_brute_force),
        cmocka_unit_test(the_input_counts_touched_coordinates_without_padding),
        cmocka_unit_test(words_are_products_of_the_indexing_dims),
        cmocka_unit_test(dims_below_one_are_named),
        cmocka_unit_test(macs_stay_below_two_to_the_53),
        cmocka_unit_test(products_beyond_64_bits_do_not_wrap_around),
        cmocka_unit_test(strides_dilations_and_padding_have_limits),
        cmocka_unit_test(input_coordinates_stay_below_two_to_the_53),
        cmocka_unit_test(word_widths_and_types_are_checked),
        cmocka_unit_test(every_number_but_no_name_and_no_type_is_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
