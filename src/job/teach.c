// teach.c - tasks to teach on, searched in stages: by a method first, then by the flock itself.
#include "starling/job/teach.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lesson_file.h"

enum { MOST_TRIES = 100 }; // draws per task that may be refused

// One task, and what was evaluated of it.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlTask *task; // what is free
    SlArena arena;
    SlLesson lesson;
    int before; // samples of the lesson when the stage began
    SlStatus status;
    SlError err;
    bool cut; // the watch ended it
} Pupil;

struct SlTeaching {
    SlTeachSetup setup;
    const void *options; // of the method
    SlArena *arena;
    SlConstraints asked; // what the kind asks for
    SlSpaceOptions space;
    int n;
    Pupil *pupils; // (n)
    SlLessonFile *file;
    int64_t samples, resumed;

    // of a stage
    int stage, n_done;
    const SlFlock *flock;
    SlWatch *watch;
    void *context;
    pthread_mutex_t lock;
    bool stopped;
};

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
}

// ---- tasks ----

static SlTaskSetup task_setup(const SlTeaching *teaching, const Pupil *pupil) {
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

// false where the layer does not suit the machine or the kind; `err` says why
static bool make_pupil(SlTeaching *teaching, Pupil *pupil, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    const SlAccel *accel = setup->kind->maps ? &pupil->accel : NULL;
    const char *reason = sl_kind_check(setup->kind, &pupil->layer, accel);
    sl_arena_init(&pupil->arena, 0);
    SlStatus status = reason ? sl_fail(err, SL_EINPUT, "%s: %s", pupil->layer.name, reason) : SL_OK;
    if (status == SL_OK && accel)
        status = sl_space_make(&pupil->layer, accel, &teaching->space, &pupil->arena, &pupil->space,
                               err);
    SlTaskSetup task = task_setup(teaching, pupil);
    if (status == SL_OK) status = sl_task_make(&task, &pupil->arena, &pupil->task, err);
    if (status == SL_OK &&
        !sl_lesson_make(pupil->task, lesson_room(setup), &pupil->arena, &pupil->lesson))
        status = no_memory(err);
    if (status == SL_OK) return true;
    sl_task_close(pupil->task);
    sl_arena_free(&pupil->arena);
    *pupil = (Pupil){0};
    return false;
}

static void choose_machine(const SlTeaching *teaching, SlRng *rng, int at, SlAccel *accel) {
    const SlTeachSetup *setup = &teaching->setup;
    if (setup->n_accels == 0) return;
    const SlAccel *like = &setup->accels[at % setup->n_accels];
    if (setup->vary)
        sl_accel_vary(like, rng, accel);
    else
        *accel = *like;
}

// `err` says what was wrong with the last one, where there was none that suits
static SlStatus check_number(const SlTeaching *teaching, SlError *err) {
    if (teaching->n == 1) return sl_fail(err, SL_EINPUT, "teaching needs at least two tasks");
    return teaching->n > 0 ? SL_OK : SL_EINPUT;
}

static bool within(const double macs[2], const SlLayer *layer) {
    double n = (double)sl_layer_macs(layer);
    return macs[1] == 0 || (n >= macs[0] && n <= macs[1]);
}

static SlStatus draw_tasks(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    SlRng rng;
    sl_rng_init(&rng, setup->seed, "tasks to teach on");
    for (int64_t tries = 0; teaching->n < setup->tasks && tries < MOST_TRIES * setup->tasks;
         tries++) {
        Pupil *pupil = &teaching->pupils[teaching->n];
        sl_layer_draw(&rng, &pupil->layer);
        if (!within(setup->macs, &pupil->layer)) continue;
        choose_machine(teaching, &rng, teaching->n, &pupil->accel);
        teaching->n += make_pupil(teaching, pupil, err);
    }
    return check_number(teaching, err);
}

// every layer on every machine, machine by machine
static SlStatus list_tasks(SlTeaching *teaching, int64_t most, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    SlRng rng;
    sl_rng_init(&rng, setup->seed, "tasks to teach on");
    int n_accels = setup->n_accels > 0 ? setup->n_accels : 1;
    for (int64_t i = 0; i < (int64_t)n_accels * setup->n_layers && teaching->n < most; i++) {
        Pupil *pupil = &teaching->pupils[teaching->n];
        pupil->layer = setup->layers[i % setup->n_layers];
        choose_machine(teaching, &rng, (int)(i / setup->n_layers), &pupil->accel);
        teaching->n += make_pupil(teaching, pupil, err);
    }
    return check_number(teaching, err);
}

static SlStatus find_tasks(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    int64_t pairs = (int64_t)setup->n_layers * (setup->n_accels > 0 ? setup->n_accels : 1);
    int64_t most =
        setup->n_layers > 0 && (setup->tasks == 0 || setup->tasks > pairs) ? pairs : setup->tasks;
    teaching->pupils = SL_NEW(teaching->arena, most, Pupil);
    if (!teaching->pupils) return no_memory(err);
    return setup->n_layers > 0 ? list_tasks(teaching, most, err) : draw_tasks(teaching, err);
}

// ---- what tells one teaching from another ----

static uint64_t key_of(const SlTeaching *teaching) {
    const SlTeachSetup *setup = &teaching->setup;
    const int64_t numbers[] = {(int64_t)setup->seed, setup->samples, setup->rounds,
                               setup->round_samples, (int64_t)(setup->random * 1e9)};
    uint64_t key = sl_fnv_bytes(SL_FNV_START, numbers, sizeof numbers);
    key = sl_fnv_bytes(key, SL_VERSION, strlen(SL_VERSION));
    key = sl_fnv_bytes(key, setup->method->name, strlen(setup->method->name));
    const int64_t critic[] = {setup->teach.members, setup->teach.trees, setup->teach.depth,
                              setup->teach.best};
    const double reals[] = {setup->teach.rate, setup->teach.share, setup->teach.cap,
                            setup->teach.bend};
    key = sl_fnv_bytes(key, critic, sizeof critic);
    key = sl_fnv_bytes(key, reals, sizeof reals);
    for (int i = 0; i < teaching->n; i++) {
        const char *name = sl_task_name(teaching->pupils[i].task);
        key = sl_fnv_bytes(key, name, strlen(name));
    }
    return key;
}

// ---- opening ----

static SlStatus find_method(SlTeaching *teaching, SlError *err) {
    void *options = NULL;
    SlTeachSetup *setup = &teaching->setup;
    if (!setup->method) {
        setup->method = sl_method_find("marl");
        setup->options = NULL;
    }
    teaching->options = setup->options;
    if (setup->options) return SL_OK;
    SlStatus status = sl_method_options(setup->method, NULL, teaching->arena, &options, err);
    teaching->options = options;
    return status;
}

SlStatus sl_teaching_open(const SlTeachSetup *setup, const char *path, SlArena *arena,
                          SlTeaching **teaching, SlError *err) {
    SlTeaching *made = SL_NEW(arena, 1, SlTeaching);
    *teaching = made;
    if (!made) return no_memory(err);
    made->setup = *setup;
    made->arena = arena;
    made->space = setup->space;
    pthread_mutex_init(&made->lock, NULL);
    SlStatus status = find_method(made, err);
    if (status == SL_OK && setup->kind->maps)
        status = sl_kind_space(setup->kind, arena, &made->asked, &made->space, err);
    if (status == SL_OK) status = find_tasks(made, err);
    if (status == SL_OK && path)
        status = sl_lesson_file_open(path, key_of(made), arena, &made->file, err);
    return status;
}

void sl_teaching_close(SlTeaching *teaching) {
    if (!teaching) return;
    for (int i = 0; i < teaching->n; i++) {
        sl_task_close(teaching->pupils[i].task);
        sl_arena_free(&teaching->pupils[i].arena);
    }
    sl_lesson_file_close(teaching->file);
    pthread_mutex_destroy(&teaching->lock);
}

int64_t sl_teaching_samples(const SlTeaching *teaching) {
    return teaching->samples;
}

int64_t sl_teaching_resumed(const SlTeaching *teaching) {
    return teaching->resumed;
}

// ---- one task of a stage ----

static void hear(void *context, int n, const int32_t *points, const SlSample *samples) {
    Pupil *pupil = context;
    for (int i = 0; i < n; i++)
        sl_lesson_add(&pupil->lesson, points + (ptrdiff_t)i * sl_task_space(pupil->task)->n_params,
                      &samples[i]);
}

// The watcher of one task tells who looks at the teaching.
typedef struct {
    SlTeaching *teaching;
    const Pupil *pupil;
    int index, worker;
} Watcher;

static bool tell(void *context, const SlEvent *event) {
    Watcher *watcher = context;
    SlTeaching *teaching = watcher->teaching;
    if (!teaching->watch) return false;
    SlEvent told = *event;
    told.task = watcher->pupil->layer.name;
    told.index = watcher->index;
    told.worker = watcher->worker;
    told.n_all = teaching->n;
    pthread_mutex_lock(&teaching->lock);
    told.n_done = teaching->n_done;
    bool stop = teaching->watch(teaching->context, &told);
    teaching->stopped |= stop;
    pthread_mutex_unlock(&teaching->lock);
    return stop;
}

static SlStatus search(Watcher *watcher, Pupil *pupil, const SlMethod *method, const void *options,
                       int64_t samples, SlStart start) {
    SlTeaching *teaching = watcher->teaching;
    SlTaskSetup task = task_setup(teaching, pupil);
    SlRecord record;
    SlArena arena;
    char stream[32];
    if (samples < 1) return SL_OK;
    snprintf(stream, sizeof stream, "learn %d %d", teaching->stage, watcher->index);
    SlRunSetup run = {.method = method,
                      .options = options,
                      .flock = teaching->flock,
                      .seed = teaching->setup.seed,
                      .stream = stream,
                      .budget = {.samples = samples},
                      .start = start,
                      .hear = hear,
                      .hearing = pupil};
    sl_arena_init(&arena, 0);
    SlStatus status = sl_task_make(&task, &arena, &run.task, &pupil->err);
    if (status == SL_OK) status = sl_run(&run, tell, watcher, &arena, &record, &pupil->err);
    if (status == SL_OK) pupil->cut |= record.stopped == SL_STOP_ASKED;
    sl_task_close(run.task);
    sl_arena_free(&arena);
    return status;
}

static SlStatus search_stage(Watcher *watcher, Pupil *pupil) {
    const SlTeachSetup *setup = &watcher->teaching->setup;
    if (watcher->teaching->stage > 0)
        return search(watcher, pupil, sl_method_find("flock"), NULL, setup->round_samples,
                      SL_START_NONE);
    int64_t random = (int64_t)(setup->random * (double)setup->samples);
    SlStatus status = search(watcher, pupil, setup->method, watcher->teaching->options,
                             setup->samples - random, SL_START_DEFAULT);
    if (status != SL_OK || pupil->cut) return status;
    return search(watcher, pupil, sl_method_find("random"), NULL, random, SL_START_NONE);
}

static void replay(Pupil *pupil, const SlLessonEntry *entry) {
    for (int i = 0; i < entry->n; i++) {
        SlSample sample = {.value = entry->values[i]};
        sl_lesson_add(&pupil->lesson, entry->points + (ptrdiff_t)i * entry->n_params, &sample);
    }
}

static SlStatus keep(SlTeaching *teaching, int index, const Pupil *pupil, SlError *err) {
    const SlLesson *lesson = &pupil->lesson;
    int n = lesson->n - pupil->before, n_params = sl_task_space(pupil->task)->n_params;
    double *values = SL_NEW(&teaching->pupils[index].arena, n, double);
    if (!values) return no_memory(err);
    for (int i = 0; i < n; i++) values[i] = lesson->values[pupil->before + i];
    SlLessonEntry entry = {.stage = teaching->stage,
                           .task = index,
                           .n = n,
                           .n_params = n_params,
                           .points = lesson->points + (ptrdiff_t)pupil->before * n_params,
                           .values = values};
    pthread_mutex_lock(&teaching->lock);
    SlStatus status = sl_lesson_file_add(teaching->file, &entry, err);
    pthread_mutex_unlock(&teaching->lock);
    return status;
}

static void work(void *context, int index, int worker) {
    SlTeaching *teaching = context;
    Pupil *pupil = &teaching->pupils[index];
    Watcher watcher = {teaching, pupil, index, worker};
    const SlLessonEntry *known = sl_lesson_file_find(teaching->file, teaching->stage, index);
    pupil->before = pupil->lesson.n;
    bool fits = known && known->n_params == sl_task_space(pupil->task)->n_params;
    if (fits) replay(pupil, known);
    if (!fits && !teaching->stopped) pupil->status = search_stage(&watcher, pupil);
    if (!fits && teaching->stopped) pupil->cut = true;
    if (!fits && pupil->status == SL_OK && !pupil->cut && teaching->file)
        pupil->status = keep(teaching, index, pupil, &pupil->err);
    pthread_mutex_lock(&teaching->lock);
    teaching->n_done++;
    teaching->samples += pupil->lesson.n - pupil->before;
    if (fits) teaching->resumed += pupil->lesson.n - pupil->before;
    pthread_mutex_unlock(&teaching->lock);
    SlEvent end = {.kind = SL_EVENT_END, .value = NAN, .bound = NAN, .floor = NAN};
    tell(&watcher, &end);
}

// ---- stages ----

static SlStatus run_stage(SlTeaching *teaching, SlPool *pool, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    bool alone = !pool || setup->kind->noisy || (setup->kind->wide && setup->apart == 0);
    SlPool *apart = alone || setup->apart == 0 ? NULL : sl_pool_make(setup->apart);
    teaching->n_done = 0;
    if (!alone) sl_pool_run(apart ? apart : pool, teaching->n, work, teaching);
    for (int i = 0; alone && i < teaching->n; i++) work(teaching, i, 0);
    sl_pool_free(apart);
    for (int i = 0; i < teaching->n; i++) {
        const Pupil *pupil = &teaching->pupils[i];
        teaching->stopped |= pupil->cut;
        if (pupil->status == SL_OK) continue;
        *err = pupil->err;
        return pupil->status;
    }
    return SL_OK;
}

// the tasks that have any value
static SlStatus teach(SlTeaching *teaching, SlPool *pool, SlArena *arena, SlFlock **flock,
                      SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlLesson *lessons = SL_NEW(&scratch, teaching->n, SlLesson);
    int n = 0;
    for (int i = 0; lessons && i < teaching->n; i++) {
        const SlLesson *lesson = &teaching->pupils[i].lesson;
        bool some = false;
        for (int k = 0; k < lesson->n && !some; k++) some = isfinite(lesson->values[k]);
        if (some) lessons[n++] = *lesson;
    }
    SlTeachOptions options = teaching->setup.teach;
    options.seed = teaching->setup.seed;
    SlStatus status =
        lessons ? sl_flock_teach(n, lessons, &options, pool, arena, flock, err) : no_memory(err);
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_teaching_run(SlTeaching *teaching, SlPool *pool, SlWatch *watch, void *context,
                         SlArena *arena, SlFlock **flock, SlError *err) {
    SlStatus status = SL_OK;
    teaching->watch = watch;
    teaching->context = context;
    *flock = NULL;
    for (int stage = 0; stage <= teaching->setup.rounds && status == SL_OK; stage++) {
        teaching->stage = stage;
        teaching->flock = *flock;
        status = run_stage(teaching, pool, err);
        if (teaching->stopped) *flock = NULL;
        if (teaching->stopped) break;
        if (status == SL_OK) status = teach(teaching, pool, arena, flock, err);
    }
    teaching->flock = NULL;
    return status;
}
