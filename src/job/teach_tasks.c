// teach_tasks.c - what is taught on: layers and machines, drawn or given.
#include <string.h>

#include "teach_inside.h"

enum { MOST_TRIES = 100 }; // draws per task that may be refused

SlStatus sl_teaching_no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
}

// ---- one task ----

SlTaskSetup sl_pupil_setup(const SlTeaching *teaching, const SlPupil *pupil) {
    const SlTeachSetup *setup = &teaching->setup;
    SlTaskSetup task = {.kind = setup->kind, .goal = setup->goal, .options = setup->kind_options};
    if (setup->kind->maps)
        task.space = &pupil->space;
    else
        task.layer = &pupil->layer;
    return task;
}

// samples of all stages
static int lesson_room(const SlTeachSetup *setup) {
    return (int)(setup->samples + 2 + setup->rounds * setup->round_samples);
}

static SlStatus make_lesson(const SlTeaching *teaching, SlPupil *pupil, int room, SlError *err) {
    const SlTaskKind *kind = teaching->setup.kind;
    const SlAccel *accel = kind->maps ? &pupil->accel : NULL;
    const char *reason = sl_kind_check(kind, &pupil->layer, accel);
    if (reason) return sl_fail(err, SL_EINPUT, "%s: %s", pupil->layer.name, reason);
    SlStatus status = SL_OK;
    if (accel)
        status = sl_space_make(&pupil->layer, accel, &teaching->space, &pupil->arena, &pupil->space,
                               err);
    SlTaskSetup task = sl_pupil_setup(teaching, pupil);
    if (status == SL_OK) status = sl_task_make(&task, &pupil->arena, &pupil->task, err);
    if (status == SL_OK && !sl_lesson_make(pupil->task, room, &pupil->arena, &pupil->lesson))
        status = sl_teaching_no_memory(err);
    return status;
}

// space for one more
static bool grow(SlTeaching *teaching) {
    SlPupil **old = teaching->pupils;
    if (teaching->n < teaching->room) return true;
    teaching->room = 2 * teaching->room + 64;
    teaching->pupils = SL_NEW(teaching->arena, teaching->room, SlPupil *);
    if (teaching->pupils && teaching->n > 0)
        memcpy(teaching->pupils, old, (size_t)teaching->n * sizeof(SlPupil *));
    return teaching->pupils;
}

SlPupil *sl_pupil_make(SlTeaching *teaching, const SlLayer *layer, const SlAccel *accel, int room,
                       SlError *err) {
    size_t mark = sl_arena_mark(teaching->arena);
    SlPupil *pupil = SL_NEW(teaching->arena, 1, SlPupil);
    if (!pupil) {
        sl_teaching_no_memory(err);
        return NULL;
    }
    pupil->layer = *layer;
    if (accel) pupil->accel = *accel;
    sl_arena_init(&pupil->arena, 0);
    SlStatus status = make_lesson(teaching, pupil, room, err);
    if (status == SL_OK && !grow(teaching)) status = sl_teaching_no_memory(err);
    if (status == SL_OK) return teaching->pupils[teaching->n++] = pupil;
    sl_task_close(pupil->task);
    sl_arena_free(&pupil->arena);
    sl_arena_rewind(teaching->arena, mark);
    return NULL;
}

void sl_pupil_replay(SlPupil *pupil, const SlLessonEntry *entry) {
    for (int i = 0; i < entry->n; i++) {
        SlSample sample = {.value = entry->values[i]};
        sl_lesson_add(&pupil->lesson, entry->points + (size_t)i * (size_t)entry->n_params, &sample);
    }
}

// ---- all of them ----

// (NULL where the kind has its own)
static const SlAccel *choose_machine(const SlTeaching *teaching, SlRng *rng, int at,
                                     SlAccel *drawn) {
    const SlTeachSetup *setup = &teaching->setup;
    if (setup->n_accels == 0) return NULL;
    const SlAccel *like = &setup->accels[at % setup->n_accels];
    if (!setup->vary) return like;
    sl_accel_vary(like, rng, drawn);
    return drawn;
}

static bool has_size(const SlTeachSetup *setup, const SlLayer *layer) {
    double macs = (double)sl_layer_macs(layer);
    return setup->macs[1] == 0 || (macs >= setup->macs[0] && macs <= setup->macs[1]);
}

static void draw_tasks(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    const int room = lesson_room(setup);
    SlRng rng;
    SlLayer layer;
    SlAccel drawn;
    sl_rng_init(&rng, setup->seed, "tasks to teach on");
    int made = 0;
    for (int64_t tries = 0; made < setup->tasks && tries < MOST_TRIES * setup->tasks; tries++) {
        sl_layer_draw(&rng, &layer);
        if (!has_size(setup, &layer)) {
            sl_fail(err, SL_EINPUT, "no layer that was drawn has the size asked for");
            continue;
        }
        const SlAccel *accel = choose_machine(teaching, &rng, made, &drawn);
        made += sl_pupil_make(teaching, &layer, accel, room, err) != NULL;
    }
}

// every layer on every machine, machine by machine
static void list_tasks(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    const int room = lesson_room(setup), n_accels = setup->n_accels > 0 ? setup->n_accels : 1;
    const int64_t pairs = (int64_t)setup->n_layers * n_accels;
    const int64_t most = setup->tasks > 0 && setup->tasks < pairs ? setup->tasks : pairs;
    SlRng rng;
    SlAccel drawn;
    sl_rng_init(&rng, setup->seed, "tasks to teach on");
    int made = 0;
    for (int64_t i = 0; i < pairs && made < most; i++) {
        const SlLayer *layer = &setup->layers[i % setup->n_layers];
        const SlAccel *accel = choose_machine(teaching, &rng, (int)(i / setup->n_layers), &drawn);
        made += sl_pupil_make(teaching, layer, accel, room, err) != NULL;
    }
}

// whether the method that searches first can do so
static SlStatus check_method(const SlTeaching *teaching, SlError *err) {
    const SlMethod *method = teaching->setup.method;
    for (int i = teaching->n_old; i < teaching->n; i++) {
        const char *lacks = sl_method_check(method, teaching->pupils[i]->task);
        if (lacks) return sl_fail(err, SL_EINPUT, "%s: %s", method->name, lacks);
    }
    return SL_OK;
}

static SlStatus check_inputs(const SlTeaching *teaching, SlError *err) {
    const SlPupil *first = teaching->pupils[0];
    for (int i = 1; i < teaching->n; i++) {
        const SlPupil *pupil = teaching->pupils[i];
        if (pupil->lesson.n_inputs == first->lesson.n_inputs) continue;
        return sl_fail(err, SL_EINPUT,
                       "all tasks of a flock need machines with the same levels, ports and links; "
                       "%s and %s differ",
                       first->accel.name, pupil->accel.name);
    }
    return SL_OK;
}

// `err` says what was wrong with the last one, where there was none that suits
SlStatus sl_teaching_find_tasks(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    if (setup->n_layers > 0)
        list_tasks(teaching, err);
    else
        draw_tasks(teaching, err);
    bool wanted = setup->n_layers > 0 || setup->tasks > 0;
    if (wanted && teaching->n == teaching->n_old) return SL_EINPUT;
    if (teaching->n < 2) return sl_fail(err, SL_EINPUT, "teaching needs at least two tasks");
    SlStatus status = check_inputs(teaching, err);
    return status == SL_OK ? check_method(teaching, err) : status;
}
