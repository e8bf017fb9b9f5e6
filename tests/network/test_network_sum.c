// test_network_sum.c - sums over layers, goals of the whole, floors and bounds of it.
#include "support/check.h"

#include <math.h>

#include "starling/network.h"

static SlGoal parsed(const char *text) {
    SlGoal goal;
    assert_int_equal(sl_goal_parse(text, &goal, NULL), SL_OK);
    return goal;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static SlNetworkPart priced(int count, double latency, double energy) {
    SlNetworkPart part = sl_network_part(count);
    part.macs = 1000;
    part.latency_cycles = latency;
    part.energy_pj = energy;
    part.floor_cycles = latency / 2;
    part.floor_pj = energy / 4;
    part.area_um2 = 10 * energy;
    return part;
}

// 2 x (100 cycles, 30 pJ), 1 x (50 cycles, 500 pJ): 250 cycles, 560 pJ; 200 MHz, 8 MACs
static const SlAccel machine = {
    .clock_mhz = 200, .n_levels = 1, .fanouts = {{.n_axes = 1, .axes = {{.size = 8}}}}};

static SlNetworkCost two_layers(void) {
    SlNetworkCost cost;
    SlNetworkPart first = priced(2, 100, 30), second = priced(1, 50, 500);
    sl_network_cost_init(&cost, &machine);
    sl_network_cost_add(&cost, &first);
    sl_network_cost_add(&cost, &second);
    return cost;
}

static SlNetworkCost told(int n, const int *counts, const double *values) {
    SlNetworkCost cost;
    sl_network_cost_init(&cost, NULL);
    for (int i = 0; i < n; i++) {
        SlNetworkPart part = sl_network_part(counts[i]);
        part.value = values[i];
        sl_network_cost_add(&cost, &part);
    }
    return cost;
}

// ---- sums ----

static void equal_layers_count_as_often_as_the_network_has_them(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    assert_int_equal(cost.n_layers, 3);
    assert_int_equal(cost.n_distinct, 2);
    assert_int_equal(cost.n_unfit, 0);
    assert_true(cost.macs == 3000 && cost.latency_cycles == 250 && cost.energy_pj == 560);
    assert_true(cost.floor_cycles == 125 && cost.floor_pj == 140);
}

static void power_is_energy_over_time_and_utilisation_macs_over_lanes(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    // 560 pJ in 1.25 us
    assert_true(near(cost.power_mw, 560e-12 / 1.25e-6 * 1e3));
    assert_true(near(cost.utilisation, 3000.0 / (250 * 8)));
    SlNetworkPart part = priced(1, 100, 30);
    sl_network_cost_init(&cost, NULL);
    sl_network_cost_add(&cost, &part);
    assert_true(isnan(cost.power_mw) && isnan(cost.utilisation));
}

static void layers_one_by_one_are_added_in_that_order(void **state) {
    (void)state;
    SlNetworkCost cost;
    SlNetworkPart part = priced(1, 0.1, 0.7);
    double latency = 0, energy = 0;
    sl_network_cost_init(&cost, &machine);
    for (int i = 0; i < 10; i++) {
        part.again = i > 0;
        latency += 0.1;
        energy += 0.7;
        sl_network_cost_add(&cost, &part);
    }
    assert_true(latency != 10 * 0.1); // so that the order can be seen
    assert_true(cost.latency_cycles == latency && cost.energy_pj == energy);
    part = priced(10, 0.1, 0.7);
    sl_network_cost_init(&cost, &machine);
    sl_network_cost_add(&cost, &part);
    assert_true(cost.latency_cycles == 10 * 0.1 && cost.energy_pj == 10 * 0.7);
}

static void a_layer_that_comes_again_is_not_another_distinct_one(void **state) {
    (void)state;
    SlNetworkCost cost;
    SlNetworkPart part = priced(1, 100, 30);
    sl_network_cost_init(&cost, &machine);
    for (int i = 0; i < 3; i++, part.again = true) sl_network_cost_add(&cost, &part);
    assert_int_equal(cost.n_layers, 3);
    assert_int_equal(cost.n_distinct, 1);
    assert_true(cost.area_um2 == 300);
}

static void what_is_not_known_of_a_layer_is_not_known_of_the_network(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    SlNetworkPart part = sl_network_part(1);
    part.latency_cycles = 7;
    sl_network_cost_add(&cost, &part);
    assert_true(cost.latency_cycles == 257);
    assert_true(isnan(cost.energy_pj) && isnan(cost.macs) && isnan(cost.power_mw));
    assert_true(isnan(cost.floor_cycles) && isnan(cost.floor_pj) && isnan(cost.utilisation));
    assert_true(isnan(cost.seconds) && isnan(cost.value));
}

static void a_layer_that_found_nothing_makes_the_sum_infinite(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    SlNetworkPart part = sl_network_part(3);
    part.latency_cycles = INFINITY;
    sl_network_cost_add(&cost, &part);
    assert_true(isinf(cost.latency_cycles));
}

static void seconds_of_programs_add_up(void **state) {
    (void)state;
    SlNetworkCost cost;
    SlNetworkPart part = sl_network_part(3);
    part.seconds = 0.5;
    sl_network_cost_init(&cost, NULL);
    sl_network_cost_add(&cost, &part);
    part.count = 1;
    part.seconds = 0.25;
    sl_network_cost_add(&cost, &part);
    assert_true(cost.seconds == 1.75 && isnan(cost.latency_cycles));
}

// ---- values ----

static void edp_is_the_product_of_the_sums(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    SlGoal edp = parsed("edp"), weighted = parsed("latency=2,energy=1");
    assert_true(sl_network_cost_value(&cost, SL_LATENCY) == 250);
    assert_true(sl_network_cost_value(&cost, SL_ENERGY) == 560);
    assert_true(sl_network_cost_value(&cost, SL_EDP) == 250.0 * 560);
    assert_true(sl_network_cost_value(&cost, SL_POWER) == cost.power_mw);
    assert_true(sl_network_goal_value(&edp, &cost) == 250.0 * 560);
    assert_true(near(sl_network_goal_value(&weighted, &cost), 250.0 * 250 * 560));
}

static void several_layers_have_no_area_and_one_has_its_own(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers(), one;
    SlNetworkPart part = priced(5, 100, 30);
    SlGoal area = parsed("area"), mixed = parsed("latency=1,area=1"), latency = parsed("latency");
    assert_true(isnan(sl_network_goal_value(&area, &cost)));
    assert_true(isnan(sl_network_goal_value(&mixed, &cost)));
    assert_true(sl_network_goal_value(&latency, &cost) == 250);
    sl_network_cost_init(&one, &machine);
    sl_network_cost_add(&one, &part);
    assert_true(sl_network_goal_value(&area, &one) == 300);
    assert_true(sl_network_cost_value(&one, SL_AREA) == 300);
}

static void values_alone_add_up_for_latency_and_energy_only(void **state) {
    (void)state;
    SlNetworkCost cost = told(2, (int[]){2, 1}, (double[]){10, 7});
    static const char *const sums[] = {"latency", "energy"};
    static const char *const others[] = {"edp", "area", "power", "latency=0.5,energy=0.5",
                                         "latency=1,area=1"};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        SlGoal goal = parsed(sums[i]);
        assert_true(sl_network_goal_value(&goal, &cost) == 27);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        SlGoal goal = parsed(others[i]);
        assert_true(isnan(sl_network_goal_value(&goal, &cost)));
    }
}

static void the_value_of_one_distinct_layer_says_that_of_equal_ones(void **state) {
    (void)state;
    SlNetworkCost alone = told(1, (int[]){1}, (double[]){0.3});
    SlNetworkCost three = told(1, (int[]){3}, (double[]){10});
    SlGoal latency = parsed("latency"), edp = parsed("edp"), area = parsed("area");
    assert_true(sl_network_goal_value(&edp, &alone) == 0.3);
    assert_true(sl_network_goal_value(&area, &alone) == 0.3);
    // three times the latency, three times the energy; the same hardware
    assert_true(near(sl_network_goal_value(&latency, &three), 30));
    assert_true(near(sl_network_goal_value(&edp, &three), 90));
    assert_true(near(sl_network_goal_value(&area, &three), 10));
}

// ---- floors ----

static void multiples_are_sums_over_sums_of_floors(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    SlGoal edp = parsed("edp"), power = parsed("power");
    assert_true(sl_network_cost_multiple(&cost, SL_LATENCY) == 2);
    assert_true(sl_network_cost_multiple(&cost, SL_ENERGY) == 4);
    assert_true(sl_network_cost_multiple(&cost, SL_EDP) == 8);
    assert_true(isnan(sl_network_cost_multiple(&cost, SL_AREA)));
    assert_true(isnan(sl_network_cost_multiple(&cost, SL_POWER)));
    assert_true(sl_network_goal_floor(&edp, &cost) == 125.0 * 140);
    assert_true(isnan(sl_network_goal_floor(&power, &cost)));
}

static void a_layer_that_does_not_fit_is_summed_but_compared_with_nothing(void **state) {
    (void)state;
    SlNetworkCost cost = two_layers();
    SlNetworkPart part = priced(2, 1, 1);
    part.unfit = true;
    sl_network_cost_add(&cost, &part);
    assert_int_equal(cost.n_unfit, 2);
    assert_true(cost.latency_cycles == 252 && cost.energy_pj == 562);
    assert_true(isnan(cost.utilisation) && isfinite(cost.power_mw));
    for (int o = 0; o < SL_N_OBJECTIVES; o++)
        assert_true(isnan(sl_network_cost_multiple(&cost, (SlObjective)o)));
    // and stays so
    part = priced(1, 1, 1);
    sl_network_cost_add(&cost, &part);
    assert_true(isnan(cost.utilisation) && cost.n_unfit == 2);
}

// ---- bounds ----

static double bound_of(const char *text, int n, const int *counts, const double *bounds) {
    SlGoal goal = parsed(text);
    SlNetworkBound bound;
    sl_network_bound_init(&bound, &goal);
    for (int i = 0; i < n; i++) sl_network_bound_add(&bound, counts[i], bounds[i]);
    return sl_network_bound_value(&bound);
}

static void bounds_of_one_objective_add_up(void **state) {
    (void)state;
    static const int counts[] = {2, 1, 4};
    static const double bounds[] = {10, 0.5, 3};
    assert_true(bound_of("latency", 3, counts, bounds) == 32.5);
    assert_true(bound_of("energy", 3, counts, bounds) == 32.5);
    // (2 sqrt 4 + sqrt 9)^2
    assert_true(near(bound_of("edp", 2, (int[]){2, 1}, (double[]){4, 9}), 49));
}

static void without_a_layers_bound_or_with_area_there_is_none(void **state) {
    (void)state;
    static const int counts[] = {2, 1};
    assert_true(isnan(bound_of("edp", 2, counts, (double[]){NAN, 9})));
    assert_true(isnan(bound_of("latency", 2, counts, (double[]){4, NAN})));
    static const char *const others[] = {"area", "power", "edp=1,area=1", "latency=1,power=0.5"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_true(isnan(bound_of(others[i], 2, counts, (double[]){4, 9})));
}

// layers of random latency and energy, bounded by their own goals
static void no_network_is_below_the_bound_of_its_layers(void **state) {
    (void)state;
    static const char *const goals[] = {
        "latency",        "energy", "edp", "latency=2,energy=1", "latency=0.3,energy=0.4",
        "edp=1,latency=2"};
    SlRng rng;
    sl_rng_init(&rng, 1, "network");
    for (int round = 0; round < 2000; round++) {
        SlGoal goal = parsed(goals[round % 6]);
        SlNetworkCost cost;
        SlNetworkBound bound;
        int n = 1 + (int)sl_rng_below(&rng, 5);
        sl_network_cost_init(&cost, &machine);
        sl_network_bound_init(&bound, &goal);
        for (int i = 0; i < n; i++) {
            int count = 1 + (int)sl_rng_below(&rng, 4);
            double latency = exp(8 * sl_rng_uniform(&rng)), energy = exp(8 * sl_rng_uniform(&rng));
            SlCost layer = {.latency_cycles = latency, .energy_pj = energy};
            SlNetworkPart part = priced(count, latency, energy);
            sl_network_cost_add(&cost, &part);
            sl_network_bound_add(&bound, count, sl_goal_value(&goal, &layer));
        }
        double value = sl_network_goal_value(&goal, &cost);
        double least = sl_network_bound_value(&bound);
        assert_true(least <= value * (1 + 1e-12));
        // equal layers, and single objectives, leave no space between the two
        if (n == 1 || round % 6 < 2) assert_true(fabs(value - least) <= 1e-9 * value);
    }
}

static void the_degree_says_how_a_goal_grows_with_equal_layers(void **state) {
    (void)state;
    static const char *const goals[] = {"latency", "edp", "latency=2,energy=0.5", "power"};
    static const double degrees[] = {1, 2, 2.5, 0};
    for (size_t i = 0; i < 4; i++) {
        SlGoal goal = parsed(goals[i]);
        SlNetworkCost one, five;
        SlNetworkPart part = priced(1, 100, 30);
        sl_network_cost_init(&one, &machine);
        sl_network_cost_init(&five, &machine);
        sl_network_cost_add(&one, &part);
        part.count = 5;
        sl_network_cost_add(&five, &part);
        double ratio = sl_network_goal_value(&goal, &five) / sl_network_goal_value(&goal, &one);
        assert_true(sl_network_degree(&goal) == degrees[i]);
        assert_true(near(ratio, pow(5, degrees[i])));
    }
}

static void gaps_are_at_least_zero_and_known_only_with_both(void **state) {
    (void)state;
    assert_true(near(sl_network_gap(11, 10), 11.0 / 10 - 1));
    assert_true(sl_network_gap(10 * (1 - 1e-15), 10) == 0); // rounding
    assert_true(isnan(sl_network_gap(NAN, 10)) && isnan(sl_network_gap(10, NAN)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_layers_count_as_often_as_the_network_has_them),
        cmocka_unit_test(power_is_energy_over_time_and_utilisation_macs_over_lanes),
        cmocka_unit_test(layers_one_by_one_are_added_in_that_order),
        cmocka_unit_test(a_layer_that_comes_again_is_not_another_distinct_one),
        cmocka_unit_test(what_is_not_known_of_a_layer_is_not_known_of_the_network),
        cmocka_unit_test(a_layer_that_found_nothing_makes_the_sum_infinite),
        cmocka_unit_test(seconds_of_programs_add_up),
        cmocka_unit_test(edp_is_the_product_of_the_sums),
        cmocka_unit_test(several_layers_have_no_area_and_one_has_its_own),
        cmocka_unit_test(values_alone_add_up_for_latency_and_energy_only),
        cmocka_unit_test(the_value_of_one_distinct_layer_says_that_of_equal_ones),
        cmocka_unit_test(multiples_are_sums_over_sums_of_floors),
        cmocka_unit_test(a_layer_that_does_not_fit_is_summed_but_compared_with_nothing),
        cmocka_unit_test(bounds_of_one_objective_add_up),
        cmocka_unit_test(without_a_layers_bound_or_with_area_there_is_none),
        cmocka_unit_test(no_network_is_below_the_bound_of_its_layers),
        cmocka_unit_test(the_degree_says_how_a_goal_grows_with_equal_layers),
        cmocka_unit_test(gaps_are_at_least_zero_and_known_only_with_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
