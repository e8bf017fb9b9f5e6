// test_ppo_gradient.c - the gradient of a policy's whole loss, heads through network, against
// central differences in doubles. The sources are compiled here once more, in that precision.
#include "support/double_real.h"

#include "approx/activate.c"
#include "approx/adam.c"
#include "approx/mlp.c"
#include "approx/product.c"
#include "learn/ppo_agent.c"

#include "planted.h"
#include "support/check.h"

enum { ROLLOUT = 12 };

typedef struct {
    Planted planted;
    SlArena arena;
    SlPpoAgent agent;
    SlPpoScratch scratch;
    SlReal observed[(ROLLOUT + 1) * SL_PPO_INPUTS];
    int32_t points[ROLLOUT * PLANTED_PARAMS];
    double advantages[ROLLOUT];
    int index[ROLLOUT];
    SlPpoRollout rollout;
} Case;

// an agent after a few choices, its policy since moved far enough for some ratios to be clipped
static void case_init(Case *c, int64_t episode, double move) {
    memset(c, 0, sizeof *c);
    planted_init(&c->planted);
    sl_arena_init(&c->arena, 0);
    SlPpoOptions options = {.hidden = 7, .layers = 2, .rollout = ROLLOUT, .minibatches = 1};
    options.episode = episode;
    options.rate = 0.01;
    int params[PLANTED_PARAMS];
    for (int i = 0; i < PLANTED_PARAMS; i++) params[i] = i;
    SlRng rng;
    sl_rng_init(&rng, 5, "gradient");
    assert_true(sl_ppo_agent_make(&c->planted.space, &options, PLANTED_PARAMS, params, &rng,
                                  &c->arena, &c->agent));
    assert_true(sl_ppo_scratch_make(1, &c->agent, &options, &c->arena, &c->scratch));
    for (int i = 0; i < (ROLLOUT + 1) * SL_PPO_INPUTS; i++) c->observed[i] = sl_rng_normal(&rng);
    for (int i = 0; i < ROLLOUT; i++) {
        bool shared = episode == 1;
        sl_ppo_look(&c->agent, c->observed + (shared ? 0 : i * SL_PPO_INPUTS), &c->scratch);
        sl_ppo_choose(&c->agent, i, &rng, c->points + i * PLANTED_PARAMS);
        c->advantages[i] = sl_rng_normal(&rng);
        c->index[i] = ROLLOUT - 1 - i;
    }
    for (size_t i = 0; i < c->agent.policy_adam.n; i++)
        c->agent.policy[i] += move * sl_rng_normal(&rng);
    c->rollout = (SlPpoRollout){.n = ROLLOUT,
                                .n_params = PLANTED_PARAMS,
                                .shared = episode == 1,
                                .observed = c->observed,
                                .points = c->points};
}

static double loss(Case *c) {
    SlPpoStep step = {.n = ROLLOUT - 2, .advantages = c->advantages, .clip = 0.2, .entropy = 0.05};
    return sl_ppo_policy_loss(&c->agent, &c->rollout, c->index, &step, &c->scratch);
}

static void check_gradient(int64_t episode, double move) {
    static Case c;
    case_init(&c, episode, move);
    size_t n = c.agent.policy_adam.n;
    double *grad = SL_NEW(&c.arena, n, double);
    assert_non_null(grad);
    memset(c.agent.policy_grad, 0, n * sizeof *grad);
    loss(&c);
    memcpy(grad, c.agent.policy_grad, n * sizeof *grad);
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double kept = c.agent.policy[i], h = 1e-6;
        c.agent.policy[i] = kept + h;
        double above = loss(&c);
        c.agent.policy[i] = kept - h;
        double below = loss(&c);
        c.agent.policy[i] = kept;
        double difference = (above - below) / (2 * h);
        largest = fmax(largest, fabs(grad[i]));
        if (fabs(difference - grad[i]) > 1e-7 * fmax(1, fabs(grad[i])))
            fail_msg("parameter %zu: %.12g by differences, %.12g by backward", i, difference,
                     grad[i]);
    }
    assert_true(largest > 0.01);
    sl_arena_free(&c.arena);
}

static void the_gradient_is_right_at_the_policy_that_chose(void **state) {
    (void)state;
    check_gradient(10, 0.001);
}

static void the_gradient_is_right_where_ratios_are_clipped(void **state) {
    (void)state;
    check_gradient(10, 0.1);
}

static void the_gradient_is_right_when_samples_share_an_observation(void **state) {
    (void)state;
    check_gradient(1, 0.1);
}

// sharing is a shortcut: row by row the same numbers come out
static void a_shared_observation_is_the_same_as_many_equal_ones(void **state) {
    (void)state;
    static Case c;
    case_init(&c, 10, 0.1);
    for (int i = 1; i <= ROLLOUT; i++)
        memcpy(c.observed + i * SL_PPO_INPUTS, c.observed, SL_PPO_INPUTS * sizeof(SlReal));
    size_t n = c.agent.policy_adam.n;
    double *grad = SL_NEW(&c.arena, n, double);
    assert_non_null(grad);
    double apart = loss(&c);
    memcpy(grad, c.agent.policy_grad, n * sizeof *grad);
    memset(c.agent.policy_grad, 0, n * sizeof *grad);
    c.rollout.shared = true;
    assert_true(fabs(loss(&c) - apart) < 1e-12);
    for (size_t i = 0; i < n; i++) assert_true(fabs(grad[i] - c.agent.policy_grad[i]) < 1e-12);
    sl_arena_free(&c.arena);
}

// lambda 1: advantages are discounted sums of rewards minus values; the value function starts near
// 0
static void advantages_are_discounted_sums(void **state) {
    (void)state;
    static Case c;
    case_init(&c, 4, 0);
    double rewards[ROLLOUT];
    uint8_t ends[ROLLOUT];
    for (int i = 0; i < ROLLOUT; i++) {
        rewards[i] = i + 1;
        ends[i] = i % 4 == 3;
    }
    c.rollout.rewards = rewards;
    c.rollout.ends = ends;
    SlPpoOptions options = {.gamma = 0.5, .lambda = 1};
    estimate(&c.agent, &options, &c.rollout, &c.scratch);
    for (int i = 0; i < ROLLOUT; i++) {
        double sum = 0, weight = 1;
        for (int j = i;; j++, weight *= 0.5) {
            sum += weight * rewards[j];
            if (ends[j]) break;
        }
        assert_true(fabs(c.scratch.returns[i] - sum) < 1e-9);
        assert_true(fabs(c.scratch.advantages[i] - (sum - c.scratch.values[i])) < 1e-9);
    }
    sl_arena_free(&c.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_right_at_the_policy_that_chose),
        cmocka_unit_test(the_gradient_is_right_where_ratios_are_clipped),
        cmocka_unit_test(the_gradient_is_right_when_samples_share_an_observation),
        cmocka_unit_test(a_shared_observation_is_the_same_as_many_equal_ones),
        cmocka_unit_test(advantages_are_discounted_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
