// test_ppo.c - one agent and flocks of them find what was planted, because they learn.
#include "support/check.h"

#include <math.h>

#include "learn/learn_inside.h"
#include "learn/ppo.h"
#include "planted.h"
#include "starling/search.h"

enum { SEEDS = 3, SAMPLES = 1500 };

static const SlMethod *random_method(void) {
    return sl_search_methods[0];
}

static SlPpoOptions defaults(const SlMethod *method) {
    SlPpoOptions options;
    sl_options_init(method->options, &options);
    return options;
}

// means over the seeds
static PlantedRun mean_run(const SlMethod *method, const SlPpoOptions *options,
                           const SlAgents *agents) {
    PlantedRun mean = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        PlantedRun run = planted_run(method, options, agents, seed, SAMPLES, 64);
        assert_int_equal(run.strange, 0);
        mean.best += run.best / SEEDS;
        mean.late += run.late / SEEDS;
        mean.us_sample += run.us_sample / SEEDS;
    }
    return mean;
}

static void check_learns(const SlMethod *method, const SlPpoOptions *options,
                         const SlAgents *agents) {
    PlantedRun chance = mean_run(random_method(), NULL, NULL);
    PlantedRun learnt = mean_run(method, options, agents);
    print_message("%s: best %.4f (random %.4f), late mean %.4f (random %.4f), %.1f us/sample\n",
                  method->name, learnt.best, chance.best, learnt.late, chance.late,
                  learnt.us_sample);
    assert_true(learnt.best < 0.5 * chance.best);
    assert_true(learnt.late < 0.2 * chance.late);
}

static void ppo_finds_what_was_planted(void **state) {
    (void)state;
    check_learns(&sl_method_ppo, NULL, NULL);
}

static void a_flock_finds_what_was_planted(void **state) {
    (void)state;
    check_learns(&sl_method_marl_paper, NULL, NULL);
}

static void three_agents_find_what_was_planted(void **state) {
    (void)state;
    const SlAgents three = {.n_agents = 3, .agent = {0, 1, 2, 0, 1, 2, 0, 1, 2}};
    check_learns(&sl_method_marl_paper, NULL, &three);
}

static void every_form_of_reward_teaches(void **state) {
    (void)state;
    SlPpoOptions options = defaults(&sl_method_ppo);
    for (int form = SL_REWARD_LOG; form <= SL_REWARD_RANK; form++) {
        options.reward = form;
        check_learns(&sl_method_ppo, &options, NULL);
    }
}

static void episodes_with_observations_teach_too(void **state) {
    (void)state;
    SlPpoOptions options = defaults(&sl_method_ppo);
    options.episode = 10;
    options.gamma = 0.5;
    options.minibatches = 2;
    PlantedRun learnt = mean_run(&sl_method_ppo, &options, NULL);
    PlantedRun chance = mean_run(random_method(), NULL, NULL);
    print_message("episodes: late mean %.4f (random %.4f), %.1f us/sample\n", learnt.late,
                  chance.late, learnt.us_sample);
    assert_true(learnt.late < 0.5 * chance.late);
}

static void without_learning_it_is_random_search(void **state) {
    (void)state;
    SlPpoOptions options = defaults(&sl_method_ppo);
    options.rate = 0;
    PlantedRun chance = mean_run(random_method(), NULL, NULL);
    PlantedRun still = mean_run(&sl_method_ppo, &options, NULL);
    assert_true(fabs(still.late / chance.late - 1) < 0.1);
}

static void against_the_gradient_it_gets_worse_than_random(void **state) {
    (void)state;
    const SlMethod *methods[] = {&sl_method_ppo, &sl_method_marl_paper};
    PlantedRun chance = mean_run(random_method(), NULL, NULL);
    for (int i = 0; i < 2; i++) {
        SlPpoOptions options = defaults(methods[i]);
        options.rate = -options.rate;
        PlantedRun away = mean_run(methods[i], &options, NULL);
        assert_true(away.late > 1.2 * chance.late);
        assert_true(away.best > chance.best);
    }
}

static void the_same_seed_gives_the_same_points(void **state) {
    (void)state;
    const SlMethod *methods[] = {&sl_method_ppo, &sl_method_marl_paper};
    for (int i = 0; i < 2; i++) {
        PlantedRun a = planted_run(methods[i], NULL, NULL, 7, 500, 64);
        PlantedRun b = planted_run(methods[i], NULL, NULL, 7, 500, 64);
        PlantedRun c = planted_run(methods[i], NULL, NULL, 8, 500, 64);
        assert_true(a.digest == b.digest);
        assert_true(a.digest != c.digest);
        // nor does it matter how many points are asked for at a time
        PlantedRun d = planted_run(methods[i], NULL, NULL, 7, 500, 5);
        assert_true(a.digest == d.digest);
    }
}

static void the_published_settings_are_reachable(void **state) {
    (void)state;
    SlPpoOptions options = defaults(&sl_method_marl_paper);
    const char *published[][2] = {
        {"layers", "3"},         {"rollout", "2048"}, {"epochs", "2"},
        {"minibatches", "8"},    {"rate", "2e-5"},    {"entropy", "0.1"},
        {"entropy-last", "0.1"}, {"clip", "0.2"},     {"episode", "100"},
        {"reward", "inverse"},   {"gamma", "0.99"},   {"lambda", "0.95"},
        {"scale-rewards", "no"}, {"hidden", "32"},    {"scale-advantages", "no"},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        SlError err = {0};
        SlStatus status = sl_options_set(sl_method_marl_paper.options, &options, published[i][0],
                                         published[i][1], &err);
        if (status != SL_OK) fail_msg("%s", err.text);
    }
    PlantedRun run = planted_run(&sl_method_marl_paper, &options, NULL, 1, 4200, 64);
    assert_int_equal(run.strange, 0);
    assert_true(run.late > 0.3); // it hardly learns
}

// outcomes of points it never asked for: before the first question, between two, instead of answers
static void points_of_others_do_no_harm(void **state) {
    (void)state;
    Planted planted;
    planted_init(&planted);
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlAgents agents;
    sl_agents_each(&planted.space, &agents);
    SlMethodSetup setup = {
        .task = &planted.task, .agents = &agents, .stream = "", .budget = 100, .seed = 3};
    SlPpoOptions options = defaults(&sl_method_ppo);
    void *ppo = sl_method_ppo.make(&setup, &options, &arena);
    assert_non_null(ppo);
    int32_t other[PLANTED_PARAMS] = {0}, points[64 * PLANTED_PARAMS];
    SlSample good = {.value = 1, .score = 0, .latency_cycles = 1, .energy_pj = 1},
             bad = {.value = INFINITY, .score = 9, .excess = 2}, outcomes[64];
    sl_method_meet(&sl_method_ppo, ppo, 1, other, &good);
    sl_method_meet(&sl_method_ppo, ppo, 1, other, &bad);
    for (int round = 0; round < 20; round++) {
        int n = sl_method_ppo.ask(ppo, 7, points);
        assert_in_range(n, 1, 7);
        for (int i = 0; i < n; i++) outcomes[i] = i % 2 ? good : bad;
        if (round % 3 == 0) sl_method_meet(&sl_method_ppo, ppo, 1, other, &good);
        if (round % 3 == 1) continue; // no answer at all
        sl_method_ppo.tell(ppo, n, points, outcomes);
    }
    sl_arena_free(&arena);
}

// policies learn from what they drew, not from what others tell them later
static void points_of_others_are_not_learnt_from(void **state) {
    (void)state;
    Planted planted;
    planted_init(&planted);
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlAgents agents;
    sl_agents_each(&planted.space, &agents);
    SlMethodSetup setup = {
        .task = &planted.task, .agents = &agents, .stream = "", .budget = 1000, .seed = 3};
    SlPpoOptions options = defaults(&sl_method_ppo);
    void *alone = sl_method_ppo.make(&setup, &options, &arena);
    void *pestered = sl_method_ppo.make(&setup, &options, &arena);
    assert_true(alone && pestered);
    int32_t other[PLANTED_PARAMS] = {1, 2, 3, 4, 5, 6, 1, 5, 0};
    int32_t a[PLANTED_PARAMS], b[PLANTED_PARAMS];
    SlSample other_outcome = {.value = 0.1, .score = log(0.1), .latency_cycles = 1};
    for (int t = 0; t < 200; t++) {
        assert_int_equal(sl_method_ppo.ask(alone, 1, a), 1);
        assert_int_equal(sl_method_ppo.ask(pestered, 1, b), 1);
        assert_memory_equal(a, b, sizeof a);
        double score = planted_score(a);
        SlSample outcome = {.value = exp(score), .score = score, .latency_cycles = 1};
        if (t > 0) sl_method_meet(&sl_method_ppo, pestered, 1, other, &other_outcome);
        sl_method_ppo.tell(alone, 1, a, &outcome);
        sl_method_ppo.tell(pestered, 1, b, &outcome);
    }
    sl_arena_free(&arena);
}

static void without_memory_there_is_no_method(void **state) {
    (void)state;
    Planted planted;
    planted_init(&planted);
    SlAgents agents;
    sl_agents_each(&planted.space, &agents);
    SlMethodSetup setup = {.task = &planted.task, .agents = &agents, .stream = "", .budget = 9};
    SlPpoOptions options = defaults(&sl_method_ppo);
    int failed = 0;
    for (size_t limit = 256;; limit *= 2, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        void *made = sl_method_marl_paper.make(&setup, &options, &arena);
        sl_arena_free(&arena);
        if (made) break;
    }
    assert_true(failed > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ppo_finds_what_was_planted),
        cmocka_unit_test(a_flock_finds_what_was_planted),
        cmocka_unit_test(three_agents_find_what_was_planted),
        cmocka_unit_test(every_form_of_reward_teaches),
        cmocka_unit_test(episodes_with_observations_teach_too),
        cmocka_unit_test(without_learning_it_is_random_search),
        cmocka_unit_test(against_the_gradient_it_gets_worse_than_random),
        cmocka_unit_test(the_same_seed_gives_the_same_points),
        cmocka_unit_test(the_published_settings_are_reachable),
        cmocka_unit_test(points_of_others_do_no_harm),
        cmocka_unit_test(points_of_others_are_not_learnt_from),
        cmocka_unit_test(without_memory_there_is_no_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
