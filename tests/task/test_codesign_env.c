// test_codesign_env.c - walks on knobs: moves, ends of episodes, what is seen, penalties.
#include "starling/task/codesign.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"

#define C2 "conv:K=64,C=64,P=56,Q=56,R=3,S=3,stride=1,pad=1"
enum { ENVS = 4, KNOBS = 7, AGENTS = 3, SEEN = 3 + SL_N_DIMS };
enum { DOWN, STAY, UP };

typedef struct {
    SlArena arena;
    SlTask *task;
    SlEnv *env;
    int32_t actions[ENVS * KNOBS];
    float observations[ENVS * AGENTS * (KNOBS + SL_N_DIMS)], rewards[ENVS * AGENTS];
    uint8_t dones[ENVS];
    SlEnvBuffers buffers;
    int32_t start[KNOBS];
    int asked; // points that the model scored
} World;

static World world;

// a score that tells points apart
static void model(void *context, int n, const int32_t *points, double *scores) {
    World *w = context;
    for (int i = 0; i < n; i++)
        scores[i] = (double)sl_space_index(sl_task_space(w->task), points + (ptrdiff_t)i * KNOBS);
    w->asked += n;
}

static void start(void *context, SlRng *rng, int32_t *point) {
    (void)rng;
    memcpy(point, ((World *)context)->start, sizeof((World *)context)->start);
}

static SlCodesignEnvSetup usual(void) {
    memset(&world, 0, sizeof world);
    sl_arena_init(&world.arena, 0);
    world.task = vta_layer_task(C2, &world.arena);
    world.buffers = (SlEnvBuffers){.actions = world.actions,
                                   .observations = world.observations,
                                   .rewards = world.rewards,
                                   .dones = world.dones};
    return (SlCodesignEnvSetup){.task = world.task,
                                .n_envs = ENVS,
                                .episode_steps = 10,
                                .model = model,
                                .context = &world,
                                .resources = 1,
                                .buffers = 1,
                                .structure = 1};
}

static void begin(const SlCodesignEnvSetup *setup) {
    world.env = sl_codesign_env_make(setup, &world.arena);
    assert_non_null(world.env);
    sl_env_reset(world.env, 1, &world.buffers);
}

static void end(void) {
    sl_arena_free(&world.arena);
}

static void all_do(int32_t action) {
    for (int i = 0; i < ENVS * KNOBS; i++) world.actions[i] = action;
}

static const SlSpace *space(void) {
    return sl_task_space(world.task);
}

// ---- moves ----

static void three_agents_share_the_knobs(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    begin(&setup);
    const SlEnvShape *shape = sl_env_shape(world.env);
    assert_int_equal(shape->n_envs, ENVS);
    assert_int_equal(shape->n_agents, 3);
    assert_int_equal(shape->n_heads, KNOBS);
    assert_int_equal(shape->n_observed,
                     SEEN); // the hardware agent has three, the others two
    assert_int_equal(shape->episode_steps, 10);
    for (int k = 0; k < KNOBS; k++) {
        assert_int_equal(shape->agent[k], space()->params[k].profession);
        assert_int_equal(shape->n_choices[k], 3);
    }
    end();
}

static void moves_stop_at_the_ends(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.start = start;
    setup.episode_steps = 1000;
    for (int k = 0; k < KNOBS; k++) world.start[k] = space()->params[k].n / 2;
    begin(&setup);
    // knobs 1 and 2 (of eight values) go up and down in turns, so that episodes
    // do not end
    all_do(STAY);
    for (int step = 1; step <= 3; step++) {
        for (int e = 0; e < ENVS; e++)
            for (int k = 1; k <= 3; k++) world.actions[e * KNOBS + k] = k == 3 ? step % 2 * 2 : UP;
        sl_env_step(world.env, NULL, &world.buffers);
        for (int e = 0; e < ENVS; e++) {
            const int32_t *point = sl_codesign_points(world.env) + (ptrdiff_t)e * KNOBS;
            assert_int_equal(world.dones[e], 0);
            assert_int_equal(point[0], 0);
            assert_int_equal(point[1], 4 + step);
            assert_int_equal(point[2], 4 + step);
            assert_int_equal(point[3], step % 2 ? 2 : 1);
        }
    }
    // at the last value: clamped
    for (int k = 1; k <= 2; k++) world.actions[k] = UP;
    sl_env_step(world.env, NULL, &world.buffers);
    assert_int_equal(sl_codesign_reached(world.env)[1], 7);
    assert_int_equal(sl_codesign_reached(world.env)[2], 7);
    end();
}

static void moves_go_down_to_the_first_value(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.start = start;
    for (int k = 0; k < KNOBS; k++) world.start[k] = space()->params[k].n > 1;
    begin(&setup);
    all_do(DOWN);
    sl_env_step(world.env, NULL, &world.buffers);
    assert_int_equal(world.dones[0], 0);
    for (int k = 0; k < KNOBS; k++) assert_int_equal(sl_codesign_points(world.env)[k], 0);
    sl_env_step(world.env, NULL, &world.buffers); // nothing can move
    assert_int_equal(world.dones[0], 1);
    for (int k = 0; k < KNOBS; k++) assert_int_equal(sl_codesign_reached(world.env)[k], 0);
    end();
}

// ---- ends ----

static void episodes_end_once_three_of_four_knobs_stayed(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.start = start;
    memset(world.start, 0, sizeof world.start);
    for (int e = 0; e < ENVS; e++) assert_int_equal(world.dones[e], 0);
    begin(&setup);
    // env 0 moves none, 1 one, 2 two, 3 three of seven; 6 of 7 are more than
    // three of four, 5 less
    all_do(STAY);
    for (int e = 0; e < ENVS; e++)
        for (int k = 1; k <= e; k++) world.actions[e * KNOBS + k] = UP;
    sl_env_step(world.env, NULL, &world.buffers);
    assert_int_equal(world.dones[0], 1);
    assert_int_equal(world.dones[1], 1);
    assert_int_equal(world.dones[2], 0);
    assert_int_equal(world.dones[3], 0);
    // those that ended began anew, and where they had been is told
    assert_int_equal(sl_codesign_reached(world.env)[KNOBS + 1], 1);
    assert_int_equal(sl_codesign_points(world.env)[KNOBS + 1], 0);
    assert_int_equal(sl_codesign_points(world.env)[2 * KNOBS + 1], 1);
    end();
}

static void episodes_end_after_their_steps(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.start = start;
    setup.episode_steps = 4;
    memset(world.start, 0, sizeof world.start);
    world.start[1] = world.start[2] = world.start[3] = 1;
    begin(&setup);
    for (int step = 1; step <= 12; step++) {
        all_do(STAY);
        for (int e = 0; e < ENVS; e++)
            for (int k = 1; k <= 3; k++) world.actions[e * KNOBS + k] = step % 2 ? UP : DOWN;
        sl_env_step(world.env, NULL, &world.buffers);
        for (int e = 0; e < ENVS; e++) assert_int_equal(world.dones[e], step % 4 == 0);
    }
    end();
}

static void walks_begin_anywhere_unless_told(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.episode_steps = 1;
    begin(&setup);
    bool seen[8] = {false};
    for (int i = 0; i < 50; i++) {
        sl_env_step(world.env, NULL, &world.buffers);
        for (int e = 0; e < ENVS; e++) {
            const int32_t *point = sl_codesign_points(world.env) + (ptrdiff_t)e * KNOBS;
            for (int k = 0; k < KNOBS; k++) assert_in_range(point[k], 0, space()->params[k].n - 1);
            seen[point[1]] = true;
        }
    }
    for (int v = 0; v < 8; v++) assert_true(seen[v]);
    end();
}

// ---- what is seen ----

static void agents_see_their_own_knobs_and_the_layer(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.start = start;
    const int32_t at[KNOBS] = {0, 2, 7, 1, 2, 0, 1};
    memcpy(world.start, at, sizeof at);
    begin(&setup);
    // tile_b, tile_ci, tile_co; oc_threads, h_threads; tile_h, tile_w
    const float own[AGENTS][3] = {{0, 0.5F, 1}, {0, 1, 0}, {2.0F / 7, 1, 0}};
    for (int e = 0; e < ENVS; e++)
        for (int a = 0; a < AGENTS; a++) {
            const float *row = world.observations + (ptrdiff_t)(e * AGENTS + a) * SEEN;
            for (int i = 0; i < 3; i++) assert_true(fabsf(row[i] - own[a][i]) < 1e-6F);
            for (int d = 0; d < SL_N_DIMS; d++) {
                double extent = (double)sl_task_layer(world.task)->dims[d];
                assert_true(fabs((double)row[3 + d] - log2(extent) / 16) < 1e-6);
            }
        }
    end();
}

static void a_single_agent_sees_and_moves_all(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.single = true;
    setup.start = start;
    const int32_t at[KNOBS] = {0, 2, 7, 1, 2, 0, 1};
    memcpy(world.start, at, sizeof at);
    begin(&setup);
    const SlEnvShape *shape = sl_env_shape(world.env);
    assert_int_equal(shape->n_agents, 1);
    assert_int_equal(shape->n_observed, KNOBS + SL_N_DIMS);
    const float right[KNOBS] = {0, 2.0F / 7, 1, 0.5F, 1, 0, 1};
    for (int k = 0; k < KNOBS; k++) {
        assert_int_equal(shape->agent[k], 0);
        assert_true(fabsf(world.observations[k] - right[k]) < 1e-6F);
    }
    end();
}

static void the_critic_sees_everything(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    begin(&setup);
    assert_int_equal(sl_codesign_n_state(world.env), KNOBS + SL_N_DIMS + 3);
    // fits; too large for buffers; threads that cannot share
    const int32_t points[3][KNOBS] = {
        {0, 2, 3, 0, 0, 0, 0}, {0, 7, 7, 2, 2, 0, 0}, {0, 0, 0, 0, 2, 1, 0}};
    float states[3 * (KNOBS + SL_N_DIMS + 3)];
    sl_codesign_state(world.env, 3, points[0], states);
    for (int i = 0; i < 3; i++) {
        const float *row = states + (ptrdiff_t)i * (KNOBS + SL_N_DIMS + 3);
        const float *faults = row + KNOBS + SL_N_DIMS;
        for (int k = 0; k < KNOBS; k++) {
            int n = space()->params[k].n;
            float share = n > 1 ? (float)points[i][k] / (float)(n - 1) : 0;
            assert_true(fabsf(row[k] - share) < 1e-6F);
        }
        assert_true(faults[0] == 0);
        assert_true(i == 1 ? faults[1] > 0 && faults[1] <= 2 : faults[1] == 0);
        assert_true(faults[2] == (i == 2));
    }
    end();
}

// ---- rewards ----

// every agent gets the model's score of the point reached, less what the point
// breaks
static void rewards_are_scores_less_penalties(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    setup.resources = 3;
    setup.buffers = 5;
    setup.structure = 7;
    begin(&setup);
    SlRng rng;
    sl_rng_init(&rng, 4, "actions");
    int broken = 0;
    for (int step = 0; step < 200; step++) {
        for (int i = 0; i < ENVS * KNOBS; i++) world.actions[i] = (int32_t)sl_rng_below(&rng, 3);
        sl_env_step(world.env, NULL, &world.buffers);
        for (int e = 0; e < ENVS; e++) {
            const int32_t *point = sl_codesign_reached(world.env) + (ptrdiff_t)e * KNOBS;
            SlFault fault;
            bool fits = sl_task_check(world.task, point, &fault);
            double right = (double)sl_space_index(space(), point) - 3 * fmin(fault.resources, 2) -
                           5 * fmin(fault.buffers, 2) - (fault.structure ? 7 : 0);
            for (int a = 0; a < AGENTS; a++)
                assert_true(fabs((double)world.rewards[e * AGENTS + a] - right) < 1e-3);
            broken += !fits;
        }
    }
    assert_true(broken > 20 && broken < 200 * ENVS);
    end();
}

static void penalties_of_resources_are_graded(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    SlVtaOptions options = *sl_task_vta_options(world.task);
    SlTaskSetup search = *sl_task_setup(world.task);
    SlTask *task = NULL;
    SlError err;
    options.hardware = SL_HARDWARE_SEARCH;
    options.budget.macs = 256;
    search.options = &options;
    assert_int_equal(sl_task_make(&search, &world.arena, &task, &err), SL_OK);
    setup.task = task;
    SlEnv *env = sl_codesign_env_make(&setup, &world.arena);
    assert_non_null(env);
    assert_int_equal(sl_env_shape(env)->n_observed,
                     5 + SL_N_DIMS); // the mapping agent has five
    int32_t point[SL_MAX_PARAMS];
    float states[SL_MAX_PARAMS + SL_N_DIMS + 3];
    const float right[] = {0, 1, 2, 2}; // capped
    sl_task_start(task, point);
    for (int batch = 0; batch < 4; batch++) {
        point[0] = batch; // 1, 2, 4, 8 times the multipliers
        sl_codesign_state(env, 1, point, states);
        assert_true(fabsf(states[10 + SL_N_DIMS] - right[batch]) < 1e-6F);
    }
    end();
}

static void nothing_is_measured(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    begin(&setup);
    for (int step = 0; step < 20; step++) sl_env_step(world.env, NULL, &world.buffers);
    assert_int_equal(world.asked, 20 * ENVS);
    assert_int_equal(sl_env_samples(world.env), 0);
    assert_int_equal(sl_task_samples(world.task), 0);
    assert_null(sl_env_best(world.env));
    end();
}

static void one_seed_is_one_walk(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    begin(&setup);
    int32_t walks[3][30 * ENVS * KNOBS];
    for (int run = 0; run < 3; run++) {
        SlRng rng;
        sl_rng_init(&rng, 4, "actions");
        sl_env_reset(world.env, run == 2 ? 8 : 7, &world.buffers);
        for (int step = 0; step < 30; step++) {
            for (int i = 0; i < ENVS * KNOBS; i++)
                world.actions[i] = (int32_t)sl_rng_below(&rng, 3);
            sl_env_step(world.env, NULL, &world.buffers);
            memcpy(walks[run] + (ptrdiff_t)step * ENVS * KNOBS, sl_codesign_points(world.env),
                   ENVS * KNOBS * sizeof(int32_t));
        }
    }
    assert_memory_equal(walks[0], walks[1], sizeof walks[0]);
    assert_memory_not_equal(walks[0], walks[2], sizeof walks[0]);
    end();
}

static void without_memory_there_is_none(void **state) {
    (void)state;
    SlCodesignEnvSetup setup = usual();
    bool ever = false;
    for (size_t limit = 64; limit < 4096; limit += 32) {
        SlArena little;
        sl_arena_init(&little, limit);
        SlEnv *env = sl_codesign_env_make(&setup, &little);
        ever = ever || env;
        assert_true(!ever || env); // once it is enough, more is too
        sl_arena_free(&little);
    }
    assert_true(ever);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_agents_share_the_knobs),
        cmocka_unit_test(moves_stop_at_the_ends),
        cmocka_unit_test(moves_go_down_to_the_first_value),
        cmocka_unit_test(episodes_end_once_three_of_four_knobs_stayed),
        cmocka_unit_test(episodes_end_after_their_steps),
        cmocka_unit_test(walks_begin_anywhere_unless_told),
        cmocka_unit_test(agents_see_their_own_knobs_and_the_layer),
        cmocka_unit_test(a_single_agent_sees_and_moves_all),
        cmocka_unit_test(the_critic_sees_everything),
        cmocka_unit_test(rewards_are_scores_less_penalties),
        cmocka_unit_test(penalties_of_resources_are_graded),
        cmocka_unit_test(nothing_is_measured),
        cmocka_unit_test(one_seed_is_one_walk),
        cmocka_unit_test(without_memory_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
