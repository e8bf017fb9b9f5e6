// test_network_csv.c - the table form of a network.
#include "workload_help.h"

#include <stdio.h>

static void rows_are_layers_and_empty_cells_are_defaults(void **state) {
    SlNetwork net;
    parse_network("nets/mine.csv",
                  "# my layers\n"
                  "name, type, N, G, K, C, H, W, R, S, stride, pad, M, B, bytes\n"
                  "stem, conv, , , 64, 3, 224, 224, 7, 7, 2, 3, , , 1x1x4\n"
                  "\n"
                  ", dw, , 32, , , 7, 9, 3, 3, 2x1, 1, , ,\n"
                  "scores, bmm, 197, , 64, , , , , , , , 197, 12,\n",
                  *state, &net);
    assert_string_equal(net.name, "mine");
    assert_int_equal(net.n_layers, 3);
    char shown[128];
    assert_string_equal(net.layers[0].name, "stem");
    assert_string_equal(sl_layer_show(&net.layers[0], sizeof shown, shown),
                        "conv K=64 C=3 P=112 Q=112 R=7 S=7 stride=2 pad=3 bytes=1x1x4");
    assert_string_equal(net.layers[1].name, "layer2");
    assert_string_equal(sl_layer_show(&net.layers[1], sizeof shown, shown),
                        "dw G=32 P=4 Q=9 R=3 S=3 stride=2x1 pad=1");
    assert_string_equal(sl_layer_show(&net.layers[2], sizeof shown, shown),
                        "bmm B=12 M=197 N=197 K=64");
}

static void a_table_equals_the_same_document(void **state) {
    SlNetwork table, document;
    parse_network("a.csv", "name,type,K,C\nx,linear,10,20\ny,conv,3,4", *state, &table);
    parse_network("a.yaml",
                  "[{name: x, type: linear, K: 10, C: 20}, {name: y, type: conv, K: 3, "
                  "C: 4}]",
                  *state, &document);
    assert_int_equal(table.n_layers, document.n_layers);
    assert_memory_equal(table.layers, document.layers, 2 * sizeof(SlLayer));
}

static void malformed_tables_get_one_clear_sentence_and_a_place(void **state) {
    static const BadText bad[] = {
        {"", 0, 0, "expected a header line"},
        {"# nothing\n", 0, 0, "expected a header line"},
        {"name,K\nx,3\n", 1, 1, "missing column 'type'"},
        {"name,type\n", 1, 0, "expected at least one layer"},
        {"type,K,strid\nconv,3,1\n", 1, 8, "unknown column 'strid' (did you mean 'stride'?)"},
        {"type,K,\nconv,3,\n", 1, 8, "unknown column ''"},
        {"type,K,K\nconv,3,3\n", 1, 0, "column 'K' appears twice"},
        {"type,K\nconv\n", 2, 0, "expected 2 cells as in the header, got 1"},
        {"# first\nname,type,K\na,conv,3\nb,,3\n", 4, 3, "missing type"},
        {"name,type\n\"a,b\",conf\n", 2, 7, "unknown layer type 'conf' (did you mean 'conv'?)"},
        {"K,type\n3,conf\n", 2, 3, "unknown layer type 'conf' (did you mean 'conv'?)"},
        {"K,type\n3,conv\n  0,conv\n", 3, 3,
         "K: expected a whole number from 1 to 9007199254740991, got '0'"},
        {"type,name,K\nconv,\"a\",-1\n", 2, 10,
         "K: expected a whole number from 1 to 9007199254740991, got '-1'"},
        {"type,M\nconv,3\n", 2, 6,
         "unknown key 'M' of conv, expected one of N, G, K, C, P, Q, R, S, H, W, stride, "
         "dilation, pad, bytes, name"},
        {"type,stride\nlinear,2\n", 2, 8,
         "unknown key 'stride' of linear, expected one of N, K, C, bytes, name"},
        {"type,name\nconv,\"a,b\"\n", 2, 6,
         "name 'a,b': a name must not contain ':', ',' or blanks"},
        {"type,name\nconv,a\nconv,a\n", 3, 1, "the name 'a' is taken by layer 1"},
        {"type,K,C\nconv,99999999,99999999\n", 2, 1,
         "the layer has 2^53 MACs or more: conv K=99999999 C=99999999"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlNetwork net;
        SlError err;
        size_t n = strlen(bad[i].text);
        assert_int_equal(sl_network_parse("x.csv", bad[i].text, n, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.file, "x.csv");
        expect_error(&err, &bad[i]);
    }
}

static void a_table_of_gamma_is_known_by_its_header(void **state) {
    SlNetwork net;
    char shown[128];
    parse_network("gamma.csv",
                  "\xEF\xBB\xBF# from GAMMA\n"
                  "K,C,Y,X,R,S,T\r\n"
                  "64,3,224,220,7,5,1\r\n"
                  "\n"
                  "1,32,112, 112,3,3,2\n"
                  "10,20,1,1,1,1,0\n"
                  "512,768,64,1,1,1,3",
                  *state, &net);
    static const char *const expected[][2] = {
        {"conv1", "conv K=64 C=3 P=218 Q=216 R=7 S=5"},
        {"dw2", "dw G=32 P=110 Q=110 R=3 S=3"},
        {"fc3", "linear K=10 C=20"},
        {"gemm4", "gemm M=512 N=768 K=64"},
    };
    assert_string_equal(net.name, "gamma");
    assert_int_equal(net.n_layers, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(net.layers[i].name, expected[i][0]);
        assert_string_equal(sl_layer_show(&net.layers[i], sizeof shown, shown), expected[i][1]);
    }
}

static void the_type_of_a_row_counts_whatever_gammas_header_says(void **state) {
    static const char *const headers[] = {"M,N,K,0,0,0,T", "O,I,0,0,0,0,T"};
    for (int i = 0; i < 2; i++) {
        SlText text;
        SlNetwork net;
        sl_text_init(&text, *state);
        sl_text_add(&text, "%s\n5,6,7,1,1,1,3\n5,6,1,1,1,1,0\n", headers[i]);
        parse_network("gamma.csv", text.data, *state, &net);
        assert_int_equal(net.n_layers, 2);
        assert_int_equal(net.layers[0].dims[SL_P], 5);
        assert_int_equal(net.layers[0].dims[SL_K], 6);
        assert_int_equal(net.layers[0].dims[SL_C], 7);
        assert_int_equal(net.layers[1].dims[SL_K], 5);
        assert_int_equal(net.layers[1].dims[SL_C], 6);
    }
}

static void malformed_tables_of_gamma_get_one_clear_sentence_and_a_place(void **state) {
#define H "K,C,Y,X,R,S,T\n"
    static const BadText bad[] = {
        {H, 2, 0, "expected at least one layer"},
        {H "1,2,3,4,1,1\n", 2, 1, "expected 7 numbers, got 6"},
        {H "1,2,3,4,1,1,1,1\n", 2, 1, "expected 7 numbers, got 8"},
        {H "32,32,16,16.1,1,1\n", 2, 10, "expected a number from 1 to 2147483647, got '16.1'"},
        {H "32,0,16,16,1,1,1\n", 2, 4, "expected a number from 1 to 2147483647, got '0'"},
        {H "32,1,16,16,1,1,4\n", 2, 16,
         "expected a type T (0 FC, 1 CONV, 2 DSCONV, 3 GEMM), got '4'"},
        {H "1,1,1,1,1,1,1\n  32,1,2,16,3,1,1\n", 3, 3, "Y is smaller than R"},
        {"K,C,Y,X,R,S,T,name\n1,1,1,1,1,1,1,a\n", 1, 5, "unknown column 'Y'"},
        {"K,C,Y,X,R,S\nT\n", 1, 5, "unknown column 'Y'"},
    };
#undef H
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlNetwork net;
        SlError err;
        size_t n = strlen(bad[i].text);
        assert_int_equal(sl_network_parse("x.csv", bad[i].text, n, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.file, "x.csv");
        expect_error(&err, &bad[i]);
    }
}

static void a_table_may_have_4096_rows_and_not_one_more(void **state) {
    SlText text;
    sl_text_init(&text, *state);
    sl_text_add(&text, "type\n");
    for (int i = 0; i < 4096; i++) sl_text_add(&text, "conv\n");
    SlNetwork net;
    SlError err;
    parse_network("x.csv", text.data, *state, &net);
    assert_int_equal(net.n_layers, 4096);
    sl_text_add(&text, "conv\n");
    assert_int_equal(sl_network_parse("x.csv", text.data, text.n, *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.text, "a network has at most 4096 layers");
    assert_int_equal(err.line, 4098);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(rows_are_layers_and_empty_cells_are_defaults),
        TEST_WITH_ARENA(a_table_equals_the_same_document),
        TEST_WITH_ARENA(malformed_tables_get_one_clear_sentence_and_a_place),
        TEST_WITH_ARENA(a_table_of_gamma_is_known_by_its_header),
        TEST_WITH_ARENA(the_type_of_a_row_counts_whatever_gammas_header_says),
        TEST_WITH_ARENA(malformed_tables_of_gamma_get_one_clear_sentence_and_a_place),
        TEST_WITH_ARENA(a_table_may_have_4096_rows_and_not_one_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
