// test_exact_release.c - proofs that take several passes: the same for any number of threads, and
// their certificates hold; proofs with many branches: they end when their time is over.
#include "support/check.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "starling/study.h"
#include "support/world.h"

static void prove(World *world, const char *goal, double epsilon, int threads, SlProof *proof,
                  SlText *certificate) {
    SlError err = {0};
    SlProveSetup setup = {.space = &world->space,
                          .goal = world_goal(goal),
                          .epsilon = epsilon,
                          .finder = sl_method_find("local"),
                          .seed = 1};
    setup.pool = threads > 1 ? sl_pool_make(threads) : NULL;
    assert_int_equal(sl_prove(&setup, NULL, NULL, &world->arena, proof, &err), SL_OK);
    sl_text_init(certificate, &world->arena);
    sl_certificate_write(&setup, proof, certificate);
    assert_false(certificate->failed);
    sl_pool_free(setup.pool);
}

static void long_proofs_are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    static const struct {
        const char *layer, *accel, *goal;
        double epsilon;
        int64_t nodes; // it takes more: of the first one more than the first try has
    } cases[] = {{"dw:G=96,P=112,Q=112,R=3,S=3", "flex1024", "edp", 0.002, 8000000},
                 {"conv:K=192,C=64,P=27,Q=27,R=5,S=5", "golden", "energy", 0.005, 1000000}};
    for (int i = 0; i < 2; i++) {
        World world;
        SlProof one, two;
        SlText first, second;
        SlVerdict verdict;
        SlError err;
        world_make(&world, cases[i].layer, cases[i].accel);
        prove(&world, cases[i].goal, cases[i].epsilon, 1, &one, &first);
        prove(&world, cases[i].goal, cases[i].epsilon, 3, &two, &second);
        assert_true(one.gap <= cases[i].epsilon + 1.001e-7);
        assert_true(one.nodes > cases[i].nodes && one.nodes == two.nodes);
        assert_string_equal(first.data, second.data);
        assert_int_equal(sl_certificate_verify("a.cert", first.data, first.n, NULL, &world.arena,
                                               &verdict, &err),
                         SL_OK);
        assert_true(verdict.valid && verdict.nodes <= one.nodes);
        world_free(&world);
    }
}

// 63,000 ways to spread work over half a million MACs
static void make_wide(World *world) {
    world_make(world, "bmm:M=4,B=5,K=6,N=4", "flex1024");
    world->accel.fanouts[1].axes[0].size = 4;
    world->accel.fanouts[2] = world->accel.fanouts[1];
    world->accel.fanouts[2].axes[0].size = 493582;
    world_remake(world);
}

static void time_is_over_soon_after_many_branches_were_listed(void **state) {
    (void)state;
    World world;
    SlProof proof;
    SlError err = {0};
    make_wide(&world);
    SlProveSetup setup = {.space = &world.space, .goal = world_goal("edp"), .seconds = 0.01};
    double least = INFINITY; // of three runs
    for (int i = 0; i < 3; i++) {
        clock_t begun = clock();
        assert_int_equal(sl_prove(&setup, NULL, NULL, &world.arena, &proof, &err), SL_OK);
        least = fmin(least, (double)(clock() - begun) / CLOCKS_PER_SEC);
    }
    assert_int_equal(proof.status, SL_PROOF_STOPPED);
    assert_true(proof.n_branches > 50000 && proof.nodes == 0);
    if (least > 1) fail_msg("%d branches took %g s", proof.n_branches, least);

    // what is known by then is a bound that holds
    SlText text;
    SlVerdict verdict;
    assert_true(proof.lower_bound > 0 && proof.lower_bound <= proof.value);
    sl_text_init(&text, &world.arena);
    sl_certificate_write(&setup, &proof, &text);
    assert_false(text.failed);
    assert_int_equal(
        sl_certificate_verify("a.cert", text.data, text.n, NULL, &world.arena, &verdict, &err),
        SL_OK);
    assert_true(verdict.valid && verdict.lower_bound == proof.lower_bound);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_proofs_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(time_is_over_soon_after_many_branches_were_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
