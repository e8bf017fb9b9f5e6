// test_maestro_quirks_rest.c - MAESTRO's ways that look like mistakes, 13 to 24 of docs/maestro.md:
// each has a test that fails once it is mended. Comments give the value that one would expect.
#include "accel/maestro_text.h"
#include "maestro_run.h"
#include "support/check.h"

#include <stdio.h>

static void q13_outputs_of_a_spatial_edge_with_one_pe_are_counted_as_inputs(void **state) {
    (void)state;
    // five outputs over four PEs: the second step has 3 rows of inputs, so 3 outputs instead of 1:
    // 5 written and 15 MACs were due
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 1, C: 1, R: 3, S: 1, Y: 7, X: 1",
                                    "TemporalMap(1,1) K; TemporalMap(3,3) R; SpatialMap(3,1) Y;"),
                       maestro_machine(4, 1, 4, 1000), "output_l2wr 7, macs 21");
}

static void q14_inner_tiles_of_an_edge_keep_the_sizes_of_whole_ones(void **state) {
    (void)state;
    // 6 columns in tiles of 4 and 2, inside in tiles of 3: of 4 they leave 1, and so they do of 2.
    // Its one step takes 1 cycle to load and 1 to compute, where 2 columns take 2
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 1, N: 6, K: 1",
                                    "SpatialMap(1,1) M; TemporalMap(4,4) N; TemporalMap(1,1) K; "
                                    "Cluster(1,P); "
                                    "SpatialMap(1,1) M; TemporalMap(3,3) N; TemporalMap(1,1) K;"),
                       maestro_machine(1, 1, 8, 1000), "macs 6, compute 2/5");
}

static void q15_multicast_writes_every_l1_once(void **state) {
    (void)state;
    // 32 inputs go to four PEs each: 128 writes, and a multicast factor of 4
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4",
                                    "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "
                                    "TemporalMap(1,1) S; TemporalMap(4,4) Y; TemporalMap(4,4) X;"),
                       maestro_machine(4, 1, 8, 1000),
                       "input_l2rd 32, input_l1wr 32, input_cast 1");
}

static void q16_moving_nothing_takes_a_cycle_less_than_the_latency(void **state) {
    (void)state;
    // K is no dim of a depthwise layer: its step brings nothing, in 0 cycles
    static const char text[] = MAESTRO_FILE("DSCONV", "K: 2, C: 1, R: 1, S: 1, Y: 1, X: 1",
                                            "SpatialMap(1,1) C; TemporalMap(1,1) K;");
    SlMaestroHardware hardware = maestro_machine(1, 1, 4, 1000);
    maestro_expect_one(text, hardware, "ingress 0/1");
    hardware.noc_latency = 0;
    maestro_expect_one(text, hardware, "ingress -1/0");
}

static void q16_the_latency_is_0_from_the_command_line_and_1_from_a_file(void **state) {
    (void)state;
    SlMaestroHardware hardware;
    sl_maestro_hardware_init(&hardware);
    assert_int_equal(hardware.noc_latency, 0);
    assert_int_equal(sl_maestro_hardware_parse("h.m", "num_pes 4", 9, &hardware, NULL), SL_OK);
    assert_int_equal(hardware.noc_latency, 1);
}

static void q17_every_step_waits_for_the_off_chip_transfers_of_the_first(void **state) {
    (void)state;
    static const char text[] =
        MAESTRO_FILE("CONV", "K: 2, C: 1, R: 1, S: 3, Y: 1, X: 8",
                     "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(1,1) R; "
                     "TemporalMap(3,3) S; TemporalMap(1,1) Y; TemporalMap(4,2) X;");
    // first 4 inputs and 6 weights, then twice 2 inputs, which take less than the 6 cycles of
    // computation: 11 + 2 * 6 cycles with any bandwidth, not 11 + 2 * 10
    maestro_expect_one(text, maestro_machine(2, 1, 2, 1000), "runtime 23");
    maestro_expect_one(text, maestro_machine(2, 1, 2, 1), "runtime 31");
}

static void q18_buffers_add_up_over_leading_cases_that_compute_nothing(void **state) {
    (void)state;
    MaestroRun run;
    SlMaestroHardware hardware = maestro_machine(2, 1, 4, 1000);
    maestro_must_run(&run,
                     MAESTRO_FILE("CONV", "K: 2, C: 1, R: 3, S: 1, Y: 6, X: 2",
                                  "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(3,3) R; "
                                  "TemporalMap(1,1) S; TemporalMap(2,2) Y; TemporalMap(1,1) X;"),
                     &hardware);
    // tiles of 2 inputs and 3 weights, twice for double buffering, and four times for four cases
    assert_int_equal(run.costs[0].l2_need[SL_I], 4 * 4);
    assert_int_equal(run.costs[0].l1_need[SL_I], 4 * 4);
    assert_int_equal(run.costs[0].l1_need[SL_W], 4 * 6);
    assert_int_equal(run.costs[0].l1_need[SL_O], 4);
    maestro_end(&run);
}

static void q19_outputs_of_grouped_convolutions_have_their_input_channels(void **state) {
    (void)state;
    // one output of four channels
    maestro_expect_one(MAESTRO_FILE("NGCONV", "G: 1, K: 1, C: 4, R: 1, S: 1, Y: 1, X: 1",
                                    "SpatialMap(1,1) K; TemporalMap(4,4) C;"),
                       maestro_machine(1, 1, 4, 1000), "macs 4, output_l2rd 4/4");
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 1, C: 4, R: 1, S: 1, Y: 1, X: 1",
                                    "SpatialMap(1,1) K; TemporalMap(4,4) C;"),
                       maestro_machine(1, 1, 4, 1000), "macs 4, output_l2rd 1/1");
}

static void q19_transposed_convolutions_are_plain_ones(void **state) {
    (void)state;
    // 6 x 6 inputs transposed with 3 x 3 taps make 8 x 8 outputs, not 4 x 4
    maestro_expect_one(
        MAESTRO_FILE("TRCONV", "K: 1, C: 1, R: 3, S: 3, Y: 6, X: 6", "SpatialMap(1,1) K;"),
        maestro_machine(1, 1, 4, 1000), "macs 144, output_l2rd 16");
}

#define BATCH(n) MAESTRO_LAYER("CONV", n "K: 1, C: 1, R: 1, S: 1, Y: 1, X: 3", "SpatialMap(1,1) K;")

static void q20_the_first_layer_of_a_type_says_whether_n_counts(void **state) {
    (void)state;
    MaestroRun run;
    SlMaestroHardware hardware = maestro_machine(1, 1, 4, 1000);
    maestro_must_run(&run, "Network net { " BATCH("") BATCH("N: 4, ") "}", &hardware);
    maestro_expect(&run, 1, "macs 3, inputs 3"); // 12 were due
    maestro_end(&run);
    maestro_must_run(&run, "Network net { " BATCH("N: 4, ") "}", &hardware);
    maestro_expect(&run, 0, "macs 12, inputs 12");
    maestro_end(&run);
    // and then every layer must declare it
    maestro_run(&run, "Network net { " BATCH("N: 4, ") BATCH("") "}", &hardware);
    assert_int_equal(run.fault.kind, SL_FAULT_DIM_MISSING);
    maestro_end(&run);
}

// Two levels; what the inner one does not map it inherits. Y has stride 2 and is cut again inside.
// C has an edge that is larger than its tiles, so that it steps inside as well, and MAESTRO gives
// up if no other input dim steps behind it.
static SlMaestroFaultKind run_with(const char *inner, int64_t *runtime) {
    MaestroRun run;
    char text[512];
    SlMaestroHardware hardware = maestro_machine(2, 1, 1, 1000);
    snprintf(text, sizeof text,
             "Network net { Layer l { Type: CONV Stride { X: 2, Y: 2 } "
             "Dimensions { K: 4, C: 3, R: 1, S: 1, Y: 13, X: 1 } Dataflow { "
             "SpatialMap(2,2) K; TemporalMap(13,13) Y; TemporalMap(2,4) C; Cluster(1,P); %s } } }",
             inner);
    maestro_run(&run, text, &hardware);
    assert_true(run.parsed);
    SlMaestroFaultKind fault = run.fault.kind;
    *runtime = fault ? 0 : run.costs[0].runtime_cycles;
    maestro_end(&run);
    return fault;
}

static void q21_inherited_maps_come_first_and_in_reverse(void **state) {
    (void)state;
    int64_t inherited, reversed, other;
    assert_int_equal(run_with("SpatialMap(1,1) K;", &inherited), SL_FAULT_NONE);
    assert_int_equal(
        run_with("TemporalMap(2,4) C; TemporalMap(7,14) Y; SpatialMap(1,1) K;", &reversed),
        SL_FAULT_NONE);
    assert_int_equal(inherited, reversed);
    // in the order of the level outside, or behind the level's own maps, it would be refused
    assert_int_equal(
        run_with("TemporalMap(7,14) Y; TemporalMap(2,4) C; SpatialMap(1,1) K;", &other),
        SL_FAULT_NOTHING_NEW);
    assert_int_equal(
        run_with("SpatialMap(1,1) K; TemporalMap(7,14) Y; TemporalMap(2,4) C;", &other),
        SL_FAULT_NOTHING_NEW);
}

static void q22_pes_at_work_are_averaged_over_steps_not_time(void **state) {
    (void)state;
    // two PEs for 10 cycles, then one for 4: 24 / 14 = 1.71
    maestro_expect_one(MAESTRO_FILE("GEMM", "M: 11, N: 1, K: 2",
                                    "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
                       maestro_machine(2, 1, 4, 1000), "runtime 14, active 1.5");
}

static void q22_clusters_that_compute_nothing_count_as_one_pe_each(void **state) {
    (void)state;
    // 2 x 2 clusters of 2 PEs. Tiles of 2 rows hold no window of 3: nothing is at work
    maestro_expect_one(MAESTRO_FILE("CONV", "K: 8, C: 1, R: 3, S: 1, Y: 3, X: 1",
                                    "SpatialMap(4,4) K; Cluster(2,P); SpatialMap(2,2) K; "
                                    "Cluster(2,P); SpatialMap(1,1) K; TemporalMap(2,2) Y;"),
                       maestro_machine(8, 1, 4, 1000), "active 4");
}

#define PRODUCT(dims, maps) MAESTRO_FILE("GEMM", dims, maps " TemporalMap(1,1) K;")

static void q23_two_spatial_maps_of_a_level_step_on_their_own(void **state) {
    (void)state;
    // both over the same 2 PEs: 2 x 2 steps of the diagonal, 8 of 16 MACs; moving together it
    // would be 2 steps and 4 MACs
    maestro_expect_one(PRODUCT("M: 4, N: 4, K: 1", "SpatialMap(1,1) M; SpatialMap(1,1) N;"),
                       maestro_machine(2, 1, 4, 1000), "macs 8, active 2");
}

static void q23_the_first_of_two_spatial_maps_says_how_many_are_at_the_edge(void **state) {
    (void)state;
    // 5 and 6 over 4 PEs leave 1 and 2: so 4 and 1 or 4 and 2 are at
    // work, whatever the other map does.
    maestro_expect_one(PRODUCT("M: 5, N: 6, K: 1", "SpatialMap(1,1) M; SpatialMap(1,1) N;"),
                       maestro_machine(4, 1, 4, 1000), "active 2.5");
    maestro_expect_one(PRODUCT("M: 5, N: 6, K: 1", "SpatialMap(1,1) N; SpatialMap(1,1) M;"),
                       maestro_machine(4, 1, 4, 1000), "active 3");
}

#define SMALL_TILES(x)                                                                             \
    MAESTRO_FILE("CONV", "K: 1, C: 1, R: 4, S: 4, Y: 4, X: 4",                                     \
                 "SpatialMap(1,1) K; TemporalMap(4,4) R; TemporalMap(4,4) S; "                     \
                 "TemporalMap(1,1) Y; " x)

static void q24_two_negative_tiles_make_a_positive_one(void **state) {
    (void)state;
    // one output of 16 MACs. Tiles of 1 x 1 hold -2 x -2 windows of 4 x 4, in 16 steps
    maestro_expect_one(SMALL_TILES("TemporalMap(1,1) X;"), maestro_machine(1, 1, 4, 1000),
                       "macs 1024, output_l2wr 64");
    // one alone is noticed
    maestro_expect_one(SMALL_TILES("TemporalMap(4,4) X;"), maestro_machine(1, 1, 4, 1000),
                       "macs 0, runtime 0, output_l2wr -8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q13_outputs_of_a_spatial_edge_with_one_pe_are_counted_as_inputs),
        cmocka_unit_test(q14_inner_tiles_of_an_edge_keep_the_sizes_of_whole_ones),
        cmocka_unit_test(q15_multicast_writes_every_l1_once),
        cmocka_unit_test(q16_moving_nothing_takes_a_cycle_less_than_the_latency),
        cmocka_unit_test(q16_the_latency_is_0_from_the_command_line_and_1_from_a_file),
        cmocka_unit_test(q17_every_step_waits_for_the_off_chip_transfers_of_the_first),
        cmocka_unit_test(q18_buffers_add_up_over_leading_cases_that_compute_nothing),
        cmocka_unit_test(q19_outputs_of_grouped_convolutions_have_their_input_channels),
        cmocka_unit_test(q19_transposed_convolutions_are_plain_ones),
        cmocka_unit_test(q20_the_first_layer_of_a_type_says_whether_n_counts),
        cmocka_unit_test(q21_inherited_maps_come_first_and_in_reverse),
        cmocka_unit_test(q22_pes_at_work_are_averaged_over_steps_not_time),
        cmocka_unit_test(q22_clusters_that_compute_nothing_count_as_one_pe_each),
        cmocka_unit_test(q23_two_spatial_maps_of_a_level_step_on_their_own),
        cmocka_unit_test(q23_the_first_of_two_spatial_maps_says_how_many_are_at_the_edge),
        cmocka_unit_test(q24_two_negative_tiles_make_a_positive_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
