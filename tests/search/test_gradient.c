// test_gradient.c - surrogate gradient search: what the networks see and learn, where chains go,
// what is verified.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/descent.h"
#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";
static const SlSurrogateOptions MODEL = {.hidden = 16, .rate = 0.006, .decay = 0.01, .focus = 0.3};

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

// --- what the networks see

// the block of the nest is that of the point where repair changes nothing: the encoded point
static void a_lens_shows_the_point_and_its_nest(void **state) {
    (void)state;
    World world;
    SlLens lens;
    SlRng rng;
    int32_t point[SL_MAX_PARAMS];
    double x[SL_MAX_RELAXED], inputs[SL_MAX_LENS];
    world_make(&world, RES18, "eyeriss");
    assert_true(sl_lens_init(&lens, world_task(&world, "edp", SL_ILLEGAL_REPAIR)));
    assert_int_equal(lens.n, 2 * lens.relax.n);
    sl_rng_init(&rng, 1, "lens");
    int changed = 0, same = 0;
    for (int i = 0; i < 200; i++) {
        sl_space_sample(&world.space, &rng, point);
        assert_true(sl_lens_point(&lens, point, inputs) == key_of(&world, point));
        sl_relax_point(&lens.relax, point, x);
        assert_memory_equal(x, inputs, (size_t)lens.relax.n * sizeof *x);
        for (int p = 0; p < world.space.n_params; p++) {
            const SlParam *param = &world.space.params[p];
            double nest = inputs[lens.relax.n + lens.relax.first[p]], own = x[lens.relax.first[p]];
            if (param->n < 2 || param->role != SL_ROLE_TILE) continue;
            // tiles are rounded up to whole waves at most by a little; repair makes them smaller
            changed += nest < own - 1e-9;
            same += fabs(nest - own) < 1e-9;
        }
    }
    assert_true(changed > 100 && same > 100);
    world_free(&world);
}

// two points that are the same nest have the same second block
static void equal_nests_look_equal(void **state) {
    (void)state;
    World world;
    SlLens lens;
    SlRng rng;
    int32_t point[SL_MAX_PARAMS], other[SL_MAX_PARAMS];
    double a[SL_MAX_LENS], b[SL_MAX_LENS];
    world_make(&world, RES18, "eyeriss");
    assert_true(sl_lens_init(&lens, world_task(&world, "edp", SL_ILLEGAL_REPAIR)));
    sl_rng_init(&rng, 1, "equal");
    int equal = 0, n = world.space.n_params;
    for (int i = 0; i < 3000; i++) {
        sl_space_sample(&world.space, &rng, point);
        memcpy(other, point, sizeof point);
        int p = (int)sl_rng_below(&rng, (uint64_t)n);
        // sets of dims are shown as they stand
        if (world.space.params[p].kind == SL_CATEGORICAL) continue;
        other[p] = (int32_t)sl_rng_below(&rng, (uint64_t)world.space.params[p].n);
        uint64_t one = sl_lens_point(&lens, point, a), two = sl_lens_point(&lens, other, b);
        if (other[p] == point[p] || one != two) continue;
        equal += memcmp(a + lens.relax.n, b + lens.relax.n, (size_t)lens.relax.n * sizeof *a) == 0;
    }
    assert_true(equal > 100);
    world_free(&world);
}

static void slopes_of_both_blocks_add_up(void **state) {
    (void)state;
    World world;
    SlLens lens;
    double by_inputs[SL_MAX_LENS], slope[SL_MAX_RELAXED];
    world_make(&world, RES18, "eyeriss");
    assert_true(sl_lens_init(&lens, world_task(&world, "edp", SL_ILLEGAL_REPAIR)));
    for (int i = 0; i < lens.n; i++) by_inputs[i] = i;
    sl_lens_slope(&lens, by_inputs, slope);
    for (int i = 0; i < lens.relax.n; i++) assert_true(slope[i] == 2 * i + lens.relax.n);
    world_free(&world);
}

// --- what they learn

enum { N = 6 };

static double bowl(const double *x) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += (x[i] - 0.1 * i) * (x[i] - 0.1 * i);
    return sum;
}

static void draw(SlRng *rng, double *x) {
    for (int i = 0; i < N; i++) x[i] = sl_rng_uniform(rng);
}

static SlSurrogate *taught(SlArena *arena, SlRng *rng) {
    SlSurrogate *model = sl_surrogate_make(N, &MODEL, 1000, *rng, arena);
    double x[N];
    for (int i = 0; i < 400; i++) {
        draw(rng, x);
        sl_surrogate_add(model, x, bowl(x));
    }
    assert_int_equal(sl_surrogate_n(model), 400);
    sl_surrogate_learn(model, 300);
    return model;
}

// share of pairs that the guesses put in the right order
static void guesses_rank_points_never_seen(void **state) {
    (void)state;
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 1, "bowl");
    SlSurrogate *model = taught(&arena, &rng);
    double xs[64 * N], guesses[64], doubtful[64];
    for (int k = 0; k < 64; k++) draw(&rng, xs + k * N);
    sl_surrogate_guess(model, 64, xs, 0, guesses);
    sl_surrogate_guess(model, 64, xs, 1, doubtful);
    int right = 0, pairs = 0;
    for (int a = 0; a < 64; a++) {
        assert_true(doubtful[a] <= guesses[a]);
        for (int b = 0; b < a; b++, pairs++)
            right += (guesses[a] < guesses[b]) == (bowl(xs + a * N) < bowl(xs + b * N));
    }
    assert_true(right > 0.9 * pairs);
    sl_arena_free(&arena);
}

// the mean of the networks' slopes is the slope of the guess
static void slopes_are_those_of_the_guesses(void **state) {
    (void)state;
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 2, "slope");
    SlSurrogate *model = taught(&arena, &rng);
    const double h = 2e-3;
    int close = 0, all = 0;
    for (int k = 0; k < 20; k++) {
        double x[N], one[N], two[N], ends[2 * N], guesses[2];
        draw(&rng, x);
        sl_surrogate_slope(model, 0, 1, x, one);
        sl_surrogate_slope(model, 1, 1, x, two);
        for (int i = 0; i < N; i++, all++) {
            memcpy(ends, x, sizeof x);
            memcpy(ends + N, x, sizeof x);
            ends[i] -= h;
            ends[N + i] += h;
            sl_surrogate_guess(model, 2, ends, 0, guesses);
            double numeric = (guesses[1] - guesses[0]) / (2 * h);
            close += fabs(numeric - (one[i] + two[i]) / 2) < 0.05;
        }
    }
    // at a kink of a unit the two may differ
    assert_true(close > 0.9 * all);
    sl_arena_free(&arena);
}

static void the_oldest_samples_give_way(void **state) {
    (void)state;
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 3, "ring");
    SlSurrogate *model = sl_surrogate_make(N, &MODEL, 50, rng, &arena);
    double x[N] = {0}, guess = 0;
    // first a plain of 3, then as many of 0 as are kept: nothing is left of the 3
    for (int i = 0; i < 200; i++) {
        draw(&rng, x);
        sl_surrogate_add(model, x, i < 150 ? 3 : 0);
    }
    sl_surrogate_learn(model, 150);
    sl_surrogate_guess(model, 1, x, 0, &guess);
    assert_true(fabs(guess) < 0.2);
    sl_arena_free(&arena);
}

// --- where chains go

typedef struct {
    World world;
    SlLens lens;
    SlSeen nests;
    SlSurrogate *model;
    SlDescent descent;
    SlRanking none;
} Walk;

// a model that was taught: the larger all sizes, the better
static void walk_make(Walk *walk, const SlDescentOptions *options) {
    world_make(&walk->world, RES18, "eyeriss");
    SlArena *arena = &walk->world.arena;
    const SlTask *task = world_task(&walk->world, "edp", SL_ILLEGAL_REPAIR);
    SlRng rng;
    int32_t point[SL_MAX_PARAMS];
    double inputs[SL_MAX_LENS];
    sl_rng_init(&rng, 1, "walk");
    assert_true(sl_lens_init(&walk->lens, task));
    assert_true(sl_seen_init(&walk->nests, task, 1000, arena));
    assert_true(sl_ranking_make(&walk->none, 1, walk->world.space.n_params, arena));
    walk->model = sl_surrogate_make(walk->lens.n, &MODEL, 1000, rng, arena);
    for (int i = 0; i < 300; i++) {
        double score = 0;
        sl_space_sample(&walk->world.space, &rng, point);
        sl_lens_point(&walk->lens, point, inputs);
        for (int p = 0; p < walk->world.space.n_params; p++)
            if (walk->world.space.params[p].kind == SL_ORDINAL)
                score -= inputs[walk->lens.relax.first[p]];
        sl_surrogate_add(walk->model, inputs, score);
    }
    sl_surrogate_learn(walk->model, 200);
    walk->descent.rng = rng;
    assert_true(
        sl_descent_make(&walk->descent, options, &walk->lens, &walk->nests, walk->model, arena));
}

static double mean_height(const Walk *walk) {
    double sum = 0;
    for (int c = 0; c < walk->descent.n_chains; c++) sum += walk->descent.chains[c].height;
    return sum / walk->descent.n_chains;
}

static void chains_go_down(void **state) {
    (void)state;
    SlDescentOptions options = {.chains = 16, .steps = 1, .rate = 1e-6, .heat = 50, .cool = 1};
    Walk still, walk;
    walk_make(&still, &options);
    options.steps = 10;
    options.rate = 0.1;
    walk_make(&walk, &options);
    sl_descent_round(&still.descent, &still.none);
    sl_descent_round(&walk.descent, &walk.none);
    assert_true(mean_height(&walk) < mean_height(&still) - 0.15);
    for (int c = 0; c < 16; c++) {
        const SlChain *chain = &walk.descent.chains[c];
        assert_true(chain->guess <= chain->height);
        for (int i = 0; i < walk.lens.relax.n; i++)
            assert_true(chain->x[i] >= 0 && chain->x[i] <= 1);
    }
    world_free(&still.world);
    world_free(&walk.world);
}

// in the cold no jump to a worse place is accepted, in the heat all are
static void jumps_are_accepted_as_in_annealing(void **state) {
    (void)state;
    double rise[2] = {0};
    for (int hot = 0; hot < 2; hot++) {
        const SlDescentOptions options = {
            .chains = 16, .steps = 1, .rate = 1e-6, .heat = hot ? 1e6 : 1e-9, .cool = 1};
        Walk walk;
        walk_make(&walk, &options);
        for (int i = 0; i < 10; i++) sl_descent_round(&walk.descent, &walk.none);
        rise[hot] = mean_height(&walk);
        world_free(&walk.world);
    }
    assert_true(rise[0] < rise[1] - 0.15);
}

static void the_temperature_falls_every_fifty_jumps(void **state) {
    (void)state;
    const SlDescentOptions options = {
        .chains = 10, .steps = 1, .rate = 0.1, .heat = 50, .cool = 0.75};
    Walk walk;
    walk_make(&walk, &options);
    for (int i = 0; i < 4; i++) sl_descent_round(&walk.descent, &walk.none);
    assert_true(walk.descent.heat == 50);
    for (int i = 0; i < 6; i++) sl_descent_round(&walk.descent, &walk.none);
    assert_true(fabs(walk.descent.heat - 50 * 0.75 * 0.75) < 1e-12);
    world_free(&walk.world);
}

static void only_new_nests_are_met(void **state) {
    (void)state;
    const SlDescentOptions options = {.chains = 16, .steps = 3, .rate = 0.1, .heat = 50, .cool = 1};
    Walk walk;
    walk_make(&walk, &options);
    for (int i = 0; i < 5; i++) {
        sl_descent_round(&walk.descent, &walk.none);
        for (int c = 0; c < 16; c++)
            assert_false(
                sl_seen_has_key(&walk.nests, key_of(&walk.world, walk.descent.chains[c].met)));
        for (int c = 0; c < 16; c++) sl_seen_add(&walk.nests, walk.descent.chains[c].met);
    }
    world_free(&walk.world);
}

static void a_ranking_keeps_the_least(void **state) {
    (void)state;
    SlArena arena;
    SlRanking ranking;
    sl_arena_init(&arena, 0);
    assert_true(sl_ranking_make(&ranking, 3, 1, &arena));
    for (int32_t i = 0; i < 10; i++) sl_ranking_add(&ranking, 1, (i * 7) % 10, &i);
    assert_int_equal(ranking.n, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(ranking.value[i] == i);
        assert_int_equal(ranking.points[i] * 7 % 10, i);
    }
    sl_arena_free(&arena);
}

// --- the method

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "gradient", "hidden=16", 1);
    method_continue(&run, 300, 16);
    assert_int_equal(count_repeats(&run), 0);
    world_free(&world);
}

static void first_come_uniform_points_then_rounds(void **state) {
    (void)state;
    World world;
    MethodRun run, other;
    int32_t points[64 * SL_MAX_PARAMS];
    SlSample outcomes[64] = {{0}};
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "gradient", "first=20 batch=5", 1);
    assert_int_equal(run.method->ask(run.state, 64, points), 20);
    for (int i = 0; i < 20; i++) outcomes[i].score = i;
    run.method->tell(run.state, 20, points, outcomes);
    assert_int_equal(run.method->ask(run.state, 64, points), 5);
    // what is told before counts
    method_begin(&other, &world, "gradient", "first=20", 1);
    sl_method_meet(other.method, other.state, 5, points, outcomes);
    assert_int_equal(other.method->ask(other.state, 64, points), 15);
    world_free(&world);
}

static void a_guest_is_not_asked_for_again(void **state) {
    (void)state;
    World world;
    MethodRun run;
    SlRng rng;
    int32_t guest[SL_MAX_PARAMS];
    SlSample outcome;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&run, &world, "gradient", "first=10", 1);
    sl_rng_init(&rng, 1, "guest");
    sl_space_sample(&world.space, &rng, guest);
    sl_task_eval(run.task, 1, guest, &outcome);
    sl_method_meet(run.method, run.state, 1, guest, &outcome);
    method_continue(&run, 30, 1);
    for (int i = 0; i < 30; i++)
        assert_true(key_of(&world, run.points + i * world.space.n_params) != key_of(&world, guest));
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lens_shows_the_point_and_its_nest),
        cmocka_unit_test(equal_nests_look_equal),
        cmocka_unit_test(slopes_of_both_blocks_add_up),
        cmocka_unit_test(guesses_rank_points_never_seen),
        cmocka_unit_test(slopes_are_those_of_the_guesses),
        cmocka_unit_test(the_oldest_samples_give_way),
        cmocka_unit_test(chains_go_down),
        cmocka_unit_test(jumps_are_accepted_as_in_annealing),
        cmocka_unit_test(the_temperature_falls_every_fifty_jumps),
        cmocka_unit_test(only_new_nests_are_met),
        cmocka_unit_test(a_ranking_keeps_the_least),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(first_come_uniform_points_then_rounds),
        cmocka_unit_test(a_guest_is_not_asked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
