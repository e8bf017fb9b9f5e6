// test_maestro_fault.c - mappings on which MAESTRO gives no result: every kind, with its sentence.
#include "maestro_run.h"
#include "support/check.h"

static void expect_fault(const char *text, SlMaestroHardware hardware, SlMaestroFaultKind kind,
                         const char *sentence) {
    MaestroRun run;
    maestro_run(&run, text, &hardware);
    if (!run.parsed) fail_msg("%s", run.reason);
    assert_int_equal(run.fault.kind, kind);
    assert_string_equal(run.reason, sentence);
    maestro_end(&run);
}

#define DIMS "K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8"
#define CONV(maps) MAESTRO_FILE("CONV", DIMS, maps)

static void dims_must_be_declared_once(void **state) {
    (void)state;
    SlMaestroHardware machine = maestro_machine(4, 1, 4, 1000);
    expect_fault(MAESTRO_FILE("CONV", "K: 4, R: 3, S: 3, Y: 8, X: 8", "SpatialMap(1,1) K;"),
                 machine, SL_FAULT_DIM_MISSING,
                 "the layer declares no C of 1 or more (MAESTRO exits with 255)");
    expect_fault(MAESTRO_FILE("CONV", DIMS ", Y': 6", "SpatialMap(1,1) K;"), machine,
                 SL_FAULT_DIM_TWICE, "the layer declares both Y and Y' (MAESTRO exits with 255)");
}

static void maps_must_be_of_dims_of_their_level(void **state) {
    (void)state;
    SlMaestroHardware machine = maestro_machine(4, 1, 4, 1000);
    expect_fault(CONV("SpatialMap(1,1) K; TemporalMap(1,1) G;"), machine, SL_FAULT_VAR_UNKNOWN,
                 "level 0 maps G, which is no dim of it (MAESTRO exits with 255)");
    // a depthwise layer has no K; one level takes it all the same
    expect_fault(MAESTRO_FILE("DSCONV", DIMS,
                              "SpatialMap(1,1) C; TemporalMap(1,1) K; Cluster(2,P); "
                              "SpatialMap(1,1) C;"),
                 machine, SL_FAULT_VAR_UNKNOWN,
                 "level 1 maps K, which is no dim of it (MAESTRO exits with 255)");
    expect_fault(CONV("SpatialMap(1,1) K; TemporalMap(2,2) R;"), machine, SL_FAULT_FILTER_CUT,
                 "level 0 has a TemporalMap of R that is not the whole filter (MAESTRO exits with "
                 "255)");
    expect_fault(CONV("SpatialMap(1,1) K; TemporalMap(2,2) X';"), machine, SL_FAULT_OUTPUT_CENTRIC,
                 "level 0 maps X' without S, or together with X (MAESTRO reads memory that was "
                 "never set)");
}

static void a_level_spreads_one_or_two_dims(void **state) {
    (void)state;
    SlMaestroHardware machine = maestro_machine(32, 1, 4, 1000);
    expect_fault(CONV("SpatialMap(1,1) K; Cluster(2,P); TemporalMap(1,1) C;"), machine,
                 SL_FAULT_NO_SPATIAL, "level 1 has no SpatialMap (MAESTRO exits with 255)");
    expect_fault(CONV("SpatialMap(1,1) K; SpatialMap(1,1) C; SpatialMap(3,1) Y;"), machine,
                 SL_FAULT_MANY_SPATIAL,
                 "level 0 has more than two SpatialMaps (MAESTRO exits with 255)");
    expect_fault(CONV("SpatialMap(1,1) K; Cluster(2,P); SpatialMap(1,1) K; Cluster(2,P); "
                      "SpatialMap(1,1) K; Cluster(2,P); SpatialMap(1,1) K; Cluster(2,P); "
                      "SpatialMap(1,1) K;"),
                 machine, SL_FAULT_LEVELS, "there are more than 4 levels (MAESTRO aborts)");
}

static void the_machine_must_have_pes_and_bandwidth(void **state) {
    (void)state;
    static const char text[] = CONV(
        "SpatialMap(1,1) K; Cluster(4,P); SpatialMap(1,1) C; Cluster(2,P); SpatialMap(3,1) Y;");
    expect_fault(text, maestro_machine(7, 1, 4, 1000), SL_FAULT_PES,
                 "the clusters need 8 PEs, there are 7 (MAESTRO divides by zero)");
    expect_fault(text, maestro_machine(8, 1, 0, 1000), SL_FAULT_BANDWIDTH,
                 "a bandwidth is below 1 element per cycle (MAESTRO divides by zero)");
    expect_fault(text, maestro_machine(8, 1, 4, 0), SL_FAULT_BANDWIDTH,
                 "a bandwidth is below 1 element per cycle (MAESTRO divides by zero)");
}

static void some_steps_cannot_be_analysed(void **state) {
    (void)state;
    // C ends behind a gap, with more than its map holds: the level inside steps, too
    expect_fault(MAESTRO_FILE("CONV", "K: 4, C: 3, R: 1, S: 1, Y: 2, X: 2",
                              "SpatialMap(2,2) K; TemporalMap(2,4) C; Cluster(1,P); "
                              "SpatialMap(1,1) K;"),
                 maestro_machine(2, 1, 4, 1000), SL_FAULT_NOTHING_NEW,
                 "level 1 steps along C although one step holds all of it (MAESTRO exits with "
                 "255)");
    // no window fits into the tiles of level 1
    expect_fault(CONV("SpatialMap(1,1) K; Cluster(1,P); SpatialMap(1,1) K; TemporalMap(2,2) Y;"),
                 maestro_machine(4, 1, 4, 1000), SL_FAULT_IDLE_CLUSTERS,
                 "a step of the outermost level gives its clusters nothing to compute (MAESTRO "
                 "divides by zero)");
    // 65,535 x 65,535 steady steps are 4,294,836,225, which wraps to a negative number
    expect_fault(MAESTRO_FILE("GEMM", "M: 1, N: 65536, K: 65536",
                              "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(1,1) K;"),
                 maestro_machine(1, 1, 4, 1000), SL_FAULT_TOO_MANY_STEPS,
                 "level 0 has more steps than 32 bits count (MAESTRO aborts)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dims_must_be_declared_once),
        cmocka_unit_test(maps_must_be_of_dims_of_their_level),
        cmocka_unit_test(a_level_spreads_one_or_two_dims),
        cmocka_unit_test(the_machine_must_have_pes_and_bandwidth),
        cmocka_unit_test(some_steps_cannot_be_analysed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
