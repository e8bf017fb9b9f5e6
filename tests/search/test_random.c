// test_random.c - random points are uniform.
#include "support/check.h"

#include <math.h>

#include "search/method_run.h"

// chi-square of every parameter with few enough values to be hit often
static void every_value_of_a_parameter_is_drawn_equally_often(void **state) {
    (void)state;
    enum { N = 8000, MOST = 100 };
    World world;
    MethodRun run;
    world_make(&world, "conv:K=64,C=48,P=28,Q=28,R=3,S=3", "eyeriss");
    method_begin(&run, &world, "random", NULL, 3);
    method_continue(&run, N, 64);
    int n_params = world.space.n_params, tested = 0;
    for (int p = 0; p < n_params; p++) {
        int n = world.space.params[p].n;
        if (n < 2 || n > MOST) continue;
        int counts[MOST] = {0};
        for (int i = 0; i < N; i++) counts[run.points[i * n_params + p]]++;
        double chi = 0, expected = (double)N / n;
        for (int v = 0; v < n; v++)
            chi += (counts[v] - expected) * (counts[v] - expected) / expected;
        // five sigma of a chi-square with n - 1 degrees of freedom
        assert_true(fabs(chi - (n - 1)) < 5 * sqrt(2.0 * (n - 1)));
        tested++;
    }
    assert_true(tested >= 8);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_of_a_parameter_is_drawn_equally_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
