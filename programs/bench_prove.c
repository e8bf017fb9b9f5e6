// bench_prove.c - `starling bench prove`: how long proofs take, to every gap on the way.
//
// For every gap a proof of its own, as `starling map --method exact --prove=GAP` would do it: a
// short local search, then the walk, until the gap is reached or time or nodes are used up.
#include <math.h>
#include <unistd.h>

#include "bench.h"
#include "starling/study.h"

typedef struct {
    CommonOptions common;
    const char *accel, *objective;
    double time; // seconds per layer, 0 = no limit
    int space;
    int64_t nodes; // per layer and gap, 0 = no limit
    int64_t seed, threads;
} ProveOptions;

static const SlOption options_table[] = {
    BENCH_ACCEL(ProveOptions, "accelerator: bundled name or YAML file"),
    SL_OPT_TEXT(ProveOptions, "objective", objective, "edp", "NAME",
                "objective to minimise, as for 'starling map'"),
    SL_OPT_CHOICE(ProveOptions, "space", space, NULL, sl_space_names, "NAME",
                  "mapping space; see 'starling list spaces'"),
    SL_OPT_REAL(ProveOptions, "time", time, "60", 0, 1e9, "SECONDS",
                "time limit per layer and gap; 0 = none", .letter = 't'),
    SL_OPT_WHOLE(ProveOptions, "nodes", nodes, "0", 0, 9e15, "N",
                 "approximate limit on search nodes per layer and gap; 0 = none"),
    BENCH_SEED(ProveOptions),
    BENCH_THREADS(ProveOptions, "threads per proof"),
    COMMON_OPTIONS,
    {0},
};

// Gaps whose time is told.
static const struct {
    double most; // a fraction
    const char *key, *label;
} gaps[] = {{0.05, "5", "5%"},
            {0.02, "2", "2%"},
            {0.01, "1", "1%"},
            {0.005, "0.5", "0.5%"},
            {1e-7, "0", "0%"}};
enum { N_GAPS = sizeof gaps / sizeof *gaps };

// What is measured if nothing is named: the layers of docs/studies/marl.md.
static const char *const usual[] = {
    "conv:name=pw16,K=16,C=32,P=112,Q=112",
    "conv:name=vgg2,K=128,C=64,P=112,Q=112,R=3,S=3",
    "conv:name=vgg14,K=512,C=512,P=14,Q=14,R=3,S=3",
    "conv:name=res18,K=64,C=64,P=56,Q=56,R=3,S=3",
    "conv:name=alex2,K=256,C=48,P=27,Q=27,R=5,S=5",
    "dw:name=dw96,G=96,P=112,Q=112,R=3,S=3",
    "gemm:name=gemm,M=512,N=768,K=768",
    NULL,
};

// How far a layer got.
typedef struct {
    SlProof proof;
    double seconds[N_GAPS]; // until the gap, INFINITY = not reached
} ProveRow;

typedef struct {
    const ProveOptions *options;
    SlArena *arena;
    SlAccel accel;
    SlGoal goal;
    char goal_text[64];
    SlPool *pool;
} ProveBench;

// Proofs with a smaller and smaller gap, each from the beginning. One that went further than it was
// asked to counts for the next gaps too; after one that was stopped there are no more.
static SlStatus prove_gaps(const ProveBench *bench, const SlSpace *space, ProveRow *row,
                           SlError *err) {
    SlProveSetup setup = {.space = space,
                          .finder = sl_method_find("local"),
                          .goal = bench->goal,
                          .seconds = bench->options->time,
                          .nodes = bench->options->nodes,
                          .seed = (uint64_t)bench->options->seed,
                          .pool = bench->pool};
    SlStatus status = SL_OK;
    double seconds = 0;
    row->proof.gap = INFINITY;
    for (int g = 0; g < N_GAPS && status == SL_OK; g++) {
        bool stopped = g > 0 && row->seconds[g - 1] == INFINITY;
        setup.epsilon = g < N_GAPS - 1 ? gaps[g].most : 0;
        if (!stopped && !(row->proof.gap <= gaps[g].most)) {
            status = sl_prove(&setup, NULL, NULL, bench->arena, &row->proof, err);
            seconds = row->proof.seconds;
        }
        row->seconds[g] = row->proof.gap <= gaps[g].most * (1 + 1e-6) ? seconds : INFINITY;
    }
    return status;
}

static SlStatus prove_layer(const ProveBench *bench, const SlLayer *layer, ProveRow *row,
                            SlError *err) {
    SlArena scratch;
    SlSpace space;
    SlSpaceOptions choice = {.preset = (SlSpacePreset)bench->options->space};
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_space_make(layer, &bench->accel, &choice, &scratch, &space, err);
    if (status == SL_OK) status = prove_gaps(bench, &space, row, err);
    sl_arena_free(&scratch);
    return status;
}

// ---- showing it ----

static void begin_doc(const Call *call, const ProveBench *bench, SlDoc *doc) {
    int n_threads = sl_pool_threads(bench->pool);
    const char *space = sl_space_names[bench->options->space];
    sl_doc_title(doc, "Seconds to prove that no mapping is better by more than ...");
    sl_doc_words(doc, "%s on %s, space %s, %d thread%s", bench->goal_text, bench->accel.name, space,
                 n_threads, n_threads == 1 ? "" : "s");
    sl_doc_string(doc, "accel", NULL, bench->accel.name);
    sl_doc_string(doc, "objective", NULL, bench->goal_text);
    sl_doc_string(doc, "space", NULL, space);
    sl_doc_plain(doc, "threads", n_threads);
    bench_options(call, "seed time nodes", doc);
    sl_doc_rows(doc, "layers", NULL);
}

static void add_row(const ProveBench *bench, const BenchLayer *of, const ProveRow *row,
                    SlDoc *doc) {
    char layer[384];
    const SlProof *proof = &row->proof;
    SlLayer nameless = of->layer;
    nameless.name[0] = '\0';
    sl_doc_row(doc);
    sl_doc_string(doc, "name", "layer", of->name);
    sl_doc_string(doc, "layer", NULL, sl_layer_write(&nameless, sizeof layer, layer));
    sl_doc_string(doc, "objective", NULL, bench->goal_text);
    sl_doc_string(doc, "status", NULL, sl_proof_names[proof->status]);
    sl_doc_number(doc, "value", "value", SL_UNIT_PLAIN, proof->value);
    sl_doc_number(doc, "start", "start", SL_UNIT_PLAIN, proof->start);
    sl_doc_shown(doc, "+%.2f%%", 100 * (proof->start / proof->value - 1));
    sl_doc_open(doc, "seconds_to", NULL);
    for (int g = 0; g < N_GAPS; g++)
        bench_fixed(doc, gaps[g].key, gaps[g].label, 2, row->seconds[g]);
    sl_doc_close(doc);
    sl_doc_plain(doc, "lower_bound", proof->lower_bound);
    sl_doc_number(doc, "gap", "gap", SL_UNIT_PLAIN, proof->gap);
    sl_doc_shown(doc, "%.3f%%", 100 * proof->gap);
    sl_doc_number(doc, "nodes", "nodes", SL_UNIT_COUNT, (double)proof->nodes);
    sl_doc_plain(doc, "branches", (double)proof->n_branches);
    sl_doc_plain(doc, "seconds", proof->seconds);
}

static SlStatus prove_all(const Call *call, const ProveBench *bench, const BenchLayers *layers,
                          SlDoc *doc, SlError *err) {
    SlStatus status = SL_OK;
    begin_doc(call, bench, doc);
    for (int i = 0; i < layers->n && status == SL_OK; i++) {
        ProveRow row = {0};
        if (isatty(STDERR_FILENO))
            call_note(call, "%s (%d of %d)", layers->list[i].name, i + 1, layers->n);
        status = prove_layer(bench, &layers->list[i].layer, &row, err);
        if (status == SL_OK) add_row(bench, &layers->list[i], &row, doc);
    }
    sl_doc_close(doc);
    return status;
}

static int run(Call *call) {
    const ProveOptions *options = call->options;
    ProveBench bench = {.options = options, .arena = call->arena};
    BenchLayers layers;
    SlError err;
    SlDoc *doc = bench_doc(call);
    SlStatus status = sl_accel_find(options->accel, call->arena, &bench.accel, &err);
    if (status == SL_OK) status = sl_goal_parse(options->objective, &bench.goal, &err);
    if (status == SL_OK) status = bench_find_layers(call, usual, &layers, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    sl_goal_text(&bench.goal, sizeof bench.goal_text, bench.goal_text);
    bench.pool = call_need(sl_pool_make((int)options->threads));
    status = prove_all(call, &bench, &layers, doc, &err);
    sl_pool_free(bench.pool);
    if (status != SL_OK) return call_fail(call, status, &err);
    return bench_deliver(call, doc);
}

BENCH_ROW(prove, ProveOptions, "[WORKLOAD...] ",
          "time to prove mappings optimal, and to smaller and smaller gaps",
          "Measures the time until a mapping is proven within 5, 2, 1, 0.5 and 0 % of the best in "
          "its space,\n"
          "for every distinct layer of the workloads. Without a WORKLOAD: seven typical layers.",
          "starling bench prove --threads 1\n"
          "starling bench prove mobilenet_v2 --accel flex1024 --time 20\n"
          "starling bench prove vgg16:conv2_1 --space all --time 0 --nodes 10000000");
