// bench_prove.c - `starling bench prove`: how long proofs take, to every gap on the way.
//
// For every gap a proof of its own, as `starling map --method exact --prove=GAP` would do it: a
// short local search, then the walk, until the gap is reached or the time is over.
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "show.h"
#include "starling/study.h"
#include "text_table.h"

// Gaps whose time is told, fractions.
static const double gaps[] = {0.05, 0.02, 0.01, 0.005, 1e-7};
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
};
enum { N_USUAL = sizeof usual / sizeof *usual };

typedef struct {
    char name[140];
    SlLayer layer;
    SlProof proof;
    double seconds[N_GAPS]; // until the gap, INFINITY = not reached
} ProveRow;

typedef struct {
    const BenchOptions *options;
    SlArena *arena;
    SlAccel accel;
    SlGoal goal;
    char goal_text[64];
    SlPool *pool;
    int n_rows;
    ProveRow *rows;
} ProveBench;

// Proofs with a smaller and smaller gap, each from the beginning. One that went further than it was
// asked to counts for the next gaps too; after one that was stopped there are no more.
static SlStatus prove_gaps(ProveBench *bench, const SlSpace *space, ProveRow *row, SlError *err) {
    SlProveSetup setup = {.space = space,
                          .finder = sl_method_find("local"),
                          .goal = bench->goal,
                          .seconds = bench->options->time,
                          .seed = (uint64_t)bench->options->seed,
                          .pool = bench->pool};
    SlStatus status = SL_OK;
    double seconds = 0;
    row->proof.gap = INFINITY;
    for (int g = 0; g < N_GAPS && status == SL_OK; g++) {
        bool stopped = g > 0 && row->seconds[g - 1] == INFINITY;
        setup.epsilon = g < N_GAPS - 1 ? gaps[g] : 0;
        if (!stopped && !(row->proof.gap <= gaps[g])) {
            status = sl_prove(&setup, NULL, NULL, bench->arena, &row->proof, err);
            seconds = row->proof.seconds;
        }
        row->seconds[g] = row->proof.gap <= gaps[g] * (1 + 1e-6) ? seconds : INFINITY;
    }
    return status;
}

static SlStatus prove_row(ProveBench *bench, ProveRow *row, SlError *err) {
    SlArena scratch;
    SlSpace space;
    SlSpaceOptions choice = {.preset = (SlSpacePreset)bench->options->space};
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_space_make(&row->layer, &bench->accel, &choice, &scratch, &space, err);
    if (status == SL_OK) status = prove_gaps(bench, &space, row, err);
    sl_arena_free(&scratch);
    return status;
}

// the distinct layers of a workload, behind those that are there
static SlStatus add_rows(ProveBench *bench, const char *workload, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(workload, 1, bench->arena, &net, err);
    if (status != SL_OK) return status;
    int *first = command_need(SL_NEW(bench->arena, net.n_layers, int));
    sl_network_distinct(&net, first);
    ProveRow *rows = command_need(SL_NEW(bench->arena, bench->n_rows + net.n_layers, ProveRow));
    if (bench->n_rows > 0) memcpy(rows, bench->rows, (size_t)bench->n_rows * sizeof *rows);
    bench->rows = rows;
    for (int i = 0; i < net.n_layers; i++) {
        if (first[i] != i) continue;
        ProveRow *row = &rows[bench->n_rows++];
        row->layer = net.layers[i];
        snprintf(row->name, sizeof row->name, "%s%s%s", net.n_layers > 1 ? net.name : "",
                 net.n_layers > 1 ? ":" : "", net.layers[i].name);
    }
    return SL_OK;
}

// ---- showing it ----

static const char *seconds_text(double seconds, char out[static 32]) {
    if (isfinite(seconds))
        snprintf(out, 32, "%.2f", seconds);
    else
        snprintf(out, 32, "-");
    return out;
}

static void show_rows(const ProveBench *bench, SlText *out) {
    TextTable table;
    char text[32];
    sl_text_add(out,
                "Seconds to prove that no mapping is better by more than ..., %s on %s, space %s, "
                "%d thread%s\n\n",
                bench->goal_text, bench->accel.name, sl_space_names[bench->options->space],
                sl_pool_threads(bench->pool), sl_pool_threads(bench->pool) == 1 ? "" : "s");
    table_init(&table, bench->arena, "<layer|value|start|5%|2%|1%|0.5%|0%|gap|nodes");
    for (int i = 0; i < bench->n_rows; i++) {
        const ProveRow *row = &bench->rows[i];
        const SlProof *proof = &row->proof;
        table_row(&table);
        table_cell(&table, "%s", row->name);
        table_cell(&table, "%.5g", proof->value);
        table_cell(&table, "+%.2f%%", 100 * (proof->start / proof->value - 1));
        for (int g = 0; g < N_GAPS; g++)
            table_cell(&table, "%s", seconds_text(row->seconds[g], text));
        table_cell(&table, "%.3f%%", 100 * proof->gap);
        table_cell(&table, "%s", sl_show_count((double)proof->nodes, text));
    }
    table_draw(&table, out);
}

static json_t *prove_row_json(const ProveBench *bench, const ProveRow *row) {
    static const char *const keys[N_GAPS] = {"5", "2", "1", "0.5", "0"};
    json_t *to = command_need(json_object()), *times = command_need(json_object());
    char layer[384];
    SlLayer nameless = row->layer;
    nameless.name[0] = '\0';
    json_put_text(to, "name", row->name);
    json_put_text(to, "layer", sl_layer_write(&nameless, sizeof layer, layer));
    json_put_text(to, "objective", bench->goal_text);
    json_put_text(to, "status", sl_proof_names[row->proof.status]);
    json_put_number(to, "value", row->proof.value);
    json_put_number(to, "start", row->proof.start);
    json_put_number(to, "lower_bound", row->proof.lower_bound);
    json_put_number(to, "gap", row->proof.gap);
    json_put(to, "nodes", json_integer(row->proof.nodes));
    json_put(to, "branches", json_integer(row->proof.n_branches));
    json_put_number(to, "seconds", row->proof.seconds);
    for (int g = 0; g < N_GAPS; g++)
        json_put(times, keys[g],
                 isfinite(row->seconds[g]) ? sl_json_number(row->seconds[g]) : json_null());
    json_put(to, "seconds_to", times);
    return to;
}

static json_t *prove_json(const ProveBench *bench) {
    json_t *document = command_need(sl_json_document("bench-prove", 1));
    json_t *rows = command_need(json_array());
    for (int i = 0; i < bench->n_rows; i++) json_add(rows, prove_row_json(bench, &bench->rows[i]));
    json_put_text(document, "accel", bench->accel.name);
    json_put_text(document, "objective", bench->goal_text);
    json_put_text(document, "space", sl_space_names[bench->options->space]);
    json_put(document, "threads", json_integer(sl_pool_threads(bench->pool)));
    json_put(document, "seed", json_integer(bench->options->seed));
    json_put_number(document, "time", bench->options->time);
    json_put(document, "layers", rows);
    return document;
}

static int deliver(const ProveBench *bench) {
    SlText text;
    sl_text_init(&text, bench->arena);
    show_rows(bench, &text);
    json_t *json = command_wants_json(&bench->options->common) ? prove_json(bench) : NULL;
    return command_deliver(&bench->options->common, "bench-prove", &text, json, CODE_DONE);
}

int bench_prove(const BenchOptions *options, int n_workloads, const char *const *workloads) {
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    ProveBench bench = {.options = options, .arena = &arena};
    SlStatus status = sl_accel_find(options->accel, &arena, &bench.accel, &err);
    if (status == SL_OK) status = sl_goal_parse(options->objective, &bench.goal, &err);
    for (int i = 0; i < (n_workloads ? n_workloads : N_USUAL) && status == SL_OK; i++)
        status = add_rows(&bench, n_workloads ? workloads[i] : usual[i], &err);
    if (status == SL_OK) {
        sl_goal_text(&bench.goal, sizeof bench.goal_text, bench.goal_text);
        bench.pool = command_need(sl_pool_make((int)options->threads));
    }
    for (int i = 0; i < bench.n_rows && status == SL_OK; i++) {
        if (isatty(STDERR_FILENO))
            command_note(&options->common, "%s (%d of %d)", bench.rows[i].name, i + 1,
                         bench.n_rows);
        status = prove_row(&bench, &bench.rows[i], &err);
    }
    int code = status == SL_OK ? deliver(&bench) : command_fail(status, &err);
    if (bench.pool) sl_pool_free(bench.pool);
    sl_arena_free(&arena);
    return code;
}
