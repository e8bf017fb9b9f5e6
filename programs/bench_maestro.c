// bench_maestro.c - `starling bench maestro`: microseconds per evaluation of MAESTRO's model.
//
// Mappings are random and of GAMMA's form: two levels that map all dims each, in random orders,
// with random tiles, one dim spread per level and a random cluster size. Every evaluation is timed
// on its own and counts with its best pass.
#include <assert.h>
#include <math.h>

#include "bench.h"
#include "starling/cost/maestro.h"

typedef struct {
    CommonOptions common;
    int64_t nests, repeats, seed;
} MaestroOptions;

static const SlOption options_table[] = {
    BENCH_NESTS(MaestroOptions, "distinct mappings per network"),
    BENCH_REPEATS(MaestroOptions, "5", BENCH_PASSES),
    BENCH_SEED(MaestroOptions),
    COMMON_OPTIONS,
    {0},
};

enum { BENCH_PES = 168 };

static const char *const networks[] = {"alexnet", "vgg16", "resnet18", "mobilenet_v2"};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

// One row: a network, or all of them.
typedef struct {
    const char *name;
    int n_layers, n_mappings;
    int n_refused;  // mappings without a result
    BenchSpread us; // microseconds
} Row;

// A layer with the mapping to price.
typedef struct {
    SlMaestroLayer shape;
    SlMaestroMapping mapping;
} Sample;

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
static SlStatus draw_samples(int64_t seed, SlArena *arena, Row *row, Sample *samples,
                             SlError *err) {
    BenchLayers layers = {0};
    SlRng rng;
    SlStatus status = bench_add_layers(row->name, arena, &layers, err);
    if (status != SL_OK) return status;
    SlMaestroLayer *shapes = call_need(SL_NEW(arena, layers.n, SlMaestroLayer));
    for (int i = 0; i < layers.n; i++)
        if (!sl_maestro_shape(&layers.list[i].layer, &shapes[row->n_layers]))
            row->n_layers += shapes[row->n_layers].type != SL_MAESTRO_GEMM;
    assert(row->n_layers > 0);
    sl_rng_init(&rng, (uint64_t)seed, row->name);
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
    bench_forget(n, best);
    for (int64_t r = 0; r < repeats; r++) {
        n_refused = 0;
        for (int i = 0; i < n; i++) {
            double start = sl_clock_seconds();
            bool priced = sl_maestro_eval(&samples[i].shape, &samples[i].mapping, &hardware, NULL,
                                          &cost, &fault);
            best[i] = fmin(best[i], 1e6 * (sl_clock_seconds() - start));
            n_refused += !priced;
        }
    }
    return n_refused;
}

static SlStatus run_all(const MaestroOptions *options, SlArena *arena, Row *rows, SlError *err) {
    int n = (int)options->nests;
    double *times = call_need(SL_NEW(arena, n * N_NETWORKS, double));
    Sample *samples = call_need(SL_NEW(arena, n, Sample));
    Row *all = &rows[N_NETWORKS];
    *all = (Row){.name = "all", .n_mappings = n * N_NETWORKS};
    for (int i = 0; i < N_NETWORKS; i++) {
        double *own = times + (ptrdiff_t)i * n;
        rows[i] = (Row){.name = networks[i], .n_mappings = n};
        SlStatus status = draw_samples(options->seed, arena, &rows[i], samples, err);
        if (status != SL_OK) return status;
        rows[i].n_refused = time_samples(n, samples, options->repeats, own);
        rows[i].us = bench_spread(n, own);
        all->n_layers += rows[i].n_layers;
        all->n_refused += rows[i].n_refused;
    }
    all->us = bench_spread(all->n_mappings, times);
    return SL_OK;
}

// ---- showing it ----

static void add_members(const Row *row, SlDoc *doc) {
    sl_doc_string(doc, "network", "network", row->name);
    bench_fixed(doc, "layers", "layers", 0, row->n_layers);
    bench_fixed(doc, "mappings", "mappings", 0, row->n_mappings);
    bench_fixed(doc, "refused", "refused", 0, row->n_refused);
    bench_fixed(doc, "p25_us", "25 %", 1, row->us.p25);
    bench_fixed(doc, "median_us", "median", 1, row->us.median);
    bench_fixed(doc, "p75_us", "75 %", 1, row->us.p75);
    bench_fixed(doc, "p99_us", "99 %", 1, row->us.p99);
    bench_fixed(doc, "worst_us", "worst", 1, row->us.worst);
}

static int run(Call *call) {
    const MaestroOptions *options = call->options;
    Row rows[N_NETWORKS + 1];
    SlError err;
    SlStatus status = run_all(options, call->arena, rows, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc,
                 "Microseconds per evaluation of MAESTRO's model, two-level mappings, %d PEs, "
                 "one thread",
                 BENCH_PES);
    sl_doc_plain(doc, "num_pes", BENCH_PES);
    bench_options(call, "repeats nests seed", doc);
    sl_doc_rows(doc, "networks", NULL);
    for (int i = 0; i <= N_NETWORKS; i++) {
        bench_row(doc, i, N_NETWORKS);
        add_members(&rows[i], doc);
    }
    sl_doc_close(doc);
    return bench_deliver(call, doc);
}

BENCH_ROW(maestro, MaestroOptions, "", "time per evaluation of MAESTRO's model (us)",
          "Measures the time of one evaluation of MAESTRO's model, on random two-level mappings "
          "(GAMMA's\n"
          "form) of the layers of four networks.",
          "starling bench maestro\nstarling bench maestro --json");
