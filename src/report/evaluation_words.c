// evaluation_words.c - what to look at first in a network: the layers that matter, and what binds
// them.
#include "doc_inside.h"
#include "evaluation_parts.h"

enum { N_TOP = 3 };

// "conv1 12.0 %, conv2_1 8.1 %, ..."; `values` (n_layers) is used up
static void add_top(SlDoc *doc, const SlEvaluation *eval, const char *label, double *values,
                    double whole) {
    char share[SL_UNIT_ROOM];
    SlText words;
    sl_text_init(&words, eval->arena);
    for (int place = 0; place < N_TOP && place < eval->net.n_layers; place++) {
        int best = 0;
        for (int i = 1; i < eval->net.n_layers; i++)
            if (values[i] > values[best]) best = i;
        sl_text_add(&words, "%s%.24s %s", place ? ", " : "", eval->net.layers[best].name,
                    sl_unit_show(SL_UNIT_SHARE, values[best] / whole, share));
        values[best] = -1;
    }
    if (words.failed) sl_doc_fail(doc);
    sl_doc_string(doc, NULL, label, words.data);
}

static void add_tops(SlDoc *doc, const SlEvaluation *eval) {
    int n = eval->net.n_layers;
    double *values = sl_doc_need(doc, SL_NEW(eval->arena, n, double));
    if (!values) return;
    for (int i = 0; i < n; i++) values[i] = eval->layers[i]->cost.latency_cycles;
    add_top(doc, eval, "most time", values, eval->totals.latency_cycles);
    for (int i = 0; i < n; i++) values[i] = eval->layers[i]->cost.energy_pj;
    add_top(doc, eval, "most energy", values, eval->totals.energy_pj);
}

static bool same_binder(SlBinder a, SlBinder b) {
    return a.kind == b.kind && a.level == b.level;
}

// "compute (18 layers, 93.1 % of the time)" for the layers bound like layer i
static void add_binder(const SlEvaluation *eval, int i, SlText *out) {
    SlBinder binder = eval->layers[i]->cost.binder;
    char name[SL_UNIT_ROOM], share[SL_UNIT_ROOM];
    int layers = 0;
    double cycles = 0;
    for (int j = i; j < eval->net.n_layers; j++) {
        if (!same_binder(eval->layers[j]->cost.binder, binder)) continue;
        layers++;
        cycles += eval->layers[j]->cost.latency_cycles;
    }
    sl_text_add(out, "%s%s (%d layer%s, %s of the time)", out->n ? ", " : "",
                sl_binder_show(&eval->accel, binder, name), layers, layers == 1 ? "" : "s",
                sl_unit_show(SL_UNIT_SHARE, cycles / eval->totals.latency_cycles, share));
}

static void add_binders(SlDoc *doc, const SlEvaluation *eval) {
    SlText list;
    sl_text_init(&list, eval->arena);
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++)
            seen = same_binder(eval->layers[j]->cost.binder, eval->layers[i]->cost.binder);
        if (!seen) add_binder(eval, i, &list);
    }
    if (list.failed) sl_doc_fail(doc);
    sl_doc_string(doc, NULL, "bound by", list.data);
}

void sl_evaluation_words(SlDoc *doc, const SlEvaluation *eval) {
    sl_doc_words(doc,
                 "shape: KxC PxQ RxS /stride, or MxNxK. floor: %s over the least that any mapping "
                 "needs.",
                 sl_objective_names[eval->objective]);
    add_tops(doc, eval);
    add_binders(doc, eval);
}
