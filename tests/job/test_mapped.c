// test_mapped.c - networks mapped by a job: prices of what was found, by every evaluator, and sums.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/job.h"
#include "support/mapped_help.h"
#include "support/store_help.h"

// b and c are equal
static const char text[] = "network: net\n"
                           "layers:\n"
                           "  - {name: a, type: conv, K: 64, C: 3, P: 8, Q: 8, R: 3, S: 3}\n"
                           "  - {name: b, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n"
                           "  - {name: c, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n";

static int begin(void **state) {
    static MappedCase fixture;
    mapped_begin(text, &fixture);
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    mapped_end(*state);
    return 0;
}

static void what_was_found_is_priced_beside_default_mappings(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    mapped_run(mapped);
    const SlMappedLayer *layers = mapped->layers;
    assert_int_equal(mapped->n_layers, 2);
    assert_string_equal(mapped->evaluator, "native");
    for (int i = 0; i < 2; i++) {
        assert_true(layers[i].value == sl_cost_value(&layers[i].found->cost, SL_EDP));
        assert_true(layers[i].base_value == sl_cost_value(&layers[i].base->cost, SL_EDP));
        assert_true(layers[i].gain >= 1 && layers[i].value >= layers[i].floor);
        assert_null(layers[i].maestro);
    }
    double cycles = layers[0].cost->latency_cycles + 2 * layers[1].cost->latency_cycles;
    double pj = layers[0].cost->energy_pj + 2 * layers[1].cost->energy_pj;
    assert_true(fabs(mapped->value / (cycles * pj) - 1) < 1e-12);
    assert_true(mapped->base_value > mapped->value);
    assert_ptr_equal(mapped->totals, &mapped->eval.totals);
    assert_int_equal(sl_mapped_samples(mapped), 120);
}

static void equal_layers_are_one(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    mapped_run(mapped);
    assert_ptr_equal(sl_mapped_layer(mapped, 0), &mapped->layers[0]);
    assert_ptr_equal(sl_mapped_layer(mapped, 1), &mapped->layers[1]);
    assert_ptr_equal(sl_mapped_layer(mapped, 2), &mapped->layers[1]);
}

static void maestro_has_sums_of_its_own(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    mapped->setup.kind = &sl_kind_maestro;
    mapped->setup.goal = (SlGoal){.weight[SL_LATENCY] = 1};
    mapped_run(mapped);
    const SlMappedLayer *layers = mapped->layers;
    assert_ptr_equal(mapped->totals, &mapped->sums);
    assert_true(isnan(layers[0].gain) && isnan(mapped->base_value) && isnan(mapped->sums.power_mw));
    for (int i = 0; i < 2; i++)
        assert_true(layers[i].value == (double)layers[i].maestro->maestro.runtime_cycles);
    assert_true(mapped->value == layers[0].value + 2 * layers[1].value);
}

static void a_target_is_given_in_percent_above_the_floor(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    mapped->target_percent = 1e6;
    mapped_run(mapped);
    assert_true(mapped->setup.budget.target == 10001);
    assert_true(sl_mapped_samples(mapped) < 120);
}

static void why_nothing_can_be_proven(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    mapped->setup.goal = (SlGoal){.weight[SL_AREA] = 1};
    assert_int_equal(sl_mapped_open(mapped, NULL, NULL), SL_OK);
    assert_null(sl_mapped_uncovered(mapped)); // nobody asked
    mapped->setup.prove = true;
    assert_non_null(sl_mapped_uncovered(mapped));
    mapped->setup.goal = (SlGoal){.weight[SL_EDP] = 1};
    assert_null(sl_mapped_uncovered(mapped));
}

static void without_a_mapping_there_is_no_price(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    SlError err = {0};
    assert_int_equal(sl_mapped_open(mapped, NULL, &err), SL_OK);
    assert_int_equal(sl_mapped_finish(mapped, &err), SL_EINPUT);
    assert_string_equal(err.text, "a: no sample has a value");
}

static void programs_are_not_mapped(void **state) {
    SlMapped *mapped = &((MappedCase *)*state)->mapped;
    SlError err = {0};
    mapped->setup.kind = &sl_kind_vta;
    assert_int_equal(sl_mapped_open(mapped, NULL, &err), SL_EINPUT);
    assert_string_equal(err.text, "vta measures programs, not mappings");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(what_was_found_is_priced_beside_default_mappings),
        CASE(equal_layers_are_one),
        CASE(maestro_has_sums_of_its_own),
        CASE(a_target_is_given_in_percent_above_the_floor),
        CASE(why_nothing_can_be_proven),
        CASE(without_a_mapping_there_is_no_price),
        CASE(programs_are_not_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
