// test_cost.c - latency, energy, area, floors: the formulas, on a case worked out by hand and on
// random ones.
#include <math.h>
#include <string.h>

#include "random_accel.h"
#include "support/check.h"

// Worked example B of the model: K=3 C=2 P=5 R=3 on two instances of L1. By hand, from its counts:
//
//            DRAM  L2   L1
//   reads     47  137  285
//   writes    30   77  213
//   port      77  214  334   accesses of instance 0
//   link       -   77  137
//   delivered  -   77  153   into all instances
static Case example(void) {
    Case c;
    case_parse("1.1.3.2.5.1.3.1", "1.1.1.1", "1.1", "C:1 P:2 @7 K*2 K:1 R:1 @7 P:1", &c);
    return c;
}

static SlAccel machine(void) {
    SlAccel accel = {
        .name = "by_hand",
        .n_levels = 3,
        .levels =
            {
                {.name = "DRAM",
                 .keep = 7,
                 .port_words = 2,
                 .link_words = INFINITY,
                 .read_pj = 100,
                 .write_pj = 110,
                 .buffering = SL_BUFFER_DOUBLE},
                {.name = "L2",
                 .keep = 7,
                 .port_words = 4,
                 .link_words = 8,
                 .read_pj = 5,
                 .write_pj = 6,
                 .link_pj = 2,
                 .buffering = SL_BUFFER_DOUBLE,
                 .capacity_bytes = 1000,
                 .area_um2_per_byte = 2},
                {.name = "L1",
                 .keep = 7,
                 .port_words = 10,
                 .link_words = 16,
                 .read_pj = 1,
                 .write_pj = 1.5,
                 .link_pj = 3,
                 .buffering = SL_BUFFER_DOUBLE,
                 .capacity_bytes = 100,
                 .area_um2_per_byte = 4},
            },
        .word_bytes = {1, 1, 4},
        .mac_pj = 0.25,
        .mac_area_um2 = 1000,
        .clock_mhz = 500,
    };
    for (int l = 0; l < 3; l++) accel.fanouts[l].multicast = accel.fanouts[l].reduction = true;
    accel.fanouts[1].n_axes = 1;
    accel.fanouts[1].axes[0] = (SlAxis){.name = "x", .size = 4, .dims = SL_SPREAD_ALL};
    return accel;
}

static SlCost price(const SlAccel *accel) {
    Case c = example();
    SlCost cost;
    assert_null(sl_accel_check(accel));
    sl_cost_eval(&c.layer, accel, &c.mapping, &cost);
    return cost;
}

static void expect_levels(const double *got, double dram, double l2, double l1) {
    assert_true(got[0] == dram);
    assert_true(got[1] == l2);
    assert_true(got[2] == l1);
}

static void expect_latency(const SlAccel *accel, double cycles, SlBindKind kind, int level) {
    SlCost cost = price(accel);
    assert_int_equal((int)cost.latency_cycles, (int)cycles);
    assert_true(cost.latency_cycles == cycles);
    assert_int_equal(cost.binder.kind, kind);
    if (kind != SL_BIND_COMPUTE) assert_int_equal(cost.binder.level, level);
}

static void reads_writes_ports_and_links_are_those_worked_out_by_hand(void **state) {
    (void)state;
    SlAccel accel = machine();
    SlCost cost = price(&accel);
    expect_levels(cost.reads, 47, 137, 285);
    expect_levels(cost.writes, 30, 77, 213);
    expect_levels(cost.port, 77, 214, 334);
    assert_true(cost.link[1] == 77 && cost.link[2] == 137);
}

// port times 39, 54, 34, link times 10, 9; first tiles of 13 and 4 words take 2 + 1 cycles
static void the_slowest_of_compute_ports_and_links_binds_the_latency(void **state) {
    (void)state;
    SlAccel accel = machine();
    assert_true(price(&accel).ramp_cycles == 3);
    expect_latency(&accel, 60 + 3, SL_BIND_COMPUTE, 0);
    accel.levels[0].port_words = 1;
    expect_latency(&accel, 77 + 3, SL_BIND_PORT, 0);
    accel.levels[1].port_words = 2;
    expect_latency(&accel, 107 + 3, SL_BIND_PORT, 1);
    accel.levels[2].port_words = 1.5; // ceil(334 / 1.5)
    expect_latency(&accel, 223 + 3, SL_BIND_PORT, 2);
    accel.levels[2].link_words = 0.5; // 274, and 8 for the first tile
    expect_latency(&accel, 274 + 2 + 8, SL_BIND_LINK, 2);
    accel.levels[1].link_words = 0.25; // 308, and 52 for the first tile
    expect_latency(&accel, 308 + 52 + 8, SL_BIND_LINK, 1);
}

static void transfers_of_single_buffered_levels_add_to_the_latency(void **state) {
    (void)state;
    SlAccel accel = machine();
    accel.levels[2].buffering = SL_BUFFER_SINGLE;
    expect_latency(&accel, 60 + 9 + 3, SL_BIND_COMPUTE, 0);
    accel.levels[1].buffering = SL_BUFFER_SINGLE;
    expect_latency(&accel, 60 + 9 + 10 + 3, SL_BIND_COMPUTE, 0);
    accel.levels[1].buffering = accel.levels[2].buffering = SL_BUFFER_OVERLAPPED;
    expect_latency(&accel, 60 + 3, SL_BIND_COMPUTE, 0);
}

static void infinite_rates_never_bind_and_take_no_time(void **state) {
    (void)state;
    SlAccel accel = machine();
    for (int l = 0; l < 3; l++) accel.levels[l].port_words = accel.levels[l].link_words = INFINITY;
    accel.levels[2].buffering = SL_BUFFER_SINGLE;
    expect_latency(&accel, 60, SL_BIND_COMPUTE, 0);
    assert_true(price(&accel).ramp_cycles == 0);
}

static void energy_power_and_utilisation_follow_from_counts_and_latency(void **state) {
    (void)state;
    SlAccel accel = machine();
    SlCost cost = price(&accel);
    double want =
        47 * 100 + 30 * 110 + 137 * 5 + 77 * 6 + 285 * 1 + 213 * 1.5 + 90 * 0.25 + 77 * 2 + 153 * 3;
    assert_true(fabs(cost.energy_pj - want) < 1e-9 * want);
    assert_true(fabs(cost.power_mw - want / 63 * 500 * 1e-3) < 1e-9 * cost.power_mw);
    assert_true(fabs(cost.utilisation - 90.0 / (63 * 4)) < 1e-12);
}

// tiles of L2: 9 W, 4 I, 6 O; of L1: 1, 2, 2
static void buffers_need_bytes_per_tensor_twice_where_double_buffered(void **state) {
    (void)state;
    SlAccel accel = machine();
    SlCost cost = price(&accel);
    assert_true(cost.need_bytes[1] == 2 * (9 + 4 + 6 * 4));
    assert_true(cost.need_bytes[2] == 2 * (1 + 2 + 2 * 4));
    accel.levels[1].buffering = SL_BUFFER_SINGLE;
    accel.levels[2].buffering = SL_BUFFER_OVERLAPPED;
    cost = price(&accel);
    assert_true(cost.need_bytes[1] == 9 + 4 + 6 * 4);
    assert_true(cost.need_bytes[2] == 1 + 2 + 2 * 4);
}

static void word_bytes_of_the_layer_come_before_those_of_the_accelerator(void **state) {
    (void)state;
    SlAccel accel = machine();
    Case c = example();
    SlCost cost;
    c.layer.word_bytes[SL_O] = 2;
    c.layer.word_bytes[SL_W] = 3;
    sl_cost_eval(&c.layer, &accel, &c.mapping, &cost);
    assert_true(cost.need_bytes[1] == 2 * (9 * 3 + 4 + 6 * 2));
    assert_true(cost.need_bytes[2] == 2 * (1 * 3 + 2 + 2 * 2));
}

static void area_is_that_of_the_hardware_and_of_the_smallest_that_would_do(void **state) {
    (void)state;
    SlAccel accel = machine();
    SlCost cost = price(&accel);
    double given = 4 * 1000 + 1000 * 2 + 4 * 100 * 4;
    double smallest = 2 * 1000 + 74 * 2 + 2 * 22 * 4;
    assert_true(fabs(cost.area_um2 - given) < 1e-9 * given);
    assert_true(fabs(cost.area_min_um2 - smallest) < 1e-9 * smallest);
    assert_true(sl_cost_value(&cost, SL_AREA) == cost.area_min_um2);
}

static void objectives_are_the_fields_they_name(void **state) {
    (void)state;
    SlAccel accel = machine();
    SlCost cost = price(&accel);
    assert_true(sl_cost_value(&cost, SL_LATENCY) == cost.latency_cycles);
    assert_true(sl_cost_value(&cost, SL_ENERGY) == cost.energy_pj);
    assert_true(sl_cost_value(&cost, SL_EDP) == cost.energy_pj * cost.latency_cycles);
    assert_true(sl_cost_value(&cost, SL_POWER) == cost.power_mw);
}

// |W| = 18, |I| = 14, |O| = 15, four lanes
static void floors_are_compute_and_dram_and_have_no_area_or_power(void **state) {
    (void)state;
    SlAccel accel = machine();
    Case c = example();
    SlFloor bottom;
    sl_floor_eval(&c.layer, &accel, &bottom);
    assert_true(bottom.compute_cycles == 23 && bottom.dram_cycles == 24);
    assert_true(bottom.value[SL_LATENCY] == 24);
    double energy = 90 * 0.25 + 100 * (18 + 14) + 110 * 15;
    assert_true(fabs(bottom.value[SL_ENERGY] - energy) < 1e-9 * energy);
    assert_true(fabs(bottom.value[SL_EDP] - 24 * energy) < 1e-9 * 24 * energy);
    assert_true(isnan(bottom.value[SL_AREA]) && isnan(bottom.value[SL_POWER]));
    SlCost cost = price(&accel);
    assert_true(fabs(sl_floor_multiple(&bottom, &cost, SL_LATENCY) - 63.0 / 24) < 1e-12);
    assert_true(isnan(sl_floor_multiple(&bottom, &cost, SL_AREA)));
}

static void binders_have_names(void **state) {
    (void)state;
    SlAccel accel = machine();
    char text[64];
    assert_string_equal(sl_binder_text(&accel, (SlBinder){SL_BIND_COMPUTE, 0}, 64, text),
                        "compute");
    assert_string_equal(sl_binder_text(&accel, (SlBinder){SL_BIND_PORT, 0}, 64, text), "DRAM port");
    assert_string_equal(sl_binder_text(&accel, (SlBinder){SL_BIND_LINK, 2}, 64, text),
                        "network into L1");
}

// --- random cases

typedef struct {
    Case c;
    SlAccel accel;
    SlCost cost;
} Priced;

static void sample_priced(SlRng *rng, Priced *p) {
    priced_case_sample(rng, 100000, &p->c, &p->accel);
    assert_null(sl_accel_check(&p->accel));
    sl_cost_eval(&p->c.layer, &p->accel, &p->c.mapping, &p->cost);
}

enum { N_RANDOM = 5000 };

static void the_networks_of_the_accelerator_are_those_counted(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "networks");
    for (int i = 0; i < N_RANDOM; i++) {
        Priced p;
        SlCost want;
        char why[512];
        sample_priced(&rng, &p);
        want = p.cost;
        SlNet net = sl_accel_net(&p.accel);
        for (int l = 0; l < p.accel.n_levels; l++) {
            assert_int_equal(net.multicast >> l & 1, p.c.net.multicast >> l & 1);
            assert_int_equal(net.reduction >> l & 1, p.c.net.reduction >> l & 1);
        }
        sl_counts_eval(&p.c.layer, p.c.net, &p.c.mapping, &want.counts);
        if (cost_differs(&p.cost, &want, sizeof why, why)) fail_msg("%s", why);
    }
}

static void nothing_is_below_its_floor_on_hardware_that_runs_it(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 2, "floors");
    for (int i = 0; i < N_RANDOM; i++) {
        Priced p;
        SlFloor bottom;
        sample_priced(&rng, &p);
        sl_floor_eval(&p.c.layer, &p.accel, &bottom);
        for (int o = SL_LATENCY; o <= SL_EDP; o++) {
            double multiple = sl_floor_multiple(&bottom, &p.cost, (SlObjective)o);
            char text[CASE_TEXT_MAX];
            if (!(multiple >= 1)) {
                fail_msg("%s at %.17g of its floor: %s", sl_objective_names[o], multiple,
                         case_text(&p.c, sizeof text, text));
            }
        }
        assert_true(p.cost.latency_cycles >= p.cost.counts.cycles);
        assert_true(p.cost.utilisation <= 1);
    }
}

static void more_bandwidth_is_never_slower_and_costs_no_energy(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 3, "bandwidth");
    for (int i = 0; i < N_RANDOM; i++) {
        Priced p;
        SlCost faster;
        sample_priced(&rng, &p);
        SlLevel *level = &p.accel.levels[sl_rng_below(&rng, (uint64_t)p.accel.n_levels)];
        level->port_words *= 1 + sl_rng_uniform(&rng);
        level->link_words *= 1 + sl_rng_uniform(&rng);
        sl_cost_eval(&p.c.layer, &p.accel, &p.c.mapping, &faster);
        assert_true(faster.latency_cycles <= p.cost.latency_cycles);
        assert_true(faster.energy_pj == p.cost.energy_pj);
    }
}

// every candidate for the latency, put together again
static double latency_again(const Priced *p, const SlBreakdown *parts) {
    double slowest = p->cost.counts.cycles;
    for (int l = 0; l < p->accel.n_levels; l++) {
        slowest = fmax(slowest, parts->port_cycles[l]);
        bool overlaps = l > 0 && p->accel.levels[l].buffering != SL_BUFFER_SINGLE;
        if (overlaps) slowest = fmax(slowest, parts->link_cycles[l]);
    }
    return slowest + parts->stall_cycles + p->cost.ramp_cycles;
}

static void explanations_add_up_to_the_totals(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 4, "explain");
    for (int i = 0; i < N_RANDOM; i++) {
        Priced p;
        SlBreakdown parts;
        sample_priced(&rng, &p);
        sl_cost_explain(&p.accel, &p.c.mapping, &p.cost, &parts);
        double sum = parts.mac_pj;
        for (int l = 0; l < p.accel.n_levels; l++) {
            for (int t = 0; t < SL_N_TENSORS; t++)
                sum += parts.level_pj[l][t] + parts.link_pj[l][t];
        }
        assert_true(fabs(sum - p.cost.energy_pj) <= 1e-9 * p.cost.energy_pj);
        assert_true(latency_again(&p, &parts) == p.cost.latency_cycles);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_writes_ports_and_links_are_those_worked_out_by_hand),
        cmocka_unit_test(the_slowest_of_compute_ports_and_links_binds_the_latency),
        cmocka_unit_test(transfers_of_single_buffered_levels_add_to_the_latency),
        cmocka_unit_test(infinite_rates_never_bind_and_take_no_time),
        cmocka_unit_test(energy_power_and_utilisation_follow_from_counts_and_latency),
        cmocka_unit_test(buffers_need_bytes_per_tensor_twice_where_double_buffered),
        cmocka_unit_test(word_bytes_of_the_layer_come_before_those_of_the_accelerator),
        cmocka_unit_test(area_is_that_of_the_hardware_and_of_the_smallest_that_would_do),
        cmocka_unit_test(objectives_are_the_fields_they_name),
        cmocka_unit_test(floors_are_compute_and_dram_and_have_no_area_or_power),
        cmocka_unit_test(binders_have_names),
        cmocka_unit_test(the_networks_of_the_accelerator_are_those_counted),
        cmocka_unit_test(nothing_is_below_its_floor_on_hardware_that_runs_it),
        cmocka_unit_test(more_bandwidth_is_never_slower_and_costs_no_energy),
        cmocka_unit_test(explanations_add_up_to_the_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
