// tune_cores.c - one core for a whole network: all cores that fit the chip by drafts, which are
// free; every layer tuned on the best few of them; the least sum wins.
#include <math.h>
#include <stdlib.h>

#include "interrupt.h"
#include "tune_command.h"

enum { MAX_BATCH = 8, MIN_BLOCK = 4, MAX_BLOCK = 64 };

// ---- drafts ----

// the least draft of a layer on a core, in cycles; INFINITY where nothing fits
static double least_draft(const Tune *tune, const TuneLayer *layer, const SlVtaCore *core) {
    SlArena scratch;
    SlTask *tuning;
    double least = INFINITY;
    sl_arena_init(&scratch, 0);
    SlStatus status =
        tune_task(tune, &layer->layer, core, SL_HARDWARE_FIXED, &scratch, &tuning, NULL);
    if (status == SL_OK) {
        int32_t point[SL_MAX_PARAMS];
        const SlSpace *knobs = sl_task_space(tuning);
        for (int64_t i = 0; i < knobs->n_points; i++) {
            sl_space_at(knobs, i, point);
            least = fmin(least, sl_task_draft(tuning, point));
        }
    }
    sl_arena_free(&scratch);
    return least;
}

static void draft_core(void *context, int item, int worker) {
    const Tune *tune = context;
    TuneCore *row = &tune->cores[item];
    (void)worker;
    SlNetworkCost sum;
    sl_network_cost_init(&sum, NULL);
    row->cycles = NAN;
    for (int i = 0; i < tune->n_layers && !interrupt_caught(); i++) {
        const TuneLayer *layer = &tune->layers[i];
        row->drafts[i] = layer->tuning ? least_draft(tune, layer, &row->core) : 0;
        SlNetworkPart part = sl_network_part(layer->count);
        part.latency_cycles = row->drafts[i];
        sl_network_cost_add(&sum, &part);
    }
    row->draft = sum.latency_cycles;
}

// what a layer alone would take
static void prefer(Tune *tune, int i) {
    TuneLayer *layer = &tune->layers[i];
    for (int c = 0; c < tune->n_cores && layer->tuning; c++) {
        const TuneCore *row = &tune->cores[c];
        if (layer->preferred_draft > 0 && row->drafts[i] >= layer->preferred_draft) continue;
        layer->preferred = row->core;
        layer->preferred_draft = row->drafts[i];
    }
}

// smaller cores first where drafts are equal
static int by_draft(const void *a, const void *b) {
    const TuneCore *x = a, *y = b;
    if (x->draft != y->draft) return x->draft < y->draft ? -1 : 1;
    int64_t p = (int64_t)x->core.batch * x->core.block_in * x->core.block_out;
    int64_t q = (int64_t)y->core.batch * y->core.block_in * y->core.block_out;
    if (p != q) return p < q ? -1 : 1;
    if (x->core.batch != y->core.batch) return x->core.batch < y->core.batch ? -1 : 1;
    return (x->core.block_in > y->core.block_in) - (x->core.block_in < y->core.block_in);
}

static void add_core(Tune *tune, int batch, int block_in, int block_out) {
    SlVtaCore core = tune->core;
    core.batch = batch;
    core.block_in = block_in;
    core.block_out = block_out;
    if (sl_vta_core_check(&core) || sl_vta_fill(&core, &tune->budget, NULL) > 1) return;
    TuneCore *row = &tune->cores[tune->n_cores++];
    *row = (TuneCore){.core = core};
    row->drafts = command_need(SL_NEW(tune->arena, tune->n_layers, double));
}

static void list_cores(Tune *tune) {
    tune->cores = command_need(SL_NEW(tune->arena, 128, TuneCore));
    for (int b = 1; b <= MAX_BATCH; b *= 2)
        for (int i = MIN_BLOCK; i <= MAX_BLOCK; i *= 2)
            for (int o = MIN_BLOCK; o <= MAX_BLOCK; o *= 2) add_core(tune, b, i, o);
    sl_pool_run(tune->pool, tune->n_cores, draft_core, tune);
    int n = 0;
    for (int c = 0; c < tune->n_cores; c++)
        if (isfinite(tune->cores[c].draft) && !interrupt_caught())
            tune->cores[n++] = tune->cores[c];
    tune->n_cores = n;
    for (int i = 0; i < tune->n_layers; i++) prefer(tune, i);
    qsort(tune->cores, (size_t)tune->n_cores, sizeof *tune->cores, by_draft);
}

// ---- the best few ----

int tune_shortlist(const Tune *tune) {
    return (int)tune->options->cores;
}

static SlStatus tune_on(Tune *tune, TuneCore *row, int64_t budget, SlError *err) {
    SlStatus status = SL_OK;
    row->layers = command_need(SL_NEW(tune->arena, tune->n_layers, TuneLayer));
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++) {
        TuneLayer *layer = &row->layers[i];
        *layer = tune->layers[i];
        if (!layer->tuning) continue;
        layer->arena = tune_new_arena(tune);
        status = tune_task(tune, &layer->layer, &row->core, SL_HARDWARE_FIXED, layer->arena,
                           &layer->tuning, err);
    }
    if (status == SL_OK) status = tune_layers(tune, row->layers, budget, err);
    row->cycles = tune_cost(tune, row->layers).value;
    return status;
}

SlStatus tune_cores(Tune *tune, SlError *err) {
    int most = tune_shortlist(tune);
    list_cores(tune);
    if (tune->n_cores == 0 && !interrupt_caught())
        return sl_fail(err, SL_EINPUT, "no core fits --resources and runs every layer");
    int n = tune->n_cores < most ? tune->n_cores : most;
    int64_t budget = tune->options->budget;
    if (budget > 0 && n > 0) budget = budget > n ? budget / n : 1;
    const TuneCore *best = NULL;
    SlStatus status = SL_OK;
    for (int i = 0; i < n && status == SL_OK && !interrupt_caught(); i++) {
        TuneCore *row = &tune->cores[i];
        status = tune_on(tune, row, budget, err);
        if (!best || isnan(best->cycles) || row->cycles < best->cycles) best = row;
    }
    if (status != SL_OK || !best) return status;
    tune->core = best->core;
    tune->layers = best->layers;
    return SL_OK;
}
