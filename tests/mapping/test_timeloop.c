// test_timeloop.c - Timeloop documents: what is written reads back, what others write is read.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "mapping/nest_inside.h"
#include "nest_cases.h"

static SlStatus parse(const char *text, const char *layer, const SlAccel *accel, SlMapping *mapping,
                      SlError *err) {
    SlArena arena;
    SlLayer shape = layer_of(layer);
    sl_arena_init(&arena, 0);
    SlStatus status =
        sl_timeloop_parse("t.yaml", text, strlen(text), &shape, accel, &arena, mapping, err);
    assert_int_equal(arena.used, 0);
    sl_arena_free(&arena);
    return status;
}

static void expect_nest(const char *yaml, const char *layer, const SlAccel *accel,
                        const char *nest) {
    SlMapping mapping;
    SlError err;
    char text[SL_NEST_TEXT_MAX];
    if (parse(yaml, layer, accel, &mapping, &err) != SL_OK)
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), nest);
}

static void expect_error(const char *yaml, const char *layer, const SlAccel *accel,
                         const char *sentence) {
    SlMapping mapping;
    SlError err;
    char text[800];
    assert_int_equal(parse(yaml, layer, accel, &mapping, &err), SL_EINPUT);
    assert_string_equal(sl_error_text(&err, sizeof text, text), sentence);
    assert_int_equal(mapping.n_loops, 0);
}

// the document of a nest, or NULL where there is none
static const char *document(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                            SlArena *arena, const char **why) {
    SlText out;
    sl_text_init(&out, arena);
    *why = sl_timeloop_write(layer, accel, mapping, &out);
    assert_false(out.failed);
    if (*why) assert_int_equal(out.n, 0);
    return *why ? NULL : out.data;
}

static void expect_reason(const char *layer, const char *accel, const char *nest,
                          const char *reason) {
    SlArena arena;
    SlLayer shape = layer_of(layer);
    SlAccel machine = accel_of(accel);
    SlMapping mapping = nest_of(nest);
    const char *why;
    sl_arena_init(&arena, 0);
    assert_null(document(&shape, &machine, &mapping, &arena, &why));
    assert_string_equal(why, reason);
    sl_arena_free(&arena);
}

// write, read with and without the accelerator, compare byte by byte
static bool goes_round(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping) {
    SlArena arena;
    SlMapping plain = *mapping, back;
    SlError err;
    const char *why;
    sl_arena_init(&arena, 0);
    const char *yaml = document(layer, accel, mapping, &arena, &why);
    sl_mapping_simplify(layer, &plain);
    for (int named = 0; named < 2 && yaml; named++) {
        SlStatus status = sl_timeloop_parse("t.yaml", yaml, strlen(yaml), layer,
                                            named ? accel : NULL, &arena, &back, &err);
        if (status != SL_OK) fail_msg("%d:%d: %s\n%s", err.line, err.column, err.text, yaml);
        assert_memory_equal(&plain, &back, sizeof back);
        assert_true(sl_mapping_key(layer, mapping) == sl_mapping_key(layer, &back));
        assert_true(sl_timeloop_looks_like(yaml, strlen(yaml)));
    }
    sl_arena_free(&arena);
    return yaml != NULL;
}

// every tile becomes the largest one that divides what is outside it
static void even_out(const SlLayer *layer, SlMapping *mapping) {
    int64_t extent[SL_N_DIMS];
    memcpy(extent, layer->dims, sizeof extent);
    for (int i = 0; i < mapping->n_loops; i++) {
        SlLoop *loop = &mapping->loops[i];
        if (loop->tile > extent[loop->dim]) loop->tile = extent[loop->dim];
        while (extent[loop->dim] % loop->tile != 0) loop->tile--;
        extent[loop->dim] = loop->tile;
    }
}

// mappings of a layer on an accelerator, drawn from its space, with tiles that divide
static void draw_and_go_round(const char *selector, const char *accel_name, int n) {
    SlArena arena;
    SlSpace space;
    SlError err;
    SlRng rng;
    SlNetwork net;
    int32_t point[SL_MAX_PARAMS];
    SlAccel accel = accel_of(accel_name);
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    sl_arena_init(&arena, 0);
    if (sl_workload_find(selector, 1, &arena, &net, &err) != SL_OK) fail_msg("%s", err.text);
    if (sl_space_make(&net.layers[0], &accel, &options, &arena, &space, &err) != SL_OK)
        fail_msg("%s on %s: %s", selector, accel_name, err.text);
    sl_rng_init(&rng, 1, "timeloop");
    for (int i = 0; i < n; i++) {
        SlMapping mapping;
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &mapping);
        even_out(&net.layers[0], &mapping);
        assert_true(goes_round(&net.layers[0], &accel, &mapping));
    }
    sl_arena_free(&arena);
}

static void mappings_of_real_layers_go_round(void **state) {
    (void)state;
    static const char *const layers[] = {"resnet18:conv2_1", "resnet18:conv1", "mobilenet_v2:2",
                                         "gemm:M=512,N=768,K=768", "bmm:B=12,M=128,N=128,K=64"};
    static const char *const accels[] = {"eyeriss", "flex256", "gemmini", "nvdla",
                                         "simba",   "tpu",     "golden"};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        for (size_t k = 0; k < sizeof accels / sizeof *accels; k++)
            draw_and_go_round(layers[i], accels[k], 10);
}

// spatial loops anywhere, dims several times in a row, levels that keep nothing
static void random_nests_on_random_machines_go_round(void **state) {
    (void)state;
    SlRng rng;
    int same_levels = 0;
    sl_rng_init(&rng, 1, "timeloop nests");
    while (same_levels < 300) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping;
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        accel_sample(&rng, &accel);
        if (accel.n_levels != mapping.n_boundaries + 1) continue;
        for (int d = 0; d < SL_N_DIMS; d++)
            if (layer.dims[d] > 5000) layer.dims[d] = 5000; // even_out walks
        even_out(&layer, &mapping);
        assert_true(goes_round(&layer, &accel, &mapping));
        same_levels++;
    }
}

static void the_document_says_what_the_nest_does(void **state) {
    (void)state;
    SlArena arena;
    SlLayer layer = layer_of("conv:K=32,C=16,P=12,Q=12,R=3,S=3,stride=2x1");
    SlAccel accel = accel_of("eyeriss");
    SlMapping mapping = nest_of("K:8 @7 C*4 P:2 Q*1 P:1 @5 K:1 C:1 R:1 S:1");
    const char *why;
    sl_arena_init(&arena, 0);
    const char *yaml = document(&layer, &accel, &mapping, &arena, &why);
    assert_non_null(yaml);
    static const char *const parts[] = {
        "    dimensions: [N, G, K, C, P, Q, R, S]\n",
        "[[R, Wdilation], [P, Wstride]], [[S, Hdilation], [Q, Hstride]]",
        "    K: 32\n    C: 16\n    P: 12\n    Q: 12\n    R: 3\n    S: 3\n    Wstride: 2\n"
        "    Hstride: 1\n",
        "  - !Component\n    name: L2\n    class: SRAM\n    attributes:\n      depth: 108000\n"
        "      width: 8\n      datawidth: 8\n",
        "  - !Container\n    name: L2_fanout\n    spatial: {meshX: 4}\n",
        "  - !Container\n    name: L2_fanout2\n    spatial: {meshX: 36}\n", // 168 / 4 / 12 = 3
        "  - target: DRAM\n    type: temporal\n"
        "    factors: [N=1, G=1, K=4, C=1, P=1, Q=1, R=1, S=1]\n"
        "    permutation: [K, N, G, C, P, Q, R, S]\n",
        "  - target: L2_fanout\n    type: spatial\n"
        "    factors: [N=1, G=1, K=1, C=4, P=1, Q=1, R=1, S=1]\n",
        "  - target: L2_step\n    type: dataspace\n    keep: []\n"
        "    bypass: [Weights, Inputs, Outputs]\n",
        "  - target: L2_step\n    type: temporal\n"
        "    factors: [N=1, G=1, K=1, C=1, P=6, Q=1, R=1, S=1]\n",
        "  - target: L1\n    type: dataspace\n    keep: [Weights, Outputs]\n    bypass: [Inputs]\n",
        "    factors: [N=1, G=1, K=8, C=4, P=1, Q=1, R=3, S=3]\n"
        "    permutation: [S, R, C, K, N, G, P, Q]\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(yaml, parts[i])) fail_msg("missing:\n%s\nin\n%s", parts[i], yaml);
    assert_null(strstr(yaml, "no_reuse"));
    sl_arena_free(&arena);
}

static void a_network_without_multicast_is_told(void **state) {
    (void)state;
    SlArena arena;
    SlLayer layer = layer_of("conv:K=4");
    SlAccel accel = accel_of("eyeriss");
    SlMapping mapping = nest_of("@7 K*1 @7");
    const char *why;
    accel.fanouts[1].multicast = false;
    sl_arena_init(&arena, 0);
    const char *yaml = document(&layer, &accel, &mapping, &arena, &why);
    assert_non_null(strstr(yaml, "    no_reuse: [Weights, Inputs]\n"));
    assert_true(goes_round(&layer, &accel, &mapping));
    sl_arena_free(&arena);
}

static void what_timeloop_cannot_say_is_refused_with_the_reason(void **state) {
    (void)state;
    expect_reason("conv:K=7", "eyeriss", "K:3 @7 @7 K:1",
                  "the tiles of K do not divide, and Timeloop v4 has no remainders");
    expect_reason("conv:P=12", "eyeriss", "P:6 @7 P:4 @7 P:1",
                  "the tiles of P do not divide, and Timeloop v4 has no remainders");
    expect_reason("conv:K=4", "eyeriss", "@7 K:1",
                  "the nest has another number of storage levels than the accelerator");
    expect_reason("conv:K=4", "eyeriss", "@7 @7 K:2", "the last loop over K must have tiles of 1");
}

static void two_levels_of_one_name_for_timeloop_are_refused(void **state) {
    (void)state;
    SlArena arena;
    SlLayer layer = layer_of("conv:K=4");
    SlAccel accel = accel_of("eyeriss");
    SlMapping mapping = nest_of("@7 @7 K:1");
    const char *why;
    strcpy(accel.levels[1].name, "L-1");
    strcpy(accel.levels[2].name, "L.1");
    sl_arena_init(&arena, 0);
    assert_null(document(&layer, &accel, &mapping, &arena, &why));
    assert_string_equal(why, "two levels would have the same name for Timeloop");
    strcpy(accel.levels[2].name, "1");
    assert_true(goes_round(&layer, &accel, &mapping));
    strcpy(accel.levels[2].name, "mac");
    assert_null(document(&layer, &accel, &mapping, &arena, &why));
    assert_string_equal(why, "a level is called as another part of the document ('system', 'mac')");
    sl_arena_free(&arena);
}

// --- reading what others write

static const char shape[] = "conv:K=8,C=4,P=6";

static void all_spellings_of_factors_read(void **state) {
    (void)state;
    static const char *const spellings[] = {
        "factors: K=4 C=1 P=6, permutation: PKC",
        "factors: [K=4, C=1, P=6], permutation: [P, K, C]",
        "factors: 'M=4,P=6', permutation: 'P,M'",
        "factors: 'M4 P6 C1 N1', permutation: P M C",
        "factors: [M = 4, P= 6], permutation: [P, M]",
        "factors: P=0 K=4, permutation: PK",
        "factors: P=6 K=4, permutation: P", // K lies outside
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        char yaml[512];
        snprintf(yaml, sizeof yaml,
                 "mapping:\n- {target: a, type: temporal, %s}\n"
                 "- {target: b, type: temporal, factors: %s}\n",
                 spellings[i],
                 strchr(spellings[i], 'M') ? "[M=2, C=4], permutation: MC"
                                           : "[K=2, C=4], permutation: KC");
        expect_nest(yaml, shape, NULL, "K:2 P:1 @7 C:1 K:1");
    }
    expect_nest("[{target: a, type: temporal, factors: C=4}, {target: b, type: spatial, "
                "factors: [K=8, P=6]}]",
                shape, NULL, "C:1 P*1 K*1");
}

static void the_problem_orders_what_a_permutation_leaves_out(void **state) {
    (void)state;
    static const char form[] =
        "problem:\n  shape: {dimensions: [%s]}\n  instance: {M: 8, C: 4, P: 6, Wpad: 1}\n"
        "mapping: [{target: a, type: temporal, factors: M=8 C=4 P=6}]\n";
    char yaml[512];
    snprintf(yaml, sizeof yaml, form, "C, M, P"); // the last one outermost
    expect_nest(yaml, shape, NULL, "P:1 K:1 C:1");
    snprintf(yaml, sizeof yaml, form, "P, C, M");
    expect_nest(yaml, shape, NULL, "K:1 C:1 P:1");
}

// the spread lies below the target in a bare list, above a component with a fan-out of its own
static void spatial_loops_lie_where_their_target_does(void **state) {
    (void)state;
    static const char list[] = "- {target: DRAM, type: temporal, factors: C=4}\n"
                               "- {target: GLB, type: temporal, factors: K=2}\n"
                               "- {target: GLB, type: spatial, factors: K=4}\n"
                               "- {target: RF, type: temporal, factors: P=6}\n";
    char yaml[1024];
    snprintf(yaml, sizeof yaml, "mapping:\n%s", list);
    expect_nest(yaml, shape, NULL, "C:1 @7 K:4 K*1 @7 P:1");
    snprintf(yaml, sizeof yaml,
             "mapping:\n%s"
             "architecture:\n"
             "  nodes:\n"
             "  - !Component {name: DRAM, class: DRAM}\n"
             "  - !Hierarchical\n"
             "    nodes:\n"
             "    - !Component {name: GLB, class: SRAM, spatial: {meshX: 2, meshY: 2}}\n"
             "    - !Parallel\n"
             "      nodes:\n"
             "      - !Component {name: RF, class: smartbuffer_RF,\n"
             "          constraints: {dataspace: {keep: [Weights], bypass: [Inputs]}}}\n",
             list);
    expect_nest(yaml, shape, NULL, "C:1 K*2 @7 K:1 @5 P:1");
}

static void levels_are_matched_with_those_of_the_accelerator(void **state) {
    (void)state;
    SlAccel eyeriss = accel_of("eyeriss"), gemmini = accel_of("gemmini");
    const char *named = "mapping:\n"
                        "- {target: l1, type: temporal, factors: P=6}\n"
                        "- {target: L2, type: bypass, bypass: ['*']}\n"
                        "- {target: L2, type: temporal, factors: K=8}\n"
                        "- {target: DRAM, type: temporal, factors: C=4}\n";
    expect_nest(named, shape, &eyeriss, "C:1 @0 K:1 @7 P:1");
    expect_nest(named, shape, NULL, "C:1 K:1 @7 P:1"); // keeps nothing: just a place
    const char *other = "mapping:\n"
                        "- {target: a, type: temporal, factors: C=4}\n"
                        "- {target: b, type: temporal, factors: K=8}\n"
                        "- {target: c, type: temporal, factors: P=6}\n";
    expect_nest(other, shape, &eyeriss, "C:1 @7 K:1 @7 P:1");
    expect_error(other, shape, &gemmini,
                 "t.yaml:4:12: the mapping has 3 storage levels, gemmini has 4");
    expect_error("mapping:\n"
                 "- {target: DRAM, type: temporal, factors: C=4}\n"
                 "- {target: L1, type: temporal, factors: K=8}\n"
                 "- {target: L2, type: temporal, factors: P=6}\n",
                 shape, &eyeriss, "t.yaml:3:12: expected level 'L2' of eyeriss here, found 'L1'");
    const char *four = "mapping:\n"
                       "- {target: a, type: temporal, factors: C=4}\n"
                       "- {target: b, type: temporal}\n"
                       "- {target: c, type: temporal}\n"
                       "- {target: d, type: temporal, factors: [K=8, P=6], permutation: KP}\n";
    expect_nest(four, shape, &gemmini, "C:1 @3 @4 @1 P:1 K:1"); // what each can hold
}

// a mapping list of a nest whose tiles divide those outside them, but not the layer
static void write_remainders(const SlLayer *layer, const SlMapping *nest, SlText *out) {
    for (int i = 0; i < nest->n_loops; i++) {
        const SlLoop *loop = &nest->loops[i];
        int64_t outside = layer->dims[loop->dim], whole = (outside - 1) / loop->tile + 1;
        int64_t last = whole; // of this loop in the last of all iterations outside it
        for (int k = 0; k < i; k++)
            if (nest->loops[k].dim == loop->dim) {
                outside = nest->loops[k].tile;
                last = ((layer->dims[loop->dim] - 1) % outside) / loop->tile + 1;
                whole = outside / loop->tile;
            }
        sl_text_add(out, "- {target: t%d, type: %s, factors: '%s=%lld,%lld'}\n", i,
                    loop->spatial ? "spatial" : "temporal", sl_dim_names[loop->dim],
                    (long long)whole, (long long)last);
    }
}

static void remainders_read_as_tiles_that_do_not_divide(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "remainders");
    for (int i = 0; i < 500; i++) {
        SlLayer layer = layer_of("conv:K=2");
        layer.dims[SL_K] = 2 + sl_rng_below(&rng, 300);
        layer.dims[SL_P] = 2 + sl_rng_below(&rng, 30);
        SlMapping nest = {0}, back;
        int64_t tile[SL_N_DIMS];
        for (int d = 0; d < SL_N_DIMS; d++) tile[d] = 1;
        for (int k = 5; k-- > 0;) { // from the inside out
            uint8_t d = k % 2 ? SL_P : SL_K;
            nest.loops[k].dim = d;
            nest.loops[k].tile = tile[d];
            tile[d] *= 1 + (int64_t)sl_rng_below(&rng, 5);
        }
        nest.n_loops = 5;
        sl_mapping_simplify(&layer, &nest);
        SlArena arena;
        SlText out;
        SlError err;
        sl_arena_init(&arena, 0);
        sl_text_init(&out, &arena);
        write_remainders(&layer, &nest, &out);
        if (sl_timeloop_parse("t.yaml", out.data, out.n, &layer, NULL, &arena, &back, &err) !=
            SL_OK)
            fail_msg("%d: %s\n%s", err.line, err.text, out.data);
        assert_int_equal(back.n_loops, nest.n_loops);
        assert_memory_equal(back.loops, nest.loops, sizeof nest.loops);
        sl_arena_free(&arena);
    }
    // as a list in brackets cuts it
    expect_nest("[{target: a, type: temporal, factors: K=3}, {target: b, type: temporal, factors: "
                "[K=4, 2, P=1]}]",
                "conv:K=10", NULL, "K:4 @7 K:1");
}

static void mistakes_are_named_at_their_place(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *sentence;
    } bad[] = {
        {"mapping: 3", "t.yaml:1:10: mapping: expected a list, got '3'"},
        {"mapping: []", "t.yaml:1:10: expected at least one entry in the mapping"},
        {"nest: 3", "t.yaml:1:1: unknown key 'nest'"},
        {"[{target: a}]", "t.yaml:1:2: missing key 'type'"},
        {"[{type: temporal}]", "t.yaml:1:2: missing key 'target'"},
        {"[{target: a, type: temporal, factor: K=8}]",
         "t.yaml:1:30: unknown key 'factor' (did you mean 'factors'?)"},
        {"[{target: a, type: temporal, no_reuse: [Inputs]}]",
         "t.yaml:1:40: 'no_reuse' cannot be expressed as a nest"},
        {"[{target: a, type: temporal, keep: [Inputs]}]",
         "t.yaml:1:2: 'keep' belongs into an entry of type dataspace"},
        {"[{target: a, type: bypass, permutation: K}]",
         "t.yaml:1:2: 'permutation' belongs into an entry of type temporal or spatial"},
        {"[{target: a, type: temporal}, {target: a, type: temporal}]",
         "t.yaml:1:31: a second entry of this type for 'a'"},
        {"[{target: a, type: temporal, factors: X=8}]",
         "t.yaml:1:39: unknown dim 'X', expected one of N G K C P Q R S (or M for K, not both)"},
        {"[{target: a, type: temporal, factors: M=8 K=1}]",
         "t.yaml:1:39: unknown dim 'K', expected one of N G K C P Q R S (or M for K, not both)"},
        {"[{target: a, type: temporal, factors: K=8 K=1}]", "t.yaml:1:39: two factors of K"},
        {"[{target: a, type: temporal, factors: K=}]",
         "t.yaml:1:39: expected factors like 'K=4', found no number in 'K='"},
        {"[{target: a, type: temporal, factors: K<=8}]",
         "t.yaml:1:39: expected factors like 'K=4', found no number in 'K<=8'"},
        {"[{target: a, type: temporal, factors: [3]}]", "t.yaml:1:40: expected factors like 'K=4'"},
        {"[{target: a, type: temporal, factors: K=99999999999999999999}]",
         "t.yaml:1:39: expected factors below 2^53"},
        {"[{target: a, type: temporal, factors: 'K=4,5'}]",
         "t.yaml:1:39: the last iterations of K must be 1 to 4, not 5"},
        {"[{target: a, type: temporal, factors: 'K=4,0'}]",
         "t.yaml:1:39: the last iterations of K must be 1 to 4, not 0"},
        {"[{target: a, type: temporal, factors: 'K=8,7 C=4 P=6', permutation: KCP}]",
         "t.yaml:1:2: the outermost loop over K has no loop outside it whose last iteration could "
         "be shorter"},
        {"[{target: a, type: temporal, factors: K=8 C=4 P=6}]",
         "t.yaml:1:2: expected a permutation of the dims that iterate ('permutation: RPK', "
         "innermost first)"},
        {"[{target: a, type: temporal, factors: K=8, permutation: KCK}]",
         "t.yaml:1:57: the permutation has K twice"},
        {"[{target: a, type: temporal, factors: K=4 C=4 P=6, permutation: KCP}]",
         "t.yaml:1:1: the factors of K multiply to 4, the layer has K=8"},
        {"[{target: a, type: temporal, factors: K=0}, {target: b, type: temporal, factors: K=3}]",
         "t.yaml:1:2: the other factors of K do not divide the layer's 8, so 0 (all the rest) is "
         "no number"},
        {"[{target: a, type: temporal, factors: K=0}, {target: b, type: temporal, factors: K=0}]",
         "t.yaml:1:45: a second factor of K is 0 (all the rest)"},
        {"[{target: a, type: temporal}, {target: b, type: dataspace, keep: [Weights]}]",
         "t.yaml:1:40: 'b' has no entry of type temporal or spatial, so its place is unknown"},
        {"[{target: a, type: dataspace, keep: [Weights], bypass: [Weights]}]",
         "t.yaml:1:2: a tensor is both kept and bypassed"},
        {"[{target: a, type: temporal}, {target: a, type: dataspace, bypass: [Inputs]}]",
         "t.yaml:1:11: the outermost level 'a' must keep all tensors"},
        {"[{target: a, type: spatial, factors: K=8}, {target: b, type: temporal}]",
         "t.yaml:1:11: 'a' lies outside all storage levels: expected the memory outside (DRAM) "
         "first"},
        {"architecture: {nodes: [{name: b, class: SRAM}]}\n"
         "mapping: [{target: a, type: temporal}]",
         "t.yaml:2:20: the architecture has no node 'a'"},
        {"problem: {instance: {K: 9}}\nmapping: []",
         "t.yaml:1:25: the problem has K=9, the layer 8"},
        {"problem: {instance: {K: 8, C: 4}}\nmapping: []",
         "t.yaml:1:21: the problem has no P, the layer has P=6"},
        {"problem: {instance: {K: 8, C: 4, P: 6, Wstride: 2}}\nmapping: []",
         "t.yaml:1:49: the problem has Wstride=2, the layer 1"},
        {"problem: {instance: {K: 8, Z: 4}}\nmapping: []",
         "t.yaml:1:28: unknown key 'Z', expected dims (N G K C P Q R S, or M for K), Wstride, "
         "Hstride, Wdilation or Hdilation"},
        {"problem: {}\nmapping: []", "t.yaml:1:10: missing key 'instance'"},
        {"problem: {shape: {dimensions: [K, M]}}\nmapping: []",
         "t.yaml:1:35: unknown or repeated dim 'M', expected some of N G K C P Q R S (or M for K, "
         "not both)"},
        {"mapping:\n- !Component\n  target: a\n", // tags belong to an architecture
         "t.yaml:2:3: tags are not supported: remove the tag '!Component'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_error(bad[i].yaml, shape, NULL, bad[i].sentence);
}

static void wrong_kinds_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "3",
        "mapping: [3]",
        "[{target: [], type: temporal}]",
        "[{target: a, type: []}]",
        "[{target: a, type: skew}]",
        "[{target: a, type: temporal, factors: {K: 8}}]",
        "[{target: a, type: temporal, factors: [[K]]}]",
        "[{target: a, type: temporal, permutation: {}}]",
        "[{target: a, type: dataspace, keep: Weights}]",
        "[{target: a, type: dataspace, keep: [W]}]",
        "architecture: {nodes: 3}\nmapping: [{target: a, type: temporal}]",
        "architecture: {nodes: [3]}\nmapping: [{target: a, type: temporal}]",
        "problem: 3\nmapping: [{target: a, type: temporal}]",
        "problem: {instance: []}\nmapping: [{target: a, type: temporal}]",
        "problem: {shape: {dimensions: K}}\nmapping: [{target: a, type: temporal}]",
        "problem: {instance: {K: x}}\nmapping: [{target: a, type: temporal}]",
        "mapping: [",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SlMapping mapping;
        SlError err = {.text = ""};
        if (parse(bad[i], shape, NULL, &mapping, &err) != SL_EINPUT) fail_msg("read: %s", bad[i]);
        assert_true(err.text[0] != '\0');
    }
}

static void more_levels_or_loops_than_a_nest_has_are_refused(void **state) {
    (void)state;
    char yaml[8192] = "mapping:\n";
    for (int i = 0; i < 8; i++)
        snprintf(yaml + strlen(yaml), 64, "- {target: t%d, type: temporal}\n", i);
    expect_error(yaml, "conv:K=1", NULL, "t.yaml:9:12: a nest has at most 7 storage levels");
    strcpy(yaml, "mapping:\n- {target: t, type: temporal}\n");
    for (int i = 0; i < 41; i++)
        snprintf(yaml + strlen(yaml), 64, "- {target: t%d, type: spatial, factors: K=2}\n", i);
    expect_error(yaml, "conv:K=2199023255552", NULL, "t.yaml:2:1: a nest has at most 40 loops");
    strcpy(yaml, "mapping:\n");
    for (int i = 0; i < 65; i++)
        snprintf(yaml + strlen(yaml), 64, "- {target: t%d, type: spatial}\n", i);
    expect_error(yaml, "conv:K=1", NULL, "t.yaml:66:3: more than 64 targets");
}

static void too_little_memory_is_told(void **state) {
    (void)state;
    const char *yaml = "[{target: a, type: temporal, factors: K=8}]";
    SlLayer layer = layer_of("conv:K=8");
    SlArena arena;
    SlMapping mapping;
    SlError err;
    SlStatus status = SL_ENOMEM;
    int failures = -1;
    for (size_t limit = 32; status == SL_ENOMEM; limit += 512, failures++) {
        sl_arena_init(&arena, limit);
        status =
            sl_timeloop_parse("t.yaml", yaml, strlen(yaml), &layer, NULL, &arena, &mapping, &err);
        assert_int_equal(arena.used, 0);
        sl_arena_free(&arena);
    }
    assert_int_equal(status, SL_OK);
    assert_true(failures > 3);
}

static bool looks(const char *text) {
    return sl_timeloop_looks_like(text, strlen(text));
}

static void timeloop_mappings_are_told_from_ours(void **state) {
    (void)state;
    assert_true(looks("mapping:\n  - target: DRAM\n"));
    assert_true(looks("mapping:\n- type: temporal\n  target : DRAM\n"));
    assert_true(looks("[{\"target\": \"DRAM\"}]"));
    assert_false(looks("mapping:\n  - level: DRAM # target: x\n    loops: []\n"));
    assert_false(looks("layer: mytarget:3\nnest: 'K:4'\n"));
    assert_false(looks("target"));
    assert_false(looks(""));
    assert_false(looks("K:4 @7 K:1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mappings_of_real_layers_go_round),
        cmocka_unit_test(random_nests_on_random_machines_go_round),
        cmocka_unit_test(the_document_says_what_the_nest_does),
        cmocka_unit_test(a_network_without_multicast_is_told),
        cmocka_unit_test(what_timeloop_cannot_say_is_refused_with_the_reason),
        cmocka_unit_test(two_levels_of_one_name_for_timeloop_are_refused),
        cmocka_unit_test(all_spellings_of_factors_read),
        cmocka_unit_test(the_problem_orders_what_a_permutation_leaves_out),
        cmocka_unit_test(spatial_loops_lie_where_their_target_does),
        cmocka_unit_test(levels_are_matched_with_those_of_the_accelerator),
        cmocka_unit_test(remainders_read_as_tiles_that_do_not_divide),
        cmocka_unit_test(mistakes_are_named_at_their_place),
        cmocka_unit_test(wrong_kinds_are_refused),
        cmocka_unit_test(more_levels_or_loops_than_a_nest_has_are_refused),
        cmocka_unit_test(too_little_memory_is_told),
        cmocka_unit_test(timeloop_mappings_are_told_from_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
