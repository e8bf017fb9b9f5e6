// test_cpu_source.c - generated programs compute their layer, whatever the layer and the schedule.
//
// Each program checks itself against the definition of the layer (test_measure.c shows that this
// check notices errors). Built without the slower optimisations: their correctness is the
// compiler's.
#include <stdio.h>
#include <string.h>

#include "kernel/build_inside.h"
#include "starling/kernel.h"
#include "support/check.h"

typedef struct {
    char folder[SL_FOLDER_ROOM];
    SlKernelBench bench;
} Place;

static int make_place(void **state) {
    static Place place;
    SlError err;
    if (sl_folder_make(place.folder, &err) != SL_OK) return -1;
    place.bench = (SlKernelBench){.repeats = 1, .min_repeat_ms = 1e-3, .run_timeout_s = 60};
    SlCompilerOptions options = {.folder = place.folder,
                                 .flags = "-O1 -march=native -Wall -Werror -Wno-psabi",
                                 .timeout_s = 120};
    *state = &place;
    return sl_compiler_init(&place.bench.compiler, &options, &err) == SL_OK ? 0 : -1;
}

static int remove_place(void **state) {
    sl_folder_remove(((Place *)*state)->folder);
    return 0;
}

static SlKernelTask task_of(const char *layer, SlKernelType type, int threads) {
    SlKernelTask task = {
        .type = type, .threads = threads, .vector_bytes = sl_kernel_vector_bytes()};
    assert_int_equal(sl_layer_parse(layer, &task.layer, NULL), SL_OK);
    assert_null(sl_kernel_task_check(&task));
    return task;
}

static void draw_schedule(const SlKernelTask *task, SlRng *rng, SlKernelSchedule *schedule) {
    do {
        for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
            int32_t values[SL_KERNEL_MAX_VALUES];
            int n = sl_kernel_values(task, k, values);
            schedule->values[k] = values[sl_rng_below(rng, (uint64_t)n)];
        }
    } while (sl_kernel_check(task, schedule));
}

static void expect_right(const Place *place, const SlKernelTask *task,
                         const SlKernelSchedule *schedule) {
    SlKernelResult result;
    sl_kernel_measure(&place->bench, task, schedule, &result);
    if (result.error != SL_KERNEL_OK) {
        char layer[384], text[256];
        print_message("%s %s\n%s\n", sl_layer_write(&task->layer, sizeof layer, layer),
                      sl_kernel_type_names[task->type],
                      sl_kernel_show(schedule, sizeof text, text));
        fail_msg("%s: %s", sl_kernel_error_name(result.error), result.why);
    }
    assert_true(result.median_s > 0 && result.least_s <= result.median_s && result.gops > 0);
}

// a random schedule of each layer
static void try_layers(const Place *place, SlKernelType type, int threads, uint64_t seed,
                       const char *const *layers) {
    SlRng rng;
    sl_rng_init(&rng, seed, "schedules");
    for (; *layers; layers++) {
        SlKernelTask task = task_of(*layers, type, threads);
        SlKernelSchedule schedule;
        draw_schedule(&task, &rng, &schedule);
        expect_right(place, &task, &schedule);
    }
}

static const char *const odd_layers[] = {
    "conv:K=24,C=13,P=11,Q=17,R=3,S=3,pad=1",
    "conv:K=9,C=3,P=9,Q=13,R=7,S=7,stride=2,pad=3",
    "conv:K=33,C=20,P=7,Q=7,R=1,S=1,stride=2",
    "conv:K=16,C=8,P=5,Q=6,R=3,S=5,stride=1x2,dilation=2x1,pad=2x1,N=3",
    "conv:K=12,C=7,G=3,P=6,Q=9,R=3,S=3,pad=1,N=2",
    "dw:G=21,P=10,Q=12,R=3,S=3,stride=2,pad=1",
    "gemm:M=37,N=29,K=51",
    "bmm:B=3,M=10,N=9,K=12",
    "linear:K=50,C=31,N=1",
    NULL,
};

static void fp32_programs_are_right_for_odd_layers(void **state) {
    try_layers(*state, SL_KERNEL_FP32, 1, 1, odd_layers);
}

static void int8_programs_are_exact_for_odd_layers(void **state) {
    try_layers(*state, SL_KERNEL_INT8, 1, 2, odd_layers);
}

// every access of the generated code is watched
static void programs_stay_within_their_tensors(void **state) {
    Place watched = *(const Place *)*state;
    SlCompilerOptions options = {.folder = watched.folder,
                                 .flags =
                                     "-O1 -march=native -Wno-psabi -fsanitize=address,undefined "
                                     "-fno-sanitize-recover=all",
                                 .timeout_s = 120};
    assert_int_equal(sl_compiler_init(&watched.bench.compiler, &options, NULL), SL_OK);
    watched.bench.memory_bytes = SIZE_MAX;
    try_layers(&watched, SL_KERNEL_FP32, 2, 5,
               (const char *[]){odd_layers[0], odd_layers[3], odd_layers[5], NULL});
    try_layers(&watched, SL_KERNEL_INT8, 2, 6,
               (const char *[]){odd_layers[1], odd_layers[6], NULL});
}

static void threads_compute_the_same(void **state) {
    try_layers(*state, SL_KERNEL_FP32, 6, 3,
               (const char *[]){"conv:K=40,C=6,P=12,Q=9,R=3,S=3,pad=1,N=2",
                                "conv:K=64,C=8,P=9,Q=9,R=3,S=3,stride=2,pad=1", NULL});
    try_layers(*state, SL_KERNEL_INT8, 4, 4, (const char *[]){"gemm:M=40,N=64,K=24", NULL});
}

static void every_order_and_the_default_are_right(void **state) {
    for (int order = 0; order < SL_N_KERNEL_ORDERS; order++) {
        SlKernelTask task = task_of("conv:K=20,C=12,P=8,Q=15,R=3,S=3,pad=1", SL_KERNEL_FP32, 1);
        SlKernelSchedule schedule;
        sl_kernel_default(&task, &schedule);
        assert_int_equal(
            sl_kernel_parse("tile_oh=3 tile_ow=6 tile_ic=5 ow_block=4", &schedule, NULL), SL_OK);
        schedule.values[SL_KNOB_ORDER] = order;
        expect_right(*state, &task, &schedule);
    }
    SlKernelTask task = task_of("conv:K=16,C=16,P=7,Q=7,R=3,S=3,pad=1", SL_KERNEL_INT8, 1);
    SlKernelSchedule schedule;
    sl_kernel_default(&task, &schedule);
    expect_right(*state, &task, &schedule);
}

// vectors that this processor may not have are made of smaller ones
static void all_widths_of_vectors_are_right(void **state) {
    for (int type = 0; type < SL_N_KERNEL_TYPES; type++) {
        SlKernelTask task = task_of("conv:K=24,C=6,P=5,Q=9,R=3,S=3,pad=1", (SlKernelType)type, 1);
        task.vector_bytes = 64;
        SlKernelSchedule schedule;
        sl_kernel_default(&task, &schedule);
        schedule.values[SL_KNOB_OC_VECTORS] = 2;
        for (int bytes = 16; bytes <= 64; bytes *= 4) {
            schedule.values[SL_KNOB_VECTOR] = bytes;
            expect_right(*state, &task, &schedule);
        }
    }
}

static void the_same_task_and_schedule_give_the_same_text(void **state) {
    (void)state;
    SlKernelTask task = task_of(odd_layers[0], SL_KERNEL_INT8, 2);
    SlKernelSchedule schedule;
    SlArena arena;
    SlText a, b;
    sl_arena_init(&arena, 0);
    sl_text_init(&a, &arena);
    sl_text_init(&b, &arena);
    sl_kernel_default(&task, &schedule);
    sl_kernel_source(&task, &schedule, &a);
    sl_kernel_source(&task, &schedule, &b);
    assert_false(a.failed || b.failed);
    assert_string_equal(a.data, b.data);
    assert_non_null(strstr(a.data, "int main("));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fp32_programs_are_right_for_odd_layers),
        cmocka_unit_test(int8_programs_are_exact_for_odd_layers),
        cmocka_unit_test(programs_stay_within_their_tensors),
        cmocka_unit_test(threads_compute_the_same),
        cmocka_unit_test(every_order_and_the_default_are_right),
        cmocka_unit_test(all_widths_of_vectors_are_right),
        cmocka_unit_test(the_same_task_and_schedule_give_the_same_text),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
