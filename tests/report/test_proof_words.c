// test_proof_words.c - gaps, bounds and proofs in words.
#include <math.h>
#include <string.h>

#include "report/proof_words.h"
#include "support/check.h"

static const SlGoal latency = {.weight = {[SL_LATENCY] = 1}};
static const SlGoal edp = {.weight = {[SL_EDP] = 1}};
static const SlGoal energy = {.weight = {[SL_ENERGY] = 1}};

static void a_gap_is_never_shown_smaller_than_it_is(void **state) {
    static const struct {
        double gap;
        const char *shown;
    } cases[] = {{NAN, "-"},         {0, "0 %"},          {1e-8, "0 %"}, {1e-6, "<0.001 %"},
                 {0.0025, "0.25 %"}, {0.00251, "0.26 %"}, {0.01, "1 %"}, {0.0999, "10 %"},
                 {0.1001, "11 %"},   {2, "200 %"},        {0.05, "5 %"}};
    char out[SL_UNIT_ROOM];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sl_gap_show(cases[i].gap, out), cases[i].shown);
}

static void a_value_has_digits_enough_to_tell_it_from_its_bound(void **state) {
    char out[SL_UNIT_ROOM];
    (void)state;
    assert_string_equal(sl_bound_show(&latency, 700439, 200, out), "700,439 cycles");
    assert_string_equal(sl_bound_show(&latency, NAN, 200, out), "-");
    assert_string_equal(sl_bound_show(&energy, 712.0434e6, 200, out), "712.043 µJ");
    assert_string_equal(sl_bound_show(&edp, 5.04257e14, 200, out), "2.52129 µJ·s");
    assert_string_equal(sl_bound_show(&edp, 5.04257e14, 0, out), "5.04257e14 pJ x cycles");
    assert_string_equal(sl_bound_show(&edp, 2.5e6, 0, out), "2.50000e6 pJ x cycles");
    assert_string_equal(sl_bound_show(&edp, NAN, 0, out), "-");
}

static void every_status_has_words(void **state) {
    char out[SL_UNIT_ROOM];
    (void)state;
    SlProof proof = {.status = SL_PROOF_OPTIMAL};
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "optimal");
    proof.status = SL_PROOF_WITHIN;
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "within 0.5 %");
    proof.status = SL_PROOF_STOPPED;
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "stopped, no bound");
    proof.lower_bound = 100;
    proof.gap = 0.013;
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "stopped at 1.3 %");
    proof.status = SL_PROOF_OUTSIDE;
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "outside the space");
    proof.status = SL_PROOF_UNCOVERED;
    assert_string_equal(sl_proof_show(&proof, 0.005, out), "no proof");
}

static const char *sentence(SlArena *arena, const SlProof *proof) {
    SlText text;
    sl_text_init(&text, arena);
    sl_proof_sentence(&latency, 200, proof, "native sizes, all orders", &text);
    assert_false(text.failed);
    return text.data;
}

static void a_sentence_claims_what_the_bound_says(void **state) {
    SlArena arena;
    SlProof proof = {.status = SL_PROOF_WITHIN,
                     .value = 1002,
                     .lower_bound = 1000,
                     .gap = 0.002,
                     .n_branches = 384};
    (void)state;
    sl_arena_init(&arena, 0);
    assert_string_equal(
        sentence(&arena, &proof),
        "latency 1,002 cycles, lower bound 1,000 cycles: within 0.2 % of the optimum of "
        "this space, proven (native sizes, all orders, 384 ways to spread)");
    proof.lower_bound = 0;
    assert_string_equal(sentence(&arena, &proof),
                        "latency 1,002 cycles, stopped before there was a bound");
    proof = (SlProof){.status = SL_PROOF_UNCOVERED, .reason = "area has no bounds"};
    assert_string_equal(sentence(&arena, &proof), "no proof: area has no bounds");
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_never_shown_smaller_than_it_is),
        cmocka_unit_test(a_value_has_digits_enough_to_tell_it_from_its_bound),
        cmocka_unit_test(every_status_has_words),
        cmocka_unit_test(a_sentence_claims_what_the_bound_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
