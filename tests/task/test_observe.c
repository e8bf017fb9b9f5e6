// test_observe.c - the four numbers of the paper, and who steers what.
#include "support/check.h"
#include "support/world.h"

#include <math.h>
#include <string.h>

#include "starling/task/env.h"

static void the_four_are_octaves_over_their_references(void **state) {
    (void)state;
    World world;
    SlObserver observer;
    float seen[SL_N_OBSERVED];
    world_make(&world, "conv:K=8,C=8,P=8,Q=8", "eyeriss");
    sl_observer_init(&observer, world_task(&world, "edp", SL_ILLEGAL_REPAIR));
    double latency = observer.reference[0], energy = observer.reference[2];
    SlFloor bottom;
    sl_floor_eval(&world.layer, &world.accel, &bottom);
    assert_true(latency == bottom.value[SL_LATENCY] && energy == bottom.value[SL_ENERGY]);

    // what is illegal leaves no references behind
    const SlSample illegal = {.value = INFINITY, .score = 3};
    sl_observe(&observer, &illegal, seen);
    for (int i = 0; i < SL_N_OBSERVED; i++) assert_true(seen[i] == 1);
    assert_true(observer.reference[1] == 0 && observer.reference[3] == 0);

    // latency, power, energy, area
    SlSample outcome = {.value = 1, .latency_cycles = 16 * latency, .energy_pj = 2 * energy};
    outcome.power_mw = 30, outcome.area_um2 = 500;
    sl_observe(&observer, &outcome, seen);
    assert_true(seen[0] == 0.5f && seen[1] == 0 && seen[2] == 0.125f && seen[3] == 0);
    outcome.power_mw = 120, outcome.area_um2 = 500.0 / 1024, outcome.latency_cycles *= 1e9;
    sl_observe(&observer, &outcome, seen);
    assert_true(seen[0] == 1 && seen[1] == 0.25f && seen[3] == -1);
    world_free(&world);
}

static void each_parameter_may_have_an_agent_of_its_own(void **state) {
    (void)state;
    World world;
    SlAgents agents;
    world_make(&world, "conv:K=8,C=8,P=8,Q=8", "eyeriss");
    sl_agents_each(&world.space, &agents);
    assert_int_equal(agents.n_agents, world.space.n_params);
    for (int i = 0; i < agents.n_agents; i++) assert_int_equal(agents.agent[i], i);
    assert_null(sl_agents_check(&world.space, &agents));
    world_free(&world);
}

static void agents_that_do_not_suit_are_refused_with_the_reason(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=8,C=8,P=8,Q=8", "eyeriss");
    SlAgents agents = {.n_agents = 1};
    assert_null(sl_agents_check(&world.space, &agents));
    agents.n_agents = 0;
    assert_string_equal(sl_agents_check(&world.space, &agents), "there must be at least one agent");
    agents.n_agents = world.space.n_params + 1;
    assert_string_equal(sl_agents_check(&world.space, &agents),
                        "there are more agents than parameters");
    agents.n_agents = 2;
    assert_string_equal(sl_agents_check(&world.space, &agents), "an agent steers no parameter");
    agents.agent[1] = 1;
    assert_null(sl_agents_check(&world.space, &agents));
    agents.agent[0] = 2;
    const char *unknown = "a parameter belongs to an agent that does not exist";
    assert_string_equal(sl_agents_check(&world.space, &agents), unknown);
    agents.agent[0] = -1;
    assert_string_equal(sl_agents_check(&world.space, &agents), unknown);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_are_octaves_over_their_references),
        cmocka_unit_test(each_parameter_may_have_an_agent_of_its_own),
        cmocka_unit_test(agents_that_do_not_suit_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
