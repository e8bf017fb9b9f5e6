// bench_kernel.c - `starling bench kernel`: layers as C programs on this processor, the default
// schedule and the best one of a quick search, beside the peak of fused multiply-adds.
//
// The search is not a method of the library: half of the trials are random schedules that the draft
// likes best among a few, half change one or two knobs of the best so far. The winner and the
// default are measured again in turns, so that luck does not count.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "bench.h"
#include "starling/kernel.h"
#include "text_table.h"

enum { KERNEL_REPEATS = 5, BATCH = 8, DRAFTED = 16, MOST_DRAWS = 10000 };

static const char *const usual_layers[] = {"resnet18:conv2_1", "resnet18:conv3_2",
                                           "resnet18:conv4_2", "resnet18:conv5_2"};

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
    const BenchOptions *options;
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

static void show_case(const KernelRun *run, const KernelCase *c, TextTable *table) {
    double peak = run->peak_gops * (double)c->best.values[SL_KNOB_THREADS];
    table_row(table);
    table_cell(table, "%s", c->task.layer.name);
    table_cell(table, "%.4g", c->of_fallback.median_s * 1e3);
    table_cell(table, "%.0f %%", 100 * c->of_fallback.gops / peak);
    table_cell(table, "%.4g", c->of_best.median_s * 1e3);
    table_cell(table, "%.1f", c->of_best.gops);
    table_cell(table, "%.0f %%", 100 * c->of_best.gops / peak);
    table_cell(table, "%.2f", c->of_fallback.median_s / c->of_best.median_s);
    table_cell(table, "%.1f %%", 100 * c->of_best.spread);
}

// the schedule, in two lines
static void show_best(const KernelCase *c, SlText *out) {
    sl_text_add(out, "\n%s:", c->task.layer.name);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++)
        sl_text_add(out, "%s%s=%d", k == 0 || k == SL_KNOB_TILE_OH ? "\n  " : " ",
                    sl_kernel_knobs[k].name, (int)c->best.values[k]);
    sl_text_add(out, "\n");
}

static void show_run(const KernelRun *run, SlArena *arena, SlText *out) {
    TextTable table;
    SlKernelType type = run->cases[0].task.type;
    sl_text_add(out,
                "Layers in %s as C programs; multiply-adds alone reach %.1f GOP/s per core\n\n",
                sl_kernel_type_names[type], run->peak_gops);
    table_init(&table, arena,
               "~layer|default ms|of the peak|best ms|GOP/s|of the peak|times faster|spread");
    for (int i = 0; i < run->n_cases; i++) show_case(run, &run->cases[i], &table);
    table_draw(&table, out);
    for (int i = 0; i < run->n_cases; i++) show_best(&run->cases[i], out);
}

static json_t *result_json(const KernelRun *run, const SlKernelSchedule *schedule,
                           const SlKernelResult *result) {
    char text[256];
    json_t *to = command_need(json_object());
    json_put_text(to, "schedule", sl_kernel_show(schedule, sizeof text, text));
    json_put_number(to, "median_s", result->median_s);
    json_put_number(to, "least_s", result->least_s);
    json_put_number(to, "spread", result->spread);
    json_put_number(to, "gops", result->gops);
    json_put_number(to, "peak_share",
                    result->gops / run->peak_gops / (double)schedule->values[SL_KNOB_THREADS]);
    return to;
}

static json_t *run_json(const KernelRun *run) {
    json_t *document = command_need(sl_json_document("bench-kernel", 1));
    json_t *layers = command_need(json_array());
    for (int i = 0; i < run->n_cases; i++) {
        const KernelCase *c = &run->cases[i];
        json_t *to = command_need(json_object());
        json_put_text(to, "layer", c->task.layer.name);
        json_put_number(to, "macs", (double)sl_layer_macs(&c->task.layer));
        json_put(to, "default", result_json(run, &c->fallback, &c->of_fallback));
        json_put(to, "best", result_json(run, &c->best, &c->of_best));
        json_put(to, "measured", json_integer(c->n_measured));
        json_put(to, "failed", json_integer(c->n_failed));
        json_put_number(to, "build_s", c->build_s);
        json_put_number(to, "run_s", c->run_s);
        json_add(layers, to);
    }
    json_put_text(document, "type", sl_kernel_type_names[run->cases[0].task.type]);
    json_put(document, "vector_bytes", json_integer(run->cases[0].task.vector_bytes));
    json_put(document, "threads", json_integer(run->cases[0].task.threads));
    json_put(document, "seed", json_integer(run->options->seed));
    json_put(document, "rounds", json_integer(run->options->repeats));
    json_put_number(document, "peak_gops", run->peak_gops);
    json_put(document, "layers", layers);
    return document;
}

// --- Command

// the cases of one workload behind those there are
static SlStatus add_workload(KernelRun *run, const char *workload, SlArena *arena, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(workload, 1, arena, &net, err);
    if (status != SL_OK) return status;
    int *first = command_need(SL_NEW(arena, net.n_layers, int));
    sl_network_distinct(&net, first);
    KernelCase *cases = command_need(SL_NEW(arena, run->n_cases + net.n_layers, KernelCase));
    if (run->n_cases) memcpy(cases, run->cases, sizeof *cases * (size_t)run->n_cases);
    for (int i = 0; i < net.n_layers; i++) {
        if (first[i] != i) continue;
        cases[run->n_cases++].task =
            (SlKernelTask){.layer = net.layers[i],
                           .type = (SlKernelType)run->options->type,
                           .threads = (int)fmax(1, (double)run->options->threads),
                           .vector_bytes = sl_kernel_vector_bytes()};
    }
    run->cases = cases;
    return SL_OK;
}

static SlStatus make_run(KernelRun *run, int n, const char *const *workloads, SlArena *arena,
                         SlError *err) {
    const int n_usual = (int)(sizeof usual_layers / sizeof *usual_layers);
    SlStatus status = sl_compiler_init(&run->bench.compiler, NULL, err);
    for (int i = 0; i < (n ? n : n_usual) && status == SL_OK; i++)
        status = add_workload(run, n ? workloads[i] : usual_layers[i], arena, err);
    for (int i = 0; i < run->n_cases && status == SL_OK; i++)
        status = measure_layer(run, &run->cases[i], err);
    return status;
}

int bench_kernel(const BenchOptions *given, int n_workloads, const char *const *workloads) {
    SlArena arena;
    SlText text;
    SlError err;
    BenchOptions options = *given;
    KernelRun run = {.options = &options};
    if (options.repeats == 0) options.repeats = KERNEL_REPEATS;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    SlStatus status = make_run(&run, n_workloads, workloads, &arena, &err);
    int code;
    if (status == SL_OK) {
        show_run(&run, &arena, &text);
        json_t *json = command_wants_json(&options.common) ? run_json(&run) : NULL;
        code = command_deliver(&options.common, "bench-kernel", &text, json, CODE_DONE);
    } else {
        code = command_fail(status, &err);
    }
    sl_arena_free(&arena);
    return code;
}
