// test_maestro_reasons.c - each reason is given where its cause is, and not where it is not.
#include "maestro_run.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#define GEMM(dims, maps) MAESTRO_FILE("GEMM", dims, maps)
#define CONV(dims, maps) MAESTRO_FILE("CONV", dims, maps)
#define TAPS "TemporalMap(3,3) R; TemporalMap(3,3) S; "

// `with` has the reason in the row, `without` has it in no row.
typedef struct {
    SlMaestroReason reason;
    int row;
    int pes;
    const char *with, *without;
} Example;

static const Example examples[] = {
    {SL_REASON_LOST_EDGE, SL_ROW_MACS, 2,
     GEMM("M: 11, N: 1, K: 2", "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
     GEMM("M: 9, N: 1, K: 2", "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;")},
    {SL_REASON_EMPTY_EDGE, SL_ROW_MACS, 2,
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(8,2) N; TemporalMap(4,4) K;"),
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(8,8) N; TemporalMap(4,4) K;")},
    {SL_REASON_GAPS, SL_ROW_MACS, 2,
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(2,3) N; TemporalMap(8,8) K;"),
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(3,3) N; TemporalMap(8,8) K;")},
    {SL_REASON_GAP_EDGE, SL_ROW_MACS, 2,
     GEMM("M: 4, N: 8, K: 8", "SpatialMap(1,1) M; TemporalMap(2,5) N; TemporalMap(8,8) K;"),
     GEMM("M: 4, N: 7, K: 8", "SpatialMap(1,1) M; TemporalMap(2,5) N; TemporalMap(8,8) K;")},
    {SL_REASON_OVERLAP, SL_ROW_MACS, 2,
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(4,2) N; TemporalMap(8,8) K;"),
     GEMM("M: 4, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(4,2) N; TemporalMap(8,8) K;")},
    {SL_REASON_STRIDE, SL_ROW_MACS, 2,
     MAESTRO_FILE("CONV Stride { X: 2, Y: 2 }", "K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7",
                  "SpatialMap(1,1) K; TemporalMap(1,1) C; " TAPS
                  "TemporalMap(3,1) Y; TemporalMap(5,2) X;"),
     CONV("K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7", "SpatialMap(1,1) K; TemporalMap(1,1) C; " TAPS
                                                "TemporalMap(3,1) Y; TemporalMap(5,3) X;")},
    {SL_REASON_BATCH, SL_ROW_MACS, 2,
     "Network net { " MAESTRO_LAYER("CONV", "K: 2, C: 1, R: 1, S: 1, Y: 2, X: 2",
                                    "SpatialMap(1,1) K;")
         MAESTRO_LAYER("CONV", "N: 2, K: 2, C: 1, R: 1, S: 1, Y: 2, X: 2",
                       "SpatialMap(1,1) K;") "}",
     CONV("N: 2, K: 2, C: 1, R: 1, S: 1, Y: 2, X: 2", "SpatialMap(1,1) K;")},
    {SL_REASON_GROUPS, SL_ROW_L2_WRITE + SL_O, 2,
     MAESTRO_FILE("NGCONV", "G: 2, K: 2, C: 4, R: 1, S: 1, Y: 2, X: 2", "SpatialMap(1,1) K;"),
     MAESTRO_FILE("NGCONV", "G: 2, K: 2, C: 1, R: 1, S: 1, Y: 2, X: 2", "SpatialMap(1,1) K;")},
    {SL_REASON_LONE_EDGE, SL_ROW_MACS, 2,
     CONV("K: 1, C: 1, R: 3, S: 1, Y: 7, X: 1", "TemporalMap(1,1) K; TemporalMap(1,1) C; "
                                                "TemporalMap(3,3) R; TemporalMap(1,1) S; "
                                                "SpatialMap(4,2) Y; TemporalMap(1,1) X;"),
     CONV("K: 1, C: 1, R: 3, S: 1, Y: 6, X: 1", "TemporalMap(1,1) K; TemporalMap(1,1) C; "
                                                "TemporalMap(3,3) R; TemporalMap(1,1) S; "
                                                "SpatialMap(4,2) Y; TemporalMap(1,1) X;")},
    {SL_REASON_NO_OUTPUT, SL_ROW_MACS, 2,
     CONV("K: 2, C: 1, R: 3, S: 1, Y: 6, X: 2", "SpatialMap(1,1) K; TemporalMap(2,2) Y;"),
     CONV("K: 2, C: 1, R: 3, S: 1, Y: 6, X: 2", "SpatialMap(1,1) K; TemporalMap(3,1) Y;")},
    {SL_REASON_HALO, SL_ROW_L2_READ + SL_I, 2,
     CONV("K: 2, C: 1, R: 1, S: 3, Y: 1, X: 9", "TemporalMap(1,1) K; SpatialMap(3,1) X;"),
     CONV("K: 2, C: 1, R: 1, S: 1, Y: 1, X: 9", "TemporalMap(1,1) K; SpatialMap(1,1) X;")},
    {SL_REASON_EDGE_LOADS, SL_ROW_L2_READ + SL_W, 2,
     GEMM("M: 2, N: 1, K: 5", "SpatialMap(1,1) M; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 1, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) K;")},
    {SL_REASON_NO_REFETCH, SL_ROW_L2_READ + SL_I, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(8,8) K;")},
    {SL_REASON_INSIDE, SL_ROW_L2_READ + SL_W, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(2,2) M; Cluster(1,P); SpatialMap(2,2) N; "
                              "TemporalMap(1,1) M; TemporalMap(2,2) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(2,2) M; Cluster(1,P); SpatialMap(4,4) N;")},
    {SL_REASON_L2_ONCE, SL_ROW_L2_WRITE + SL_I, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(8,8) K; TemporalMap(1,1) N;")},
    {SL_REASON_UNTOUCHED, SL_ROW_L2_WRITE + SL_I, 2,
     MAESTRO_FILE("CONV Stride { X: 2, Y: 2 }", "K: 2, C: 1, R: 1, S: 1, Y: 7, X: 7",
                  "SpatialMap(1,1) K;"),
     MAESTRO_FILE("CONV Stride { X: 2, Y: 2 }", "K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7",
                  "SpatialMap(1,1) K;")},
    {SL_REASON_EACH_STEP, SL_ROW_L2_WRITE + SL_O, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) K; TemporalMap(1,1) N;")},
    {SL_REASON_NO_RETURN, SL_ROW_L2_READ + SL_O, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) K; TemporalMap(1,1) N;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; TemporalMap(4,4) K;")},
    {SL_REASON_LAST_PE, SL_ROW_L2_WRITE + SL_O, 4,
     CONV("K: 3, C: 2, R: 1, S: 1, Y: 4, X: 4", "SpatialMap(1,1) K;"),
     CONV("K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4", "SpatialMap(1,1) K;")},
    {SL_REASON_L1_MULTICAST, SL_ROW_L1_WRITE, 2, GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(2,2) M;")},
    {SL_REASON_OUTPUT_TILE, SL_ROW_L1_NEED, 2,
     CONV("K: 2, C: 1, R: 3, S: 1, Y: 6, X: 2", "SpatialMap(1,1) K;"),
     CONV("K: 2, C: 1, R: 1, S: 1, Y: 6, X: 2", "SpatialMap(1,1) K;")},
    {SL_REASON_OVERSIZE, SL_ROW_L1_NEED, 2,
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(8,8) N;"),
     GEMM("M: 4, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(6,6) N;")},
    {SL_REASON_COLD_START, SL_ROW_RUNTIME, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N; Cluster(1,P); "
                              "SpatialMap(8,8) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(1,1) N;")},
    {SL_REASON_FULL_EDGE, SL_ROW_RUNTIME, 2,
     GEMM("M: 2, N: 4, K: 6", "SpatialMap(1,1) M; TemporalMap(4,4) K; Cluster(1,P); "
                              "SpatialMap(1,1) N; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 6", "SpatialMap(1,1) M; TemporalMap(4,4) K; Cluster(1,P); "
                              "SpatialMap(1,1) N; TemporalMap(2,2) K;")},
    {SL_REASON_LANES, SL_ROW_RUNTIME, 2, GEMM("M: 2, N: 3, K: 5", "SpatialMap(1,1) M;"),
     GEMM("M: 2, N: 4, K: 5", "SpatialMap(1,1) M;")},
    {SL_REASON_HALVED, SL_ROW_OFFCHIP, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M;")},
    {SL_REASON_PARTS, SL_ROW_PES, 2, GEMM("M: 3, N: 4, K: 8", "SpatialMap(2,2) M;"),
     GEMM("M: 4, N: 4, K: 8", "SpatialMap(2,2) M;")},
    {SL_REASON_AVERAGED, SL_ROW_PES, 2,
     GEMM("M: 2, N: 4, K: 6", "SpatialMap(1,1) M; TemporalMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) K;")},
    {SL_REASON_GAP_EDGE, SL_ROW_MACS, 2,
     GEMM("M: 4, N: 9, K: 8", "SpatialMap(1,1) M; TemporalMap(2,5) N; TemporalMap(8,8) K;"),
     GEMM("M: 4, N: 10, K: 8", "SpatialMap(1,1) M; TemporalMap(2,5) N; TemporalMap(8,8) K;")},
    {SL_REASON_LONE_EDGE, SL_ROW_MACS, 3,
     CONV("K: 1, C: 1, R: 3, S: 1, Y: 10, X: 1", "SpatialMap(4,2) Y;"),
     CONV("K: 1, C: 1, R: 3, S: 1, Y: 12, X: 1", "SpatialMap(4,2) Y;")},
    {SL_REASON_LAST_PE, SL_ROW_L2_WRITE + SL_O, 4,
     CONV("K: 2, C: 2, R: 1, S: 1, Y: 4, X: 4", "SpatialMap(1,1) K;"),
     CONV("K: 1, C: 2, R: 1, S: 1, Y: 4, X: 4", "SpatialMap(1,1) K;")},
    {SL_REASON_FULL_EDGE, SL_ROW_PES, 8,
     GEMM("M: 1, N: 2, K: 6", "SpatialMap(1,1) N; TemporalMap(4,4) K; Cluster(4,P); "
                              "SpatialMap(1,1) K;"),
     GEMM("M: 1, N: 2, K: 7", "SpatialMap(1,1) N; TemporalMap(4,4) K; Cluster(2,P); "
                              "SpatialMap(2,2) K;")},
    {SL_REASON_FULL_EDGE, SL_ROW_RUNTIME, 2,
     GEMM("M: 2, N: 4, K: 6", "SpatialMap(1,1) M; TemporalMap(4,4) K; Cluster(1,P); "
                              "SpatialMap(4,4) K;"),
     GEMM("M: 2, N: 4, K: 6", "SpatialMap(1,1) M; TemporalMap(4,4) K; Cluster(1,P); "
                              "SpatialMap(2,2) K;")},
    {SL_REASON_EACH_STEP, SL_ROW_L2_WRITE + SL_O, 2,
     GEMM("M: 2, N: 6, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) N; TemporalMap(4,4) K; "
                              "Cluster(1,P); SpatialMap(2,2) N;"),
     GEMM("M: 2, N: 8, K: 8", "SpatialMap(1,1) M; TemporalMap(4,4) N; TemporalMap(4,4) K; "
                              "Cluster(1,P); SpatialMap(2,2) N;")},
    {SL_REASON_EDGE_LOADS, SL_ROW_L2_READ + SL_I, 2, GEMM("M: 5, N: 1, K: 5", "SpatialMap(2,2) M;"),
     GEMM("M: 8, N: 1, K: 5", "SpatialMap(2,2) M;")},
    {SL_REASON_ENERGY_L1, SL_ROW_ENERGY, 2,
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M; Cluster(1,P); SpatialMap(1,1) K;"),
     GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M;")},
};
enum { N_EXAMPLES = sizeof examples / sizeof examples[0] };

// the reasons of the last layer
static void reasons_of(const char *text, SlMaestroHardware hardware, SlMaestroReasons *out) {
    MaestroRun run;
    maestro_must_run(&run, text, &hardware);
    int last = run.net.n_layers - 1;
    sl_maestro_reasons(&run.net.layers[last], &run.net.mappings[last], &hardware, &run.costs[last],
                       out);
    maestro_end(&run);
}

static void a_reason_is_given_where_its_cause_is_and_only_there(void **state) {
    (void)state;
    for (int i = 0; i < N_EXAMPLES; i++) {
        const Example *it = &examples[i];
        SlMaestroReasons with, without;
        SlMaestroHardware hardware = maestro_machine(it->pes, 2, 4, 1000);
        reasons_of(it->with, hardware, &with);
        reasons_of(it->without, hardware, &without);
        bool given = with.row[it->row] >> it->reason & 1, still = without.all >> it->reason & 1;
        if (!given || still)
            print_error("%s: %s\n", sl_maestro_reason_name(it->reason),
                        given ? "still given" : "not given");
        assert_true(given);
        assert_false(still);
        assert_true(with.all >> it->reason & 1);
    }
}

static void strided_tiles_of_one_output_have_all_macs(void **state) {
    (void)state;
    SlMaestroReasons reasons;
    reasons_of(MAESTRO_FILE("CONV Stride { X: 2, Y: 2 }", "K: 2, C: 1, R: 3, S: 3, Y: 7, X: 7",
                            "SpatialMap(1,1) K; TemporalMap(1,1) C; " TAPS
                            "TemporalMap(3,1) Y; TemporalMap(3,1) X;"),
               maestro_machine(2, 1, 4, 1000), &reasons);
    assert_int_equal(reasons.row[SL_ROW_MACS], 0);
    // but its outputs are those of stride 1
    assert_int_equal(reasons.row[SL_ROW_L2_READ + SL_O], 1 << SL_REASON_STRIDE);
}

static void off_chip_is_a_reason_for_the_time_where_it_is_slow(void **state) {
    (void)state;
    static const char text[] = GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M;");
    SlMaestroReasons slow, quick;
    reasons_of(text, maestro_machine(2, 1, 4, 1), &slow);
    reasons_of(text, maestro_machine(2, 1, 4, 1000), &quick);
    assert_true(slow.row[SL_ROW_RUNTIME] >> SL_REASON_OFFCHIP & 1);
    assert_false(quick.row[SL_ROW_RUNTIME] >> SL_REASON_OFFCHIP & 1);
}

static void the_energy_of_the_csv_always_lacks_parts(void **state) {
    (void)state;
    SlMaestroReasons reasons;
    reasons_of(GEMM("M: 2, N: 4, K: 8", "SpatialMap(1,1) M;"), maestro_machine(2, 1, 4, 9),
               &reasons);
    assert_true(reasons.row[SL_ROW_ENERGY] >> SL_REASON_ENERGY_PARTS & 1);
    assert_int_equal(reasons.row[SL_ROW_SCREEN_ENERGY], 0);
}

static void tiles_that_fit_have_no_reason_for_other_work_or_loads(void **state) {
    (void)state;
    SlMaestroReasons reasons;
    reasons_of(
        CONV("K: 4, C: 2, R: 1, S: 1, Y: 4, X: 4",
             "SpatialMap(1,1) K; TemporalMap(1,1) C; TemporalMap(4,4) Y; TemporalMap(4,4) X;"),
        maestro_machine(4, 1, 8, 1000), &reasons);
    assert_int_equal(reasons.row[SL_ROW_MACS], 0);
    assert_int_equal(reasons.row[SL_ROW_RUNTIME], 0);
    assert_int_equal(reasons.row[SL_ROW_L2_READ + SL_W], 0);
    assert_int_equal(reasons.row[SL_ROW_L2_READ + SL_I], 0);
    assert_int_equal(reasons.row[SL_ROW_PES], 0);
    assert_int_equal(reasons.row[SL_ROW_L2_WRITE + SL_O], 1 << SL_REASON_EACH_STEP);
}

static void every_reason_has_a_name_and_a_sentence(void **state) {
    (void)state;
    for (int r = 0; r < SL_N_REASONS; r++) {
        const char *name = sl_maestro_reason_name((SlMaestroReason)r);
        const char *text = sl_maestro_reason_text((SlMaestroReason)r);
        assert_in_range(strlen(name), 1, 12);
        assert_in_range(strlen(text), 20, 120);
        for (int other = 0; other < r; other++)
            assert_string_not_equal(name, sl_maestro_reason_name((SlMaestroReason)other));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reason_is_given_where_its_cause_is_and_only_there),
        cmocka_unit_test(strided_tiles_of_one_output_have_all_macs),
        cmocka_unit_test(off_chip_is_a_reason_for_the_time_where_it_is_slow),
        cmocka_unit_test(the_energy_of_the_csv_always_lacks_parts),
        cmocka_unit_test(tiles_that_fit_have_no_reason_for_other_work_or_loads),
        cmocka_unit_test(every_reason_has_a_name_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
