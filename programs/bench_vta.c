// bench_vta.c - `starling bench vta`: microseconds per simulated schedule of the VTA core.
//
// Schedules are the valid ones of ResNet-18's convolutions on the default core, all of them or
// every n-th. Each is timed on its own and counts with its best pass.
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "starling/vta.h"
#include "text_table.h"

enum { VTA_REPEATS = 3, MAX_DIVISORS = 64, MAX_ROWS = 32, N_AXES = 7 };

// One row: a layer, or all of them.
typedef struct {
    char name[64];
    int space, valid, timed;
    double insns;                  // of all that was timed
    double median, p90, worst;     // microseconds
    double insns_per_second, best; // cycles of the best schedule that was timed
} Row;

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// ---- schedules ----

// what each number of a schedule can be
typedef struct {
    int n[N_AXES], value[N_AXES][MAX_DIVISORS];
} Choices;

static void list_choices(const SlVtaTask *task, Choices *choices) {
    const int extents[N_AXES] = {task->n, task->rows, task->columns, task->ci, task->co, 2, 2};
    for (int a = 0; a < N_AXES; a++) {
        choices->n[a] = 0;
        for (int i = 1; i <= extents[a] && choices->n[a] < MAX_DIVISORS; i++)
            if (extents[a] % i == 0) choices->value[a][choices->n[a]++] = i;
    }
}

static int count_space(const Choices *choices) {
    int space = 1;
    for (int a = 0; a < N_AXES; a++) space *= choices->n[a];
    return space;
}

static SlVtaSchedule schedule_at(const Choices *choices, int at) {
    int picked[N_AXES];
    for (int a = N_AXES - 1; a >= 0; a--) {
        picked[a] = choices->value[a][at % choices->n[a]];
        at /= choices->n[a];
    }
    return (SlVtaSchedule){.b = picked[0],
                           .h = picked[1],
                           .w = picked[2],
                           .ci = picked[3],
                           .co = picked[4],
                           .oc_threads = picked[5],
                           .h_threads = picked[6]};
}

// the valid schedules of a layer, at most `most` of them, evenly spread
static SlVtaSchedule *list_schedules(const SlVtaTask *task, int64_t most, SlArena *arena,
                                     Row *row) {
    Choices choices;
    list_choices(task, &choices);
    row->space = count_space(&choices);
    SlVtaSchedule *list = command_need(SL_NEW(arena, row->space, SlVtaSchedule));
    for (int i = 0; i < row->space; i++) {
        SlVtaSchedule schedule = schedule_at(&choices, i);
        if (sl_vta_check(task, &schedule, NULL)) list[row->valid++] = schedule;
    }
    row->timed = row->valid < most ? row->valid : (int)most;
    for (int i = 0; i < row->timed; i++)
        list[i] = list[(int)((int64_t)i * row->valid / row->timed)];
    return list;
}

// ---- timing ----

// best of several passes of each, into `times` (row->timed)
static SlStatus time_schedules(const SlVtaTask *task, const SlVtaSchedule *list, int64_t repeats,
                               SlArena *scratch, Row *row, double *times, SlError *err) {
    row->best = INFINITY;
    for (int i = 0; i < row->timed; i++) times[i] = INFINITY;
    for (int64_t r = 0; r < repeats; r++) {
        row->insns = 0;
        for (int i = 0; i < row->timed; i++) {
            SlVtaTime time;
            double start = now_us();
            SlStatus status = sl_vta_time(task, &list[i], scratch, &time, err);
            times[i] = fmin(times[i], now_us() - start);
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
    row->median = sl_quantile(row->timed, times, 0.5);
    row->p90 = sl_quantile(row->timed, times, 0.9);
    row->worst = sl_quantile(row->timed, times, 1);
}

// the first layer has fewer channels than a block and stays with the host, as upstream does it
static bool takes(const SlVtaCore *core, const SlLayer *layer, SlVtaTask *task) {
    return layer->type == SL_CONV && layer->dims[SL_C] >= core->block_in &&
           !sl_vta_task(core, layer, task);
}

static int64_t passes(const BenchOptions *options) {
    return options->repeats ? options->repeats : VTA_REPEATS;
}

// rows of the layers, then one of all; returns how many layers there are, -1 = it failed
static int run_all(const BenchOptions *options, SlArena *arena, Row *rows, SlError *err) {
    SlNetwork net;
    SlVtaCore core;
    SlVtaTask task;
    sl_vta_core_init(&core);
    if (sl_workload_find("resnet18", 1, arena, &net, err) != SL_OK) return -1;
    int *first = command_need(SL_NEW(arena, net.n_layers, int));
    sl_network_distinct(&net, first);
    double *times = command_need(SL_NEW(arena, options->nests * MAX_ROWS, double));
    Row all = {.name = "all"};
    int n = 0;
    for (int i = 0; i < net.n_layers && n < MAX_ROWS; i++) {
        if (first[i] != i || !takes(&core, &net.layers[i], &task)) continue;
        Row *row = &rows[n++];
        *row = (Row){.space = 0};
        memcpy(row->name, net.layers[i].name, sizeof row->name);
        const SlVtaSchedule *list = list_schedules(&task, options->nests, arena, row);
        if (time_schedules(&task, list, passes(options), arena, row, times + all.timed, err) !=
            SL_OK)
            return -1;
        set_times(row, times + all.timed);
        all.space += row->space;
        all.valid += row->valid;
        all.timed += row->timed;
        all.insns += row->insns;
    }
    set_times(&all, times);
    rows[n] = all;
    return n;
}

// ---- showing it ----

static void show(int n, const Row *rows, SlArena *arena, SlText *out) {
    TextTable table;
    sl_text_add(out, "Microseconds per simulated schedule of VTA, default core, one thread\n\n");
    table_init(&table, arena,
               "<ResNet-18|space|valid|timed|mean insns|median|90 %|worst|M insns/s|best cycles");
    for (int i = 0; i <= n; i++) {
        const Row *row = &rows[i];
        char cycles[32];
        if (i == n) table_rule(&table);
        table_row(&table);
        table_cell(&table, "%s", row->name);
        table_cell(&table, "%d", row->space);
        table_cell(&table, "%d", row->valid);
        table_cell(&table, "%d", row->timed);
        table_cell(&table, "%.0f", row->insns / row->timed);
        table_cell(&table, "%.1f", row->median);
        table_cell(&table, "%.1f", row->p90);
        table_cell(&table, "%.0f", row->worst);
        table_cell(&table, "%.1f", row->insns_per_second / 1e6);
        table_cell(&table, "%s", i < n ? sl_show_count(row->best, cycles) : "");
    }
    table_draw(&table, out);
}

static json_t *row_json(const Row *row) {
    json_t *json = command_need(json_object());
    json_put(json, "layer", json_string(row->name));
    json_put(json, "space", json_integer(row->space));
    json_put(json, "valid", json_integer(row->valid));
    json_put(json, "timed", json_integer(row->timed));
    json_put(json, "mean_instructions", sl_json_number(row->insns / row->timed));
    json_put(json, "median_us", sl_json_number(row->median));
    json_put(json, "p90_us", sl_json_number(row->p90));
    json_put(json, "worst_us", sl_json_number(row->worst));
    json_put(json, "instructions_per_second", sl_json_number(row->insns_per_second));
    if (row->best > 0) json_put(json, "best_cycles", sl_json_number(row->best));
    return json;
}

static json_t *results_json(const BenchOptions *options, int n, const Row *rows) {
    json_t *json = command_need(sl_json_document("bench-vta", 1));
    json_t *list = command_need(json_array());
    for (int i = 0; i < n; i++) json_add(list, row_json(&rows[i]));
    json_put(json, "repeats", json_integer(passes(options)));
    json_put(json, "nests", json_integer(options->nests));
    json_put(json, "layers", list);
    json_put(json, "all", row_json(&rows[n]));
    return json;
}

int bench_vta(const BenchOptions *options) {
    Row rows[MAX_ROWS + 1];
    SlArena arena;
    SlText text;
    SlError err;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    int code, n = run_all(options, &arena, rows, &err);
    if (n < 0) {
        code = command_fail(SL_EINPUT, &err);
    } else {
        show(n, rows, &arena, &text);
        json_t *json = command_wants_json(&options->common) ? results_json(options, n, rows) : NULL;
        code = command_deliver(&options->common, "bench-vta", &text, json, CODE_DONE);
    }
    sl_arena_free(&arena);
    return code;
}
