// test_maestro_guard.c - the strict guard: which of MAESTRO's results are refused, and by how much.
#include "maestro_run.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

// The only layer of a text, guarded with the nest that it stands for.
static SlMaestroGuard guard_of(const char *text, SlMaestroHardware hardware) {
    MaestroRun run;
    SlMaestroGuard guard;
    SlLayer layer;
    SlMapping nest;
    maestro_must_run(&run, text, &hardware);
    assert_null(sl_maestro_layer(run.net.layers, &layer));
    const char *none =
        sl_maestro_nest(run.net.layers, run.net.mappings, hardware.num_pes, &layer, &nest);
    bool accepted = sl_maestro_guard(run.net.layers, run.net.mappings, &hardware, run.costs, &layer,
                                     none ? NULL : &nest, &guard);
    assert_int_equal(accepted, guard.broken == 0);
    maestro_end(&run);
    return guard;
}

static void expect_text(const SlMaestroGuard *guard, SlGuardRule rule, const char *text) {
    char line[128];
    assert_string_equal(sl_maestro_guard_text(guard, rule, sizeof line, line), text);
}

static void lost_macs_are_refused(void **state) {
    (void)state;
    // a partial last sub-cluster is lost; the time alone would pass
    SlMaestroGuard guard =
        guard_of(MAESTRO_FILE("GEMM", "M: 11, N: 1, K: 2",
                              "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
                 maestro_machine(2, 1, 4, 1000));
    assert_int_equal(guard.broken, SL_GUARD_MACS);
    assert_true(guard.macs == 16 && guard.macs_expected == 22);
    assert_true(guard.cycles == 14 && guard.cycles_least == 12);
    assert_true(guard.excess == log(22.0 / 16));
    expect_text(&guard, SL_GUARD_MACS, "6 of 22 MACs are missing");
}

static void macs_that_are_counted_twice_are_refused(void **state) {
    (void)state;
    SlMaestroGuard guard =
        guard_of(MAESTRO_FILE("CONV", "K: 1, C: 1, R: 3, S: 1, Y: 7, X: 1",
                              "TemporalMap(1,1) K; TemporalMap(3,3) R; SpatialMap(3,1) Y;"),
                 maestro_machine(4, 1, 4, 1000));
    assert_int_equal(guard.broken, SL_GUARD_MACS);
    expect_text(&guard, SL_GUARD_MACS, "6 of 15 MACs are too many");
}

// The second layer of VGG16 without padding, as GAMMA writes its mappings.
#define VGG16_2(outer, inner)                                                                      \
    MAESTRO_FILE("CONV", "K: 64, C: 64, Y: 224, X: 224, R: 3, S: 3", outer inner)

// "192 cycles": found by GAMMA as the fastest mapping, with neither rule
static const char too_good[] =
    VGG16_2("SpatialMap(3,3) C; TemporalMap(3,3) R; TemporalMap(36,36) K; TemporalMap(223,223) Y'; "
            "TemporalMap(3,3) S; TemporalMap(223,223) X'; Cluster(7,P); ",
            "TemporalMap(3,3) S; TemporalMap(1,1) Y'; TemporalMap(1,1) X'; SpatialMap(5,5) K; "
            "TemporalMap(1,1) C; TemporalMap(3,3) R;");
// what it finds with them
static const char honest[] =
    VGG16_2("TemporalMap(64,64) K; TemporalMap(32,32) Y'; TemporalMap(3,3) S; "
            "TemporalMap(3,3) X'; SpatialMap(2,2) C; TemporalMap(3,3) R; Cluster(5,P); ",
            "TemporalMap(3,3) R; SpatialMap(1,1) K; TemporalMap(3,3) S; TemporalMap(2,2) X'; "
            "TemporalMap(2,2) C; TemporalMap(2,2) Y';");

static SlMaestroHardware machine_168(int l1_bytes, int l2_bytes) {
    SlMaestroHardware hardware = maestro_machine(168, 1, 81920000, 70000);
    hardware.l1_bytes = l1_bytes;
    hardware.l2_bytes = l2_bytes;
    return hardware;
}

static void results_faster_than_computing_are_refused(void **state) {
    (void)state;
    SlMaestroGuard guard = guard_of(too_good, machine_168(512, 108000));
    assert_int_equal(guard.broken, SL_GUARD_MACS | SL_GUARD_RUNTIME);
    assert_true(guard.cycles == 192);
    // K in steps of 36 and 28, five per PE and one more: 9 x 3 x 222 x 222 x (6 + 5)
    assert_true(guard.cycles_least == 9.0 * 3 * 222 * 222 * 11);
    assert_true(guard.macs_expected == 64.0 * 64 * 222 * 222 * 9);
    expect_text(&guard, SL_GUARD_RUNTIME, "192 cycles, but computing alone takes 14,637,348");
}

static void a_physical_result_is_accepted(void **state) {
    (void)state;
    SlMaestroGuard guard = guard_of(honest, machine_168(512, 108000));
    assert_int_equal(guard.broken, 0);
    assert_true(guard.excess == 0);
    assert_true(guard.cycles == 11532975 && guard.cycles_least == 11532456);
    assert_true(guard.macs == guard.macs_expected);
}

static void buffers_that_are_too_small_are_refused(void **state) {
    (void)state;
    assert_int_equal(guard_of(honest, machine_168(132, 107776)).broken, 0);
    SlMaestroGuard guard = guard_of(honest, machine_168(131, 107776));
    assert_int_equal(guard.broken, SL_GUARD_L1);
    expect_text(&guard, SL_GUARD_L1, "L1 needs 132 B, has 131");
    guard = guard_of(honest, machine_168(132, 53888));
    assert_int_equal(guard.broken, SL_GUARD_L2);
    assert_true(guard.excess == log(2));
    expect_text(&guard, SL_GUARD_L2, "L2 needs 107,776 B, has 53,888");
}

#define STRIDE_2(y, x)                                                                             \
    "Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "                                    \
    "Dimensions { K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7 } Dataflow { "                                \
    "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; TemporalMap(3,3) S; "              \
    "TemporalMap(" y ") Y; TemporalMap(" x ") X; } } }"

static void strided_layers_are_measured_at_stride_1_inside_a_tile(void **state) {
    (void)state;
    SlMaestroHardware hardware = maestro_machine(2, 1, 4, 1000);
    // tiles of one output: the layer itself, 2 x 3 x 3 outputs of 9 MACs
    SlMaestroGuard guard = guard_of(STRIDE_2("3,2", "3,2"), hardware);
    assert_int_equal(guard.broken, 0);
    assert_true(guard.macs_expected == 162);
    // two outputs are three positions: 3 rows, 3 + 1 columns
    guard = guard_of(STRIDE_2("3,1", "5,2"), hardware);
    assert_int_equal(guard.broken, 0);
    assert_true(guard.macs_expected == 2 * 9 * 3 * 4);
    // all in one tile: 5 x 5 positions
    guard = guard_of(STRIDE_2("7,7", "7,7"), hardware);
    assert_int_equal(guard.broken, 0);
    assert_true(guard.macs_expected == 2 * 9 * 25);
}

// MAESTRO counts MACs at level 0 alone
static void what_levels_inside_cut_is_not_counted_again(void **state) {
    (void)state;
    SlMaestroGuard guard =
        guard_of("Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
                 "Dimensions { K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7 } Dataflow { "
                 "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; TemporalMap(3,3) S; "
                 "TemporalMap(5,4) Y; TemporalMap(7,7) X; Cluster(1, P); "
                 "SpatialMap(1,1) C; TemporalMap(3,3) R; TemporalMap(3,3) S; "
                 "TemporalMap(3,2) Y; TemporalMap(3,2) X; } } }",
                 maestro_machine(2, 1, 4, 1000));
    assert_false(guard.broken & SL_GUARD_MACS);
    // rows: three positions and one; columns: five
    assert_true(guard.macs_expected == 2 * 9 * (3 + 1) * 5);
}

static void the_gaps_of_a_strided_pointwise_layer_are_refused(void **state) {
    (void)state;
    SlMaestroGuard guard =
        guard_of("Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
                 "Dimensions { K: 1, C: 1, R: 1, S: 1, Y: 1, X: 56 } Dataflow { "
                 "SpatialMap(1,1) K; TemporalMap(1,1) S; TemporalMap(9,9) X'; } } }",
                 maestro_machine(1, 1, 4, 1000));
    assert_true(guard.broken & SL_GUARD_MACS);
    assert_true(guard.macs == 86);
}

static void a_batch_that_is_coupled_to_nothing_is_missed(void **state) {
    (void)state;
    MaestroRun run;
    SlMaestroGuard guard;
    SlLayer layer;
    SlMaestroHardware hardware = maestro_machine(1, 1, 4, 1000);
#define BATCH(n) MAESTRO_LAYER("CONV", n "K: 1, C: 1, R: 1, S: 1, Y: 1, X: 3", "SpatialMap(1,1) K;")
    maestro_must_run(&run, "Network net { " BATCH("") BATCH("N: 4, ") "}", &hardware);
    for (int i = 0; i < 2; i++) {
        assert_null(sl_maestro_layer(&run.net.layers[i], &layer));
        sl_maestro_guard(&run.net.layers[i], &run.net.mappings[i], &hardware, &run.costs[i], &layer,
                         NULL, &guard);
        assert_int_equal(guard.broken, i == 0 ? 0 : SL_GUARD_MACS);
        assert_true(guard.macs_expected == (i == 0 ? 3 : 12));
    }
    maestro_end(&run);
}

#define COLUMNS(n)                                                                                 \
    MAESTRO_FILE("GEMM", "M: 4, N: 6, K: 8",                                                       \
                 "SpatialMap(1,1) M; TemporalMap(" n ") N; TemporalMap(4,4) K;")

static void the_least_time_is_shared_by_the_lanes(void **state) {
    (void)state;
    SlMaestroGuard guard = guard_of(COLUMNS("3,3"), maestro_machine(4, 2, 4, 1000));
    assert_int_equal(guard.broken, 0);
    assert_true(guard.cycles == 33 && guard.cycles_least == 24);
}

static void without_a_nest_the_least_time_is_that_of_busy_pes(void **state) {
    (void)state;
    // the steps of 3 overlap by one
    SlMaestroGuard guard = guard_of(COLUMNS("3,2"), maestro_machine(4, 1, 4, 1000));
    assert_true(guard.cycles_least == 192 / 4);
    assert_true(guard.broken & SL_GUARD_MACS);
}

static void a_result_of_nothing_breaks_every_rule_by_a_finite_amount(void **state) {
    (void)state;
    SlMaestroGuard guard = guard_of(COLUMNS("8,6"), maestro_machine(4, 1, 4, 1000));
    assert_true(guard.macs == 0 && guard.cycles == 0);
    assert_int_equal(guard.broken & 3, SL_GUARD_MACS | SL_GUARD_RUNTIME);
    assert_true(guard.excess == 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_macs_are_refused),
        cmocka_unit_test(macs_that_are_counted_twice_are_refused),
        cmocka_unit_test(results_faster_than_computing_are_refused),
        cmocka_unit_test(a_physical_result_is_accepted),
        cmocka_unit_test(buffers_that_are_too_small_are_refused),
        cmocka_unit_test(strided_layers_are_measured_at_stride_1_inside_a_tile),
        cmocka_unit_test(what_levels_inside_cut_is_not_counted_again),
        cmocka_unit_test(the_gaps_of_a_strided_pointwise_layer_are_refused),
        cmocka_unit_test(a_batch_that_is_coupled_to_nothing_is_missed),
        cmocka_unit_test(the_least_time_is_shared_by_the_lanes),
        cmocka_unit_test(without_a_nest_the_least_time_is_that_of_busy_pes),
        cmocka_unit_test(a_result_of_nothing_breaks_every_rule_by_a_finite_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
