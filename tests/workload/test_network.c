// test_network.c - lists of layers: reading files, names, distinct layers, batch.
#include "workload/network_build.h"
#include "workload_help.h"

#include <stdio.h>
#include <unistd.h>

static void distinct_layers_point_to_their_first(void **state) {
    SlNetwork net;
    parse_network(
        "x.yaml",
        "[{type: conv, K: 2}, {type: conv, K: 3}, {type: linear, K: 2, C: 1}, {type: conv, K: "
        "3, pad: 1}, {type: conv, K: 3}]",
        *state, &net);
    int first[5];
    assert_int_equal(sl_network_distinct(&net, first), 3);
    const int expected[5] = {0, 1, 0, 3, 1};
    assert_memory_equal(first, expected, sizeof first);
}

static void the_largest_network_is_compared_in_a_moment(void **state) {
    SlNetwork net = {.n_layers = SL_NETWORK_MAX_LAYERS,
                     .layers = SL_NEW(*state, SL_NETWORK_MAX_LAYERS, SlLayer)};
    int *first = SL_NEW(*state, SL_NETWORK_MAX_LAYERS, int);
    for (int i = 0; i < net.n_layers; i++) {
        sl_layer_init(&net.layers[i]);
        net.layers[i].dims[SL_S] = i % 4000 + 1;
    }
    assert_int_equal(sl_network_distinct(&net, first), 4000);
    assert_int_equal(first[4095], 95);
}

static void layers_are_found_by_name_then_by_number(void **state) {
    SlNetwork net;
    parse_network("x.yaml", "[{type: conv, name: a}, {type: conv, name: 1}, {type: conv}]", *state,
                  &net);
    assert_int_equal(sl_network_layer(&net, "a"), 0);
    assert_int_equal(sl_network_layer(&net, "1"), 1); // a name wins
    assert_int_equal(sl_network_layer(&net, "2"), 1);
    assert_int_equal(sl_network_layer(&net, "3"), 2);
    assert_int_equal(sl_network_layer(&net, "layer3"), 2);
    const char *const absent[] = {"0", "4", "-1", "", "A", "a ", "99999999999999999999"};
    for (int i = 0; i < 7; i++) assert_int_equal(sl_network_layer(&net, absent[i]), -1);
}

static void a_batch_multiplies_samples_and_brings_operands_along(void **state) {
    SlNetwork net;
    parse_network("x.yaml",
                  "published: {macs: 7, params: 5}\n"
                  "layers: [{type: conv, N: 2, K: 3}, {type: gemm, M: 4, N: 1, K: 1},"
                  " {type: bmm, B: 12, M: 1, N: 1, K: 1}]",
                  *state, &net);
    sl_network_set_batch(&net, 8);
    assert_int_equal(net.layers[0].dims[SL_N], 16);
    assert_int_equal(net.layers[1].dims[SL_N], 8);
    // each sample has its own two matrices: more of them, not more rows against one W
    assert_int_equal(net.layers[2].dims[SL_N], 1);
    assert_int_equal(net.layers[2].dims[SL_G], 96);
    assert_int_equal(net.published_macs, 56);
    assert_int_equal(net.published_params, 5);
}

static void a_batch_never_wraps_around(void **state) {
    SlNetwork net;
    parse_network("x.yaml", "[{type: conv, N: 1e9}]", *state, &net);
    sl_network_set_batch(&net, INT64_MAX);
    assert_int_equal(net.layers[0].dims[SL_N], SL_MACS_LIMIT);
    assert_non_null(sl_layer_check(&net.layers[0]));
}

static void a_network_is_named_after_its_file(void **state) {
    const char *const names[][2] = {{"nets/my net.v2.yaml", "my_net.v2"},
                                    {"plain", "plain"},
                                    {"a/.yaml", ".yaml"},
                                    {"dir/", "network"},
                                    {"caf\xc3\xa9.csv.yaml", "caf__.csv"}};
    for (int i = 0; i < 5; i++) {
        SlNetwork net;
        parse_network(names[i][0], "[{type: conv}]", *state, &net);
        assert_string_equal(net.name, names[i][1]);
    }
}

// a file with this ending and text; returns its path
static const char *write_temporary(const char *ending, const char *text, char path[static 256]) {
    snprintf(path, 256, "/tmp/starling_test_network_%ld%s", (long)getpid(), ending);
    assert_int_equal(sl_file_write(path, text, strlen(text), NULL), SL_OK);
    return path;
}

static void files_are_read_by_their_ending(void **state) {
    const char *const files[][2] = {{".yaml", "- {type: gemm, M: 3, N: 1, K: 1}\n"},
                                    {".json", "{\"type\": \"gemm\", \"M\": 3, \"N\": 1, \"K\": 1}"},
                                    {".csv", "type,M,N,K\ngemm,3,1,1\n"}};
    for (int i = 0; i < 3; i++) {
        char path[256];
        SlNetwork net;
        SlError err;
        write_temporary(files[i][0], files[i][1], path);
        SlStatus status = sl_network_read(path, *state, &net, &err);
        remove(path);
        assert_int_equal(status, SL_OK);
        assert_int_equal(net.n_layers, 1);
        assert_int_equal(net.layers[0].dims[SL_P], 3);
    }
}

// the text between "```kind" and "```" of a page, closed in place
static char *code_block(char *page, const char *kind) {
    char fence[32];
    snprintf(fence, sizeof fence, "```%s\n", kind);
    char *start = strstr(page, fence);
    assert_non_null(start);
    start += strlen(fence);
    char *end = strstr(start, "```");
    assert_non_null(end);
    *end = 0;
    return start;
}

static void the_examples_of_the_format_page_are_right(void **state) {
    SlNetwork net;
    char *page = NULL;
    size_t n = 0;
    const char *path = SL_SOURCE_DIR "/docs/formats/network.md";
    assert_int_equal(sl_file_read(path, 1 << 20, *state, &page, &n, NULL), SL_OK);
    char *yaml = code_block(page, "yaml");
    char *csv = code_block(yaml + strlen(yaml) + 1, "csv");
    parse_network("example.yaml", yaml, *state, &net);
    int64_t macs = 0, weights = 0;
    for (int i = 0; i < net.n_layers; i++) {
        macs += sl_layer_macs(&net.layers[i]);
        weights += sl_layer_words(&net.layers[i], SL_W);
    }
    assert_int_equal(macs, net.published_macs);
    assert_int_equal(weights + net.other_params, net.published_params);
    assert_string_equal(net.layers[4].name, "block2_dw");
    parse_network("example.csv", csv, *state, &net);
    assert_int_equal(net.n_layers, 2);
    assert_int_equal(net.layers[0].dims[SL_P], 112);
}

static void an_absent_file_is_an_io_error(void **state) {
    SlNetwork net;
    SlError err;
    assert_int_equal(sl_network_read("/nowhere/x.yaml", *state, &net, &err), SL_EINPUT);
    assert_string_equal(err.file, "/nowhere/x.yaml");
}

static void too_little_memory_is_said_and_leaves_nothing_behind(void **state) {
    (void)state;
    const char *const texts[][2] = {
        {"x.yaml", "layers:\n  - repeat: 9\n    layers: [{type: conv, name: a}]\n"},
        {"x.csv", "type,K\nconv,3\ndw,\nconv,4\n"}};
    for (int i = 0; i < 2; i++) {
        SlStatus status = SL_ENOMEM;
        int failures = 0;
        for (size_t limit = 1; status != SL_OK && limit < 100000; limit += 64) {
            SlArena arena;
            SlNetwork net;
            SlError err = {.text = ""};
            sl_arena_init(&arena, limit);
            size_t n = strlen(texts[i][1]);
            status = sl_network_parse(texts[i][0], texts[i][1], n, &arena, &net, &err);
            if (status != SL_OK) {
                failures++;
                assert_int_equal(status, SL_ENOMEM);
                assert_true(err.text[0]);
                assert_int_equal(arena.used, 0);
            }
            sl_arena_free(&arena);
        }
        assert_int_equal(status, SL_OK);
        assert_true(failures > 3);
    }
}

// a copy of the text with a few bytes overwritten, cut out or doubled
static size_t damage(const char *text, size_t n, SlRng *rng, char *out) {
    memcpy(out, text, n);
    static const char spice[] = "0123456789-:,.{}[]\"'#&*!|>%@` \n\t\xff\x80x_eE";
    for (int64_t left = sl_rng_range(rng, 1, 6); left > 0 && n > 8; left--) {
        size_t at = (size_t)sl_rng_below(rng, n - 4), some = (size_t)sl_rng_range(rng, 1, 4);
        switch (sl_rng_below(rng, 3)) {
        case 0:
            out[at] = spice[sl_rng_below(rng, sizeof spice - 1)];
            break;
        case 1:
            memmove(out + at, out + at + some, n - at - some);
            n -= some;
            break;
        default:
            memmove(out + at + some, out + at, n - at - some);
            break;
        }
    }
    return n;
}

static void damaged_files_are_read_or_refused_but_never_trusted(void **state) {
    (void)state;
    static const char csv[] = "# nets\nname,type,K,C,P,Q,R,S,stride,pad,M,N,B,bytes\n"
                              "a,conv,64,3,112,112,7,7,2,3,,,,\nb,\"bmm\",64,,,,,,,,7,8,12,1x1x4\n";
    const SlBundled *bert = sl_bundle_find("networks", "bert_base");
    const SlBundled *mlp = sl_bundle_find("networks", "mlp");
    assert_true(bert && mlp);
    const char *const texts[3] = {bert->text, mlp->text, csv};
    SlRng rng;
    sl_rng_init(&rng, 1, "workload/damaged files");
    int read = 0, refused = 0;
    for (int i = 0; i < 3000; i++) {
        char copy[8192];
        size_t n = strlen(texts[i % 3]);
        assert_true(n < sizeof copy);
        n = damage(texts[i % 3], n, &rng, copy);
        SlArena arena;
        SlNetwork net;
        SlError err = {.text = ""};
        sl_arena_init(&arena, 0);
        SlStatus status =
            sl_network_parse(i % 3 == 2 ? "x.csv" : "x.yaml", copy, n, &arena, &net, &err);
        for (int k = 0; status == SL_OK && k < net.n_layers; k++)
            assert_null(sl_layer_check(&net.layers[k]));
        if (status != SL_OK) assert_true(status == SL_EINPUT && err.text[0] && err.line > 0);
        read += status == SL_OK;
        refused += status != SL_OK;
        sl_arena_free(&arena);
    }
    assert_true(read > 100 && refused > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(distinct_layers_point_to_their_first),
        TEST_WITH_ARENA(the_largest_network_is_compared_in_a_moment),
        TEST_WITH_ARENA(layers_are_found_by_name_then_by_number),
        TEST_WITH_ARENA(a_batch_multiplies_samples_and_brings_operands_along),
        TEST_WITH_ARENA(a_batch_never_wraps_around),
        TEST_WITH_ARENA(a_network_is_named_after_its_file),
        TEST_WITH_ARENA(files_are_read_by_their_ending),
        TEST_WITH_ARENA(the_examples_of_the_format_page_are_right),
        TEST_WITH_ARENA(an_absent_file_is_an_io_error),
        TEST_WITH_ARENA(too_little_memory_is_said_and_leaves_nothing_behind),
        TEST_WITH_ARENA(damaged_files_are_read_or_refused_but_never_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
