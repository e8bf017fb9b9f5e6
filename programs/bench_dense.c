// bench_dense.c - `starling bench dense`: the pieces of batched networks on one thread, beside the
// peak of fused multiply-adds that a loop of nothing else reaches in the same run.
//
// All rows take turns in every pass, the peak too; the best pass of each counts. Times are those of
// the processor, so that other programs disturb less.
#include <jansson.h>
#include <math.h>
#include <time.h>

#include "bench.h"
#include "starling/approx/dense.h"
#include "text_table.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { BATCH = 1024, ACTIONS = 5, DENSE_REPEATS = 15, LARGEST = 9552, WIDEST = 1536 };
enum { CHAINS = 24, PEAK_ROUNDS = 40000 };

typedef enum { FORWARD, GRADIENT, BACK } Product;
static const char *const product_names[] = {"forward", "gradient", "back"};

typedef struct {
    Product product;
    int in, out; // of the layer
} DenseCase;

static const DenseCase cases[] = {
    {FORWARD, 16, 64},    {FORWARD, 64, 64},     {FORWARD, 264, 64},   {FORWARD, 824, 64},
    {FORWARD, 2472, 64},  {FORWARD, 9552, 64},   {FORWARD, 64, 5},     {FORWARD, 64, 1},
    {FORWARD, 264, 1536}, {GRADIENT, 16, 64},    {GRADIENT, 64, 64},   {GRADIENT, 264, 64},
    {GRADIENT, 824, 64},  {GRADIENT, 2472, 64},  {GRADIENT, 9552, 64}, {GRADIENT, 64, 5},
    {GRADIENT, 64, 1},    {GRADIENT, 264, 1536}, {BACK, 64, 64},       {BACK, 64, 5},
};
enum { N_PRODUCTS = sizeof cases / sizeof *cases };

typedef enum { GUMBEL, UNIFORM, ENTROPY, TRAIN, FOLLOW, N_PIECES } Piece;
static const struct {
    const char *name, *unit;
} pieces[N_PIECES] = {
    [GUMBEL] = {"Gumbel-softmax of 5", "rows"},
    [UNIFORM] = {"uniform noise", "numbers"},
    [ENTROPY] = {"entropy of softmax of 5", "rows"},
    [TRAIN] = {"clipping and Adam, 264-64-64-1", "parameters"},
    [FOLLOW] = {"soft update", "parameters"},
};

typedef struct {
    SlReal *x, *y, *w; // (BATCH, LARGEST), (BATCH, WIDEST), (the largest layer)
    SlReal *blocks[5]; // parameters, gradient, mean, square, target
    SlMlpShape shape;
    SlNoise noise;
    int64_t step;
} DenseRoom;

typedef struct {
    double peak;                 // operations per second
    double products[N_PRODUCTS]; // operations per second
    double pieces[N_PIECES];     // things per second
} DenseSpeeds;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- The peak: CHAINS chains that wait for nobody.

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double chains_512(int rounds) {
    __m512 sums[CHAINS];
    const __m512 x = _mm512_set1_ps(0.999F), y = _mm512_set1_ps(0.01F);
    for (int i = 0; i < CHAINS; i++) sums[i] = _mm512_set1_ps((float)i);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < CHAINS; i++) sums[i] = _mm512_fmadd_ps(sums[i], x, y);
    for (int i = 1; i < CHAINS; i++) sums[0] = _mm512_add_ps(sums[0], sums[i]);
    return (double)_mm512_cvtss_f32(sums[0]);
}

__attribute__((target("avx2,fma"))) static double chains_256(int rounds) {
    enum { HALF = CHAINS / 2 }; // of 16 registers
    __m256 sums[HALF];
    const __m256 x = _mm256_set1_ps(0.999F), y = _mm256_set1_ps(0.01F);
    for (int i = 0; i < HALF; i++) sums[i] = _mm256_set1_ps((float)i);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < HALF; i++) sums[i] = _mm256_fmadd_ps(sums[i], x, y);
    for (int i = 1; i < HALF; i++) sums[0] = _mm256_add_ps(sums[0], sums[i]);
    return (double)_mm256_cvtss_f32(sums[0]);
}
#endif

static double chains_plain(int rounds) {
    SlReal sums[CHAINS], sum = 0;
    for (int i = 0; i < CHAINS; i++) sums[i] = (SlReal)i;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < CHAINS; i++) sums[i] = fmaf(sums[i], 0.999F, 0.01F);
    for (int i = 0; i < CHAINS; i++) sum += sums[i];
    return (double)sum;
}

// operations per second of one pass; `used` keeps the result alive
static double time_peak(double *used) {
    double begun = processor_seconds(), operations = 2.0 * PEAK_ROUNDS * CHAINS;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        *used += chains_512(PEAK_ROUNDS);
        return operations * 16 / (processor_seconds() - begun);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        *used += chains_256(2 * PEAK_ROUNDS);
        return operations * 8 / (processor_seconds() - begun);
    }
#endif
    *used += chains_plain(PEAK_ROUNDS);
    return operations / (processor_seconds() - begun);
}

// --- Products and other pieces

static void run_product(const DenseCase *c, DenseRoom *room) {
    const size_t in = (size_t)c->in, out = (size_t)c->out;
    if (c->product == FORWARD) {
        SlDense layer = {.rows = BATCH,
                         .in = c->in,
                         .out = c->out,
                         .x = room->x,
                         .x_row = in,
                         .w = room->w,
                         .y = room->y,
                         .y_row = out,
                         .relu = true};
        sl_dense_forward(&layer);
    } else if (c->product == GRADIENT) {
        sl_dense_gradient(BATCH, c->in, c->out, room->x, in, room->y, out, room->w, NULL);
    } else {
        sl_dense_back(BATCH, c->in, c->out, room->y, out, room->w, room->x, in);
    }
}

static double operations_of(const DenseCase *c) {
    return 2.0 * BATCH * c->in * c->out;
}

// numbers that stay small however often they are multiplied
static void refill(DenseRoom *room, uint64_t seed) {
    SlRng rng;
    sl_rng_init(&rng, seed, "bench dense");
    for (size_t i = 0; i < (size_t)BATCH * LARGEST; i++)
        room->x[i] = (SlReal)(sl_rng_next(&rng) % 1000) / 1000;
    for (size_t i = 0; i < (size_t)BATCH * WIDEST; i++) room->y[i] = (SlReal)0.001;
    for (size_t i = 0; i < (size_t)LARGEST * 64; i++) room->w[i] = (SlReal)0.01;
}

// operations per second of about fifty million of them, or of one call, after one that is not timed
static double time_product(const DenseCase *c, DenseRoom *room) {
    const int times = 1 + (int)(5e7 / operations_of(c));
    run_product(c, room);
    double begun = processor_seconds();
    for (int i = 0; i < times; i++) run_product(c, room);
    return times * operations_of(c) / (processor_seconds() - begun);
}

// how many things one call deals with
static double run_piece(Piece piece, DenseRoom *room) {
    const size_t n_params = sl_mlp_params(&room->shape), n_draws = (size_t)BATCH * ACTIONS;
    SlReal *const *b = room->blocks;
    const SlTrain how = {.rate = 0.01, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .most = 0.5};
    SlReal *u = room->w;
    switch (piece) {
    case GUMBEL:
        sl_gumbel_softmax(BATCH, ACTIONS, room->x, u, room->y, ACTIONS);
        return BATCH;
    case UNIFORM:
        sl_noise_uniform(&room->noise, n_draws, u);
        return (double)n_draws;
    case ENTROPY:
        sl_softmax_entropy(BATCH, ACTIONS, room->x, room->y);
        return BATCH;
    case TRAIN:
        sl_train_step(&how, &room->shape, ++room->step, b[0], b[1], b[2], b[3]);
        return (double)n_params;
    default:
        sl_soft_update(n_params, (SlReal)0.01, b[0], b[4]);
        return (double)n_params;
    }
}

static double time_piece(Piece piece, DenseRoom *room) {
    enum { TIMES = 50 };
    double begun = processor_seconds(), things = 0;
    for (int i = 0; i < TIMES; i++) things += run_piece(piece, room);
    return things / (processor_seconds() - begun);
}

static void make_room(uint64_t seed, SlArena *arena, DenseRoom *room) {
    *room = (DenseRoom){.shape = {.n_layers = 3, .width = {264, 64, 64, 1}, .activation = SL_RELU}};
    room->x = command_need(SL_NEW(arena, (size_t)BATCH * LARGEST, SlReal));
    room->y = command_need(SL_NEW(arena, (size_t)BATCH * WIDEST, SlReal));
    room->w = command_need(SL_NEW(arena, (size_t)LARGEST * 64, SlReal));
    for (int i = 0; i < 5; i++)
        room->blocks[i] = command_need(SL_NEW(arena, sl_mlp_params(&room->shape), SlReal));
    for (size_t i = 0; i < sl_mlp_params(&room->shape); i++) room->blocks[1][i] = (SlReal)0.01;
    sl_noise_init(&room->noise, seed, "bench dense");
}

static double measure_all(const BenchOptions *options, DenseRoom *room, DenseSpeeds *speeds) {
    double used = 0;
    for (int64_t r = 0; r < options->repeats; r++) {
        refill(room, (uint64_t)options->seed);
        speeds->peak = fmax(speeds->peak, time_peak(&used));
        for (int i = 0; i < N_PRODUCTS; i++)
            speeds->products[i] = fmax(speeds->products[i], time_product(&cases[i], room));
        run_piece(UNIFORM, room);
        for (int i = 0; i < N_PIECES; i++)
            speeds->pieces[i] = fmax(speeds->pieces[i], time_piece((Piece)i, room));
    }
    return used;
}

// --- Report

static void show_speeds(const DenseSpeeds *speeds, SlArena *arena, SlText *out) {
    TextTable table;
    char text[32];
    sl_text_add(out,
                "Layers of %d rows on one thread; fused multiply-adds alone reach %.1f GFLOP/s\n\n",
                BATCH, speeds->peak / 1e9);
    table_init(&table, arena, "<product|in|out|GFLOP/s|of the peak");
    for (int i = 0; i < N_PRODUCTS; i++) {
        table_row(&table);
        table_cell(&table, "%s", product_names[cases[i].product]);
        table_cell(&table, "%d", cases[i].in);
        table_cell(&table, "%d", cases[i].out);
        table_cell(&table, "%.1f", speeds->products[i] / 1e9);
        table_cell(&table, "%.0f %%", 100 * speeds->products[i] / speeds->peak);
    }
    table_draw(&table, out);
    sl_text_add(out, "\n");
    table_init(&table, arena, "<piece|per second|<of");
    for (int i = 0; i < N_PIECES; i++) {
        table_row(&table);
        table_cell(&table, "%s", pieces[i].name);
        table_cell(&table, "%s", sl_show_count(round(speeds->pieces[i]), text));
        table_cell(&table, "%s", pieces[i].unit);
    }
    table_draw(&table, out);
}

static json_t *speeds_json(const BenchOptions *options, const DenseSpeeds *speeds) {
    json_t *document = command_need(sl_json_document("bench-dense", 1));
    json_t *products = command_need(json_array()), *others = command_need(json_array());
    for (int i = 0; i < N_PRODUCTS; i++) {
        json_t *to = command_need(json_object());
        json_put_text(to, "product", product_names[cases[i].product]);
        json_put_number(to, "rows", BATCH);
        json_put_number(to, "in", cases[i].in);
        json_put_number(to, "out", cases[i].out);
        json_put_number(to, "gflops", speeds->products[i] / 1e9);
        json_put_number(to, "peak_share", speeds->products[i] / speeds->peak);
        json_add(products, to);
    }
    for (int i = 0; i < N_PIECES; i++) {
        json_t *to = command_need(json_object());
        json_put_text(to, "piece", pieces[i].name);
        json_put_text(to, "unit", pieces[i].unit);
        json_put_number(to, "per_second", speeds->pieces[i]);
        json_add(others, to);
    }
    json_put(document, "seed", json_integer(options->seed));
    json_put(document, "repeats", json_integer(options->repeats));
    json_put_number(document, "peak_gflops", speeds->peak / 1e9);
    json_put(document, "products", products);
    json_put(document, "pieces", others);
    return document;
}

int bench_dense(const BenchOptions *given) {
    SlArena arena;
    SlText text;
    DenseRoom room;
    DenseSpeeds speeds = {0};
    BenchOptions options = *given;
    if (options.repeats == 0) options.repeats = DENSE_REPEATS;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    make_room((uint64_t)options.seed, &arena, &room);
    double used = measure_all(&options, &room, &speeds);
    if (!isfinite(used)) return command_refuse("bench dense: the peak's sums are not finite");
    show_speeds(&speeds, &arena, &text);
    json_t *json = command_wants_json(&options.common) ? speeds_json(&options, &speeds) : NULL;
    int code = command_deliver(&options.common, "bench-dense", &text, json, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}
