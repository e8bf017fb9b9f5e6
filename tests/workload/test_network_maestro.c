// test_network_maestro.c - the layers of MAESTRO's .m files as a network.
#include "workload_help.h"

#include <stdio.h>
#include <unistd.h>

static const char model[] = "Network mine {\n"
                            "Layer a { Type: CONV Stride { X: 2, Y: 2 } Dimensions { K 8, C 4, R "
                            "3, S 3, Y 9, X 9 } }\n"
                            "Layer a { Type: DSCONV Dimensions { C 4, R 3, S 3, Y 9, X 9 } "
                            "Dataflow { SpatialMap(1,1) C } }\n"
                            "Layer a_2 { Type: GEMM Dimensions { M 3, N 4, K 5 } }\n"
                            "Layer a { Type: GEMM Dimensions { M 3, N 4, K 5 } }\n"
                            "}\n";

static void layers_come_with_or_without_dataflow_under_names_of_their_own(void **state) {
    static const char *const expected[][2] = {
        {"a", "conv K=8 C=4 P=4 Q=4 R=3 S=3 stride=2"},
        {"a_2", "dw G=4 P=7 Q=7 R=3 S=3"},
        {"a_2_2", "gemm M=3 N=4 K=5"},
        {"a_3", "gemm M=3 N=4 K=5"},
    };
    SlNetwork net;
    char shown[128];
    parse_network("dir/other.m", model, *state, &net);
    assert_string_equal(net.name, "mine");
    assert_int_equal(net.n_layers, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(net.layers[i].name, expected[i][0]);
        assert_string_equal(sl_layer_show(&net.layers[i], sizeof shown, shown), expected[i][1]);
        assert_null(sl_layer_check(&net.layers[i]));
    }
}

static void long_names_of_copies_are_cut_between_characters(void **state) {
    // characters of two bytes around the cut at 58
    const char *name = "0123456789012345678901234567890123456789012345678901234567"
                       "\xc3\xa9\xc3\xa9";
    SlText text;
    SlNetwork net;
    sl_text_init(&text, *state);
    sl_text_add(&text, "Network n {\n");
    for (int i = 0; i < 2; i++)
        sl_text_add(&text, "Layer %s { Type: GEMM Dimensions { M 3, N 4, K 5 } }\n", name + i);
    for (int i = 0; i < 2; i++)
        sl_text_add(&text, "Layer %s { Type: GEMM Dimensions { M 3, N 4, K 5 } }\n", name + i);
    sl_text_add(&text, "}\n");
    parse_network("x.m", text.data, *state, &net);
    assert_string_equal(net.layers[2].name,
                        "0123456789012345678901234567890123456789012345678901234567_2");
    assert_string_equal(net.layers[3].name,
                        "123456789012345678901234567890123456789012345678901234567_2");
}

static void what_is_no_layer_is_said_with_its_line(void **state) {
    static const BadText bad[] = {
        {"Network n {\nLayer a { Type: CONV Dimensions { K 8, C 4, R 3, S 3, Y 2, X 9 } }\n}", 2, 0,
         "layer 'a': Y is smaller than R"},
        {"Network n {\nLayer a { Type: GEMM Dimensions { K 8, M 1 } }\n}", 2, 0,
         "layer 'a': the layer declares no N"},
        {"Network n {\nLayer a { Type: FCC", 2, 17,
         "expected one of CONV, TRCONV, DSCONV, NGCONV, GEMM, got 'FCC'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlNetwork net;
        SlError err;
        size_t n = strlen(bad[i].text), mark = sl_arena_mark(*state);
        assert_int_equal(sl_network_parse("x.m", bad[i].text, n, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.file, "x.m");
        expect_error(&err, &bad[i]);
        assert_int_equal(sl_arena_mark(*state), mark);
    }
}

static void a_file_and_its_layers_are_workloads(void **state) {
    char path[256], selector[300];
    SlNetwork net;
    SlError err;
    snprintf(path, sizeof path, "/tmp/starling_test_maestro_%ld.m", (long)getpid());
    assert_int_equal(sl_file_write(path, model, sizeof model - 1, NULL), SL_OK);
    SlStatus whole = sl_workload_find(path, 2, *state, &net, &err);
    int n_layers = net.n_layers;
    snprintf(selector, sizeof selector, "%s:a_3", path);
    SlStatus one = sl_workload_find(selector, 1, *state, &net, &err);
    remove(path);
    assert_int_equal(whole, SL_OK);
    assert_int_equal(n_layers, 4);
    assert_int_equal(one, SL_OK);
    assert_int_equal(net.n_layers, 1);
    assert_int_equal(net.layers[0].dims[SL_C], 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(layers_come_with_or_without_dataflow_under_names_of_their_own),
        TEST_WITH_ARENA(long_names_of_copies_are_cut_between_characters),
        TEST_WITH_ARENA(what_is_no_layer_is_said_with_its_line),
        TEST_WITH_ARENA(a_file_and_its_layers_are_workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
