// bench_kernel.c - `starling bench kernel`: layers as C programs on this processor, the default
// schedule and the best one of a quick search, beside the peak of fused multiply-adds.
//
// The search is not a method of the library: half of the trials are random schedules that the draft
// likes best among a few, half change one or two knobs of the best so far. The winner and the
// default are measured again in turns, so that luck does not count.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "starling/kernel.h"

typedef struct {
    CommonOptions common;
    int64_t trials, repeats, seed, threads;
    const char *schedule; // NULL = search
    int type;
} KernelOptions;

static const SlOption options_table[] = {
    SL_OPT_WHOLE(KernelOptions, "trials", trials, "64", 1, 1e6, "N",
                 "schedules measured per layer"),
    SL_OPT_TEXT(KernelOptions, "schedule", schedule, NULL, "KNOBS",
                "schedule to measure instead of searching; missing knobs take their defaults"),
    SL_OPT_CHOICE(KernelOptions, "type", type, NULL, sl_kernel_type_names, "NAME", "data type"),
    BENCH_REPEATS(KernelOptions, "5", "rounds of the last comparison"),
    BENCH_SEED(KernelOptions),
    SL_OPT_WHOLE(KernelOptions, "threads", threads, "1", 1, 1024, "N", "thread limit of a program"),
    COMMON_OPTIONS,
    {0},
};

enum { BATCH = 8, DRAFTED = 16, MOST_DRAWS = 10000 };

static const char *const usual[] = {"resnet18:conv2_1", "resnet18:conv3_2", "resnet18:conv4_2",
                                    "resnet18:conv5_2", NULL};

// One layer's row.
typedef struct {
    SlKernelTask task;
    SlKernelSchedule fallback, best;
    SlKernelResult of_fallback, of_best;
    double best_s; // so far
    int n_measured, n_failed;
    double build_s, run_s;
} KernelCase;

typedef struct {
    const KernelOptions *options;
    SlKernelBench bench;
    SlRng rng;
    double peak_gops; // the highest one of those measured between layers
    int n_cases;
    KernelCase *cases; // (n_cases)
} KernelRun;

static void draw_knob(const SlKernelTask *task, int knob, SlRng *rng, SlKernelSchedule *schedule) {
    int32_t values[SL_KERNEL_MAX_VALUES];
    int n = sl_kernel_values(task, knob, values);
    schedule->values[knob] = values[sl_rng_below(rng, (uint64_t)n)];
}

// a valid schedule: near the best, or anywhere
static void draw_valid(const KernelCase *c, bool near, SlRng *rng, SlKernelSchedule *schedule) {
    for (int draws = 0; draws < MOST_DRAWS; draws++) {
        *schedule = c->best;
        if (near) {
            for (int n = 1 + (int)sl_rng_below(rng, 2); n > 0; n--)
                draw_knob(&c->task, (int)sl_rng_below(rng, SL_N_KERNEL_KNOBS), rng, schedule);
        } else {
            for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) draw_knob(&c->task, k, rng, schedule);
        }
        if (!sl_kernel_check(&c->task, schedule)) return;
    }
    *schedule = c->fallback;
}

// the one that the draft likes best of some
static void draw_drafted(const KernelCase *c, bool near, SlRng *rng, SlKernelSchedule *schedule) {
    double least = INFINITY;
    for (int i = 0; i < (near ? 2 : DRAFTED); i++) {
        SlKernelSchedule drawn;
        draw_valid(c, near, rng, &drawn);
        double seconds = sl_kernel_draft(&c->task, &drawn);
        if (seconds < least) *schedule = drawn;
        least = fmin(least, seconds);
    }
}

static void try_schedule(KernelRun *run, KernelCase *c, const SlKernelSchedule *schedule) {
    SlKernelResult result;
    sl_kernel_measure(&run->bench, &c->task, schedule, &result);
    c->n_measured++;
    c->n_failed += result.error != SL_KERNEL_OK;
    c->run_s += result.run_s;
    if (result.error != SL_KERNEL_OK || result.median_s >= c->best_s) return;
    c->best_s = result.median_s;
    c->best = *schedule;
}

static void search_layer(KernelRun *run, KernelCase *c) {
    SlKernelSchedule drawn[BATCH];
    SlKernelResult built[BATCH];
    try_schedule(run, c, &c->fallback);
    while (c->n_measured < run->options->trials) {
        int n = (int)fmin(BATCH, (double)(run->options->trials - c->n_measured));
        for (int i = 0; i < n; i++)
            draw_drafted(c, i % 2 && c->n_measured >= BATCH, &run->rng, &drawn[i]);
        sl_kernel_build_all(&run->bench, &c->task, n, drawn, 0, built);
        for (int i = 0; i < n; i++) {
            c->build_s += built[i].build_s;
            try_schedule(run, c, &drawn[i]);
        }
    }
}

static SlStatus find_peak(KernelRun *run, const KernelCase *c, SlError *err) {
    SlKernelResult peak;
    sl_kernel_peak(&run->bench, c->task.type, c->task.vector_bytes, &peak);
    run->peak_gops = fmax(run->peak_gops, peak.gops);
    return peak.error == SL_KERNEL_OK ? SL_OK
                                      : sl_fail(err, SL_EIO, "the peak: %s: %s",
                                                sl_kernel_error_name(peak.error), peak.why);
}

static SlStatus measure_layer(KernelRun *run, KernelCase *c, SlError *err) {
    const char *why = sl_kernel_task_check(&c->task);
    if (why) return sl_fail(err, SL_EINPUT, "%s: %s", c->task.layer.name, why);
    sl_kernel_default(&c->task, &c->fallback);
    c->best = c->fallback;
    c->best_s = INFINITY;
    sl_rng_init(&run->rng, (uint64_t)run->options->seed, "bench kernel");
    if (run->options->schedule) {
        SlStatus status = sl_kernel_parse(run->options->schedule, &c->best, err);
        if (status != SL_OK) return status;
        why = sl_kernel_check(&c->task, &c->best);
        if (why) return sl_fail(err, SL_EINPUT, "--schedule: %s", why);
    } else {
        search_layer(run, c);
    }
    SlStatus status = find_peak(run, c, err);
    if (status != SL_OK) return status;
    int who = sl_kernel_duel(&run->bench, &c->task, &c->fallback, &c->best,
                             (int)run->options->repeats, &c->of_fallback, &c->of_best);
    const SlKernelResult *bad = c->of_best.error ? &c->of_best : &c->of_fallback;
    if (bad->error != SL_KERNEL_OK)
        return sl_fail(err, SL_EIO, "%s: %s: %s", c->task.layer.name,
                       sl_kernel_error_name(bad->error), bad->why);
    // a winner by luck gives way
    if (who < 0 && !run->options->schedule) {
        c->best = c->fallback;
        c->of_best = c->of_fallback;
    }
    return find_peak(run, c, err);
}

// --- Report

static void add_result(const KernelRun *run, const char *key, const SlKernelSchedule *schedule,
                       const SlKernelResult *result, SlDoc *doc) {
    char text[256], ms[32];
    double peak = run->peak_gops * (double)schedule->values[SL_KNOB_THREADS];
    bool best = strcmp(key, "best") == 0;
    snprintf(ms, sizeof ms, "%s ms", key);
    sl_doc_open(doc, key, NULL);
    sl_doc_string(doc, "schedule", NULL, sl_kernel_show(schedule, sizeof text, text));
    sl_doc_number(doc, "median_s", ms, SL_UNIT_PLAIN, result->median_s);
    sl_doc_shown(doc, "%.4g", 1e3 * result->median_s);
    sl_doc_plain(doc, "least_s", result->least_s);
    sl_doc_number(doc, "spread", best ? "spread" : NULL, SL_UNIT_SHARE, result->spread);
    bench_fixed(doc, "gops", best ? "GOP/s" : NULL, 1, result->gops);
    sl_doc_number(doc, "peak_share", "of the peak", SL_UNIT_SHARE, result->gops / peak);
    sl_doc_close(doc);
}

static void add_case(const KernelRun *run, const KernelCase *c, SlDoc *doc) {
    sl_doc_row(doc);
    sl_doc_string(doc, "layer", "layer", c->task.layer.name);
    sl_doc_plain(doc, "macs", (double)sl_layer_macs(&c->task.layer));
    add_result(run, "default", &c->fallback, &c->of_fallback, doc);
    add_result(run, "best", &c->best, &c->of_best, doc);
    bench_fixed(doc, NULL, "times faster", 2, c->of_fallback.median_s / c->of_best.median_s);
    sl_doc_plain(doc, "measured", c->n_measured);
    sl_doc_plain(doc, "failed", c->n_failed);
    sl_doc_plain(doc, "build_s", c->build_s);
    sl_doc_plain(doc, "run_s", c->run_s);
}

// the schedule, in two lines
static void add_schedule(const KernelCase *c, SlDoc *doc) {
    SlText text;
    sl_text_init(&text, sl_doc_arena(doc));
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++)
        sl_text_add(&text, "%s%s=%d",
                    k == SL_KNOB_TILE_OH ? "\n  "
                    : k == 0             ? "  "
                                         : " ",
                    sl_kernel_knobs[k].name, (int)c->best.values[k]);
    sl_doc_listing(doc, NULL, c->task.layer.name, text.data);
}

static int deliver(const Call *call, const KernelRun *run) {
    const SlKernelTask *task = &run->cases[0].task;
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc, "Layers in %s as C programs; multiply-adds alone reach %.1f GOP/s per core",
                 sl_kernel_type_names[task->type], run->peak_gops);
    sl_doc_string(doc, "type", NULL, sl_kernel_type_names[task->type]);
    sl_doc_plain(doc, "vector_bytes", task->vector_bytes);
    sl_doc_plain(doc, "threads", task->threads);
    sl_doc_plain(doc, "seed", (double)run->options->seed);
    sl_doc_plain(doc, "rounds", (double)run->options->repeats);
    sl_doc_plain(doc, "peak_gops", run->peak_gops);
    sl_doc_rows(doc, "layers", NULL);
    for (int i = 0; i < run->n_cases; i++) add_case(run, &run->cases[i], doc);
    sl_doc_close(doc);
    for (int i = 0; i < run->n_cases; i++) add_schedule(&run->cases[i], doc);
    return bench_deliver(call, doc);
}

// --- Command

static void make_cases(KernelRun *run, const BenchLayers *layers, SlArena *arena) {
    run->n_cases = layers->n;
    run->cases = call_need(SL_NEW(arena, layers->n, KernelCase));
    for (int i = 0; i < layers->n; i++)
        run->cases[i].task = (SlKernelTask){.layer = layers->list[i].layer,
                                            .type = (SlKernelType)run->options->type,
                                            .threads = (int)run->options->threads,
                                            .vector_bytes = sl_kernel_vector_bytes()};
}

static int run(Call *call) {
    KernelRun *run = call_need(SL_NEW(call->arena, 1, KernelRun));
    BenchLayers layers;
    SlError err;
    run->options = call->options;
    SlStatus status = sl_compiler_init(&run->bench.compiler, NULL, &err);
    if (status == SL_OK) status = bench_find_layers(call, usual, &layers, &err);
    if (status == SL_OK) make_cases(run, &layers, call->arena);
    for (int i = 0; i < run->n_cases && status == SL_OK; i++)
        status = measure_layer(run, &run->cases[i], &err);
    return status == SL_OK ? deliver(call, run) : call_fail(call, status, &err);
}

BENCH_ROW(
    kernel, KernelOptions, "[WORKLOAD...] ",
    "speed of generated kernels relative to the processor's peak",
    "Measures layers as generated C programs, by the default schedule and the best one of a short\n"
    "search, against the processor's peak. Without a WORKLOAD: four 3x3 layers of resnet18.",
    "starling bench kernel\nstarling bench kernel resnet18:conv2_1 --trials 200");
