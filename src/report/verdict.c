// verdict.c - what results of mappings say first: cost, what binds, distance to the floors.
#include "verdict.h"

#include <math.h>
#include <string.h>

#include "evaluation_parts.h"

void sl_verdict_cost(double seconds, double energy_pj, bool network, double batch, SlText *out) {
    char time[SL_UNIT_ROOM], energy[SL_UNIT_ROOM];
    sl_text_add(out, "%s and %s", sl_unit_show(SL_UNIT_SECONDS, seconds, time),
                sl_unit_show(SL_UNIT_PJ, energy_pj, energy));
    if (batch > 1)
        sl_text_add(out, " for %.0f inputs", batch);
    else if (network)
        sl_text_add(out, " per inference");
}

const char *sl_verdict_share(double share, char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    return sl_unit_show(SL_UNIT_SHARE, fabs(share - 1) < 1e-12 ? 1 : share, out);
}

// ---- what binds ----

enum { MOST_BINDERS = 2 * SL_MAX_LEVELS + 2, BAR = 22 };

typedef struct {
    SlBinder binder;
    double cycles;
} Bound;

// of all layers that are bound by the same, largest first; returns how many there are
static int list_binders(const SlEvaluation *eval, Bound out[static MOST_BINDERS]) {
    int n = 0;
    for (int i = 0; i < eval->net.n_layers; i++) {
        const SlCost *cost = &eval->layers[i]->cost;
        int k = 0;
        while (k < n && (out[k].binder.kind != cost->binder.kind ||
                         (cost->binder.kind != SL_BIND_COMPUTE &&
                          out[k].binder.level != cost->binder.level)))
            k++;
        if (k == n) out[n++] = (Bound){.binder = cost->binder};
        out[k].cycles += cost->latency_cycles;
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && out[k].cycles > out[k - 1].cycles; k--) {
            Bound swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    return n;
}

// "compute 78 % ████████▒▒▒▒ DRAM port 22 %": the two largest, with a bar between
static void put_shares(const SlEvaluation *eval, int n, const Bound *list, SlText *out) {
    const double whole = eval->totals.latency_cycles;
    char name[SL_UNIT_ROOM], share[SL_UNIT_ROOM];
    int filled = (int)lround(BAR * list[0].cycles / whole);
    for (int i = 0; i < n; i++) {
        double part = list[i].cycles / whole;
        if (i > 1) sl_text_add(out, ", ");
        sl_text_add(out, "%s %s", sl_binder_show(&eval->accel, list[i].binder, name),
                    sl_verdict_share(n == 1 ? 1 : part, share));
        for (int k = 0; i == 0 && n > 1 && k < BAR; k++)
            sl_text_add(out, "%s%s", k == 0 ? " " : "", k < filled ? "█" : "░");
        if (i == 0 && n > 1) sl_text_add(out, " ");
    }
}

void sl_verdict_binders(SlDoc *doc, const SlEvaluation *eval) {
    Bound list[MOST_BINDERS] = {0};
    char text[64];
    int n = list_binders(eval, list);
    sl_doc_table(doc, "bound_by", NULL, 0, NULL);
    for (int i = 0; i < n; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "binder", NULL,
                      sl_binder_text(&eval->accel, list[i].binder, sizeof text, text));
        sl_doc_plain(doc, "share", list[i].cycles / eval->totals.latency_cycles);
    }
    sl_doc_close(doc);
}

void sl_verdict_bound_by(SlDoc *doc, const SlEvaluation *eval) {
    Bound list[MOST_BINDERS] = {0};
    char text[64], share[SL_UNIT_ROOM];
    SlText line;
    int n = list_binders(eval, list);
    sl_text_init(&line, eval->arena);
    put_shares(eval, n, list, &line);
    if (eval->net.n_layers == 1)
        sl_text_add(&line, " of the time, %s of the MACs busy",
                    sl_verdict_share(eval->totals.utilisation, share));
    else
        sl_text_add(&line, " of the time");
    if (line.failed) sl_doc_fail(doc);
    sl_doc_string(doc, NULL, "bound by", line.data);
    sl_doc_accent(doc, sl_binder_show(&eval->accel, list[0].binder, text));
}

// ---- floors ----

void sl_verdict_floors(const SlNetworkCost *cost, SlText *out) {
    static const char *const names[] = {"latency", "energy", "EDP"};
    char text[SL_UNIT_ROOM];
    size_t before = out->n;
    for (int o = SL_LATENCY; o <= SL_EDP; o++) {
        double multiple = sl_network_cost_multiple(cost, (SlObjective)o);
        if (isnan(multiple)) continue;
        sl_text_add(out, "%s%s %s", out->n > before ? ", " : "", names[o],
                    sl_unit_show(SL_UNIT_TIMES, multiple, text));
    }
    if (out->n > before) sl_text_add(out, " of the least that any mapping needs");
}
