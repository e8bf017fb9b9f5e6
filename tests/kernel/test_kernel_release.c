// test_kernel_release.c - what generated programs reach on this processor (docs/kernel.md).
#include <math.h>
#include <stdio.h>

#include "kernel/build_inside.h"
#include "starling/kernel.h"
#include "support/check.h"

enum { N_DRAWN = 24 };

static int make_place(void **state) {
    static char folder[SL_FOLDER_ROOM];
    *state = folder;
    return sl_folder_make(folder, NULL) == SL_OK ? 0 : -1;
}

static int remove_place(void **state) {
    sl_folder_remove(*state);
    return 0;
}

static SlKernelBench bench_in(const char *folder) {
    SlKernelBench bench = {.run_timeout_s = 60};
    SlCompilerOptions options = {.folder = folder, .timeout_s = 120};
    assert_int_equal(sl_compiler_init(&bench.compiler, &options, NULL), SL_OK);
    return bench;
}

static SlKernelTask task_of(const char *layer) {
    SlKernelTask task = {.threads = 1, .vector_bytes = sl_kernel_vector_bytes()};
    assert_int_equal(sl_layer_parse(layer, &task.layer, NULL), SL_OK);
    return task;
}

// conv2 and conv3 of ResNet-18, by a schedule for 16 registers of 32 bytes; the machine may be
// busy, so the best of a few tries counts
static void tuned_layers_reach_most_of_the_peak_and_beat_the_default(void **state) {
    const struct {
        const char *layer, *schedule;
    } cases[] = {
        {"conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1",
         "oc_vectors=2 ow_block=6 unroll_ic=4 tile_oh=14 tile_ic=16 order=2"},
        {"conv:K=128,C=128,P=28,Q=28,R=3,S=3,pad=1",
         "oc_vectors=2 ow_block=6 unroll_ic=4 tile_oh=14 tile_ic=16 order=2"},
    };
    if (sl_kernel_vector_bytes() != 32) skip();
    SlKernelBench bench = bench_in(*state);
    for (int i = 0; i < 2; i++) {
        SlKernelTask task = task_of(cases[i].layer);
        SlKernelSchedule fallback, tuned;
        SlKernelResult peak, a, b;
        double share = 0, ratio = 0;
        sl_kernel_default(&task, &fallback);
        tuned = fallback;
        assert_int_equal(sl_kernel_parse(cases[i].schedule, &tuned, NULL), SL_OK);
        for (int tries = 0; tries < 5 && (share < 0.6 || ratio < 1.2); tries++) {
            sl_kernel_peak(&bench, SL_KERNEL_FP32, task.vector_bytes, &peak);
            assert_int_equal(sl_kernel_duel(&bench, &task, &fallback, &tuned, 3, &a, &b), 1);
            share = fmax(share, b.gops / peak.gops);
            ratio = fmax(ratio, a.median_s / b.median_s);
        }
        print_message("%s: %.0f %% of the peak, %.2f times the default\n", cases[i].layer,
                      100 * share, ratio);
        assert_true(share >= 0.6);
        assert_true(ratio >= 1.2);
    }
}

static void the_draft_orders_schedules_much_as_times_do(void **state) {
    SlKernelBench bench = bench_in(*state);
    SlKernelTask task = task_of("conv:K=64,C=64,P=28,Q=28,R=3,S=3,pad=1");
    double drafts[N_DRAWN], times[N_DRAWN];
    int order[N_DRAWN];
    SlRng rng;
    sl_rng_init(&rng, 1, "drafts");
    for (int n = 0; n < N_DRAWN;) {
        SlKernelSchedule schedule;
        SlKernelResult result;
        for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
            int32_t values[SL_KERNEL_MAX_VALUES];
            int n_values = sl_kernel_values(&task, k, values);
            schedule.values[k] = values[sl_rng_below(&rng, (uint64_t)n_values)];
        }
        if (sl_kernel_check(&task, &schedule)) continue;
        sl_kernel_measure(&bench, &task, &schedule, &result);
        assert_int_equal(result.error, SL_KERNEL_OK);
        drafts[n] = sl_kernel_draft(&task, &schedule);
        times[n++] = result.median_s;
    }
    sl_ranks(N_DRAWN, drafts, order, drafts);
    sl_ranks(N_DRAWN, times, order, times);
    double correlation = sl_pearson(N_DRAWN, drafts, times);
    print_message("rank correlation of drafts and times: %.2f\n", correlation);
    assert_true(correlation > 0.6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuned_layers_reach_most_of_the_peak_and_beat_the_default),
        cmocka_unit_test(the_draft_orders_schedules_much_as_times_do),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
