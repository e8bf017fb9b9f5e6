// task.c - the one door to an evaluation: every call is a sample, repeats too.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "task_inside.h"

const char *const sl_illegal_names[3] = {"repair", "penalty", NULL};
const char *const sl_tree_sight_names[3] = {"knobs", "program", NULL};

SlStatus sl_task_make(const SlTaskSetup *setup, SlArena *arena, SlTask **task, SlError *err) {
    SlTask *made = SL_NEW(arena, 1, SlTask);
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory for a task");
    *made = (SlTask){.setup = *setup,
                     .kind = setup->kind ? setup->kind : &sl_kind_native,
                     .space = setup->space,
                     .unit = sl_goal_unit(&setup->goal),
                     .floor = NAN,
                     .arena = arena};
    if (setup->layer) {
        made->layer = *setup->layer;
        made->setup.layer = &made->layer;
    }
    SlStatus status = made->kind->row->make(made, arena, err);
    if (status == SL_OK) *task = made;
    return status;
}

void sl_task_close(SlTask *task) {
    if (task && task->kind->row->close) task->kind->row->close(task);
}

const SlTaskSetup *sl_task_setup(const SlTask *task) {
    return &task->setup;
}

const SlTaskKind *sl_task_kind(const SlTask *task) {
    return task->kind;
}

const SlSpace *sl_task_space(const SlTask *task) {
    return task->space;
}

const SlLayer *sl_task_layer(const SlTask *task) {
    return task->setup.layer ? task->setup.layer : task->space->layer;
}

const char *sl_task_name(const SlTask *task) {
    return task->name;
}

const char *sl_task_unit(const SlTask *task) {
    return task->unit;
}

void sl_task_platform(const SlTask *task, size_t n, char *out) {
    out[0] = '\0';
    if (task->kind->row->platform) task->kind->row->platform(task, n, out);
}

double sl_task_floor(const SlTask *task) {
    return task->floor;
}

// --- what is free

void sl_task_start(const SlTask *task, int32_t *point) {
    task->kind->row->start(task, point);
}

bool sl_task_check(const SlTask *task, const int32_t *point, SlFault *fault) {
    if (fault) *fault = (SlFault){0};
    return !task->kind->row->check || task->kind->row->check(task, point, fault);
}

void sl_task_view(const SlTask *task, const int32_t *point, SlView *view) {
    task->kind->row->view(task, point, view);
}

uint64_t sl_task_key(const SlTask *task, const int32_t *point) {
    SlView view;
    task->kind->row->view(task, point, &view);
    return view.key;
}

int sl_task_n_features(const SlTask *task) {
    return task->kind->row->n_features(task);
}

int sl_task_n_estimates(const SlTask *task) {
    return task->space->accel || task->kind->row->draft ? task->kind->row->n_estimates : 0;
}

SlFeatureGroup sl_task_feature_group(const SlTask *task, int feature) {
    return task->kind->row->group(task, feature);
}

void sl_task_features(const SlTask *task, const int32_t *point, const SlView *view, float *out) {
    task->kind->row->features(task, point, view, out);
}

bool sl_task_has_draft(const SlTask *task) {
    const SlTaskRow *row = task->kind->row;
    return row->draft &&
           (!task->space->accel || !isnan(row->draft(task, (int32_t[SL_MAX_PARAMS]){0})));
}

double sl_task_draft(const SlTask *task, const int32_t *point) {
    return sl_task_check(task, point, NULL) ? task->kind->row->draft(task, point) : INFINITY;
}

bool sl_task_has_floors(const SlTask *task) {
    return task->kind->row->floor != NULL;
}

double sl_task_point_floor(const SlTask *task, const int32_t *point) {
    const SlTaskRow *row = task->kind->row;
    if (!sl_task_check(task, point, NULL)) return INFINITY;
    return row->floor ? row->floor(task, point) : 0;
}

// --- what is counted

int64_t sl_task_samples(const SlTask *task) {
    return task->samples;
}

const SlBest *sl_task_best(const SlTask *task) {
    return task->has_best ? &task->best : NULL;
}

const char *sl_task_broken(const SlTask *task) {
    return task->broken[0] ? task->broken : NULL;
}

void sl_task_set_stop(SlTask *task, bool (*stop)(void *), void *context) {
    task->stop = stop;
    task->stop_context = context;
}

static double delay_product(const SlSample *sample) {
    return sample->energy_pj * sample->latency_cycles;
}

// Of equal values the one with the lower energy-delay product; the sample stays that of the first.
static void keep_best(SlTask *task, const int32_t *point, const SlMapping *mapping,
                      const SlSample *sample) {
    SlBest *best = &task->best;
    bool tie = task->has_best && sample->value == best->outcome.value;
    if (tie && delay_product(sample) >= delay_product(&best->outcome)) return;
    if (task->has_best && sample->value > best->outcome.value) return;
    best->outcome = *sample;
    if (!tie) best->sample = task->samples;
    memset(best->point, 0, sizeof best->point);
    if (point) memcpy(best->point, point, (size_t)task->space->n_params * sizeof *point);
    if (mapping)
        best->mapping = *mapping;
    else if (task->kind->maps && task->space->accel)
        sl_space_mapping(task->space, point, task->setup.illegal == SL_ILLEGAL_REPAIR,
                         &best->mapping);
    task->has_best = true;
}

// count a sample: its score, and whether it is the best
static void settle(SlTask *task, const int32_t *point, const SlMapping *mapping, SlSample *sample) {
    task->samples += !sample->free;
    if (!(sample->value > 0 && isfinite(sample->value))) {
        sample->value = INFINITY;
        sample->score = task->beyond + 1 + sample->excess;
        return;
    }
    assert(isnan(task->floor) || sample->value >= task->floor * (1 - 1e-9));
    sample->score = log(sample->value);
    task->beyond = task->has_legal ? fmax(task->beyond, sample->score) : sample->score;
    task->has_legal = true;
    keep_best(task, point, mapping, sample);
}

void sl_task_eval(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    int n_params = task->space->n_params;
    task->kind->row->eval(task, n, points, samples);
    for (int i = 0; i < n; i++) settle(task, points + (ptrdiff_t)i * n_params, NULL, &samples[i]);
}

void sl_task_replay(SlTask *task, const int32_t *point, SlSample *sample) {
    settle(task, point, NULL, sample);
}

void sl_task_eval_mapping(SlTask *task, const SlMapping *mapping, SlSample *out) {
    const SlLayer *layer = task->space->layer;
    const SlAccel *accel = task->space->accel;
    assert(mapping->n_boundaries == accel->n_levels - 1 && !sl_mapping_check(layer, mapping));
    SlMapping mended = *mapping;
    SlFit fit;
    bool fits = sl_mapping_fit(layer, accel, mapping, &fit);
    if (!fits && task->setup.illegal == SL_ILLEGAL_REPAIR)
        fits = sl_mapping_repair(layer, accel, &mended, NULL) == SL_OK;
    *out = (SlSample){.value = INFINITY, .excess = fits ? 0 : sl_worst_excess(&fit)};
    if (fits) task->kind->row->price(task, &mended, out);
    settle(task, NULL, &mended, out);
}

// --- methods

const char *sl_method_check(const SlMethod *method, const SlTask *task) {
    if (method->needs & SL_NEEDS_MAPPINGS && !task->space->accel)
        return "it works on the loops and tiles of mappings, and these points are none";
    if (method->needs & SL_NEEDS_DRAFT && !sl_task_has_draft(task))
        return "it needs a free guess of the value, and nobody has one of this evaluator";
    if (method->needs & SL_NEEDS_FLOORS && !sl_task_has_floors(task))
        return "it needs a lower bound of every point, and nobody has one of this evaluator";
    if (method->needs & SL_NEEDS_FLOCK) return "it needs a flock pre-trained on such tasks";
    return NULL;
}

void sl_method_meet(const SlMethod *method, void *state, int n, const int32_t *points,
                    const SlSample *samples) {
    (method->meet ? method->meet : method->tell)(state, n, points, samples);
}
