// test_maestro_quirks.c - MAESTRO's ways that look like mistakes, 1 to 12 of docs/maestro.md: each
// has a test that fails once it is mended. Comments give the value that one would expect.
#include "maestro_run.h"
#include "support/check.h"

#include <stdio.h>

// Two levels: K over clusters, C reduced inside. 5 x 6 channels, 3 x 3 outputs and taps.
#define TWO_LEVELS                                                                                 \
    MAESTRO_LAYER("CONV", "K: 5, C: 6, R: 3, S: 3, Y: 5, X: 5",                                    \
                  "SpatialMap(1,1) K; TemporalMap(4,4) C; TemporalMap(3,3) R; "                    \
                  "TemporalMap(3,3) S; TemporalMap(3,1) Y; TemporalMap(3,1) X; Cluster(2,P); "     \
                  "SpatialMap(1,1) C; TemporalMap(1,1) K; TemporalMap(3,3) R; "                    \
                  "TemporalMap(3,3) S; TemporalMap(3,3) Y; TemporalMap(3,3) X;")
// One level: K over PEs, C step by step.
#define ONE_LEVEL                                                                                  \
    MAESTRO_LAYER("CONV", "K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4",                                    \
                  "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "                    \
                  "TemporalMap(1,1) S; TemporalMap(4,4) Y; TemporalMap(4,4) X;")

static void q01_the_energy_has_the_l1_accesses_of_the_layer_before(void **state) {
    (void)state;
    MaestroRun run;
    SlMaestroHardware hardware = maestro_machine(4, 1, 16, 50);
    maestro_must_run(&run, "Network net { " TWO_LEVELS TWO_LEVELS ONE_LEVEL TWO_LEVELS "}",
                     &hardware);
    // with its own L1 accesses 12.3228 everywhere
    maestro_expect(&run, 0, "energy 8.0384");
    maestro_expect(&run, 1, "energy 12.3228");
    // a single level prices its own
    maestro_expect(&run, 2, "energy 1.1036");
    // 8.0384 + 0.00023 * 1.68 * (4 * 128 + 32 + 8)
    maestro_expect(&run, 3, "energy 8.2517");
    maestro_end(&run);
}

static void q02_the_off_chip_bandwidth_is_halved_at_every_case(void **state) {
    (void)state;
    // 216 elements in 12 cycles: 18, or 9 if halved once; the last case has 21 cycles, 10 / 2
    maestro_expect_one("Network net { " TWO_LEVELS "}", maestro_machine(4, 1, 16, 50),
                       "compute 12/21, offchip 5");
}

static void q03_the_last_case_is_not_that_of_all_last_states(void **state) {
    (void)state;
    // the intensity is that of the last case: X steady, the rest at the start, 72 / 12. An odometer
    // would end with both edges, 18 / 12
    maestro_expect_one("Network net { " TWO_LEVELS "}", maestro_machine(4, 1, 16, 50),
                       "intensity 6");
}

static void q04_an_edge_in_time_is_loaded_as_a_full_tile(void **state) {
    (void)state;
    // five elements in tiles of four: 5 MACs, but 8 loaded of each instead of 5
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 1, N: 1, K: 5",
                                    "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(4,4) K;"),
                       maestro_machine(1, 1, 4, 1000), "macs 5, input_l2rd 8, filter_l2rd 8");
    // the same for two columns each, which turn faster: 8 and 16 instead of 5 and 10
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 1, N: 2, K: 5",
                                    "SpatialMap(1,1) M; TemporalMap(4,4) K; TemporalMap(1,1) N;"),
                       maestro_machine(1, 1, 4, 1000), "macs 10, input_l2rd 8, filter_l2rd 16");
}

#define HALO_IN_SPACE(width)                                                                       \
    MAESTRO_FILE("CONV", "K: 1, C: 1, R: 1, S: 3, Y: 1, X: " width,                                \
                 "TemporalMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "                    \
                 "TemporalMap(3,3) S; TemporalMap(1,1) Y; SpatialMap(3,1) X;")

static void q05_neighbours_share_no_halo_in_the_first_step(void **state) {
    (void)state;
    // four PEs with windows of 3 next to each other: 6 elements, not 12
    maestro_expect_one(HALO_IN_SPACE("6"), maestro_machine(4, 1, 2, 1000),
                       "macs 12, input_l2rd 12");
    // the three windows of the second step share: 3 + 1 + 1 more
    maestro_expect_one(HALO_IN_SPACE("9"), maestro_machine(4, 1, 2, 1000),
                       "macs 21, input_l2rd 17");
}

#define ROWS(m, pieces)                                                                            \
    MAESTRO_FILE("GEMM", "M: " m ", N: 1, K: 2",                                                   \
                 "SpatialMap(" pieces ") M; TemporalMap(1,1) N; TemporalMap(2,2) K;")

static void q06_a_partial_last_sub_cluster_of_a_spatial_edge_is_lost(void **state) {
    (void)state;
    // 6 rows, then 3 + 2, of which the 2 are counted and the 3 are not: 22 MACs were due
    maestro_expect_one(ROWS("11", "3,3"), maestro_machine(2, 1, 4, 1000),
                       "macs 16, active 1.5, output_l2wr 8");
    // nothing is lost without an edge in space, or where all is one step
    maestro_expect_one(ROWS("12", "3,3"), maestro_machine(2, 1, 4, 1000), "macs 24, active 2");
    maestro_expect_one(ROWS("11", "3,3"), maestro_machine(4, 1, 4, 1000), "macs 22, active 4");
}

static void q07_with_more_pes_than_tiles_the_last_one_sends_nothing(void **state) {
    (void)state;
    // 2 steps of 4 x 16 outputs: 128 with 4 PEs, and with 7
    maestro_expect_one("Network net { " ONE_LEVEL "}", maestro_machine(4, 1, 8, 1000),
                       "macs 128, output_l2wr 128");
    maestro_expect_one("Network net { " ONE_LEVEL "}", maestro_machine(7, 1, 8, 1000),
                       "macs 128, output_l2wr 96");
}

#define TOO_LARGE(pieces)                                                                          \
    MAESTRO_FILE("GEMM", "M: 4, N: 6, K: 8",                                                       \
                 "SpatialMap(1,1) M; TemporalMap(" pieces ") N; TemporalMap(4,4) K;")

static void q08_a_map_larger_than_its_dim_keeps_dim_minus_offset(void **state) {
    (void)state;
    // 192 MACs in all three: the map holds the whole dim
    maestro_expect_one(TOO_LARGE("8,2"), maestro_machine(4, 1, 4, 1000), "macs 128, l1 88");
    maestro_expect_one(TOO_LARGE("8,6"), maestro_machine(4, 1, 4, 1000), "macs 0, runtime 0");
    maestro_expect_one(TOO_LARGE("8,8"), maestro_machine(4, 1, 4, 1000), "macs 192");
}

static void q09_the_edge_of_steps_with_gaps_is_the_whole_dim(void **state) {
    (void)state;
    // 28 outputs: six tiles of 5 from stride 2 are 5 wide with steps of 10, the rest counts as 56
    maestro_expect_one("Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
                       "Dimensions { K: 1, C: 1, R: 1, S: 1, Y: 1, X: 56 } Dataflow { "
                       "SpatialMap(1,1) K; TemporalMap(1,1) S; TemporalMap(9,9) X'; } } }",
                       maestro_machine(1, 1, 4, 1000), "macs 86");
}

static void q10_outputs_of_strided_tiles_are_counted_at_stride_1(void **state) {
    (void)state;
    // 2 x 3 x 3 outputs: 162 MACs, and 18 outputs read back
    maestro_expect_one("Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
                       "Dimensions { K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7 } Dataflow { "
                       "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; "
                       "TemporalMap(3,3) S; TemporalMap(3,1) Y; TemporalMap(5,2) X; } } }",
                       maestro_machine(2, 1, 4, 1000), "macs 216, output_l2rd 50");
}

// 3 outputs of stride 2 in a column, by tiles of some
static int64_t input_bytes_of_tile(const char *map) {
    MaestroRun run;
    char text[512];
    SlMaestroHardware hardware = maestro_machine(1, 1, 4, 1000);
    snprintf(text, sizeof text,
             "Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
             "Dimensions { K: 1, C: 1, R: 3, S: 1, Y: 7, X: 1 } Dataflow { "
             "SpatialMap(1,1) K; TemporalMap(3,3) R; %s Y'; } } }",
             map);
    maestro_must_run(&run, text, &hardware);
    int64_t bytes = run.costs[0].l1_need[SL_I];
    maestro_end(&run);
    return bytes;
}

static void q11_a_map_of_outputs_counts_them_at_stride_1(void **state) {
    (void)state;
    // double buffered tiles of 1, 1 and 2 outputs; maps of 2 and 3 outputs would hold 5 and 7 rows
    assert_int_equal(input_bytes_of_tile("TemporalMap(1,1)"), 2 * 3);
    assert_int_equal(input_bytes_of_tile("TemporalMap(2,2)"), 2 * 3);
    assert_int_equal(input_bytes_of_tile("TemporalMap(3,3)"), 2 * 5);
}

static void q12_l1_holds_output_tiles_as_large_as_input_tiles(void **state) {
    (void)state;
    // windows of 4 with 3 taps make 2 outputs: 2 * (4 + 3 + 2) = 18
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 2, C: 1, R: 1, S: 3, Y: 1, X: 8",
                                    "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "
                                    "TemporalMap(3,3) S; TemporalMap(1,1) Y; TemporalMap(4,2) X;"),
                       maestro_machine(2, 1, 2, 1000), "l1 22");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q01_the_energy_has_the_l1_accesses_of_the_layer_before),
        cmocka_unit_test(q02_the_off_chip_bandwidth_is_halved_at_every_case),
        cmocka_unit_test(q03_the_last_case_is_not_that_of_all_last_states),
        cmocka_unit_test(q04_an_edge_in_time_is_loaded_as_a_full_tile),
        cmocka_unit_test(q05_neighbours_share_no_halo_in_the_first_step),
        cmocka_unit_test(q06_a_partial_last_sub_cluster_of_a_spatial_edge_is_lost),
        cmocka_unit_test(q07_with_more_pes_than_tiles_the_last_one_sends_nothing),
        cmocka_unit_test(q08_a_map_larger_than_its_dim_keeps_dim_minus_offset),
        cmocka_unit_test(q09_the_edge_of_steps_with_gaps_is_the_whole_dim),
        cmocka_unit_test(q10_outputs_of_strided_tiles_are_counted_at_stride_1),
        cmocka_unit_test(q11_a_map_of_outputs_counts_them_at_stride_1),
        cmocka_unit_test(q12_l1_holds_output_tiles_as_large_as_input_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
