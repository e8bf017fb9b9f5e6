// witness_check.c - mappings executed as C programs, and their counts beside the model's.
#include "starling/job/witness_check.h"

#include <stdio.h>
#include <string.h>

bool sl_witness_same(const SlWitnessPair *pair) {
    return pair->model == (double)pair->execution;
}

bool sl_witnessed_agrees(const SlWitnessed *it) {
    return it->n_different == 0 && it->execution.output_right && !it->execution.fault[0];
}

// ---- what is executed ----

static SlWitnessJob job_of(const SlWitnessCheck *check, const SlWitnessed *it) {
    return (SlWitnessJob){&it->layer, &check->eval->accel, &it->mapping};
}

SlStatus sl_witness_prepare(const SlEvaluation *eval, SlWitnessCheck *check, SlError *err) {
    const SlPriced *distinct = eval->layers[0]; // in order of their first
    *check = (SlWitnessCheck){.eval = eval, .n = eval->n_distinct};
    check->layers = SL_NEW(eval->arena, check->n, SlWitnessed);
    if (!check->layers) return sl_fail(err, SL_ENOMEM, "out of memory");
    for (int i = 0; i < check->n; i++) {
        SlWitnessed *it = &check->layers[i];
        const SlWitnessJob whole = {&distinct[i].layer, &eval->accel, &distinct[i].mapping};
        it->priced = &distinct[i];
        if (sl_witness_scale(&whole, &it->layer, &it->mapping, &it->trips)) continue;
        return sl_fail(err, SL_EINPUT,
                       "%s cannot be executed even with two iterations per loop: %s",
                       distinct[i].layer.name, sl_witness_check(&whole));
    }
    return SL_OK;
}

void sl_witness_source(const SlWitnessCheck *check, int i, SlText *source) {
    const SlWitnessJob job = job_of(check, &check->layers[i]);
    sl_witness_write(1, &job, source);
}

// ---- comparing ----

static void add_pair(SlWitnessed *it, SlWitnessPair pair) {
    it->pairs[it->n_pairs++] = pair;
    it->n_different += !sl_witness_same(&pair);
}

// of the whole nest
static void add_total(SlWitnessed *it, const char *name, double model, int64_t execution) {
    SlWitnessPair pair = {.tensor = "", .model = model, .execution = execution};
    snprintf(pair.name, sizeof pair.name, "%s", name);
    add_pair(it, pair);
}

// the tensor of a level's i-th count, -1 if it is of none; updates and covers are those of O
static int tensor_of(int i) {
    const char *name = sl_count_names[i], *mark = strchr(name, '_');
    if (strcmp(name, "inst") == 0 || strcmp(name, "grid") == 0) return -1;
    if (!mark) return SL_O;
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (strcmp(mark + 1, sl_tensor_names[t]) == 0) return t;
    return -1;
}

static void compare_level(const SlAccel *accel, const SlCounts *model, int level, SlWitnessed *it) {
    bool macs = level == model->n_levels;
    for (int i = 0; i < SL_N_LEVEL_COUNTS; i++) {
        int tensor = tensor_of(i);
        if (!macs && tensor >= 0 && !(it->mapping.keep[level - 1] >> tensor & 1)) continue;
        SlWitnessPair pair = {.tensor = tensor >= 0 ? sl_tensor_names[tensor] : "",
                              .model = sl_level_count(&model->level[level], i),
                              .execution = sl_witness_count(&it->execution.level[level], i)};
        snprintf(pair.level, sizeof pair.level, "%s", macs ? "MACs" : accel->levels[level].name);
        sl_level_count_name(level, model->n_levels, i, pair.name);
        add_pair(it, pair);
    }
}

static void compare(const SlAccel *accel, SlWitnessed *it) {
    SlCounts model;
    sl_counts_eval(&it->layer, sl_accel_net(accel), &it->mapping, &model);
    it->n_pairs = it->n_different = 0;
    add_total(it, "macs", model.macs, it->execution.macs);
    add_total(it, "cycles", model.cycles, it->execution.cycles);
    for (int l = 1; l <= model.n_levels; l++) compare_level(accel, &model, l, it);
}

SlStatus sl_witness_execute(SlWitnessCheck *check, SlError *err) {
    const SlWitnessOptions options = {0};
    check->equal = true;
    for (int i = 0; i < check->n; i++) {
        SlWitnessed *it = &check->layers[i];
        const SlWitnessJob job = job_of(check, it);
        SlStatus status =
            sl_witness_run(1, &job, &options, check->eval->arena, &it->execution, err);
        if (status != SL_OK) return status;
        compare(&check->eval->accel, it);
        check->equal = check->equal && sl_witnessed_agrees(it);
    }
    return SL_OK;
}
