// test_maestro_evaluation.c - layers in MAESTRO's model, from its files and from mappings of ours.
#include <string.h>

#include "support/check.h"
#include "support/evaluated.h"

static void a_layer_of_a_file_costs_what_it_costs_in_the_file(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlMaestroEvaluation all = maestro_evaluated(&arena, "stale_energy.m", 4);
    SlMaestroEvaluation one = maestro_evaluated(&arena, "stale_energy.m:second", 4);
    assert_true(all.from == 0 && all.to == 2 && one.from == 1 && one.to == 2);
    // the second has the accesses of the first
    assert_true(all.layers[1].cost.energy_nj != all.layers[0].cost.energy_nj);
    assert_true(one.layers[1].cost.energy_nj == all.layers[1].cost.energy_nj);
    sl_arena_free(&arena);
}

static void default_mappings_become_lists(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlEvaluation native = evaluated(&arena, "resnet18", "flex256", NULL);
    SlMaestroEvaluation eval = {.arena = &arena};
    assert_null(sl_maestro_hardware_of(&native.accel, &eval.hardware));
    sl_maestro_accel(&eval.hardware, &eval.accel);
    assert_int_equal(sl_maestro_evaluation_make(&eval, &native, NULL), SL_OK);
    assert_int_equal(sl_maestro_evaluation_price(&eval, NULL), SL_OK);
    assert_int_equal(eval.to, native.net.n_layers);
    for (int i = 0; i < eval.to; i++) {
        assert_null(eval.layers[i].no_nest);
        assert_true(sl_maestro_is_physical(&eval.layers[i]));
    }
    sl_arena_free(&arena);
}

static void a_mapping_without_a_list_is_refused(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    SlEvaluation native =
        evaluated(&arena, "conv:K=4,C=4,P=4,R=3", "flex256", "@7 @7 R:1 K:1 C:1 P:1");
    SlMaestroEvaluation eval = {.arena = &arena};
    sl_maestro_hardware_init(&eval.hardware);
    eval.hardware.num_pes = 7;
    native.layers[0] = &(SlPriced){.layer = native.net.layers[0]}; // of no levels
    assert_int_equal(sl_maestro_evaluation_make(&eval, &native, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "the given mapping has no directive list for 7 PEs"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_of_a_file_costs_what_it_costs_in_the_file),
        cmocka_unit_test(default_mappings_become_lists),
        cmocka_unit_test(a_mapping_without_a_list_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
