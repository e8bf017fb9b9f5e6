// knobs.c - what tasks with spaces of their own share: keys of points, values as numbers.
#include <math.h>
#include <string.h>

#include "task_inside.h"

int64_t sl_knob_at(const SlTask *task, const int32_t *point, int knob) {
    return task->space->params[knob].sizes[point[knob]];
}

// FNV-1a over the values of spaces too large for numbers
static uint64_t hash_point(const SlSpace *space, const int32_t *point) {
    uint64_t hash = SL_FNV_START;
    for (int i = 0; i < space->n_params; i++)
        for (int byte = 0; byte < 4; byte++)
            hash = sl_fnv_add(hash, (uint32_t)point[i] >> (8 * byte) & 0xff);
    return hash;
}

void sl_knob_view(const SlTask *task, const int32_t *point, SlView *view) {
    const SlSpace *space = task->space;
    view->key = space->n_points ? (uint64_t)sl_space_index(space, point) : hash_point(space, point);
}

// --- features: order one

static int columns(const SlParam *param) {
    if (param->kind == SL_ORDINAL) return 2;
    return param->kind == SL_CATEGORICAL ? param->n : param->n_items;
}

int sl_knob_n_features(const SlTask *task) {
    int n = 0;
    for (int i = 0; i < task->space->n_params; i++) n += columns(&task->space->params[i]);
    return n;
}

SlFeatureGroup sl_knob_group(const SlTask *task, int feature) {
    (void)task, (void)feature;
    return SL_FEATURES_PLAIN;
}

static double share(int32_t place, int32_t n) {
    return n > 1 ? (double)place / (n - 1) : 0;
}

// places of the items in an order, 0 = first
static void put_order(const SlParam *param, int32_t value, float *out) {
    uint8_t order[SL_N_DIMS];
    sl_permutation(param->n_items, value, order);
    for (int k = 0; k < param->n_items; k++) out[order[k]] = (float)share(k, param->n_items);
}

void sl_knob_features(const SlTask *task, const int32_t *point, const SlView *view, float *out) {
    (void)view;
    for (int i = 0; i < task->space->n_params; i++) {
        const SlParam *param = &task->space->params[i];
        if (param->kind == SL_ORDINAL) {
            double most = log2((double)param->sizes[param->n - 1] + 1);
            out[0] = (float)share(point[i], param->n);
            out[1] = (float)(log2((double)param->sizes[point[i]] + 1) / fmax(most, 1));
        } else if (param->kind == SL_CATEGORICAL) {
            memset(out, 0, (size_t)param->n * sizeof *out);
            out[point[i]] = 1;
        } else {
            put_order(param, point[i], out);
        }
        out += columns(param);
    }
}

// --- programs: half the logarithm of the draft, the values, then what trees see of the program

int sl_program_n_features(const SlTask *task) {
    return 1 + sl_knob_n_features(task) + task->kind->row->n_program;
}

SlFeatureGroup sl_program_group(const SlTask *task, int feature) {
    if (feature == 0) return SL_FEATURES_ESTIMATE;
    return feature <= sl_knob_n_features(task) ? SL_FEATURES_PLAIN : SL_FEATURES_REUSE;
}

void sl_program_features(const SlTask *task, const int32_t *point, const SlView *view, float *out) {
    int n_knobs = sl_knob_n_features(task), n = task->kind->row->n_program;
    double draft = sl_task_draft(task, point);
    out[0] = isfinite(draft) && draft > 0 ? (float)(0.5 * log(draft)) : 0;
    sl_knob_features(task, point, view, out + 1);
    sl_task_see(task, SL_SEE_PROGRAM, point, out + 1 + n_knobs);
    for (int i = 0; i < n; i++) out[1 + n_knobs + i] /= 16;
}

double sl_fault_excess(const SlFault *fault) {
    return log1p(fault->resources) + log1p(fault->buffers) + (fault->structure ? log(2) : 0);
}

// --- what trees see

static int tree_columns(const SlParam *param) {
    return param->kind == SL_PERMUTATION ? param->n_items : 1;
}

static void see_values(const SlSpace *space, const int32_t *point, float *out) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->kind == SL_PERMUTATION)
            put_order(param, point[i], out);
        else if (param->kind == SL_ORDINAL)
            *out = log2f((float)param->sizes[point[i]] + 1);
        else
            *out = (float)point[i];
        out += tree_columns(param);
    }
}

int sl_task_n_seen(const SlTask *task, SlTreeSight sight) {
    const SlTaskRow *row = task->kind->row;
    if (sight == SL_SEE_PROGRAM) return row->n_program ? row->n_program : row->n_features(task);
    int n = 0;
    for (int i = 0; i < task->space->n_params; i++) n += tree_columns(&task->space->params[i]);
    return n;
}

void sl_task_see(const SlTask *task, SlTreeSight sight, const int32_t *point, float *out) {
    const SlTaskRow *row = task->kind->row;
    if (sight == SL_SEE_KNOBS) {
        see_values(task->space, point, out);
    } else if (!sl_task_check(task, point, NULL)) {
        memset(out, 0, (size_t)sl_task_n_seen(task, sight) * sizeof *out);
    } else if (row->program) {
        row->program(task, point, out);
    } else {
        SlView view;
        row->view(task, point, &view);
        row->features(task, point, &view, out);
    }
}
