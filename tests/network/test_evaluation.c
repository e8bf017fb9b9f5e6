// test_evaluation.c - networks with mappings, priced: equal layers once, sums, what does not fit.
#include <math.h>
#include <string.h>

#include "starling/network/evaluation.h"
#include "support/check.h"

static void find(const char *workload, int64_t batch, SlArena *arena, SlEvaluation *eval) {
    SlError err = {0};
    *eval = (SlEvaluation){.arena = arena, .batch = batch, .mapping_from = "default"};
    assert_int_equal(sl_workload_find(workload, batch, arena, &eval->net, &err), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", arena, &eval->accel, &err), SL_OK);
}

static void equal_layers_share_one_entry(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    sl_arena_init(&arena, 0);
    find("resnet18", 1, &arena, &eval);
    const SlPriced *priced = sl_evaluation_gather(&eval);
    assert_non_null(priced);
    assert_int_equal(eval.net.n_layers, 21);
    assert_int_equal(eval.n_distinct, 12);
    for (int i = 0; i < eval.net.n_layers; i++) {
        assert_true(sl_layer_same(&eval.layers[i]->layer, &eval.net.layers[i]));
        assert_true(eval.layers[i] - priced < eval.n_distinct);
    }
    sl_arena_free(&arena);
}

static void prices_are_those_of_the_cost_model_and_sums_add_up(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    SlError err = {0};
    double cycles = 0, energy = 0;
    sl_arena_init(&arena, 0);
    find("resnet18", 1, &arena, &eval);
    SlPriced *priced = sl_evaluation_gather(&eval);
    SlPool *pool = sl_pool_make(2);
    assert_int_equal(sl_evaluation_default(&eval, pool, priced, &err), SL_OK);
    sl_evaluation_sum(&eval);
    for (int i = 0; i < eval.net.n_layers; i++) {
        SlCost cost;
        const SlPriced *layer = eval.layers[i];
        sl_cost_eval(&layer->layer, &eval.accel, &layer->mapping, &cost);
        assert_true(cost.energy_pj == layer->cost.energy_pj);
        assert_true(sl_priced_multiple(layer, SL_LATENCY) >= 1);
        cycles += cost.latency_cycles;
        energy += cost.energy_pj;
    }
    assert_true(eval.totals.latency_cycles == cycles);
    assert_true(fabs(eval.totals.energy_pj / energy - 1) < 1e-12);
    assert_int_equal(eval.totals.n_distinct, 12);
    sl_pool_free(pool);
    sl_arena_free(&arena);
}

static void what_does_not_fit_has_no_multiple(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    SlError err = {0};
    sl_arena_init(&arena, 0);
    find("conv:K=512,C=512,P=28,Q=28,R=3,S=3", 1, &arena, &eval);
    SlPriced *priced = sl_evaluation_gather(&eval);
    assert_int_equal(sl_mapping_parse("@7 @7 K:1 C:1 P:1 Q:1 R:1 S:1", &priced->mapping, &err),
                     SL_OK);
    sl_priced_eval(&eval.accel, priced);
    sl_evaluation_sum(&eval);
    assert_true(priced->fit.n > 0);
    assert_int_equal(eval.totals.n_unfit, 1);
    assert_true(isnan(sl_priced_multiple(priced, SL_ENERGY)));
    assert_true(isnan(sl_priced_utilisation(priced)));
    sl_arena_free(&arena);
}

static void titles_name_the_layer_of_a_network(void **state) {
    (void)state;
    static const char *const words[][2] = {{"resnet18", "resnet18 on eyeriss"},
                                           {"resnet18:conv2_1", "resnet18:conv2_1 on eyeriss"},
                                           {"gemm:M=4,N=4,K=4", "gemm on eyeriss"}};
    for (int i = 0; i < 3; i++) {
        SlArena arena;
        SlEvaluation eval;
        char title[SL_EVALUATION_TITLE];
        sl_arena_init(&arena, 0);
        find(words[i][0], 1, &arena, &eval);
        assert_string_equal(sl_evaluation_title(&eval, title), words[i][1]);
        sl_arena_free(&arena);
    }
}

static void a_layer_without_its_batch_is_that_of_one_image(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    sl_arena_init(&arena, 0);
    find("resnet18:conv2_1", 8, &arena, &eval);
    assert_int_equal(eval.net.layers[0].dims[SL_N], 8);
    assert_int_equal(sl_evaluation_single(&eval, &eval.net.layers[0]).dims[SL_N], 1);
    sl_arena_free(&arena);
}

static void without_memory_there_are_no_entries(void **state) {
    (void)state;
    SlArena arena, little;
    SlEvaluation eval;
    sl_arena_init(&arena, 0);
    find("resnet18", 1, &arena, &eval);
    for (size_t limit = 1; limit < 1024; limit += 64) {
        sl_arena_init(&little, limit);
        eval.arena = &little;
        assert_null(sl_evaluation_gather(&eval));
        sl_arena_free(&little);
    }
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_layers_share_one_entry),
        cmocka_unit_test(prices_are_those_of_the_cost_model_and_sums_add_up),
        cmocka_unit_test(what_does_not_fit_has_no_multiple),
        cmocka_unit_test(titles_name_the_layer_of_a_network),
        cmocka_unit_test(a_layer_without_its_batch_is_that_of_one_image),
        cmocka_unit_test(without_memory_there_are_no_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
