// bench_cost.c - `starling bench cost`: nanoseconds per evaluation of the cost model.
//
// Each figure is the best of several passes over random mappings that do not repeat within a pass.
// Every dim is tiled at both on-chip levels, two dims are spread over clusters of PEs, orders are
// random: the hard end of what a search asks for. Buffers may overflow; pricing does not care.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "starling/cost.h"

typedef struct {
    CommonOptions common;
    const char *accel;
    int64_t nests, repeats, seed, threads;
} CostOptions;

static const SlOption options_table[] = {
    BENCH_ACCEL(CostOptions, "accelerator with two on-chip levels"),
    BENCH_NESTS(CostOptions, "distinct mappings per case"),
    BENCH_REPEATS(CostOptions, "25", BENCH_PASSES),
    BENCH_SEED(CostOptions),
    BENCH_THREADS(CostOptions, "threads of the last column"),
    COMMON_OPTIONS,
    {0},
};

enum { N_CASES = 2 * BENCH_CASES };

// what is timed
enum { ANY, SEARCH, CHANNEL, WINDOW, THREADS, N_TIMES };

typedef struct {
    const char *name;
    bool perfect;
    double ns[N_TIMES]; // per evaluation
} CaseResult;

// How the tiles of a nest are drawn.
typedef struct {
    const SlLayer *layer;
    int64_t n_pes;
    bool perfect; // tiles divide what they split
} NestDraw;

// What is spread in one nest, and over how many clusters of how many PEs.
typedef struct {
    SlDim outer, inner;
    int64_t n_clusters, cluster;
} NestSpread;

enum { MAX_DIM_LOOPS = 5 };

// One case at work.
typedef struct {
    NestDraw draw;
    const SlAccel *accel;
    const CostOptions *options;
    SlMapping *nests;    // (options->nests), all different
    NestSpread *spreads; // (options->nests)
    double *best;        // (nests) best time of each slice
    double *sink;        // (threads) keeps the compiler from dropping the work
} Case;

// ---- nests ----

static int64_t draw_size(bool perfect, int64_t extent, SlRng *rng) {
    int64_t size = sl_rng_range(rng, 1, extent);
    if (!perfect) return size;
    while (extent % size) size = sl_rng_range(rng, 1, extent);
    return size;
}

// the tiles of the loops over one dim of a nest with this spread, outermost first; returns how many
static int nest_draw_tiles(const NestDraw *draw, const NestSpread *spread, SlDim dim, SlRng *rng,
                           int64_t tiles[MAX_DIM_LOOPS]) {
    int64_t outer = draw_size(draw->perfect, draw->layer->dims[dim], rng);
    int64_t inner = draw_size(draw->perfect, outer, rng);
    int n = 0;
    tiles[n++] = dim == spread->outer ? outer * spread->n_clusters : outer;
    if (dim == spread->outer) tiles[n++] = outer;
    tiles[n++] = dim == spread->inner ? inner * spread->cluster : inner;
    if (dim == spread->inner) tiles[n++] = inner;
    tiles[n++] = 1;
    return n;
}

static void add_loop(SlMapping *out, int dim, bool spatial, int64_t tile) {
    out->loops[out->n_loops++] = (SlLoop){.tile = tile, .dim = (uint8_t)dim, .spatial = spatial};
}

// dims that iterate; returns their number
static int busy_dims(const SlLayer *layer, int dims[SL_N_DIMS]) {
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] > 1) dims[n++] = d;
    return n;
}

// one of those that arrays usually spread: not the filter's
static SlDim draw_spread_dim(const SlLayer *layer, SlRng *rng) {
    SlDim dim = SL_R;
    while (dim >= SL_R || layer->dims[dim] == 1) dim = (SlDim)sl_rng_below(rng, SL_R);
    return dim;
}

static void nest_draw(const NestDraw *draw, SlRng *rng, NestSpread *spread, SlMapping *out) {
    int dims[SL_N_DIMS], n = busy_dims(draw->layer, dims), next[SL_N_DIMS] = {0};
    int64_t tiles[SL_N_DIMS][MAX_DIM_LOOPS];
    spread->outer = draw_spread_dim(draw->layer, rng);
    spread->inner = draw_spread_dim(draw->layer, rng);
    spread->cluster = draw->perfect ? INT64_C(1) << sl_rng_below(rng, 5) : sl_rng_range(rng, 1, 32);
    spread->n_clusters = draw->n_pes > spread->cluster ? draw->n_pes / spread->cluster : 1;
    for (int i = 0; i < n; i++) nest_draw_tiles(draw, spread, (SlDim)dims[i], rng, tiles[dims[i]]);
    memset(out, 0, sizeof *out);
    out->n_boundaries = 2;
    for (int level = 0; level < 3; level++) {
        sl_rng_shuffle(rng, n, dims);
        if (level == 1)
            add_loop(out, spread->outer, true, tiles[spread->outer][next[spread->outer]++]);
        for (int i = 0; i < n; i++) add_loop(out, dims[i], false, tiles[dims[i]][next[dims[i]]++]);
        if (level == 1)
            add_loop(out, spread->inner, true, tiles[spread->inner][next[spread->inner]++]);
        if (level == 2) continue;
        out->at[level] = out->n_loops;
        out->keep[level] = SL_KEEP_ALL;
    }
}

// the temporal loops of a nest in a new random order between the boundaries, as dims
static void nest_draw_order(const SlMapping *mapping, SlRng *rng, uint8_t dims[SL_MAX_LOOPS]) {
    int n = 0, start = 0;
    for (int b = 0; b <= mapping->n_boundaries; b++) {
        int end = b < mapping->n_boundaries ? mapping->at[b] : mapping->n_loops;
        int part[SL_MAX_LOOPS], n_part = 0;
        for (; start < end; start++)
            if (!mapping->loops[start].spatial) part[n_part++] = mapping->loops[start].dim;
        sl_rng_shuffle(rng, n_part, part);
        for (int i = 0; i < n_part; i++) dims[n++] = (uint8_t)part[i];
    }
}

static uint64_t nest_key(const SlMapping *mapping) {
    uint64_t key = SL_FNV_START;
    for (int i = 0; i < mapping->n_loops; i++) {
        key = sl_fnv_add(key, (uint64_t)mapping->loops[i].tile);
        key = sl_fnv_add(key, mapping->loops[i].dim * 2U + mapping->loops[i].spatial);
    }
    return key;
}

// fill the case with nests that differ from each other
static void draw_nests(Case *c, SlRng *rng, SlKeySet *known) {
    for (int i = 0; i < c->options->nests; i++) {
        bool fresh = false;
        while (!fresh) {
            nest_draw(&c->draw, rng, &c->spreads[i], &c->nests[i]);
            fresh = sl_keyset_add(known, nest_key(&c->nests[i]));
        }
    }
}

// ---- timing ----

static double eval_nests(const Case *c, int first, int end) {
    double sum = 0;
    for (int i = first; i < end; i++) {
        SlCost cost;
        sl_cost_eval(c->draw.layer, c->accel, &c->nests[i], &cost);
        sum += cost.latency_cycles;
    }
    return sum;
}

enum { SLICE = 128 }; // nests that are timed together

static double sum_of(int n, const double *best) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += best[i];
    return sum;
}

// every slice counts with its best pass, so that busy moments of the machine spoil little
static double time_any_nest(const Case *c) {
    int n = (int)c->options->nests, n_slices = (n + SLICE - 1) / SLICE;
    bench_forget(n_slices, c->best);
    for (int r = 0; r < c->options->repeats; r++) {
        for (int i = 0; i < n_slices; i++) {
            int first = i * SLICE, end = first + SLICE < n ? first + SLICE : n;
            double start = sl_clock_seconds();
            c->sink[0] += eval_nests(c, first, end);
            c->best[i] = fmin(c->best[i], sl_clock_seconds() - start);
        }
    }
    return 1e9 * sum_of(n_slices, c->best) / n;
}

static void eval_slice(void *context, int item, int worker) {
    const Case *c = context;
    int first = item * SLICE, end = first + SLICE;
    if (end > c->options->nests) end = (int)c->options->nests;
    c->sink[worker] += eval_nests(c, first, end);
}

static double time_threads(Case *c, SlPool *pool) {
    double best = INFINITY;
    int n = (int)c->options->nests;
    for (int r = 0; r < c->options->repeats; r++) {
        double start = sl_clock_seconds();
        sl_pool_run(pool, (n + SLICE - 1) / SLICE, eval_slice, c);
        best = fmin(best, sl_clock_seconds() - start);
    }
    return 1e9 * best / n;
}

enum { N_BASES = 24, N_STEPS = 256 }; // nests that a search stands at, and steps from each

// random orders of one nest: the first half fills the tables, the second is timed
static double time_orders(const Case *c, SlPricer *pricer, const SlMapping *base, SlRng *rng) {
    uint8_t orders[2 * N_STEPS][SL_MAX_LOOPS];
    SlCost cost;
    sl_pricer_set_nest(pricer, base);
    for (int i = 0; i < 2 * N_STEPS; i++) nest_draw_order(base, rng, orders[i]);
    for (int i = 0; i < N_STEPS; i++) {
        sl_pricer_set_order(pricer, orders[i]);
        sl_pricer_eval(pricer, &cost);
        c->sink[0] += cost.latency_cycles;
    }
    double start = sl_clock_seconds();
    for (int i = N_STEPS; i < 2 * N_STEPS; i++) {
        sl_pricer_set_order(pricer, orders[i]);
        sl_pricer_eval(pricer, &cost);
        c->sink[0] += cost.latency_cycles;
    }
    return sl_clock_seconds() - start;
}

// random new tiles for one dim at a time out of `dims`, of which the layer has at least one
static double time_moves(const Case *c, SlPricer *pricer, int i_base, const char *dims,
                         SlRng *rng) {
    int64_t tiles[N_STEPS][MAX_DIM_LOOPS];
    SlDim moved[N_STEPS], choice[SL_N_DIMS];
    int n = 0;
    SlCost cost;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (strchr(dims, *sl_dim_names[d]) && c->draw.layer->dims[d] > 1) choice[n++] = (SlDim)d;
    assert(n > 0);
    for (int i = 0; i < N_STEPS; i++) {
        moved[i] = choice[sl_rng_below(rng, (uint64_t)n)];
        nest_draw_tiles(&c->draw, &c->spreads[i_base], moved[i], rng, tiles[i]);
    }
    sl_pricer_set_nest(pricer, &c->nests[i_base]);
    sl_pricer_eval(pricer, &cost);
    double start = sl_clock_seconds();
    for (int i = 0; i < N_STEPS; i++) {
        sl_pricer_set_tiles(pricer, moved[i], tiles[i]);
        sl_pricer_eval(pricer, &cost);
        c->sink[0] += cost.latency_cycles;
    }
    return sl_clock_seconds() - start;
}

// best of several passes from each of some nests; every pass draws the same steps
static void time_search(const Case *c, SlPricer *pricer, double ns[N_TIMES]) {
    double orders[N_BASES], channel[N_BASES], window[N_BASES];
    const double each = 1e9 / (N_BASES * N_STEPS);
    bench_forget(N_BASES, orders);
    bench_forget(N_BASES, channel);
    bench_forget(N_BASES, window);
    for (int r = 0; r < c->options->repeats; r++) {
        for (int b = 0; b < N_BASES; b++) {
            SlRng rng;
            sl_rng_init(&rng, (uint64_t)(c->options->seed + b), "search steps");
            orders[b] = fmin(orders[b], time_orders(c, pricer, &c->nests[b], &rng));
            channel[b] = fmin(channel[b], time_moves(c, pricer, b, "KCNG", &rng));
            window[b] = fmin(window[b], time_moves(c, pricer, b, "PQRS", &rng));
        }
    }
    ns[SEARCH] = each * sum_of(N_BASES, orders);
    ns[CHANNEL] = each * sum_of(N_BASES, channel);
    ns[WINDOW] = each * sum_of(N_BASES, window);
}

static SlStatus run_case(const CostOptions *options, const SlAccel *accel, const BenchCase *on,
                         SlPool *pool, CaseResult *out, SlError *err) {
    SlArena arena;
    SlNetwork net;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_workload_find(on->layer, 1, &arena, &net, err);
    if (status == SL_OK) {
        SlRng rng;
        sl_rng_init(&rng, (uint64_t)options->seed, on->layer);
        Case c = {.draw = {net.layers, sl_accel_macs(accel), out->perfect},
                  .accel = accel,
                  .options = options};
        c.nests = call_need(SL_NEW(&arena, options->nests, SlMapping));
        c.spreads = call_need(SL_NEW(&arena, options->nests, NestSpread));
        c.best = call_need(SL_NEW(&arena, options->nests, double));
        c.sink = call_need(SL_NEW(&arena, sl_pool_threads(pool), double));
        draw_nests(&c, &rng, call_need(sl_keyset_make((size_t)options->nests, &arena)));
        out->ns[ANY] = time_any_nest(&c);
        out->ns[THREADS] = time_threads(&c, pool);
        time_search(&c, call_need(sl_pricer_make(net.layers, accel, &arena)), out->ns);
    }
    sl_arena_free(&arena);
    return status;
}

// ---- showing it ----

static void add_times(const double ns[N_TIMES], int n_threads, SlDoc *doc) {
    char last[32];
    snprintf(last, sizeof last, "%d thread%s", n_threads, n_threads == 1 ? "" : "s");
    sl_doc_number(doc, "any_nest_ns", "any nest", SL_UNIT_RATE, ns[ANY]);
    sl_doc_number(doc, "search_ns", "search path", SL_UNIT_RATE, ns[SEARCH]);
    sl_doc_number(doc, "move_channel_ns", "move K C N G", SL_UNIT_RATE, ns[CHANNEL]);
    sl_doc_number(doc, "move_window_ns", "move P Q R S", SL_UNIT_RATE, ns[WINDOW]);
    sl_doc_number(doc, "any_nest_all_threads_ns", last, SL_UNIT_RATE, ns[THREADS]);
}

static void add_cases(const CaseResult *results, int n_threads, SlDoc *doc) {
    double worst[N_TIMES] = {0};
    sl_doc_rows(doc, "cases", NULL);
    for (int i = 0; i < N_CASES; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "layer", "layer", results[i].name);
        sl_doc_flag(doc, "perfect", "tiles", results[i].perfect);
        sl_doc_shown(doc, results[i].perfect ? "perfect" : "imperfect");
        add_times(results[i].ns, n_threads, doc);
        for (int t = 0; t < N_TIMES; t++) worst[t] = fmax(worst[t], results[i].ns[t]);
    }
    sl_doc_foot(doc);
    sl_doc_string(doc, "layer", NULL, "slowest");
    add_times(worst, n_threads, doc);
    sl_doc_close(doc);
    sl_doc_plain(doc, "any_nest_ns_worst", worst[ANY]);
    sl_doc_plain(doc, "search_ns_worst", worst[SEARCH]);
    sl_doc_plain(doc, "move_channel_ns_worst", worst[CHANNEL]);
    sl_doc_plain(doc, "move_window_ns_worst", worst[WINDOW]);
}

static int deliver(const Call *call, const CaseResult *results, int n_threads) {
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc, "Nanoseconds per full evaluation (all counts, latency, energy, area), best "
                      "pass");
    sl_doc_words(doc, "Any nest from scratch, on 1 thread and in the last column on all; on the "
                      "search path in a new order, rows ready; after a move of the tiles of one "
                      "dim.");
    bench_options(call, "accel", doc);
    sl_doc_plain(doc, "threads", n_threads);
    bench_options(call, "repeats nests seed", doc);
    add_cases(results, n_threads, doc);
    return bench_deliver(call, doc);
}

static int run(Call *call) {
    const CostOptions *options = call->options;
    CaseResult results[N_CASES];
    SlAccel accel;
    SlError err;
    SlStatus status = sl_accel_find(options->accel, call->arena, &accel, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (accel.n_levels != 3)
        return call_refuse(call, "bench cost needs two on-chip levels, %s has %d", accel.name,
                           accel.n_levels - 1);
    SlPool *pool = call_need(sl_pool_make((int)options->threads));
    for (int i = 0; i < N_CASES && status == SL_OK; i++) {
        const BenchCase *on = &bench_cases[i / 2];
        results[i] = (CaseResult){.name = on->name, .perfect = i % 2 == 0};
        status = run_case(options, &accel, on, pool, &results[i], &err);
    }
    int n_threads = sl_pool_threads(pool);
    sl_pool_free(pool);
    return status == SL_OK ? deliver(call, results, n_threads) : call_fail(call, status, &err);
}

BENCH_ROW(cost, CostOptions, "", "time per evaluation of the cost model (ns)",
          "Measures the time of one evaluation: of any nest from scratch, and inside a search, "
          "which keeps\n"
          "tables per dimension and rebuilds those that changed.",
          "starling bench cost\nstarling bench cost --json --repeats 21");
