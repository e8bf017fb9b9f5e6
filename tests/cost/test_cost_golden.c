// test_cost_golden.c - latency, energy and area of 205 layers (tests/data/native/README.md).
#include <math.h>
#include <stdio.h>

#include "golden_file.h"
#include "support/check.h"

static void exact(const Golden *row, const char *column, double got) {
    double want = golden_number(row, column);
    if (got != want) {
        fail_msg("id %s: %s is %.17g, must be %.17g", golden_cell(row, "id"), column, got, want);
    }
}

static void close_to(const Golden *row, const char *column, double got) {
    double want = golden_number(row, column);
    if (!(fabs(got - want) <= 1e-9 * fabs(want))) {
        fail_msg("id %s: %s is %.17g, must be %.17g", golden_cell(row, "id"), column, got, want);
    }
}

// columns like rd0, rd1, rd2
static void exact_levels(const Golden *row, const char *prefix, int from, const double *got) {
    for (int l = from; l < 3; l++) {
        char column[16];
        snprintf(column, sizeof column, "%s%d", prefix, l);
        exact(row, column, got[l]);
    }
}

static void check_cost(const Golden *row, const SlCost *cost) {
    exact_levels(row, "rd", 0, cost->reads);
    exact_levels(row, "wr", 0, cost->writes);
    exact_levels(row, "acc0_", 0, cost->port);
    exact_levels(row, "link", 1, cost->link);
    exact_levels(row, "need", 1, cost->need_bytes);
    exact(row, "ramp", cost->ramp_cycles);
    exact(row, "latency", cost->latency_cycles);
    close_to(row, "energy_pJ", cost->energy_pj);
    close_to(row, "area_given", cost->area_um2 * 1e-6);
    close_to(row, "area_min", cost->area_min_um2 * 1e-6);
}

static void set_networks(SlAccel *accel, SlNet net) {
    for (int l = 0; l < accel->n_levels; l++) {
        accel->fanouts[l].multicast = net.multicast >> l & 1;
        accel->fanouts[l].reduction = net.reduction >> l & 1;
    }
}

static void the_golden_accelerator_prices_205_layers_as_the_file_says(void **state) {
    (void)state;
    Golden golden;
    SlAccel accel;
    golden_open(&golden, "native/layers.csv.gz");
    assert_int_equal(sl_accel_find("golden", &golden.arena, &accel, NULL), SL_OK);
    while (golden_next(&golden)) {
        Case c;
        SlCost cost;
        golden_case(&golden, &c);
        set_networks(&accel, c.net);
        sl_cost_eval(&c.layer, &accel, &c.mapping, &cost);
        check_cost(&golden, &cost);
    }
    assert_int_equal(golden.n_rows, 205);
    golden_close(&golden);
}

static void every_golden_mapping_fits_the_golden_accelerator_and_is_above_its_floors(void **state) {
    (void)state;
    Golden golden;
    SlAccel accel;
    golden_open(&golden, "native/layers.csv.gz");
    assert_int_equal(sl_accel_find("golden", &golden.arena, &accel, NULL), SL_OK);
    while (golden_next(&golden)) {
        Case c;
        SlFit fit;
        SlCost cost;
        SlFloor bottom;
        golden_case(&golden, &c);
        set_networks(&accel, c.net);
        assert_true(sl_mapping_fit(&c.layer, &accel, &c.mapping, &fit));
        sl_cost_eval(&c.layer, &accel, &c.mapping, &cost);
        sl_floor_eval(&c.layer, &accel, &bottom);
        for (int o = SL_LATENCY; o <= SL_EDP; o++)
            assert_true(sl_floor_multiple(&bottom, &cost, (SlObjective)o) >= 1);
    }
    golden_close(&golden);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_golden_accelerator_prices_205_layers_as_the_file_says),
        cmocka_unit_test(every_golden_mapping_fits_the_golden_accelerator_and_is_above_its_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
