// test_correlation.c - correlations of parameters with one and with several columns, and distances.
#include "support/check.h"

#include <math.h>

#include "starling/assign.h"

enum { ROWS = 240 }; // all 5! orders, twice

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g is not %.17g", value, expected);
}

// the number-th order of 0..n-1 as the position of each item
static void fill_positions(int n, int number, double *position) {
    int items[8], left = n;
    for (int i = 0; i < n; i++) items[i] = i;
    for (int place = 0; place < n; place++, left--) {
        int pick = number % left;
        number /= left;
        position[items[pick]] = place;
        for (int i = pick; i + 1 < left; i++) items[i] = items[i + 1];
    }
}

// columns 0-4: positions of an order; 5-9: the same again; 10: its number of rows so far (a ramp);
// 11-13: a category as indicators, 13 never chosen; 14: constant; 15: where item 0 stands
static void fill_table(double *values) {
    for (int row = 0; row < ROWS; row++) {
        double position[5];
        fill_positions(5, row % 120, position);
        for (int i = 0; i < 5; i++)
            values[i * ROWS + row] = values[(5 + i) * ROWS + row] = position[i];
        values[10 * ROWS + row] = row;
        int category = position[1] < 2;
        for (int i = 0; i < 3; i++) values[(11 + i) * ROWS + row] = category == i;
        values[14 * ROWS + row] = 0.1;
        values[15 * ROWS + row] = position[0];
    }
}

static void one_column_each_gives_pearson_with_its_sign(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, /**/ 10, 8, 6, 4, 2, /**/ 2, 1, 4, 3, 5};
    const int first[] = {0, 1, 2, 3};
    SlColumns columns = {.n_rows = 5, .n_params = 3, .first = first, .values = values};
    double r[9];
    sl_correlations(&columns, r);
    assert_near(r[0 * 3 + 1], -1, 0);
    assert_near(r[0 * 3 + 2], 0.8, 1e-15);
    assert_near(r[2 * 3 + 1], -0.8, 1e-15);
    for (int i = 0; i < 3; i++) assert_true(r[i * 3 + i] == 1);
}

static void orders_and_categories_enter_with_all_their_columns(void **state) {
    (void)state;
    static double values[16 * ROWS];
    fill_table(values);
    const int first[] = {0, 5, 10, 11, 14, 15, 16};
    SlColumns columns = {.n_rows = ROWS, .n_params = 6, .first = first, .values = values};
    double r[36];
    sl_correlations(&columns, r);
    // an order and its copy
    assert_near(r[0 * 6 + 1], 1, 1e-14);
    // over all orders two positions have r = -1/4, so a whole order has s = 5 + 20/16 with itself,
    // and one of its positions s = 1 + 4/16 with the order
    assert_near(r[0 * 6 + 5], sqrt((1 + 4 / 16.0) / sqrt(5 + 20 / 16.0)), 1e-14);
    // two indicators of which one is 1 count as one column (s = 4 with itself), the empty one not
    // at all; whether item 1 stands first or second has r = -sqrt(3)/2 with its position: the means
    // of position are 0.5 and 3, shares 2/5 and 3/5, variance 2
    double with_position = 0.4 * 0.6 * (3 - 0.5) / sqrt(0.24 * 2);
    double s = 2 * with_position * with_position * (1 + 4 / 16.0);
    assert_near(r[0 * 6 + 3], sqrt(s / sqrt((5 + 20 / 16.0) * 4)), 1e-14);
}

static void a_constant_side_gives_zero_and_never_nan(void **state) {
    (void)state;
    static double values[16 * ROWS];
    fill_table(values);
    const int first[] = {0, 5, 10, 11, 14, 15, 16};
    SlColumns columns = {.n_rows = ROWS, .n_params = 6, .first = first, .values = values};
    // all columns of parameter 0 constant too
    for (int i = 0; i < 5 * ROWS; i++) values[i] = i / ROWS;
    double r[36];
    sl_correlations(&columns, r);
    for (int i = 0; i < 6; i++) {
        assert_true(r[i * 6 + i] == 1);
        if (i != 0) assert_true(r[0 * 6 + i] == 0 && r[i * 6 + 0] == 0);
    }
    // 0.1 summed 240 times and divided is not quite 0.1: such a column is no signal either
    for (int i = 0; i < 6; i++)
        if (i != 4) assert_true(r[4 * 6 + i] == 0);
}

static void the_matrix_is_symmetric_and_within_bounds(void **state) {
    (void)state;
    enum { COLUMNS = 24, PARAMS = 9 };
    const int first[] = {0, 1, 2, 8, 14, 15, 18, 20, 23, COLUMNS};
    double values[COLUMNS * 12], r[PARAMS * PARAMS];
    SlRng rng;
    sl_rng_init(&rng, 3, "columns");
    for (int n_rows = 1; n_rows <= 12; n_rows++) {
        for (int i = 0; i < COLUMNS * n_rows; i++) values[i] = (double)sl_rng_below(&rng, 3);
        SlColumns columns = {n_rows, PARAMS, first, values};
        sl_correlations(&columns, r);
        for (int i = 0; i < PARAMS; i++)
            for (int j = 0; j < PARAMS; j++) {
                assert_true(r[i * PARAMS + j] == r[j * PARAMS + i]);
                assert_true(r[i * PARAMS + j] >= -1 && r[i * PARAMS + j] <= 1);
            }
    }
}

static void distances_follow_their_definitions(void **state) {
    (void)state;
    const double r[] = {1, -0.5, 0.25, /**/ -0.5, 1, 0, /**/ 0.25, 0, 1};
    double d[9];
    sl_distances(SL_METRIC_ONE_MINUS_R, 3, r, NULL, d);
    const double expected[] = {0, 0.5, 0.75, /**/ 0.5, 0, 1, /**/ 0.75, 1, 0};
    for (int i = 0; i < 9; i++) assert_near(d[i], expected[i], 0);
    sl_distances(SL_METRIC_ROWS, 3, r, NULL, d);
    assert_near(d[0 * 3 + 1], sqrt(2.25 + 2.25 + 0.0625), 1e-15);
    assert_near(d[2 * 3 + 0], sqrt(0.75 * 0.75 * 2 + 0.25), 1e-15);
    for (int i = 0; i < 3; i++) assert_true(d[i * 3 + i] == 0);
    assert_true(d[1] == d[3] && d[5] == d[7]);
    // the objective is one more column of the rows
    const double objective[] = {0.5, -0.25, 0.5};
    sl_distances(SL_METRIC_ROWS_OBJECTIVE, 3, r, objective, d);
    assert_near(d[0 * 3 + 1], sqrt(2.25 + 2.25 + 0.0625 + 0.5625), 1e-15);
    assert_near(d[2 * 3 + 0], sqrt(0.75 * 0.75 * 2 + 0.25), 1e-15);
}

static void names_stand_for_the_metrics_in_order(void **state) {
    (void)state;
    assert_string_equal(sl_metric_names[SL_METRIC_ROWS], "rows");
    assert_string_equal(sl_metric_names[SL_METRIC_ROWS_OBJECTIVE], "rows+objective");
    assert_string_equal(sl_metric_names[SL_METRIC_ONE_MINUS_R], "1-|r|");
    assert_null(sl_metric_names[SL_N_METRICS]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_column_each_gives_pearson_with_its_sign),
        cmocka_unit_test(orders_and_categories_enter_with_all_their_columns),
        cmocka_unit_test(a_constant_side_gives_zero_and_never_nan),
        cmocka_unit_test(the_matrix_is_symmetric_and_within_bounds),
        cmocka_unit_test(distances_follow_their_definitions),
        cmocka_unit_test(names_stand_for_the_metrics_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
