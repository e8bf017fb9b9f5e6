// bench_vta.c - `starling bench vta`: microseconds per simulated schedule of the VTA core.
//
// Schedules are the valid ones of ResNet-18's convolutions on the default core, all of them or
// every n-th. Each is timed on its own and counts with its best pass.
#include <math.h>

#include "bench.h"
#include "starling/task/programs.h"

typedef struct {
    CommonOptions common;
    int64_t nests, repeats;
} VtaBenchOptions;

static const SlOption options_table[] = {
    BENCH_NESTS(VtaBenchOptions, "schedules per layer, at most"),
    BENCH_REPEATS(VtaBenchOptions, "3", BENCH_PASSES),
    COMMON_OPTIONS,
    {0},
};

enum { MAX_ROWS = 32 };

// One row: a layer, or all of them.
typedef struct {
    const char *name;
    int space, valid, timed;
    double insns; // of all that was timed
    BenchSpread us;
    double insns_per_second;
    double best; // cycles of the best schedule that was timed, 0 = none
} Row;

// the valid schedules of a layer, at most `most` of them, evenly spread
static SlStatus list_schedules(const SlLayer *layer, int64_t most, SlArena *arena, Row *row,
                               SlVtaTask *vta, SlVtaSchedule **list, SlError *err) {
    SlTask *task;
    int32_t point[SL_MAX_PARAMS];
    SlTaskSetup setup = {.kind = &sl_kind_vta, .layer = layer};
    SlStatus status = sl_task_make(&setup, arena, &task, err);
    if (status != SL_OK) return status;
    row->space = (int)sl_task_space(task)->n_points;
    *list = call_need(SL_NEW(arena, row->space, SlVtaSchedule));
    for (int i = 0; i < row->space; i++) {
        sl_space_at(sl_task_space(task), i, point);
        sl_task_vta(task, point, vta, &(*list)[row->valid]);
        row->valid += sl_vta_check(vta, &(*list)[row->valid], NULL);
    }
    row->timed = row->valid < most ? row->valid : (int)most;
    for (int i = 0; i < row->timed; i++)
        (*list)[i] = (*list)[(int)((int64_t)i * row->valid / row->timed)];
    return SL_OK;
}

// best of several passes of each, into `times` (row->timed)
static SlStatus time_schedules(const SlVtaTask *task, const SlVtaSchedule *list, int64_t repeats,
                               SlArena *scratch, Row *row, double *times, SlError *err) {
    row->best = INFINITY;
    bench_forget(row->timed, times);
    for (int64_t r = 0; r < repeats; r++) {
        row->insns = 0;
        for (int i = 0; i < row->timed; i++) {
            SlVtaTime time;
            double start = sl_clock_seconds();
            SlStatus status = sl_vta_time(task, &list[i], scratch, &time, err);
            times[i] = fmin(times[i], 1e6 * (sl_clock_seconds() - start));
            if (status != SL_OK) return status;
            row->insns += (double)time.insns;
            row->best = fmin(row->best, time.cycles);
        }
    }
    return SL_OK;
}

static void set_times(Row *row, double *times) {
    double sum = 0;
    for (int i = 0; i < row->timed; i++) sum += times[i];
    row->insns_per_second = row->insns / sum * 1e6;
    row->us = bench_spread(row->timed, times);
}

static SlStatus run_layer(const VtaBenchOptions *options, const SlLayer *layer, SlArena *arena,
                          Row *row, double *times, SlError *err) {
    SlVtaTask task;
    SlVtaSchedule *list;
    *row = (Row){.name = layer->name};
    SlStatus status = list_schedules(layer, options->nests, arena, row, &task, &list, err);
    if (status == SL_OK)
        status = time_schedules(&task, list, options->repeats, arena, row, times, err);
    if (status == SL_OK) set_times(row, times);
    return status;
}

// the first layer has fewer channels than a block and stays with the host, as upstream does it
static bool takes(const SlLayer *layer) {
    SlVtaCore core;
    SlVtaTask task;
    sl_vta_core_init(&core);
    return layer->type == SL_CONV && layer->dims[SL_C] >= core.block_in &&
           !sl_vta_task(&core, layer, &task);
}

// rows of the `n` layers, then one of all
static SlStatus run_all(const VtaBenchOptions *options, SlArena *arena, int *n, Row *rows,
                        SlError *err) {
    BenchLayers layers = {0};
    SlStatus status = bench_add_layers("resnet18", arena, &layers, err);
    double *times = call_need(SL_NEW(arena, options->nests * MAX_ROWS, double));
    Row all = {.name = "all"};
    *n = 0;
    for (int i = 0; i < layers.n && *n < MAX_ROWS && status == SL_OK; i++) {
        if (!takes(&layers.list[i].layer)) continue;
        Row *row = &rows[(*n)++];
        status = run_layer(options, &layers.list[i].layer, arena, row, times + all.timed, err);
        all.space += row->space;
        all.valid += row->valid;
        all.timed += row->timed;
        all.insns += row->insns;
    }
    if (status == SL_OK) set_times(&all, times);
    rows[*n] = all;
    return status;
}

// ---- showing it ----

static void add_members(const Row *row, SlDoc *doc) {
    sl_doc_string(doc, "layer", "ResNet-18", row->name);
    bench_fixed(doc, "space", "space", 0, row->space);
    bench_fixed(doc, "valid", "valid", 0, row->valid);
    bench_fixed(doc, "timed", "timed", 0, row->timed);
    bench_fixed(doc, "mean_instructions", "mean insns", 0, row->insns / row->timed);
    bench_fixed(doc, "median_us", "median", 1, row->us.median);
    bench_fixed(doc, "p90_us", "90 %", 1, row->us.p90);
    bench_fixed(doc, "worst_us", "worst", 0, row->us.worst);
    sl_doc_number(doc, "instructions_per_second", "M insns/s", SL_UNIT_RATE, row->insns_per_second);
    sl_doc_shown(doc, "%.1f", row->insns_per_second / 1e6);
    if (row->best > 0) sl_doc_number(doc, "best_cycles", "best cycles", SL_UNIT_COUNT, row->best);
}

static int run(Call *call) {
    const VtaBenchOptions *options = call->options;
    Row rows[MAX_ROWS + 1];
    SlError err;
    int n;
    SlStatus status = run_all(options, call->arena, &n, rows, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc, "Microseconds per simulated schedule of VTA, default core, one thread");
    bench_options(call, "repeats nests", doc);
    sl_doc_rows(doc, "layers", NULL);
    for (int i = 0; i <= n; i++) {
        bench_row(doc, i, n);
        add_members(&rows[i], doc);
    }
    sl_doc_close(doc);
    return bench_deliver(call, doc);
}

BENCH_ROW(vta, VtaBenchOptions, "", "time per simulated schedule of the VTA core (us)",
          "Measures the time to simulate a schedule on the VTA core, for valid schedules of "
          "ResNet-18's layers.",
          "starling bench vta\nstarling bench vta --nests 256 --json");
