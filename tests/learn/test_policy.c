// test_policy.c - free policies find a planted point by PPO, and flee from it when the gradient is
// negated.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "learn/policy.h"
#include "planted.h"
#include "starling/task/env.h"

enum { BATCH = 32, STEPS = 150 };

static const SlPolicyOptions usual = {
    .rate = 0.1, .clip = 0.2, .entropy = 0.01, .kernel = 1, .epochs = 4};

typedef struct {
    SlArena arena;
    Planted planted;
    SlAgents agents;
    SlPolicy policy;
} Case;

static Case *make_case(const SlPolicyOptions *options) {
    Case *c = test_calloc(1, sizeof *c);
    sl_arena_init(&c->arena, 0);
    planted_init(&c->planted);
    sl_agents_each(&c->planted.space, &c->agents);
    assert_true(sl_policy_make(&c->planted.space, &c->agents, options, &c->arena, &c->policy));
    return c;
}

static void free_case(Case *c) {
    sl_arena_free(&c->arena);
    test_free(c);
}

// mean planted score of fresh draws after learning from ranks times `sign`; who may learn is in
// `learners`
static double learn_planted(Case *c, double sign, uint64_t learners) {
    SlRng rng;
    sl_rng_init(&rng, 7, "policy");
    double mean = 0;
    for (int step = 0; step < STEPS; step++) {
        static const int n_params = PLANTED_PARAMS;
        int32_t points[BATCH][PLANTED_PARAMS];
        SlSample outcomes[BATCH];
        SlPolicySample samples[BATCH];
        double rewards[BATCH];
        int order[BATCH];
        mean = 0;
        for (int j = 0; j < BATCH; j++) {
            for (int i = 0; i < n_params; i++) points[j][i] = sl_policy_draw(&c->policy, i, &rng);
            outcomes[j] = (SlSample){.score = planted_score(points[j])};
            mean += outcomes[j].score / BATCH;
        }
        sl_rewards(SL_REWARD_RANK, BATCH, outcomes, 0, order, rewards);
        for (int j = 0; j < BATCH; j++)
            samples[j] = (SlPolicySample){
                .point = points[j], .drew = {learners, 0}, .advantage = sign * rewards[j]};
        sl_policy_learn(&c->policy, BATCH, samples);
    }
    return mean;
}

static void agents_discover_what_was_planted_unless_the_gradient_is_negated(void **state) {
    (void)state;
    Case *c = make_case(&usual);
    double uphill = learn_planted(c, 1, UINT64_MAX);
    sl_policy_reset(&c->policy);
    double nothing = learn_planted(c, 0, UINT64_MAX);
    sl_policy_reset(&c->policy);
    double downhill = learn_planted(c, -1, UINT64_MAX);
    print_message("mean score learnt %.3f, untaught %.3f, negated %.3f\n", uphill, nothing,
                  downhill);
    assert_true(uphill < 0.2 * nothing);
    assert_true(downhill > 1.3 * nothing);
    free_case(c);
}

static void agents_that_did_not_draw_learn_nothing(void **state) {
    (void)state;
    Case *c = make_case(&usual);
    learn_planted(c, 1, UINT64_C(1) << 2 | UINT64_C(1) << 7);
    for (int i = 0; i < PLANTED_PARAMS; i++) {
        bool moved = false;
        for (int v = c->policy.first[i]; v < c->policy.first[i + 1]; v++)
            moved = moved || c->policy.logits[v] != 0;
        assert_int_equal(moved, i == 2 || i == 7);
    }
    free_case(c);
}

static void probabilities_sum_to_one_and_draws_follow_them(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    Case *c = make_case(&usual);
    learn_planted(c, 0.1, UINT64_MAX);
    SlRng rng;
    sl_rng_init(&rng, 3, "draws");
    for (int i = 0; i < PLANTED_PARAMS; i++) {
        int n = c->planted.params[i].n;
        int seen[24] = {0};
        for (int k = 0; k < DRAWS; k++) seen[sl_policy_draw(&c->policy, i, &rng)]++;
        double sum = 0, distance = 0;
        for (int v = 0; v < n; v++) {
            double p = exp(sl_policy_logp(&c->policy, i, v));
            sum += p;
            distance += fabs(p - (double)seen[v] / DRAWS);
        }
        assert_true(fabs(sum - 1) < 1e-9);
        assert_true(distance < 0.05);
    }
    free_case(c);
}

static void the_kernel_teaches_neighbours(void **state) {
    (void)state;
    Case *c = make_case(&usual);
    const int32_t good[PLANTED_PARAMS] = {4, 4, 4, 4, 4, 4, 0, 0, 0},
                  bad[PLANTED_PARAMS] = {0, 0, 0, 0, 0, 0, 1, 5, 0};
    SlPolicySample samples[] = {{good, {1, 0}, 1}, {bad, {1, 0}, -1}};
    sl_policy_learn(&c->policy, 2, samples);
    double at = sl_policy_logp(&c->policy, 0, 4), beside = sl_policy_logp(&c->policy, 0, 5),
           far = sl_policy_logp(&c->policy, 0, 8), away = sl_policy_logp(&c->policy, 0, 0);
    assert_true(at >= beside && beside > far && far > away);
    free_case(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_discover_what_was_planted_unless_the_gradient_is_negated),
        cmocka_unit_test(agents_that_did_not_draw_learn_nothing),
        cmocka_unit_test(probabilities_sum_to_one_and_draws_follow_them),
        cmocka_unit_test(the_kernel_teaches_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
