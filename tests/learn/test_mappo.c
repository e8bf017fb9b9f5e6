// test_mappo.c - agents learn to walk to the peak of a toy model, with one
// critic or their own, as three or as one.
#include "learn/mappo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"

enum { KNOBS = 5, ENVS = 16, STEPS = 12, ROWS = ENVS * STEPS };
static const int VALUES[KNOBS] = {9, 9, 9, 9, 9};
static const int32_t PEAK[KNOBS] = {2, 6, 4, 1, 7};

typedef struct {
    SlArena arena;
    ToyTask toy;
    SlMappo *mappo;
} World;

static World w;

// 1 at the peak, less the farther away
static double score(const SlSpace *space, const int32_t *point) {
    (void)space;
    int far = 0;
    for (int k = 0; k < KNOBS; k++) far += abs(point[k] - PEAK[k]);
    return exp(-far / 4.0);
}

static void model(void *context, int n, const int32_t *points, double *scores) {
    for (int i = 0; i < n; i++) scores[i] = score(context, points + (ptrdiff_t)i * KNOBS);
}

static SlMappoOptions usual(void) {
    return (SlMappoOptions){.steps = STEPS,
                            .hidden = 24,
                            .actor_layers = 2,
                            .critic_layers = 2,
                            .rate = 0.005,
                            .gamma = 0.9,
                            .lambda = 0.95,
                            .clip = 0.2,
                            .value_weight = 1,
                            .entropy = 0.01,
                            .temperature = 1,
                            .epochs = 4,
                            .minibatch = 64,
                            .most_norm = 0.5};
}

static void begin_long(const SlMappoOptions *options, bool single, uint64_t seed, int episode) {
    memset(&w, 0, sizeof w);
    sl_arena_init(&w.arena, 0);
    toy_task_init(&w.toy, KNOBS, VALUES);
    w.toy.value = score;
    for (int k = 0; k < KNOBS; k++) w.toy.params[k].profession = k % 3;
    w.toy.task.setup.layer = &w.toy.task.layer;
    for (int d = 0; d < SL_N_DIMS; d++) w.toy.task.layer.dims[d] = 1 << d;
    SlCodesignEnvSetup setup = {.task = &w.toy.task,
                                .n_envs = ENVS,
                                .episode_steps = episode,
                                .single = single,
                                .model = model};
    SlEnv *env = sl_codesign_env_make(&setup, &w.arena);
    assert_non_null(env);
    w.mappo = sl_mappo_make(env, options, seed, "test", &w.arena);
    assert_non_null(w.mappo);
}

static void begin(const SlMappoOptions *options, bool single, uint64_t seed) {
    begin_long(options, single, seed, STEPS);
}

static void end(void) {
    sl_arena_free(&w.arena);
}

// mean reward of a rollout
static double walk(void) {
    double mean = 0;
    sl_mappo_walk(w.mappo);
    for (int i = 0; i < ROWS; i++) mean += sl_mappo_rewards(w.mappo)[i] / ROWS;
    return mean;
}

// mean rewards of walks that learn nothing, and of the last ones of those that
// learn
static void check_learns(const SlMappoOptions *options, bool single, double *before,
                         double *after) {
    enum { ROUNDS = 20, LAST = 4 };
    *before = *after = 0;
    begin(options, single, 1);
    for (int i = 0; i < LAST; i++) *before += walk() / LAST;
    for (int i = 0; i < ROUNDS; i++) {
        double mean = walk();
        if (i >= ROUNDS - LAST) *after += mean / LAST;
        sl_mappo_learn(w.mappo, (double)i / ROUNDS);
    }
    end();
    print_message("mean reward %.3f at random, %.3f after %d rounds\n", *before, *after, ROUNDS);
}

static void three_agents_with_a_central_critic_learn(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    double before, after;
    check_learns(&options, false, &before, &after);
    assert_true(after > 2 * before);
}

static void three_agents_with_critics_of_their_own_learn(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    double before, after;
    options.critic = SL_CRITIC_OWN;
    check_learns(&options, false, &before, &after);
    assert_true(after > 2 * before);
}

static void a_single_agent_learns(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    double before, after;
    check_learns(&options, true, &before, &after);
    assert_true(after > 2 * before);
}

// walks that never end: the critic comes to know where the peak is
static void critics_value_points_near_the_peak_more(void **state) {
    (void)state;
    enum { N = 400 };
    SlMappoOptions options = usual();
    static int32_t points[N * KNOBS];
    static double values[N];
    double near = 0, any = 0;
    options.entropy = 0.1; // or policies soon decide to stay, which ends an episode
    begin_long(&options, false, 2, 100000);
    for (int i = 0; i < 16; i++) {
        walk();
        sl_mappo_learn(w.mappo, 0);
    }
    // half of them at most one step from the peak in every knob, half anywhere
    SlRng rng;
    sl_rng_init(&rng, 1, "points");
    for (int i = 0; i < N; i++)
        for (int k = 0; k < KNOBS; k++)
            points[i * KNOBS + k] = i % 2 ? PEAK[k] + (int32_t)sl_rng_range(&rng, -1, 1)
                                          : (int32_t)sl_rng_below(&rng, 9);
    sl_mappo_values(w.mappo, N, points, values);
    for (int i = 0; i < N; i++) *(i % 2 ? &near : &any) += values[i] / (N / 2);
    print_message("mean value %.2f near the peak, %.2f anywhere\n", near, any);
    assert_true(near > any + 0.3);
    end();
}

static void rewards_are_those_of_the_points_reached(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    begin(&options, false, 3);
    for (int round = 0; round < 3; round++) {
        int n;
        walk();
        const int32_t *reached = sl_mappo_reached(w.mappo, &n);
        assert_int_equal(n, ROWS);
        for (int i = 0; i < n; i++) {
            double right = score(NULL, reached + (ptrdiff_t)i * KNOBS);
            assert_true(fabs(sl_mappo_rewards(w.mappo)[i] - right) < 1e-6);
        }
        sl_mappo_learn(w.mappo, 0);
    }
    end();
}

// rollouts go on where the last one ended
static void walks_go_on(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    options.steps = 5; // episodes have 12
    begin(&options, false, 4);
    int32_t last[ENVS * KNOBS];
    int n, near = 0;
    sl_mappo_walk(w.mappo);
    memcpy(last, sl_mappo_reached(w.mappo, &n) + (ptrdiff_t)4 * ENVS * KNOBS, sizeof last);
    sl_mappo_walk(w.mappo);
    const int32_t *next = sl_mappo_reached(w.mappo, &n);
    for (int e = 0; e < ENVS; e++) {
        bool step = true;
        for (int k = 0; k < KNOBS; k++)
            step = step && abs(next[e * KNOBS + k] - last[e * KNOBS + k]) <= 1;
        near += step;
    }
    assert_true(near > ENVS / 2); // all but those that happened to end
    end();
}

static void one_seed_is_one_run(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    static int32_t runs[3][ROWS * KNOBS];
    for (int run = 0; run < 3; run++) {
        int n;
        begin(&options, false, run == 2 ? 6 : 5);
        for (int i = 0; i < 4; i++) {
            walk();
            sl_mappo_learn(w.mappo, 0);
        }
        walk();
        memcpy(runs[run], sl_mappo_reached(w.mappo, &n), sizeof runs[run]);
        end();
    }
    assert_memory_equal(runs[0], runs[1], sizeof runs[0]);
    assert_memory_not_equal(runs[0], runs[2], sizeof runs[0]);
}

// an agent may have no knob at all
static void agents_without_knobs_do_not_matter(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    for (int critic = SL_CRITIC_CENTRAL; critic <= SL_CRITIC_OWN; critic++) {
        options.critic = (SlMappoCritic)critic;
        begin(&options, false, 7);
        sl_arena_free(&w.arena);
        sl_arena_init(&w.arena, 0);
        for (int k = 0; k < KNOBS; k++) w.toy.params[k].profession = 1;
        SlCodesignEnvSetup setup = {
            .task = &w.toy.task, .n_envs = ENVS, .episode_steps = STEPS, .model = model};
        SlEnv *env = sl_codesign_env_make(&setup, &w.arena);
        w.mappo = sl_mappo_make(env, &options, 7, "test", &w.arena);
        double value;
        for (int i = 0; i < 2; i++) {
            assert_true(walk() > 0);
            sl_mappo_learn(w.mappo, 0);
        }
        sl_mappo_values(w.mappo, 1, PEAK, &value);
        assert_true(isfinite(value));
        end();
    }
}

static void without_memory_there_is_none(void **state) {
    (void)state;
    SlMappoOptions options = usual();
    begin(&options, false, 8);
    SlCodesignEnvSetup setup = {
        .task = &w.toy.task, .n_envs = ENVS, .episode_steps = STEPS, .model = model};
    SlEnv *env = sl_codesign_env_make(&setup, &w.arena);
    bool ever = false;
    for (size_t limit = 1024; limit < 1 << 20; limit += limit / 8) {
        SlArena little;
        sl_arena_init(&little, limit);
        SlMappo *mappo = sl_mappo_make(env, &options, 1, "test", &little);
        assert_true(!ever || mappo);
        ever = ever || mappo;
        sl_arena_free(&little);
    }
    assert_true(ever);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_agents_with_a_central_critic_learn),
        cmocka_unit_test(three_agents_with_critics_of_their_own_learn),
        cmocka_unit_test(a_single_agent_learns),
        cmocka_unit_test(critics_value_points_near_the_peak_more),
        cmocka_unit_test(rewards_are_those_of_the_points_reached),
        cmocka_unit_test(walks_go_on),
        cmocka_unit_test(one_seed_is_one_run),
        cmocka_unit_test(agents_without_knobs_do_not_matter),
        cmocka_unit_test(without_memory_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
