// bench_map.c - `starling bench map`: samples per second of every method, seconds of whole
// networks.
//
// Methods run on one thread, alone; each figure is the best of several runs.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "map.h"
#include "text_table.h"

enum { MAX_ROWS = 32, MAP_REPEATS = 3 };

static const char *const networks[] = {"mobilenet_v2", "resnet18"};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

// A method, with the critic on and off where it has one.
typedef struct {
    const SlMethod *method;
    const char *critic;              // NULL = it has none
    double per_second[BENCH_LAYERS]; // samples
    double all_per_second;           // over all layers
} MethodRow;

typedef struct {
    int n_layers;
    int64_t samples;
    double seconds;
} NetworkRow;

typedef struct {
    const BenchOptions *options;
    SlAccel accel;
    int n_rows, n_threads;
    MethodRow rows[MAX_ROWS];
    NetworkRow nets[N_NETWORKS];
} Bench;

// ---- methods ----

// not those that think for milliseconds: they are for samples that are dear
static void list_rows(Bench *bench) {
    const SlMethod *method;
    for (int i = 0; (method = sl_method_at(i)) != NULL && bench->n_rows + 2 <= MAX_ROWS; i++) {
        if (method->thinks || method->needs & SL_NEEDS_FLOORS) continue;
        bool critic = sl_method_has_option(method, "critic");
        bench->rows[bench->n_rows++] =
            (MethodRow){.method = method, .critic = critic ? "on" : NULL};
        if (critic) bench->rows[bench->n_rows++] = (MethodRow){.method = method, .critic = "off"};
    }
}

// seconds of one run, the best of several
static SlStatus time_run(const Bench *bench, const MethodRow *row, const SlSpace *space,
                         SlArena *arena, double *seconds, SlError *err) {
    void *options = command_need(sl_arena_alloc(arena, 1, row->method->options_bytes + 1));
    sl_options_init(row->method->options, options);
    SlStatus status = SL_OK;
    if (row->critic)
        status = sl_options_set(row->method->options, options, "critic", row->critic, err);
    SlTaskSetup task = {.space = space, .goal.weight[SL_EDP] = 1};
    SlRunSetup setup = {.method = row->method,
                        .options = options,
                        .seed = (uint64_t)bench->options->seed,
                        .stream = "bench",
                        .budget = {.samples = bench->options->samples}};
    int repeats = bench->options->repeats ? (int)bench->options->repeats : MAP_REPEATS;
    *seconds = INFINITY;
    for (int r = 0; r < repeats && status == SL_OK; r++) {
        size_t mark = sl_arena_mark(arena);
        SlRecord record;
        status = sl_task_make(&task, arena, &setup.task, err);
        if (status == SL_OK) status = sl_run(&setup, NULL, NULL, arena, &record, err);
        if (status == SL_OK) *seconds = fmin(*seconds, record.seconds);
        sl_arena_rewind(arena, mark);
    }
    return status;
}

static SlStatus time_layer(Bench *bench, int i, SlError *err) {
    SlArena arena;
    SlNetwork net;
    SlSpace space;
    SlSpaceOptions native = {0};
    sl_arena_init(&arena, 0);
    SlStatus status = sl_workload_find(bench_layers[i].layer, 1, &arena, &net, err);
    if (status == SL_OK)
        status = sl_space_make(net.layers, &bench->accel, &native, &arena, &space, err);
    for (int r = 0; r < bench->n_rows && status == SL_OK; r++) {
        double seconds = 0;
        status = time_run(bench, &bench->rows[r], &space, &arena, &seconds, err);
        bench->rows[r].per_second[i] = (double)bench->options->samples / seconds;
        bench->rows[r].all_per_second += seconds / BENCH_LAYERS;
    }
    sl_arena_free(&arena);
    return status;
}

static SlStatus time_methods(Bench *bench, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < BENCH_LAYERS && status == SL_OK; i++) status = time_layer(bench, i, err);
    // seconds so far
    for (int r = 0; r < bench->n_rows; r++)
        bench->rows[r].all_per_second =
            (double)bench->options->samples / bench->rows[r].all_per_second;
    return status;
}

// ---- networks ----

// what `starling map NETWORK` does, from reading the network to the last mapping
static SlStatus time_network(Bench *bench, int i, SlError *err) {
    MapOptions options = {0};
    SlArena arena;
    Map map;
    map_options_init(&options);
    options.common.quiet = true;
    options.accel = bench->options->accel;
    options.samples = bench->options->samples;
    options.seed = bench->options->seed;
    options.threads = bench->options->threads;
    sl_arena_init(&arena, 0);
    double begun = sl_clock_seconds();
    SlStatus status = map_plan(&options, networks[i], &arena, &map, err);
    if (status == SL_OK) status = map_run(&map, err);
    if (status == SL_OK) status = map_finish(&map, err);
    if (status == SL_OK)
        bench->nets[i] = (NetworkRow){map.n_layers, map_samples(&map), sl_clock_seconds() - begun};
    if (status == SL_OK && map.signal) status = sl_fail(err, SL_EINPUT, "interrupted");
    map_free(&map);
    sl_arena_free(&arena);
    return status;
}

// ---- showing it ----

static void show_methods(const Bench *bench, SlArena *arena, SlText *out) {
    TextTable table;
    char heads[256] = "<method", count[32];
    for (int i = 0; i < BENCH_LAYERS; i++) {
        strncat(heads, "|", sizeof heads - strlen(heads) - 1);
        strncat(heads, bench_layers[i].name, sizeof heads - strlen(heads) - 1);
    }
    strncat(heads, "|all", sizeof heads - strlen(heads) - 1);
    sl_text_add(out,
                "Samples per second on one thread: %s samples per layer on %s, edp, best run\n\n",
                sl_show_count((double)bench->options->samples, count), bench->accel.name);
    table_init(&table, arena, heads);
    for (int r = 0; r < bench->n_rows; r++) {
        const MethodRow *row = &bench->rows[r];
        table_row(&table);
        table_cell(&table, "%s%s%s", row->method->name, row->critic ? ", critic " : "",
                   row->critic ? row->critic : "");
        for (int i = 0; i < BENCH_LAYERS; i++)
            table_cell(&table, "%s", sl_show_count(floor(row->per_second[i]), count));
        table_cell(&table, "%s", sl_show_count(floor(row->all_per_second), count));
    }
    table_draw(&table, out);
}

static void show_networks(const Bench *bench, SlArena *arena, SlText *out) {
    TextTable table;
    char count[32];
    sl_text_add(out, "\nWhole networks as 'starling map' does them, %d thread%s\n\n",
                bench->n_threads, bench->n_threads == 1 ? "" : "s");
    table_init(&table, arena, "<network|distinct layers|samples|seconds");
    for (int i = 0; i < N_NETWORKS; i++) {
        table_row(&table);
        table_cell(&table, "%s", networks[i]);
        table_cell(&table, "%d", bench->nets[i].n_layers);
        table_cell(&table, "%s", sl_show_count((double)bench->nets[i].samples, count));
        table_cell(&table, "%.2f", bench->nets[i].seconds);
    }
    table_draw(&table, out);
}

static json_t *row_json(const MethodRow *row) {
    json_t *to = command_need(json_object()), *layers = command_need(json_array());
    for (int i = 0; i < BENCH_LAYERS; i++) {
        json_t *layer = command_need(json_object());
        json_put_text(layer, "layer", bench_layers[i].name);
        json_put_number(layer, "samples_per_second", row->per_second[i]);
        json_add(layers, layer);
    }
    json_put_text(to, "method", row->method->name);
    json_put(to, "critic", row->critic ? json_string(row->critic) : json_null());
    json_put_number(to, "samples_per_second", row->all_per_second);
    json_put(to, "layers", layers);
    return to;
}

static json_t *bench_json(const Bench *bench) {
    json_t *document = command_need(sl_json_document("bench-map", 1));
    json_t *methods = command_need(json_array()), *nets = command_need(json_array());
    for (int r = 0; r < bench->n_rows; r++) json_add(methods, row_json(&bench->rows[r]));
    for (int i = 0; i < N_NETWORKS; i++) {
        json_t *to = command_need(json_object());
        json_put_text(to, "network", networks[i]);
        json_put(to, "n_distinct", json_integer(bench->nets[i].n_layers));
        json_put(to, "samples", json_integer(bench->nets[i].samples));
        json_put_number(to, "seconds", bench->nets[i].seconds);
        json_add(nets, to);
    }
    json_put_text(document, "accel", bench->options->accel);
    json_put(document, "threads", json_integer(bench->n_threads));
    json_put(document, "samples", json_integer(bench->options->samples));
    json_put(document, "seed", json_integer(bench->options->seed));
    json_put(document, "methods", methods);
    json_put(document, "networks", nets);
    return document;
}

static int deliver(const Bench *bench, SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    show_methods(bench, arena, &text);
    show_networks(bench, arena, &text);
    json_t *json = command_wants_json(&bench->options->common) ? bench_json(bench) : NULL;
    return command_deliver(&bench->options->common, "bench-map", &text, json, CODE_DONE);
}

int bench_map(const BenchOptions *options) {
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    Bench *bench = command_need(SL_NEW(&arena, 1, Bench));
    bench->options = options;
    SlPool *pool = command_need(sl_pool_make((int)options->threads));
    bench->n_threads = sl_pool_threads(pool);
    sl_pool_free(pool);
    list_rows(bench);
    SlStatus status = sl_accel_find(options->accel, &arena, &bench->accel, &err);
    if (status == SL_OK) status = time_methods(bench, &err);
    for (int i = 0; i < N_NETWORKS && status == SL_OK; i++) status = time_network(bench, i, &err);
    int code = status == SL_OK ? deliver(bench, &arena) : command_fail(status, &err);
    sl_arena_free(&arena);
    return code;
}
