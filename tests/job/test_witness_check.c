// test_witness_check.c - executed counts beside the model's.
#include "starling/job/witness_check.h"

#include <string.h>

#include "support/check.h"
#include "support/evaluated.h"

static void executed_counts_are_those_of_the_model(void **state) {
    (void)state;
    SlArena arena;
    SlWitnessCheck check;
    sl_arena_init(&arena, 0);
    SlEvaluation eval =
        evaluated(&arena, "conv:K=3,C=2,P=5,R=3", "flex256", "C:1 P:2 @7 K*2 K:1 R:1 @7 P:1");
    assert_int_equal(sl_witness_prepare(&eval, &check, NULL), SL_OK);
    assert_int_equal(sl_witness_execute(&check, NULL), SL_OK);
    SlWitnessed *it = &check.layers[0];
    assert_true(check.equal && check.n == 1 && it->trips == 0);
    assert_int_equal(it->n_pairs, 2 + 3 * SL_N_LEVEL_COUNTS);
    assert_string_equal(it->pairs[0].name, "macs");
    assert_int_equal(it->pairs[0].execution, 90);

    // a count that differs, and an output that is wrong
    it->execution.output_right = false;
    assert_false(sl_witnessed_agrees(it));
    it->pairs[0].execution++;
    assert_false(sl_witness_same(&it->pairs[0]));
    sl_arena_free(&arena);
}

static void large_layers_are_scaled_down(void **state) {
    (void)state;
    SlArena arena;
    SlWitnessCheck check;
    SlText source;
    sl_arena_init(&arena, 0);
    SlEvaluation eval = evaluated(&arena, "resnet18:conv2_1", "flex256", NULL);
    assert_int_equal(sl_witness_prepare(&eval, &check, NULL), SL_OK);
    assert_true(check.layers[0].trips >= 2);
    assert_true(sl_layer_macs(&check.layers[0].layer) < sl_layer_macs(&eval.net.layers[0]));
    sl_text_init(&source, &arena);
    sl_witness_source(&check, 0, &source);
    assert_non_null(strstr(source.data, "int main(void)"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executed_counts_are_those_of_the_model),
        cmocka_unit_test(large_layers_are_scaled_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
