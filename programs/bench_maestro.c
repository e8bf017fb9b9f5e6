// bench_maestro.c - `starling bench maestro`: microseconds per evaluation of MAESTRO's model.
//
// Mappings are random and of GAMMA's form: two levels that map all dims each, in random orders,
// with random tiles, one dim spread per level and a random cluster size. Every evaluation is timed
// on its own and counts with its best pass.
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "starling/cost/maestro.h"
#include "text_table.h"

enum { MAESTRO_REPEATS = 5, BENCH_PES = 168 };

static const char *const networks[] = {"alexnet", "vgg16", "resnet18", "mobilenet_v2"};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

// One row: a network, or all of them.
typedef struct {
    const char *name;
    int n_layers, n_mappings;
    int n_refused;                  // mappings without a result
    double quartile[3], p99, worst; // microseconds
} Row;

// A layer with the mapping to price.
typedef struct {
    SlMaestroLayer shape;
    SlMaestroMapping mapping;
} Sample;

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// ---- drawing ----

// dims of a level as GAMMA names them: outputs, and whole filters
static int list_vars(const SlMaestroLayer *shape, int vars[SL_N_MV]) {
    int n = 0;
    for (int v = 0; v < SL_N_MV; v++) {
        if (!shape->size[v]) continue;
        vars[n++] = v == SL_MV_Y ? SL_MV_YO : v == SL_MV_X ? SL_MV_XO : v;
    }
    return n;
}

static bool is_filter(int var) {
    return var == SL_MV_R || var == SL_MV_S;
}

// one level: tiles of at most `sizes`, which become those tiles
static void draw_level(int n, int *vars, int32_t *sizes, SlRng *rng, SlMaestroMapping *out) {
    sl_rng_shuffle(rng, n, vars);
    int spread = 0;
    while (is_filter(vars[spread])) spread++;
    for (int i = spread + 1, seen = 1; i < n; i++)
        if (!is_filter(vars[i]) && sl_rng_below(rng, (uint64_t)++seen) == 0) spread = i;
    for (int i = 0; i < n; i++) {
        int v = vars[i];
        if (!is_filter(v)) sizes[v] = (int32_t)sl_rng_range(rng, 1, sizes[v]);
        out->list[out->n++] = (SlDirective){.kind = i == spread ? SL_MAP_SPATIAL : SL_MAP_TEMPORAL,
                                            .var = (uint8_t)v,
                                            .size = sizes[v],
                                            .offset = sizes[v]};
    }
}

static void draw_mapping(const SlMaestroLayer *shape, SlRng *rng, SlMaestroMapping *out) {
    int vars[SL_N_MV], n = list_vars(shape, vars);
    int32_t sizes[SL_N_MV];
    for (int v = 0; v < SL_N_MV; v++) sizes[v] = shape->size[v];
    sizes[SL_MV_YO] = shape->size[SL_MV_Y] - shape->size[SL_MV_R] + 1;
    sizes[SL_MV_XO] = shape->size[SL_MV_X] - shape->size[SL_MV_S] + 1;
    out->n = 0;
    draw_level(n, vars, sizes, rng, out);
    out->list[out->n++] = (SlDirective){
        .kind = SL_MAP_CLUSTER, .unit = 'P', .size = (int32_t)sl_rng_range(rng, 1, BENCH_PES)};
    draw_level(n, vars, sizes, rng, out);
}

// mappings of the distinct convolutions of a network, layer by layer in turn
static SlStatus draw_samples(const char *network, int64_t seed, SlArena *arena, Row *row,
                             Sample *samples, SlError *err) {
    SlNetwork net;
    SlRng rng;
    SlStatus status = sl_workload_find(network, 1, arena, &net, err);
    if (status != SL_OK) return status;
    int *first = command_need(SL_NEW(arena, net.n_layers, int));
    SlMaestroLayer *shapes = command_need(SL_NEW(arena, net.n_layers, SlMaestroLayer));
    sl_network_distinct(&net, first);
    for (int i = 0; i < net.n_layers; i++)
        if (first[i] == i && !sl_maestro_shape(&net.layers[i], &shapes[row->n_layers]))
            row->n_layers += shapes[row->n_layers].type != SL_MAESTRO_GEMM;
    assert(row->n_layers > 0);
    sl_rng_init(&rng, (uint64_t)seed, network);
    for (int i = 0; i < row->n_mappings; i++) {
        samples[i].shape = shapes[i % row->n_layers];
        draw_mapping(&samples[i].shape, &rng, &samples[i].mapping);
    }
    return SL_OK;
}

// ---- timing ----

// best of several passes of each; returns how many are refused
static int time_samples(int n, const Sample *samples, int64_t repeats, double *best) {
    SlMaestroHardware hardware;
    SlMaestroCost cost;
    SlMaestroFault fault;
    int n_refused = 0;
    sl_maestro_hardware_init(&hardware);
    hardware.num_pes = BENCH_PES;
    hardware.noc_bw = 64;
    for (int i = 0; i < n; i++) best[i] = INFINITY;
    for (int64_t r = 0; r < repeats; r++) {
        n_refused = 0;
        for (int i = 0; i < n; i++) {
            double start = now_us();
            bool priced = sl_maestro_eval(&samples[i].shape, &samples[i].mapping, &hardware, NULL,
                                          &cost, &fault);
            best[i] = fmin(best[i], now_us() - start);
            n_refused += !priced;
        }
    }
    return n_refused;
}

static void set_times(Row *row, double *times) {
    for (int q = 0; q < 3; q++)
        row->quartile[q] = sl_quantile(row->n_mappings, times, 0.25 * (q + 1));
    row->p99 = sl_quantile(row->n_mappings, times, 0.99);
    row->worst = sl_quantile(row->n_mappings, times, 1);
}

static SlStatus run_all(const BenchOptions *options, SlArena *arena, Row *rows, SlError *err) {
    int n = (int)options->nests;
    double *times = command_need(SL_NEW(arena, n * N_NETWORKS, double));
    Sample *samples = command_need(SL_NEW(arena, n, Sample));
    Row *all = &rows[N_NETWORKS];
    *all = (Row){.name = "all", .n_mappings = n * N_NETWORKS};
    for (int i = 0; i < N_NETWORKS; i++) {
        rows[i] = (Row){.name = networks[i], .n_mappings = n};
        SlStatus status = draw_samples(networks[i], options->seed, arena, &rows[i], samples, err);
        if (status != SL_OK) return status;
        int64_t repeats = options->repeats ? options->repeats : MAESTRO_REPEATS;
        rows[i].n_refused = time_samples(n, samples, repeats, times + (size_t)i * (size_t)n);
        set_times(&rows[i], times + (size_t)i * (size_t)n);
        all->n_layers += rows[i].n_layers;
        all->n_refused += rows[i].n_refused;
    }
    set_times(all, times);
    return SL_OK;
}

// ---- showing it ----

static void show(const Row *rows, SlArena *arena, SlText *out) {
    TextTable table;
    sl_text_add(out,
                "Microseconds per evaluation of MAESTRO's model, two-level mappings, %d PEs, "
                "one thread\n\n",
                BENCH_PES);
    table_init(&table, arena, "<network|layers|mappings|refused|25 %|median|75 %|99 %|worst");
    for (int i = 0; i <= N_NETWORKS; i++) {
        const Row *row = &rows[i];
        if (i == N_NETWORKS) table_rule(&table);
        table_row(&table);
        table_cell(&table, "%s", row->name);
        table_cell(&table, "%d", row->n_layers);
        table_cell(&table, "%d", row->n_mappings);
        table_cell(&table, "%d", row->n_refused);
        for (int q = 0; q < 3; q++) table_cell(&table, "%.1f", row->quartile[q]);
        table_cell(&table, "%.1f", row->p99);
        table_cell(&table, "%.1f", row->worst);
    }
    table_draw(&table, out);
}

static json_t *row_json(const Row *row) {
    json_t *json = command_need(json_object());
    json_put(json, "network", json_string(row->name));
    json_put(json, "layers", json_integer(row->n_layers));
    json_put(json, "mappings", json_integer(row->n_mappings));
    json_put(json, "refused", json_integer(row->n_refused));
    json_put(json, "p25_us", sl_json_number(row->quartile[0]));
    json_put(json, "median_us", sl_json_number(row->quartile[1]));
    json_put(json, "p75_us", sl_json_number(row->quartile[2]));
    json_put(json, "p99_us", sl_json_number(row->p99));
    json_put(json, "worst_us", sl_json_number(row->worst));
    return json;
}

static json_t *results_json(const BenchOptions *options, const Row *rows) {
    json_t *json = command_need(sl_json_document("bench-maestro", 1));
    json_t *list = command_need(json_array());
    for (int i = 0; i < N_NETWORKS; i++) json_add(list, row_json(&rows[i]));
    json_put(json, "num_pes", json_integer(BENCH_PES));
    json_put(json, "repeats", json_integer(options->repeats ? options->repeats : MAESTRO_REPEATS));
    json_put(json, "nests", json_integer(options->nests));
    json_put(json, "seed", json_integer(options->seed));
    json_put(json, "networks", list);
    json_put(json, "all", row_json(&rows[N_NETWORKS]));
    return json;
}

int bench_maestro(const BenchOptions *options) {
    Row rows[N_NETWORKS + 1];
    SlArena arena;
    SlText text;
    SlError err;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    int code;
    SlStatus status = run_all(options, &arena, rows, &err);
    if (status != SL_OK) {
        code = command_fail(status, &err);
    } else {
        show(rows, &arena, &text);
        json_t *json = command_wants_json(&options->common) ? results_json(options, rows) : NULL;
        code = command_deliver(&options->common, "bench-maestro", &text, json, CODE_DONE);
    }
    sl_arena_free(&arena);
    return code;
}
