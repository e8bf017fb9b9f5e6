// witness_doc.c - executed mappings as a document: what was executed, every count by both ways,
// whether they are equal (docs/witness.md).
#include "starling/report/witness_doc.h"

#include <stdio.h>
#include <string.h>

#include "evaluation_parts.h"

// ---- counts, for people ----

// "fill" of "l1_fill_W"
static const char *quantity(const SlWitnessPair *pair, char out[static SL_COUNT_NAME]) {
    const char *from = strchr(pair->name, '_');
    snprintf(out, SL_COUNT_NAME, "%s", from ? from + 1 : pair->name);
    char *end = strchr(out, '_');
    if (end) *end = '\0';
    return out;
}

static void add_counts(SlDoc *doc, const SlWitnessed *it, bool all) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "level"),     SL_COLUMN(NULL, "tensor"),
                                       SL_COLUMN(NULL, "count"),     SL_COLUMN(NULL, "model"),
                                       SL_COLUMN(NULL, "execution"), SL_COLUMN(NULL, "same")};
    const char *level = NULL;
    char name[SL_COUNT_NAME];
    sl_doc_table(doc, NULL, all ? NULL : it->priced->layer.name, 6, columns);
    for (int i = 0; i < it->n_pairs; i++) {
        const SlWitnessPair *pair = &it->pairs[i];
        bool same = sl_witness_same(pair);
        if (same && !all) continue;
        sl_doc_row(doc);
        sl_doc_string(doc, NULL, "level",
                      level && strcmp(level, pair->level) == 0 ? "" : pair->level);
        sl_doc_string(doc, NULL, "tensor", pair->tensor);
        sl_doc_string(doc, NULL, "count", quantity(pair, name));
        sl_doc_number(doc, NULL, "model", SL_UNIT_COUNT, pair->model);
        sl_doc_number(doc, NULL, "execution", SL_UNIT_COUNT, (double)pair->execution);
        sl_doc_string(doc, NULL, "same", same ? "yes" : "NO");
        level = pair->level;
    }
    sl_doc_close(doc);
}

// ---- layers ----

// the names of counts to their values; of the execution or of the model
static void add_values(SlDoc *doc, const char *key, const SlWitnessed *it, bool execution) {
    sl_doc_open(doc, key, NULL);
    for (int i = 0; i < it->n_pairs; i++) {
        const SlWitnessPair *pair = &it->pairs[i];
        sl_doc_number(doc, pair->name, NULL, SL_UNIT_COUNT,
                      execution ? (double)pair->execution : pair->model);
    }
    sl_doc_close(doc);
}

static void add_row(SlDoc *doc, const SlWitnessed *it) {
    char nest[SL_NEST_TEXT_MAX];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, it->priced->layer.name);
    sl_doc_shape(doc, &it->layer);
    sl_doc_string(doc, "mapping", NULL, sl_mapping_write(&it->mapping, sizeof nest, nest));
    sl_doc_flag(doc, "scaled", NULL, it->trips > 0);
    sl_doc_shown(doc, it->trips > 0 ? "%lld per loop" : "-", (long long)it->trips);
    sl_doc_number(doc, NULL, "counts", SL_UNIT_COUNT, it->n_pairs);
    sl_doc_number(doc, NULL, "equal", SL_UNIT_COUNT, it->n_pairs - it->n_different);
    add_values(doc, "model", it, false);
    add_values(doc, "execution", it, true);
    sl_doc_list(doc, "different");
    for (int i = 0; i < it->n_pairs; i++)
        if (!sl_witness_same(&it->pairs[i])) sl_doc_string(doc, NULL, NULL, it->pairs[i].name);
    sl_doc_close(doc);
    sl_doc_flag(doc, "output_right", NULL, it->execution.output_right);
    sl_doc_shown(doc, it->execution.output_right ? "right" : "WRONG");
    sl_doc_string(doc, "fault", NULL, it->execution.fault[0] ? it->execution.fault : NULL);
}

// people see a row per layer where there are several
static void add_rows(SlDoc *doc, int n, const SlWitnessed *all) {
    SlColumn columns[] = {
        SL_COLUMN("name", "layer", .cut = true),
        SL_COLUMN("inline", NULL),
        SL_COLUMN("mapping", NULL),
        SL_COLUMN("execution.macs", "MACs executed", .csv = "macs_executed"),
        SL_COLUMN("scaled", "scaled to"),
        SL_COLUMN(NULL, "counts"),
        SL_COLUMN(NULL, "equal"),
        SL_COLUMN("output_right", "output"),
    };
    enum { N_COLUMNS = sizeof columns / sizeof *columns };
    for (int c = 0; c < N_COLUMNS && n == 1; c++) columns[c].label = NULL;
    sl_doc_table(doc, "layers", NULL, N_COLUMNS, columns);
    for (int i = 0; i < n; i++) add_row(doc, &all[i]);
    sl_doc_close(doc);
}

// ---- the document ----

static void add_scaling(SlDoc *doc, const SlAccel *accel, const SlWitnessed *it) {
    const SlWitnessJob whole = {&it->priced->layer, accel, &it->priced->mapping};
    char shape[384], nest[SL_NEST_TEXT_MAX];
    if (it->trips == 0) return;
    sl_doc_words(doc,
                 "Scaled down to be executed in seconds, since %s. What follows, model and "
                 "execution, is the same nest with at most %lld iterations per loop:",
                 sl_witness_check(&whole), (long long)it->trips);
    sl_doc_string(doc, NULL, "executed", sl_layer_show(&it->layer, sizeof shape, shape));
    sl_doc_string(doc, NULL, "nest", sl_mapping_write(&it->mapping, sizeof nest, nest));
}

// "all 71 counts equal; the output is right"
static void add_verdict(SlDoc *doc, const SlWitnessed *it) {
    const SlWitnessCounts *execution = &it->execution;
    bool fault = execution->fault[0];
    char counts[64];
    if (it->n_different)
        snprintf(counts, sizeof counts, "%d of %d counts differ", it->n_different, it->n_pairs);
    else
        snprintf(counts, sizeof counts, "all %d counts equal", it->n_pairs);
    sl_doc_words(doc, "%s; the output is %s%s%s%s", counts,
                 execution->output_right ? "right" : "WRONG", fault ? " (" : "", execution->fault,
                 fault ? ")" : "");
}

static void add_verdicts(SlDoc *doc, int n, const SlWitnessed *all) {
    int agreed = 0, counts = 0;
    for (int i = 0; i < n; i++) {
        agreed += sl_witnessed_agrees(&all[i]);
        counts += all[i].n_pairs;
        if (all[i].n_different > 0) add_counts(doc, &all[i], false);
    }
    if (agreed == n)
        sl_doc_words(doc, "all %d counts of %d layers equal; every output is right", counts, n);
    else
        sl_doc_warn(doc, "%d of %d layers differ", n - agreed, n);
}

SlDoc *sl_report_witness(const SlWitnessCheck *check) {
    const SlEvaluation *eval = check->eval;
    const SlWitnessed *all = check->layers;
    int n = check->n;
    SlDoc *doc = sl_doc_make(eval->arena, "witness", 1);
    char title[SL_EVALUATION_TITLE], shape[384];
    sl_doc_title(doc, "%s, executed", sl_evaluation_title(eval, title));
    sl_doc_workload(doc, eval);
    sl_doc_accel(doc, &eval->accel);
    sl_doc_flag(doc, "equal", NULL, check->equal);
    if (n == 1) {
        sl_doc_string(doc, NULL, "layer", sl_layer_show(&all->priced->layer, sizeof shape, shape));
        add_scaling(doc, &eval->accel, all);
        add_counts(doc, all, true);
    }
    add_rows(doc, n, all);
    if (n == 1)
        add_verdict(doc, all);
    else
        add_verdicts(doc, n, all);
    return doc;
}
