// test_kind_vta.c - tasks of a VTA core: knobs, what is free to know of a point, counted
// measurements.
#include "starling/task/programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"

#define SMALL "conv:K=512,C=256,P=7,Q=7,stride=2"            // ResNet-18's C10: 480 points
#define C2 "conv:K=64,C=64,P=56,Q=56,R=3,S=3,stride=1,pad=1" // 2304

static SlArena arena;

static int set_up(void **state) {
    (void)state;
    sl_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&arena);
    return 0;
}

typedef struct {
    SlLayer layer;
    SlVtaOptions options;
} Setup;

static Setup setup_of(const char *layer, SlHardware hardware) {
    Setup setup = {.options.hardware = hardware};
    SlError err;
    sl_vta_core_init(&setup.options.core);
    assert_int_equal(sl_layer_parse(layer, &setup.layer, &err), SL_OK);
    return setup;
}

static SlStatus make(const Setup *setup, SlArena *where, SlTask **task, SlError *err) {
    const SlTaskSetup whole = {
        .kind = &sl_kind_vta, .layer = &setup->layer, .options = &setup->options};
    return sl_task_make(&whole, where, task, err);
}

static SlTask *made(const Setup *setup) {
    SlTask *task = NULL;
    SlError err = {0};
    SlStatus status = make(setup, &arena, &task, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    return task;
}

static SlTask *searched(const char *layer, const char *budget) {
    Setup setup = setup_of(layer, SL_HARDWARE_SEARCH);
    SlError err;
    if (budget) assert_int_equal(sl_vta_budget_parse(budget, &setup.options.budget, &err), SL_OK);
    return made(&setup);
}

static void point_of(const SlTask *task, const char *text, int32_t *point) {
    SlError err = {0};
    if (sl_space_parse(sl_task_space(task), text, point, &err) != SL_OK) fail_msg("%s", err.text);
}

// ---- knobs ----

typedef struct {
    const char *name;
    int agent, n;
    int32_t values[12]; // the first ones
} Expected;

static void check_knobs(const SlTask *task, int n, const Expected *expected) {
    const SlSpace *space = sl_task_space(task);
    int64_t product = 1;
    assert_int_equal(space->n_params, n);
    for (int k = 0; k < n; k++) {
        const SlParam *knob = &space->params[k];
        assert_string_equal(knob->name, expected[k].name);
        assert_int_equal(knob->profession, expected[k].agent);
        assert_int_equal(knob->n, expected[k].n);
        for (int i = 0; i < knob->n; i++) {
            if (i < 12) assert_int_equal(knob->sizes[i], expected[k].values[i]);
            if (i) assert_true(knob->sizes[i] > knob->sizes[i - 1]);
        }
        product *= knob->n;
    }
    assert_int_equal(space->n_points, product);
}

// the template's, shared by the agents as the paper names them
static void a_fixed_core_has_seven_knobs(void **state) {
    (void)state;
    static const Expected expected[] = {
        {"tile_b", SL_AGENT_HARDWARE, 1, {1}},
        {"tile_h", SL_AGENT_MAPPING, 8, {1, 2, 4, 7, 8, 14, 28, 56}},
        {"tile_w", SL_AGENT_MAPPING, 8, {1, 2, 4, 7, 8, 14, 28, 56}},
        {"tile_ci", SL_AGENT_HARDWARE, 3, {1, 2, 4}},
        {"tile_co", SL_AGENT_HARDWARE, 3, {1, 2, 4}},
        {"oc_threads", SL_AGENT_SCHEDULING, 2, {1, 2}},
        {"h_threads", SL_AGENT_SCHEDULING, 2, {1, 2}},
    };
    SlTask *task = vta_layer_task(C2, &arena);
    check_knobs(task, 7, expected);
    assert_int_equal(sl_task_space(task)->n_points, 2304);
}

// divisors of 40 channels in blocks of 4, 8, 16, 32, 64: of 10, 5, 3, 2, 1
static void a_searched_core_has_three_more(void **state) {
    (void)state;
    static const Expected expected[] = {
        {"batch", SL_AGENT_HARDWARE, 4, {1, 2, 4, 8}},
        {"block_in", SL_AGENT_HARDWARE, 5, {4, 8, 16, 32, 64}},
        {"block_out", SL_AGENT_HARDWARE, 5, {4, 8, 16, 32, 64}},
        {"tile_b", SL_AGENT_MAPPING, 2, {1, 2}},
        {"tile_h", SL_AGENT_MAPPING, 2, {1, 7}},
        {"tile_w", SL_AGENT_MAPPING, 2, {1, 5}},
        {"tile_ci", SL_AGENT_MAPPING, 5, {1, 2, 3, 5, 10}},
        {"tile_co", SL_AGENT_MAPPING, 3, {1, 2, 4}},
        {"oc_threads", SL_AGENT_SCHEDULING, 2, {1, 2}},
        {"h_threads", SL_AGENT_SCHEDULING, 2, {1, 2}},
    };
    check_knobs(searched("conv:N=2,K=16,C=40,P=7,Q=5", NULL), 10, expected);
}

// the 22 convolutions that VTA does in AlexNet, VGG and ResNet-18; points, and valid ones
static void spaces_are_as_large_as_published(void **state) {
    (void)state;
    static const struct {
        int k, c, p, taps, stride;
        int points, valid; // 0 = not counted here, to be quick
    } layers[] = {
        {192, 64, 27, 5, 1, 1152, 411},   {384, 192, 13, 3, 1, 768, 289},
        {256, 384, 13, 3, 1, 640, 224},   {256, 256, 13, 3, 1, 400, 142},
        {64, 64, 224, 3, 1, 5184, 0},     {128, 64, 112, 3, 1, 4800, 0},
        {128, 128, 112, 3, 1, 6400, 0},   {256, 128, 56, 3, 1, 5120, 0},
        {256, 256, 56, 3, 1, 6400, 0},    {512, 256, 28, 3, 1, 4320, 0},
        {512, 512, 28, 3, 1, 5184, 2070}, {512, 512, 14, 3, 1, 2304, 932},
        {64, 64, 56, 3, 1, 2304, 1443},   {128, 64, 28, 3, 2, 1728, 1023},
        {128, 64, 28, 1, 2, 1728, 1075},  {128, 128, 28, 3, 1, 2304, 1468},
        {256, 128, 14, 3, 2, 1280, 699},  {256, 128, 14, 1, 2, 1280, 771},
        {256, 256, 14, 3, 1, 1600, 834},  {512, 256, 7, 3, 2, 480, 164},
        {512, 256, 7, 1, 2, 480, 204},    {512, 512, 7, 3, 1, 576, 179},
    };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        char text[128];
        snprintf(text, sizeof text, "conv:K=%d,C=%d,P=%d,Q=%d,R=%d,S=%d,stride=%d,pad=%d",
                 layers[i].k, layers[i].c, layers[i].p, layers[i].p, layers[i].taps, layers[i].taps,
                 layers[i].stride, layers[i].taps / 2);
        SlTask *task = vta_layer_task(text, &arena);
        const SlSpace *space = sl_task_space(task);
        assert_int_equal(space->n_points, layers[i].points);
        int valid = 0;
        int32_t point[SL_MAX_PARAMS];
        for (int64_t at = 0; at < (layers[i].valid ? space->n_points : 0); at++) {
            sl_space_at(space, at, point);
            valid += sl_task_check(task, point, NULL);
        }
        assert_int_equal(valid, layers[i].valid);
    }
}

static void layers_that_are_not_in_the_template_are_refused(void **state) {
    (void)state;
    Setup setup = setup_of("dw:G=32,P=14,Q=14,R=3,S=3", SL_HARDWARE_FIXED);
    SlTask *task = NULL;
    SlError err;
    assert_int_equal(make(&setup, &arena, &task, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "the template has no groups"));
    setup = setup_of(SMALL, SL_HARDWARE_FIXED);
    setup.options.core.bus_bits = 65;
    assert_int_equal(make(&setup, &arena, &task, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "bus"));
}

static void little_memory_is_an_error(void **state) {
    (void)state;
    Setup setup = setup_of(SMALL, SL_HARDWARE_FIXED);
    SlError err;
    for (size_t limit = 1; limit < 16384; limit += 97) {
        SlArena little;
        SlTask *task = NULL;
        sl_arena_init(&little, limit);
        SlStatus status = make(&setup, &little, &task, &err);
        assert_true(status == SL_ENOMEM || (status == SL_OK && task));
        sl_arena_free(&little);
    }
}

// ---- points ----

static void the_default_is_every_tile_1(void **state) {
    (void)state;
    SlVtaTask vta;
    SlVtaSchedule schedule, plain;
    int32_t point[SL_MAX_PARAMS];
    sl_vta_schedule_init(&plain);
    SlTask *fixed = vta_layer_task(C2, &arena);
    sl_task_start(fixed, point);
    sl_task_vta(fixed, point, &vta, &schedule);
    assert_memory_equal(&schedule, &plain, sizeof plain);
    assert_true(sl_task_check(fixed, point, NULL));

    // on the core where search starts, and the nearest one where it is no choice
    Setup setup = setup_of(SMALL, SL_HARDWARE_SEARCH);
    setup.options.core.batch = 2;
    setup.options.core.block_in = 32;
    setup.options.core.block_out = 128;
    SlTask *search = made(&setup);
    sl_task_start(search, point);
    sl_task_vta(search, point, &vta, &schedule);
    assert_memory_equal(&schedule, &plain, sizeof plain);
    assert_int_equal(vta.core.batch, 2);
    assert_int_equal(vta.core.block_in, 32);
    assert_int_equal(vta.core.block_out, 64);
    assert_true(sl_task_check(search, point, NULL));
}

static void points_stand_for_schedules_on_cores(void **state) {
    (void)state;
    SlVtaTask vta;
    SlVtaSchedule s;
    int32_t point[SL_MAX_PARAMS];
    Setup setup = setup_of(SMALL, SL_HARDWARE_SEARCH);
    setup.options.bias = true;
    SlTask *task = made(&setup);
    point_of(task,
             "batch=4 block_in=8 block_out=32 tile_b=1 tile_h=7 tile_w=1 tile_ci=16 tile_co=8 "
             "oc_threads=2 h_threads=1",
             point);
    sl_task_vta(task, point, &vta, &s);
    assert_true(vta.core.batch == 4 && vta.core.block_in == 8 && vta.core.block_out == 32);
    assert_true(vta.ci == 32 && vta.co == 16 && vta.n == 1 && vta.bias);
    assert_true(vta.core.log_wgt == setup.options.core.log_wgt && vta.core.bus_bits == 64);
    assert_true(s.b == 1 && s.h == 7 && s.w == 1 && s.ci == 16 && s.co == 8);
    assert_true(s.oc_threads == 2 && s.h_threads == 1);
}

// ---- what is free ----

static SlFault fault_of(const SlTask *task, const char *text) {
    SlFault fault;
    int32_t point[SL_MAX_PARAMS];
    point_of(task, text, point);
    bool fits = sl_task_check(task, point, &fault);
    assert_true(fits == (fault.text[0] == 0));
    assert_true(fits == sl_task_check(task, point, NULL));
    return fault;
}

static void faults_of_buffers_grow_with_what_is_missing(void **state) {
    (void)state;
    SlTask *task = vta_layer_task(C2, &arena);
    const char *format = "tile_b=1 tile_h=%d tile_w=56 tile_ci=4 tile_co=4 oc_threads=1 "
                         "h_threads=1";
    double last = 0;
    for (int h = 7; h <= 56; h *= 2) {
        char text[128];
        snprintf(text, sizeof text, format, h);
        SlFault fault = fault_of(task, text);
        assert_true(fault.buffers > last && !fault.structure && fault.resources == 0);
        assert_non_null(strstr(fault.text, "INP"));
        last = fault.buffers;
    }
    SlFault none = fault_of(task, "tile_b=1 tile_h=7 tile_w=7 tile_ci=1 tile_co=1 "
                                  "oc_threads=1 h_threads=1");
    assert_true(none.buffers == 0 && !none.structure && none.resources == 0);
}

static void threads_that_cannot_share_are_a_fault_of_structure(void **state) {
    (void)state;
    SlTask *task = vta_layer_task(C2, &arena);
    SlFault fault = fault_of(task, "tile_b=1 tile_h=1 tile_w=1 tile_ci=1 tile_co=4 "
                                   "oc_threads=2 h_threads=1");
    assert_true(fault.structure && fault.buffers == 0 && fault.resources == 0);
}

// a tile of 3 blocks divides 48 channels in blocks of 16, and not in blocks of 8... 6 does
static void tiles_that_do_not_divide_on_this_core_are_a_fault_of_structure(void **state) {
    (void)state;
    SlTask *task = searched("conv:K=16,C=48,P=4,Q=4", NULL);
    const char *format = "batch=1 block_in=%d block_out=16 tile_b=1 tile_h=1 tile_w=1 tile_ci=12 "
                         "tile_co=1 oc_threads=1 h_threads=1";
    char text[160];
    snprintf(text, sizeof text, format, 4);
    assert_string_equal(fault_of(task, text).text, "");
    snprintf(text, sizeof text, format, 8);
    assert_true(fault_of(task, text).structure);
}

static void cores_beyond_the_budget_are_a_fault_of_resources(void **state) {
    (void)state;
    SlTask *task = searched(SMALL, "macs=256");
    const char *format = "batch=%d block_in=16 block_out=16 tile_b=1 tile_h=1 tile_w=1 tile_ci=1 "
                         "tile_co=1 oc_threads=1 h_threads=1";
    char text[160];
    for (int batch = 1; batch <= 8; batch *= 2) {
        snprintf(text, sizeof text, format, batch);
        SlFault fault = fault_of(task, text);
        assert_true(fabs(fault.resources - (batch - 1)) < 1e-12);
        assert_true(!fault.structure && fault.buffers == 0);
        if (batch > 1) assert_non_null(strstr(fault.text, "MAC"));
    }
    // both are told
    SlFault both = fault_of(task, "batch=8 block_in=16 block_out=16 tile_b=1 tile_h=7 "
                                  "tile_w=7 tile_ci=1 tile_co=32 oc_threads=1 h_threads=1");
    assert_true(both.resources > 0 && both.buffers > 0);
}

// addresses have 16 bits: with blocks of 4 a buffer of 1 MB has more elements than that
static void cores_that_cannot_be_are_a_fault_of_structure(void **state) {
    (void)state;
    Setup setup = setup_of(SMALL, SL_HARDWARE_SEARCH);
    setup.options.core.log_inp = 20;
    SlTask *task = made(&setup);
    int32_t point[SL_MAX_PARAMS];
    SlFault fault;
    sl_task_start(task, point);
    assert_true(sl_task_check(task, point, &fault));
    point[1] = 0; // block_in
    assert_false(sl_task_check(task, point, &fault));
    assert_true(fault.structure);
    assert_non_null(strstr(fault.text, "65536"));
    assert_true(isinf(sl_task_draft(task, point)));
    SlSample measured;
    sl_task_eval(task, 1, point, &measured);
    assert_true(isinf(measured.value) && measured.error == SL_KERNEL_UNFIT);
}

static void a_fixed_core_has_no_budget(void **state) {
    (void)state;
    Setup setup = setup_of(SMALL, SL_HARDWARE_FIXED);
    setup.options.budget.macs = 1;
    SlTask *task = made(&setup);
    int32_t point[SL_MAX_PARAMS];
    sl_task_start(task, point);
    assert_true(sl_task_check(task, point, NULL));
}

// all points of a small space: what fails is infinite and has no features; no measurement is below
// its floor; drafts are in order with measurements on the whole
static void what_is_free_agrees_with_measurements(void **state) {
    (void)state;
    SlTask *task = vta_layer_task(SMALL, &arena);
    const SlSpace *space = sl_task_space(task);
    int n_features = sl_task_n_seen(task, SL_SEE_PROGRAM), valid = 0, close = 0;
    double least = INFINITY, best_draft = INFINITY, value_there = 0;
    assert_in_range(n_features, 1, SL_MAX_FEATURES);
    for (int64_t i = 0; i < space->n_points; i++) {
        int32_t point[SL_MAX_PARAMS];
        float features[SL_MAX_FEATURES], sum = 0;
        SlSample measured;
        sl_space_at(space, i, point);
        bool fits = sl_task_check(task, point, NULL);
        double draft = sl_task_draft(task, point), floor = sl_task_point_floor(task, point);
        sl_task_eval(task, 1, point, &measured);
        sl_task_see(task, SL_SEE_PROGRAM, point, features);
        for (int f = 0; f < n_features; f++) {
            assert_true(isfinite(features[f]));
            sum += fabsf(features[f]);
        }
        assert_true(isfinite(draft) == fits && isfinite(floor) == fits);
        assert_true(isfinite(measured.value) == fits && (sum > 0) == fits);
        assert_true(measured.error == (fits ? SL_KERNEL_OK : SL_KERNEL_UNFIT));
        assert_true(measured.spread == 0);
        if (!fits) continue;
        assert_true(floor > 0 && floor <= measured.value);
        close += fabs(log2(draft / measured.value)) < 1;
        least = fmin(least, measured.value);
        if (draft < best_draft) value_there = measured.value;
        best_draft = fmin(best_draft, draft);
        valid++;
    }
    assert_int_equal(valid, 204);
    assert_true(least == 38778);
    assert_true(close > 0.9 * valid);
    assert_true(value_there < 1.3 * least);
}

static void knobs_are_seen_as_logs_even_where_they_fail(void **state) {
    (void)state;
    SlTask *task = vta_layer_task(C2, &arena);
    int32_t point[SL_MAX_PARAMS];
    float seen[SL_MAX_FEATURES];
    assert_int_equal(sl_task_n_seen(task, SL_SEE_KNOBS), 7);
    point_of(task, "tile_b=1 tile_h=7 tile_w=56 tile_ci=1 tile_co=4 oc_threads=2 h_threads=2",
             point);
    assert_false(sl_task_check(task, point, NULL));
    sl_task_see(task, SL_SEE_KNOBS, point, seen);
    assert_true(seen[1] == 3 && fabsf(seen[2] - log2f(57)) < 1e-6F && seen[5] == log2f(3));
}

// ---- keys ----

static const char *key_of(const Setup *setup) {
    return sl_task_name(made(setup));
}

// everything that decides a measurement is in the key, the name of the layer is not
static void keys_tell_tasks_apart(void **state) {
    (void)state;
    Setup setup = setup_of(C2, SL_HARDWARE_FIXED), s;
    const char *keys[32];
    int n = 0;
#define WITH(change) (s = setup, change, keys[n++] = key_of(&s))
    keys[n++] = key_of(&setup);
    WITH(s.options.core.batch = 2);
    WITH(s.options.core.block_in = 8);
    WITH(s.options.core.block_out = 8);
    WITH(s.options.core.log_uop = 14);
    WITH(s.options.core.log_inp = 14);
    WITH(s.options.core.log_wgt = 14);
    WITH(s.options.core.log_acc = 14);
    WITH(s.options.core.bus_bits = 128);
    WITH(s.options.core.timing = *sl_vta_timing("pynq"));
    WITH(s.options.core.strict = true);
    WITH(s.options.bias = true);
    WITH(s.options.hardware = SL_HARDWARE_SEARCH);
    WITH((s.options.hardware = SL_HARDWARE_SEARCH, s.options.budget.macs = 256));
    WITH((s.options.hardware = SL_HARDWARE_SEARCH, s.options.budget.dsp = 256));
    WITH((s.options.hardware = SL_HARDWARE_SEARCH, s.options.budget.bram36 = 256));
    WITH((s.options.hardware = SL_HARDWARE_SEARCH, s.options.budget.lut = 256));
    WITH((s.options.hardware = SL_HARDWARE_SEARCH, s.options.budget.sram_bytes = INT64_C(1) << 40));
    WITH(s.layer.dims[SL_N] = 2);
    WITH(s.layer.dims[SL_K] = 128);
    WITH(s.layer.dims[SL_C] = 128);
    WITH(s.layer.dims[SL_P] = 28);
    WITH(s.layer.dims[SL_Q] = 28);
    WITH(s.layer.stride[0] = 2);
    WITH(s.layer.pad[1] = 0);
#undef WITH
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(keys[i], keys[j]);
    s = setup;
    snprintf(s.layer.name, sizeof s.layer.name, "another");
    assert_string_equal(key_of(&s), keys[0]);
    s = setup;
    s.options.budget.macs = 77; // of no matter where the core is fixed
    assert_string_equal(key_of(&s), keys[0]);
}

static void the_longest_key_is_not_cut(void **state) {
    (void)state;
    Setup setup = setup_of("conv:N=11,K=1025,C=101,P=127,Q=126,R=33,S=32", SL_HARDWARE_SEARCH);
    setup.layer.stride[0] = 3;
    setup.layer.stride[1] = 2;
    setup.layer.pad[0] = 14;
    setup.layer.pad[1] = 13;
    setup.options.budget = (SlVtaBudget){.macs = INT64_MAX,
                                         .dsp = INT32_MAX,
                                         .bram36 = INT32_MAX,
                                         .lut = INT32_MAX,
                                         .sram_bytes = INT64_MAX};
    setup.options.core.strict = setup.options.bias = true;
    const char *key = key_of(&setup);
    assert_non_null(strstr(key, "sram=9223372036854775807 tsim"));
    assert_string_equal(key + strlen(key) - strlen(" bias strict"), " bias strict");
}

// ---- measurements ----

static void every_measurement_counts(void **state) {
    (void)state;
    SlTask *task = vta_layer_task(SMALL, &arena);
    int32_t points[3 * 7];
    SlSample measured[3], again[3];
    assert_int_equal(sl_task_samples(task), 0);
    sl_task_start(task, points);
    sl_task_start(task, points + 7); // a repeat
    sl_task_start(task, points + 14);
    points[14 + 1] = points[14 + 2] = 1;
    points[14 + 3] = points[14 + 4] = 4; // does not fit
    for (int i = 0; i < 3; i++) sl_task_check(task, points + (ptrdiff_t)7 * i, NULL);
    assert_int_equal(sl_task_samples(task), 0); // checks are free
    sl_task_eval(task, 3, points, measured);
    assert_int_equal(sl_task_samples(task), 3);
    assert_true(isfinite(measured[0].value) && measured[0].value == measured[1].value);
    assert_true(isinf(measured[2].value) && measured[2].error == SL_KERNEL_UNFIT);
    sl_task_eval(task, 3, points, again);
    assert_int_equal(sl_task_samples(task), 6);
    for (int i = 0; i < 3; i++) assert_true(measured[i].value == again[i].value);
    sl_task_eval(task, 0, points, again);
    assert_int_equal(sl_task_samples(task), 6);
}

static void measurements_are_those_of_the_simulator(void **state) {
    (void)state;
    SlTask *task = searched(SMALL, "z7020");
    const SlSpace *space = sl_task_space(task);
    SlRng rng;
    sl_rng_init(&rng, 3, "measure");
    int valid = 0;
    for (int i = 0; i < 300 || valid < 20; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample measured;
        SlVtaTask vta;
        SlVtaSchedule schedule;
        SlVtaTime time;
        SlError err;
        sl_space_at(space, (int64_t)sl_rng_below(&rng, (uint64_t)space->n_points), point);
        if (!sl_task_check(task, point, NULL)) continue;
        if (sl_task_draft(task, point) > 1e6) continue; // to be quick
        sl_task_eval(task, 1, point, &measured);
        sl_task_vta(task, point, &vta, &schedule);
        assert_int_equal(sl_vta_time(&vta, &schedule, &arena, &time, &err), SL_OK);
        assert_true(measured.value == time.cycles);
        assert_true(sl_task_point_floor(task, point) <= measured.value);
        valid++;
    }
    assert_string_equal(sl_task_unit(task), "cycles");
    assert_int_equal(sl_layer_macs(sl_task_layer(task)), 512 * 256 * 49);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_core_has_seven_knobs),
        cmocka_unit_test(a_searched_core_has_three_more),
        cmocka_unit_test(spaces_are_as_large_as_published),
        cmocka_unit_test(layers_that_are_not_in_the_template_are_refused),
        cmocka_unit_test(little_memory_is_an_error),
        cmocka_unit_test(the_default_is_every_tile_1),
        cmocka_unit_test(points_stand_for_schedules_on_cores),
        cmocka_unit_test(faults_of_buffers_grow_with_what_is_missing),
        cmocka_unit_test(threads_that_cannot_share_are_a_fault_of_structure),
        cmocka_unit_test(tiles_that_do_not_divide_on_this_core_are_a_fault_of_structure),
        cmocka_unit_test(cores_beyond_the_budget_are_a_fault_of_resources),
        cmocka_unit_test(cores_that_cannot_be_are_a_fault_of_structure),
        cmocka_unit_test(a_fixed_core_has_no_budget),
        cmocka_unit_test(what_is_free_agrees_with_measurements),
        cmocka_unit_test(knobs_are_seen_as_logs_even_where_they_fail),
        cmocka_unit_test(keys_tell_tasks_apart),
        cmocka_unit_test(the_longest_key_is_not_cut),
        cmocka_unit_test(every_measurement_counts),
        cmocka_unit_test(measurements_are_those_of_the_simulator),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
