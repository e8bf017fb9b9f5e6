// test_layer_keys.c - the key table: what each type can say, and a layer built key by key.
#include "workload_help.h"

#include <stdio.h>

#include "workload/layer_keys.h"

static void conv_and_dw_keys_fill_their_own_dims(void **state) {
    (void)state;
    SlLayer layer = parse_layer("conv:N=2,G=3,K=4,C=5,P=6,Q=7,R=8,S=9");
    for (int d = 0; d < SL_N_DIMS; d++) assert_int_equal(layer.dims[d], d + 2);
    layer = parse_layer("dw:G=96,P=56,Q=55,R=3,S=5");
    const int64_t dw[SL_N_DIMS] = {1, 96, 1, 1, 56, 55, 3, 5};
    assert_memory_equal(layer.dims, dw, sizeof dw);
    assert_int_equal(layer.type, SL_DEPTHWISE);
}

static void matrix_keys_have_their_own_letters(void **state) {
    (void)state;
    // (M, K) times (K, N): rows are P, columns K, depth C
    SlLayer layer = parse_layer("gemm:M=512,N=768,K=3072,batch=4");
    const int64_t gemm[SL_N_DIMS] = {4, 1, 768, 3072, 512, 1, 1, 1};
    assert_memory_equal(layer.dims, gemm, sizeof gemm);
    layer = parse_layer("bmm:B=12,M=197,N=64,K=198");
    const int64_t bmm[SL_N_DIMS] = {1, 12, 64, 198, 197, 1, 1, 1};
    assert_memory_equal(layer.dims, bmm, sizeof bmm);
    layer = parse_layer("linear:K=4096,C=9216,N=8");
    const int64_t linear[SL_N_DIMS] = {8, 1, 4096, 9216, 1, 1, 1, 1};
    assert_memory_equal(layer.dims, linear, sizeof linear);
}

static void one_number_stands_for_all_parts(void **state) {
    (void)state;
    SlLayer layer = parse_layer("conv:K=2,stride=2,dilation=3x1,pad=0x4,bytes=1x2x4");
    assert_int_equal(layer.stride[0], 2);
    assert_int_equal(layer.stride[1], 2);
    assert_int_equal(layer.dilation[0], 3);
    assert_int_equal(layer.dilation[1], 1);
    assert_int_equal(layer.pad[0], 0);
    assert_int_equal(layer.pad[1], 4);
    assert_int_equal(layer.word_bytes[SL_W], 1);
    assert_int_equal(layer.word_bytes[SL_I], 2);
    assert_int_equal(layer.word_bytes[SL_O], 4);
    layer = parse_layer("gemm:M=2,N=1,K=1,bytes=2");
    for (int t = 0; t < SL_N_TENSORS; t++) assert_int_equal(layer.word_bytes[t], 2);
}

// outputs counted one by one: windows that lie inside the padded input
static int64_t brute_outputs(int input, int taps, int stride, int dilation, int pad) {
    int64_t n = 0;
    for (int at = -pad; at + (taps - 1) * dilation < input + pad; at += stride) n++;
    return n;
}

static void input_sizes_derive_the_outputs_that_fit(void **state) {
    (void)state;
    for (int input = 1; input <= 9; input++) {
        for (int code = 0; code < 5 * 4 * 3 * 4; code++) {
            int taps = code % 5 + 1, stride = code / 5 % 4 + 1, dilation = code / 20 % 3 + 1;
            int pad = code / 60;
            int64_t expected = brute_outputs(input, taps, stride, dilation, pad);
            char text[128];
            snprintf(text, sizeof text, "conv:H=%d,W=30,R=%d,stride=%dx1,dilation=%dx1,pad=%dx0",
                     input, taps, stride, dilation, pad);
            SlLayer layer;
            SlError err;
            SlStatus status = sl_layer_parse(text, &layer, &err);
            assert_int_equal(status, expected >= 1 ? SL_OK : SL_EINPUT);
            if (status == SL_OK) assert_int_equal(layer.dims[SL_P], expected);
            if (status == SL_OK) assert_int_equal(layer.dims[SL_Q], 30);
        }
    }
}

static void published_layers_derive_their_outputs(void **state) {
    (void)state;
    // resnet conv1, alexnet conv1, resnet projection
    SlLayer layer = parse_layer("conv:K=64,C=3,H=224,W=224,R=7,S=7,stride=2,pad=3");
    assert_int_equal(layer.dims[SL_P], 112);
    layer = parse_layer("conv:K=64,C=3,H=224,W=224,R=11,S=11,stride=4,pad=2");
    assert_int_equal(layer.dims[SL_Q], 55);
    layer = parse_layer("conv:K=128,C=64,H=56,W=56,stride=2");
    assert_int_equal(layer.dims[SL_P], 28);
}

static void names_must_be_fit_for_selectors(void **state) {
    (void)state;
    char name[65] = "";
    memset(name, 'a', 63);
    assert_null(sl_name_check(name));
    name[63] = 'a';
    assert_string_equal(sl_name_check(name), "a name has at most 63 bytes");
    assert_string_equal(sl_name_check(""), "a name must not be empty");
    const char *const bad[] = {"a:b", "a,b", "a b", "a\tb", "a\x7f"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(sl_name_check(bad[i]), "a name must not contain ':', ',' or blanks");
    assert_null(sl_name_check("block1_mlp/up-2.b=\xc3\xa9"));
}

static void every_type_takes_width_and_name(void **state) {
    (void)state;
    for (int t = 0; t < SL_N_LAYER_TYPES; t++) {
        SlLayerDraft draft;
        const SlLayerKey *key = NULL;
        assert_int_equal(sl_draft_init(&draft, sl_layer_type_names[t], NULL), SL_OK);
        assert_int_equal(sl_draft_key(&draft, "bytes", &key, NULL), SL_OK);
        assert_int_equal(sl_draft_put_text(&draft, key, "1x1x4", NULL), SL_OK);
        assert_int_equal(sl_draft_key(&draft, "name", &key, NULL), SL_OK);
        assert_int_equal(sl_draft_put_text(&draft, key, "here", NULL), SL_OK);
        for (const SlLayerKey *row = sl_layer_keys; row->name; row++)
            if (row->needed & 1u << t)
                assert_int_equal(sl_draft_put_text(&draft, row, "1", NULL), SL_OK);
        SlLayer layer;
        assert_int_equal(sl_draft_finish(&draft, &layer, NULL), SL_OK);
        assert_string_equal(layer.name, "here");
        assert_int_equal(layer.word_bytes[SL_O], 4);
        assert_int_equal(layer.type, t);
    }
}

static void a_place_can_be_added_to_an_error(void **state) {
    (void)state;
    SlError err;
    SlStatus status = sl_fail(&err, SL_EINPUT, "nothing works");
    assert_int_equal(sl_error_place(&err, status, "a.yaml", 3, 4), SL_EINPUT);
    char text[64];
    assert_string_equal(sl_error_text(&err, sizeof text, text), "a.yaml:3:4: nothing works");
    assert_int_equal(sl_error_place(NULL, SL_ENOMEM, "a.yaml", 3, 4), SL_ENOMEM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv_and_dw_keys_fill_their_own_dims),
        cmocka_unit_test(matrix_keys_have_their_own_letters),
        cmocka_unit_test(one_number_stands_for_all_parts),
        cmocka_unit_test(input_sizes_derive_the_outputs_that_fit),
        cmocka_unit_test(published_layers_derive_their_outputs),
        cmocka_unit_test(names_must_be_fit_for_selectors),
        cmocka_unit_test(every_type_takes_width_and_name),
        cmocka_unit_test(a_place_can_be_added_to_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
