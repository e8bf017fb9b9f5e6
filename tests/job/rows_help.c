// rows_help.c - the Gemmini's RTL rows, read, split by layer and judged.
#include "rows_help.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starling/cost/nest_table.h"

#define RTL_FILE SL_SOURCE_DIR "/tests/data/gemmini/rtl.csv.gz"
#define RTL_ACCEL SL_SOURCE_DIR "/examples/accels/gemmini_rtl.yaml"

static void need(SlStatus status, const SlError *err) {
    if (status == SL_OK) return;
    fprintf(stderr, "%s\n", err->text);
    abort();
}

// ---- the native cost of every nest ----

static void put_parts(const SlNestRow *row, const SlAccel *accel, double *parts, double *latency) {
    SlCost cost;
    SlFootprint foot;
    sl_cost_eval(&row->layer, accel, &row->mapping, &cost);
    sl_mapping_footprint(&row->layer, &row->mapping, &foot);
    double steps = 1;
    for (int i = 0; i < row->mapping.at[0]; i++) steps *= (double)foot.trips[i];
    parts[0] = cost.counts.cycles;
    for (int l = 0; l < 3; l++) parts[1 + l] = cost.port[l];
    parts[4] = steps;
    parts[5] = 1;
    *latency = cost.latency_cycles;
}

static int find_layer(const Rtl *rtl, const SlLayer *layer) {
    for (int k = 0; k < rtl->rows.n_tasks; k++) {
        const SlLayer *other = sl_task_layer(rtl->rows.tasks[k]);
        if (memcmp(other->dims, layer->dims, sizeof layer->dims) == 0 &&
            memcmp(other->stride, layer->stride, sizeof layer->stride) == 0)
            return k;
    }
    abort();
}

// the file once more; rows of a layer come in the order of its lesson
static void price_rows(Rtl *rtl) {
    SlNestTable table = {.name = RTL_FILE, .accel = &rtl->accel};
    SlNestRow row;
    SlError err;
    char *text = NULL;
    bool more = true;
    int *next = SL_NEW(&rtl->arena, rtl->rows.n_tasks + 1, int);
    for (int k = 0; k < rtl->rows.n_tasks; k++) next[k + 1] = next[k] + rtl->rows.lessons[k].n;
    need(sl_file_read_gzip(table.name, 1 << 24, &rtl->arena, &text, &table.n, &err), &err);
    table.text = text;
    need(sl_nest_table_open(&table, &rtl->arena, &err), &err);
    for (;;) {
        need(sl_nest_table_next(&table, &more, &row, &err), &err);
        if (!more) break;
        int at = next[find_layer(rtl, &row.layer)]++;
        put_parts(&row, &rtl->accel, rtl->parts[at], &rtl->latency[at]);
    }
}

// ---- rows ----

static void gather(Rtl *rtl) {
    size_t width = (size_t)rtl->n_inputs;
    int row = 0;
    for (int k = 0; k < rtl->rows.n_tasks; k++) {
        const SlLesson *lesson = &rtl->rows.lessons[k];
        float least = INFINITY;
        for (int i = 0; i < lesson->n; i++) least = fminf(least, (float)log(lesson->values[i]));
        memcpy(rtl->inputs + (size_t)row * width, lesson->inputs,
               (size_t)lesson->n * width * sizeof *rtl->inputs);
        for (int i = 0; i < lesson->n; i++, row++) {
            rtl->task[row] = k;
            rtl->scores[row] = (float)log(lesson->values[i]);
            rtl->targets[row] = log1pf((float)log(lesson->values[i]) - least);
        }
    }
}

void rtl_make(Rtl *rtl) {
    SlError err;
    *rtl = (Rtl){0};
    sl_arena_init(&rtl->arena, 0);
    need(sl_accel_find(RTL_ACCEL, &rtl->arena, &rtl->accel, &err), &err);
    const SlRowsSetup setup = {.path = RTL_FILE, .accel = &rtl->accel};
    need(sl_rows_read(&setup, &rtl->arena, &rtl->rows, &err), &err);
    rtl->n = rtl->rows.n_rows;
    rtl->n_inputs = rtl->rows.lessons[0].n_inputs;
    rtl->task = SL_NEW(&rtl->arena, rtl->n, int);
    rtl->inputs = SL_NEW(&rtl->arena, (size_t)rtl->n * (size_t)rtl->n_inputs, float);
    rtl->scores = SL_NEW(&rtl->arena, rtl->n, float);
    rtl->targets = SL_NEW(&rtl->arena, rtl->n, float);
    rtl->parts = SL_NEW(&rtl->arena, rtl->n, RtlParts);
    rtl->latency = SL_NEW(&rtl->arena, rtl->n, double);
    gather(rtl);
    price_rows(rtl);
}

void rtl_free(Rtl *rtl) {
    sl_rows_close(&rtl->rows);
    sl_arena_free(&rtl->arena);
}

void rtl_fold(const Rtl *rtl, int n_folds, uint64_t seed, int *fold) {
    SlRng rng;
    sl_rng_init(&rng, seed, "folds");
    for (int k = 0; k < rtl->rows.n_tasks; k++) fold[k] = k % n_folds;
    sl_rng_shuffle(&rng, rtl->rows.n_tasks, fold);
}

SlTeachOptions rtl_options(int members, uint64_t seed) {
    SlTeachOptions options = {0};
    sl_options_init(sl_teach_options, &options);
    options.depth = 6;
    options.members = members;
    options.trees = 500;
    options.rate = 0.03;
    options.cap = 100;
    options.bend = 1;
    options.seed = seed;
    return options;
}

// ---- judging ----

static double kendall(int n, const float *scores, const double *guess) {
    double agree = 0, pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double a = (double)scores[i] - (double)scores[j], b = guess[i] - guess[j];
            if (a == 0) continue;
            pairs++;
            agree += b == 0 ? 0 : (a > 0) == (b > 0) ? 1 : -1;
        }
    return agree / pairs;
}

// distance of the best of the first picks from the best; of equal guesses the first row counts
static double regret(int n, const float *scores, const double *guess, int picks) {
    double best = INFINITY, least = INFINITY;
    for (int i = 0; i < n; i++) {
        int before = 0;
        for (int j = 0; j < n; j++)
            before += guess[j] < guess[i] || (guess[j] == guess[i] && j < i);
        if (before < picks) best = fmin(best, (double)scores[i]);
        least = fmin(least, (double)scores[i]);
    }
    return best - least;
}

RtlScore rtl_judge(const Rtl *rtl, const double *guess) {
    const int layers = rtl->rows.n_tasks;
    RtlScore sum = {0};
    int row = 0;
    for (int k = 0; k < layers; k++) {
        int n = rtl->rows.lessons[k].n;
        double one = regret(n, rtl->scores + row, guess + row, 1);
        double three = regret(n, rtl->scores + row, guess + row, 3);
        sum.tau += kendall(n, rtl->scores + row, guess + row) / layers;
        sum.first += one / layers;
        sum.third += three / layers;
        sum.first_mean += exp(one) / layers;
        sum.third_mean += exp(three) / layers;
        row += n;
    }
    sum.first = exp(sum.first);
    sum.third = exp(sum.third);
    return sum;
}
