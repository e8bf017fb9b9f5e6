// test_no_alloc_release.c - pricing allocates nothing: every malloc of the process is counted.
//
// The optimised build, without sanitizers, because the allocator itself is replaced.
#include <stdlib.h>

#include "maestro_run.h"
#include "random_accel.h"
#include "support/check.h"

static long n_allocations; // of the whole process since the start

#if defined(__GLIBC__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// our definitions come before those of the C library, for the library under test as well
void *malloc(size_t size) {
    n_allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    n_allocations++;
    return __libc_calloc(n, size);
}

void *realloc(void *block, size_t size) {
    n_allocations++;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    n_allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    n_allocations++;
    *block = __libc_memalign(alignment, size);
    return *block == NULL;
}
#endif

enum { N_CASES = 5000 };

static void an_allocation_is_counted(void **state) {
    (void)state;
#if !defined(__GLIBC__)
    skip();
#endif
    long before = n_allocations;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_non_null(SL_NEW(&arena, 100, double));
    assert_true(n_allocations > before);
    sl_arena_free(&arena);
}

static void counting_pricing_and_explaining_any_nest_allocate_nothing(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "no allocation");
    for (int i = 0; i < N_CASES; i++) {
        Case c;
        SlAccel accel;
        SlCost cost;
        SlCounts counts;
        SlFloor bottom;
        SlBreakdown parts;
        priced_case_sample(&rng, 100000, &c, &accel);
        long before = n_allocations;
        sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
        sl_cost_eval(&c.layer, &accel, &c.mapping, &cost);
        sl_cost_explain(&accel, &c.mapping, &cost, &parts);
        sl_floor_eval(&c.layer, &accel, &bottom);
        assert_int_equal(n_allocations, before);
    }
}

// every kind of move once, in the order and with the tiles that the nest has anyway or others
static void move_and_eval(SlPricer *pricer, const SlMapping *mapping, const int64_t *dims) {
    uint8_t order[SL_MAX_LOOPS];
    int n = 0;
    SlCost cost;
    sl_pricer_set_nest(pricer, mapping);
    sl_pricer_eval(pricer, &cost);
    for (int i = 0; i < mapping->n_loops; i++) {
        if (!mapping->loops[i].spatial) order[n++] = mapping->loops[i].dim;
    }
    sl_pricer_set_order(pricer, order);
    sl_pricer_eval(pricer, &cost);
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t tiles[SL_MAX_LOOPS];
        int left = 0;
        for (int i = 0; i < mapping->n_loops; i++) left += mapping->loops[i].dim == d;
        for (int i = 0; i < left; i++) tiles[i] = i + 1 < left ? (dims[d] + i) / (i + 1) : 1;
        sl_pricer_set_tiles(pricer, (SlDim)d, tiles);
        sl_pricer_eval(pricer, &cost);
    }
}

static void the_search_path_allocates_nothing_after_it_is_made(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 2, "no allocation");
    for (int i = 0; i < N_CASES / 10; i++) {
        Case c;
        SlAccel accel;
        SlArena arena;
        priced_case_sample(&rng, 100000, &c, &accel);
        sl_arena_init(&arena, 0);
        SlPricer *pricer = sl_pricer_make(&c.layer, &accel, &arena);
        assert_non_null(pricer);
        long before = n_allocations;
        move_and_eval(pricer, &c.mapping, c.layer.dims);
        assert_int_equal(n_allocations, before);
        sl_arena_free(&arena);
    }
}

// two levels with edges everywhere, and one that is refused in the middle of the analysis
static void maestros_model_and_its_guard_allocate_nothing(void **state) {
    (void)state;
    static const char text[] = "Network net { " MAESTRO_LAYER(
        "CONV", "K: 50, C: 30, R: 3, S: 3, Y: 30, X: 30",
        "SpatialMap(4,4) K; TemporalMap(7,7) C; TemporalMap(5,5) Y'; TemporalMap(6,6) X'; "
        "TemporalMap(3,3) R; TemporalMap(3,3) S; Cluster(6,P); SpatialMap(2,2) X'; "
        "TemporalMap(3,3) K; TemporalMap(2,2) C; TemporalMap(2,2) Y'; TemporalMap(3,3) R; "
        "TemporalMap(3,3) S;")
        MAESTRO_LAYER(
            "CONV", "K: 4, C: 3, R: 1, S: 1, Y: 13, X: 1",
            "SpatialMap(2,2) K; TemporalMap(2,4) C; Cluster(1,P); SpatialMap(1,1) K;") "}";
    MaestroRun run;
    SlMaestroHardware hardware = maestro_machine(32, 1, 16, 1000);
    maestro_run(&run, text, &hardware);
    assert_int_equal(run.fault.kind, SL_FAULT_NOTHING_NEW);
    SlLayer layer;
    assert_null(sl_maestro_layer(run.net.layers, &layer));
    long before = n_allocations;
    for (int i = 0; i < run.net.n_layers; i++) {
        SlMaestroGuard guard;
        bool priced = sl_maestro_eval(&run.net.layers[i], &run.net.mappings[i], &hardware, NULL,
                                      &run.costs[i], &run.fault);
        if (priced)
            sl_maestro_guard(&run.net.layers[i], &run.net.mappings[i], &hardware, &run.costs[i],
                             &layer, NULL, &guard);
    }
    assert_int_equal(n_allocations, before);
    maestro_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_is_counted),
        cmocka_unit_test(counting_pricing_and_explaining_any_nest_allocate_nothing),
        cmocka_unit_test(the_search_path_allocates_nothing_after_it_is_made),
        cmocka_unit_test(maestros_model_and_its_guard_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
