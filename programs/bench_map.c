// bench_map.c - `starling bench map`: samples per second of every method, seconds of whole
// networks.
//
// Methods run on one thread, alone; each figure is the best of several runs.
#include <math.h>

#include "bench.h"
#include "starling/job.h"

typedef struct {
    CommonOptions common;
    const char *accel;
    int64_t samples, repeats, seed, threads;
} BenchMapOptions;

static const SlOption options_table[] = {
    BENCH_ACCEL(BenchMapOptions, "accelerator: bundled name or YAML file"),
    SL_OPT_WHOLE(BenchMapOptions, "samples", samples, "2000", 1, 1e9, "N", "evaluations per layer"),
    BENCH_REPEATS(BenchMapOptions, "3", "runs of every method; the best one counts"),
    BENCH_SEED(BenchMapOptions),
    BENCH_THREADS(BenchMapOptions, "threads for the networks"),
    COMMON_OPTIONS,
    {0},
};

enum { MAX_ROWS = 32 };

static const char *const networks[] = {"mobilenet_v2", "resnet18"};
enum { N_NETWORKS = sizeof networks / sizeof *networks };

// A method, with the critic on and off where it has one.
typedef struct {
    const SlMethod *method;
    const char *critic;             // NULL = it has none
    double per_second[BENCH_CASES]; // samples
    double all_per_second;          // over all layers
} MethodRow;

typedef struct {
    int n_layers;
    int64_t samples;
    double seconds;
} NetworkRow;

typedef struct {
    const BenchMapOptions *options;
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
    void *options = call_need(sl_arena_alloc(arena, 1, row->method->options_bytes + 1));
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
    *seconds = INFINITY;
    for (int r = 0; r < bench->options->repeats && status == SL_OK; r++) {
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
    SlStatus status = sl_workload_find(bench_cases[i].layer, 1, &arena, &net, err);
    if (status == SL_OK)
        status = sl_space_make(net.layers, &bench->accel, &native, &arena, &space, err);
    for (int r = 0; r < bench->n_rows && status == SL_OK; r++) {
        double seconds = 0;
        status = time_run(bench, &bench->rows[r], &space, &arena, &seconds, err);
        bench->rows[r].per_second[i] = (double)bench->options->samples / seconds;
        bench->rows[r].all_per_second += seconds / BENCH_CASES;
    }
    sl_arena_free(&arena);
    return status;
}

static SlStatus time_methods(Bench *bench, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < BENCH_CASES && status == SL_OK; i++) status = time_layer(bench, i, err);
    // seconds so far
    for (int r = 0; r < bench->n_rows; r++)
        bench->rows[r].all_per_second =
            (double)bench->options->samples / bench->rows[r].all_per_second;
    return status;
}

// ---- networks ----

// what `starling map NETWORK` does, from reading the network to the last mapping
static SlStatus map_network(const Bench *bench, const char *name, SlArena *arena, SlMapped *mapped,
                            SlError *err) {
    const BenchMapOptions *options = bench->options;
    *mapped = (SlMapped){.arena = arena,
                         .eval = {.accel = bench->accel, .batch = 1},
                         .setup = {.goal.weight[SL_LATENCY] = 1,
                                   .method = sl_method_find("marl"),
                                   .budget.samples = options->samples,
                                   .seed = (uint64_t)options->seed}};
    SlPool *pool = call_need(sl_pool_make((int)options->threads));
    SlStatus status = sl_workload_find(name, 1, arena, &mapped->eval.net, err);
    if (status == SL_OK) status = sl_mapped_open(mapped, pool, err);
    if (status == SL_OK) status = sl_job_run(mapped->job, pool, NULL, NULL, NULL, err);
    if (status == SL_OK) status = sl_mapped_finish(mapped, err);
    sl_pool_free(pool);
    return status;
}

static SlStatus time_network(Bench *bench, int i, SlError *err) {
    SlArena arena;
    SlMapped mapped;
    sl_arena_init(&arena, 0);
    double begun = sl_clock_seconds();
    SlStatus status = map_network(bench, networks[i], &arena, &mapped, err);
    if (status == SL_OK)
        bench->nets[i] =
            (NetworkRow){mapped.n_layers, sl_mapped_samples(&mapped), sl_clock_seconds() - begun};
    sl_job_close(mapped.job);
    sl_arena_free(&arena);
    return status;
}

// ---- showing it ----

static void add_method(const MethodRow *row, SlDoc *doc) {
    sl_doc_row(doc);
    sl_doc_string(doc, "method", NULL, row->method->name);
    if (row->critic) sl_doc_shown(doc, "%s, critic %s", row->method->name, row->critic);
    sl_doc_string(doc, "critic", NULL, row->critic);
    sl_doc_plain(doc, "samples_per_second", row->all_per_second);
    sl_doc_table(doc, "layers", NULL, 0, NULL);
    for (int i = 0; i < BENCH_CASES; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "layer", NULL, bench_cases[i].name);
        sl_doc_plain(doc, "samples_per_second", row->per_second[i]);
    }
    sl_doc_close(doc);
}

static void add_methods(const Bench *bench, SlDoc *doc) {
    static const char *const keys[BENCH_CASES] = {
        "layers.0.samples_per_second", "layers.1.samples_per_second", "layers.2.samples_per_second",
        "layers.3.samples_per_second"};
    SlColumn columns[BENCH_CASES + 3] = {SL_COLUMN("method", "method"), SL_COLUMN("critic", NULL)};
    for (int i = 0; i < BENCH_CASES; i++)
        columns[2 + i] = (SlColumn)SL_COLUMN(keys[i], bench_cases[i].name, .unit = SL_UNIT_RATE,
                                             .csv = bench_cases[i].name);
    columns[2 + BENCH_CASES] =
        (SlColumn)SL_COLUMN("samples_per_second", "all", .unit = SL_UNIT_RATE);
    sl_doc_table(doc, "methods", NULL, BENCH_CASES + 3, columns);
    for (int r = 0; r < bench->n_rows; r++) add_method(&bench->rows[r], doc);
    sl_doc_close(doc);
}

static void add_networks(const Bench *bench, SlDoc *doc) {
    sl_doc_words(doc, "Whole networks as 'starling map' does them, %d thread%s", bench->n_threads,
                 bench->n_threads == 1 ? "" : "s");
    sl_doc_rows(doc, "networks", NULL);
    for (int i = 0; i < N_NETWORKS; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "network", "network", networks[i]);
        bench_fixed(doc, "n_distinct", "distinct layers", 0, bench->nets[i].n_layers);
        sl_doc_number(doc, "samples", "samples", SL_UNIT_COUNT, (double)bench->nets[i].samples);
        bench_fixed(doc, "seconds", "seconds", 2, bench->nets[i].seconds);
    }
    sl_doc_close(doc);
}

static int deliver(const Call *call, const Bench *bench) {
    const BenchMapOptions *options = bench->options;
    char samples[SL_UNIT_ROOM];
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc, "Samples per second on one thread");
    sl_doc_words(doc, "%s samples per layer on %s, edp, best run",
                 sl_unit_show(SL_UNIT_COUNT, (double)options->samples, samples), bench->accel.name);
    bench_options(call, "accel", doc);
    sl_doc_plain(doc, "threads", bench->n_threads);
    bench_options(call, "samples seed", doc);
    add_methods(bench, doc);
    add_networks(bench, doc);
    return bench_deliver(call, doc);
}

static int run(Call *call) {
    const BenchMapOptions *options = call->options;
    SlError err;
    Bench *bench = call_need(SL_NEW(call->arena, 1, Bench));
    bench->options = options;
    SlPool *pool = call_need(sl_pool_make((int)options->threads));
    bench->n_threads = sl_pool_threads(pool);
    sl_pool_free(pool);
    list_rows(bench);
    SlStatus status = sl_accel_find(options->accel, call->arena, &bench->accel, &err);
    if (status == SL_OK) status = time_methods(bench, &err);
    for (int i = 0; i < N_NETWORKS && status == SL_OK; i++) status = time_network(bench, i, &err);
    return status == SL_OK ? deliver(call, bench) : call_fail(call, status, &err);
}

BENCH_ROW(
    map, BenchMapOptions, "", "samples per second of every search method; time per network",
    "Measures samples per second of every search method on one thread, and the time per network.",
    "starling bench map\nstarling bench map --samples 200 --threads 1 --json");
