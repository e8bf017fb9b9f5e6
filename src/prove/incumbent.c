// incumbent.c - the mapping that a proof begins with: the one given, or the best of a short
// search.
#include <math.h>

#include "prove_inside.h"

// The default mapping it begins at is 0 to 9 % above the optimum of the layers in docs/optimum.md,
// and what a walk needs to find the rest is less than what more samples take.
enum {
    SAMPLES = 5000,
    PATIENCE = 1000, // samples without improvement
};

// a mapping from outside must be a nest of the layer and fit the accelerator
static SlStatus price_given(const SlProveSetup *setup, SlTask *task, SlIncumbent *start,
                            SlError *err) {
    const SlLayer *layer = setup->space->layer;
    const SlAccel *accel = setup->space->accel;
    const char *why = sl_mapping_check(layer, setup->incumbent);
    SlFit fit;
    char text[256];
    if (!why && !sl_mapping_fit(layer, accel, setup->incumbent, &fit))
        why = sl_violation_text(accel, &fit.list[0], sizeof text, text);
    if (why) return sl_fail(err, SL_EINPUT, "the initial mapping: %s", why);
    SlSample outcome;
    sl_task_eval_mapping(task, setup->incumbent, &outcome);
    start->mapping = *setup->incumbent;
    start->value = outcome.value;
    return SL_OK;
}

// whether the space has an equal of a nest
static bool is_inside(const SlSpace *space, const SlMapping *mapping, int32_t *point) {
    SlMapping nearest;
    sl_space_encode(space, mapping, point);
    sl_space_mapping(space, point, true, &nearest);
    return sl_mapping_key(space->layer, mapping) == sl_mapping_key(space->layer, &nearest);
}

static bool go_on(const SlTask *task) {
    const SlBest *best = sl_task_best(task);
    int64_t samples = sl_task_samples(task), stale = samples - (best ? best->sample : 0);
    return samples < SAMPLES && stale < PATIENCE;
}

static void *make_finder(const SlProveSetup *setup, const SlTask *task, SlArena *scratch) {
    const SlMethod *finder = setup->finder;
    void *options = sl_arena_alloc(scratch, 1, finder->options_bytes);
    char *stream = SL_NEW(scratch, 384, char);
    if (!options || !stream) return NULL;
    sl_options_init(finder->options, options);
    sl_layer_write(setup->space->layer, 384, stream);
    const SlMethodSetup method = {
        .task = task, .seed = setup->seed, .stream = stream, .budget = SAMPLES};
    return finder->make(&method, options, scratch);
}

// price the point nearest to the default mapping; false if there is no default mapping
static bool price_default(const SlSpace *space, SlTask *task, int32_t *point, SlSample *outcome) {
    SlMapping mapping;
    if (sl_mapping_default(space->layer, space->accel, &mapping, NULL) != SL_OK) return false;
    sl_space_encode(space, &mapping, point);
    sl_task_eval(task, 1, point, outcome);
    return true;
}

// ask the finder and tell it, beginning at the default mapping
static SlStatus climb(const SlProveSetup *setup, SlTask *task, SlIncumbentStop *stop, void *context,
                      SlArena *scratch) {
    enum { ROOM = 16 };
    int n_params = setup->space->n_params;
    int32_t *points = SL_NEW(scratch, ROOM * n_params, int32_t);
    SlSample outcomes[ROOM];
    if (!points) return SL_ENOMEM;
    bool has_default = price_default(setup->space, task, points, outcomes);
    if (!setup->finder) return SL_OK;
    void *state = make_finder(setup, task, scratch);
    if (!state) return SL_ENOMEM;
    if (has_default) sl_method_meet(setup->finder, state, 1, points, outcomes);
    while (go_on(task) && !stop(context)) {
        int n = setup->finder->ask(state, ROOM, points);
        if (n <= 0) break;
        sl_task_eval(task, n, points, outcomes);
        setup->finder->tell(state, n, points, outcomes);
    }
    return SL_OK;
}

static SlStatus find_one(const SlProveSetup *setup, SlTask *task, SlIncumbentStop *stop,
                         void *context, SlArena *scratch, SlIncumbent *start) {
    const SlSpace *space = setup->space;
    SlStatus status = climb(setup, task, stop, context, scratch);
    if (status != SL_OK) return status;
    const SlBest *best = sl_task_best(task);
    if (best) {
        start->mapping = best->mapping;
        start->value = best->outcome.value;
        return SL_OK;
    }
    // nothing has a finite value: any mapping that fits
    int32_t *smallest = SL_NEW(scratch, space->n_params, int32_t); // zeros
    if (!smallest) return SL_ENOMEM;
    sl_space_mapping(space, smallest, true, &start->mapping);
    return SL_OK;
}

SlStatus sl_incumbent_find(const SlProveSetup *setup, SlTask *task, SlIncumbentStop *stop,
                           void *context, SlArena *scratch, SlIncumbent *start, SlError *err) {
    *start = (SlIncumbent){.value = INFINITY};
    int32_t *point = SL_NEW(scratch, setup->space->n_params, int32_t);
    if (!point) return sl_fail(err, SL_ENOMEM, "not enough memory for the proof");
    SlStatus status = setup->incumbent ? price_given(setup, task, start, err)
                                       : find_one(setup, task, stop, context, scratch, start);
    if (status == SL_ENOMEM) return sl_fail(err, status, "not enough memory for the proof");
    if (status == SL_OK) start->inside = is_inside(setup->space, &start->mapping, point);
    return status;
}
