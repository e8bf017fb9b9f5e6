// test_maestro_examples.c - small mappings worked out by hand, with what MAESTRO prints of them.
#include "maestro_run.h"
#include "support/check.h"

#define EXACT_FIT                                                                                  \
    MAESTRO_FILE("CONV", "K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4",                                     \
                 "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; TemporalMap(1,1) S; " \
                 "TemporalMap(4,4) Y; TemporalMap(4,4) X;")

static void one_level_that_fits_exactly(void **state) {
    (void)state;
    maestro_expect_one(
        EXACT_FIT, maestro_machine(4, 1, 8, 1000),
        "runtime 35, macs 128, throughput 3.65714, energy 1.1036, l2 168, l1 66, area 80073.4, "
        "power 7.27988, peak 4, avg_bw 4, offchip 4, input 128/32/32/32, filter 128/8/8/8, "
        "output 128/128/64/128, ingress 3/3/3, egress 8/8/8, compute 16/16/16, active 4, "
        "intensity 3.2, screen 6117.28");
}

static void more_pes_than_tiles(void **state) {
    (void)state;
    maestro_expect_one(
        EXACT_FIT, maestro_machine(7, 1, 8, 1000),
        "runtime 35, macs 128, output_l2wr 96, l2 136, energy 0.966626, peak 3, offchip 3, "
        "active 4, area 140199, power 11.801");
}

static void a_halo_in_time(void **state) {
    (void)state;
    maestro_expect_one(
        MAESTRO_FILE("CONV", "K: 2, C: 1, R: 1, S: 3, Y: 1, X: 8",
                     "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "
                     "TemporalMap(3,3) S; TemporalMap(1,1) Y; TemporalMap(4,2) X;"),
        maestro_machine(2, 1, 2, 1000),
        "runtime 23, macs 36, energy 0.232263, l2 28, l1 22, input_l2rd 8, filter_l2rd 6, "
        "output_l2rd 12/12, avg_bw 0.666667, ingress 1/5/2, intensity 6");
}

static void a_halo_in_space(void **state) {
    (void)state;
    maestro_expect_one(
        MAESTRO_FILE("CONV", "K: 2, C: 1, R: 1, S: 3, Y: 1, X: 9",
                     "TemporalMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "
                     "TemporalMap(3,3) S; TemporalMap(1,1) Y; SpatialMap(3,1) X;"),
        maestro_machine(4, 1, 2, 1000),
        "runtime 20, macs 42, input_l2rd 22, filter_l2rd 6, output_l2wr 14, energy 0.319711, "
        "l2 38, l1 18, offchip 5, avg_bw 2, active 3.5, intensity 1.8");
}

#define TWO_LEVELS(name)                                                                           \
    "Layer " name " { Type: CONV Dimensions { K: 5, C: 6, R: 3, S: 3, Y: 5, X: 5 } Dataflow { "    \
    "SpatialMap(1,1) K; TemporalMap(4,4) C; TemporalMap(3,3) R; TemporalMap(3,3) S; "              \
    "TemporalMap(3,1) Y; TemporalMap(3,1) X; Cluster(2,P); SpatialMap(1,1) C; "                    \
    "TemporalMap(1,1) K; TemporalMap(3,3) R; TemporalMap(3,3) S; TemporalMap(3,3) Y; "             \
    "TemporalMap(3,3) X; } } "

static void two_levels_with_a_reduction_inside(void **state) {
    (void)state;
    maestro_expect_one(
        "Network net { " TWO_LEVELS("l") "}", maestro_machine(4, 1, 16, 50),
        "runtime 898, macs 2430, energy 8.0384, throughput 2.70601, l2 220, l1 54, peak 9, "
        "avg_bw 1.61111, offchip 5, input 2430/1008/1008/150, filter 2430/360/360/270, "
        "output 2430/2430/45/90, ingress 1/7/1, egress 1/1/1, compute 12/21/16, "
        "active 3.33333, intensity 6, area 151365, power 7.85395, screen 56844.9");
}

static void a_stride_of_two(void **state) {
    (void)state;
    maestro_expect_one(
        "Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
        "Dimensions { K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7 } Dataflow { "
        "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; TemporalMap(3,3) S; "
        "TemporalMap(3,1) Y; TemporalMap(5,2) X; } } }",
        maestro_machine(2, 1, 4, 1000),
        "runtime 117, macs 216, energy 1.18536, input_l2rd 81, output_l2wr 24, output_l2rd 50, "
        "l1 78, l2 78, offchip 3");
}

static void a_matrix_product_with_two_lanes(void **state) {
    (void)state;
    maestro_expect_one(
        MAESTRO_FILE("GEMM", "M: 4, N: 6, K: 8",
                     "SpatialMap(1,1) M; TemporalMap(3,3) N; TemporalMap(4,4) K;"),
        maestro_machine(4, 2, 4, 1000),
        "runtime 33, macs 192, energy 1.29264, l2 80, l1 38, peak 4, avg_bw 3.5, "
        "input_l2rd 48, filter_l2rd 48, output_l2wr 48, area 45539.3, power 11.1989");
}

static void a_map_that_is_larger_than_its_dim(void **state) {
    (void)state;
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 4, N: 6, K: 8",
                                    "SpatialMap(1,1) M; TemporalMap(8,2) N; TemporalMap(4,4) K;"),
                       maestro_machine(4, 1, 4, 1000),
                       "runtime 40, macs 128, energy 0.975899, l2 96, l1 88, filter_l2rd 32/48");
}

static void a_partial_last_sub_cluster(void **state) {
    (void)state;
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 11, N: 1, K: 2",
                                    "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
                       maestro_machine(2, 1, 4, 1000),
                       "runtime 14, macs 16, active 1.5, output_l2wr 8");
}

static void a_layer_twice_in_a_file(void **state) {
    (void)state;
    MaestroRun run;
    SlMaestroHardware hardware = maestro_machine(4, 1, 16, 50);
    maestro_must_run(&run, "Network net { " TWO_LEVELS("a") TWO_LEVELS("b") "}", &hardware);
    maestro_expect(&run, 0, "name a, runtime 898, energy 8.0384, screen 56844.9");
    maestro_expect(&run, 1, "name b, runtime 898, energy 12.3228, screen 56844.9");
    maestro_end(&run);
}

static void a_mapping_that_computes_nothing(void **state) {
    (void)state;
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 2, C: 1, R: 3, S: 1, Y: 6, X: 2",
                                    "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; "
                                    "TemporalMap(1,1) S; TemporalMap(2,2) Y; TemporalMap(1,1) X;"),
                       maestro_machine(2, 1, 4, 1000),
                       "runtime 0, macs 0, throughput -nan, l2 28, l1 44, energy 0.0770454, "
                       "ingress -9223372036854775808/0/-9223372036854775808, "
                       "egress -9223372036854775808/0/-9223372036854775808, "
                       "compute -9223372036854775808/0/-9223372036854775808");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_level_that_fits_exactly),
        cmocka_unit_test(more_pes_than_tiles),
        cmocka_unit_test(a_halo_in_time),
        cmocka_unit_test(a_halo_in_space),
        cmocka_unit_test(two_levels_with_a_reduction_inside),
        cmocka_unit_test(a_stride_of_two),
        cmocka_unit_test(a_matrix_product_with_two_lanes),
        cmocka_unit_test(a_map_that_is_larger_than_its_dim),
        cmocka_unit_test(a_partial_last_sub_cluster),
        cmocka_unit_test(a_layer_twice_in_a_file),
        cmocka_unit_test(a_mapping_that_computes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
