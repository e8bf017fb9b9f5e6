// test_maestro_compare.c - MAESTRO's numbers beside the exact ones of the same mapping.
#include <math.h>

#include "maestro_run.h"
#include "starling/cost/maestro_compare.h"
#include "support/check.h"

// the only layer of a text in both models
static void compare(const char *text, int pes, SlMaestroComparison *it,
                    SlMaestroQuantity rows[static SL_N_ROWS]) {
    SlMaestroHardware hardware = maestro_machine(pes, 1, 16, 50);
    SlMaestroFault fault;
    MaestroRun run;
    maestro_must_run(&run, text, &hardware);
    const SlMaestroLayer *shape = run.net.layers;
    const SlMaestroMapping *list = run.net.mappings;
    assert_true(sl_maestro_compare(shape, list, &hardware, NULL, it, &fault));
    sl_maestro_quantities(shape, list, &hardware, it, rows);
    assert_int_equal(it->cost.runtime_cycles, run.costs[0].runtime_cycles);
    maestro_end(&run);
}

static void the_work_of_a_nest_is_the_same_in_both(void **state) {
    (void)state;
    SlMaestroComparison it;
    SlMaestroQuantity rows[SL_N_ROWS];
    compare(MAESTRO_FILE("GEMM", "M: 9, N: 1, K: 2",
                         "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
            3, &it, rows);
    assert_null(it.no_nest);
    assert_true(sl_maestro_is_physical(&it));
    assert_string_equal(rows[SL_ROW_MACS].key, "macs");
    assert_true(rows[SL_ROW_MACS].maestro == 18 && rows[SL_ROW_MACS].exact == 18);
    assert_int_equal(rows[SL_ROW_MACS].reasons, 0);
    assert_true(it.exact_latency >= 6 && rows[SL_ROW_RUNTIME].exact == it.exact_latency);
}

static void a_lost_edge_is_not_physical_and_has_its_reason(void **state) {
    (void)state;
    SlMaestroComparison it;
    SlMaestroQuantity rows[SL_N_ROWS];
    compare(MAESTRO_FILE("GEMM", "M: 11, N: 1, K: 2",
                         "SpatialMap(3,3) M; TemporalMap(1,1) N; TemporalMap(2,2) K;"),
            2, &it, rows);
    assert_false(sl_maestro_is_physical(&it));
    assert_true(rows[SL_ROW_MACS].maestro == 16 && rows[SL_ROW_MACS].exact == 22);
    assert_true(rows[SL_ROW_MACS].reasons >> SL_REASON_LOST_EDGE & 1);
}

static void without_a_nest_only_the_work_is_known(void **state) {
    (void)state;
    SlMaestroComparison it;
    SlMaestroQuantity rows[SL_N_ROWS];
    compare(MAESTRO_FILE("GEMM", "M: 4, N: 6, K: 8",
                         "SpatialMap(1,1) M; TemporalMap(2,3) N; TemporalMap(8,8) K;"),
            4, &it, rows);
    assert_non_null(it.no_nest);
    assert_null(it.no_layer);
    assert_true(rows[SL_ROW_MACS].exact == 192 && isnan(rows[SL_ROW_RUNTIME].exact));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_of_a_nest_is_the_same_in_both),
        cmocka_unit_test(a_lost_edge_is_not_physical_and_has_its_reason),
        cmocka_unit_test(without_a_nest_only_the_work_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
