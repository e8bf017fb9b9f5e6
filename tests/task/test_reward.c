// test_reward.c - rewards of a batch in their three forms.
#include "support/check.h"

#include <math.h>

#include "starling/task/env.h"

enum { N = 6 };

static SlSample legal(double value) {
    return (SlSample){.value = value, .score = log(value)};
}

static const SlSample illegal = {.value = INFINITY, .score = 9, .excess = 1};

static void log_rewards_are_scores_below_the_reference(void **state) {
    (void)state;
    const SlSample outcomes[3] = {legal(8), legal(2), illegal};
    int order[3];
    double rewards[3];
    sl_rewards(SL_REWARD_LOG, 3, outcomes, log(4), order, rewards);
    assert_true(fabs(rewards[0] + log(2)) < 1e-15 && fabs(rewards[1] - log(2)) < 1e-15);
    assert_true(rewards[2] == log(4) - 9);
}

static void inverse_rewards_are_one_over_the_value_and_zero_where_illegal(void **state) {
    (void)state;
    const SlSample outcomes[3] = {legal(8), legal(0.5), illegal};
    int order[3];
    double rewards[3];
    sl_rewards(SL_REWARD_INVERSE, 3, outcomes, 0, order, rewards);
    assert_true(rewards[0] == 0.125 && rewards[1] == 2 && rewards[2] == 0);
}

static void rank_rewards_have_mean_0_and_variance_1(void **state) {
    (void)state;
    const SlSample outcomes[N] = {legal(1e9), legal(2), illegal, legal(3), legal(2), legal(2)};
    int order[N];
    double rewards[N], sum = 0, squares = 0;
    sl_rewards(SL_REWARD_RANK, N, outcomes, 0, order, rewards);
    for (int i = 0; i < N; i++) sum += rewards[i], squares += rewards[i] * rewards[i];
    assert_true(fabs(sum) < 1e-12 && fabs(squares / N - 1) < 1e-12);
    // log 1e9 is above 9: the largest score is the lowest reward, whatever its size
    assert_true(rewards[0] < rewards[2] && rewards[2] < rewards[3] && rewards[3] < rewards[1]);
    // ranks 6, 2, 5, 4, 2, 2: ties share their mean, distances are those of ranks
    assert_true(rewards[1] == rewards[4] && rewards[1] == rewards[5]);
    assert_true(fabs((rewards[3] - rewards[2]) - (rewards[2] - rewards[0])) < 1e-12);
    assert_true(fabs((rewards[1] - rewards[3]) - 2 * (rewards[2] - rewards[0])) < 1e-12);
}

static void equal_outcomes_and_a_batch_of_one_have_rank_rewards_of_zero(void **state) {
    (void)state;
    const SlSample outcomes[3] = {legal(7), legal(7), legal(7)};
    int order[3];
    double rewards[3];
    for (int n = 1; n <= 3; n++) {
        sl_rewards(SL_REWARD_RANK, n, outcomes, 0, order, rewards);
        for (int i = 0; i < n; i++) assert_true(rewards[i] == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_rewards_are_scores_below_the_reference),
        cmocka_unit_test(inverse_rewards_are_one_over_the_value_and_zero_where_illegal),
        cmocka_unit_test(rank_rewards_have_mean_0_and_variance_1),
        cmocka_unit_test(equal_outcomes_and_a_batch_of_one_have_rank_rewards_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
