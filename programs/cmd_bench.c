// cmd_bench.c - `starling bench`, and of it `cost`: nanoseconds per evaluation of the cost model.
//
// Each figure is the best of several passes over random mappings that do not repeat within a pass.
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "bench_nests.h"
#include "starling/kernel.h"
#include "starling/mapping.h"

static const SlOption bench_options[] = {
    SL_OPT_TEXT(BenchOptions, "accel", accel, "eyeriss", "NAME|FILE",
                "accelerator to price on; cost: with two on-chip levels"),
    SL_OPT_WHOLE(
        BenchOptions, "nests", nests, "4096", 64, 1 << 20, "N",
        "cost: different mappings per case; maestro: per network; vta: schedules per layer"),
    SL_OPT_WHOLE(BenchOptions, "repeats", repeats, NULL, 0, 1000, "N",
                 "passes, of which the best one counts; 0 = 25 for cost, 3 for map, 5 for maestro, "
                 "9 for particles, 3 for vta; replay: rounds, 0 = 15; dense: 0 = 15; kernel: "
                 "rounds of the last comparison, 0 = 5"),
    SL_OPT_TEXT(BenchOptions, "objective", objective, "edp", "NAME",
                "prove: what is to be small, as for 'starling map'"),
    SL_OPT_CHOICE(BenchOptions, "space", space, NULL, sl_space_names, "NAME",
                  "prove: of which the mappings are"),
    SL_OPT_REAL(BenchOptions, "time", time, "60", 0, 1e9, "SECONDS",
                "prove: at most per layer and gap, 0 = no limit", .letter = 't'),
    SL_OPT_WHOLE(BenchOptions, "samples", samples, "2000", 1, 1e9, "N",
                 "map: evaluations per layer"),
    SL_OPT_WHOLE(BenchOptions, "rows", rows, "200000", 100, 1e7, "N",
                 "replay: transitions held; fewer where they would need more than 6 GB"),
    SL_OPT_WHOLE(BenchOptions, "trials", trials, "64", 1, 1e6, "N",
                 "kernel: schedules measured per layer"),
    SL_OPT_TEXT(
        BenchOptions, "schedule", schedule, NULL, "KNOBS",
        "kernel: measure this schedule instead of searching; knobs left out are the default's"),
    SL_OPT_CHOICE(BenchOptions, "type", type, NULL, sl_kernel_type_names, "NAME",
                  "kernel: numbers of the layers"),
    SL_OPT_WHOLE(BenchOptions, "seed", seed, "1", 0, 9e15, "S", "of all random numbers"),
    SL_OPT_WHOLE(BenchOptions, "threads", threads, "0", 0, 1024, "N",
                 "cost: for the last column, map: for the networks, prove: for every proof; 0 = "
                 "one per core; kernel: at most, 0 = 1"),
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp bench_help = {
    .usage =
        "bench cost [OPTION...]\nbench maestro [OPTION...]\nbench map [OPTION...]\nbench "
        "prove [WORKLOAD...] [OPTION...]\n"
        "bench particles [OPTION...]\nbench replay [OPTION...]\n"
        "bench dense [OPTION...]\nbench vta [OPTION...]\nbench kernel [WORKLOAD...] [OPTION...]",
    .about =
        "cost: what one evaluation costs, any nest from scratch, and on the search path, which "
        "keeps the\ntables of every dim and rebuilds those of the dim that changed.\nmaestro: "
        "the same for MAESTRO's model, on random two-level mappings of GAMMA's form.\nmap: samples "
        "per second of every method on one thread, and the time that whole networks take.\nprove: "
        "seconds until the best mapping is proven to within 5, 2, 1, 0.5 and 0 %, for every "
        "distinct\nlayer of the workloads; of seven usual layers if none is given.\nparticles: env "
        "steps per second of every world on one thread, for 3 to 48 agents.\nreplay: "
        "milliseconds to gather a round of batches from replay, for 3 to 24 agents and every "
        "layout.\ndense: "
        "layers of batched networks on one thread beside the processor's peak, noise, "
        "optimisers.\nvta: microseconds per simulated schedule of the VTA core, for the valid ones "
        "of ResNet-18's layers.\nkernel: layers as generated C programs, the default schedule and "
        "the best of a quick search, beside\nthe processor's peak; of four 3x3 layers of resnet18 "
        "if none is given.",
    .options = bench_options,
    .examples = "starling bench cost\nstarling bench cost --json --repeats 21\n"
                "starling bench maestro\n"
                "starling bench map\nstarling bench prove --threads 1\n"
                "starling bench prove mobilenet_v2 --accel flex1024 --time 20\n"
                "starling bench particles\nstarling bench replay\n"
                "starling bench dense\nstarling bench vta\nstarling bench kernel\n"
                "starling bench kernel resnet18:conv2_1 --trials 200",
};

const BenchLayer bench_layers[BENCH_LAYERS] = {
    {"VGG16 conv3_2", "vgg16:conv3_2"},
    {"ResNet 3x3 stride 2", "conv:K=128,C=128,P=28,Q=28,R=3,S=3,stride=2,pad=1"},
    {"depthwise 3x3", "dw:G=144,P=56,Q=56,R=3,S=3,pad=1"},
    {"GEMM 1024^3", "gemm:M=1024,N=1024,K=1024"},
};
enum { N_CASES = 2 * BENCH_LAYERS, COST_REPEATS = 25 };

typedef struct {
    const char *name;
    bool perfect;
    double any_ns, any_threads_ns, search_ns, move_channel_ns, move_window_ns;
} CaseResult;

// One case at work.
typedef struct {
    NestDraw draw;
    const SlAccel *accel;
    const BenchOptions *options;
    SlMapping *nests;    // (options->nests), all different
    NestSpread *spreads; // (options->nests)
    double *best;        // (nests) best time of each slice
    double *sink;        // (threads) keeps the compiler from dropping the work
} Case;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool same_nest(const SlMapping *a, const SlMapping *b) {
    for (int i = 0; i < a->n_loops; i++)
        if (a->loops[i].dim != b->loops[i].dim || a->loops[i].tile != b->loops[i].tile ||
            a->loops[i].spatial != b->loops[i].spatial)
            return false;
    return true;
}

static uint64_t nest_hash(const SlMapping *mapping) {
    uint64_t hash = SL_FNV_START;
    for (int i = 0; i < mapping->n_loops; i++) {
        hash = sl_fnv_add(hash, (uint64_t)mapping->loops[i].tile);
        hash = sl_fnv_add(hash, mapping->loops[i].dim);
    }
    return hash ^ hash >> 32;
}

// fill the case with nests that differ from each other; `slots` (4 x nests) is an empty hash table
static void draw_nests(Case *c, SlRng *rng, int *slots) {
    uint64_t n_slots = 4 * (uint64_t)c->options->nests;
    for (int i = 0; i < c->options->nests; i++) {
        bool known = true;
        while (known) {
            nest_draw(&c->draw, rng, &c->spreads[i], &c->nests[i]);
            uint64_t slot = nest_hash(&c->nests[i]) % n_slots;
            while (slots[slot] && !same_nest(&c->nests[slots[slot] - 1], &c->nests[i]))
                slot = (slot + 1) % n_slots;
            known = slots[slot] != 0;
            if (!known) slots[slot] = i + 1;
        }
    }
}

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

// no best time yet
static void forget(int n, double *best) {
    for (int i = 0; i < n; i++) best[i] = INFINITY;
}

// every slice counts with its best pass, so that busy moments of the machine spoil little
static double time_any_nest(const Case *c) {
    int n = (int)c->options->nests, n_slices = (n + SLICE - 1) / SLICE;
    forget(n_slices, c->best);
    for (int r = 0; r < c->options->repeats; r++) {
        for (int i = 0; i < n_slices; i++) {
            int first = i * SLICE, end = first + SLICE < n ? first + SLICE : n;
            double start = now_ns();
            c->sink[0] += eval_nests(c, first, end);
            c->best[i] = fmin(c->best[i], now_ns() - start);
        }
    }
    return sum_of(n_slices, c->best) / n;
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
        double start = now_ns();
        sl_pool_run(pool, (n + SLICE - 1) / SLICE, eval_slice, c);
        best = fmin(best, (now_ns() - start) / n);
    }
    return best;
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
    double start = now_ns();
    for (int i = N_STEPS; i < 2 * N_STEPS; i++) {
        sl_pricer_set_order(pricer, orders[i]);
        sl_pricer_eval(pricer, &cost);
        c->sink[0] += cost.latency_cycles;
    }
    return now_ns() - start;
}

// random new tiles for one dim at a time out of `dims`, of which the layer has at least one
static double time_moves(const Case *c, SlPricer *pricer, int i_base, const char *dims,
                         SlRng *rng) {
    int64_t tiles[N_STEPS][BENCH_MAX_DIM_LOOPS];
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
    double start = now_ns();
    for (int i = 0; i < N_STEPS; i++) {
        sl_pricer_set_tiles(pricer, moved[i], tiles[i]);
        sl_pricer_eval(pricer, &cost);
        c->sink[0] += cost.latency_cycles;
    }
    return now_ns() - start;
}

// best of several passes from each of some nests; every pass draws the same steps
static void time_search(const Case *c, SlPricer *pricer, CaseResult *out) {
    double orders[N_BASES], channel[N_BASES], window[N_BASES];
    forget(N_BASES, orders);
    forget(N_BASES, channel);
    forget(N_BASES, window);
    for (int r = 0; r < c->options->repeats; r++) {
        for (int b = 0; b < N_BASES; b++) {
            SlRng rng;
            sl_rng_init(&rng, (uint64_t)(c->options->seed + b), "search steps");
            orders[b] = fmin(orders[b], time_orders(c, pricer, &c->nests[b], &rng));
            channel[b] = fmin(channel[b], time_moves(c, pricer, b, "KCNG", &rng));
            window[b] = fmin(window[b], time_moves(c, pricer, b, "PQRS", &rng));
        }
    }
    out->search_ns = sum_of(N_BASES, orders) / (N_BASES * N_STEPS);
    out->move_channel_ns = sum_of(N_BASES, channel) / (N_BASES * N_STEPS);
    out->move_window_ns = sum_of(N_BASES, window) / (N_BASES * N_STEPS);
}

static SlStatus run_case(const BenchOptions *options, const SlAccel *accel, int i_layer,
                         bool perfect, SlPool *pool, CaseResult *out, SlError *err) {
    SlArena arena;
    SlNetwork net;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_workload_find(bench_layers[i_layer].layer, 1, &arena, &net, err);
    if (status == SL_OK) {
        SlRng rng;
        sl_rng_init(&rng, (uint64_t)options->seed, bench_layers[i_layer].layer);
        Case c = {.draw = {net.layers, sl_accel_macs(accel), perfect},
                  .accel = accel,
                  .options = options};
        c.nests = command_need(SL_NEW(&arena, options->nests, SlMapping));
        c.spreads = command_need(SL_NEW(&arena, options->nests, NestSpread));
        c.best = command_need(SL_NEW(&arena, options->nests, double));
        c.sink = command_need(SL_NEW(&arena, sl_pool_threads(pool), double));
        draw_nests(&c, &rng, command_need(SL_NEW(&arena, 4 * options->nests, int)));
        *out = (CaseResult){.name = bench_layers[i_layer].name, .perfect = perfect};
        out->any_ns = time_any_nest(&c);
        out->any_threads_ns = time_threads(&c, pool);
        time_search(&c, command_need(sl_pricer_make(net.layers, accel, &arena)), out);
    }
    sl_arena_free(&arena);
    return status;
}

// ---- showing it ----

// slowest case of one column; the columns lie side by side in the struct
static double worst(const CaseResult *results, size_t offset) {
    double most = 0;
    for (int i = 0; i < N_CASES; i++) {
        double value;
        memcpy(&value, (const char *)&results[i] + offset, sizeof value);
        most = fmax(most, value);
    }
    return most;
}

static void show_row(const char *name, const char *tiles, const CaseResult *r, SlText *out) {
    sl_text_add(out, "%-20s %-9s %12.0f %12.0f %12.0f %12.0f %12.0f\n", name, tiles, r->any_ns,
                r->search_ns, r->move_channel_ns, r->move_window_ns, r->any_threads_ns);
}

static CaseResult worst_of_all(const CaseResult *results) {
    return (CaseResult){
        .any_ns = worst(results, offsetof(CaseResult, any_ns)),
        .any_threads_ns = worst(results, offsetof(CaseResult, any_threads_ns)),
        .search_ns = worst(results, offsetof(CaseResult, search_ns)),
        .move_channel_ns = worst(results, offsetof(CaseResult, move_channel_ns)),
        .move_window_ns = worst(results, offsetof(CaseResult, move_window_ns)),
    };
}

static void show(const CaseResult *results, int n_threads, SlText *out) {
    char threads[32];
    snprintf(threads, sizeof threads, "%d threads", n_threads);
    sl_text_add(
        out,
        "Nanoseconds per full evaluation (all counts, latency, energy, area), best "
        "pass\n\n%-20s %-9s %12s %12s %12s %12s %12s\n%-20s %-9s %12s %12s %12s %12s %12s\n",
        "", "", "any nest", "search path", "move K C N G", "move P Q R S", "any nest", "layer",
        "tiles", "1 thread", "rows ready", "1 thread", "1 thread", threads);
    for (int i = 0; i < N_CASES; i++)
        show_row(results[i].name, results[i].perfect ? "perfect" : "imperfect", &results[i], out);
    CaseResult most = worst_of_all(results);
    show_row("slowest", "", &most, out);
}

static json_t *case_json(const CaseResult *r) {
    json_t *json = command_need(json_object());
    json_put(json, "layer", json_string(r->name));
    json_put(json, "perfect", json_boolean(r->perfect));
    json_put(json, "any_nest_ns", sl_json_number(r->any_ns));
    json_put(json, "search_ns", sl_json_number(r->search_ns));
    json_put(json, "move_channel_ns", sl_json_number(r->move_channel_ns));
    json_put(json, "move_window_ns", sl_json_number(r->move_window_ns));
    json_put(json, "any_nest_all_threads_ns", sl_json_number(r->any_threads_ns));
    return json;
}

static json_t *results_json(const BenchOptions *options, const CaseResult *results, int n_threads) {
    json_t *json = command_need(sl_json_document("bench-cost", 1));
    json_t *cases = command_need(json_array());
    CaseResult most = worst_of_all(results);
    for (int i = 0; i < N_CASES; i++) json_add(cases, case_json(&results[i]));
    json_put(json, "accel", json_string(options->accel));
    json_put(json, "threads", json_integer(n_threads));
    json_put(json, "repeats", json_integer(options->repeats));
    json_put(json, "nests", json_integer(options->nests));
    json_put(json, "seed", json_integer(options->seed));
    json_put(json, "cases", cases);
    json_put(json, "any_nest_ns_worst", sl_json_number(most.any_ns));
    json_put(json, "search_ns_worst", sl_json_number(most.search_ns));
    json_put(json, "move_channel_ns_worst", sl_json_number(most.move_channel_ns));
    json_put(json, "move_window_ns_worst", sl_json_number(most.move_window_ns));
    return json;
}

static int deliver(const BenchOptions *options, const CaseResult *results, int n_threads) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    show(results, n_threads, &text);
    json_t *json =
        command_wants_json(&options->common) ? results_json(options, results, n_threads) : NULL;
    int code = command_deliver(&options->common, "bench-cost", &text, json, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}

static int bench_cost(const BenchOptions *options) {
    CaseResult results[N_CASES];
    SlAccel accel;
    SlError err;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_accel_find(options->accel, &scratch, &accel, &err);
    sl_arena_free(&scratch);
    if (status != SL_OK) return command_fail(status, &err);
    if (accel.n_levels != 3)
        return command_refuse("bench cost needs two on-chip levels, %s has %d", accel.name,
                              accel.n_levels - 1);
    SlPool *pool = command_need(sl_pool_make((int)options->threads));
    for (int i = 0; i < N_CASES && status == SL_OK; i++)
        status = run_case(options, &accel, i / 2, i % 2 == 0, pool, &results[i], &err);
    int n_threads = sl_pool_threads(pool);
    sl_pool_free(pool);
    if (status != SL_OK) return command_fail(status, &err);
    return deliver(options, results, n_threads);
}

int cmd_bench(int argc, const char *const *argv) {
    BenchOptions options = {0};
    SlWords words;
    int code;
    if (!command_parse(&bench_help, argc, argv, &options, &words, &code)) return code;
    const char *what = words.n > 0 ? words.words[0] : "";
    if (strcmp(what, "prove") == 0) return bench_prove(&options, words.n - 1, words.words + 1);
    if (strcmp(what, "kernel") == 0) return bench_kernel(&options, words.n - 1, words.words + 1);
    if (words.n == 1 && strcmp(what, "maestro") == 0) return bench_maestro(&options);
    if (words.n == 1 && strcmp(what, "particles") == 0) return bench_particles(&options);
    if (words.n == 1 && strcmp(what, "dense") == 0) return bench_dense(&options);
    if (words.n == 1 && strcmp(what, "replay") == 0) return bench_replay(&options);
    if (words.n == 1 && strcmp(what, "vta") == 0) return bench_vta(&options);
    bool cost = words.n == 1 && strcmp(what, "cost") == 0;
    if (!cost && (words.n != 1 || strcmp(what, "map") != 0))
        return command_refuse("bench: expected what to measure: cost, maestro, map, prove, "
                              "particles, replay, dense, vta or kernel");
    if (!cost) return bench_map(&options);
    if (options.repeats == 0) options.repeats = COST_REPEATS;
    return bench_cost(&options);
}
