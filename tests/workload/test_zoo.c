// test_zoo.c - the bundled networks against published totals, and selectors.
#include "workload_help.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void find(const char *selector, int64_t batch, SlArena *arena, SlNetwork *net) {
    SlError err;
    char line[1024];
    if (sl_workload_find(selector, batch, arena, net, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof line, line));
}

// ---- published totals ----

// What is published elsewhere. GMACs: torchvision's "_ops" of the weights' meta data (its "GFLOPS",
// which count multiplications), three decimals; 0 = none. Parameters: torchvision's "num_params";
// bert-base-uncased as BertModel and gpt2 as GPT2LMHeadModel of Hugging Face transformers, and the
// sizes of the language models' files there; the summary of the Keras example mnist_mlp.
typedef struct {
    const char *name;
    int n_layers, n_convs;
    int n_distinct; // of the convolutions; 0 = not published
    double gmacs;
    int64_t params;
} Published;

static const Published published[] = {
    {"alexnet", 8, 5, 0, 0.714, 61100840},
    {"bert_base", 97, 0, 0, 0, 109482240},
    {"gpt2", 73, 0, 0, 0, 124439808},
    {"llama3_2_1b", 145, 0, 0, 0, 1235814400},
    {"llama3_8b", 289, 0, 0, 0, 8030261248},
    {"mixtral_8x7b", 321, 0, 0, 0, 46702792704},
    {"mlp", 3, 0, 0, 0, 669706},
    {"mobilenet_v2", 53, 52, 30, 0.301, 3504872},
    {"qwen2_5_7b", 253, 0, 0, 0, 7615616512},
    {"resnet18", 21, 20, 11, 1.814, 11689512},
    {"resnet34", 37, 36, 0, 3.664, 21797672},
    {"resnet50", 54, 53, 23, 4.089, 25557032},
    {"vgg11", 11, 8, 0, 7.609, 132863336},
    {"vgg13", 13, 10, 0, 11.308, 133047848},
    {"vgg16", 16, 13, 9, 15.470, 138357544},
    {"vgg19", 19, 16, 0, 19.632, 143667240},
    {"vit_b16", 74, 1, 0, 17.564, 86567656},
};
enum { N_PUBLISHED = sizeof published / sizeof published[0] };

static void every_bundled_network_has_published_totals(void **state) {
    (void)state;
    const char *names[64];
    assert_int_equal(sl_bundle_names("networks", 64, names), N_PUBLISHED);
    for (int i = 0; i < N_PUBLISHED; i++) assert_string_equal(names[i], published[i].name);
}

static void every_network_has_its_published_macs(void **state) {
    for (int i = 0; i < N_PUBLISHED; i++) {
        SlNetwork net;
        find(published[i].name, 1, *state, &net);
        int64_t macs = 0;
        for (int k = 0; k < net.n_layers; k++) macs += sl_layer_macs(&net.layers[k]);
        assert_int_equal(macs, net.published_macs);
        if (published[i].gmacs > 0)
            assert_int_equal(llround((double)macs / 1e6), llround(published[i].gmacs * 1e3));
    }
}

static void every_network_has_its_published_parameters(void **state) {
    for (int i = 0; i < N_PUBLISHED; i++) {
        SlNetwork net;
        find(published[i].name, 1, *state, &net);
        int64_t weights = 0;
        for (int k = 0; k < net.n_layers; k++) {
            // both operands of a batched product are activations
            if (net.layers[k].type != SL_BMM) weights += sl_layer_words(&net.layers[k], SL_W);
        }
        assert_int_equal(weights + net.other_params, net.published_params);
        assert_int_equal(net.published_params, published[i].params);
    }
}

// d model width, t tokens: 12 d^2 t for the projections and the two feed-forward layers of a
// block, t^2 d for each of the two products of attention
static int64_t transformer_macs(int64_t blocks, int64_t d, int64_t t) {
    return blocks * (12 * d * d * t + 2 * t * t * d);
}

static void transformers_have_their_closed_form(void **state) {
    SlNetwork net;
    find("bert_base", 1, *state, &net);
    assert_int_equal(net.published_macs, transformer_macs(12, 768, 512) + 768 * 768);
    find("gpt2", 1, *state, &net);
    int64_t head = INT64_C(1024) * 768 * 50257;
    assert_int_equal(net.published_macs, transformer_macs(12, 768, 1024) + head);
    find("vit_b16", 1, *state, &net);
    int64_t ends = 196 * 768 * 768 + 768 * 1000;
    assert_int_equal(net.published_macs, transformer_macs(12, 768, 197) + ends);
}

static void convolutions_repeat_as_published(void **state) {
    for (int i = 0; i < N_PUBLISHED; i++) {
        SlNetwork net;
        find(published[i].name, 1, *state, &net);
        assert_int_equal(net.n_layers, published[i].n_layers);
        int n = 0, first[SL_NETWORK_MAX_LAYERS];
        for (int k = 0; k < net.n_layers; k++) {
            SlLayerType type = net.layers[k].type;
            if (type == SL_CONV || type == SL_DEPTHWISE) net.layers[n++] = net.layers[k];
        }
        assert_int_equal(n, published[i].n_convs);
        net.n_layers = n;
        int n_distinct = sl_network_distinct(&net, first);
        if (published[i].n_distinct) assert_int_equal(n_distinct, published[i].n_distinct);
    }
}

static void every_network_says_what_it_is_and_where_from(void **state) {
    for (int i = 0; i < N_PUBLISHED; i++) {
        SlNetwork net;
        find(published[i].name, 1, *state, &net);
        assert_string_equal(net.name, published[i].name);
        assert_true(net.title[0] && net.source[0]);
    }
}

// ---- selectors ----

static void a_layer_comes_as_a_network_of_one(void **state) {
    const char *const selectors[] = {"resnet18:conv2_1", "resnet18:2"};
    for (int i = 0; i < 2; i++) {
        SlNetwork net;
        find(selectors[i], 1, *state, &net);
        assert_int_equal(net.n_layers, 1);
        assert_string_equal(net.name, "resnet18");
        assert_string_equal(net.layers[0].name, "conv2_1");
        char shown[128];
        assert_string_equal(sl_layer_show(net.layers, sizeof shown, shown),
                            "conv K=64 C=64 P=56 Q=56 R=3 S=3 pad=1");
        assert_int_equal(net.published_macs, 0);
    }
}

static void an_inline_layer_comes_as_a_network_of_one(void **state) {
    SlNetwork net;
    find("gemm:M=512,N=768,K=768", 4, *state, &net);
    assert_int_equal(net.n_layers, 1);
    assert_string_equal(net.name, "inline");
    assert_string_equal(net.title, "gemm M=512 N=768 K=768");
    assert_string_equal(net.layers[0].name, "gemm");
    assert_int_equal(net.layers[0].dims[SL_N], 4);
}

static void a_file_may_be_followed_by_a_layer(void **state) {
    char path[256], selector[300];
    snprintf(path, sizeof path, "/tmp/starling_test_zoo_%ld:a.yaml", (long)getpid());
    const char text[] = "- {type: conv, K: 3, name: x}\n- {type: conv, K: 4, name: y}\n";
    assert_int_equal(sl_file_write(path, text, sizeof text - 1, NULL), SL_OK);
    SlNetwork net;
    find(path, 2, *state, &net);
    assert_int_equal(net.n_layers, 2);
    assert_int_equal(net.layers[1].dims[SL_N], 2);
    snprintf(selector, sizeof selector, "%s:y", path);
    find(selector, 1, *state, &net);
    assert_int_equal(net.n_layers, 1);
    assert_int_equal(net.layers[0].dims[SL_K], 4);
    remove(path);
}

static void the_zoo_is_readable_as_files_too(void **state) {
    SlNetwork net;
    find(SL_SOURCE_DIR "/data/networks/vgg16.yaml:conv3_2", 1, *state, &net);
    assert_int_equal(net.layers[0].dims[SL_K], 256);
}

static void a_batch_multiplies_the_macs_of_every_network(void **state) {
    for (int i = 0; i < N_PUBLISHED; i++) {
        SlNetwork net;
        find(published[i].name, 16, *state, &net);
        int64_t macs = 0;
        for (int k = 0; k < net.n_layers; k++) macs += sl_layer_macs(&net.layers[k]);
        assert_int_equal(macs, net.published_macs);
        assert_int_equal(macs % 16, 0);
    }
}

static void selectors_that_mean_nothing_are_explained(void **state) {
#define SEE "; see 'starling list networks'"
    static const struct {
        const char *selector;
        int64_t batch;
        const char *sentence;
    } bad[] = {
        {"", 1, "expected a network, a layer or a file, got nothing"},
        {"resnet19", 1, "unknown network 'resnet19' (did you mean 'resnet18'?)" SEE},
        {"mobilenetv2", 1, "unknown network 'mobilenetv2' (did you mean 'mobilenet_v2'?)" SEE},
        {"nothinglikeit", 1,
         "unknown network 'nothinglikeit'" SEE
         ", or give a .yaml, .yml, .json, .csv, .m or .onnx file"},
        {"net.pb", 1,
         "unknown network 'net.pb'" SEE ", or give a .yaml, .yml, .json, .csv, .m or .onnx file"},
        {"resnet18:conv2_9", 1, "resnet18 has no layer 'conv2_9' (did you mean 'conv2_1'?)"},
        {"resnet18:whatever", 1,
         "resnet18 has no layer 'whatever'; its layers are 1 to 21, conv1 to fc"},
        {"resnet18:22", 1, "resnet18 has no layer 22, its layers are 1 to 21"},
        {"resnet18:0", 1, "resnet18 has no layer 0, its layers are 1 to 21"},
        {"resnet18:", 1, "expected the name or number of a layer after 'resnet18:'"},
        {"cov:K=3,C=2", 1, "unknown layer type 'cov' (did you mean 'conv'?)"},
        {"conv:K=3/2", 1, "K: expected a whole number from 1 to 9007199254740991, got '3/2'"},
        {"mlp", 0, "batch 0: expected 1 or more, below 2^53"},
        {"mlp", -5, "batch -5: expected 1 or more, below 2^53"},
        {"mlp", INT64_MAX, "batch 9223372036854775807: expected 1 or more, below 2^53"},
        {"mlp", INT64_C(1) << 40,
         "batch 1099511627776 is too much for layer 'fc1': the layer has 2^53 MACs or more"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlArena *arena = *state;
        SlNetwork net;
        SlError err;
        size_t used = arena->used;
        SlStatus status = sl_workload_find(bad[i].selector, bad[i].batch, arena, &net, &err);
        assert_int_equal(status, SL_EINPUT);
        assert_string_equal(err.text, bad[i].sentence);
        assert_int_equal(arena->used, used);
    }
}

static void absent_files_are_io_errors(void **state) {
    // the selector, and the file that is looked for
    const char *const absent[][2] = {{"absent.yaml", "absent.yaml"},
                                     {"absent.csv:conv1", "absent.csv"},
                                     {"./absent", "./absent"},
                                     {"a/b:c", "a/b:c"},
                                     {"a.yaml:2/b.csv:c", "a.yaml:2/b.csv"}};
    for (int i = 0; i < 5; i++) {
        SlNetwork net;
        SlError err;
        assert_int_equal(sl_workload_find(absent[i][0], 1, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.file, absent[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(every_bundled_network_has_published_totals),
        TEST_WITH_ARENA(every_network_has_its_published_macs),
        TEST_WITH_ARENA(every_network_has_its_published_parameters),
        TEST_WITH_ARENA(transformers_have_their_closed_form),
        TEST_WITH_ARENA(convolutions_repeat_as_published),
        TEST_WITH_ARENA(every_network_says_what_it_is_and_where_from),
        TEST_WITH_ARENA(a_layer_comes_as_a_network_of_one),
        TEST_WITH_ARENA(an_inline_layer_comes_as_a_network_of_one),
        TEST_WITH_ARENA(a_file_may_be_followed_by_a_layer),
        TEST_WITH_ARENA(the_zoo_is_readable_as_files_too),
        TEST_WITH_ARENA(a_batch_multiplies_the_macs_of_every_network),
        TEST_WITH_ARENA(selectors_that_mean_nothing_are_explained),
        TEST_WITH_ARENA(absent_files_are_io_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
