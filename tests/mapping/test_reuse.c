// test_reuse.c - the estimates of a nest's traffic against the exact counts.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

#include "mapping/reuse.h"
#include "nest_cases.h"
#include "starling/cost.h"

enum { N_NESTS = 2000 };

// What is compared: the estimate and the exact number of every nest.
typedef struct {
    double guess[N_NESTS], exact[N_NESTS];
} Series;

static double rank_correlation(const Series *series) {
    static int order[N_NESTS];
    static double a[N_NESTS], b[N_NESTS];
    sl_ranks(N_NESTS, series->guess, order, a);
    sl_ranks(N_NESTS, series->exact, order, b);
    return sl_pearson(N_NESTS, a, b);
}

static double mean_log_error(const Series *series) {
    double sum = 0;
    for (int i = 0; i < N_NESTS; i++) sum += fabs(log(series->guess[i] / series->exact[i]));
    return sum / N_NESTS;
}

enum { DRAM, LINK, LATENCY, ENERGY, N_SERIES };
static const char *const series_names[] = {"DRAM words", "words into L1", "latency", "energy"};

// random points of the native space, repaired
static void fill_series(const char *layer_text, const char *accel_name, Series *series) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = accel_of(accel_name);
    SlArena arena;
    SlSpace space;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 3, layer_text);
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, NULL), SL_OK);
    for (int i = 0; i < N_NESTS; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping mapping;
        Glance glance;
        Traffic traffic;
        SlCost cost;
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &mapping);
        sl_nest_glance(&layer, &accel, &mapping, &glance);
        sl_nest_traffic(&glance, &mapping, &traffic);
        sl_cost_eval(&layer, &accel, &mapping, &cost);
        assert_true(glance.steps == cost.counts.cycles);
        series[DRAM].guess[i] = traffic.port[0];
        series[DRAM].exact[i] = cost.port[0];
        series[LINK].guess[i] = traffic.link[accel.n_levels - 1];
        series[LINK].exact[i] = cost.link[accel.n_levels - 1];
        series[LATENCY].guess[i] = traffic.latency_cycles;
        series[LATENCY].exact[i] = cost.latency_cycles;
        series[ENERGY].guess[i] = traffic.energy_pj;
        series[ENERGY].exact[i] = cost.energy_pj;
    }
    sl_arena_free(&arena);
}

static void expect_close(const char *layer, const char *accel) {
    Series *series = malloc(N_SERIES * sizeof *series);
    assert_non_null(series);
    fill_series(layer, accel, series);
    for (int i = 0; i < N_SERIES; i++) {
        double r = rank_correlation(&series[i]), error = mean_log_error(&series[i]);
        if (r < 0.98 || error > (i == ENERGY ? 0.012 : 0.07))
            fail_msg("%s on %s: %s have rank correlation %.4f, mean error %.4f", layer, accel,
                     series_names[i], r, error);
    }
    free(series);
}

static const char *const layers[] = {
    "conv:K=16,C=32,P=112,Q=112",
    "conv:K=128,C=64,P=112,Q=112,R=3,S=3",
    "conv:K=64,C=64,P=56,Q=56,R=3,S=3",
    "conv:K=256,C=48,P=27,Q=27,R=5,S=5",
    "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
    "dw:G=96,P=112,Q=112,R=3,S=3",
    "gemm:M=512,N=768,K=768",
};

static void estimates_rank_nests_of_flexible_arrays_as_the_model_does(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        expect_close(layers[i], "eyeriss");
        expect_close(layers[i], "golden");
    }
}

static void estimates_rank_nests_of_fixed_grids_as_the_model_does(void **state) {
    (void)state;
    expect_close(layers[2], "nvdla");
    expect_close(layers[2], "tpu");
    expect_close(layers[2], "simba");
    expect_close(layers[6], "gemmini");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_rank_nests_of_flexible_arrays_as_the_model_does),
        cmocka_unit_test(estimates_rank_nests_of_fixed_grids_as_the_model_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
