// eval_witness.c - `starling eval --witness`: execute mappings as C programs and compare every
// count with the model's.
#include <stdio.h>
#include <string.h>

#include "count_columns.h"
#include "eval_doc.h"

// One count by both ways.
typedef struct {
    char level[24], name[COUNT_NAME_ROOM]; // "L2", "l1_fill_W"
    const char *tensor;                    // "W", "" = of none
    double model;
    int64_t execution;
} Pair;

enum { PAIRS_MAX = 2 + SL_MAX_LEVELS * COUNTS_PER_LEVEL };

// One layer: what was executed, and what came out.
typedef struct {
    const Priced *priced;
    SlLayer layer; // scaled down where `trips` is above 0
    SlMapping mapping;
    int64_t trips;
    SlWitnessCounts execution;
    int n_pairs, n_different;
    Pair pairs[PAIRS_MAX];
} Witnessed;

// ---- comparing ----

static void add_pair(Witnessed *it, Pair pair) {
    it->pairs[it->n_pairs++] = pair;
    it->n_different += pair.model != (double)pair.execution;
}

// the tensor of a level's i-th count, -1 if it is of none; updates and covers are those of O
static int tensor_of(int i) {
    const char *name = sl_witness_names[i], *mark = strchr(name, '_');
    if (strcmp(name, "inst") == 0 || strcmp(name, "grid") == 0) return -1;
    if (!mark) return SL_O;
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (strcmp(mark + 1, sl_tensor_names[t]) == 0) return t;
    return -1;
}

static void compare_level(const SlAccel *accel, const SlCounts *model, int level, Witnessed *it) {
    bool macs = level == model->n_levels;
    for (int i = 0; i < COUNTS_PER_LEVEL; i++) {
        int tensor = tensor_of(i);
        if (!macs && tensor >= 0 && !(it->mapping.keep[level - 1] >> tensor & 1)) continue;
        Pair pair = {.tensor = tensor >= 0 ? sl_tensor_names[tensor] : "",
                     .model = level_count(&model->level[level], i),
                     .execution = sl_witness_count(&it->execution.level[level], i)};
        snprintf(pair.level, sizeof pair.level, "%s", macs ? "MACs" : accel->levels[level].name);
        level_count_name(level, model->n_levels, i, pair.name);
        add_pair(it, pair);
    }
}

static void compare(const SlAccel *accel, Witnessed *it) {
    SlCounts model;
    sl_counts_eval(&it->layer, sl_accel_net(accel), &it->mapping, &model);
    add_pair(
        it,
        (Pair){.name = "macs", .tensor = "", .model = model.macs, .execution = it->execution.macs});
    add_pair(it, (Pair){.name = "cycles",
                        .tensor = "",
                        .model = model.cycles,
                        .execution = it->execution.cycles});
    for (int l = 1; l <= model.n_levels; l++) compare_level(accel, &model, l, it);
}

static bool agrees(const Witnessed *it) {
    return it->n_different == 0 && it->execution.output_right && !it->execution.fault[0];
}

// ---- counts, for people ----

// "fill" of "l1_fill_W"
static const char *quantity(const Pair *pair, char out[static COUNT_NAME_ROOM]) {
    const char *from = strchr(pair->name, '_');
    snprintf(out, COUNT_NAME_ROOM, "%s", from ? from + 1 : pair->name);
    char *end = strchr(out, '_');
    if (end) *end = '\0';
    return out;
}

static void add_counts(SlDoc *doc, const Witnessed *it, bool all) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "level"),     SL_COLUMN(NULL, "tensor"),
                                       SL_COLUMN(NULL, "count"),     SL_COLUMN(NULL, "model"),
                                       SL_COLUMN(NULL, "execution"), SL_COLUMN(NULL, "same")};
    const char *level = NULL;
    char name[COUNT_NAME_ROOM];
    sl_doc_table(doc, NULL, all ? NULL : it->priced->layer.name, 6, columns);
    for (int i = 0; i < it->n_pairs; i++) {
        const Pair *pair = &it->pairs[i];
        bool same = pair->model == (double)pair->execution;
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
static void add_values(SlDoc *doc, const char *key, const Witnessed *it, bool execution) {
    sl_doc_open(doc, key, NULL);
    for (int i = 0; i < it->n_pairs; i++) {
        const Pair *pair = &it->pairs[i];
        sl_doc_number(doc, pair->name, NULL, SL_UNIT_COUNT,
                      execution ? (double)pair->execution : pair->model);
    }
    sl_doc_close(doc);
}

static void add_row(SlDoc *doc, const Witnessed *it) {
    char nest[SL_NEST_TEXT_MAX];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, it->priced->layer.name);
    add_shape(doc, &it->layer);
    sl_doc_string(doc, "mapping", NULL, sl_mapping_write(&it->mapping, sizeof nest, nest));
    sl_doc_flag(doc, "scaled", NULL, it->trips > 0);
    sl_doc_shown(doc, it->trips > 0 ? "%lld per loop" : "-", (long long)it->trips);
    sl_doc_number(doc, NULL, "counts", SL_UNIT_COUNT, it->n_pairs);
    sl_doc_number(doc, NULL, "equal", SL_UNIT_COUNT, it->n_pairs - it->n_different);
    add_values(doc, "model", it, false);
    add_values(doc, "execution", it, true);
    sl_doc_list(doc, "different");
    for (int i = 0; i < it->n_pairs; i++)
        if (it->pairs[i].model != (double)it->pairs[i].execution)
            sl_doc_string(doc, NULL, NULL, it->pairs[i].name);
    sl_doc_close(doc);
    sl_doc_flag(doc, "output_right", NULL, it->execution.output_right);
    sl_doc_shown(doc, it->execution.output_right ? "right" : "WRONG");
    sl_doc_string(doc, "fault", NULL, it->execution.fault[0] ? it->execution.fault : NULL);
}

// people see a row per layer where there are several
static void add_rows(SlDoc *doc, int n, const Witnessed *all) {
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

static void add_scaling(SlDoc *doc, const Evaluation *eval, const Witnessed *it) {
    const SlWitnessJob whole = {&it->priced->layer, &eval->accel, &it->priced->mapping};
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
static void add_verdict(SlDoc *doc, const Witnessed *it) {
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

static void add_verdicts(SlDoc *doc, int n, const Witnessed *all) {
    int agreed = 0, counts = 0;
    for (int i = 0; i < n; i++) {
        agreed += agrees(&all[i]);
        counts += all[i].n_pairs;
        if (all[i].n_different > 0) add_counts(doc, &all[i], false);
    }
    if (agreed == n)
        sl_doc_words(doc, "all %d counts of %d layers equal; every output is right", counts, n);
    else
        sl_doc_warn(doc, "%d of %d layers differ", n - agreed, n);
}

static SlDoc *document(const Evaluation *eval, int n, const Witnessed *all, bool equal) {
    SlDoc *doc = sl_doc_make(eval->arena, "witness", 1);
    char title[EVALUATION_TITLE_ROOM], shape[384];
    sl_doc_title(doc, "%s, executed", evaluation_title(eval, title));
    add_workload(doc, eval);
    add_accel(doc, &eval->accel);
    sl_doc_flag(doc, "equal", NULL, equal);
    if (n == 1) {
        sl_doc_string(doc, NULL, "layer", sl_layer_show(&all->priced->layer, sizeof shape, shape));
        add_scaling(doc, eval, all);
        add_counts(doc, all, true);
    }
    add_rows(doc, n, all);
    if (n == 1)
        add_verdict(doc, all);
    else
        add_verdicts(doc, n, all);
    return doc;
}

// ---- the whole command ----

// what can be executed of a layer; SL_EINPUT if nothing can
static SlStatus prepare(const Evaluation *eval, const Priced *priced, Witnessed *it, SlError *err) {
    const SlWitnessJob job = {&priced->layer, &eval->accel, &priced->mapping};
    *it = (Witnessed){.priced = priced};
    if (sl_witness_scale(&job, &it->layer, &it->mapping, &it->trips)) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "--witness: %s cannot be executed even with two iterations per loop: %s",
                   priced->layer.name, sl_witness_check(&job));
}

static SlStatus write_source(const Call *call, const Evaluation *eval, const Witnessed *it,
                             SlError *err) {
    const SlWitnessJob job = {&it->layer, &eval->accel, &it->mapping};
    const char *path = eval->options->witness_source;
    char shape[384];
    SlText source;
    sl_text_init(&source, eval->arena);
    sl_witness_write(1, &job, &source);
    if (source.failed) call_no_memory();
    if (it->trips)
        call_note(call, "The program is of the layer scaled down: %s",
                  sl_layer_show(&it->layer, sizeof shape, shape));
    if (strcmp(path, "-") != 0) return sl_file_write(path, source.data, source.n, err);
    int code = call_print(call, source.data, source.n, CODE_DONE);
    return code == CODE_DONE ? SL_OK : sl_fail(err, SL_EIO, "cannot write the program");
}

static SlStatus execute(const Evaluation *eval, Witnessed *it, SlError *err) {
    const SlWitnessJob job = {&it->layer, &eval->accel, &it->mapping};
    const SlWitnessOptions options = {0};
    SlStatus status = sl_witness_run(1, &job, &options, eval->arena, &it->execution, err);
    if (status == SL_OK) compare(&eval->accel, it);
    return status;
}

// the distinct layers in the network's order; returns how many
static int distinct(const Evaluation *eval, const Priced **list) {
    int n = 0;
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool known = false;
        for (int j = 0; j < n && !known; j++) known = list[j] == eval->layers[i];
        if (!known) list[n++] = eval->layers[i];
    }
    return n;
}

int eval_witness(const Call *call, const Evaluation *eval) {
    const EvalOptions *options = eval->options;
    const Priced **list = call_need(SL_NEW(eval->arena, eval->net.n_layers, const Priced *));
    int n = distinct(eval, list);
    Witnessed *all = call_need(SL_NEW(eval->arena, n, Witnessed));
    bool equal = true;
    SlError err;
    if (options->witness_source && n > 1)
        return call_refuse(
            call, "--witness-source is of one layer, %s has %d; name one of them, such as %s:%s",
            eval->net.name, eval->net.n_layers, eval->net.name, eval->net.layers[0].name);
    for (int i = 0; i < n; i++) {
        SlStatus status = prepare(eval, list[i], &all[i], &err);
        if (status == SL_OK && options->witness_source)
            status = write_source(call, eval, &all[i], &err);
        if (status == SL_OK && options->witness) status = execute(eval, &all[i], &err);
        if (status != SL_OK) return call_fail(call, status, &err);
        equal = equal && agrees(&all[i]);
    }
    if (!options->witness) return CODE_DONE;
    const SlDoc *doc = document(eval, n, all, equal);
    return call_deliver(call, doc, "witness", equal ? CODE_DONE : CODE_FALSE);
}
