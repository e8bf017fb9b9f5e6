// test_kind_maestro.c - tasks priced by MAESTRO's model: its own numbers, and nothing that the
// strict guard refuses.
#include "support/check.h"
#include "support/world.h"

#include <math.h>
#include <string.h>

#include "starling/cost/maestro.h"
#include "starling/task/env.h"

static const char *const RES18 = "conv:K=64,C=64,P=54,Q=54,R=3,S=3";

// the space as an evaluator asks for it
static void remake(World *world, const SlTaskKind *kind, SlSpacePreset preset) {
    SlSpaceOptions options = {.preset = preset};
    SlConstraints constraints;
    SlError err = {0};
    assert_int_equal(sl_kind_space(kind, &world->arena, &constraints, &options, &err), SL_OK);
    SlStatus status =
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
}

static SlTask *maestro_task(World *world, const char *goal, SlIllegal illegal) {
    SlTaskSetup setup = {.space = &world->space,
                         .goal = world_goal(goal),
                         .illegal = illegal,
                         .kind = &sl_kind_maestro};
    SlTask *task = NULL;
    SlError err = {0};
    if (sl_task_make(&setup, &world->arena, &task, &err) != SL_OK) fail_msg("%s", err.text);
    return task;
}

// The model and the guard by hand; false where the nest is refused.
static bool price(const World *world, const SlMapping *nest, SlMaestroCost *cost, double *excess) {
    SlMaestroLayer shape;
    SlMaestroHardware hardware;
    SlMaestroMapping list;
    SlMaestroFault fault;
    SlMaestroGuard guard;
    assert_null(sl_maestro_shape(&world->layer, &shape));
    assert_null(sl_maestro_hardware_of(&world->accel, &hardware));
    *excess = 8;
    if (sl_maestro_of_nest(&world->layer, nest, hardware.num_pes, &shape, &list, NULL))
        return false;
    if (!sl_maestro_eval(&shape, &list, &hardware, NULL, cost, &fault)) return false;
    bool good = sl_maestro_guard(&shape, &list, &hardware, cost, &world->layer, nest, &guard);
    *excess = guard.excess;
    return good;
}

// outcomes of random points against the model itself; returns how many were accepted
static int expect_prices(World *world, const char *goal, int n) {
    SlTask *task = maestro_task(world, goal, SL_ILLEGAL_REPAIR);
    SlRng rng;
    double best = INFINITY;
    int accepted = 0;
    sl_rng_init(&rng, 3, goal);
    for (int i = 0; i < n; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping nest;
        SlMaestroCost cost;
        SlSample got;
        double excess;
        sl_space_sample(&world->space, &rng, point);
        sl_space_mapping(&world->space, point, true, &nest);
        bool good = price(world, &nest, &cost, &excess);
        sl_task_eval(task, 1, point, &got);
        assert_true(got.excess == excess && isfinite(got.score));
        assert_int_equal(isfinite(got.value), good);
        if (good) {
            double pj = 1000 * cost.energy_nj, cycles = (double)cost.runtime_cycles;
            assert_true(got.latency_cycles == cycles && got.energy_pj == pj);
            assert_true(got.area_um2 == cost.area_um2 && got.power_mw == cost.power_mw);
            assert_true(got.value == (strcmp(goal, "edp") == 0 ? pj * cycles : cycles));
            best = fmin(best, got.value);
            accepted++;
        }
        const SlBest *kept = sl_task_best(task);
        assert_true(kept ? kept->outcome.value == best : isinf(best));
    }
    assert_int_equal(sl_task_samples(task), n);
    assert_null(sl_task_cost(task));
    return accepted;
}

static void outcomes_are_those_of_the_model_itself(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=64,C=64,P=54,Q=54,R=3,S=3",
        "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
        "dw:G=32,P=110,Q=110,R=3,S=3",
        "conv:G=2,K=64,C=48,P=27,Q=27,R=5,S=5",
        "conv:N=2,K=16,C=32,P=13,Q=13,R=3,S=3",
        "gemm:M=512,N=768,K=768",
        "linear:K=1000,C=512",
    };
    enum { N = 150, N_LAYERS = sizeof layers / sizeof layers[0] };
    for (int i = 0; i < N_LAYERS; i++) {
        World world;
        world_make(&world, layers[i], "gamma168");
        remake(&world, &sl_kind_maestro, SL_SPACE_NATIVE);
        int accepted = expect_prices(&world, i % 2 ? "edp" : "latency", N);
        // tiles are made to fit MAESTRO's needs and to lose no work at their edges
        if (accepted < N * 9 / 10) fail_msg("%s: %d of %d accepted", layers[i], accepted, N);
        world_free(&world);
    }
}

static void every_preset_has_mappings_for_maestro(void **state) {
    (void)state;
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        World world;
        world_make(&world, RES18, "gamma168");
        remake(&world, &sl_kind_maestro, (SlSpacePreset)preset);
        if (expect_prices(&world, "latency", 100) == 0) fail_msg("%s", sl_space_names[preset]);
        world_free(&world);
    }
}

// a space that knows nothing of MAESTRO: most of its nests are too large for it
static void what_the_guard_refuses_never_becomes_the_best(void **state) {
    (void)state;
    enum { N = 200 };
    World world;
    world_make(&world, RES18, "gamma168");
    int accepted = expect_prices(&world, "edp", N);
    assert_true(accepted > 0 && accepted < N / 2);
    SlTask *task = maestro_task(&world, "latency", SL_ILLEGAL_PENALTY);
    SlRng rng;
    double worst = -INFINITY;
    sl_rng_init(&rng, 1, "refused");
    for (int i = 0; i < N; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample got;
        sl_space_sample(&world.space, &rng, point);
        sl_task_eval(task, 1, point, &got);
        if (isfinite(got.value)) worst = fmax(worst, got.score);
        if (isinf(got.value)) assert_true(got.excess > 0 && got.score >= worst + 1);
    }
    world_free(&world);
}

static void a_layer_and_an_accelerator_may_not_suit_the_model(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "gamma168");
    assert_null(sl_kind_check(&sl_kind_maestro, &world.layer, &world.accel));
    world.layer.dilation[0] = 2;
    assert_null(sl_kind_check(&sl_kind_native, &world.layer, &world.accel));
    assert_string_equal(sl_kind_check(&sl_kind_maestro, &world.layer, &world.accel),
                        "MAESTRO knows no dilation");
    world_free(&world);
    world_make(&world, RES18, "nvdla");
    assert_non_null(sl_kind_check(&sl_kind_maestro, &world.layer, &world.accel));
    world_free(&world);
}

static void only_latency_has_a_floor(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "gamma168");
    const SlLayer *layer = &world.layer;
    SlGoal latency = world_goal("latency"), edp = world_goal("edp"), area = world_goal("area");
    double cycles = sl_kind_floor(&sl_kind_maestro, &latency, layer, &world.accel);
    assert_true(cycles == (double)sl_layer_macs(layer) / 168);
    assert_true(isnan(sl_kind_floor(&sl_kind_maestro, &edp, layer, &world.accel)));
    assert_true(isnan(sl_kind_floor(&sl_kind_maestro, &area, layer, &world.accel)));
    SlFloor native;
    sl_floor_eval(layer, &world.accel, &native);
    assert_true(sl_kind_floor(&sl_kind_native, &edp, layer, &world.accel) == native.value[SL_EDP]);
    world_free(&world);
}

// ---- the environment ----

enum { N_ENVS = 70, N_STEPS = 3 };

// what N_STEPS steps of random actions reward, and the best
static SlBest steps(World *world, int threads, float *rewards) {
    SlAgents agents;
    sl_agents_each(&world->space, &agents);
    SlMappingEnvSetup setup = {
        .task = {.space = &world->space, .goal = world_goal("edp"), .kind = &sl_kind_maestro},
        .agents = &agents,
        .n_envs = N_ENVS,
        .episode_steps = 2};
    SlEnv *env = sl_mapping_env_make(&setup, &world->arena);
    SlPool *pool = sl_pool_make(threads);
    assert_true(env && pool);
    const SlEnvShape *shape = sl_env_shape(env);
    int n_actions = N_ENVS * shape->n_heads;
    int32_t *actions = SL_NEW(&world->arena, n_actions, int32_t);
    SlEnvBuffers buffers = {
        .actions = actions,
        .observations = SL_NEW(&world->arena, N_ENVS * shape->n_agents * shape->n_observed, float),
        .rewards = SL_NEW(&world->arena, N_ENVS * shape->n_agents, float),
        .dones = SL_NEW(&world->arena, N_ENVS, uint8_t)};
    SlRng rng;
    sl_rng_init(&rng, 9, "actions");
    sl_env_reset(env, 1, &buffers);
    for (int s = 0; s < N_STEPS; s++) {
        for (int i = 0; i < n_actions; i++) {
            uint64_t n = (uint64_t)shape->n_choices[i % shape->n_heads];
            actions[i] = (int32_t)sl_rng_below(&rng, n);
        }
        sl_env_step(env, pool, &buffers);
        for (int e = 0; e < N_ENVS; e++) *rewards++ = buffers.rewards[e * shape->n_agents];
    }
    SlBest best = *sl_env_best(env);
    sl_pool_free(pool);
    return best;
}

static void environments_give_the_same_with_any_number_of_threads(void **state) {
    (void)state;
    World world;
    float alone[N_ENVS * N_STEPS], many[N_ENVS * N_STEPS];
    world_make(&world, RES18, "gamma168");
    remake(&world, &sl_kind_maestro, SL_SPACE_NATIVE);
    SlBest a = steps(&world, 1, alone), b = steps(&world, 4, many);
    assert_memory_equal(alone, many, sizeof alone);
    assert_true(a.outcome.value == b.outcome.value && a.sample == b.sample);
    SlMaestroCost cost = {0};
    double excess;
    assert_true(price(&world, &a.mapping, &cost, &excess));
    assert_true(a.outcome.latency_cycles == (double)cost.runtime_cycles);
    world_free(&world);
}

static void without_memory_there_is_no_task(void **state) {
    (void)state;
    World world;
    SlArena arena;
    world_make(&world, RES18, "gamma168");
    SlTaskSetup setup = {
        .space = &world.space, .goal = world_goal("edp"), .kind = &sl_kind_maestro};
    int failed = 0;
    for (size_t limit = 1000; limit <= 1 << 20; limit *= 2) {
        SlTask *task = NULL;
        SlError err;
        sl_arena_init(&arena, limit);
        SlStatus status = sl_task_make(&setup, &arena, &task, &err);
        assert_true(status == SL_ENOMEM || (status == SL_OK && task));
        failed += status == SL_ENOMEM;
        sl_arena_free(&arena);
    }
    assert_in_range(failed, 1, 9); // the last is enough
    world_free(&world);
}

static void its_name_is_not_that_of_the_native_task(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "gamma168");
    remake(&world, &sl_kind_maestro, SL_SPACE_NATIVE);
    const char *own = sl_task_name(maestro_task(&world, "edp", SL_ILLEGAL_REPAIR));
    assert_ptr_equal(strstr(own, "maestro edp repair "), own);
    assert_string_not_equal(own, sl_task_name(world_task(&world, "edp", SL_ILLEGAL_REPAIR)));
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_the_model_itself),
        cmocka_unit_test(every_preset_has_mappings_for_maestro),
        cmocka_unit_test(what_the_guard_refuses_never_becomes_the_best),
        cmocka_unit_test(a_layer_and_an_accelerator_may_not_suit_the_model),
        cmocka_unit_test(only_latency_has_a_floor),
        cmocka_unit_test(environments_give_the_same_with_any_number_of_threads),
        cmocka_unit_test(without_memory_there_is_no_task),
        cmocka_unit_test(its_name_is_not_that_of_the_native_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
