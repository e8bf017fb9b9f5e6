// test_features_release.c - how long keys and features of a nest take.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "nest_cases.h"

enum { N_NESTS = 1000, N_ROUNDS = 20, ROOM = 128 };

static double cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// repaired points of the native space
static void fill_nests(const SlLayer *layer, const SlAccel *accel, SlMapping *nests) {
    SlArena arena;
    SlSpace space;
    SlRng rng;
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 6, "nests to time");
    assert_int_equal(sl_space_make(layer, accel, &options, &arena, &space, NULL), SL_OK);
    for (int i = 0; i < N_NESTS; i++) {
        int32_t point[SL_MAX_PARAMS];
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &nests[i]);
    }
    sl_arena_free(&arena);
}

static void a_nest_is_read_in_a_microsecond(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=128,C=64,P=112,Q=112,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlMapping *nests = malloc(N_NESTS * sizeof *nests);
    assert_non_null(nests);
    assert_true(sl_features_n(&accel) <= ROOM);
    fill_nests(&layer, &accel, nests);
    double key_ns = INFINITY, features_ns = INFINITY;
    uint64_t keys = 0;
    float sum = 0;
    for (int k = 0; k < N_ROUNDS; k++) {
        double start = cpu_ns();
        for (int i = 0; i < N_NESTS; i++) keys ^= sl_mapping_key(&layer, &nests[i]);
        double middle = cpu_ns();
        for (int i = 0; i < N_NESTS; i++) {
            float out[ROOM];
            sl_mapping_features(&layer, &accel, &nests[i], out);
            sum += out[0];
        }
        key_ns = fmin(key_ns, (middle - start) / N_NESTS);
        features_ns = fmin(features_ns, (cpu_ns() - middle) / N_NESTS);
    }
    print_message("key %.0f ns, features %.0f ns (%llx %g)\n", key_ns, features_ns,
                  (unsigned long long)keys, sum);
    assert_true(key_ns < 1000);      // 60 on an idle machine
    assert_true(features_ns < 4000); // 800 on an idle machine
    free(nests);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nest_is_read_in_a_microsecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
