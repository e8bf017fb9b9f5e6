// test_maestro_golden.c - recorded runs of MAESTRO: the same cells, the same refusals.
#include "maestro_golden.h"
#include "support/check.h"

#include <string.h>

#include "starling/cost/maestro.h"

static void every_cell_of_every_recorded_run_is_printed_the_same(void **state) {
    (void)state;
    GoldenTally tally;
    maestro_golden(SL_SOURCE_DIR "/tests/data/maestro/golden.jsonl.gz", &tally);
    assert_int_equal(tally.n_wrong, 0);
    assert_int_equal(tally.n_records, 630);
    assert_int_equal(tally.n_refused, 86);
    assert_int_equal(tally.n_rows, 638);
    assert_int_equal(tally.n_cells, 638 * 53);
}

static void the_header_names_as_many_columns_as_a_row_has(void **state) {
    (void)state;
    int n = 1;
    for (const char *c = sl_maestro_csv_header; *c; c++) n += *c == ',';
    assert_int_equal(n, 52);
    // MAESTRO's own spacing
    assert_non_null(strstr(sl_maestro_csv_header, "(Elements/cycle),  L2 SRAM Size Req (Bytes)"));
    assert_non_null(strstr(sl_maestro_csv_header, "reuse factor,filter l1 read"));
    assert_non_null(strstr(sl_maestro_csv_header, "(Min), Compute Delay (Min), Compute Delay"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_of_every_recorded_run_is_printed_the_same),
        cmocka_unit_test(the_header_names_as_many_columns_as_a_row_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
