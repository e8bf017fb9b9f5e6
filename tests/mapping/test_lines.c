// test_lines.c - lines that caches would fetch of a nest.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "nest_cases.h"

enum { ROOM = 64, PER_LEVEL = 4 };

static SlAccel caches_of(int64_t outer_bytes, int64_t inner_bytes) {
    SlAccel accel = accel_of("cache_twin");
    accel.levels[1].capacity_bytes = outer_bytes;
    accel.levels[2].capacity_bytes = inner_bytes;
    return accel;
}

// the logarithms of (W, I, O, all) of the outer level, then of the inner one
static void see(const char *layer, const SlAccel *accel, const char *nest, float *out) {
    SlLayer of = layer_of(layer);
    SlMapping mapping;
    SlError err;
    assert_int_equal(sl_mapping_parse(nest, &mapping, &err), SL_OK);
    assert_null(sl_mapping_check(&of, &mapping));
    sl_mapping_lines(&of, accel, &mapping, out);
}

static void machines_without_line_sizes_have_none(void **state) {
    (void)state;
    SlAccel accel = accel_of("eyeriss"), caches = accel_of("cache_twin");
    assert_int_equal(sl_lines_n(&accel), 0);
    assert_int_equal(sl_lines_n(&caches), 2 * PER_LEVEL);
    caches.levels[1].line_bytes = 0;
    assert_int_equal(sl_lines_n(&caches), PER_LEVEL);
}

static void what_fits_is_fetched_once(void **state) {
    (void)state;
    SlAccel accel = caches_of(1 << 20, 1 << 20);
    float out[ROOM];
    see("conv:K=4,C=4,P=8,Q=8,R=3,S=3", &accel, "@7 @7 P:1 K:1 R:1 Q:1 C:1 S:1", out);
    for (int i = 0; i < 2 * PER_LEVEL; i++) assert_true(out[i] == 0);
}

// 64 x 64 words of inputs and outputs are 16 words to the line. A cache of four lines holds what
// neighbours along a row share; down a column every word is in a line of its own.
static void columns_fetch_a_line_per_word(void **state) {
    (void)state;
    SlAccel accel = caches_of(1 << 20, 4 * 64);
    float rows[ROOM], columns[ROOM];
    see("conv:P=64,Q=64", &accel, "@7 @7 P:1 Q:1", rows);
    see("conv:P=64,Q=64", &accel, "@7 @7 Q:1 P:1", columns);
    double more = exp(2 * (double)(columns[PER_LEVEL + SL_I] - rows[PER_LEVEL + SL_I]));
    assert_true(more > 10 && more < 17);
    for (int i = 0; i < PER_LEVEL; i++)
        assert_true(rows[i] == columns[i]); // the outer one holds all
}

// a product whose weights (64 KiB) do not fit into 16 KiB: every row of inputs fetches them again
static void a_loop_around_what_does_not_fit_fetches_it_again(void **state) {
    (void)state;
    SlAccel accel = caches_of(1 << 20, 16 << 10);
    float out[ROOM];
    see("conv:K=128,C=128,P=32,Q=1", &accel, "@7 @7 P:1 K:1 C:1", out);
    assert_float_equal(exp(2 * (double)out[PER_LEVEL + SL_W]), 32, 0.5);
}

static void random_nests_have_finite_numbers(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 4, "lines");
    for (int i = 0; i < 5000; i++) {
        SlLayer layer;
        SlMapping mapping;
        SlAccel accel = accel_of("cache_twin");
        float out[ROOM];
        layer_sample(&rng, &layer);
        do nest_sample(&rng, &layer, &mapping);
        while (mapping.n_boundaries != accel.n_levels - 1);
        for (int k = 0; k < ROOM; k++) out[k] = 12345;
        sl_mapping_lines(&layer, &accel, &mapping, out);
        for (int k = 0; k < 2 * PER_LEVEL; k++) assert_true(isfinite(out[k]) && fabsf(out[k]) < 12);
        assert_true(out[2 * PER_LEVEL] == 12345);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_without_line_sizes_have_none),
        cmocka_unit_test(what_fits_is_fetched_once),
        cmocka_unit_test(columns_fetch_a_line_per_word),
        cmocka_unit_test(a_loop_around_what_does_not_fit_fetches_it_again),
        cmocka_unit_test(random_nests_have_finite_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
