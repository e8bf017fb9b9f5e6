// test_network_yaml.c - the YAML form of a network: what it may say, and what it may not.
#include "workload_help.h"

#include <stdio.h>

static void a_whole_document_is_read(void **state) {
    SlNetwork net;
    parse_network("some.yaml",
                  "network: two\n"
                  "title: Two layers, for a test\n"
                  "source: nowhere\n"
                  "published: {macs: 118_013_952, params: 9408, other_params: 64}\n"
                  "layers:\n"
                  "  - {name: conv1, type: conv, K: 64, C: 3, H: 224, W: 224, R: 7, S: 7, stride: "
                  "2, pad: 3}\n"
                  "  - {type: linear, K: 1e3, C: 512}\n",
                  *state, &net);
    assert_string_equal(net.name, "two");
    assert_string_equal(net.title, "Two layers, for a test");
    assert_string_equal(net.source, "nowhere");
    assert_int_equal(net.published_macs, 118013952);
    assert_int_equal(net.published_params, 9408);
    assert_int_equal(net.other_params, 64);
    assert_int_equal(net.n_layers, 2);
    assert_string_equal(net.layers[0].name, "conv1");
    assert_int_equal(sl_layer_macs(&net.layers[0]), 118013952);
    assert_string_equal(net.layers[1].name, "layer2");
    assert_int_equal(net.layers[1].dims[SL_K], 1000);
}

static void a_list_and_a_single_layer_are_networks_too(void **state) {
    SlNetwork net;
    parse_network("list.yaml", "- {type: conv}\n- {type: dw, G: 3}\n", *state, &net);
    assert_int_equal(net.n_layers, 2);
    assert_string_equal(net.name, "list");
    assert_string_equal(net.layers[1].name, "layer2");
    parse_network("one.yaml", "type: gemm\nM: 5\nN: 1\nK: 2\n", *state, &net);
    assert_int_equal(net.n_layers, 1);
    assert_string_equal(net.name, "one");
    assert_string_equal(net.layers[0].name, "layer1");
    parse_network("one.json", "{\"name\": \"g\", \"type\": \"linear\", \"K\": 5, \"C\": 2}", *state,
                  &net);
    assert_string_equal(net.layers[0].name, "g");
}

static void pairs_come_as_a_number_a_cross_or_a_list(void **state) {
    SlNetwork net;
    parse_network("x.yaml",
                  "- {type: conv, stride: 2, dilation: 3x1, pad: [0, 4], bytes: [1, 1, 4]}\n"
                  "- {type: conv, stride: [3], bytes: 2}\n",
                  *state, &net);
    const SlLayer *layer = net.layers;
    assert_true(layer->stride[0] == 2 && layer->stride[1] == 2);
    assert_true(layer->dilation[0] == 3 && layer->dilation[1] == 1);
    assert_true(layer->pad[0] == 0 && layer->pad[1] == 4);
    assert_true(layer->word_bytes[SL_W] == 1 && layer->word_bytes[SL_O] == 4);
    assert_true(layer[1].stride[0] == 3 && layer[1].stride[1] == 3);
    assert_int_equal(layer[1].word_bytes[SL_I], 2);
}

static void blocks_repeat_with_numbered_prefixes(void **state) {
    SlNetwork net;
    parse_network("x.yaml",
                  "- {name: stem, type: conv}\n"
                  "- repeat: 2\n"
                  "  prefix: stage\n"
                  "  layers:\n"
                  "    - {name: a, type: conv}\n"
                  "    - repeat: 2\n"
                  "      layers: [{name: b, type: conv}, {type: conv}]\n",
                  *state, &net);
    const char *const names[] = {
        "stem",   "stage1_a", "stage1_block1_b", "layer4", "stage1_block2_b",
        "layer6", "stage2_a", "stage2_block1_b", "layer9", "stage2_block2_b",
        "layer11"};
    assert_int_equal(net.n_layers, 11);
    for (int i = 0; i < 11; i++) assert_string_equal(net.layers[i].name, names[i]);
}

static void a_network_may_have_4096_layers_and_not_one_more(void **state) {
    SlNetwork net;
    SlError err;
    parse_network("x.yaml", "- {repeat: 64, layers: [{repeat: 64, layers: [{type: conv}]}]}",
                  *state, &net);
    assert_int_equal(net.n_layers, 4096);
    const char *const more[] = {
        "- {repeat: 4096, layers: [{type: conv}]}\n- {type: dw}",
        "- {type: dw}\n- {repeat: 4096, layers: [{repeat: 4096, layers: [{type: conv}]}]}",
    };
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(more[i]);
        assert_int_equal(sl_network_parse("x.yaml", more[i], n, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.text, "a network has at most 4096 layers");
        assert_int_equal(err.line, 2);
    }
}

static void malformed_documents_get_one_clear_sentence_and_a_place(void **state) {
    static const BadText bad[] = {
        {"", 1, 1, "expected a document, the file is empty"},
        {"resnet", 1, 1, "expected a network, a list of layers or a layer"},
        {"network: x\n", 1, 1, "missing key 'layers'"},
        {"layers: 3\n", 1, 9, "layers: expected a list, got '3'"},
        {"layers: []\n", 1, 9, "layers: expected at least one layer"},
        {"[]\n", 1, 1, "layers: expected at least one layer"},
        {"layer:\n  - {type: conv}\n", 1, 1, "unknown key 'layer' (did you mean 'layers'?)"},
        {"network: a b\nlayers: [{type: conv}]\n", 1, 10,
         "network 'a b': a name must not contain ':', ',' or blanks"},
        {"published: {mac: 3}\nlayers: [{type: conv}]\n", 1, 13,
         "unknown key 'mac' (did you mean 'macs'?)"},
        {"published: {macs: -3}\nlayers: [{type: conv}]\n", 1, 19,
         "macs: expected a whole number from 0 to 9007199254740991, got '-3'"},
        {"- conv\n", 1, 3, "a layer: expected a map, got 'conv'"},
        {"- {K: 3}\n", 1, 3, "missing key 'type'"},
        {"- {type: [conv]}\n", 1, 10, "type: expected a single value, got a list"},
        {"- {K: 3,\n   type: cnv}\n", 2, 10, "unknown layer type 'cnv' (did you mean 'conv'?)"},
        {"- {type: conv}\n- {type: conv, dilatoin: 3}\n", 2, 16,
         "unknown key 'dilatoin' of conv (did you mean 'dilation'?)"},
        {"- {type: conv, K: 0}\n", 1, 19,
         "K: expected a whole number from 1 to 9007199254740991, got '0'"},
        {"- {type: conv, K: 99999999999999999999}\n", 1, 19,
         "K: expected a whole number from 1 to 9007199254740991, got '99999999999999999999'"},
        {"- {type: conv, K: [1, 2]}\n", 1, 19, "K: expected a single value, got a list"},
        {"- {type: conv, stride: [1, 2, 3]}\n", 1, 24, "stride: expected 1 or 2 numbers, not 3"},
        {"- {type: conv, stride: [1, 2, 3, 4]}\n", 1, 24, "stride: too many numbers"},
        {"- {type: conv, stride: []}\n", 1, 24, "stride: expected 1 or 2 numbers, not 0"},
        {"- {type: conv, stride: {a: 1}}\n", 1, 24, "stride: expected a single value, got a map"},
        {"- {type: conv, stride: 2x0}\n", 1, 24,
         "stride: expected a whole number from 1 to 1048576, got '0'"},
        {"- {type: conv, pad: [0, -1]}\n", 1, 25,
         "expected a whole number from 0 to 1048576, got '-1'"},
        {"- {type: conv, name: 'a b'}\n", 1, 22,
         "name 'a b': a name must not contain ':', ',' or blanks"},
        {"- {type: conv, name: ''}\n", 1, 22, "name '': a name must not be empty"},
        {"- {type: conv, name: a}\n- {type: conv, name: a}\n", 2, 22,
         "the name 'a' is taken by layer 1"},
        {"- {type: conv, name: layer2}\n- {type: conv}\n", 2, 3,
         "the name 'layer2' is taken by layer 1"},
        {"- {type: conv, H: 2, R: 5}\n", 1, 3,
         "the filter does not fit into the input: H=2, pad=0, R=5, dilation=1"},
        {"- {type: conv, H: 2, P: 5}\n", 1, 3,
         "P and H are both given; give the output size P or the input size H"},
        {"- {type: bmm, B: 1e9, M: 1e9, N: 1, K: 1}\n", 1, 3,
         "the layer has 2^53 MACs or more: bmm B=1000000000 M=1000000000 N=1 K=1"},
        {"- {type: gemm, M: 64, N: 64}\n", 1, 3, "expected K, a gemm needs it"},
        {"- {repeat: 2}\n", 1, 3, "missing key 'layers'"},
        {"- {layers: [{type: conv}]}\n", 1, 3, "missing key 'repeat'"},
        {"- {repeat: 0, layers: [{type: conv}]}\n", 1, 12,
         "repeat: expected a whole number from 1 to 4096, got '0'"},
        {"- {repeat: 2, layers: []}\n", 1, 23, "layers: expected at least one layer"},
        {"- {repeat: 2, prefx: a, layers: [{type: conv}]}\n", 1, 15,
         "unknown key 'prefx' (did you mean 'prefix'?)"},
        {"- {repeat: 2, prefix: 'a b', layers: [{type: conv}]}\n", 1, 23,
         "prefix 'a b': a name must not contain ':', ',' or blanks"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlNetwork net;
        SlError err;
        size_t n = strlen(bad[i].text);
        assert_int_equal(sl_network_parse("x.yaml", bad[i].text, n, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.file, "x.yaml");
        expect_error(&err, &bad[i]);
        assert_int_equal(sl_network_parse("x.yaml", bad[i].text, n, *state, &net, NULL), SL_EINPUT);
    }
}

static void names_longer_than_63_bytes_are_refused_with_their_prefix(void **state) {
    char text[512];
    SlNetwork net;
    SlError err;
    // 63 bytes fit: block1_ and 56 more
    for (int n = 56; n <= 57; n++) {
        snprintf(text, sizeof text, "- {repeat: 1, layers: [{type: conv, name: %0*d}]}", n, 0);
        SlStatus status = sl_network_parse("x.yaml", text, strlen(text), *state, &net, &err);
        assert_int_equal(status, n == 56 ? SL_OK : SL_EINPUT);
    }
    assert_non_null(strstr(err.text, "a name has at most 63 bytes"));
    snprintf(text, sizeof text, "- {repeat: 1, prefix: %062d, layers: [{type: conv}]}", 0);
    assert_int_equal(sl_network_parse("x.yaml", text, strlen(text), *state, &net, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "leaves no space for names"));
    snprintf(text, sizeof text, "title: %0200d\nlayers: [{type: conv}]\n", 0);
    assert_int_equal(sl_network_parse("x.yaml", text, strlen(text), *state, &net, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "title: expected text of at most 127 bytes"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(a_whole_document_is_read),
        TEST_WITH_ARENA(a_list_and_a_single_layer_are_networks_too),
        TEST_WITH_ARENA(pairs_come_as_a_number_a_cross_or_a_list),
        TEST_WITH_ARENA(blocks_repeat_with_numbered_prefixes),
        TEST_WITH_ARENA(a_network_may_have_4096_layers_and_not_one_more),
        TEST_WITH_ARENA(malformed_documents_get_one_clear_sentence_and_a_place),
        TEST_WITH_ARENA(names_longer_than_63_bytes_are_refused_with_their_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
