// test_maestro_shape.c - MAESTRO's shapes as layers and back.
#include "workload_help.h"

#include <stdio.h>

#include "starling/workload/maestro_file.h"

// a shape from its dims alone: the text of Stride and of Dimensions
static SlMaestroLayer parse_shape(SlArena *arena, const char *type, const char *stride,
                                  const char *dims) {
    SlText text;
    SlMaestroNetwork net;
    SlError err;
    sl_text_init(&text, arena);
    sl_text_add(&text,
                "Network n { Layer l { Type: %s Stride { %s } Dimensions { %s } Dataflow { "
                "SpatialMap(1,1) K } } }",
                type, stride, dims);
    if (sl_maestro_parse("x.m", text.data, text.n, arena, &net, &err) != SL_OK)
        fail_msg("%s", err.text);
    return net.layers[0];
}

typedef struct {
    const char *type, *stride, *dims;
    const char *expected; // the layer as shown, or the reason
} Case;

static void a_shape_is_a_layer_without_padding(void **state) {
    static const Case cases[] = {
        {"CONV", "X: 2, Y: 4", "K 96, C 3, R 11, S 7, Y 227, X 224",
         "conv K=96 C=3 P=55 Q=109 R=11 S=7 stride=4x2"},
        {"TRCONV", "", "K 8, C 4, R 3, S 3, Y 3, X 5", "conv K=8 C=4 Q=3 R=3 S=3"},
        {"CONV", "", "N 4, K 1, C 2, R 1, S 1, Y 7, X 7", "conv N=4 C=2 P=7 Q=7"},
        {"CONV", "", "K 2, C 3, R 3, S 3, Y' 6, X' 5", "conv K=2 C=3 P=6 Q=5 R=3 S=3"},
        // Y' counts positions at stride 1; a stride of another name is none
        {"CONV", "Y': 2, X: 3", "K 2, C 3, R 3, S 3, Y' 6, X' 5",
         "conv K=2 C=3 P=3 Q=5 R=3 S=3 stride=2x1"},
        {"DSCONV", "X: 2, Y: 2", "K 1, C 32, R 3, S 3, Y 9, X 9",
         "dw G=32 P=4 Q=4 R=3 S=3 stride=2"},
        {"DSCONV", "", "C 32, R 3, S 3, Y 9, X 9", "dw G=32 P=7 Q=7 R=3 S=3"},
        {"NGCONV", "", "G 32, K 4, C 8, R 3, S 3, Y 9, X 8", "conv G=32 K=4 C=8 P=7 Q=6 R=3 S=3"},
        {"GEMM", "", "M 5, N 6, K 7", "gemm M=5 N=6 K=7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *c = &cases[i];
        SlMaestroLayer shape = parse_shape(*state, c->type, c->stride, c->dims);
        SlLayer layer;
        char shown[384];
        assert_null(sl_maestro_layer(&shape, &layer));
        assert_string_equal(sl_layer_show(&layer, sizeof shown, shown), c->expected);
        assert_string_equal(layer.name, "l");
    }
}

static void a_batch_counts_only_where_n_is_coupled(void **state) {
    SlMaestroLayer shape = parse_shape(*state, "CONV", "", "N 4, K 1, C 2, R 1, S 1, Y 7, X 7");
    SlLayer layer;
    assert_null(sl_maestro_layer(&shape, &layer));
    assert_int_equal(layer.dims[SL_N], 4);
    shape.batched = false;
    assert_null(sl_maestro_layer(&shape, &layer));
    assert_int_equal(layer.dims[SL_N], 1);
}

static void a_shape_that_is_no_layer_says_why(void **state) {
    static const Case cases[] = {
        {"CONV", "", "C 1, R 1, S 1, Y 7, X 7", "the layer declares no K"},
        {"CONV", "", "K 1, R 1, S 1, Y 7, X 7", "the layer declares no C"},
        {"CONV", "", "K 1, C 1, S 1, Y 7, X 7", "the layer declares no R"},
        {"CONV", "", "K 1, C 1, R 1, Y 7, X 7", "the layer declares no S"},
        {"CONV", "", "K 1, C 1, R 1, S 1, X 7", "the layer declares neither Y nor Y'"},
        {"CONV", "", "K 1, C 1, R 1, S 1, Y 7", "the layer declares neither X nor X'"},
        {"CONV", "", "K 1, C 1, R 1, S 1, Y 7, Y' 7, X 7", "the layer declares both Y and Y'"},
        {"CONV", "", "K 1, C 1, R 1, S 1, Y 7, X' 7, X 7", "the layer declares both X and X'"},
        {"CONV", "", "K 1, C 1, R 3, S 1, Y 2, X 7", "Y is smaller than R"},
        {"CONV", "", "K 1, C 1, R 1, S 3, Y 2, X 2", "X is smaller than S"},
        {"NGCONV", "", "K 1, C 1, R 1, S 3, Y 2, X 2", "the layer declares no G"},
        {"GEMM", "", "N 1, K 1", "the layer declares no M"},
        {"GEMM", "", "M 1, K 1", "the layer declares no N"},
        {"GEMM", "", "M 1, N 1", "the layer declares no K"},
        {"GEMM", "", "M 2147483647, N 2147483647, K 2147483647", "the layer has 2^53 MACs or more"},
        {"CONV", "Y: 2000000", "K 1, C 1, R 1, S 1, Y 7, X 7", "stride is not in 1..1048576"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SlMaestroLayer shape = parse_shape(*state, cases[i].type, cases[i].stride, cases[i].dims);
        SlLayer layer;
        const char *reason = sl_maestro_layer(&shape, &layer);
        assert_non_null(reason);
        assert_string_equal(reason, cases[i].expected);
    }
}

static void expect_shape(const char *text, SlMaestroType type, const int32_t size[SL_N_MV]) {
    SlLayer layer = parse_layer(text);
    SlMaestroLayer shape;
    const char *reason = sl_maestro_shape(&layer, &shape);
    if (reason) fail_msg("%s: %s", text, reason);
    assert_int_equal(shape.type, type);
    for (int v = 0; v < SL_N_MV; v++) {
        if (shape.size[v] != size[v])
            fail_msg("%s: %s is %d", text, sl_maestro_var_names[v], (int)shape.size[v]);
    }
}

static void a_layer_is_a_shape_as_large_as_its_windows_reach(void **state) {
    (void)state;
    // C G K M N R S X X' Y Y'
    expect_shape("conv:K=8,C=4,P=5,Q=6,R=3,S=2,stride=2x3", SL_MAESTRO_CONV,
                 (int32_t[]){4, 0, 8, 0, 0, 3, 2, 17, 0, 11, 0});
    expect_shape("conv:N=2,K=8,C=4,P=5,Q=6,pad=1", SL_MAESTRO_CONV,
                 (int32_t[]){4, 0, 8, 0, 2, 1, 1, 6, 0, 5, 0});
    expect_shape("dw:G=16,P=5,Q=6,R=3,S=3", SL_MAESTRO_DSCONV,
                 (int32_t[]){16, 0, 0, 0, 0, 3, 3, 8, 0, 7, 0});
    expect_shape("conv:G=4,K=2,C=3,P=5,Q=6", SL_MAESTRO_NGCONV,
                 (int32_t[]){3, 4, 2, 0, 0, 1, 1, 6, 0, 5, 0});
    expect_shape("gemm:M=5,N=6,K=7", SL_MAESTRO_GEMM, (int32_t[]){0, 0, 7, 5, 6, 0, 0, 0, 0, 0, 0});
    expect_shape("linear:K=5,C=6,N=3", SL_MAESTRO_GEMM,
                 (int32_t[]){0, 0, 6, 3, 5, 0, 0, 0, 0, 0, 0});
    expect_shape("bmm:M=5,N=6,K=7", SL_MAESTRO_GEMM, (int32_t[]){0, 0, 7, 5, 6, 0, 0, 0, 0, 0, 0});
}

static void strides_and_batches_come_along(void **state) {
    (void)state;
    SlLayer layer = parse_layer("conv:N=2,K=8,C=4,P=5,Q=6,R=3,S=2,stride=2x3");
    SlMaestroLayer shape;
    assert_null(sl_maestro_shape(&layer, &shape));
    assert_true(shape.batched);
    for (int v = 0; v < SL_N_MV; v++)
        assert_int_equal(shape.stride[v], v == SL_MV_Y ? 2 : v == SL_MV_X ? 3 : 1);
    layer.dims[SL_N] = 1;
    assert_null(sl_maestro_shape(&layer, &shape));
    assert_false(shape.batched);
}

static void a_layer_without_padding_comes_back_the_same(void **state) {
    (void)state;
    static const char *const texts[] = {
        "conv:K=8,C=4,P=5,Q=6,R=3,S=2,stride=2x3,name=a", "conv:N=3,G=4,K=2,C=3,P=5,Q=6,R=5",
        "dw:N=2,G=16,P=5,Q=6,R=3,S=3,stride=2",           "gemm:M=5,N=6,K=7",
        "conv:K=8,C=4,P=1,Q=1,R=3,S=3,stride=4",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SlLayer layer = parse_layer(texts[i]), again;
        SlMaestroLayer shape;
        assert_null(sl_maestro_shape(&layer, &shape));
        assert_null(sl_maestro_layer(&shape, &again));
        assert_true(sl_layer_same(&layer, &again));
        assert_string_equal(layer.name, again.name);
    }
}

static void a_layer_that_has_no_shape_says_why(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"conv:K=8,C=4,P=5,Q=6,R=3,dilation=2", "MAESTRO knows no dilation"},
        {"bmm:B=2,M=5,N=6,K=7", "MAESTRO knows no batched matrix products"},
        {"linear:K=5,C=3000000000", "MAESTRO's sizes end at 2147483647"},
        {"linear:K=5,C=6,N=3000000000", "MAESTRO's sizes end at 2147483647"},
        {"conv:P=2147483647,R=2", "MAESTRO's sizes end at 2147483647"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SlLayer layer = parse_layer(cases[i][0]);
        SlMaestroLayer shape;
        const char *reason = sl_maestro_shape(&layer, &shape);
        assert_non_null(reason);
        assert_string_equal(reason, cases[i][1]);
    }
    // taps that are alone have no distance
    SlLayer layer = parse_layer("conv:K=8,dilation=2");
    SlMaestroLayer shape;
    assert_null(sl_maestro_shape(&layer, &shape));
}

static void names_stay_one_word_of_maestro(void **state) {
    static const char *const names[][2] = {
        {"conv2_1", "conv2_1"}, {"a-b(1){x};>", "a_b_1__x___"},
        {"/l//x", "/l/_x"},     {"Cluster", "Cluster_"},
        {"", "layer"},          {"caf\xc3\xa9", "caf\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        SlLayer layer;
        SlMaestroNetwork net = {.name = "n", .n_layers = 1}, again;
        SlMaestroLayer shape;
        SlMaestroMapping mapping = {.n = 1, .list = {{SL_MAP_SPATIAL, SL_MV_K, 0, 1, 1}}};
        sl_layer_init(&layer);
        snprintf(layer.name, sizeof layer.name, "%s", names[i][0]);
        assert_null(sl_maestro_shape(&layer, &shape));
        assert_string_equal(shape.name, names[i][1]);
        SlText text;
        SlError err;
        net.layers = &shape;
        net.mappings = &mapping;
        sl_text_init(&text, *state);
        sl_maestro_write(&net, &text);
        assert_int_equal(sl_maestro_parse("x.m", text.data, text.n, *state, &again, &err), SL_OK);
        assert_memory_equal(&again.layers[0], &shape, sizeof shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(a_shape_is_a_layer_without_padding),
        TEST_WITH_ARENA(a_batch_counts_only_where_n_is_coupled),
        TEST_WITH_ARENA(a_shape_that_is_no_layer_says_why),
        cmocka_unit_test(a_layer_is_a_shape_as_large_as_its_windows_reach),
        cmocka_unit_test(strides_and_batches_come_along),
        cmocka_unit_test(a_layer_without_padding_comes_back_the_same),
        cmocka_unit_test(a_layer_that_has_no_shape_says_why),
        TEST_WITH_ARENA(names_stay_one_word_of_maestro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
