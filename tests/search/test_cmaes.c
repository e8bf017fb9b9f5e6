// test_cmaes.c - CMA-ES on mappings: runs, restarts, margins, scores that are known.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/known.h"
#include "../src/search/margin.h"
#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

static uint64_t key_of(const World *world, const int32_t *point) {
    SlMapping mapping;
    sl_space_mapping(&world->space, point, true, &mapping);
    return sl_mapping_key(&world->layer, &mapping);
}

static int64_t count_repeats(const MethodRun *run) {
    SlKeySet *seen = sl_keyset_make(0, &run->world->arena);
    int64_t n = 0;
    for (int64_t i = 0; i < run->n_points; i++)
        n += !sl_keyset_add(seen, key_of(run->world, run->points + i * run->world->space.n_params));
    return n;
}

static void scores_are_kept_by_key(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlKnown *known = sl_known_make(&arena);
    double score = -1;
    assert_false(sl_known_find(known, 0, &score));
    for (uint64_t i = 0; i < 5000; i++) sl_known_add(known, i * i * 977, (double)i);
    for (uint64_t i = 0; i < 5000; i++) {
        assert_true(sl_known_find(known, i * i * 977, &score));
        assert_true(score == (double)i);
    }
    assert_false(sl_known_find(known, 3, &score));
    sl_known_add(known, 977, 0.5);
    assert_true(sl_known_find(known, 977, &score) && score == 0.5);
    sl_arena_free(&arena);
}

static void full_memory_forgets_scores_and_goes_on(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 1 << 14);
    SlKnown *known = sl_known_make(&arena);
    assert_non_null(known);
    double score = 0;
    int kept = 0;
    for (uint64_t i = 1; i <= 5000; i++) sl_known_add(known, i, (double)i);
    for (uint64_t i = 1; i <= 5000; i++) kept += sl_known_find(known, i, &score);
    assert_in_range(kept, 200, 1024);
    sl_arena_free(&arena);
}

static void normal_tails_are_those_of_the_tables(void **state) {
    (void)state;
    assert_true(fabs(sl_normal_tail(0.5)) < 1e-9);
    assert_true(fabs(sl_normal_tail(0.025) - 1.959964) < 1e-6);
    assert_true(fabs(sl_normal_tail(1e-9) - 5.997807) < 1e-6);
}

typedef struct {
    World world;
    SlRelax relax;
    SlCma cma;
} Narrow;

// a distribution at a random point, with a width in which hardly anything changes
static void make_narrow(Narrow *narrow, double sigma) {
    int32_t point[SL_MAX_PARAMS];
    double mean[SL_MAX_RELAXED];
    SlRng rng;
    world_make(&narrow->world, RES18, "eyeriss");
    sl_rng_init(&rng, 3, "narrow");
    sl_space_sample(&narrow->world.space, &rng, point);
    assert_true(sl_relax_init(&narrow->relax, &narrow->world.space));
    sl_relax_point(&narrow->relax, point, mean);
    assert_true(sl_cma_make(&narrow->cma, narrow->relax.n, 10, &narrow->world.arena));
    sl_cma_start(&narrow->cma, 10, mean, sigma);
}

// share of draws in which each parameter differs from the mean's
static void count_changes(Narrow *narrow, int n_draws, double *share) {
    int32_t at[SL_MAX_PARAMS], point[SL_MAX_PARAMS];
    double x[SL_MAX_RELAXED];
    SlRng rng;
    int n_params = narrow->world.space.n_params;
    sl_rng_init(&rng, 4, "changes");
    sl_relax_round(&narrow->relax, narrow->cma.mean, at);
    for (int i = 0; i < n_params; i++) share[i] = 0;
    for (int k = 0; k < n_draws; k++) {
        sl_cma_draw(&narrow->cma, &rng, x);
        sl_relax_round(&narrow->relax, x, point);
        for (int i = 0; i < n_params; i++) share[i] += (point[i] != at[i]) / (double)n_draws;
    }
}

static void a_margin_keeps_every_parameter_moving(void **state) {
    (void)state;
    Narrow narrow;
    double before[SL_MAX_PARAMS], after[SL_MAX_PARAMS];
    int32_t at[SL_MAX_PARAMS], still[SL_MAX_PARAMS];
    make_narrow(&narrow, 1e-4);
    count_changes(&narrow, 2000, before);
    sl_relax_round(&narrow.relax, narrow.cma.mean, at);
    sl_margin_keep(&narrow.relax, 0.05, &narrow.cma);
    sl_relax_round(&narrow.relax, narrow.cma.mean, still);
    count_changes(&narrow, 20000, after);
    for (int i = 0; i < narrow.world.space.n_params; i++) {
        if (narrow.world.space.params[i].n < 2) continue;
        assert_true(before[i] == 0);
        assert_true(after[i] > 0.04);
        // sizes leave with that chance; orders and sets with that of each neighbour
        if (narrow.world.space.params[i].kind == SL_ORDINAL) assert_true(after[i] < 0.06);
        assert_true(after[i] < 0.5);
    }
    assert_memory_equal(at, still, (size_t)narrow.world.space.n_params * sizeof *at);
    world_free(&narrow.world);
}

static void a_wide_distribution_needs_no_margin(void **state) {
    (void)state;
    Narrow narrow;
    make_narrow(&narrow, 10);
    sl_margin_keep(&narrow.relax, 1e-3, &narrow.cma);
    for (int i = 0; i < narrow.relax.n; i++) assert_true(narrow.cma.stretch[i] == 1);
    world_free(&narrow.world);
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "cmaes", NULL, 1);
    method_continue(&run, 3000, 16);
    assert_int_equal(count_repeats(&run), 0);
    world_free(&world);
}

// a space of few nests is asked for as a whole, then repeated
static void a_small_space_is_exhausted(void **state) {
    (void)state;
    World world;
    MethodRun run, random;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&random, &world, "random", NULL, 1);
    method_continue(&random, 15000, 64);
    int64_t n_nests = random.n_points - count_repeats(&random);
    assert_in_range(n_nests, 5, 500);
    method_begin(&run, &world, "cmaes", NULL, 1);
    method_continue(&run, 10 * n_nests, 1);
    assert_int_equal(run.n_points - count_repeats(&run), n_nests);
    world_free(&world);
}

static void a_generation_is_asked_for_at_once(void **state) {
    (void)state;
    World world;
    MethodRun run;
    SlSample outcomes[64] = {{0}};
    int32_t points[64 * SL_MAX_PARAMS];
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "cmaes", "population=9 starts=0", 1);
    assert_int_equal(run.method->ask(run.state, 64, points), 9);
    run.method->tell(run.state, 9, points, outcomes);
    assert_int_equal(run.method->ask(run.state, 4, points), 4);
    assert_int_equal(run.method->ask(run.state, 64, points + 4 * world.space.n_params), 5);
    world_free(&world);
}

static int differing(const World *world, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < world->space.n_params; i++) n += a[i] != b[i];
    return n;
}

// mean number of parameters that differ from `centre` in the next n samples
static double mean_distance(MethodRun *run, const int32_t *centre, int n) {
    double sum = 0;
    int64_t from = run->n_points;
    method_continue(run, n, 1);
    for (int64_t i = from; i < run->n_points; i++)
        sum += differing(run->world, centre, run->points + i * run->world->space.n_params);
    return sum / n;
}

static void a_point_told_before_the_first_ask_is_the_first_mean(void **state) {
    (void)state;
    World world;
    MethodRun run, other;
    SlRng rng;
    int32_t start[SL_MAX_PARAMS];
    SlSample outcome;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "cmaes", "sigma=0.03", 4);
    method_begin(&other, &world, "cmaes", "sigma=0.03", 4);
    sl_rng_init(&rng, 1, "start");
    sl_space_sample(&world.space, &rng, start);
    sl_task_eval(run.task, 1, start, &outcome);
    sl_method_meet(run.method, run.state, 1, start, &outcome);
    double near = mean_distance(&run, start, 12), far = mean_distance(&other, start, 12);
    assert_true(near < 0.7 * far);
    // and its nest counts as known
    for (int i = 0; i < 12; i++)
        assert_true(key_of(&world, run.points + i * world.space.n_params) != key_of(&world, start));
    world_free(&world);
}

// sigma = 0.001: the points of a run are near each other, those of the next somewhere else
static void it_starts_anew_when_nothing_improves(void **state) {
    (void)state;
    enum { PATIENCE = 40 };
    World world;
    MethodRun run;
    int32_t points[SL_MAX_PARAMS], centre[SL_MAX_PARAMS];
    SlSample outcome = {.score = 1};
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "cmaes", "starts=1 sigma=0.03 patience=40 grow=1", 4);
    int far = 0, runs = 0;
    for (int i = 0; i < 400; i++) {
        assert_int_equal(run.method->ask(run.state, 1, points), 1);
        if (runs == 0 || differing(&world, centre, points) > world.space.n_params * 3 / 4) {
            // a start: uniform
            memcpy(centre, points, (size_t)world.space.n_params * sizeof *points);
            far = 0;
            runs++;
        }
        assert_in_range(++far, 1, 4 * PATIENCE);
        run.method->tell(run.state, 1, points, &outcome);
    }
    assert_in_range(runs, 3, 40);
    world_free(&world);
}

static void more_columns_than_it_takes_are_drawn_uniformly(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    SlParam params[24];
    int n = 0;
    for (int i = 0; i < world.space.n_params; i++)
        if (world.space.params[i].kind == SL_CATEGORICAL) params[0] = world.space.params[i];
    for (n = 1; n < 24; n++) params[n] = params[0];
    for (n = 0; n < 24; n++) params[n].n = SL_MAX_SPREADS;
    world.space.params = params;
    world.space.n_params = n;
    memset(world.space.tile_param, -1, sizeof world.space.tile_param);
    const SlMethod *method = method_named("cmaes");
    const SlMethodSetup setup = {
        .task = world_task(&world, "edp", SL_ILLEGAL_PENALTY), .stream = "many", .budget = 100};
    run.state = method->make(&setup, method_options(method, NULL, &world.arena), &world.arena);
    assert_non_null(run.state);
    int32_t points[24];
    const SlSample outcome = {.score = 1};
    for (int i = 0; i < 50; i++) {
        assert_int_equal(method->ask(run.state, 1, points), 1);
        method->tell(run.state, 1, points, &outcome);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_kept_by_key),
        cmocka_unit_test(full_memory_forgets_scores_and_goes_on),
        cmocka_unit_test(normal_tails_are_those_of_the_tables),
        cmocka_unit_test(a_margin_keeps_every_parameter_moving),
        cmocka_unit_test(a_wide_distribution_needs_no_margin),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(a_small_space_is_exhausted),
        cmocka_unit_test(a_generation_is_asked_for_at_once),
        cmocka_unit_test(a_point_told_before_the_first_ask_is_the_first_mean),
        cmocka_unit_test(it_starts_anew_when_nothing_improves),
        cmocka_unit_test(more_columns_than_it_takes_are_drawn_uniformly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
