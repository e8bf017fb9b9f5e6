// test_proof_space.c - the space that a certificate defines holds every point of the space it is
// about.
#include <string.h>

#include "nest_walk.h"
#include "proof_space.h"
#include "support/check.h"
#include "tiny_case.h"

enum { MAX_SPREADS = 3000, N_POINTS = 20 };

typedef struct {
    TinyCase c;
    SlSpace space;
    int n;
    ProofBranch *branches;
} Listed;

static bool make(SlRng *rng, SlArena *arena, Listed *out) {
    SlSpread *spreads = SL_NEW(arena, MAX_SPREADS, SlSpread);
    tiny_case_sample(rng, &out->c);
    if (sl_space_make(&out->c.layer, &out->c.accel, &out->c.options, arena, &out->space, NULL) !=
        SL_OK)
        return false;
    out->n = proof_spreads(&out->space, MAX_SPREADS, spreads);
    if (out->n < 0) return false;
    out->branches = SL_NEW(arena, out->n, ProofBranch);
    for (int i = 0; i < out->n; i++)
        assert_true(proof_branch_make(&out->space, &spreads[i], arena, &out->branches[i]));
    return true;
}

// is the nest that decoding makes the nest of a branch, with tiles that the branch lists?
static void expect_listed(const Listed *listed, const SlScheme *scheme) {
    SlMapping nest, same;
    char why[128] = "no branch", text[SL_NEST_TEXT_MAX], lines[CASE_LINES_MAX];
    sl_scheme_mapping(&listed->space, scheme, &nest);
    for (int i = 0; i < listed->n; i++) {
        proof_nest(&listed->branches[i], scheme, &same);
        if (memcmp(&nest, &same, sizeof nest) == 0 &&
            !proof_lacks(&listed->branches[i], scheme, sizeof why, why))
            return;
    }
    fail_msg("%s: %s\n%s", sl_mapping_write(&nest, sizeof text, text), why,
             tiny_case_text(&listed->c, sizeof lines, lines));
}

static void every_repaired_point_is_in_a_branch(void **state) {
    (void)state;
    int n_made = 0;
    for (uint64_t i = 0; i < 400; i++) {
        SlRng rng;
        SlArena arena;
        Listed listed;
        sl_rng_init(&rng, i, "points");
        sl_arena_init(&arena, 0);
        bool made = make(&rng, &arena, &listed);
        for (int k = 0; made && k < N_POINTS; k++) {
            int32_t point[SL_MAX_PARAMS];
            SlScheme scheme;
            sl_space_sample(&listed.space, &rng, point);
            sl_space_decode(&listed.space, point, &scheme);
            sl_scheme_repair(&listed.space, &scheme);
            expect_listed(&listed, &scheme);
        }
        n_made += made;
        sl_arena_free(&arena);
    }
    assert_true(n_made > 250);
}

// a list by hand: 3 PEs, K of 5 and C of 2
static void branches_come_in_the_order_of_the_page(void **state) {
    (void)state;
    static const char *const texts[] = {"1c:K*3", "1c:C*3", "1c:K*1 1a0:K*3", "1c:K*1 1a0:C*3"};
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlSpread spreads[8];
    char text[128];
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_layer_parse("conv:K=5,C=2", &layer, NULL), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", &arena, &accel, NULL), SL_OK);
    accel.fanouts[1].axes[0].size = 3;
    assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, NULL), SL_OK);
    assert_int_equal(proof_spreads(&space, 8, spreads), 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(proof_spread_text(&accel, &spreads[i], sizeof text, text), texts[i]);

    // sizes of K are 1, 2, 3, 5; over 3 PEs of a cluster also 4 = 2 waves of 2 and 3 of 1
    ProofBranch branch;
    int64_t sizes[8];
    assert_true(proof_branch_make(&space, &spreads[0], &arena, &branch));
    assert_int_equal(proof_sizes(&branch, 1, SL_K, 5, sizes), 4);
    assert_true(proof_branch_make(&space, &spreads[2], &arena, &branch));
    assert_int_equal(proof_sizes(&branch, 1, SL_K, 5, sizes), 5);
    assert_int_equal(sizes[3], 4);
    assert_int_equal(proof_sizes(&branch, 1, SL_K, 4, sizes), 4);
    assert_int_equal(proof_sizes(&branch, 1, SL_R, 1, sizes), 1);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_repaired_point_is_in_a_branch),
        cmocka_unit_test(branches_come_in_the_order_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
