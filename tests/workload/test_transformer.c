// test_transformer.c - decoders by phase and length. MACs per word are those of the configurations
// that the models publish; the sums are written out here.
#include "workload_help.h"

#include <stdio.h>

static void find(const char *selector, SlArena *arena, SlNetwork *net) {
    SlError err;
    if (sl_workload_find(selector, 1, arena, net, &err) != SL_OK)
        fail_msg("%s: %s", selector, err.text);
}

static int64_t sum_macs(const SlNetwork *net, bool of_weights) {
    int64_t macs = 0;
    for (int i = 0; i < net->n_layers; i++)
        if (!of_weights || net->layers[i].type != SL_BMM) macs += sl_layer_macs(&net->layers[i]);
    return macs;
}

static const struct {
    const char *name;
    int64_t per_word; // MACs of all weights that a word meets
    int64_t blocks, heads, head_size;
} models[] = {
    // blocks * width * (2 heads + 2 kv_heads) * head_size + 3 * width * feed_forward, and the head
    {"llama3_2_1b", 1235746816, 16, 32, 64},
    {"llama3_8b", 7504658432, 32, 32, 128},
    {"qwen2_5_7b", 7070285824, 28, 28, 128},
    {"mixtral_8x7b", 12748587008, 32, 32, 128},
};

static void a_word_meets_the_published_weights_and_the_cache(void **state) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char selector[128];
        SlNetwork net;
        snprintf(selector, sizeof selector, "%s:phase=decode,kv=4096,batch=8", models[i].name);
        find(selector, *state, &net);
        int64_t attention = models[i].blocks * 2 * models[i].heads * models[i].head_size;
        assert_int_equal(sum_macs(&net, true), 8 * models[i].per_word);
        assert_int_equal(sum_macs(&net, false), 8 * (models[i].per_word + 4096 * attention));
        snprintf(selector, sizeof selector, "%s:phase=prefill,seq=100", models[i].name);
        find(selector, *state, &net);
        assert_int_equal(sum_macs(&net, false), 100 * (models[i].per_word + 100 * attention));
    }
}

static void heads_that_share_a_cache_read_it_once(void **state) {
    SlNetwork net;
    char shown[384];
    find("llama3_8b:phase=decode,kv=4096,batch=8:block1_scores", *state, &net);
    // the cache is W: 8 samples of 8 heads, 4096 positions of 128 words
    assert_int_equal(sl_layer_words(&net.layers[0], SL_W), INT64_C(8) * 8 * 4096 * 128);
    sl_layer_show(&net.layers[0], sizeof shown, shown);
    assert_string_equal(shown, "conv N=4 G=64 K=4096 C=128");
}

// words of the experts' first weight that are read
static int64_t expert_words(const char *sizes, SlArena *arena, int64_t *macs) {
    char selector[128];
    SlNetwork net;
    int64_t words = 0;
    *macs = 0;
    snprintf(selector, sizeof selector, "mixtral_8x7b:%s", sizes);
    find(selector, arena, &net);
    for (int i = 0; i < net.n_layers; i++) {
        if (strncmp(net.layers[i].name, "block1_ff_up", 12) != 0) continue;
        words += sl_layer_words(&net.layers[i], SL_W);
        *macs += sl_layer_macs(&net.layers[i]);
    }
    return words;
}

static void distinct_experts_are_those_expected(void **state) {
    // 8 (1 - (3/4)^T) for T words: 2, 3.5, 4.6, 7.2, 8
    static const struct {
        const char *sizes;
        int64_t words, experts;
    } cases[] = {
        {"phase=decode,batch=1", 1, 2},  {"phase=decode,batch=2", 2, 4},
        {"phase=decode,batch=3", 3, 5},  {"phase=decode,batch=8", 8, 7},
        {"phase=prefill,seq=64", 64, 8},
    };
    const int64_t weight = INT64_C(4096) * 14336;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t macs = 0;
        assert_int_equal(expert_words(cases[i].sizes, *state, &macs), cases[i].experts * weight);
        assert_int_equal(macs, 2 * cases[i].words * weight);
    }
}

static void wrong_sizes_are_explained(void **state) {
    static const char *const bad[][2] = {
        {"llama3_8b:phase=train", "phase: expected prefill or decode, got 'train'"},
        {"llama3_8b:phase=decode,seq=4", "phase=decode has kv=, the positions seen, and no seq="},
        {"llama3_8b:seq=0",
         "the size of seq: expected a whole number from 1 to 1073741824, got '0'"},
        {"llama3_8b:words=3", "no size is called 'words', expected phase, seq, kv, batch"},
        {"llama3_8b:seq=3,seq=3", "the size of seq is given twice"},
        {"llama3_8b:seq=1000000000,batch=1000",
         "layer 'block1_query': the layer has 2^53 MACs or more"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SlNetwork net;
        SlError err;
        assert_int_equal(sl_workload_find(bad[i][0], 1, *state, &net, &err), SL_EINPUT);
        assert_string_equal(err.text, bad[i][1]);
    }
    SlNetwork net;
    SlError err;
    assert_int_equal(sl_workload_find("llama3_8b:batch=2", 4, *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.text, "the batch is given twice: batch=2 and 4");
    assert_int_equal(sl_workload_find("llama3_8b:phase=decode", 4, *state, &net, &err), SL_OK);
    assert_int_equal(net.layers[0].dims[SL_N], 4);
}

static void documents_of_ones_own_are_checked(void **state) {
    static const BadText bad[] = {
        {"transformer: {blocks: 2, width: 8, heads: 3}", 1, 14, "missing key 'feed_forward'"},
        {"transformer: {blocks: 2, width: 8, heads: 3, kv_heads: 2, feed_forward: 9}", 1, 14,
         "transformer: heads is no multiple of kv_heads"},
        {"transformer: {blocks: 2, width: 8, heads: 2, feed_forward: 9}\nlayers: []", 1, 14,
         "a network has layers or a transformer, not both"},
    };
    SlNetwork net;
    SlError err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t n = strlen(bad[i].text);
        assert_int_equal(sl_network_parse("x.yaml", bad[i].text, n, *state, &net, &err), SL_EINPUT);
        expect_error(&err, &bad[i]);
    }
    parse_network("x.yaml", "transformer: {blocks: 2, width: 8, heads: 2, feed_forward: 9}", *state,
                  &net);
    assert_int_equal(net.n_layers, 2 * 8);
    assert_string_equal(net.layers[15].name, "block2_ff_down");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(a_word_meets_the_published_weights_and_the_cache),
        TEST_WITH_ARENA(heads_that_share_a_cache_read_it_once),
        TEST_WITH_ARENA(distinct_experts_are_those_expected),
        TEST_WITH_ARENA(wrong_sizes_are_explained),
        TEST_WITH_ARENA(documents_of_ones_own_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
