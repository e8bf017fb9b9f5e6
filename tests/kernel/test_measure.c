// test_measure.c - measuring: what is wrong is never timed, what fails costs one record.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "kernel/build_inside.h"
#include "starling/kernel.h"
#include "support/check.h"

typedef struct {
    char folder[SL_FOLDER_ROOM];
    SlKernelBench bench;
    SlKernelTask task;
    SlKernelSchedule schedule;
} Place;

static int make_place(void **state) {
    static Place place;
    if (sl_folder_make(place.folder, NULL) != SL_OK) return -1;
    place.bench = (SlKernelBench){.repeats = 3, .min_repeat_ms = 0.1, .run_timeout_s = 60};
    SlCompilerOptions options = {
        .folder = place.folder, .flags = "-O1 -march=native", .timeout_s = 120};
    if (sl_compiler_init(&place.bench.compiler, &options, NULL) != SL_OK) return -1;
    place.task = (SlKernelTask){.threads = 2, .vector_bytes = 16};
    sl_layer_parse("conv:K=8,C=4,P=6,Q=6,R=3,S=3,pad=1", &place.task.layer, NULL);
    sl_kernel_default(&place.task, &place.schedule);
    place.schedule.values[SL_KNOB_THREADS] = 1;
    *state = &place;
    return 0;
}

static int remove_place(void **state) {
    sl_folder_remove(((Place *)*state)->folder);
    return 0;
}

// What to change in a source.
typedef struct {
    const char *from, *to;
} Change;

static void change(void *context, SlText *source) {
    const Change *c = context;
    char *at = strstr(source->data, c->from);
    assert_non_null(at);
    SlText changed;
    sl_text_init(&changed, source->arena);
    sl_text_put(&changed, source->data, (size_t)(at - source->data));
    sl_text_add(&changed, "%s%s", c->to, at + strlen(c->from));
    *source = changed;
}

static SlKernelResult measure_changed(const Place *place, SlKernelType type, const char *from,
                                      const char *to) {
    SlKernelResult result;
    SlKernelBench bench = place->bench;
    SlKernelTask task = place->task;
    SlKernelSchedule schedule = place->schedule;
    Change c = {from, to};
    task.type = type;
    bench.edit = change;
    bench.context = &c;
    sl_kernel_measure(&bench, &task, &schedule, &result);
    return result;
}

static void expect_no_time(const SlKernelResult *result, SlKernelError error) {
    assert_int_equal(result->error, error);
    assert_true(result->why[0] != '\0');
    assert_null(strchr(result->why, '\n'));
    assert_true(result->median_s == 0 && result->least_s == 0 && result->gops == 0);
}

static void a_right_program_is_timed_and_then_found(void **state) {
    const Place *place = *state;
    SlKernelResult result;
    sl_kernel_measure(&place->bench, &place->task, &place->schedule, &result);
    assert_int_equal(result.error, SL_KERNEL_OK);
    assert_string_equal(result.why, "");
    assert_false(result.cached);
    assert_true(result.build_s > 0 && result.run_s > 0 && result.spread >= 0);
    assert_true(0 < result.least_s && result.least_s <= result.median_s);
    double operations = 2.0 * 8 * 4 * 6 * 6 * 9;
    assert_true(result.gops * result.median_s * 1e9 > 0.999 * operations);
    assert_true(result.gops * result.median_s * 1e9 < 1.001 * operations);
    sl_kernel_measure(&place->bench, &place->task, &place->schedule, &result);
    assert_int_equal(result.error, SL_KERNEL_OK);
    assert_true(result.cached && result.build_s == 0);
}

// each line of the kernel that is broken shows in the answer; times are never taken
static void wrong_programs_are_never_timed(void **state) {
    const Change changes[] = {
        {"a2_0 += b0 * t2", "a2_0 += b0 * t1"},                              // a column
        {"r < R; r++)\n", "r < R - 1; r++)\n"},                              // a row of the filter
        {"p < rows; p++", "p < rows - 1; p++"},                              // rows of a tile
        {"* SY * WP + tw", "* SY * WP + 1 + tw"},                            // where a tile begins
        {"*(vec *)(y + 4)", "*(vec *)(y + 8)"},                              // where sums go
        {"to[PX * XB + i] = from[i]", "to[PX * XB + i] = from[i] * 1.001f"}, // a little
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        SlKernelResult result =
            measure_changed(*state, SL_KERNEL_FP32, changes[i].from, changes[i].to);
        expect_no_time(&result, SL_KERNEL_WRONG);
        assert_non_null(strstr(result.why, "channel"));
    }
    // one unit in one product of int8
    SlKernelResult result =
        measure_changed(*state, SL_KERNEL_INT8, "a5_0 += DOT(b0, t5)",
                        "a5_0 += DOT(b0, t5) + (c == 0 && r == 0 && s == 0 && i == 0)");
    expect_no_time(&result, SL_KERNEL_WRONG);
}

static void outputs_that_are_not_written_or_not_numbers_are_wrong(void **state) {
    SlKernelResult result = measure_changed(*state, SL_KERNEL_FP32, "\n    compute(t);", "\n    ;");
    expect_no_time(&result, SL_KERNEL_WRONG);
    result = measure_changed(*state, SL_KERNEL_FP32, "*(vec *)(y + 4) = a1_0",
                             "*(vec *)(y + 4) = a1_0 * (0.0f / 0.0f)");
    expect_no_time(&result, SL_KERNEL_WRONG);
}

static void a_crash_a_refusal_and_a_hang_are_records(void **state) {
    const Place *place = *state;
    const char *begin = "static void compute(long t) {\n";
    SlKernelResult result = measure_changed(
        place, SL_KERNEL_FP32, begin, "static void compute(long t) {\n    __builtin_trap();\n");
    expect_no_time(&result, SL_KERNEL_CRASHED);
    assert_non_null(strstr(result.why, "signal"));
    result = measure_changed(
        place, SL_KERNEL_FP32, begin,
        "static void compute(long t) {\n    fprintf(stderr, \"oh no\\n\"); exit(3);\n");
    expect_no_time(&result, SL_KERNEL_CRASHED);
    assert_string_equal(result.why, "the program ended with code 3: oh no");
    result = measure_changed(place, SL_KERNEL_FP32, begin,
                             "static void compute(long t) {\n    puts(\"\"); exit(0);\n");
    expect_no_time(&result, SL_KERNEL_UNKNOWN);
    result = measure_changed(place, SL_KERNEL_FP32, begin,
                             "static void compute(long t) {\n    int = 3;\n");
    expect_no_time(&result, SL_KERNEL_UNBUILT);
    assert_non_null(strstr(result.why, "error:"));
    Place quick = *place;
    quick.bench.run_timeout_s = 0.3;
    result = measure_changed(&quick, SL_KERNEL_FP32, begin,
                             "static void compute(long t) {\n    for (;;) sched_yield();\n");
    expect_no_time(&result, SL_KERNEL_RUN_TIMEOUT);
    assert_true(result.run_s < 20);
}

static void an_unfit_schedule_is_not_built(void **state) {
    const Place *place = *state;
    SlKernelSchedule schedule = place->schedule;
    SlKernelResult result;
    schedule.values[SL_KNOB_TILE_OH] = 7;
    sl_kernel_measure(&place->bench, &place->task, &schedule, &result);
    expect_no_time(&result, SL_KERNEL_UNFIT);
    assert_non_null(strstr(result.why, "tile_oh"));
    assert_true(result.build_s == 0 && result.run_s == 0);
}

static void a_batch_is_built_before_it_is_measured(void **state) {
    const Place *place = *state;
    SlKernelSchedule schedules[4];
    SlKernelResult results[4], result;
    for (int i = 0; i < 4; i++) {
        schedules[i] = place->schedule;
        schedules[i].values[SL_KNOB_ORDER] = i + 1; // the last one is unfit
    }
    assert_int_equal(sl_kernel_build_all(&place->bench, &place->task, 4, schedules, 2, results), 3);
    assert_int_equal(results[3].error, SL_KERNEL_UNFIT);
    for (int i = 0; i < 3; i++) {
        assert_true(results[i].error == SL_KERNEL_OK && results[i].median_s == 0);
        sl_kernel_measure(&place->bench, &place->task, &schedules[i], &result);
        assert_int_equal(result.error, SL_KERNEL_OK);
        assert_true(result.cached);
    }
}

static void the_faster_of_two_wins_whoever_comes_first(void **state) {
    const Place *place = *state;
    SlKernelTask task = place->task;
    SlKernelSchedule slow, fast, unfit;
    SlKernelResult a, b;
    assert_int_equal(sl_layer_parse("conv:K=64,C=32,P=12,Q=12,R=3,S=3", &task.layer, NULL), SL_OK);
    sl_kernel_default(&task, &slow);
    assert_int_equal(sl_kernel_parse("threads=1", &slow, NULL), SL_OK);
    fast = unfit = slow;
    assert_int_equal(sl_kernel_parse("ow_block=1 tile_ow=1 tile_ic=1 order=2", &slow, NULL), SL_OK);
    assert_int_equal(sl_kernel_parse("ow_block=4 oc_vectors=2 tile_ic=32", &fast, NULL), SL_OK);
    unfit.values[SL_KNOB_ORDER] = 9;
    assert_int_equal(sl_kernel_duel(&place->bench, &task, &slow, &fast, 3, &a, &b), 1);
    assert_true(b.median_s < a.median_s && b.error == SL_KERNEL_OK && a.gops > 0);
    assert_int_equal(sl_kernel_duel(&place->bench, &task, &fast, &slow, 3, &a, &b), -1);
    assert_int_equal(sl_kernel_duel(&place->bench, &task, &unfit, &slow, 1, &a, &b), 1);
    expect_no_time(&a, SL_KERNEL_UNFIT);
    assert_int_equal(sl_kernel_duel(&place->bench, &task, &unfit, &unfit, 1, &a, &b), 0);
}

static void the_peak_is_above_what_programs_reach(void **state) {
    const Place *place = *state;
    SlKernelBench bench = place->bench;
    SlKernelResult peak, result;
    bench.repeats = 5;
    for (int type = 0; type < SL_N_KERNEL_TYPES; type++) {
        SlKernelTask task = place->task;
        task.type = (SlKernelType)type;
        sl_kernel_peak(&bench, task.type, 16, &peak);
        assert_int_equal(peak.error, SL_KERNEL_OK);
        sl_kernel_measure(&bench, &task, &place->schedule, &result);
        assert_int_equal(result.error, SL_KERNEL_OK);
        assert_true(peak.gops > 1 && peak.gops > 0.8 * result.gops);
    }
    assert_true(sl_kernel_vector_bytes() >= 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_program_is_timed_and_then_found),
        cmocka_unit_test(wrong_programs_are_never_timed),
        cmocka_unit_test(outputs_that_are_not_written_or_not_numbers_are_wrong),
        cmocka_unit_test(a_crash_a_refusal_and_a_hang_are_records),
        cmocka_unit_test(an_unfit_schedule_is_not_built),
        cmocka_unit_test(a_batch_is_built_before_it_is_measured),
        cmocka_unit_test(the_faster_of_two_wins_whoever_comes_first),
        cmocka_unit_test(the_peak_is_above_what_programs_reach),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
