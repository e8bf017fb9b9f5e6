// test_witness.c - mappings as programs: what they look like, what is refused, what is scaled down.
// Counts against the model's: tests/cost/test_counts_witness.c.
#include "starling/kernel/witness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/build_inside.h"
#include "starling/kernel/process.h"
#include "support/check.h"

// a layer on an accelerator with a mapping
typedef struct {
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlMapping mapping;
    SlWitnessJob job;
} Scene;

// `nest` NULL = the default mapping
static void scene_make(Scene *scene, const char *layer, const char *accel, const char *nest) {
    SlError err = {0};
    sl_arena_init(&scene->arena, 0);
    assert_int_equal(sl_layer_parse(layer, &scene->layer, &err), SL_OK);
    assert_int_equal(sl_accel_find(accel, &scene->arena, &scene->accel, &err), SL_OK);
    SlStatus status = nest
                          ? sl_mapping_parse(nest, &scene->mapping, &err)
                          : sl_mapping_default(&scene->layer, &scene->accel, &scene->mapping, &err);
    assert_int_equal(status, SL_OK);
    scene->job = (SlWitnessJob){&scene->layer, &scene->accel, &scene->mapping};
}

static void scene_free(Scene *scene) {
    sl_arena_free(&scene->arena);
}

static void expect_within(const char *text, const char *part) {
    assert_non_null(text);
    if (!strstr(text, part)) fail_msg("expected '%s' in '%.400s'", part, text);
}

// ---- the program ----

static void a_program_shows_levels_loops_and_networks_by_name(void **state) {
    (void)state;
    Scene scene;
    SlText source;
    scene_make(&scene, "conv:K=3,C=2,P=5,R=3", "eyeriss", "C:1 P:2 @7 K*2 K:1 R:1 @3 P:1");
    sl_text_init(&source, &scene.arena);
    sl_witness_write(1, &scene.job, &source);
    assert_false(source.failed);
    expect_within(source.data, "// nest   C:1 P:2 @7 K*2 K:1 R:1 @3 P:1\n");
    expect_within(source.data, "// ---- l1 = L2: 1 instance, keeps W I O ----\n");
    expect_within(source.data, "// ---- l2 = L1: 2 instances, keeps W I ----\n");
    expect_within(source.data, "for (p1 = 0; p1 < tiles(&t1, P, 2); p1++) { // P in tiles of 2\n");
    expect_within(source.data, "// K in tiles of 2 side by side: time is that of instance 0\n");
    expect_within(source.data, "x -= x / 1 % 2 * 1; // k2 multicasts\n");
    expect_within(source.data,
                  "static Buffer mac_O = {.layer = &layer, .tensor = O, .parent = &l1_O,");
    assert_null(strstr(source.data, "l2_O"));
    scene_free(&scene);
}

// the example that docs/model.md works out by hand
static void the_example_of_the_model_page_is_executed_as_it_says(void **state) {
    (void)state;
    Scene scene;
    SlWitnessCounts counts;
    SlError err = {0};
    const SlWitnessOptions options = {0};
    scene_make(&scene, "conv:P=7,R=3", "eyeriss", "P:3 R:2 P:2 @7 R:1 P:1");
    scene.accel.n_levels = 2;
    assert_null(sl_witness_check(&scene.job));
    assert_int_equal(sl_witness_run(1, &scene.job, &options, &scene.arena, &counts, &err), SL_OK);
    assert_true(counts.output_right);
    assert_string_equal(counts.fault, "");
    assert_int_equal(counts.n_levels, 2);
    assert_int_equal(counts.macs, 21);
    assert_int_equal(counts.cycles, 21);
    assert_int_equal(counts.level[1].fill[SL_W], 9);
    assert_int_equal(counts.level[1].fill[SL_I], 11);
    assert_int_equal(counts.level[1].fill[SL_O], 13);
    assert_int_equal(counts.level[2].fill[SL_I], 21);
    scene_free(&scene);
}

static void several_nests_in_one_program_keep_their_counts_apart(void **state) {
    (void)state;
    Scene a, b;
    SlWitnessCounts alone[2], both[2];
    SlError err = {0};
    const SlWitnessOptions options = {0};
    scene_make(&a, "conv:K=3,C=2,P=5,R=3", "eyeriss", NULL);
    scene_make(&b, "gemm:M=5,N=4,K=7", "nvdla", NULL);
    const SlWitnessJob jobs[] = {a.job, b.job};
    assert_int_equal(sl_witness_run(2, jobs, &options, &a.arena, both, &err), SL_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sl_witness_run(1, &jobs[i], &options, &a.arena, &alone[i], &err), SL_OK);
    assert_memory_equal(alone, both, sizeof both);
    assert_int_equal(both[0].macs, 90);
    assert_int_equal(both[1].macs, 140);
    scene_free(&a);
    scene_free(&b);
}

// ---- what is refused ----

static void what_cannot_be_executed_is_refused_with_the_reason(void **state) {
    (void)state;
    Scene scene;
    scene_make(&scene, "conv:K=3,C=2,P=5,R=3", "eyeriss", "C:1 P:2 @7 K*2 K:1 R:1 @7 P:2");
    expect_within(sl_witness_check(&scene.job), "the last loop over P must have tiles of 1");
    scene_free(&scene);
    scene_make(&scene, "conv:K=3,C=2", "eyeriss", "K:1 @7 C:1");
    expect_within(sl_witness_check(&scene.job), "not as many levels");
    scene_free(&scene);
    scene_make(&scene, "conv:K=2048,C=2049", "eyeriss", "K:1 @7 @7 C:1");
    expect_within(sl_witness_check(&scene.job), "more than 4,194,304 MACs");
    scene_free(&scene);
    // few MACs, but inputs far apart
    scene_make(&scene, "conv:P=100,Q=100,stride=100", "eyeriss", "P:1 @7 @7 Q:1");
    expect_within(sl_witness_check(&scene.job), "more than 256 MiB");
    scene_free(&scene);
    // few MACs and words, but every step looks at a tile with wide gaps
    scene_make(&scene, "conv:R=1000,P=1000,C=2,dilation=200", "eyeriss", "P:1 C:1 @2 @2 R:1");
    expect_within(sl_witness_check(&scene.job), "more than 268,435,456 words");
    scene_free(&scene);
}

static void a_compiler_that_fails_is_told_in_one_sentence(void **state) {
    (void)state;
    static const struct {
        SlWitnessOptions options;
        const char *says;
    } rows[] = {
        {{.compiler = "no-such-compiler"}, "the compiler (no-such-compiler) cannot be started"},
        {{.compiler = "false"}, "the compiler (false) ended with code 1"},
        {{.compiler = "true"}, "the witness cannot be started"},
        {{.build_s = 1e-3}, "the compiler (cc) took longer than"},
    };
    Scene scene;
    SlWitnessCounts counts;
    scene_make(&scene, "conv:K=3,C=2,P=5,R=3", "eyeriss", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SlError err = {0};
        size_t mark = sl_arena_mark(&scene.arena);
        SlStatus status =
            sl_witness_run(1, &scene.job, &rows[i].options, &scene.arena, &counts, &err);
        assert_int_equal(status, SL_EINPUT);
        expect_within(err.text, rows[i].says);
        assert_int_equal(sl_arena_mark(&scene.arena), mark);
    }
    scene_free(&scene);
}

static void nothing_is_left_behind_whether_it_works_or_not(void **state) {
    (void)state;
    Scene scene;
    SlWitnessCounts counts;
    SlError err = {0};
    SlArena tiny;
    char folder[SL_FOLDER_ROOM];
    scene_make(&scene, "conv:K=3,C=2,P=5,R=3", "eyeriss", NULL);
    sl_arena_init(&tiny, 1 << 15);
    assert_int_equal(sl_folder_make(folder, &err), SL_OK);
    setenv("TMPDIR", folder, 1);
    const SlWitnessOptions good = {0}, bad = {.compiler = "false"};
    assert_int_equal(sl_witness_run(1, &scene.job, &good, &scene.arena, &counts, &err), SL_OK);
    assert_int_equal(sl_witness_run(1, &scene.job, &bad, &scene.arena, &counts, &err), SL_EINPUT);
    assert_int_equal(sl_witness_run(1, &scene.job, &good, &tiny, &counts, &err), SL_ENOMEM);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(folder), 0); // it is empty
    sl_arena_free(&tiny);
    scene_free(&scene);
}

// ---- scaling ----

// trip counts of a nest, and whether each loop's last tile is partial
static void shape_of(const SlLayer *layer, const SlMapping *mapping, int64_t *trips,
                     bool *partial) {
    int64_t extent[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = layer->dims[d];
    for (int i = 0; i < mapping->n_loops; i++) {
        int64_t *e = &extent[mapping->loops[i].dim], tile = mapping->loops[i].tile;
        if (tile > *e) tile = *e;
        trips[i] = (*e + tile - 1) / tile;
        partial[i] = *e % tile != 0;
        *e = tile;
    }
}

static void expect_same_nest(const Scene *scene, const SlLayer *layer, const SlMapping *mapping,
                             int64_t most) {
    int64_t before[SL_MAX_LOOPS], after[SL_MAX_LOOPS];
    bool was_partial[SL_MAX_LOOPS], is_partial[SL_MAX_LOOPS];
    shape_of(&scene->layer, &scene->mapping, before, was_partial);
    shape_of(layer, mapping, after, is_partial);
    assert_int_equal(mapping->n_loops, scene->mapping.n_loops);
    assert_memory_equal(mapping->at, scene->mapping.at, sizeof mapping->at);
    assert_memory_equal(mapping->keep, scene->mapping.keep, sizeof mapping->keep);
    for (int i = 0; i < mapping->n_loops; i++) {
        assert_int_equal(mapping->loops[i].dim, scene->mapping.loops[i].dim);
        assert_int_equal(mapping->loops[i].spatial, scene->mapping.loops[i].spatial);
        assert_int_equal(after[i], before[i] < most ? before[i] : most);
        assert_int_equal(is_partial[i], was_partial[i]);
    }
}

static void large_layers_keep_their_nest_when_they_are_scaled_down(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=64,C=64,P=56,Q=56,R=3,S=3",
        "conv:K=511,C=253,P=13,Q=17,R=3,S=3,stride=2",
        "dw:G=1153,P=57,Q=59,R=5,S=5,stride=2",
        "gemm:M=1000,N=1999,K=777",
        "conv:N=16,K=64,C=3,P=112,Q=112,R=7,S=7,stride=2,dilation=2",
    };
    static const char *const accels[] = {"eyeriss", "nvdla", "simba", "flex1024"};
    for (int i = 0; i < 20; i++) {
        Scene scene;
        SlLayer layer;
        SlMapping mapping;
        int64_t trips = 0;
        scene_make(&scene, layers[i % 5], accels[i / 5], NULL);
        assert_non_null(sl_witness_check(&scene.job));
        assert_true(sl_witness_scale(&scene.job, &layer, &mapping, &trips));
        const SlWitnessJob small = {&layer, &scene.accel, &mapping};
        assert_null(sl_witness_check(&small));
        assert_true(trips >= 2 && sl_layer_macs(&layer) > 50000);
        expect_same_nest(&scene, &layer, &mapping, trips);
        scene_free(&scene);
    }
}

static void a_layer_that_is_small_enough_comes_back_as_it_is(void **state) {
    (void)state;
    Scene scene;
    SlLayer layer;
    SlMapping mapping;
    int64_t trips = -1;
    scene_make(&scene, "conv:K=8,C=8,P=9,Q=9,R=3,S=3", "eyeriss", NULL);
    assert_true(sl_witness_scale(&scene.job, &layer, &mapping, &trips));
    assert_int_equal(trips, 0);
    assert_memory_equal(&layer, &scene.layer, sizeof layer);
    assert_memory_equal(&mapping, &scene.mapping, sizeof mapping);
    scene_free(&scene);
}

static void a_nest_of_too_many_loops_cannot_be_scaled_down(void **state) {
    (void)state;
    Scene scene;
    SlLayer layer;
    SlMapping mapping;
    int64_t trips = 0;
    // 30 loops of two iterations each
    scene_make(&scene, "conv:N=32768,K=32768", "eyeriss", "K:1 @7 @7 N:1");
    SlMapping *deep = &scene.mapping;
    *deep = (SlMapping){.n_boundaries = 2, .keep = {SL_KEEP_ALL, SL_KEEP_ALL}};
    for (int i = 0; i < 30; i++)
        deep->loops[deep->n_loops++] = (SlLoop){.tile = 16384 >> i / 2, .dim = i % 2 ? SL_K : SL_N};
    assert_null(sl_mapping_check(&scene.layer, deep));
    assert_false(sl_witness_scale(&scene.job, &layer, &mapping, &trips));
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_shows_levels_loops_and_networks_by_name),
        cmocka_unit_test(the_example_of_the_model_page_is_executed_as_it_says),
        cmocka_unit_test(several_nests_in_one_program_keep_their_counts_apart),
        cmocka_unit_test(what_cannot_be_executed_is_refused_with_the_reason),
        cmocka_unit_test(a_compiler_that_fails_is_told_in_one_sentence),
        cmocka_unit_test(nothing_is_left_behind_whether_it_works_or_not),
        cmocka_unit_test(large_layers_keep_their_nest_when_they_are_scaled_down),
        cmocka_unit_test(a_layer_that_is_small_enough_comes_back_as_it_is),
        cmocka_unit_test(a_nest_of_too_many_loops_cannot_be_scaled_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
