// eval_witness.c - `starling eval --witness`: execute mappings as C programs and compare every
// count with the model's.
#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "count_columns.h"
#include "eval.h"
#include "show.h"
#include "starling/kernel/witness.h"
#include "text_table.h"

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

static_assert(COUNTS_PER_LEVEL == (int)SL_WITNESS_N_COUNTS, "the two have the same counts");

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
    char of[COUNT_NAME_ROOM];
    level_name(level, model->n_levels, of);
    for (int i = 0; i < COUNTS_PER_LEVEL; i++) {
        int tensor = tensor_of(i);
        if (!macs && tensor >= 0 && !(it->mapping.keep[level - 1] >> tensor & 1)) continue;
        Pair pair = {.tensor = tensor >= 0 ? sl_tensor_names[tensor] : "",
                     .model = level_count(&model->level[level], i),
                     .execution = sl_witness_count(&it->execution.level[level], i)};
        snprintf(pair.level, sizeof pair.level, "%s", macs ? "MACs" : accel->levels[level].name);
        snprintf(pair.name, sizeof pair.name, "%.8s_%.20s", of, sl_witness_names[i]);
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

// ---- text ----

// "fill" of "l1_fill_W"
static const char *quantity(const Pair *pair, char out[static COUNT_NAME_ROOM]) {
    const char *from = strchr(pair->name, '_');
    snprintf(out, COUNT_NAME_ROOM, "%s", from ? from + 1 : pair->name);
    char *end = strchr(out, '_');
    if (end) *end = '\0';
    return out;
}

static void add_pairs(SlArena *arena, const Witnessed *it, bool all, SlText *out) {
    TextTable table;
    char name[COUNT_NAME_ROOM], model[32], execution[32];
    const char *level = NULL;
    table_init(&table, arena, "<level|<tensor|<count|model|execution|<same");
    for (int i = 0; i < it->n_pairs; i++) {
        const Pair *pair = &it->pairs[i];
        bool same = pair->model == (double)pair->execution;
        if (same && !all) continue;
        table_row(&table);
        table_cell(&table, "%s", level && strcmp(level, pair->level) == 0 ? "" : pair->level);
        table_cell(&table, "%s", pair->tensor);
        table_cell(&table, "%s", quantity(pair, name));
        table_cell(&table, "%s", sl_show_count(pair->model, model));
        table_cell(&table, "%s", sl_show_count((double)pair->execution, execution));
        table_cell(&table, "%s", same ? "yes" : "NO");
        level = pair->level;
    }
    table_draw(&table, out);
}

static void add_scaling(const Evaluation *eval, const Witnessed *it, SlText *out) {
    const SlWitnessJob whole = {&it->priced->layer, &eval->accel, &it->priced->mapping};
    char shape[384], nest[SL_NEST_TEXT_MAX], sentence[512];
    if (it->trips == 0) return;
    snprintf(sentence, sizeof sentence,
             "Scaled down to be executed in seconds, since %s. What follows, model and execution, "
             "is the same nest with at most %lld iterations per loop:",
             sl_witness_check(&whole), (long long)it->trips);
    show_wrapped("", "", sentence, out);
    sl_text_add(out, "  %s\n", sl_layer_show(&it->layer, sizeof shape, shape));
    show_wrapped("  ", "  ", sl_mapping_write(&it->mapping, sizeof nest, nest), out);
    sl_text_add(out, "\n");
}

// one sentence: "all 71 counts equal; the output is right"
static void add_verdict(const Witnessed *it, SlText *out) {
    if (it->n_different)
        sl_text_add(out, "%d of %d counts differ; ", it->n_different, it->n_pairs);
    else
        sl_text_add(out, "all %d counts equal; ", it->n_pairs);
    sl_text_add(out, "the output is %s", it->execution.output_right ? "right" : "WRONG");
    if (it->execution.fault[0]) sl_text_add(out, " (%s)", it->execution.fault);
    sl_text_add(out, "\n");
}

static void add_layer(const Evaluation *eval, const Witnessed *it, SlText *out) {
    char title[EVALUATION_TITLE_ROOM], shape[384];
    sl_text_add(out, "%s, executed\n%s\n\n", evaluation_title(eval, title),
                sl_layer_show(&it->priced->layer, sizeof shape, shape));
    add_scaling(eval, it, out);
    add_pairs(eval->arena, it, true, out);
    sl_text_add(out, "\n");
    add_verdict(it, out);
}

static void add_network(const Evaluation *eval, int n, const Witnessed *all, SlText *out) {
    char title[EVALUATION_TITLE_ROOM], macs[32];
    int agreed = 0, counts = 0;
    TextTable table;
    sl_text_add(out, "%s, executed\n\n", evaluation_title(eval, title));
    table_init(&table, eval->arena, "~layer|MACs executed|<scaled to|counts|equal|<output");
    for (int i = 0; i < n; i++) {
        const Witnessed *it = &all[i];
        agreed += agrees(it);
        counts += it->n_pairs;
        table_row(&table);
        table_cell(&table, "%s", it->priced->layer.name);
        table_cell(&table, "%s", sl_show_count((double)sl_layer_macs(&it->layer), macs));
        if (it->trips)
            table_cell(&table, "%lld per loop", (long long)it->trips);
        else
            table_cell(&table, "-");
        table_cell(&table, "%d", it->n_pairs);
        table_cell(&table, "%d", it->n_pairs - it->n_different);
        table_cell(&table, "%s", it->execution.output_right ? "right" : "WRONG");
    }
    table_draw(&table, out);
    for (int i = 0; i < n; i++) {
        if (all[i].n_different == 0) continue;
        sl_text_add(out, "\n%s:\n", all[i].priced->layer.name);
        add_pairs(eval->arena, &all[i], false, out);
    }
    if (agreed == n)
        sl_text_add(out, "\nall %d counts of %d layers equal; every output is right\n", counts, n);
    else
        sl_text_add(out, "\n%d of %d layers differ\n", n - agreed, n);
}

// ---- JSON ----

static json_t *layer_json(const Witnessed *it) {
    char nest[SL_NEST_TEXT_MAX];
    json_t *to = command_need(json_object()), *model = command_need(json_object());
    json_t *execution = command_need(json_object()), *different = command_need(json_array());
    json_put_text(to, "name", it->priced->layer.name);
    json_put_shape(to, &it->layer);
    json_put_text(to, "mapping", sl_mapping_write(&it->mapping, sizeof nest, nest));
    json_put(to, "scaled", json_boolean(it->trips > 0));
    for (int i = 0; i < it->n_pairs; i++) {
        const Pair *pair = &it->pairs[i];
        json_put_number(model, pair->name, pair->model);
        json_put_number(execution, pair->name, (double)pair->execution);
        if (pair->model != (double)pair->execution) json_add(different, json_string(pair->name));
    }
    json_put(to, "model", model);
    json_put(to, "execution", execution);
    json_put(to, "different", different);
    json_put(to, "output_right", json_boolean(it->execution.output_right));
    json_put(to, "fault", it->execution.fault[0] ? json_string(it->execution.fault) : json_null());
    return to;
}

static json_t *document(const Evaluation *eval, int n, const Witnessed *all) {
    json_t *to = command_need(sl_json_document("witness", 1));
    json_t *list = command_need(json_array());
    bool equal = true;
    for (int i = 0; i < n; i++) {
        equal = equal && agrees(&all[i]);
        json_add(list, layer_json(&all[i]));
    }
    json_put(to, "workload", evaluation_workload_json(eval));
    json_put(to, "accel", accel_json(&eval->accel));
    json_put(to, "equal", json_boolean(equal));
    json_put(to, "layers", list);
    return to;
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

static SlStatus write_source(const Evaluation *eval, const Witnessed *it, SlError *err) {
    const SlWitnessJob job = {&it->layer, &eval->accel, &it->mapping};
    const char *path = eval->options->witness_source;
    char shape[384];
    SlText source;
    sl_text_init(&source, eval->arena);
    sl_witness_write(1, &job, &source);
    if (source.failed) command_no_memory();
    if (it->trips)
        command_note(&eval->options->common, "The program is of the layer scaled down: %s",
                     sl_layer_show(&it->layer, sizeof shape, shape));
    if (strcmp(path, "-") != 0) return sl_file_write(path, source.data, source.n, err);
    int code = command_print(source.data, source.n, CODE_DONE);
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

static int deliver(const Evaluation *eval, int n, const Witnessed *all) {
    const CommonOptions *common = &eval->options->common;
    SlText report;
    bool equal = true;
    sl_text_init(&report, eval->arena);
    if (n == 1)
        add_layer(eval, all, &report);
    else
        add_network(eval, n, all, &report);
    for (int i = 0; i < n; i++) equal = equal && agrees(&all[i]);
    json_t *json = command_wants_json(common) ? document(eval, n, all) : NULL;
    return command_deliver(common, "witness", &report, json, equal ? CODE_DONE : CODE_FALSE);
}

int eval_witness(const Evaluation *eval) {
    const EvalOptions *options = eval->options;
    const Priced **list = command_need(SL_NEW(eval->arena, eval->net.n_layers, const Priced *));
    int n = distinct(eval, list);
    Witnessed *all = command_need(SL_NEW(eval->arena, n, Witnessed));
    SlError err;
    if (options->witness_source && n > 1)
        return command_refuse("--witness-source is of one layer, %s has %d; name one of them, such "
                              "as %s:%s",
                              eval->net.name, eval->net.n_layers, eval->net.name,
                              eval->net.layers[0].name);
    for (int i = 0; i < n; i++) {
        SlStatus status = prepare(eval, list[i], &all[i], &err);
        if (status == SL_OK && options->witness_source) status = write_source(eval, &all[i], &err);
        if (status == SL_OK && options->witness) status = execute(eval, &all[i], &err);
        if (status != SL_OK) return command_fail(status, &err);
    }
    return options->witness ? deliver(eval, n, all) : CODE_DONE;
}
