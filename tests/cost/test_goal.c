// test_goal.c - goals are read, written and priced; huge costs stay finite.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/cost.h"

static const SlCost cost = {
    .latency_cycles = 7, .energy_pj = 1.1e3, .area_min_um2 = 500.25, .power_mw = 0.37};

static SlGoal parsed(const char *text) {
    SlGoal goal;
    SlError err;
    assert_int_equal(sl_goal_parse(text, &goal, &err), SL_OK);
    return goal;
}

static void one_objective_is_its_exact_value_in_its_unit(void **state) {
    (void)state;
    static const char *const units[] = {"cycles", "pJ", "pJ x cycles", "um2", "mW"};
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        SlGoal goal = parsed(sl_objective_names[o]);
        double want = sl_cost_value(&cost, (SlObjective)o), got = sl_goal_value(&goal, &cost);
        assert_memory_equal(&want, &got, sizeof got);
        assert_string_equal(sl_goal_unit(&goal), units[o]);
    }
}

static void weights_are_powers_and_have_no_unit(void **state) {
    (void)state;
    SlGoal goal = parsed("latency=2,energy=0.5");
    double want = 49 * sqrt(1.1e3);
    assert_true(fabs(sl_goal_value(&goal, &cost) - want) < 1e-12 * want);
    assert_string_equal(sl_goal_unit(&goal), "");
    goal = parsed(" power = 1 , area=3 ");
    want = 0.37 * 500.25 * 500.25 * 500.25;
    assert_true(fabs(sl_goal_value(&goal, &cost) - want) < 1e-12 * want);
}

static void latency_times_energy_is_the_energy_delay_product(void **state) {
    (void)state;
    SlGoal product = parsed("latency=1,energy=1"), edp = parsed("edp");
    assert_true(sl_goal_value(&product, &cost) == sl_goal_value(&edp, &cost));
}

static void a_lone_weight_counts_as_one(void **state) {
    (void)state;
    SlGoal goal = parsed("edp=2.5");
    assert_true(goal.weight[SL_EDP] == 1);
    assert_string_equal(sl_goal_unit(&goal), "pJ x cycles");
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    static const char *const texts[] = {"latency",
                                        "energy",
                                        "edp",
                                        "area",
                                        "power",
                                        "latency=2,energy=1",
                                        "latency=0.1,edp=0.30000000000000004,power=1e-05"};
    for (int i = 0; i < 7; i++) {
        char text[160];
        SlGoal goal = parsed(texts[i]);
        assert_string_equal(sl_goal_text(&goal, sizeof text, text), texts[i]);
    }
    char small[10];
    SlGoal goal = parsed("latency=2,energy=1");
    assert_string_equal(sl_goal_text(&goal, sizeof small, small), "latency=2");
}

static void expect_refused(const char *text, const char *sentence) {
    SlGoal goal = {.weight = {42}};
    SlError err;
    assert_int_equal(sl_goal_parse(text, &goal, &err), SL_EINPUT);
    if (!strstr(err.text, sentence)) print_message("'%s': %s\n", text, err.text);
    assert_non_null(strstr(err.text, sentence));
    assert_true(goal.weight[0] == 42); // untouched
}

static void what_makes_no_goal_is_refused_with_a_sentence(void **state) {
    (void)state;
    expect_refused("", "expected an objective (latency, energy, edp, area, power)");
    expect_refused("latncy", "got 'latncy' (did you mean 'latency'?)");
    expect_refused("energy=1,eddp=1", "got 'eddp' (did you mean 'edp'?)");
    expect_refused("latency=2,", "got ''");
    expect_refused("latency=2,energy", "expected a weight for energy, as in 'energy=1'");
    expect_refused("edp=1,edp=1", "the weight of edp is given twice");
    static const char *const weights[] = {
        "edp=0", "edp=-1", "edp=nan", "edp=", "edp=inf", "edp=3.1", "edp=1x", "edp=1=1"};
    for (int i = 0; i < 8; i++)
        expect_refused(weights[i], "the weight of edp: expected a number above 0 and at most 3");
}

static void long_nonsense_is_cut_in_the_sentence(void **state) {
    (void)state;
    char text[2000];
    memset(text, 'e', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_refused(text, "got 'eeeeeeee");
    memcpy(text, "edp=", 4);
    memset(text + 4, '1', sizeof text - 5);
    expect_refused(text, "got '11111111");
}

// 2^53 MACs, each with a handful of accesses to a DRAM of one word in ten cycles and 1,000 pJ
static void the_heaviest_goal_of_the_largest_layer_is_finite(void **state) {
    (void)state;
    SlCost huge = {
        .latency_cycles = 4e17, .energy_pj = 4e19, .area_min_um2 = 1e12, .power_mw = 1e9};
    SlGoal goal = parsed("latency=3,energy=3,edp=3,area=3,power=3");
    assert_true(isfinite(sl_goal_value(&goal, &huge)));
    SlCost tiny = {.latency_cycles = 1, .energy_pj = 1e-3, .area_min_um2 = 1e-3, .power_mw = 1e-9};
    assert_true(sl_goal_value(&goal, &tiny) > 0);
}

static void the_floor_of_a_goal_is_the_product_of_floors(void **state) {
    (void)state;
    const SlFloor bottom = {.value = {3, 10, 30, NAN, NAN}};
    SlGoal goal = parsed("latency=2,energy=1");
    assert_true(fabs(sl_goal_floor(&goal, &bottom) - 90) < 1e-12);
    goal = parsed("edp");
    assert_true(sl_goal_floor(&goal, &bottom) == 30);
    goal = parsed("latency=2,area=1");
    assert_true(isnan(sl_goal_floor(&goal, &bottom)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_objective_is_its_exact_value_in_its_unit),
        cmocka_unit_test(weights_are_powers_and_have_no_unit),
        cmocka_unit_test(latency_times_energy_is_the_energy_delay_product),
        cmocka_unit_test(a_lone_weight_counts_as_one),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(what_makes_no_goal_is_refused_with_a_sentence),
        cmocka_unit_test(long_nonsense_is_cut_in_the_sentence),
        cmocka_unit_test(the_heaviest_goal_of_the_largest_layer_is_finite),
        cmocka_unit_test(the_floor_of_a_goal_is_the_product_of_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
