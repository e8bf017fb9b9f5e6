// test_compare.c - medians, ratios, samples to a target and duels of records made by hand.
#include "support/check.h"

#include <math.h>

#include "starling/core/stats.h"
#include "study/compare_inside.h"
#include "study/records_help.h"

static void assert_near(double value, double expected) {
    bool same = value == expected || (isnan(value) && isnan(expected));
    if (!same && !(fabs(value - expected) <= 1e-12 * fabs(expected))) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}

static void assert_estimate(SlEstimate estimate, double value, double low, double high) {
    assert_near(estimate.value, value);
    assert_near(estimate.low, low);
    assert_near(estimate.high, high);
}

// flat runs of a row, seeds 1 to n
static void add_row(Records *records, const char *task, const char *row, int n,
                    const double *values) {
    for (int i = 0; i < n; i++) {
        if (!isnan(values[i])) records_flat(records, task, row, (uint64_t)i + 1, values[i]);
    }
}

// --- Curves

static void a_curve_holds_until_its_next_point(void **state) {
    (void)state;
    Records *records = records_make();
    const SlCurvePoint curve[] = {{3, 9}, {10, 7}, {11, 4}, {50, 4}};
    const SlCellRecord *run = records_run(records, "t", "r", 1, 4, curve);
    const SlCellRecord *none = records_run(records, "t", "r", 2, 0, NULL);
    const SlResults *results = records_results(records, NULL);
    const struct {
        int64_t samples;
        double value;
    } at[] = {{0, INFINITY}, {2, INFINITY}, {3, 9}, {9, 9}, {10, 7}, {11, 4}, {49, 4}, {99, 4}};
    for (int i = 0; i < 8; i++) {
        assert_near(sl_run_best_at(results, run, at[i].samples), at[i].value);
    }
    assert_near(sl_run_best_at(results, none, 100), INFINITY);
    assert_int_equal(sl_run_reaches(results, run, 9), 3);
    assert_int_equal(sl_run_reaches(results, run, 8.9), 10);
    assert_int_equal(sl_run_reaches(results, run, 4 - 1e-12), 11); // rounding
    assert_int_equal(sl_run_reaches(results, run, 3.9), 0);
    assert_int_equal(sl_run_reaches(results, none, 3.9), 0);
    records_free(records);
}

static void the_dataset_comes_before_the_first_sample(void **state) {
    (void)state;
    Records *records = records_make();
    const SlCurvePoint curve[] = {{3, 9}, {10, 7}, {20, 7}};
    SlCellRecord *run = records_run(records, "t", "r", 1, 3, curve);
    records_run(records, "t", "without", 1, 3, curve);
    run->assign_samples = 40;
    SlResults results = *records_results(records, NULL);
    assert_int_equal(sl_run_reaches(&results, run, 7), 10);
    results.count_dataset = true;
    assert_near(sl_run_best_at(&results, run, 42), INFINITY);
    assert_near(sl_run_best_at(&results, run, 43), 9);
    assert_near(sl_run_best_at(&results, run, 50), 7);
    assert_int_equal(sl_run_reaches(&results, run, 7), 50);
    assert_estimate(sl_reach_factor(&results, 0, 0, 1, 0), 5, 5, 5);
    // one that never gets there counts as its budget and the dataset
    const SlCurvePoint never[] = {{20, 9}};
    run->n_curve = 1;
    run->curve = never;
    SlEstimate factor = sl_reach_factor(&results, 0, 0, 1, 0);
    assert_estimate(factor, 6, 6, 6);
    assert_true(factor.bound);
    records_free(records);
}

static void the_checkpoints_are_those_of_the_reports(void **state) {
    (void)state;
    const int64_t expected[] = {50,   100,   250,   500,   1000,   2000,
                                5000, 10000, 20000, 50000, 100000, 200000};
    assert_memory_equal(sl_checkpoints, expected, sizeof expected);
}

// --- Summaries

static void assert_summary(SlSummary summary, int n, double low, double median, double high) {
    assert_int_equal(summary.n, n);
    assert_near(summary.low, low);
    assert_near(summary.median, median);
    assert_near(summary.high, high);
}

static void medians_and_quartiles_are_those_of_numpy(void **state) {
    (void)state;
    Records *records = records_make();
    const double values[] = {3, 5, NAN, 4, 9, 6, 7};
    add_row(records, "t", "r", 7, values);
    for (int i = 0; i < 6; i++) {
        records->at[i].floor = 2;
        records->at[i].seconds = 1e-3 * (i + 1);
    }
    records->at[5].samples = 0; // time per sample of five, multiple of the floor of all
    records_proof(records, "t", 2.5, "optimal", "");
    const SlResults *results = records_results(records, NULL);
    // numpy.quantile([3, 5, 4, 9, 6, 7], [0.25, 0.5, 0.75])
    SlSummary summary = sl_summary_at(results, 0, 0, 50);
    assert_summary(summary, 6, 4.25, 5.5, 6.75);
    assert_near(summary.least, 3);
    assert_near(summary.most, 9);
    assert_summary(sl_summary_floor(results, 0, 0), 6, 2.125, 2.75, 3.375);
    assert_summary(sl_summary_regret(results, 0, 0, 50), 6, 0.7, 1.2, 1.7);
    records_free(records);
}

static void runs_that_have_found_nothing_count_as_infinite(void **state) {
    (void)state;
    Records *records = records_make();
    const SlCurvePoint late[] = {{60, 2}, {100, 2}};
    records_flat(records, "t", "r", 1, 3);
    for (uint64_t seed = 2; seed <= 4; seed++) records_run(records, "t", "r", seed, 2, late);
    records_run(records, "t", "nothing", 1, 0, NULL);
    const SlResults *results = records_results(records, NULL);
    SlSummary summary = sl_summary_at(results, 0, 0, 50);
    assert_int_equal(summary.n, 4);
    assert_near(summary.least, 3);
    assert_near(summary.median, INFINITY);
    assert_near(sl_summary_regret(results, 0, 0, 50).median, INFINITY);
    assert_summary(sl_summary_at(results, 0, 0, 60), 4, 2, 2, 2.25);
    assert_near(sl_summary_at(results, 0, 1, 60).median, INFINITY);
    // no floors, no runs
    assert_int_equal(sl_summary_floor(results, 0, 0).n, 0);
    assert_near(sl_summary_floor(results, 0, 0).median, NAN);
    records_free(records);
}

static void the_regret_of_the_best_is_zero(void **state) {
    (void)state;
    Records *records = records_make();
    records_flat(records, "t", "r", 1, 100 * (1 - 1e-9));
    records_proof(records, "t", 100, "optimal", "");
    records_run(records, "unknown", "r", 1, 0, NULL);
    const SlResults *results = records_results(records, NULL);
    assert_true(sl_summary_regret(results, 0, 0, 50).median == 0);
    assert_int_equal(sl_summary_regret(results, 1, 0, 50).n, 0);
    assert_near(sl_above_optimum(results, 1, 0, 50).value, NAN);
    records_free(records);
}

// --- Ratios

static void a_row_over_itself_is_one(void **state) {
    (void)state;
    Records *records = records_make();
    const double values[] = {3, 5, 4, 9, 6, 7}, others[] = {1, NAN, 2, NAN, 8, NAN};
    add_row(records, "t", "r", 6, values);
    add_row(records, "u", "r", 6, others);
    const SlResults *results = records_results(records, NULL);
    for (int task = -1; task < 2; task++) {
        SlEstimate estimate = sl_ratio(results, task, 0, 0, 100);
        assert_estimate(estimate, 1, 1, 1);
        assert_int_equal(estimate.n_tasks, task < 0 ? 2 : 1);
        assert_false(estimate.bound);
    }
    records_free(records);
}

static void the_interval_is_that_of_all_resamples(void **state) {
    (void)state;
    // of all 5^5 resamples of seeds, 2.5 % (and 2 and 3 %) of the ratios are below 1.5 and 97.5 %
    // (and 97 and 98 %) below 4: itertools.product(range(5), repeat=5) and numpy.median
    Records *records = records_make();
    const double row[] = {3, 5, 4, 9, 6}, other[] = {2, 2.5, 1, 4, 3};
    add_row(records, "t", "row", 5, row);
    add_row(records, "t", "other", 5, other);
    const SlResults *results = records_results(records, NULL);
    assert_estimate(sl_ratio(results, 0, 0, 1, 100), 2, 1.5, 4);
    assert_estimate(sl_ratio(results, 0, 1, 0, 100), 0.5, 0.25, 1 / 1.5);
    records_free(records);
}

static void the_ends_are_those_of_the_binomial(void **state) {
    (void)state;
    // the median of a resample of 1..101 is at most k when 51 draws are: a binomial tail, which is
    // 0.0171 at k = 40 and 0.0279 at 41; 0.9721 at 60 and 0.9829 at 61 (summed exactly)
    Records *records = records_make();
    for (uint64_t seed = 1; seed <= 101; seed++) {
        records_flat(records, "t", "row", seed, (double)(seed * 37 % 101 + 1));
        records_flat(records, "t", "other", seed, 1);
    }
    const SlResults *results = records_results(records, NULL);
    assert_estimate(sl_ratio(results, 0, 0, 1, 100), 51, 41, 61);
    assert_estimate(sl_above_optimum(results, 0, 0, 100), 51, 41, 61);
    records_free(records);
}

static void seeds_that_one_row_lacks_are_drawn_apart(void **state) {
    (void)state;
    // the row has seeds 1 to 3, the other 3 to 6: the common one is always drawn, the two others of
    // the row give 1 1, 1 7 or 7 7, so its median is 1, 4 or 7 with 4 from seed 3
    Records *records = records_make();
    const double row[] = {1, 7, 4}, other[] = {NAN, NAN, 2, 2, 2, 2};
    add_row(records, "t", "row", 3, row);
    add_row(records, "t", "other", 6, other);
    // seed 1 is drawn once, 2 and 3 twice among themselves: always one 2 and two 4
    const double only[] = {1}, more[] = {2, 4, 4};
    add_row(records, "u", "row", 1, only);
    add_row(records, "u", "other", 3, more);
    const SlResults *results = records_results(records, NULL);
    assert_estimate(sl_ratio(results, 0, 0, 1, 100), 2, 0.5, 3.5);
    assert_estimate(sl_ratio(results, 1, 0, 1, 100), 0.25, 0.25, 0.25);
    records_free(records);
}

static void tasks_are_drawn_apart(void **state) {
    (void)state;
    Records *records = records_make();
    static const char *const tasks[] = {"t", "u", "v", "w"};
    for (uint64_t seed = 1; seed <= 15; seed++) {
        for (int t = 0; t < 4; t++) {
            records_flat(records, tasks[t], "row", seed, exp((double)(seed * 4 % 15)));
            records_flat(records, tasks[t], "other", seed, 1);
        }
    }
    const SlResults *results = records_results(records, NULL);
    SlEstimate one = sl_ratio(results, 0, 0, 1, 100), mean = sl_ratio(results, -1, 0, 1, 100);
    assert_near(mean.value, one.value);
    // the mean of four is about half as uncertain
    double share = log(mean.high / mean.low) / log(one.high / one.low);
    assert_true(share > 0.4 && share < 0.6);
    records_free(records);
}

static void with_one_seed_there_is_no_spread(void **state) {
    (void)state;
    Records *records = records_make();
    records_flat(records, "t", "row", 1, 6);
    records_flat(records, "t", "other", 1, 4);
    const SlResults *results = records_results(records, NULL);
    assert_estimate(sl_ratio(results, 0, 0, 1, 100), 1.5, 1.5, 1.5);
    assert_estimate(sl_above_optimum(results, 0, 0, 100), 1.5, 1.5, 1.5);
    records_free(records);
}

static void means_over_tasks_are_geometric(void **state) {
    (void)state;
    Records *records = records_make();
    const double tens[] = {10, 10, 10}, twos[] = {2, 2, 2}, ones[] = {1, 1, 1};
    add_row(records, "t", "row", 3, tens);
    add_row(records, "t", "other", 3, twos);
    add_row(records, "u", "row", 3, ones);
    add_row(records, "u", "other", 3, tens);
    add_row(records, "only the row", "row", 3, ones);
    const SlResults *results = records_results(records, NULL);
    SlEstimate estimate = sl_ratio(results, -1, 0, 1, 100);
    assert_estimate(estimate, sqrt(0.5), sqrt(0.5), sqrt(0.5));
    assert_int_equal(estimate.n_tasks, 2);
    // optima 2, 1, 1 of 10, 1, 1
    estimate = sl_above_optimum(results, -1, 0, 100);
    assert_estimate(estimate, cbrt(5), cbrt(5), cbrt(5));
    assert_int_equal(estimate.n_tasks, 3);
    // nothing in common
    estimate = sl_ratio(results, 2, 0, 1, 100);
    assert_estimate(estimate, NAN, NAN, NAN);
    assert_int_equal(estimate.n_tasks, 0);
    records_free(records);
}

static void infinite_medians_make_no_nonsense(void **state) {
    (void)state;
    Records *records = records_make();
    const SlCurvePoint late[] = {{60, 2}, {100, 2}};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        records_run(records, "t", "late", seed, 2, late);
        records_flat(records, "t", "early", seed, 3);
        if (seed % 2) records_flat(records, "t", "half", seed, 3);
        if (!(seed % 2)) records_run(records, "t", "half", seed, 2, late);
    }
    const SlResults *results = records_results(records, NULL);
    int late_row = records_row(results, "late"), early = records_row(results, "early");
    int half = records_row(results, "half");
    assert_estimate(sl_ratio(results, 0, late_row, early, 50), INFINITY, INFINITY, INFINITY);
    assert_estimate(sl_ratio(results, 0, early, late_row, 50), 0, 0, 0);
    assert_estimate(sl_ratio(results, 0, late_row, late_row, 50), NAN, NAN, NAN);
    assert_estimate(sl_ratio(results, 0, half, early, 50), INFINITY, 1, INFINITY);
    assert_estimate(sl_ratio(results, 0, early, half, 50), 0, 0, 1);
    records_free(records);
}

static void infinite_draws_of_tasks_cancel(void **state) {
    (void)state;
    // two of five have found nothing: of the row in three tasks, of the other in three more
    static const char *const tasks[] = {"a", "b", "c", "d", "e", "f"};
    Records *records = records_make();
    const double whole[] = {2, 2, 2, 2, 2}, holes[] = {2, INFINITY, 2, INFINITY, 2};
    for (int t = 0; t < 6; t++) {
        add_row(records, tasks[t], "row", 5, t < 3 ? holes : whole);
        add_row(records, tasks[t], "other", 5, t < 3 ? whole : holes);
    }
    const SlResults *results = records_results(records, NULL);
    SlEstimate estimate = sl_ratio(results, -1, 0, 1, 100);
    assert_estimate(estimate, 1, 0, INFINITY);
    records_free(records);
}

static void equal_calls_give_equal_intervals(void **state) {
    (void)state;
    Records *records = records_make();
    SlRng rng;
    sl_rng_init(&rng, 1, "records");
    for (uint64_t seed = 1; seed <= 10; seed++) {
        records_flat(records, "t", "row", seed, exp(sl_rng_normal(&rng)));
        records_flat(records, "t", "other", seed, exp(sl_rng_normal(&rng)));
    }
    SlEstimate first = sl_ratio(records_results(records, NULL), 0, 0, 1, 100);
    // a task more, and the order of the rows, change nothing
    records_flat(records, "u", "third", 1, 1);
    SlPlanRow rows[] = {{.name = "third"}, {.name = "other"}, {.name = "row"}};
    const SlPlan plan = {.n_rows = 3, .rows = rows, .reference = 0};
    SlEstimate again = sl_ratio(records_results(records, &plan), 0, 2, 1, 100);
    assert_true(first.low == again.low && first.high == again.high && first.low < first.high);
    records_free(records);
}

// rows of log-normal values whose true medians have a ratio of 2; does the interval hold it?
static bool holds_the_truth(SlRng *rng, int n_tasks) {
    enum { N_SEEDS = 12 };
    static const char *const names[] = {"a", "b", "c"};
    Records *records = records_make();
    for (int t = 0; t < n_tasks; t++) {
        for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
            records_flat(records, names[t], "row", seed, 2 * exp(0.5 * sl_rng_normal(rng)));
            records_flat(records, names[t], "other", seed, exp(0.3 * sl_rng_normal(rng)));
        }
    }
    const SlResults *results = records_results(records, NULL);
    SlEstimate estimate = sl_ratio(results, n_tasks > 1 ? -1 : 0, 0, 1, 100);
    assert_int_equal(estimate.n_tasks, n_tasks);
    records_free(records);
    return estimate.low <= 2 && 2 <= estimate.high;
}

static void intervals_hold_the_truth_as_often_as_they_say(void **state) {
    (void)state;
    // one task, 12 seeds: 96.8 % of 2,000 studies; three tasks: 98 %
    static const int n_studies[] = {0, 150, 0, 50};
    SlRng rng;
    sl_rng_init(&rng, 1, "truth");
    for (int n_tasks = 1; n_tasks <= 3; n_tasks += 2) {
        int held = 0;
        for (int i = 0; i < n_studies[n_tasks]; i++) held += holds_the_truth(&rng, n_tasks);
        double share = held / (double)n_studies[n_tasks];
        if (share < 0.91 || (n_tasks == 1 && share > 0.993)) {
            fail_msg("%g with %d tasks", share, n_tasks);
        }
    }
}

// --- Samples to a target

// a run that comes to the optimum, 100, at a sample, from 10 times as much; 0 = never
static void add_reaching(Records *records, const char *task, const char *row, uint64_t seed,
                         int64_t sample, int64_t budget) {
    const SlCurvePoint curve[] = {
        {1, 1000}, {sample ? sample : budget, sample ? 100 : 1000}, {budget, sample ? 100 : 1000}};
    records_run(records, task, row, seed, 3, curve);
}

static void runs_that_never_get_there_are_behind_all_others(void **state) {
    (void)state;
    Records *records = records_make();
    const int64_t samples[] = {10, 30, 0, 20, 0};
    for (int i = 0; i < 5; i++) add_reaching(records, "t", "r", (uint64_t)i + 1, samples[i], 500);
    for (int i = 0; i < 3; i++) add_reaching(records, "u", "r", (uint64_t)i + 1, samples[i], 500);
    records_proof(records, "t", 100, "optimal", "");
    records_proof(records, "u", 99, "optimal", "");
    const SlResults *results = records_results(records, NULL);
    SlReach reach = sl_reach(results, 0, 0, 5);
    assert_int_equal(reach.n, 5);
    assert_int_equal(reach.n_reached, 3);
    assert_near(reach.median, 30);
    assert_near(sl_reach(results, 0, 0, 900).median, 1);
    // all runs of both tasks: 10 30 - 20 - and 10 30 -, of 8 the middle two are 30 and 30
    reach = sl_reach(results, -1, 0, 5);
    assert_int_equal(reach.n, 8);
    assert_int_equal(reach.n_reached, 5);
    assert_near(reach.median, 30);
    // 1 % above 99 is not reached in u: three are left, 10 20 30
    reach = sl_reach(results, -1, 0, 1);
    assert_int_equal(reach.n_reached, 3);
    assert_near(reach.median, INFINITY);
    records_free(records);
}

static void factors_are_of_median_samples(void **state) {
    (void)state;
    Records *records = records_make();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        add_reaching(records, "t", "slow", seed, 60, 500);
        add_reaching(records, "t", "fast", seed, 20, 500);
        add_reaching(records, "u", "slow", seed, 240, 500);
        add_reaching(records, "u", "fast", seed, 20, 500);
        add_reaching(records, "neither", "slow", seed, 0, 500);
        add_reaching(records, "neither", "fast", seed, 0, 500);
    }
    records_proof(records, "neither", 100, "optimal", "");
    const SlResults *results = records_results(records, NULL);
    SlEstimate factor = sl_reach_factor(results, -1, 0, 1, 1);
    assert_estimate(factor, 6, 6, 6);
    assert_int_equal(factor.n_tasks, 2);
    assert_false(factor.bound || factor.ceiling);
    assert_estimate(sl_reach_factor(results, 0, 0, 1, 1), 3, 3, 3);
    assert_estimate(sl_reach_factor(results, 2, 0, 1, 1), NAN, NAN, NAN);
    records_free(records);
}

static void a_factor_is_a_bound_where_the_median_never_gets_there(void **state) {
    (void)state;
    Records *records = records_make();
    const int64_t some[] = {40, 0, 40, 0, 40}, few[] = {40, 0, 0, 0, 40};
    for (int i = 0; i < 5; i++) {
        uint64_t seed = (uint64_t)i + 1;
        add_reaching(records, "t", "all", seed, 20, 500);
        add_reaching(records, "t", "some", seed, some[i], 500);
        add_reaching(records, "t", "few", seed, few[i], 200);
        add_reaching(records, "t", "none", seed, 0, 300);
    }
    const SlResults *results = records_results(records, NULL);
    int all = records_row(results, "all");
    SlEstimate factor = sl_reach_factor(results, 0, records_row(results, "some"), all, 1);
    assert_estimate(factor, 2, 2, 25);
    assert_false(factor.bound || factor.ceiling);
    factor = sl_reach_factor(results, 0, records_row(results, "few"), all, 1);
    assert_estimate(factor, 10, 2, 10);
    assert_true(factor.bound && !factor.ceiling);
    factor = sl_reach_factor(results, 0, all, records_row(results, "none"), 1);
    assert_estimate(factor, 20.0 / 300, 20.0 / 300, 20.0 / 300);
    assert_true(factor.ceiling && !factor.bound);
    records_free(records);
}

// --- Duels

static const double duel_row[] = {10, 11, 12, 13, 14, 15, 16, 17};

static SlDuel duel(int n, const double *row, const double *other, bool swapped) {
    Records *records = records_make();
    add_row(records, "t", "row", n, row);
    add_row(records, "t", "other", n, other);
    const SlResults *results = records_results(records, NULL);
    SlDuel out = sl_duel(results, 0, swapped, !swapped, 100);
    records_free(records);
    return out;
}

static void a_duel_is_decided_by_the_signed_ranks(void **state) {
    (void)state;
    // scipy.stats.wilcoxon(numpy.log(row) - numpy.log(other), mode="exact").pvalue
    const double worse[] = {11, 12.5, 11.9, 15, 17, 18, 20, 21};
    SlDuel result = duel(8, duel_row, worse, false);
    assert_int_equal(result.result, SL_DUEL_WIN);
    assert_near(result.p, 0.015625);
    assert_near(result.ratio, 13.5 / 16);
    result = duel(8, duel_row, worse, true);
    assert_int_equal(result.result, SL_DUEL_LOSS);
    assert_near(result.p, 0.015625);
    assert_near(result.ratio, 16 / 13.5);
    const double mixed[] = {11, 12.5, 11, 15, 12, 18, 20, 15};
    result = duel(8, duel_row, mixed, false);
    assert_int_equal(result.result, SL_DUEL_TIE);
    assert_near(result.p, 0.3125);
}

static void duels_are_symmetric(void **state) {
    (void)state;
    SlRng rng;
    int seen[4] = {0};
    sl_rng_init(&rng, 1, "duels");
    for (int i = 0; i < 100; i++) {
        double row[10], other[10];
        for (int j = 0; j < 10; j++) {
            // with ties, gaps, and runs that have found nothing
            double values[2];
            for (int k = 0; k < 2; k++) {
                double value = (double)sl_rng_range(&rng, 1, 9) + (k ? i % 5 : 0);
                values[k] = value > 8 ? INFINITY : value;
            }
            row[j] = sl_rng_below(&rng, 10) ? values[0] : NAN;
            other[j] = values[1];
        }
        SlDuel left = duel(10, row, other, false), right = duel(10, row, other, true);
        static const SlDuelResult mirrored[] = {SL_DUEL_LOSS, SL_DUEL_TIE, SL_DUEL_WIN,
                                                SL_DUEL_NONE};
        assert_int_equal(right.result, mirrored[left.result]);
        assert_near(left.p, right.p);
        seen[left.result]++;
    }
    assert_true(seen[SL_DUEL_WIN] > 0 && seen[SL_DUEL_TIE] > 0);
}

static void equal_values_are_a_tie(void **state) {
    (void)state;
    double same[8];
    for (int i = 0; i < 8; i++) same[i] = duel_row[i] * (1 + 1e-15);
    SlDuel result = duel(8, duel_row, same, false);
    assert_int_equal(result.result, SL_DUEL_TIE);
    assert_near(result.p, 1);
}

static void what_was_never_found_is_worse_than_everything(void **state) {
    (void)state;
    const double never[] = {INFINITY, INFINITY, INFINITY, INFINITY,
                            INFINITY, INFINITY, INFINITY, INFINITY};
    SlDuel result = duel(8, duel_row, never, false);
    assert_int_equal(result.result, SL_DUEL_WIN);
    assert_near(result.p, 2.0 / 256);
    assert_near(result.ratio, 0);
    // where neither has anything there is nothing to say
    assert_int_equal(duel(8, never, never, false).result, SL_DUEL_NONE);
    // two infinite differences outweigh any finite ones: ranks 7.5 each against 1 to 6
    const double two[] = {INFINITY, INFINITY, 1, 2, 3, 4, 5, 6};
    assert_int_equal(duel(8, duel_row, two, true).result, SL_DUEL_TIE);
}

static void a_duel_needs_six_seeds_that_both_have(void **state) {
    (void)state;
    const double far[] = {NAN, NAN, 40, 40, 40, 40, 40, 40},
                 farther[] = {NAN, NAN, NAN, 40, 40, 40, 40, 40};
    SlDuel result = duel(8, duel_row, far, false);
    assert_int_equal(result.result, SL_DUEL_WIN);
    assert_near(result.p, 0.03125);
    result = duel(8, duel_row, farther, false);
    assert_int_equal(result.result, SL_DUEL_NONE);
    assert_near(result.p, NAN);
    assert_near(result.ratio, 13.5 / 40);
}

static void ranks_decide_and_draws_do_not_count(void **state) {
    (void)state;
    // 55 small losses of the row, 45 larger wins, 200 draws: were these ranked too, the losses
    // would weigh more. SciPy gives p of the 100 that differ
    enum { N = 300 };
    double row[N], other[N];
    for (int i = 0; i < N; i++) {
        row[i] = 100;
        other[i] = i < 55    ? 100 * exp(-0.01 * (i + 1))
                   : i < 100 ? 100 * exp(0.01 * (i + 1))
                             : 100 * (1 + 1e-15);
    }
    SlDuel result = duel(N, row, other, false);
    assert_int_equal(result.result, SL_DUEL_WIN);
    assert_near(result.p, 0.0006018398983613485);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_holds_until_its_next_point),
        cmocka_unit_test(the_dataset_comes_before_the_first_sample),
        cmocka_unit_test(the_checkpoints_are_those_of_the_reports),
        cmocka_unit_test(medians_and_quartiles_are_those_of_numpy),
        cmocka_unit_test(runs_that_have_found_nothing_count_as_infinite),
        cmocka_unit_test(the_regret_of_the_best_is_zero),
        cmocka_unit_test(a_row_over_itself_is_one),
        cmocka_unit_test(the_interval_is_that_of_all_resamples),
        cmocka_unit_test(the_ends_are_those_of_the_binomial),
        cmocka_unit_test(seeds_that_one_row_lacks_are_drawn_apart),
        cmocka_unit_test(tasks_are_drawn_apart),
        cmocka_unit_test(with_one_seed_there_is_no_spread),
        cmocka_unit_test(means_over_tasks_are_geometric),
        cmocka_unit_test(infinite_medians_make_no_nonsense),
        cmocka_unit_test(infinite_draws_of_tasks_cancel),
        cmocka_unit_test(equal_calls_give_equal_intervals),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
        cmocka_unit_test(runs_that_never_get_there_are_behind_all_others),
        cmocka_unit_test(factors_are_of_median_samples),
        cmocka_unit_test(a_factor_is_a_bound_where_the_median_never_gets_there),
        cmocka_unit_test(a_duel_is_decided_by_the_signed_ranks),
        cmocka_unit_test(duels_are_symmetric),
        cmocka_unit_test(equal_values_are_a_tie),
        cmocka_unit_test(what_was_never_found_is_worse_than_everything),
        cmocka_unit_test(a_duel_needs_six_seeds_that_both_have),
        cmocka_unit_test(ranks_decide_and_draws_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
