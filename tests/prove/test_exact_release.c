// test_exact_release.c - proofs that take several passes: the same for any number of threads, and
// their certificates hold.
#include "support/check.h"

#include <string.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_proofs_are_the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
