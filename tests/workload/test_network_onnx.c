// test_network_onnx.c - networks from ONNX files. The counts of tests/data/onnx/macs.csv are those
// of tools/count_onnx.py: onnx's own shape inference, or the shapes of the model as it runs.
#include "workload_help.h"

#include <stdio.h>

#define FOLDER SL_SOURCE_DIR "/tests/data/onnx/"

static SlStatus read_model(const char *model, const char *sizes, bool skip, SlArena *arena,
                           SlNetwork *net, SlError *err) {
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s.onnx", model);
    const SlWorkload asked = {
        .selector = path, .batch = 1, .sizes = sizes[0] ? sizes : NULL, .skip_unsupported = skip};
    return sl_workload_read(&asked, arena, net, err);
}

static void must_read(const char *model, const char *sizes, SlArena *arena, SlNetwork *net) {
    SlError err;
    if (read_model(model, sizes, false, arena, net, &err) != SL_OK)
        fail_msg("%s: %s", model, err.text);
}

// ---- counts ----

// the next row of the table is layer i of the network
static void check_row(const SlCsv *csv, const SlNetwork *net, int i) {
    if (i >= net->n_layers) fail_msg("%s: no layer %s", csv->cells[0], csv->cells[2]);
    const SlLayer *layer = &net->layers[i];
    char macs[32];
    snprintf(macs, sizeof macs, "%lld", (long long)sl_layer_macs(layer));
    if (strcmp(layer->name, csv->cells[2]) != 0 || strcmp(macs, csv->cells[3]) != 0)
        fail_msg("%s: layer %s of %s MACs, expected %s of %s", csv->cells[0], layer->name, macs,
                 csv->cells[2], csv->cells[3]);
    assert_null(sl_layer_check(layer));
}

static void every_layer_has_the_macs_of_an_independent_count(void **state) {
    SlArena scratch;
    SlCsv csv;
    SlNetwork net = {0};
    SlError err;
    char *text = NULL, model[64] = "";
    size_t n = 0;
    int i = 0, n_models = 0;
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_file_read(FOLDER "macs.csv", 1 << 24, &scratch, &text, &n, &err), SL_OK);
    assert_int_equal(sl_csv_open("macs.csv", text, n, &scratch, &csv, &err), SL_OK);
    for (bool more = true;; i++) {
        assert_int_equal(sl_csv_next(&csv, &more, &err), SL_OK);
        if (!more || strcmp(csv.cells[0], model) != 0) {
            if (i != net.n_layers) fail_msg("%s: %d layers too many", model, net.n_layers - i);
            if (!more) break;
            snprintf(model, sizeof model, "%s", csv.cells[0]);
            must_read(model, csv.cells[1], *state, &net);
            n_models++;
            i = 0;
        }
        check_row(&csv, &net, i);
    }
    assert_true(n_models >= 35);
    sl_arena_free(&scratch);
}

static bool has_shape(const SlNetwork *net, const SlLayer *layer) {
    for (int i = 0; i < net->n_layers; i++)
        if (sl_layer_same(&net->layers[i], layer)) return true;
    return false;
}

static void exports_have_the_shapes_of_bundled_networks(void **state) {
    static const char *const pairs[][3] = {{"resnet50", "resnet50_dyn", "batch=1"},
                                           {"resnet50", "light_resnet50", ""},
                                           {"resnet18", "resnet18_ts", "batch=1"},
                                           {"vgg16", "vgg16_ts", "batch=1"},
                                           {"mobilenet_v2", "mobilenet_v2_dyn", "batch=1"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        SlNetwork ours, read;
        assert_int_equal(sl_workload_find(pairs[p][0], 1, *state, &ours, NULL), SL_OK);
        must_read(pairs[p][1], pairs[p][2], *state, &read);
        assert_int_equal(ours.n_layers, read.n_layers);
        for (int i = 0; i < ours.n_layers; i++) {
            assert_true(has_shape(&ours, &read.layers[i]));
            assert_true(has_shape(&read, &ours.layers[i]));
        }
    }
}

// ---- shapes and words ----

static const SlLayer *layer_of(const SlNetwork *net, const char *name) {
    int i = sl_network_layer(net, name);
    if (i < 0) fail_msg("%s has no layer %s", net->name, name);
    return &net->layers[i];
}

static void operators_become_the_layers_that_fit_them(void **state) {
    static const char *const expected[][3] = {
        // a window over time that does not overlap leaves the layer, else its taps are channels
        {"conv", "Conv_7", "conv N=8 K=5 C=9 P=20 Q=20 R=3 S=3 pad=1"},
        {"conv", "Conv_8", "conv N=4 K=5 C=6 P=5 Q=5 R=4 S=4 stride=4"},
        {"conv", "Conv_9", "conv N=8 K=5 C=3 P=16 Q=16 R=3 S=3 dilation=2"},
        {"conv", "Conv_6", "conv N=3 G=3 K=3 C=2 P=25 R=7 stride=2x1 pad=3x0"},
        {"conv", "Conv_3", "dw N=2 G=8 P=7 Q=9 R=3 S=3 stride=2"},
        {"conv_transpose", "ConvTranspose_1", "conv N=2 G=2 K=32 C=3 P=7 Q=9"},
        // batches of both operands are groups, of one alone rows or columns
        {"matmul", "MatMul_0", "gemm M=5 N=11 K=7 batch=6"},
        {"matmul", "MatMul_1", "bmm B=3 M=10 N=4 K=7"},
        {"matmul", "MatMul_2", "gemm M=7 N=9 K=5 batch=6"},
        {"matmul", "MatMul_7", "bmm M=6 N=30 K=4"},
        {"matmul", "Gemm_9", "linear N=3 K=10 C=8"},
        {"attention", "heads.qk", "conv N=4 G=4 K=12 C=16 P=10"},
        {"recurrent", "LSTM_0.in", "gemm M=7 N=64 K=5 batch=2"},
        {"recurrent", "LSTM_0.rec", "conv N=2 G=2 K=32 C=8 P=7"},
        {"einsum", "Einsum_0", "bmm B=8 M=5 N=6 K=8"},
    };
    char shown[384];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        SlNetwork net;
        must_read(expected[i][0], "", *state, &net);
        const SlLayer *layer = layer_of(&net, expected[i][1]);
        if (strcmp(sl_layer_show(layer, sizeof shown, shown), expected[i][2]) != 0)
            fail_msg("%s: %s, expected %s", expected[i][1], shown, expected[i][2]);
    }
}

static void precisions_come_from_quantised_tensors(void **state) {
    static const struct {
        const char *model, *layer;
        int bytes[3];
    } expected[] = {
        {"integer", "ConvInteger_0", {1, 1, 4}}, {"integer", "QLinearConv_1", {1, 1, 1}},
        {"integer", "qdq", {1, 1, 1}},           {"integer", "MatMulNBits_5", {1, 0, 0}},
        {"integer", "FusedMatMul_7", {0, 0, 0}}, {"conv", "Conv_0", {0, 0, 0}},
        {"mobilenet_v2_qdq", "1", {1, 1, 1}},    {"bert_int8", "1", {1, 1, 4}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *sizes = strcmp(expected[i].model, "bert_int8") ? "" : "batch=1,seq=8";
        SlNetwork net;
        must_read(expected[i].model, sizes, *state, &net);
        const SlLayer *layer = layer_of(&net, expected[i].layer);
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (layer->word_bytes[t] != expected[i].bytes[t])
                fail_msg("%s of %s: %d bytes, expected %d", sl_tensor_names[t], layer->name,
                         layer->word_bytes[t], expected[i].bytes[t]);
    }
}

// ---- names ----

static void layers_are_called_by_their_nodes(void **state) {
    static const char *const names[] = {
        "t0", "twice", "twice~2", "/model/layer.0/MatMul:0", "a \"b\" {c}: 1", "line?break", "t6"};
    char selector[600];
    SlNetwork net;
    must_read("names", "", *state, &net);
    assert_int_equal(net.n_layers, 8);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(net.layers[i].name, names[i]);
        // the rest of a selector is the layer's name, whole
        SlNetwork one;
        snprintf(selector, sizeof selector, FOLDER "names.onnx:%s", names[i]);
        assert_int_equal(sl_workload_find(selector, 1, *state, &one, NULL), SL_OK);
        assert_int_equal(one.n_layers, 1);
        assert_string_equal(one.layers[0].name, names[i]);
    }
    assert_true(strlen(net.layers[7].name) > 200);
    must_read("function", "", *state, &net);
    assert_string_equal(net.layers[1].name, "second/product");
    assert_int_equal(sl_layer_macs(&net.layers[1]), 3 * 5 * 6);
}

// ---- sizes ----

static void open_sizes_are_given_by_name_or_by_axis(void **state) {
    static const struct {
        const char *selector, *sizes;
        int64_t batch, macs; // of the first layer; 0 = refused
        const char *sentence;
    } cases[] = {
        {"shapes.onnx", NULL, 1, 0, "expected a size for batch, rows: --dim batch=SIZE,..."},
        {"shapes.onnx", "rows=30", 1, 0, "expected a size for batch: --dim batch=SIZE"},
        {"shapes.onnx:batch=2,rows=30", NULL, 1, 426816, NULL},
        {"shapes.onnx:batch=2", "rows=30", 1, 426816, NULL},
        {"shapes.onnx", "x0:0=2,x0:2=30", 1, 426816, NULL},
        {"shapes.onnx", "batch=9,x0:0=2,rows=30", 1, 426816, NULL},
        {"shapes.onnx", "batch=2,rows=30", 3, 3 * 426816, NULL},
        {"shapes.onnx:batch=2", "batch=2,rows=30", 1, 0, "the size of batch is given twice"},
        {"shapes.onnx", "batch=2,rows=30,cols=3", 1, 0,
         "no open size is called 'cols', expected batch, rows"},
        {"shapes.onnx", "batch=2,rows=30,x0:1=6", 1, 0,
         "no open size is called 'x0:1', expected batch, rows"},
        {"shapes.onnx", "batch", 1, 0, "sizes: expected NAME=SIZE, got 'batch'"},
        {"shapes.onnx", "batch=-1", 1, 0, "the size of batch: "},
        {"conv.onnx", "batch=2", 1, 0,
         "no size is called 'batch': all sizes of the model are fixed"},
        {"conv.onnx:batch=2", NULL, 1, 2 * 96768, NULL},
        {"conv.onnx:batch=2", NULL, 2, 0, "the batch is given twice: batch=2 and 2"},
        {"conv.onnx:batch=2:Conv_0", NULL, 1, 2 * 96768, NULL},
        {"conv.onnx:1", NULL, 1, 96768, NULL},
    };
    char path[512];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlNetwork net;
        SlError err;
        snprintf(path, sizeof path, FOLDER "%s", cases[i].selector);
        const SlWorkload asked = {
            .selector = path, .batch = cases[i].batch, .sizes = cases[i].sizes};
        SlStatus status = sl_workload_read(&asked, *state, &net, &err);
        if ((status == SL_OK) != (cases[i].macs > 0))
            fail_msg("case %zu: %s", i, status == SL_OK ? "was read" : err.text);
        if (status == SL_OK)
            assert_int_equal(sl_layer_macs(&net.layers[0]), cases[i].macs);
        else if (!strstr(err.text, cases[i].sentence))
            fail_msg("case %zu: '%s', expected '%s'", i, err.text, cases[i].sentence);
    }
}

static void bundled_networks_take_a_batch_in_their_selector(void **state) {
    SlNetwork net;
    SlError err;
    assert_int_equal(sl_workload_find("resnet18:batch=4:conv1", 1, *state, &net, &err), SL_OK);
    assert_int_equal(net.layers[0].dims[SL_N], 4);
    assert_int_equal(sl_workload_find("resnet18:batch=4", 2, *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.text, "the batch is given twice: batch=4 and 2");
    assert_int_equal(sl_workload_find("resnet18:seq=4", 1, *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.text, "resnet18 has no open size but batch, got 'seq=4'");
    const SlWorkload asked = {.selector = "resnet18", .batch = 1, .sizes = "batch=2"};
    assert_int_equal(sl_workload_read(&asked, *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.text, "resnet18 has no open sizes, got 'batch=2'");
}

// ---- refusals ----

static const struct {
    const char *model, *sentence;
    int n_skipped, n_layers; // with skip_unsupported
} refused[] = {
    {"if", "culprit (If): the operator is not supported (and 1 more node); --skip-unsupported", 2,
     1},
    {"loop", "culprit (Loop): the operator is not supported", 2, 1},
    {"scan", "culprit (Scan): the operator is not supported", 2, 1},
    {"domain", "culprit (Secret): the operator of the domain 'com.example' is not supported", 2, 1},
    {"unknown", "culprit (Fold): the operator is not supported", 2, 1},
    {"classifier", "culprit (LinearClassifier): the operator of the domain 'ai.onnx.ml'", 2, 1},
    {"by_data",
     "behind (MatMul): the node 'culprit' (NonZero) leaves its size unknown: its size depends on "
     "data; --skip-unsupported",
     1, 1},
    {"recursive", "(Self): its functions call one another", 1, 1},
    {"too_large", "culprit (MatMul): the layer has 2^53 MACs or more", 1, 1},
    {"no_value",
     "behind (MatMul): the node 'culprit' (Reshape) leaves its size unknown: it needs the value of "
     "'w0', which has 0 numbers in the file, expected 2",
     1, 1},
    {"three_operands", "culprit (Einsum): an Einsum of more than two operands is not supported", 1,
     1},
};

static void what_cannot_be_counted_is_named_and_refused(void **state) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char model[64];
        SlNetwork net;
        SlError err;
        snprintf(model, sizeof model, "refused_%s", refused[i].model);
        size_t mark = sl_arena_mark(*state);
        assert_int_equal(read_model(model, "", false, *state, &net, &err), SL_EINPUT);
        assert_int_equal(sl_arena_mark(*state), mark);
        if (!strstr(err.text, refused[i].sentence))
            fail_msg("%s: '%s', expected '%s'", model, err.text, refused[i].sentence);
        assert_int_equal(read_model(model, "", true, *state, &net, &err), SL_OK);
        assert_int_equal(net.n_skipped, refused[i].n_skipped);
        assert_int_equal(net.n_layers, refused[i].n_layers);
        assert_string_equal(net.layers[0].name, "beside");
        assert_true(!strncmp(net.skipped[0], err.text, strlen(net.skipped[0])));
    }
}

// every cut of a file, and files that are something else
static void what_is_no_model_gets_one_sentence(void **state) {
    static const char *const other[] = {
        "",
        "version https://git-lfs.github.com/spec/v1\n",
        "<!DOCTYPE html>",
        "{\"a\": 1}",
        "network: x\nlayers: []\n",
        "\x08\x08",
        "\x3a",
        "\x3a\x7f",
        "\x3a\x02\x0a\x05",
        "\x0b",
        "\x3a\x03\x0a\x01\x0a",
        "\x3a\x04\x0a\x02\x2a\x05",
    };
    SlArena scratch;
    SlNetwork net;
    SlError err;
    char *text = NULL;
    size_t n = 0;
    int n_bad = 0;
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_file_read(FOLDER "refused_if.onnx", 1 << 24, &scratch, &text, &n, &err),
                     SL_OK);
    for (size_t cut = 0; cut < n; cut += 2) {
        SlStatus status = sl_network_parse("cut.onnx", text, cut, *state, &net, &err);
        assert_int_equal(status, SL_EINPUT);
        assert_true(err.text[0] && !strchr(err.text, '\n'));
        n_bad++;
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        SlStatus status =
            sl_network_parse("x.onnx", other[i], strlen(other[i]), *state, &net, &err);
        if (status != SL_EINPUT) fail_msg("'%s' was read", other[i]);
        assert_string_equal(err.file, "x.onnx");
        assert_true(!strncmp(err.text, "expected an ONNX model: ", 24));
    }
    assert_true(n_bad >= 60);
    sl_arena_free(&scratch);
}

// ---- memory ----

static void small_arenas_are_refused_without_a_leak(void **state) {
    (void)state;
    for (size_t limit = 64; limit < (1u << 20); limit += limit / 3) {
        SlArena arena;
        SlNetwork net;
        SlError err;
        sl_arena_init(&arena, limit);
        SlStatus status = read_model("attention_ms", "", false, &arena, &net, &err);
        assert_true(status == SL_OK || status == SL_ENOMEM);
        if (status == SL_OK) assert_int_equal(net.n_layers, 16);
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(every_layer_has_the_macs_of_an_independent_count),
        TEST_WITH_ARENA(exports_have_the_shapes_of_bundled_networks),
        TEST_WITH_ARENA(operators_become_the_layers_that_fit_them),
        TEST_WITH_ARENA(precisions_come_from_quantised_tensors),
        TEST_WITH_ARENA(layers_are_called_by_their_nodes),
        TEST_WITH_ARENA(open_sizes_are_given_by_name_or_by_axis),
        TEST_WITH_ARENA(bundled_networks_take_a_batch_in_their_selector),
        TEST_WITH_ARENA(what_cannot_be_counted_is_named_and_refused),
        TEST_WITH_ARENA(what_is_no_model_gets_one_sentence),
        TEST_WITH_ARENA(small_arenas_are_refused_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
