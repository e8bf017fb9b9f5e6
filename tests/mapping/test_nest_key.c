// test_nest_key.c - nests with one key cost the same to the last bit; others have other keys.
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "nest_cases.h"
#include "starling/cost.h"

static SlCost price(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping) {
    SlCost cost;
    memset(&cost, 0, sizeof cost);
    sl_cost_eval(layer, accel, mapping, &cost);
    return cost;
}

// the key of a nest text
static uint64_t key_of(const SlLayer *layer, const char *text) {
    SlMapping mapping = nest_of(text);
    assert_null(sl_mapping_check(layer, &mapping));
    return sl_mapping_key(layer, &mapping);
}

// a nest with as many boundaries as the accelerator has levels on chip
static void matching_sample(SlRng *rng, const SlLayer *layer, const SlAccel *accel,
                            SlMapping *mapping) {
    do nest_sample(rng, layer, mapping);
    while (mapping->n_boundaries != accel->n_levels - 1);
}

// ---- other nests of the same key

static void insert(SlMapping *mapping, int at, SlLoop loop) {
    if (mapping->n_loops == SL_MAX_LOOPS) return;
    memmove(&mapping->loops[at + 1], &mapping->loops[at],
            (size_t)(mapping->n_loops - at) * sizeof loop);
    mapping->loops[at] = loop;
    mapping->n_loops++;
    for (int b = 0; b < mapping->n_boundaries; b++) mapping->at[b] += mapping->at[b] > at;
}

static bool is_boundary(const SlMapping *mapping, int i) {
    for (int b = 0; b < mapping->n_boundaries; b++)
        if (mapping->at[b] == i) return true;
    return false;
}

// swap neighbours where that changes nothing: a spatial loop with one over another dim, or any two
// over different dims inside the innermost level
static void shuffle(SlRng *rng, SlMapping *mapping) {
    int inside = mapping->at[mapping->n_boundaries - 1];
    for (int k = 0; k < 100 && mapping->n_loops > 1; k++) {
        int i = (int)sl_rng_below(rng, (uint64_t)mapping->n_loops - 1);
        SlLoop *a = &mapping->loops[i], *b = a + 1, kept = *a;
        if (a->dim == b->dim || is_boundary(mapping, i + 1)) continue;
        if (!a->spatial && !b->spatial && i < inside) continue;
        *a = *b;
        *b = kept;
    }
}

static void vary(SlRng *rng, const SlLayer *layer, SlMapping *mapping) {
    for (int k = 0; k < 3; k++) {
        // a loop that never iterates
        int at = (int)sl_rng_range(rng, 0, mapping->n_loops), d = (int)sl_rng_below(rng, SL_N_DIMS);
        int64_t extent = layer->dims[d];
        for (int i = 0; i < at; i++)
            if (mapping->loops[i].dim == d && mapping->loops[i].tile < extent)
                extent = mapping->loops[i].tile;
        bool last = true;
        for (int i = at; i < mapping->n_loops; i++) last = last && mapping->loops[i].dim != d;
        int64_t more = last ? 0 : (int64_t)sl_rng_below(rng, 3);
        insert(mapping, at, (SlLoop){extent + more, (uint8_t)d, sl_rng_below(rng, 2)});
    }
    shuffle(rng, mapping);
    assert_null(sl_mapping_check(layer, mapping));
}

static void equivalent_nests_share_key_and_cost(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "equivalent nests");
    for (int i = 0; i < 20000; i++) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping, other;
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        matching_sample(&rng, &layer, &accel, &mapping);
        other = mapping;
        vary(&rng, &layer, &other);
        assert_int_equal(sl_mapping_key(&layer, &mapping), sl_mapping_key(&layer, &other));
        SlCost a = price(&layer, &accel, &mapping), b = price(&layer, &accel, &other);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

// ---- keys of a crowd of small nests, in which many coincide

typedef struct {
    uint64_t key;
    SlCost cost;
} Priced;

static int by_key(const void *a, const void *b) {
    uint64_t x = ((const Priced *)a)->key, y = ((const Priced *)b)->key;
    return (x > y) - (x < y);
}

// a nest of few short loops over few dims
static void small_sample(SlRng *rng, const SlLayer *layer, SlMapping *mapping) {
    do nest_sample(rng, layer, mapping);
    while (mapping->n_boundaries != 2 || mapping->n_loops > 7);
    mapping->keep[0] = mapping->keep[1] = SL_KEEP_ALL;
}

// equal keys have equal costs, so different costs have different keys
static void nests_of_one_key_cost_the_same_in_a_crowd(void **state) {
    (void)state;
    enum { CROWD = 20000 };
    static const char *const layers[] = {"conv:K=5,C=3,R=2", "conv:P=5,R=3,K=2",
                                         "conv:N=2,G=3,Q=4,S=2,stride=2", "conv:K=23,C=2"};
    Priced *crowd = malloc(CROWD * sizeof *crowd);
    SlAccel accel = accel_of("golden");
    SlRng rng;
    sl_rng_init(&rng, 2, "crowd");
    assert_non_null(crowd);
    for (int k = 0; k < 4; k++) {
        SlLayer layer = layer_of(layers[k]);
        for (int i = 0; i < CROWD; i++) {
            SlMapping mapping;
            small_sample(&rng, &layer, &mapping);
            crowd[i] = (Priced){sl_mapping_key(&layer, &mapping), price(&layer, &accel, &mapping)};
        }
        qsort(crowd, CROWD, sizeof *crowd, by_key);
        int n_shared = 0;
        for (int i = 1; i < CROWD; i++) {
            if (crowd[i].key != crowd[i - 1].key) continue;
            assert_memory_equal(&crowd[i].cost, &crowd[i - 1].cost, sizeof(SlCost));
            n_shared++;
        }
        assert_true(n_shared > CROWD / 10);
    }
    free(crowd);
}

// ---- what does count

static void expect_keys(const char *layer_text, const char *a, const char *b, bool same) {
    SlLayer layer = layer_of(layer_text);
    if ((key_of(&layer, a) == key_of(&layer, b)) != same)
        fail_msg("%s and %s: keys must %s", a, b, same ? "be equal" : "differ");
}

static void order_tiles_places_and_kept_tensors_count(void **state) {
    (void)state;
    const char *layer = "conv:K=8,C=6,P=4";
    const char *nest = "K:4 C:3 @7 K*2 P:1 @7 K:1 C:1";
    expect_keys(layer, nest, "C:3 K:4 @7 K*2 P:1 @7 K:1 C:1", false);
    expect_keys(layer, nest, "K:4 C:2 @7 K*2 P:1 @7 K:1 C:1", false);
    expect_keys(layer, nest, "K:4 C:3 @5 K*2 P:1 @7 K:1 C:1", false);
    expect_keys(layer, nest, "K:4 C:3 @7 K:2 P:1 @7 K:1 C:1", false);
    expect_keys(layer, nest, "K:4 C:3 P:1 @7 K*2 @7 K:1 C:1", false);
    expect_keys(layer, "K:4 @7 K*2 K:1 @7 C:1 P:1", "K:4 @7 K:2 K*1 @7 C:1 P:1", false);
    expect_keys(layer, "@7 K:4 @7 K*2 K:1 C:1 P:1", "@7 K:4 @7 K:2 K*1 C:1 P:1", false);
    expect_keys(layer, "@7 @7 K:5 K:3 K*1 C:1 P:1", "@7 @7 K:3 K*1 C:1 P:1", false);
    expect_keys(layer, "K:1 @7 @7 C:1 P:1", "@7 K:1 @7 C:1 P:1", false);
}

static void what_never_matters_does_not_count(void **state) {
    (void)state;
    const char *layer = "conv:K=8,C=6,P=4";
    const char *nest = "K:4 C:3 @7 K*2 P:1 @7 K:1 C:1";
    expect_keys(layer, nest, "K:4 K:4 C:3 P:4 @7 K*2 P:1 @7 K:1 C:1", true);
    expect_keys(layer, nest, "K:4 C:3 @7 P:1 K*2 @7 C:1 K:1", true);
    expect_keys(layer, "@7 P*2 K*2 @7 P:1 K:1 C:1", "@7 K*2 P*2 @7 K:1 C:4 P:1 C:1", true);
    expect_keys(layer, "@7 @7 P:3 C:1 P*1 K:1", "@7 @7 K:1 P:3 P*1 C:1", true);
    expect_keys(layer, "@7 @7 K:5 K:3 C:1 P:1 K:1", "@7 @7 P:1 K:1 C:1", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equivalent_nests_share_key_and_cost),
        cmocka_unit_test(nests_of_one_key_cost_the_same_in_a_crowd),
        cmocka_unit_test(order_tiles_places_and_kept_tensors_count),
        cmocka_unit_test(what_never_matters_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
