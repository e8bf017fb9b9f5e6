// test_critic.c - the critic learns to tell good nests from bad ones, from what it was told.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "learn/critic.h"
#include "starling/cost.h"
#include "support/world.h"

enum { TAUGHT = 300, HELD_OUT = 100 };

typedef struct {
    World world;
    int n_features;
    float *features; // (TAUGHT + HELD_OUT, n_features)
    double *scores;
} Case;

static Case *make_case(const char *layer) {
    Case *c = test_calloc(1, sizeof *c);
    World *world = &c->world;
    world_make(world, layer, "eyeriss");
    c->n_features = sl_features_n(&world->accel);
    c->features = SL_NEW(&world->arena, (TAUGHT + HELD_OUT) * c->n_features, float);
    c->scores = SL_NEW(&world->arena, TAUGHT + HELD_OUT, double);
    SlRng rng;
    sl_rng_init(&rng, 1, "nests");
    for (int j = 0; j < TAUGHT + HELD_OUT; j++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping mapping;
        SlCost cost;
        sl_space_sample(&world->space, &rng, point);
        sl_space_mapping(&world->space, point, true, &mapping);
        sl_cost_eval(&world->layer, &world->accel, &mapping, &cost);
        sl_mapping_features(&world->layer, &world->accel, &mapping,
                            c->features + (ptrdiff_t)j * c->n_features);
        c->scores[j] = log(sl_cost_value(&cost, SL_EDP));
    }
    return c;
}

static void free_case(Case *c) {
    world_free(&c->world);
    test_free(c);
}

// rank correlation of guesses and scores of nests it was not told about
static double skill(Case *c, SlCriticSight sight, int n_taught, int steps) {
    SlArena arena;
    SlRng rng;
    SlCriticOptions options = {.sight = sight, .rate = 0.003, .decay = 0.001, .hidden = 48};
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 5, "critic");
    SlCritic *critic = sl_critic_make(world_task(&c->world, "edp", SL_ILLEGAL_REPAIR), &options,
                                      TAUGHT / 2, rng, &arena);
    assert_non_null(critic);
    for (int j = 0; j < n_taught; j++) {
        sl_critic_add(critic, c->features + (ptrdiff_t)j * c->n_features, c->scores[j]);
        sl_critic_learn(critic, steps);
    }
    double guesses[HELD_OUT], ranks[2][HELD_OUT];
    int order[HELD_OUT];
    sl_critic_guess(critic, HELD_OUT, c->features + (ptrdiff_t)TAUGHT * c->n_features, 0, guesses);
    sl_ranks(HELD_OUT, guesses, order, ranks[0]);
    sl_ranks(HELD_OUT, c->scores + TAUGHT, order, ranks[1]);
    sl_arena_free(&arena);
    return sl_pearson(HELD_OUT, ranks[0], ranks[1]);
}

static void it_ranks_nests_it_has_never_seen(void **state) {
    (void)state;
    Case *c = make_case("conv:K=64,C=64,P=56,Q=56,R=3,S=3");
    double plain = skill(c, SL_SEE_PLAIN, TAUGHT, 4), reuse = skill(c, SL_SEE_REUSE, TAUGHT, 4);
    double estimate = skill(c, SL_SEE_ESTIMATE, TAUGHT, 4);
    print_message("rank correlation: plain %.3f, reuse %.3f, estimate %.3f\n", plain, reuse,
                  estimate);
    assert_true(plain > 0.85);
    assert_true(reuse > 0.93);
    assert_true(estimate > 0.98);
    free_case(c);
}

static void it_knows_nothing_before_it_was_told_unless_it_sees_estimates(void **state) {
    (void)state;
    Case *c = make_case("conv:K=64,C=64,P=56,Q=56,R=3,S=3");
    assert_true(fabs(skill(c, SL_SEE_PLAIN, 0, 0)) < 0.6);
    assert_true(skill(c, SL_SEE_ESTIMATE, 0, 0) > 0.95);
    free_case(c);
}

static void guesses_stay_finite_when_scores_are_wild(void **state) {
    (void)state;
    Case *c = make_case("dw:G=7,P=5,Q=3,R=3,S=3");
    for (int j = 0; j < TAUGHT; j += 3) c->scores[j] = 1e6 * (j + 1);
    for (int j = 1; j < TAUGHT; j += 3) c->scores[j] = 0;
    double r = skill(c, SL_SEE_ESTIMATE, TAUGHT, 2);
    assert_true(isfinite(r));
    free_case(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_ranks_nests_it_has_never_seen),
        cmocka_unit_test(it_knows_nothing_before_it_was_told_unless_it_sees_estimates),
        cmocka_unit_test(guesses_stay_finite_when_scores_are_wild),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
