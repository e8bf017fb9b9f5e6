// test_layer_text.c - a layer as one line: malformed ones explained, written ones read back.
#include "workload_help.h"

static void malformed_inline_layers_get_one_clear_sentence(void **state) {
    (void)state;
#define WHOLE "expected a whole number from 1 to 9007199254740991, got "
    static const BadText bad[] = {
        {"conv", 0, 0, "expected TYPE:KEY=VALUE,..., such as conv:K=64,C=64,P=56,Q=56,R=3,S=3"},
        {"", 0, 0, "expected TYPE:KEY=VALUE,..., such as conv:K=64,C=64,P=56,Q=56,R=3,S=3"},
        {"cnov:K=64", 0, 1, "unknown layer type 'cnov' (did you mean 'conv'?)"},
        {"pooling:K=64", 0, 1,
         "unknown layer type 'pooling', expected conv, dw, linear, gemm or bmm"},
        {"conv:", 0, 6, "expected KEY=VALUE, got ''"},
        {"conv:K=64,", 0, 11, "expected KEY=VALUE, got ''"},
        {"conv:K=64,C", 0, 11, "expected KEY=VALUE, got 'C'"},
        {"conv:K=64,strid=2", 0, 11, "unknown key 'strid' of conv (did you mean 'stride'?)"},
        {"conv:K=64,k=2", 0, 11, "unknown key 'k' of conv (did you mean 'K'?)"},
        {"conv:K=64,C=3,K=2", 0, 15, "K is given twice"},
        {"linear:K=64,whatever=2", 0, 13,
         "unknown key 'whatever' of linear, expected one of N, K, C, bytes, name"},
        {"bmm:batch=2", 0, 5,
         "unknown key 'batch' of bmm, expected one of B, M, N, K, bytes, name"},
        {"conv:K=", 0, 8, "K: " WHOLE "''"},
        {"conv:K=0", 0, 8, "K: " WHOLE "'0'"},
        {"conv:C=2,K=-4", 0, 12, "K: " WHOLE "'-4'"},
        {"conv:K=1.5", 0, 8, "K: " WHOLE "'1.5'"},
        {"conv:K=2x2", 0, 8, "K: " WHOLE "'2x2'"},
        {"conv:K=9007199254740992", 0, 8, "K: " WHOLE "'9007199254740992'"},
        {"conv:K=18446744073709551617", 0, 8, "K: " WHOLE "'18446744073709551617'"},
        {"conv:K=2,stride=0", 0, 17, "stride: expected a whole number from 1 to 1048576, got '0'"},
        {"conv:K=2,stride=2x", 0, 17, "stride: expected a whole number from 1 to 1048576, got ''"},
        {"conv:K=2,stride=2x2x2", 0, 17, "stride: expected 1 or 2 numbers, not 3"},
        {"conv:K=2,bytes=2x2", 0, 16, "bytes: expected 1 or 3 numbers, not 2"},
        {"conv:K=2,bytes=1x2x3x4", 0, 16, "bytes: too many numbers in '1x2x3x4'"},
        {"conv:K=2,bytes=65", 0, 16, "bytes: expected a whole number from 0 to 64, got '65'"},
        {"conv:K=2,name=a:b", 0, 15, "name 'a:b': a name must not contain ':', ',' or blanks"},
        {"conv:H=5,P=5", 0, 6,
         "P and H are both given; give the output size P or the input size H"},
        {"conv:Q=5,W=5", 0, 6,
         "Q and W are both given; give the output size Q or the input size W"},
        {"conv:H=2,R=3", 0, 6,
         "the filter does not fit into the input: H=2, pad=0, R=3, dilation=1"},
        {"conv:W=4,S=9007199254740991,dilation=1048576", 0, 6,
         "the filter does not fit into the input: W=4, pad=0, S=9007199254740991, "
         "dilation=1048576"},
        {"conv:K=4294967296,C=4294967296", 0, 6,
         "the layer has 2^53 MACs or more: conv K=4294967296 C=4294967296"},
        {"gemm:M=134217728,N=67108864,K=1", 0, 6,
         "the layer has 2^53 MACs or more: gemm M=134217728 N=67108864 K=1"},
        {"gemm:M=64,N=64", 0, 6, "expected K, a gemm needs it"},
        {"bmm:B=4,N=64,K=64", 0, 5, "expected M, a bmm needs it"},
        {"linear:K=10", 0, 8, "expected C, a linear needs it"},
        {"conv:K=2,name=a\xe2\x80\xae"
         "b",
         0, 15, "name 'a?b': a name must be UTF-8 without control characters"},
        {"conv:P=9007199254740991,stride=2", 0, 6,
         "the input has 2^53 rows or more: conv P=9007199254740991 stride=2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlLayer layer;
        SlError err;
        assert_int_equal(sl_layer_parse(bad[i].text, &layer, &err), SL_EINPUT);
        expect_error(&err, &bad[i]);
        assert_int_equal(sl_layer_parse(bad[i].text, &layer, NULL), SL_EINPUT);
    }
}

static void endless_text_is_refused(void **state) {
    (void)state;
    static char text[5000];
    SlLayer layer;
    SlError err;
    memset(text, '1', sizeof text - 1);
    memcpy(text, "conv:K=", 7);
    assert_int_equal(sl_layer_parse(text, &layer, &err), SL_EINPUT);
    assert_string_equal(err.text, "an inline layer has at most 1023 bytes, this one has 4999");
    text[500] = 0;
    assert_int_equal(sl_layer_parse(text, &layer, &err), SL_EINPUT);
    assert_string_equal(err.text, "K: no number has 493 bytes");
}

static void layers_are_shown_without_what_goes_without_saying(void **state) {
    (void)state;
    const char *const pairs[][2] = {
        {"conv:R=3,S=3,K=64,C=64,P=56,Q=56,stride=2,N=1",
         "conv K=64 C=64 P=56 Q=56 R=3 S=3 stride=2"},
        {"conv:K=64,H=8,W=9,stride=2x1,pad=1,dilation=1x2,bytes=1x1x4",
         "conv K=64 P=5 Q=11 stride=2x1 dilation=1x2 pad=1 bytes=1x1x4"},
        {"dw:G=96,P=56,Q=56,R=3,S=3", "dw G=96 P=56 Q=56 R=3 S=3"},
        {"linear:C=9216,K=4096", "linear K=4096 C=9216"},
        {"gemm:M=512,N=768,K=768", "gemm M=512 N=768 K=768"},
        {"bmm:B=12,M=1,N=64,K=197", "bmm B=12 M=1 N=64 K=197"},
        {"gemm:M=1,N=1,K=1", "gemm M=1 N=1 K=1"},
        {"conv:K=1", "conv N=1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        SlLayer layer = parse_layer(pairs[i][0]);
        char shown[256];
        assert_string_equal(sl_layer_show(&layer, sizeof shown, shown), pairs[i][1]);
    }
}

static void a_small_buffer_gets_the_beginning(void **state) {
    (void)state;
    SlLayer layer = parse_layer("conv:K=64,C=64");
    char out[10] = "zzzzzzzzz";
    assert_string_equal(sl_layer_show(&layer, 8, out), "conv K=");
    assert_int_equal(out[8], 'z');
    assert_string_equal(sl_layer_show(&layer, 1, out), "");
    assert_ptr_equal(sl_layer_show(&layer, 0, out), out);
}

// numbers a type has no key for: the conv form says them
static void what_a_type_cannot_say_is_written_as_conv(void **state) {
    (void)state;
    SlLayer layer = parse_layer("bmm:B=2,M=3,N=1,K=1");
    layer.dims[SL_N] = 4;
    char out[128];
    assert_string_equal(sl_layer_write(&layer, sizeof out, out), "conv:N=4,G=2,P=3");
    layer = parse_layer("linear:K=2,C=1");
    layer.stride[1] = 2;
    assert_string_equal(sl_layer_write(&layer, sizeof out, out), "conv:K=2,stride=1x2");
}

static const char *inline_name(const SlLayer *layer) {
    return sl_layer_type_names[layer->type];
}

// a layer of any type with random numbers that its type has keys for
static SlLayer random_layer(SlRng *rng) {
    // bit d of row t: type t has a key for dim d
    static const uint8_t own[SL_N_LAYER_TYPES] = {255, 243, 13, 29, 30};
    SlLayer layer;
    sl_layer_init(&layer);
    layer.type = (SlLayerType)sl_rng_below(rng, SL_N_LAYER_TYPES);
    int bits = 52; // of the product that are left
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (!(own[layer.type] & 1 << d) || sl_rng_below(rng, 4) == 0) continue;
        int some = (int)sl_rng_below(rng, (uint64_t)(bits < 20 ? bits : 20) + 1);
        layer.dims[d] = sl_rng_range(rng, 1, INT64_C(1) << some);
        bits -= some;
    }
    bool windowed = layer.type == SL_CONV || layer.type == SL_DEPTHWISE;
    for (int i = 0; i < 2 && windowed; i++) {
        layer.stride[i] = (int32_t)sl_rng_range(rng, 1, 3);
        layer.dilation[i] = (int32_t)sl_rng_range(rng, 1, 3);
        layer.pad[i] = (int32_t)sl_rng_range(rng, 0, 2);
    }
    for (int t = 0; t < SL_N_TENSORS; t++)
        layer.word_bytes[t] = (int32_t)sl_rng_range(rng, 0, 1) * (int32_t)sl_rng_range(rng, 0, 64);
    return layer;
}

static void written_layers_read_back_the_same(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "workload/written layers");
    for (int i = 0; i < 20000; i++) {
        SlLayer layer = random_layer(&rng);
        assert_null(sl_layer_check(&layer));
        char text[512], again[512];
        SlLayer back = parse_layer(sl_layer_write(&layer, sizeof text, text));
        assert_true(sl_layer_same(&layer, &back));
        assert_int_equal(layer.type, back.type);
        assert_string_equal(back.name, inline_name(&layer));
        assert_string_equal(sl_layer_write(&back, sizeof again, again), text);
        // under a wrong type the spelling changes, the numbers do not
        layer.type = (SlLayerType)sl_rng_below(&rng, SL_N_LAYER_TYPES);
        back = parse_layer(sl_layer_write(&layer, sizeof text, text));
        assert_true(sl_layer_same(&layer, &back));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_inline_layers_get_one_clear_sentence),
        cmocka_unit_test(endless_text_is_refused),
        cmocka_unit_test(layers_are_shown_without_what_goes_without_saying),
        cmocka_unit_test(a_small_buffer_gets_the_beginning),
        cmocka_unit_test(what_a_type_cannot_say_is_written_as_conv),
        cmocka_unit_test(written_layers_read_back_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
