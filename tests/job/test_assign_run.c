// test_assign_run.c - parameters that must move together end up with one agent.
#include "job/assign_data.h" // columns are looked at from inside
#include "starling/job.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

#include "support/world.h"

// A policy that moves two ordinals together, two others against each other, one order with another
// one, and everything else at random.
typedef struct {
    const SlSpace *space;
    SlRng rng;
    int64_t asked, told;
} Planter;

static int ordinals[4], orders[2]; // filled once per test: the parameters that are tied

static void find_tied(const SlSpace *space) {
    int n = 0, m = 0;
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (n < 4 && param->kind == SL_ORDINAL && param->n >= 4) ordinals[n++] = i;
        if (m < 2 && param->kind == SL_PERMUTATION) orders[m++] = i;
    }
    assert_int_equal(n, 4);
    assert_int_equal(m, 2);
    assert_int_equal(space->params[orders[0]].n, space->params[orders[1]].n);
}

static void *plant_make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options;
    Planter *planter = SL_NEW(arena, 1, Planter);
    if (!planter) return NULL;
    planter->space = sl_task_space(setup->task);
    sl_rng_init(&planter->rng, setup->seed, "plant");
    return planter;
}

// the value that stands where `value` stands among the values of another parameter
static int32_t beside(const SlParam *from, int32_t value, const SlParam *to) {
    return (int32_t)lround((double)value * (to->n - 1) / (from->n - 1));
}

static int plant_ask(void *state, int room, int32_t *points) {
    Planter *planter = state;
    const SlParam *params = planter->space->params;
    for (int i = 0; i < room; i++) {
        int32_t *point = points + (ptrdiff_t)i * planter->space->n_params;
        sl_space_sample(planter->space, &planter->rng, point);
        point[ordinals[2]] = beside(&params[ordinals[0]], point[ordinals[0]], &params[ordinals[2]]);
        point[ordinals[3]] = params[ordinals[3]].n - 1 -
                             beside(&params[ordinals[1]], point[ordinals[1]], &params[ordinals[3]]);
        point[orders[1]] = point[orders[0]];
    }
    planter->asked += room;
    return room;
}

static void plant_tell(void *state, int n, const int32_t *points, const SlSample *outcomes) {
    (void)points, (void)outcomes;
    Planter *planter = state;
    planter->told += n;
    assert_true(planter->told == planter->asked);
}

static const SlOption no_options[] = {{0}};
static const SlMethod planter_method = {.name = "planter",
                                        .options = no_options,
                                        .make = plant_make,
                                        .ask = plant_ask,
                                        .tell = plant_tell};

static SlAssignSetup plain_setup(void) {
    return (SlAssignSetup){.samples = 2000,
                           .share = 0.15,
                           .metric = SL_METRIC_ROWS,
                           .linkage = SL_LINK_WARD,
                           .seed = 1};
}

static SlTaskSetup task_of(const World *world, const char *objective) {
    return (SlTaskSetup){.space = &world->space, .goal = world_goal(objective)};
}

static SlAssignment assign_of(World *world, const char *objective, const SlAssignSetup *setup) {
    SlAssignment out;
    SlTaskSetup task = task_of(world, objective);
    SlError err = {0};
    SlStatus status = sl_assign_run(&task, setup, &world->arena, &out, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    return out;
}

static bool merges(const SlMerge *merge, int a, int b) {
    return (merge->left == a && merge->right == b) || (merge->left == b && merge->right == a);
}

// an order enters by where each item stands, a category by indicators, a size by its index
static void columns_hold_the_best_rows_of_every_kind(void **state) {
    (void)state;
    SlParam params[3] = {{.kind = SL_PERMUTATION, .n = 6, .n_items = 3},
                         {.kind = SL_CATEGORICAL, .n = 2},
                         {.kind = SL_ORDINAL, .n = 9}};
    SlSpace space = {.n_params = 3, .params = params};
    uint8_t turned[3] = {2, 0, 1}; // item 0 stands in place 1, item 1 in place 2, item 2 in place 0
    int32_t points[3 * 3] = {0, 0, 0, sl_permutation_number(3, turned), 1, 7, 0, 0, 5};
    double scores[3] = {4, 3, 2};
    SlDataset data = {.n = 3, .points = points, .scores = scores};
    const int rows[2] = {2, 1};
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlColumns columns;
    assert_true(sl_dataset_columns(&space, &data, 2, rows, &arena, &columns));
    // behind the parameters stands the objective
    const int first[5] = {0, 3, 5, 6, 7};
    const double values[7][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {0, 1}, {5, 7}, {2, 3}};
    assert_int_equal(columns.n_params, 4);
    assert_memory_equal(columns.first, first, sizeof first);
    assert_memory_equal(columns.values, values, sizeof values);
    sl_arena_free(&arena);
}

// repair would cut the ties: points as proposed
static void what_moves_together_is_merged_first(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56", "eyeriss");
    find_tied(&world.space);
    SlAssignSetup setup = plain_setup();
    setup.policy = &planter_method;
    setup.proposed = true;
    for (int metric = 0; metric < SL_N_METRICS; metric++) {
        setup.metric = (SlMetric)metric;
        SlAssignment got = assign_of(&world, "edp", &setup);
        assert_int_equal(got.n, world.space.n_params);
        assert_int_equal(got.samples, 2000);
        assert_int_equal(got.n_rows, 300);
        assert_true(got.r[ordinals[0] * got.n + ordinals[2]] > 0.95);
        assert_true(got.r[ordinals[1] * got.n + ordinals[3]] < -0.95);
        // the three tied pairs are the first three merges, in whatever order; opposites are near
        // each other by 1 - |r| alone
        bool together = false, against = false, order = false;
        for (int i = 0; i < 3; i++) {
            together |= merges(&got.tree[i], ordinals[0], ordinals[2]);
            against |= merges(&got.tree[i], ordinals[1], ordinals[3]);
            order |= merges(&got.tree[i], orders[0], orders[1]);
        }
        assert_true(together && order);
        assert_true(against == (metric == SL_METRIC_ONE_MINUS_R));
    }
    world_free(&world);
}

static void cuts_give_agents_that_suit_the_space(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56", "eyeriss");
    find_tied(&world.space);
    SlAssignSetup setup = plain_setup();
    setup.policy = &planter_method;
    setup.proposed = true;
    SlAssignment got = assign_of(&world, "edp", &setup);
    for (int n = 1; n <= got.n; n++) {
        SlAgents agents;
        sl_assign_agents(&got, n, &agents);
        assert_int_equal(agents.n_agents, n);
        assert_null(sl_agents_check(&world.space, &agents));
        bool one = agents.agent[ordinals[0]] == agents.agent[ordinals[2]];
        if (n <= got.n - 3) assert_true(one);
        if (n == got.n) assert_false(one);
        // the cut leaves the merges below it as they are, and undoes those above
        double cut = sl_assign_cut(&got, n);
        if (n == 1) assert_true(isnan(cut));
        if (n > 1) assert_true(cut <= got.tree[got.n - n].height);
        if (n > 1 && n < got.n) assert_true(cut >= got.tree[got.n - n - 1].height);
    }
    world_free(&world);
}

static void random_is_the_policy_and_seeds_decide(void **state) {
    (void)state;
    World world;
    world_make(&world, "dw:G=96,P=56,Q=56,R=3,S=3", "eyeriss");
    SlAssignSetup setup = plain_setup();
    SlAssignment a = assign_of(&world, "latency", &setup), b = assign_of(&world, "latency", &setup);
    setup.policy = sl_method_find("random");
    SlAssignment c = assign_of(&world, "latency", &setup);
    setup.seed = 2;
    SlAssignment d = assign_of(&world, "latency", &setup);
    size_t bytes = (size_t)(a.n * a.n) * sizeof *a.r;
    assert_memory_equal(a.r, b.r, bytes);
    assert_memory_equal(a.r, c.r, bytes);
    assert_true(memcmp(a.r, d.r, bytes) != 0);
    for (int i = 0; i < a.n; i++) {
        assert_true(a.r[i * a.n + i] == 1);
        for (int j = 0; j < a.n; j++) {
            assert_true(fabs(a.r[i * a.n + j]) <= 1 + 1e-12);
            assert_true(a.r[i * a.n + j] == a.r[j * a.n + i]);
        }
    }
    world_free(&world);
}

static void local_search_may_collect_too(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56", "eyeriss");
    SlAssignSetup setup = plain_setup();
    setup.policy = sl_method_find("local");
    SlAssignment got = assign_of(&world, "edp", &setup);
    for (int i = 0; i < got.n * got.n; i++) assert_true(isfinite(got.distance[i]));
    assert_int_equal(got.tree[got.n - 2].size, got.n);
    world_free(&world);
}

// what the policy proposes is another point than what was evaluated: a tile that the buffer is too
// small for, clamped and repaired
static void rows_are_those_of_the_mappings_that_were_evaluated(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    SlAssignSetup setup = plain_setup();
    SlAssignment repaired = assign_of(&world, "latency", &setup);
    setup.proposed = true;
    SlAssignment proposed = assign_of(&world, "latency", &setup);
    int n = repaired.n, outer = -1, inner = -1;
    for (int i = 0; i < n; i++) {
        const SlParam *param = &world.space.params[i];
        if (param->role != SL_ROLE_TILE || param->dim != SL_K) continue;
        if (param->level == 1) outer = i;
        if (param->level == 2) inner = i;
    }
    // the inner tile is at most the outer one, so repaired tiles go together and proposed ones do
    // not (300 rows: 0.06 by chance)
    assert_true(repaired.r[outer * n + inner] > 0.25);
    assert_true(fabs(proposed.r[outer * n + inner]) < 0.2);
    assert_true(repaired.n_nearest > 0 && proposed.n_nearest == 0);
    world_free(&world);
}

// a score that one parameter decides
static void plant_score(SlArena *arena, SlDataset *data, int n, int n_params) {
    SlRng rng;
    sl_rng_init(&rng, 5, "score");
    *data = (SlDataset){
        .n = n, .points = SL_NEW(arena, n * n_params, int32_t), .scores = SL_NEW(arena, n, double)};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n_params; k++)
            data->points[i * n_params + k] = (int32_t)sl_rng_below(&rng, 9);
        data->scores[i] = 3 - 0.5 * data->points[i * n_params + 1];
    }
}

static void the_objective_is_one_more_column(void **state) {
    (void)state;
    enum { N = 400, PARAMS = 3 };
    SlParam params[PARAMS] = {
        {.kind = SL_ORDINAL, .n = 9}, {.kind = SL_ORDINAL, .n = 9}, {.kind = SL_ORDINAL, .n = 9}};
    SlSpace space = {.n_params = PARAMS, .params = params};
    SlArena arena;
    SlDataset data;
    SlColumns columns;
    int rows[N];
    double r[(PARAMS + 1) * (PARAMS + 1)];
    sl_arena_init(&arena, 0);
    plant_score(&arena, &data, N, PARAMS);
    for (int i = 0; i < N; i++) rows[i] = i;
    assert_true(sl_dataset_columns(&space, &data, N, rows, &arena, &columns));
    sl_correlations(&columns, r);
    assert_true(r[1 * 4 + 3] < -0.999);
    assert_true(fabs(r[0 * 4 + 3]) < 0.15 && fabs(r[2 * 4 + 3]) < 0.15);
    sl_arena_free(&arena);
}

static void every_method_that_suits_collects(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=16,C=8,P=14,Q=14", "eyeriss");
    SlTaskSetup task = task_of(&world, "latency");
    int n_collect = 0, n_refused = 0;
    for (int i = 0; sl_method_at(i); i++) {
        SlAssignSetup setup = plain_setup();
        SlAssignment out;
        SlError err = {0};
        setup.policy = sl_method_at(i);
        setup.samples = 24;
        SlStatus status = sl_assign_run(&task, &setup, &world.arena, &out, &err);
        if (status == SL_OK) {
            assert_in_range(out.samples, 3, 24);
            n_collect++;
            continue;
        }
        assert_int_equal(status, SL_EINPUT);
        assert_non_null(strstr(err.text, " cannot collect samples: it needs "));
        n_refused++;
    }
    assert_true(n_collect >= 15 && n_refused >= 1);
    world_free(&world);
}

static void heights_and_shares_of_the_top_cut_alike(void **state) {
    (void)state;
    World world;
    SlThreshold threshold;
    SlError err;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56", "eyeriss");
    SlAssignSetup setup = plain_setup();
    SlAssignment got = assign_of(&world, "edp", &setup);
    double top = sl_assign_top_height(&got);
    assert_true(top == got.tree[got.n - 2].height);
    for (int n = 1; n <= got.n; n++) {
        double cut = n > 1 ? sl_assign_cut(&got, n) : top;
        assert_int_equal(sl_assign_count(&got, &(SlThreshold){.height = cut}), n);
        assert_int_equal(sl_assign_count(&got, &(SlThreshold){.height = cut / top, .of_top = true}),
                         n);
    }
    assert_int_equal(sl_threshold_parse("2.5", &threshold, &err), SL_OK);
    assert_true(threshold.height == 2.5 && !threshold.of_top);
    assert_int_equal(sl_threshold_parse("40%", &threshold, &err), SL_OK);
    assert_true(threshold.height == 0.4 && threshold.of_top);
    static const char *const wrong[] = {"", "%", "0", "-1", "0%", "101%", "tall", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sl_threshold_parse(wrong[i], &threshold, &err), SL_EINPUT);
        assert_non_null(strstr(err.text, "expected a height above 0"));
    }
    world_free(&world);
}

static void expect_refusal(World *world, const SlAssignSetup *setup) {
    SlAssignment out;
    SlTaskSetup task = task_of(world, "edp");
    SlError err = {0};
    size_t mark = sl_arena_mark(&world->arena);
    assert_int_equal(sl_assign_run(&task, setup, &world->arena, &out, &err), SL_EINPUT);
    assert_true(strlen(err.text) > 10);
    assert_int_equal(sl_arena_mark(&world->arena), mark);
}

static void wrong_setups_are_refused(void **state) {
    (void)state;
    World world;
    world_make(&world, "linear:K=8,C=8", "eyeriss");
    SlAssignSetup setup = plain_setup();
    setup.samples = 1;
    expect_refusal(&world, &setup);
    setup = plain_setup();
    setup.samples = INT64_C(1) << 40;
    expect_refusal(&world, &setup);
    setup = plain_setup();
    setup.share = 0;
    expect_refusal(&world, &setup);
    setup.share = NAN;
    expect_refusal(&world, &setup);
    // one or two rows are no correlation
    setup = plain_setup();
    setup.share = 0.0001;
    expect_refusal(&world, &setup);
    setup.share = 0.15;
    setup.samples = 13;
    expect_refusal(&world, &setup);
    world_free(&world);
}

static void too_little_memory_is_reported(void **state) {
    (void)state;
    World world;
    world_make(&world, "linear:K=8,C=8", "eyeriss");
    SlTaskSetup task = task_of(&world, "edp");
    SlAssignSetup setup = plain_setup();
    setup.samples = 50;
    int failed = 0;
    SlStatus status = SL_ENOMEM;
    for (size_t limit = 64; status != SL_OK; limit += limit / 2, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        SlAssignment out;
        status = sl_assign_run(&task, &setup, &arena, &out, NULL);
        if (status != SL_OK) {
            assert_int_equal(status, SL_ENOMEM);
            assert_int_equal(sl_arena_mark(&arena), 0);
        }
        sl_arena_free(&arena);
    }
    assert_true(failed > 3);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_hold_the_best_rows_of_every_kind),
        cmocka_unit_test(what_moves_together_is_merged_first),
        cmocka_unit_test(cuts_give_agents_that_suit_the_space),
        cmocka_unit_test(random_is_the_policy_and_seeds_decide),
        cmocka_unit_test(local_search_may_collect_too),
        cmocka_unit_test(rows_are_those_of_the_mappings_that_were_evaluated),
        cmocka_unit_test(the_objective_is_one_more_column),
        cmocka_unit_test(every_method_that_suits_collects),
        cmocka_unit_test(heights_and_shares_of_the_top_cut_alike),
        cmocka_unit_test(wrong_setups_are_refused),
        cmocka_unit_test(too_little_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
