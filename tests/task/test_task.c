// test_task.c - the door counts every sample, prices as module cost does, and keeps the best.
#include "support/check.h"
#include "support/world.h"

#include <math.h>
#include <string.h>

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

static void repeats_count_as_samples(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "eyeriss");
    SlTask *task = world_task(&world, "latency", SL_ILLEGAL_REPAIR);
    int32_t point[SL_MAX_PARAMS] = {0};
    SlSample first, again;
    assert_int_equal(sl_task_samples(task), 0);
    assert_null(sl_task_best(task));
    assert_null(sl_task_cost(task));
    sl_task_eval(task, 1, point, &first);
    for (int i = 0; i < 9; i++) sl_task_eval(task, 1, point, &again);
    assert_memory_equal(&first, &again, sizeof first);
    assert_int_equal(sl_task_samples(task), 10);
    assert_int_equal(sl_task_best(task)->sample, 1);
    sl_task_eval_mapping(task, &sl_task_best(task)->mapping, &again);
    assert_int_equal(sl_task_samples(task), 11);
    assert_memory_equal(&first, &again, sizeof first);
    assert_ptr_equal(sl_task_space(task), &world.space);
    world_free(&world);
}

// of mappings with the least latency the one with the least energy is kept, and the other way round
static void equal_values_are_decided_by_the_other_objective(const char *goal) {
    World world;
    SlRng rng;
    world_make(&world, "conv:K=8,C=8,P=6,Q=6", "eyeriss");
    bool latency = strcmp(goal, "latency") == 0;
    SlTask *task = world_task(&world, goal, SL_ILLEGAL_REPAIR);
    sl_rng_init(&rng, 3, "ties");
    double least = INFINITY, other = INFINITY;
    int n_ties = 0; // samples that equal the least value and differ in the other objective
    for (int i = 0; i < 4000; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample got;
        sl_space_sample(&world.space, &rng, point);
        sl_task_eval(task, 1, point, &got);
        double second = latency ? got.energy_pj : got.latency_cycles;
        if (got.value > least) continue;
        n_ties += got.value == least && second != other;
        other = got.value < least ? second : fmin(other, second);
        least = got.value;
    }
    const SlSample *best = &sl_task_best(task)->outcome;
    assert_true(n_ties > 0);
    assert_true(best->value == least);
    assert_true((latency ? best->energy_pj : best->latency_cycles) == other);
    world_free(&world);
}

static void equal_latencies_are_decided_by_energy(void **state) {
    (void)state;
    equal_values_are_decided_by_the_other_objective("latency");
}

static void equal_energies_are_decided_by_latency(void **state) {
    (void)state;
    equal_values_are_decided_by_the_other_objective("energy");
}

// values against sl_cost_eval, and the best against a scan of our own
static void outcomes_are_those_of_the_repaired_nest(const char *layer, const char *accel,
                                                    const char *goal_text) {
    World world;
    SlRng rng;
    world_make(&world, layer, accel);
    SlTask *task = world_task(&world, goal_text, SL_ILLEGAL_REPAIR);
    SlGoal goal = world_goal(goal_text);
    sl_rng_init(&rng, 5, "task");
    double best = INFINITY;
    int best_sample = 0;
    for (int i = 1; i <= 150; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping mapping;
        SlCost cost;
        SlSample got;
        sl_space_sample(&world.space, &rng, point);
        assert_true(sl_space_mapping(&world.space, point, true, &mapping));
        sl_cost_eval(&world.layer, &world.accel, &mapping, &cost);
        sl_task_eval(task, 1, point, &got);
        assert_true(got.value == sl_goal_value(&goal, &cost));
        assert_true(got.score == log(got.value) && got.excess == 0);
        assert_true(got.latency_cycles == cost.latency_cycles && got.energy_pj == cost.energy_pj);
        assert_true(got.area_um2 == cost.area_min_um2 && got.power_mw == cost.power_mw);
        assert_true(sl_task_cost(task)->counts.cycles == cost.counts.cycles);
        assert_true(sl_task_cost(task)->reads[0] == cost.reads[0]);
        if (got.value < best) best_sample = i;
        best = fmin(best, got.value);
        assert_true(sl_task_best(task)->outcome.value == best);
        assert_int_equal(sl_task_best(task)->sample, best_sample);
    }
    SlSample again;
    sl_task_eval_mapping(task, &sl_task_best(task)->mapping, &again);
    assert_true(again.value == best);
    world_free(&world);
}

static void outcomes_are_exact_for_ordinary_huge_and_tiny_layers(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=64,C=64,P=56,Q=56,R=3,S=3,stride=2",
        "dw:G=96,P=112,Q=112,R=3,S=3",
        "conv:K=1",                                      // one MAC
        "conv:K=127,C=61,P=59,Q=53,R=7,S=5",             // primes
        "gemm:M=16384,N=8192,K=8192",                    // 2^40 MACs
        "conv:N=1024,K=8192,C=8192,P=1024,Q=32,R=3,S=1", // 2^52 and a half
        "bmm:B=12,M=128,N=128,K=64",
    };
    static const char *const goals[] = {"latency", "edp", "area", "latency=3,energy=3,area=3"};
    for (int i = 0; i < 7; i++)
        for (int g = 0; g < 4; g++)
            outcomes_are_those_of_the_repaired_nest(layers[i], "eyeriss", goals[g]);
    static const char *const accels[] = {"flex1024", "simba", "tpu", "gemmini", "nvdla"};
    for (int a = 0; a < 5; a++) outcomes_are_those_of_the_repaired_nest(RES18, accels[a], "edp");
}

// the whole layer in L2 and L1: far too large, and ever more so for more channels
static double excess_of_whole(const char *layer, SlSample *out) {
    World world;
    world_make(&world, layer, "eyeriss");
    SlTask *task = world_task(&world, "latency", SL_ILLEGAL_PENALTY);
    int32_t point[SL_MAX_PARAMS] = {0};
    for (int i = 0; i < world.space.n_params; i++)
        if (world.space.params[i].role == SL_ROLE_TILE) point[i] = world.space.params[i].n - 1;
    sl_task_eval(task, 1, point, out);
    assert_null(sl_task_best(task));
    assert_int_equal(sl_task_samples(task), 1);
    world_free(&world);
    return out->excess;
}

static void the_penalty_is_finite_and_grows_with_the_violation(void **state) {
    (void)state;
    SlSample small, large;
    double less = excess_of_whole("conv:K=64,C=64,P=56,Q=56,R=3,S=3", &small);
    double more = excess_of_whole("conv:K=128,C=64,P=56,Q=56,R=3,S=3", &large);
    assert_true(less > 0 && more > less);
    assert_true(isinf(small.value) && isinf(large.value));
    assert_true(isfinite(small.score) && isfinite(large.score));
    assert_true(small.latency_cycles == 0 && small.energy_pj == 0 && small.power_mw == 0);
}

// the score of what does not fit: the worst legal one so far + 1 + excess
static void what_does_not_fit_scores_above_all_that_fitted(void **state) {
    (void)state;
    World world;
    SlRng rng;
    world_make(&world, RES18, "eyeriss");
    SlTask *task = world_task(&world, "edp", SL_ILLEGAL_PENALTY);
    sl_rng_init(&rng, 3, "task");
    double worst = -INFINITY, lowest_before = INFINITY;
    int n_illegal = 0, n_legal = 0;
    for (int i = 0; i < 2000; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample out;
        SlMapping mapping;
        sl_space_sample(&world.space, &rng, point);
        sl_task_eval(task, 1, point, &out);
        bool fits = sl_space_mapping(&world.space, point, false, &mapping);
        assert_int_equal(fits, isfinite(out.value));
        if (!fits) {
            n_illegal++;
            assert_true(out.excess > 0 && isfinite(out.score));
            if (n_legal == 0) lowest_before = fmin(lowest_before, out.score);
            if (n_legal > 0) assert_true(out.score == worst + 1 + out.excess);
            continue;
        }
        n_legal++;
        worst = fmax(worst, out.score);
    }
    assert_true(n_illegal > 100 && n_legal > 100);
    assert_true(lowest_before > worst); // guessed before anything was legal
    world_free(&world);
}

// a nest with twice the spatial copies that the array has
static void nests_that_do_not_fit_are_repaired_or_penalised(void **state) {
    (void)state;
    World world;
    SlMapping mapping;
    SlError err;
    SlSample out;
    world_make(&world, RES18, "eyeriss");
    const char *nest = "K:64 P:14 @7 P*1 K*2 C:4 Q:4 @7 K:1 C:1 Q:1 R:1 S:1";
    assert_int_equal(sl_mapping_parse(nest, &mapping, &err), SL_OK);
    assert_null(sl_mapping_check(&world.layer, &mapping));
    SlTask *strict = world_task(&world, "latency", SL_ILLEGAL_PENALTY);
    sl_task_eval_mapping(strict, &mapping, &out);
    assert_true(isinf(out.value) && fabs(out.excess - log(14.0 * 32 / 168)) < 1e-12);
    assert_null(sl_task_best(strict));
    SlTask *kind = world_task(&world, "latency", SL_ILLEGAL_REPAIR);
    sl_task_eval_mapping(kind, &mapping, &out);
    assert_true(isfinite(out.value) && out.excess == 0);
    SlFit fit;
    assert_true(sl_mapping_fit(&world.layer, &world.accel, &sl_task_best(kind)->mapping, &fit));
    world_free(&world);
}

static void expect_nothing_kept(World *world, const char *goal) {
    SlTask *task = world_task(world, goal, SL_ILLEGAL_REPAIR);
    SlRng rng;
    sl_rng_init(&rng, 1, "task");
    for (int i = 0; i < 50; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample out;
        sl_space_sample(&world->space, &rng, point);
        sl_task_eval(task, 1, point, &out);
        assert_true(isinf(out.value) && out.value > 0 && isfinite(out.score));
        assert_true(out.energy_pj == 0 && out.latency_cycles == 0);
        assert_null(sl_task_best(task));
    }
    assert_int_equal(sl_task_samples(task), 50);
}

// 1e30 pJ a word and 1e-30 words a cycle are allowed, but such powers of them are no doubles; where
// energy is free, energy, power and their products are 0
static void costs_that_are_no_positive_numbers_never_become_the_best(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "eyeriss");
    world.accel.levels[0].read_pj = world.accel.mac_pj = 1e30;
    world.accel.levels[0].port_words = 1e-30;
    world_remake(&world);
    expect_nothing_kept(&world, "energy=3,edp=3");
    world.accel.mac_pj = 0;
    for (int l = 0; l < world.accel.n_levels; l++) {
        SlLevel *level = &world.accel.levels[l];
        level->read_pj = level->write_pj = level->link_pj = 0;
    }
    world_remake(&world);
    expect_nothing_kept(&world, "energy");
    expect_nothing_kept(&world, "edp");
    expect_nothing_kept(&world, "power");
    expect_nothing_kept(&world, "latency=3,power=1");
    world_free(&world);
}

static SlStatus make_task(SlArena *arena) {
    World world;
    world_make(&world, RES18, "eyeriss");
    const SlTaskSetup setup = {.space = &world.space, .goal = world_goal("edp")};
    SlTask *task = NULL;
    SlError err;
    SlStatus status = sl_task_make(&setup, arena, &task, &err);
    world_free(&world);
    return status;
}

static void without_memory_there_is_no_task(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 10000);
    assert_int_equal(make_task(&arena), SL_ENOMEM);
    sl_arena_free(&arena);
    sl_arena_init(&arena, 1 << 20);
    assert_int_equal(make_task(&arena), SL_OK);
    sl_arena_free(&arena);
}

// --- names

static const char *name_of(World *world, const char *goal, SlIllegal illegal) {
    return sl_task_name(world_task(world, goal, illegal));
}

static void equal_tasks_have_equal_names_and_layers_go_by_their_shape(void **state) {
    (void)state;
    World one, two;
    world_make(&one, "conv:K=6,C=4,P=3", "eyeriss");
    world_make(&two, "conv:K=6,C=4,P=3", "eyeriss");
    strcpy(one.layer.name, "first");
    strcpy(two.layer.name, "second");
    const char *name = name_of(&one, "edp", SL_ILLEGAL_REPAIR);
    assert_string_equal(name, name_of(&two, "edp", SL_ILLEGAL_REPAIR));
    assert_ptr_equal(strstr(name, "native edp repair "), name);
    assert_non_null(strstr(name, " on eyeriss native "));
    world_free(&one);
    world_free(&two);
}

static void whatever_changes_values_changes_the_name(void **state) {
    (void)state;
    enum { N = 7 };
    World world, other;
    const char *names[N];
    world_make(&world, "conv:K=6,C=4,P=3", "eyeriss");
    world_make(&other, "conv:K=6,C=4,P=5", "eyeriss");
    names[0] = name_of(&world, "edp", SL_ILLEGAL_REPAIR);
    names[1] = name_of(&world, "energy", SL_ILLEGAL_REPAIR);
    names[2] = name_of(&world, "edp", SL_ILLEGAL_PENALTY);
    names[3] = name_of(&other, "edp", SL_ILLEGAL_REPAIR);
    // the same name of an accelerator with another price, other axes
    world.accel.levels[1].read_pj *= 2;
    names[4] = name_of(&world, "edp", SL_ILLEGAL_REPAIR);
    world.accel.fanouts[1].multicast ^= true;
    names[5] = name_of(&world, "edp", SL_ILLEGAL_REPAIR);
    // a list of the space that is one size shorter
    for (int i = 0; i < world.space.n_params; i++)
        if (world.space.params[i].kind == SL_ORDINAL && world.space.params[i].n > 1) {
            world.space.params[i].n--;
            break;
        }
    names[6] = name_of(&world, "edp", SL_ILLEGAL_REPAIR);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(names[i], names[k]);
    world_free(&world);
    world_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_latencies_are_decided_by_energy),
        cmocka_unit_test(equal_energies_are_decided_by_latency),
        cmocka_unit_test(repeats_count_as_samples),
        cmocka_unit_test(outcomes_are_exact_for_ordinary_huge_and_tiny_layers),
        cmocka_unit_test(the_penalty_is_finite_and_grows_with_the_violation),
        cmocka_unit_test(what_does_not_fit_scores_above_all_that_fitted),
        cmocka_unit_test(nests_that_do_not_fit_are_repaired_or_penalised),
        cmocka_unit_test(costs_that_are_no_positive_numbers_never_become_the_best),
        cmocka_unit_test(without_memory_there_is_no_task),
        cmocka_unit_test(equal_tasks_have_equal_names_and_layers_go_by_their_shape),
        cmocka_unit_test(whatever_changes_values_changes_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
