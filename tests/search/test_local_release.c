// test_local_release.c - a sample of local search is cheap, evaluation included.
#include "support/check.h"

#include <time.h>

#include "search/method_run.h"

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// asking, the memory of nests, decoding twice, pricing and telling; the best of five
static void a_sample_takes_microseconds(void **state) {
    (void)state;
    enum { N = 10000 };
    double least = 1;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        World world;
        MethodRun run;
        world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
        method_begin(&run, &world, "local", NULL, seed);
        double before = cpu_seconds();
        method_continue(&run, N, 1);
        double spent = (cpu_seconds() - before) / N;
        if (spent < least) least = spent;
        world_free(&world);
    }
    if (least > 30e-6) print_message("%.2f us\n", least * 1e6);
    assert_true(least <= 30e-6); // 5 on an idle machine
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_takes_microseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
