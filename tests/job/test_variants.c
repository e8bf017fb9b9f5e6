// test_variants.c - fixed dataflows and other machines beside a mapped network.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "job/variants_inside.h"
#include "starling/job.h"
#include "support/mapped_help.h"
#include "support/store_help.h"

// b and c are equal
static const char text[] = "network: net\n"
                           "layers:\n"
                           "  - {name: a, type: linear, K: 8, C: 16}\n"
                           "  - {name: b, type: conv, K: 16, C: 8, P: 8, Q: 8, R: 3, S: 3}\n"
                           "  - {name: c, type: conv, K: 16, C: 8, P: 8, Q: 8, R: 3, S: 3}\n";

static int begin(void **state) {
    static MappedCase fixture;
    mapped_begin(text, &fixture);
    fixture.mapped.setup.prove = true;
    fixture.mapped.setup.epsilon = 0.01;
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    mapped_end(*state);
    return 0;
}

static void run(SlVariants *variants, const SlMapped *mapped, const char *store) {
    SlError err = {0};
    SlStatus status = sl_variants_run(variants, mapped, store, NULL, NULL, NULL, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
}

static void shares_add_up_and_the_largest_layers_are_chosen(void **state) {
    MappedCase *fixture = *state;
    SlMapped *mapped = &fixture->mapped;
    SlVariants all, one;
    mapped_run(mapped);
    double sum = sl_mapped_share(mapped, 0) + sl_mapped_share(mapped, 1);
    assert_true(fabs(sum - 1) < 1e-12);
    assert_int_equal(sl_variants_styles(mapped, 0, &fixture->arena, &all, NULL), SL_OK);
    assert_int_equal(all.n_layers, 2);
    assert_int_equal(all.net.n_layers, 3);
    assert_true(all.share == 1);
    assert_true(fabs(all.value / mapped->value - 1) < 1e-12);
    assert_int_equal(sl_variants_styles(mapped, 1, &fixture->arena, &one, NULL), SL_OK);
    assert_int_equal(one.n_layers, 1);
    assert_int_equal(one.layers[0], 1); // two instances of the larger one
    assert_int_equal(one.net.n_layers, 2);
    assert_true(one.share == sl_mapped_share(mapped, 1) && one.share > 0.5 && one.share < 1);
    assert_true(one.latency_cycles == 2 * mapped->layers[1].found->cost.latency_cycles);
}

static void styles_are_what_the_same_run_with_their_constraints_finds(void **state) {
    MappedCase *fixture = *state;
    SlMapped *mapped = &fixture->mapped;
    SlVariants styles;
    mapped_run(mapped);
    assert_int_equal(sl_variants_styles(mapped, 0, &fixture->arena, &styles, NULL), SL_OK);
    assert_int_equal(styles.n, 3);
    run(&styles, mapped, NULL);
    for (int i = 0; i < styles.n; i++) {
        const SlVariant *style = &styles.list[i];
        SlConstraints constraints;
        SlJobSetup setup = mapped->setup;
        SlJob *job;
        assert_true(style->done && !style->reason[0]);
        assert_int_equal(sl_constraints_find(style->name, &fixture->arena, &constraints, NULL),
                         SL_OK);
        setup.space.constraints = &constraints;
        assert_int_equal(sl_job_open(&setup, NULL, &fixture->arena, &job, NULL), SL_OK);
        assert_int_equal(sl_job_run(job, NULL, NULL, NULL, NULL, NULL), SL_OK);
        SlNetworkResult result = sl_job_result(job);
        assert_true(style->value == result.value && style->bound == result.bound);
        assert_true(style->ratio == result.value / mapped->value);
        // nothing in a part of the space is below the bound of the whole
        assert_true(style->value >= styles.bound * (1 - 1e-9));
        assert_int_equal(style->differs,
                         fabs(style->ratio - 1) > fmax(styles.tolerance, style->gap));
        sl_job_close(job);
    }
}

static void a_style_that_the_array_cannot_do_has_a_reason(void **state) {
    MappedCase *fixture = *state;
    SlMapped *mapped = &fixture->mapped;
    SlVariants styles;
    SlError err;
    assert_int_equal(sl_accel_find("tpu", &fixture->arena, &mapped->eval.accel, &err), SL_OK);
    mapped->setup.prove = false;
    mapped_run(mapped);
    assert_int_equal(sl_variants_styles(mapped, 0, &fixture->arena, &styles, NULL), SL_OK);
    run(&styles, mapped, NULL);
    const SlVariant *style = &styles.list[1];
    assert_string_equal(style->name, "shidiannao-style");
    assert_false(style->done);
    assert_non_null(strstr(style->reason, "cannot be spread"));
    assert_null(strstr(style->reason, "tpu.")); // the machine has its own name
    assert_true(isnan(style->ratio));
}

static void a_larger_resource_never_hurts_and_a_smaller_one_never_helps(void **state) {
    MappedCase *fixture = *state;
    SlMapped *mapped = &fixture->mapped;
    SlVariants machines;
    bool seen[4] = {false};
    mapped_run(mapped);
    assert_int_equal(sl_variants_machines(mapped, 0, &fixture->arena, &machines, NULL), SL_OK);
    // eyeriss: DRAM and L2 rates, L2 and L1 capacities, PEs
    assert_int_equal(machines.n, 10);
    run(&machines, mapped, NULL);
    int n_better = 0, n_worse = 0;
    for (int i = 0; i < machines.n; i++) {
        const SlVariant *machine = &machines.list[i];
        assert_true(machine->factor == (i % 2 ? 2 : 0.5));
        if (!machine->done) continue;
        assert_true(machine->factor > 1 ? machine->ratio <= 1 : machine->ratio >= 1);
        n_better += machine->differs && machine->factor > 1;
        n_worse += machine->differs && machine->factor < 1;
        seen[machine->kind] = true;
    }
    assert_true(n_better > 0 && n_worse > 0);
    assert_true(seen[SL_VARIANT_RATE] && seen[SL_VARIANT_CAPACITY] && seen[SL_VARIANT_INSTANCES]);
}

static bool end_at_once(void *context, const SlEvent *event) {
    int *n_samples = context;
    *n_samples += event->kind == SL_EVENT_SAMPLE;
    return false;
}

static void records_are_taken_over_by_the_next_run(void **state) {
    MappedCase *fixture = *state;
    SlMapped *mapped = &fixture->mapped;
    SlVariants first, again;
    char store[TEMP_ROOM];
    int n_samples = 0;
    folder_path(&fixture->folder, "records.db", store);
    mapped_run(mapped);
    assert_int_equal(sl_variants_styles(mapped, 0, &fixture->arena, &first, NULL), SL_OK);
    run(&first, mapped, store);
    assert_int_equal(sl_variants_styles(mapped, 0, &fixture->arena, &again, NULL), SL_OK);
    assert_int_equal(sl_variants_run(&again, mapped, store, NULL, end_at_once, &n_samples, NULL),
                     SL_OK);
    assert_int_equal(n_samples, 0); // nothing was searched again
    for (int i = 0; i < first.n; i++) {
        assert_true(again.list[i].done && again.list[i].value == first.list[i].value);
        assert_true(again.list[i].bound == first.list[i].bound);
    }
}

static bool want_end(void *context, const SlEvent *event) {
    (void)context, (void)event;
    return true;
}

static void who_wants_an_end_gets_one(void **state) {
    MappedCase *fixture = *state;
    SlVariants styles;
    mapped_run(&fixture->mapped);
    assert_int_equal(sl_variants_styles(&fixture->mapped, 0, &fixture->arena, &styles, NULL),
                     SL_OK);
    assert_int_equal(sl_variants_run(&styles, &fixture->mapped, NULL, NULL, want_end, NULL, NULL),
                     SL_OK);
    assert_true(styles.interrupted);
    for (int i = 0; i < styles.n; i++)
        assert_true(!styles.list[i].done && !styles.list[i].reason[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shares_add_up_and_the_largest_layers_are_chosen, begin,
                                        end),
        cmocka_unit_test_setup_teardown(styles_are_what_the_same_run_with_their_constraints_finds,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_style_that_the_array_cannot_do_has_a_reason, begin, end),
        cmocka_unit_test_setup_teardown(a_larger_resource_never_hurts_and_a_smaller_one_never_helps,
                                        begin, end),
        cmocka_unit_test_setup_teardown(records_are_taken_over_by_the_next_run, begin, end),
        cmocka_unit_test_setup_teardown(who_wants_an_end_gets_one, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
