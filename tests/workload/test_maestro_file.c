// test_maestro_file.c - MAESTRO's .m files: what is read, what is refused and why, and writing.
#include "workload_help.h"

#include <stdio.h>

#include "starling/workload/maestro_file.h"

static void parse_text(const char *text, SlArena *arena, SlMaestroNetwork *net) {
    SlError err;
    char line[1024];
    if (sl_maestro_parse("x.m", text, strlen(text), arena, net, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof line, line));
}

static void expect_directive(const SlMaestroMapping *mapping, int at, SlDirective expected) {
    const SlDirective *directive = &mapping->list[at];
    assert_int_equal(directive->kind, expected.kind);
    assert_int_equal(directive->var, expected.var);
    assert_int_equal(directive->unit, expected.unit);
    assert_int_equal(directive->size, expected.size);
    assert_int_equal(directive->offset, expected.offset);
}

// every construct once, with the separators and blanks of files in the wild
static const char mixed[] =
    "// a comment, then constants with and without a semicolon\n"
    "Constant TileK 4;\n"
    "Constant SzC 12 // twelve\r\n"
    "Network my.net->small {\n"
    "\tLayer Conv2d-1 {\n"
    "\t\tType: CONV\n"
    "\t\tStride { X: 2, Y: 3 }\n"
    "\t\tDimensions { K 64, C: SzC, R: 3, S: 5, Y:224, X:112 }\n"
    "\t\tDataflow {\n"
    "\t\t\t// TemporalMap(1,1) G;\n"
    "\t\t\tSpatialMap(TileK,TileK) K;\n"
    "\t\t\tTemporalMap(Sz(R), 1) Y';//rows\n"
    "\t\t\tTemporalMap(SzC,Sz(C)) C\n"
    "\t\t\tCluster(Sz(S), P);\n"
    "\t\t\tSpatialMap(1,1) X'\n"
    "\t\t\tCluster(2,L)\n"
    "\t\t}\n"
    "\t}\n"
    "\tLayer second { Type GEMM Dimensions { M 1, N 2, K 3 } Dataflow { SpatialMap 1 1 M } }\n"
    "}\n"
    "Constant unused 1";

static void a_file_becomes_layers_and_directive_lists(void **state) {
    SlMaestroNetwork net;
    parse_text(mixed, *state, &net);
    assert_string_equal(net.name, "small");
    assert_int_equal(net.n_layers, 2);
    assert_int_equal(net.lines[0], 5);
    assert_int_equal(net.lines[1], 19);
    const SlMaestroLayer *layer = &net.layers[0];
    assert_string_equal(layer->name, "1");
    assert_int_equal(layer->type, SL_MAESTRO_CONV);
    const int32_t sizes[SL_N_MV] = {12, 0, 64, 0, 0, 3, 5, 112, 0, 224, 0};
    const int32_t strides[SL_N_MV] = {1, 1, 1, 1, 1, 1, 1, 2, 1, 3, 1};
    assert_memory_equal(layer->size, sizes, sizeof sizes);
    assert_memory_equal(layer->stride, strides, sizeof strides);
    const SlMaestroMapping *mapping = &net.mappings[0];
    assert_int_equal(mapping->n, 6);
    expect_directive(mapping, 0, (SlDirective){SL_MAP_SPATIAL, SL_MV_K, 0, 4, 4});
    expect_directive(mapping, 1, (SlDirective){SL_MAP_TEMPORAL, SL_MV_YO, 0, 3, 1});
    expect_directive(mapping, 2, (SlDirective){SL_MAP_TEMPORAL, SL_MV_C, 0, 12, 12});
    expect_directive(mapping, 3, (SlDirective){SL_MAP_CLUSTER, 0, 'P', 5, 0});
    expect_directive(mapping, 4, (SlDirective){SL_MAP_SPATIAL, SL_MV_XO, 0, 1, 1});
    expect_directive(mapping, 5, (SlDirective){SL_MAP_CLUSTER, 0, 'L', 2, 0});
    assert_string_equal(net.layers[1].name, "second");
    assert_int_equal(net.layers[1].type, SL_MAESTRO_GEMM);
}

static void a_byte_order_mark_and_equal_repeated_dims_are_tolerated(void **state) {
    SlMaestroNetwork net;
    parse_text("\xEF\xBB\xBFNetwork n { Layer a { Type: CONV Dimensions { N: 2, N: 2, K: 1 } "
               "Dataflow { SpatialMap(1,1) K } } }",
               *state, &net);
    assert_int_equal(net.layers[0].size[SL_MV_N], 2);
}

#define LAYER(type, dims)                                                                          \
    " Layer l { Type: " type " Dimensions { K: 2 " dims " } Dataflow { SpatialMap(1,1) K } } "

static void the_first_layer_of_a_type_says_whether_n_is_a_batch(void **state) {
    SlMaestroNetwork net;
    parse_text("Network n {" LAYER("TRCONV", "N: 4") LAYER("CONV", "") LAYER("DSCONV", "")
                   LAYER("DSCONV", "N: 4") LAYER("NGCONV", "N: 1") LAYER("GEMM", "N: 4") "}",
               *state, &net);
    static const bool batched[] = {true, true, false, false, true, false};
    assert_int_equal(net.n_layers, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(net.layers[i].batched, batched[i]);
}

static void expect_same(const SlMaestroNetwork *a, const SlMaestroNetwork *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->n_layers, b->n_layers);
    size_t n = (size_t)a->n_layers;
    assert_memory_equal(a->layers, b->layers, n * sizeof *a->layers);
    assert_memory_equal(a->mappings, b->mappings, n * sizeof *a->mappings);
}

static void what_is_written_reads_back_the_same(void **state) {
    SlMaestroNetwork net, again;
    SlText text;
    parse_text(mixed, *state, &net);
    sl_text_init(&text, *state);
    sl_maestro_write(&net, &text);
    assert_false(text.failed);
    parse_text(text.data, *state, &again);
    expect_same(&net, &again);
}

static void a_layer_is_written_one_thing_per_line(void **state) {
    SlMaestroNetwork net;
    SlText text;
    parse_text(mixed, *state, &net);
    sl_text_init(&text, *state);
    net.n_layers = 2;
    sl_maestro_write(&net, &text);
    assert_string_equal(text.data, "Network small {\n"
                                   "\tLayer 1 {\n"
                                   "\t\tType: CONV\n"
                                   "\t\tStride { X: 2, Y: 3 }\n"
                                   "\t\tDimensions { C: 12, K: 64, R: 3, S: 5, X: 112, Y: 224 }\n"
                                   "\t\tDataflow {\n"
                                   "\t\t\tSpatialMap(4,4) K;\n"
                                   "\t\t\tTemporalMap(3,1) Y';\n"
                                   "\t\t\tTemporalMap(12,12) C;\n"
                                   "\t\t\tCluster(5, P);\n"
                                   "\t\t\tSpatialMap(1,1) X';\n"
                                   "\t\t\tCluster(2, L);\n"
                                   "\t\t}\n"
                                   "\t}\n"
                                   "\tLayer second {\n"
                                   "\t\tType: GEMM\n"
                                   "\t\tDimensions { K: 3, M: 1, N: 2 }\n"
                                   "\t\tDataflow {\n"
                                   "\t\t\tSpatialMap(1,1) M;\n"
                                   "\t\t}\n"
                                   "\t}\n"
                                   "}\n");
}

static void expect_refusals(SlArena *arena, const BadText *bad, size_t n) {
    for (size_t i = 0; i < n; i++) {
        SlMaestroNetwork net;
        SlError err = {0};
        size_t mark = sl_arena_mark(arena);
        if (sl_maestro_parse("x.m", bad[i].text, strlen(bad[i].text), arena, &net, &err) == SL_OK)
            fail_msg("%s\nis accepted, expected: %s", bad[i].text, bad[i].sentence);
        expect_error(&err, &bad[i]);
        assert_string_equal(err.file, "x.m");
        assert_int_equal(sl_arena_mark(arena), mark);
        assert_int_equal(net.n_layers, 0);
    }
}

#define EXPECT_REFUSALS(arena, bad) expect_refusals(arena, bad, sizeof(bad) / sizeof(bad)[0])

static void files_without_a_network_of_layers_are_refused(void **state) {
    static const BadText bad[] = {
        {"", 1, 1, "expected a Network, got the end of the file"},
        {"// nothing\n", 2, 1, "expected a Network, got the end of the file"},
        {"Constant a 1", 1, 13, "expected a Network, got the end of the file"},
        {"Netwrk n {\n}\n", 1, 1,
         "expected Constant or Network, got 'Netwrk' (did you mean 'Network'?)"},
        {"Layer a { }", 1, 1, "expected Constant or Network, got 'Layer'"},
        {"}", 1, 1, "expected Constant or Network, got '}'"},
        {"Accelerator { PE { } }", 1, 1,
         "MAESTRO cannot read Accelerator blocks; describe the hardware in a file of its own"},
        {"Network { }", 1, 9, "expected the name of the network, got '{'"},
        {"Network", 1, 8, "expected the name of the network, got the end of the file"},
        {"Network n", 1, 10, "expected '{', got the end of the file"},
        {"Network n Layer a {", 1, 11, "expected '{', got 'Layer'"},
        {"Network n{ }", 1, 9, "expected blanks around the brace in 'n{'"},
        {"Network n {}", 1, 11, "expected blanks around the brace in '{}'"},
        {"Network n { }", 1, 13, "network 'n' has no layers"},
        {"Network n {", 1, 12, "expected Layer or the '}' of the network, got the end of the file"},
        {"Network n { Later a", 1, 13,
         "expected Layer or the '}' of the network, got 'Later' (did you mean 'Layer'?)"},
        {"Network n {" LAYER("CONV", "") "\n", 2, 1,
         "expected Layer or the '}' of the network, got the end of the file"},
        {"Network n {" LAYER("CONV", "") "}\n}", 2, 1, "expected Constant or Network, got '}'"},
        {"Network n {" LAYER("CONV", "") "}\nNetwork m {", 2, 1,
         "expected one Network in a file, got a second one"},
    };
    EXPECT_REFUSALS(*state, bad);
}

static void names_and_constants_that_maestro_would_garble_are_refused(void **state) {
    static const BadText bad[] = {
        {"Network a23456789b123456789c123456789d123456789e123456789f123456789g1234 {", 1, 9,
         "a name has at most 63 bytes, 'a23456789b123456789c123456789d123456789e...' has 64"},
        {"Network caf\xe9 {", 1, 9, "expected a name of printable UTF-8, got 'caf?'"},
        {"Network a\x01 {", 1, 9, "expected a name of printable UTF-8, got 'a?'"},
        {"Network n { Layer { }", 1, 19, "expected the name of the layer, got '{'"},
        {"Network n { Layer a//b {", 1, 19, "expected a blank before the comment in 'a//b'"},
        {"Constant", 1, 9, "expected the name of a constant, got the end of the file"},
        {"Constant 4 5", 1, 10, "expected the name of a constant, got '4'"},
        {"Constant Sz 5", 1, 10, "expected the name of a constant, got 'Sz'"},
        {"Constant a", 1, 11,
         "expected the value of the constant (1 to 2147483647), got the end of the file"},
        {"Constant a b", 1, 12, "expected the value of the constant (1 to 2147483647), got 'b'"},
        {"Constant a 0", 1, 12, "expected the value of the constant (1 to 2147483647), got '0'"},
        {"Constant a -3", 1, 13, "expected the value of the constant (1 to 2147483647), got '-3'"},
        {"Constant a 1\nConstant a 1", 2, 10, "constant 'a' is given twice"},
    };
    EXPECT_REFUSALS(*state, bad);
}

#define L "Network n {\nLayer a {\n"
#define T L "Type: CONV\n"

static void layers_that_maestro_would_not_read_are_refused(void **state) {
    static const BadText bad[] = {
        {L "Typo: CONV\n", 3, 1,
         "expected Type, Stride, Dimensions, Dataflow or the '}' of the layer, got 'Typo' (did you "
         "mean 'Type'?)"},
        {L, 3, 1,
         "expected Type, Stride, Dimensions, Dataflow or the '}' of the layer, got the end of the "
         "file"},
        {L "Type: FC", 3, 7,
         "MAESTRO does not support layers of type FC, expected one of CONV, TRCONV, DSCONV, "
         "NGCONV, GEMM"},
        {L "Type: LSTM", 3, 7,
         "MAESTRO does not support layers of type LSTM, expected one of CONV, TRCONV, DSCONV, "
         "NGCONV, GEMM"},
        {L "Type: POOL", 3, 7,
         "MAESTRO does not support layers of type POOL, expected one of CONV, TRCONV, DSCONV, "
         "NGCONV, GEMM"},
        {L "Type: CONF", 3, 7,
         "expected one of CONV, TRCONV, DSCONV, NGCONV, GEMM, got 'CONF' (did you mean 'CONV'?)"},
        {T "Type: CONV", 4, 1, "Type is given twice"},
        {T "Stride X: 2", 4, 8, "expected '{' of Stride, got 'X'"},
        {T "Stride { X: 0 }", 4, 13, "expected a stride (1 to 2147483647), got '0'"},
        {T "Stride { X: -2 }", 4, 14, "expected a stride (1 to 2147483647), got '-2'"},
        {T "Stride { X: two }", 4, 13, "expected a stride (1 to 2147483647), got 'two'"},
        {T "Stride { X: 2, X: 2 }", 4, 16, "the stride of X is given twice"},
        {T "Stride { P: 2 }", 4, 10,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got 'P'"},
        {T "Dimensions { K: 0 }", 4, 17,
         "expected a size (1 to 2147483647 or a constant), got '0'"},
        {T "Dimensions { K: 2147483648 }", 4, 17,
         "expected a size (1 to 2147483647 or a constant), got '2147483648'"},
        {T "Dimensions { K: 4x }", 4, 17,
         "expected a size (1 to 2147483647 or a constant), got '4x'"},
        {T "Dimensions { K: Sz(K) }", 4, 17,
         "expected a size (1 to 2147483647 or a constant), got 'Sz'"},
        {T "Dimensions { H: 4 }", 4, 14,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got 'H'"},
        {T "Dimensions { K: 4, K: 5 }", 4, 20, "dimension K is 4 already"},
        {T "Dimensions { K: 4", 4, 18,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got the end of the file"},
        {T "Dimensions { K: 4 }\nStride { X: 2 }", 5, 1, "Stride must come before Dimensions"},
        {L "Dimensions { K: 4 }\nType: CONV", 4, 1,
         "Type must come before Dimensions (MAESTRO would name the layer after its last "
         "dimension)"},
        {T "Dataflow { }", 4, 1, "Dimensions must come before Dataflow"},
        {L "Dimensions { K: 4 }\nDataflow { SpatialMap(1,1) K }\n}", 5, 1, "layer 'a' has no Type"},
        {T "}", 4, 1, "layer 'a' has no Dimensions"},
        {T "Dimensions { }\n}", 5, 1, "layer 'a' has no Dimensions"},
        {T "Dimensions { K: 4 }\n}", 5, 1,
         "layer 'a' has no directives in a Dataflow (MAESTRO would crash)"},
        {T "Dimensions { K: 4 }\nDataflow { }\n}", 6, 1,
         "layer 'a' has no directives in a Dataflow (MAESTRO would crash)"},
    };
    EXPECT_REFUSALS(*state, bad);
}

#define D T "Dimensions { K: 4 }\nDataflow {\n"
#define A_SIZE "expected a size (1 to 2147483647, Sz(dimension) or a constant), got "

static void directives_that_maestro_would_not_read_are_refused(void **state) {
    static const BadText bad[] = {
        {D "TemporalMapp(1,1) K", 6, 1,
         "expected TemporalMap, SpatialMap, Cluster or the '}' of Dataflow, got 'TemporalMapp' "
         "(did you mean 'TemporalMap'?)"},
        {D, 6, 1,
         "expected TemporalMap, SpatialMap, Cluster or the '}' of Dataflow, got the end of the "
         "file"},
        {D "TemporalMap(0,1) K", 6, 13, A_SIZE "'0'"},
        {D "TemporalMap(1,0) K", 6, 15, A_SIZE "'0'"},
        {D "SpatialMap(1,-1) K", 6, 15, A_SIZE "'-1'"},
        {D "SpatialMap(Tile,1) K", 6, 12, A_SIZE "'Tile'"},
        {D "SpatialMap(8+Sz(K)-1,1) K", 6, 12, A_SIZE "'8+Sz'"},
        {D "SpatialMap(1) K", 6, 15, A_SIZE "'K'"},
        {D "SpatialMap(1,1) Z;", 6, 17,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got 'Z'"},
        {D "SpatialMap(1,1)", 6, 16,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got the end of the file"},
        {D "SpatialMap(Sz(R),1) K", 6, 15, "Sz(R): the layer declares no dimension R"},
        {D "SpatialMap(Sz(Q),1) K", 6, 15,
         "expected a dimension (C, G, K, M, N, R, S, X, X', Y or Y'), got 'Q'"},
        {D "Cluster(0, P)", 6, 9, A_SIZE "'0'"},
        {D "Cluster(2, Q)", 6, 12, "expected P or L after the size of a cluster, got 'Q'"},
        {D "Cluster(2)\nSpatialMap(1,1) K", 7, 1,
         "expected P or L after the size of a cluster, got 'SpatialMap'"},
        {D "SpatialMap(1,1) K//k", 6, 17, "expected a blank before the comment in 'K//k'"},
    };
    EXPECT_REFUSALS(*state, bad);
}

static void a_dataflow_has_at_most_64_directives(void **state) {
    for (int n = SL_MAX_DIRECTIVES; n <= SL_MAX_DIRECTIVES + 1; n++) {
        SlText text;
        SlMaestroNetwork net;
        SlError err;
        sl_text_init(&text, *state);
        sl_text_add(&text, "%s", D);
        for (int i = 0; i < n; i++) sl_text_add(&text, "TemporalMap(1,1) K\n");
        sl_text_add(&text, "} } }");
        SlStatus status = sl_maestro_parse("x.m", text.data, text.n, *state, &net, &err);
        assert_int_equal(status, n == SL_MAX_DIRECTIVES ? SL_OK : SL_EINPUT);
    }
}

static void a_network_has_at_most_4096_layers(void **state) {
    for (int n = SL_NETWORK_MAX_LAYERS; n <= SL_NETWORK_MAX_LAYERS + 1; n++) {
        SlText text;
        SlMaestroNetwork net;
        SlError err = {0};
        sl_text_init(&text, *state);
        sl_text_add(&text, "Network n {");
        for (int i = 0; i < n; i++) sl_text_add(&text, "%s\n", LAYER("CONV", ""));
        sl_text_add(&text, "}");
        SlStatus status = sl_maestro_parse("x.m", text.data, text.n, *state, &net, &err);
        if (n == SL_NETWORK_MAX_LAYERS) {
            assert_int_equal(status, SL_OK);
            assert_int_equal(net.n_layers, n);
            continue;
        }
        assert_int_equal(status, SL_EINPUT);
        assert_string_equal(err.text, "a network has at most 4096 layers");
        assert_int_equal(err.line, 4097);
    }
}

static void too_little_memory_is_said_and_leaves_nothing_behind(void **state) {
    (void)state;
    SlArena arena;
    SlMaestroNetwork net;
    SlError err;
    int failures = 0;
    for (size_t limit = 1;; limit *= 2) {
        sl_arena_init(&arena, limit);
        SlStatus status = sl_maestro_parse("x.m", mixed, sizeof mixed - 1, &arena, &net, &err);
        if (status != SL_OK) assert_int_equal(arena.used, 0);
        sl_arena_free(&arena);
        if (status == SL_OK) break;
        assert_int_equal(status, SL_ENOMEM);
        failures++;
    }
    assert_true(failures > 3);
}

static void a_file_is_read_from_its_path(void **state) {
    SlMaestroNetwork net, same;
    SlError err;
    char path[] = "/tmp/starling-maestro-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(mixed, file);
    fclose(file);
    SlStatus status = sl_maestro_read(path, *state, &net, &err);
    remove(path);
    assert_int_equal(status, SL_OK);
    parse_text(mixed, *state, &same);
    expect_same(&net, &same);
    assert_int_equal(sl_maestro_read("/nowhere/x.m", *state, &net, &err), SL_EINPUT);
}

static void the_example_of_the_format_page_is_right(void **state) {
    const char *path = SL_SOURCE_DIR "/docs/formats/maestro.md";
    char *page = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_read(path, 1 << 20, *state, &page, &n, NULL), SL_OK);
    char *start = strstr(page, "```\n");
    assert_non_null(start);
    char *end = strstr(start + 4, "```");
    assert_non_null(end);
    *end = 0;
    SlMaestroNetwork net;
    SlLayer layer;
    char shown[128];
    parse_text(start + 4, *state, &net);
    assert_int_equal(net.mappings[0].n, 10);
    assert_null(sl_maestro_layer(&net.layers[0], &layer));
    assert_string_equal(sl_layer_show(&layer, sizeof shown, shown),
                        "conv K=64 C=3 P=56 Q=56 R=3 S=3 stride=2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(a_file_becomes_layers_and_directive_lists),
        TEST_WITH_ARENA(a_byte_order_mark_and_equal_repeated_dims_are_tolerated),
        TEST_WITH_ARENA(the_first_layer_of_a_type_says_whether_n_is_a_batch),
        TEST_WITH_ARENA(what_is_written_reads_back_the_same),
        TEST_WITH_ARENA(a_layer_is_written_one_thing_per_line),
        TEST_WITH_ARENA(files_without_a_network_of_layers_are_refused),
        TEST_WITH_ARENA(names_and_constants_that_maestro_would_garble_are_refused),
        TEST_WITH_ARENA(layers_that_maestro_would_not_read_are_refused),
        TEST_WITH_ARENA(directives_that_maestro_would_not_read_are_refused),
        TEST_WITH_ARENA(a_dataflow_has_at_most_64_directives),
        TEST_WITH_ARENA(a_network_has_at_most_4096_layers),
        cmocka_unit_test(too_little_memory_is_said_and_leaves_nothing_behind),
        TEST_WITH_ARENA(a_file_is_read_from_its_path),
        TEST_WITH_ARENA(the_example_of_the_format_page_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
