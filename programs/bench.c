// bench.c - what the parts of `starling bench` share.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int bench_refuse_words(const Call *call) {
    return call_refuse(call, "%s: expected options only, got '%.40s'", call->command->name,
                       call->words.words[0]);
}

// ---- layers ----

const BenchCase bench_cases[BENCH_CASES] = {
    {"VGG16 conv3_2", "vgg16:conv3_2"},
    {"ResNet 3x3 stride 2", "conv:K=128,C=128,P=28,Q=28,R=3,S=3,stride=2,pad=1"},
    {"depthwise 3x3", "dw:G=144,P=56,Q=56,R=3,S=3,pad=1"},
    {"GEMM 1024^3", "gemm:M=1024,N=1024,K=1024"},
};

SlStatus bench_add_layers(const char *workload, SlArena *arena, BenchLayers *layers, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(workload, 1, arena, &net, err);
    if (status != SL_OK) return status;
    int *first = call_need(SL_NEW(arena, net.n_layers, int));
    sl_network_distinct(&net, first);
    BenchLayer *list = call_need(SL_NEW(arena, layers->n + net.n_layers, BenchLayer));
    if (layers->n > 0) memcpy(list, layers->list, (size_t)layers->n * sizeof *list);
    layers->list = list;
    for (int i = 0; i < net.n_layers; i++) {
        if (first[i] != i) continue;
        BenchLayer *layer = &list[layers->n++];
        layer->layer = net.layers[i];
        snprintf(layer->name, sizeof layer->name, "%s%s%s", net.n_layers > 1 ? net.name : "",
                 net.n_layers > 1 ? ":" : "", net.layers[i].name);
    }
    return SL_OK;
}

SlStatus bench_find_layers(const Call *call, const char *const *usual, BenchLayers *layers,
                           SlError *err) {
    SlStatus status = SL_OK;
    *layers = (BenchLayers){0};
    for (int i = 0; i < call->words.n && status == SL_OK; i++)
        status = bench_add_layers(call->words.words[i], call->arena, layers, err);
    for (int i = 0; call->words.n == 0 && usual[i] && status == SL_OK; i++)
        status = bench_add_layers(usual[i], call->arena, layers, err);
    return status;
}

// ---- times ----

double bench_processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bench_forget(int n, double *best) {
    for (int i = 0; i < n; i++) best[i] = INFINITY;
}

BenchSpread bench_spread(int n, double *times) {
    sl_sort(n, times);
    return (BenchSpread){.p25 = sl_quantile_sorted(n, times, 0.25),
                         .median = sl_quantile_sorted(n, times, 0.5),
                         .p75 = sl_quantile_sorted(n, times, 0.75),
                         .p90 = sl_quantile_sorted(n, times, 0.9),
                         .p99 = sl_quantile_sorted(n, times, 0.99),
                         .worst = sl_quantile_sorted(n, times, 1)};
}

// ---- documents ----

static const char *doc_name(const Call *call, char out[static 32]) {
    snprintf(out, 32, "bench-%s", strchr(call->command->name, ' ') + 1);
    return out;
}

SlDoc *bench_doc(const Call *call) {
    char name[32];
    return sl_doc_make(call->arena, doc_name(call, name), 1);
}

int bench_deliver(const Call *call, SlDoc *doc) {
    char name[32];
    return call_deliver(call, doc, doc_name(call, name), CODE_DONE);
}

void bench_options(const Call *call, const char *names, SlDoc *doc) {
    while (*names) {
        size_t n = strcspn(names, " ");
        const SlOption *option = call->command->options;
        while (strlen(option->name) != n || strncmp(option->name, names, n) != 0) option++;
        sl_doc_option(doc, option->name, option, call->options);
        names += n + strspn(names + n, " ");
    }
}

void bench_row(SlDoc *doc, int i, int n) {
    if (i < n)
        sl_doc_row(doc);
    else
        sl_doc_sums(doc, "all");
}

void bench_fixed(SlDoc *doc, const char *key, const char *label, int decimals, double value) {
    sl_doc_number(doc, key, label, SL_UNIT_PLAIN, value);
    if (isfinite(value)) sl_doc_shown(doc, "%.*f", decimals, value);
}
