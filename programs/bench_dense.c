// bench_dense.c - `starling bench dense`: the pieces of batched networks on one thread, beside the
// peak of fused multiply-adds that a loop of nothing else reaches in the same run.
//
// All rows take turns in every pass, the peak too; the best pass of each counts. Times are those of
// the processor, so that other programs disturb less.
#include <math.h>

#include "bench.h"
#include "starling/approx/dense.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef struct {
    CommonOptions common;
    int64_t repeats, seed;
} DenseOptions;

static const SlOption options_table[] = {
    BENCH_REPEATS(DenseOptions, "15", BENCH_PASSES),
    BENCH_SEED(DenseOptions),
    COMMON_OPTIONS,
    {0},
};

enum { BATCH = 1024, ACTIONS = 5, LARGEST = 9552, WIDEST = 1536 };
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
    SlReal *turned;    // (64, 64)
    SlReal *blocks[5]; // parameters, gradient, mean, square, target
    SlMlpShape shape;
    SlNoise noise;
    int64_t step;
} DenseWork;

typedef struct {
    double peak;                 // operations per second
    double products[N_PRODUCTS]; // operations per second
    double pieces[N_PIECES];     // things per second
} DenseSpeeds;

// --- The peak: CHAINS chains that wait for nobody.

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double chains_512(int rounds) {
    __m512 sums[CHAINS];
    const __m512 x = _mm512_set1_ps(0.999F), y = _mm512_set1_ps(0.01F);
    for (int i = 0; i < CHAINS; i++) sums[i] = _mm512_set1_ps((float)i);
    for (int r = 0; r < rounds; r++) {
#pragma GCC unroll 24 // sums stay in registers
        for (int i = 0; i < CHAINS; i++) sums[i] = _mm512_fmadd_ps(sums[i], x, y);
    }
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
    double begun = bench_processor_seconds(), operations = 2.0 * PEAK_ROUNDS * CHAINS;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        *used += chains_512(PEAK_ROUNDS);
        return operations * 16 / (bench_processor_seconds() - begun);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        *used += chains_256(2 * PEAK_ROUNDS);
        return operations * 8 / (bench_processor_seconds() - begun);
    }
#endif
    *used += chains_plain(PEAK_ROUNDS);
    return operations / (bench_processor_seconds() - begun);
}

// --- Products and other pieces

static void run_product(const DenseCase *c, DenseWork *work) {
    const size_t in = (size_t)c->in, out = (size_t)c->out;
    if (c->product == FORWARD) {
        SlDense layer = {.rows = BATCH,
                         .in = c->in,
                         .out = c->out,
                         .x = work->x,
                         .x_row = in,
                         .w = work->w,
                         .y = work->y,
                         .y_row = out,
                         .relu = true};
        sl_dense_forward(&layer);
    } else if (c->product == GRADIENT) {
        sl_dense_gradient(BATCH, c->in, c->out, work->x, in, work->y, out, work->w, NULL);
    } else {
        sl_dense_turn(c->in, c->out, work->w, work->turned);
        sl_dense_back(&(SlDenseBack){.rows = BATCH,
                                     .in = c->in,
                                     .out = c->out,
                                     .dy = work->y,
                                     .dy_row = out,
                                     .turned = work->turned,
                                     .dx = work->x,
                                     .dx_row = in});
    }
}

static double operations_of(const DenseCase *c) {
    return 2.0 * BATCH * c->in * c->out;
}

// numbers that stay small however often they are multiplied
static void refill(DenseWork *work, uint64_t seed) {
    SlRng rng;
    sl_rng_init(&rng, seed, "bench dense");
    for (size_t i = 0; i < (size_t)BATCH * LARGEST; i++)
        work->x[i] = (SlReal)(sl_rng_next(&rng) % 1000) / 1000;
    for (size_t i = 0; i < (size_t)BATCH * WIDEST; i++) work->y[i] = (SlReal)0.001;
    for (size_t i = 0; i < (size_t)LARGEST * 64; i++) work->w[i] = (SlReal)0.01;
}

// operations per second of about fifty million of them, or of one call, after one that is not timed
static double time_product(const DenseCase *c, DenseWork *work) {
    const int times = 1 + (int)(5e7 / operations_of(c));
    run_product(c, work);
    double begun = bench_processor_seconds();
    for (int i = 0; i < times; i++) run_product(c, work);
    return times * operations_of(c) / (bench_processor_seconds() - begun);
}

// how many things one call deals with
static double run_piece(Piece piece, DenseWork *work) {
    const size_t n_params = sl_mlp_params(&work->shape), n_draws = (size_t)BATCH * ACTIONS;
    SlReal *const *b = work->blocks;
    const SlTrain how = {.rate = 0.01, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .most = 0.5};
    SlReal *u = work->w;
    switch (piece) {
    case GUMBEL:
        sl_gumbel_softmax(BATCH, ACTIONS, work->x, u, work->y, ACTIONS);
        return BATCH;
    case UNIFORM:
        sl_noise_uniform(&work->noise, n_draws, u);
        return (double)n_draws;
    case ENTROPY:
        sl_softmax_entropy(BATCH, ACTIONS, work->x, work->y);
        return BATCH;
    case TRAIN:
        sl_train_step(&how, &work->shape, ++work->step, b[0], b[1], b[2], b[3]);
        return (double)n_params;
    default:
        sl_soft_update(n_params, (SlReal)0.01, b[0], b[4]);
        return (double)n_params;
    }
}

static double time_piece(Piece piece, DenseWork *work) {
    enum { TIMES = 50 };
    double begun = bench_processor_seconds(), things = 0;
    for (int i = 0; i < TIMES; i++) things += run_piece(piece, work);
    return things / (bench_processor_seconds() - begun);
}

static void make_work(uint64_t seed, SlArena *arena, DenseWork *work) {
    *work = (DenseWork){.shape = {.n_layers = 3, .width = {264, 64, 64, 1}, .activation = SL_RELU}};
    work->x = call_need(SL_NEW(arena, (size_t)BATCH * LARGEST, SlReal));
    work->y = call_need(SL_NEW(arena, (size_t)BATCH * WIDEST, SlReal));
    work->w = call_need(SL_NEW(arena, (size_t)LARGEST * 64, SlReal));
    work->turned = call_need(SL_NEW(arena, 64 * 64, SlReal));
    for (int i = 0; i < 5; i++)
        work->blocks[i] = call_need(SL_NEW(arena, sl_mlp_params(&work->shape), SlReal));
    for (size_t i = 0; i < sl_mlp_params(&work->shape); i++) work->blocks[1][i] = (SlReal)0.01;
    sl_noise_init(&work->noise, seed, "bench dense");
}

static double measure_all(const DenseOptions *options, DenseWork *work, DenseSpeeds *speeds) {
    double used = 0;
    for (int64_t r = 0; r < options->repeats; r++) {
        refill(work, (uint64_t)options->seed);
        speeds->peak = fmax(speeds->peak, time_peak(&used));
        for (int i = 0; i < N_PRODUCTS; i++)
            speeds->products[i] = fmax(speeds->products[i], time_product(&cases[i], work));
        run_piece(UNIFORM, work);
        for (int i = 0; i < N_PIECES; i++)
            speeds->pieces[i] = fmax(speeds->pieces[i], time_piece((Piece)i, work));
    }
    return used;
}

// --- Report

static void add_products(const DenseSpeeds *speeds, SlDoc *doc) {
    sl_doc_rows(doc, "products", NULL);
    for (int i = 0; i < N_PRODUCTS; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "product", "product", product_names[cases[i].product]);
        sl_doc_plain(doc, "rows", BATCH);
        bench_fixed(doc, "in", "in", 0, cases[i].in);
        bench_fixed(doc, "out", "out", 0, cases[i].out);
        bench_fixed(doc, "gflops", "GFLOP/s", 1, speeds->products[i] / 1e9);
        sl_doc_number(doc, "peak_share", "of the peak", SL_UNIT_SHARE,
                      speeds->products[i] / speeds->peak);
    }
    sl_doc_close(doc);
}

static void add_pieces(const DenseSpeeds *speeds, SlDoc *doc) {
    sl_doc_rows(doc, "pieces", NULL);
    for (int i = 0; i < N_PIECES; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "piece", "piece", pieces[i].name);
        sl_doc_number(doc, "per_second", "per second", SL_UNIT_RATE, speeds->pieces[i]);
        sl_doc_string(doc, "unit", "of", pieces[i].unit);
    }
    sl_doc_close(doc);
}

static int run(Call *call) {
    const DenseOptions *options = call->options;
    DenseWork work;
    DenseSpeeds speeds = {0};
    make_work((uint64_t)options->seed, call->arena, &work);
    double used = measure_all(options, &work, &speeds);
    if (!isfinite(used)) return call_refuse(call, "bench dense: the peak's sums are not finite");
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc,
                 "Layers of %d rows on one thread; fused multiply-adds alone reach %.1f GFLOP/s",
                 BATCH, speeds.peak / 1e9);
    bench_options(call, "seed repeats", doc);
    sl_doc_plain(doc, "peak_gflops", speeds.peak / 1e9);
    add_products(&speeds, doc);
    add_pieces(&speeds, doc);
    return bench_deliver(call, doc);
}

BENCH_ROW(dense, DenseOptions, "",
          "speed of batched network layers relative to the processor's peak",
          "Measures layers of batched networks on one thread against the processor's peak; also "
          "noise and\n"
          "optimisers.",
          "starling bench dense\nstarling bench dense --json");
