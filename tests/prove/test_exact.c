// test_exact.c - proofs: what they find, when they stop, and that they never say too much.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/study.h"
#include "support/world.h"

static const char *const SMALL = "conv:K=6,C=4,P=3";
static const char *const LARGER = "conv:K=12,C=8,P=7,Q=7,R=3,S=3";

// the incumbent is the mapping of the space that is nearest to the default one
static SlProveSetup prove_setup(World *world, const char *goal, double epsilon) {
    SlMapping *start = SL_NEW(&world->arena, 1, SlMapping);
    int32_t point[SL_MAX_PARAMS];
    assert_int_equal(sl_mapping_default(&world->layer, &world->accel, start, NULL), SL_OK);
    sl_space_encode(&world->space, start, point);
    sl_space_mapping(&world->space, point, true, start);
    return (SlProveSetup){.space = &world->space,
                          .goal = world_goal(goal),
                          .epsilon = epsilon,
                          .incumbent = start,
                          .finder = sl_method_find("local"),
                          .seed = 1};
}

static SlProof prove(World *world, const SlProveSetup *setup) {
    SlProof proof;
    SlError err = {0};
    SlStatus status = sl_prove(setup, NULL, NULL, &world->arena, &proof, &err);
    if (status != SL_OK) print_message("%s\n", err.text);
    assert_int_equal(status, SL_OK);
    return proof;
}

// what must hold of every proof with a bound
static void expect_sound(const SlProof *proof) {
    double least = INFINITY;
    assert_true(proof->lower_bound > 0);
    for (int i = 0; i < proof->n_branches; i++) {
        assert_int_equal(proof->branches[i].branch, i);
        least = fmin(least, proof->branches[i].bound);
    }
    assert_true(least == proof->lower_bound);
    if (proof->status != SL_PROOF_OUTSIDE) assert_true(proof->lower_bound <= proof->value);
    assert_true(proof->gap == fmax(0, proof->value / proof->lower_bound - 1));
    assert_true(proof->value <= proof->start);
    assert_int_equal(proof->improved, proof->value < proof->start);
    assert_true(proof->n_points >= 1);
    for (int i = 1; i < proof->n_points; i++) {
        assert_true(proof->points[i].value <= proof->points[i - 1].value);
        assert_true(proof->points[i].lower_bound >= proof->points[i - 1].lower_bound);
        assert_true(proof->points[i].seconds >= proof->points[i - 1].seconds);
    }
}

// the least value over every point of a small space
static double enumerate(World *world, const char *goal) {
    SlTask *task = world_task(world, goal, SL_ILLEGAL_REPAIR);
    const SlSpace *space = &world->space;
    int32_t point[SL_MAX_PARAMS] = {0};
    for (int i = 0; i < space->n_params;) {
        SlSample outcome;
        sl_task_eval(task, 1, point, &outcome);
        for (i = 0; i < space->n_params && ++point[i] == space->params[i].n; i++) point[i] = 0;
    }
    return sl_task_best(task)->outcome.value;
}

static void small_spaces_are_proven_to_their_least_value(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=1", "conv:K=5,C=3", "gemm:M=7,N=1,K=4",
                                         "dw:G=3,R=3"};
    static const char *const goals[] = {"latency", "energy", "edp", "latency=2,energy=0.5"};
    for (int l = 0; l < 4; l++) {
        for (int g = 0; g < 4; g++) {
            World world;
            world_make(&world, layers[l], "eyeriss");
            world.accel.fanouts[1].axes[0].size = 4;
            world.accel.levels[2].capacity_bytes = 8;
            world.accel.levels[1].capacity_bytes = 40;
            world_remake(&world);
            SlProveSetup setup = prove_setup(&world, goals[g], 0);
            SlProof proof = prove(&world, &setup);
            double least = enumerate(&world, goals[g]);
            expect_sound(&proof);
            assert_int_equal(proof.status, SL_PROOF_OPTIMAL);
            assert_true(proof.gap <= 1.001e-7);
            // the proof also knows tiles that repair rounds up
            assert_true(proof.value <= least * (1 + 1e-9));
            assert_true(proof.lower_bound <= least * (1 + 1e-9));
            world_free(&world);
        }
    }
}

static void a_gap_that_was_asked_for_is_proven(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup exact = prove_setup(&world, "edp", 0);
    double optimum = prove(&world, &exact).value;
    static const double levels[] = {10, 0.5, 0.05, 0.03, 0.005, 1e-4, 0};
    for (int i = 0; i < 7; i++) {
        SlProveSetup setup = prove_setup(&world, "edp", levels[i]);
        SlProof proof = prove(&world, &setup);
        expect_sound(&proof);
        assert_true(proof.status == SL_PROOF_WITHIN || proof.status == SL_PROOF_OPTIMAL);
        if (proof.status == SL_PROOF_WITHIN) assert_true(proof.gap <= levels[i] * (1 + 1e-9));
        assert_true(proof.lower_bound <= optimum * (1 + 1e-9));
        assert_true(proof.value >= optimum * (1 - 1e-7));
    }
    world_free(&world);
}

static void expect_same(const SlProof *a, const SlProof *b) {
    assert_int_equal(a->status, b->status);
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
    assert_memory_equal(&a->lower_bound, &b->lower_bound, sizeof a->lower_bound);
    assert_memory_equal(&a->mapping, &b->mapping, sizeof a->mapping);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->n_branches, b->n_branches);
    for (int i = 0; i < a->n_branches; i++) {
        assert_true(a->branches[i].bound == b->branches[i].bound);
        assert_int_equal(a->branches[i].nodes, b->branches[i].nodes);
    }
    assert_int_equal(a->n_points, b->n_points);
    for (int i = 0; i < a->n_points; i++) {
        assert_true(a->points[i].value == b->points[i].value);
        assert_true(a->points[i].lower_bound == b->points[i].lower_bound);
    }
}

static void threads_change_nothing(void **state) {
    (void)state;
    static const struct {
        const char *layer;
        double epsilon;
        int64_t nodes;
    } cases[] = {{"conv:K=12,C=8,P=7,R=3", 0.005, 0},
                 {"conv:K=12,C=8,P=7,Q=7,R=3,S=3", 0, 3000},
                 {"gemm:M=12,N=7,K=9", 0, 0}};
    for (int c = 0; c < 3; c++) {
        World world;
        world_make(&world, cases[c].layer, "eyeriss");
        SlProveSetup setup = prove_setup(&world, "edp", cases[c].epsilon);
        setup.nodes = cases[c].nodes;
        SlProof alone = prove(&world, &setup);
        expect_sound(&alone);
        static const int threads[] = {1, 2, 5};
        for (int i = 0; i < 3; i++) {
            setup.pool = sl_pool_make(threads[i]);
            SlProof together = prove(&world, &setup);
            expect_same(&alone, &together);
            sl_pool_free(setup.pool);
        }
        world_free(&world);
    }
}

static void a_node_limit_stops_with_a_bound_that_holds(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    SlProof whole = prove(&world, &setup);
    assert_true(whole.nodes > 100);
    static const int64_t limits[] = {1, 7, 20, 60};
    for (int i = 0; i < 4; i++) {
        setup.nodes = limits[i];
        SlProof proof = prove(&world, &setup);
        expect_sound(&proof);
        assert_int_equal(proof.status, SL_PROOF_STOPPED);
        assert_true(proof.nodes <= limits[i] + 8 * 9); // a walk ends a few nodes later
        assert_true(proof.gap > 0);
        assert_true(proof.lower_bound <= whole.value);
    }
    world_free(&world);
}

// branches that stop at their share of the nodes are tried again with a larger one
static void a_node_limit_that_is_enough_is_none(void **state) {
    (void)state;
    World world;
    world_make(&world, LARGER, "eyeriss");
    world.accel.fanouts[1].axes[0].size = 2;
    world_remake(&world);
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    SlProof first = prove(&world, &setup);
    setup.incumbent = &first.mapping;
    SlProof whole = prove(&world, &setup);
    int64_t most = 0; // nodes of one branch
    for (int i = 0; i < whole.n_branches; i++)
        if (most < whole.branches[i].nodes) most = whole.branches[i].nodes;
    setup.nodes = 2 * whole.nodes;
    assert_true(most > setup.nodes / 8); // more than its share in the first round
    SlProof limited = prove(&world, &setup);
    assert_int_equal(limited.status, SL_PROOF_OPTIMAL);
    world_free(&world);
}

typedef struct {
    int calls, last; // true at the last one
    SlProofPoint seen;
} Watcher;

static bool watch(void *context, const SlProofPoint *now) {
    Watcher *watcher = context;
    watcher->seen = *now;
    return ++watcher->calls >= watcher->last;
}

static void a_watch_sees_the_gap_and_can_end_the_proof(void **state) {
    (void)state;
    World world;
    world_make(&world, LARGER, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    Watcher first = {.last = 1};
    SlProof proof;
    SlError err;
    assert_int_equal(sl_prove(&setup, watch, &first, &world.arena, &proof, &err), SL_OK);
    expect_sound(&proof);
    assert_int_equal(first.calls, 1);
    assert_int_equal(proof.status, SL_PROOF_STOPPED);
    assert_int_equal(proof.nodes, 0);
    assert_true(first.seen.value == proof.start && first.seen.lower_bound == proof.lower_bound);

    Watcher second = {.last = 3};
    SlProof longer;
    setup.pool = sl_pool_make(2);
    assert_int_equal(sl_prove(&setup, watch, &second, &world.arena, &longer, &err), SL_OK);
    sl_pool_free(setup.pool);
    expect_sound(&longer);
    assert_true(longer.lower_bound >= proof.lower_bound && longer.value <= proof.value);
    world_free(&world);
}

static void no_time_is_a_stopped_proof(void **state) {
    (void)state;
    World world;
    world_make(&world, LARGER, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    setup.seconds = 1e-9;
    setup.incumbent = NULL;
    SlProof proof = prove(&world, &setup);
    expect_sound(&proof);
    assert_int_equal(proof.status, SL_PROOF_STOPPED);
    assert_int_equal(proof.nodes, 0);
    world_free(&world);
}

static void without_an_incumbent_it_finds_one(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "energy", 0.01);
    SlProof given = prove(&world, &setup);
    setup.incumbent = NULL;
    SlProof one = prove(&world, &setup), again = prove(&world, &setup);
    expect_sound(&one);
    expect_same(&one, &again);
    assert_true(one.start <= given.start);
    assert_true(one.value <= given.value * 1.01 && one.value >= given.lower_bound);
    world_free(&world);
}

static void a_given_mapping_is_the_beginning(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    SlProof found = prove(&world, &setup);
    setup.incumbent = &found.mapping;
    SlProof again = prove(&world, &setup);
    assert_true(again.start == found.value && again.value == found.value && !again.improved);
    assert_memory_equal(&again.mapping, &found.mapping, sizeof found.mapping);

    // every dim in time, one by one: there are better ones
    SlMapping poor;
    assert_int_equal(sl_mapping_parse("K:1 C:1 P:1 @7 @7", &poor, NULL), SL_OK);
    setup.incumbent = &poor;
    SlProof better = prove(&world, &setup);
    assert_true(better.improved && better.start > found.value);
    assert_int_equal(better.status, SL_PROOF_OPTIMAL);
    assert_true(fabs(better.value / found.value - 1) <= 2e-7);
    world_free(&world);
}

// leave only the smallest tiles
static void narrow(SlSpace *space) {
    for (int i = 0; i < space->n_params; i++)
        if (space->params[i].role == SL_ROLE_TILE) space->params[i].n = 1;
    space->constrained = true;
}

static void a_mapping_below_the_bound_of_the_space_is_outside(void **state) {
    (void)state;
    World world;
    world_make(&world, LARGER, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "energy", 0.01);
    SlProof wide = prove(&world, &setup);
    narrow(&world.space);
    setup = prove_setup(&world, "energy", 0);
    SlProof inside = prove(&world, &setup);
    assert_int_equal(inside.status, SL_PROOF_OPTIMAL);
    assert_true(inside.lower_bound > 1.05 * wide.value);

    // first bounds know nothing of tiles, so the walk stops where the mapping is
    setup.incumbent = &wide.mapping;
    SlProof proof = prove(&world, &setup);
    expect_sound(&proof);
    assert_true(proof.status == SL_PROOF_OUTSIDE || proof.status == SL_PROOF_OPTIMAL);
    assert_memory_equal(&proof.mapping, &wide.mapping, sizeof proof.mapping);
    assert_true(proof.value == wide.value && proof.gap <= 1.001e-7);
    assert_true(proof.lower_bound <= inside.value);

    // an array that may spread nothing: its first bound is far above what others do in parallel
    SlProveSetup latency = prove_setup(&world, "latency", 0);
    SlProof wide_latency = prove(&world, &latency);
    for (int i = 0; i < world.space.n_params; i++) {
        SlParam *param = &world.space.params[i];
        if (param->role == SL_ROLE_PARALLEL) param->n = 1, param->spreads[0] = 0;
    }
    latency.incumbent = &wide_latency.mapping;
    proof = prove(&world, &latency);
    expect_sound(&proof);
    assert_int_equal(proof.status, SL_PROOF_OUTSIDE);
    assert_true(proof.gap == 0 && !proof.improved && proof.lower_bound > 2 * proof.value);
    assert_memory_equal(&proof.mapping, &wide_latency.mapping, sizeof proof.mapping);
    world_free(&world);
}

static void what_is_not_covered_has_no_bound_and_a_reason(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "area", 0);
    setup.incumbent = NULL;
    SlProof proof = prove(&world, &setup);
    assert_int_equal(proof.status, SL_PROOF_UNCOVERED);
    assert_non_null(proof.reason);
    assert_true(proof.lower_bound == 0 && isinf(proof.gap) && isfinite(proof.value));
    assert_int_equal(proof.n_branches, 0);
    assert_null(sl_mapping_check(&world.layer, &proof.mapping));
    world_free(&world);
}

static void costs_of_zero_prove_nothing(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    for (int l = 0; l < world.accel.n_levels; l++) {
        SlLevel *level = &world.accel.levels[l];
        level->read_pj = level->write_pj = level->link_pj = 0;
    }
    world.accel.mac_pj = 0;
    world_remake(&world);
    SlProveSetup setup = prove_setup(&world, "energy", 0.01);
    for (int given = 1; given >= 0; given--) {
        if (!given) setup.incumbent = NULL;
        SlProof proof = prove(&world, &setup);
        assert_int_equal(proof.status, SL_PROOF_STOPPED);
        assert_true(proof.lower_bound == 0 && isinf(proof.gap));
        assert_null(sl_mapping_check(&world.layer, &proof.mapping));
    }
    world_free(&world);
}

static void expect_refused(World *world, const SlProveSetup *setup, const char *sentence) {
    SlProof proof;
    SlError err = {0};
    assert_int_equal(sl_prove(setup, NULL, NULL, &world->arena, &proof, &err), SL_EINPUT);
    if (!strstr(err.text, sentence)) fail_msg("'%s' is not about '%s'", err.text, sentence);
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    World world;
    world_make(&world, SMALL, "eyeriss");
    SlProveSetup setup = prove_setup(&world, "edp", -1);
    expect_refused(&world, &setup, "negative");
    setup.epsilon = NAN;
    expect_refused(&world, &setup, "negative");
    setup.epsilon = 0;
    SlMapping mapping;
    setup.incumbent = &mapping;
    assert_int_equal(sl_mapping_parse("K:2 @7 @7", &mapping, NULL), SL_OK);
    expect_refused(&world, &setup, "the last loop over");
    assert_int_equal(sl_mapping_parse("K:1 C:1 P:1 @7", &mapping, NULL), SL_OK);
    expect_refused(&world, &setup, "levels");
    world.accel.levels[2].capacity_bytes = 3;
    assert_int_equal(sl_mapping_parse("@7 @7 K:1 C:1 P:1", &mapping, NULL), SL_OK);
    expect_refused(&world, &setup, "L1 needs");
    world_free(&world);
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=2,C=2", "eyeriss");
    world.accel.fanouts[1].axes[0].size = 2;
    world_remake(&world);
    SlProveSetup setup = prove_setup(&world, "edp", 0);
    SlStatus status = SL_ENOMEM;
    int failed = 0;
    for (size_t limit = 64; status != SL_OK; limit += limit / 4, failed++) {
        SlArena arena;
        SlProof proof;
        SlError err = {0};
        sl_arena_init(&arena, limit);
        status = sl_prove(&setup, NULL, NULL, &arena, &proof, &err);
        assert_true(status == SL_OK || (status == SL_ENOMEM && err.text[0]));
        sl_arena_free(&arena);
    }
    assert_true(failed > 5);
    world_free(&world);
}

static void no_mapping_anyone_finds_is_below_the_bound(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=12,C=8,P=7,Q=7,R=3,S=3,stride=2",
                                         "gemm:M=33,N=17,K=10"};
    for (int l = 0; l < 2; l++) {
        World world;
        world_make(&world, layers[l], "eyeriss");
        SlProveSetup setup = prove_setup(&world, "edp", 0.02);
        SlProof proof = prove(&world, &setup);
        expect_sound(&proof);
        SlTask *task = world_task(&world, "edp", SL_ILLEGAL_REPAIR);
        SlRng rng;
        sl_rng_init(&rng, 3, "random mappings");
        for (int i = 0; i < 2000; i++) {
            int32_t point[SL_MAX_PARAMS];
            SlSample outcome;
            sl_space_sample(&world.space, &rng, point);
            sl_task_eval(task, 1, point, &outcome);
            assert_true(outcome.value >= proof.lower_bound);
        }
        world_free(&world);
    }
}

static void names_of_proofs_are_complete(void **state) {
    (void)state;
    for (int i = 0; i < SL_N_PROOFS; i++) assert_non_null(sl_proof_names[i]);
    assert_null(sl_proof_names[SL_N_PROOFS]);
    assert_string_equal(sl_proof_names[SL_PROOF_UNCOVERED], "uncovered");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_spaces_are_proven_to_their_least_value),
        cmocka_unit_test(a_gap_that_was_asked_for_is_proven),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_node_limit_stops_with_a_bound_that_holds),
        cmocka_unit_test(a_node_limit_that_is_enough_is_none),
        cmocka_unit_test(a_watch_sees_the_gap_and_can_end_the_proof),
        cmocka_unit_test(no_time_is_a_stopped_proof),
        cmocka_unit_test(without_an_incumbent_it_finds_one),
        cmocka_unit_test(a_given_mapping_is_the_beginning),
        cmocka_unit_test(a_mapping_below_the_bound_of_the_space_is_outside),
        cmocka_unit_test(what_is_not_covered_has_no_bound_and_a_reason),
        cmocka_unit_test(costs_of_zero_prove_nothing),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(without_memory_it_says_so),
        cmocka_unit_test(no_mapping_anyone_finds_is_below_the_bound),
        cmocka_unit_test(names_of_proofs_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
