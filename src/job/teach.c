// teach.c - tasks to teach on, searched in stages: by a method first, then by the flock itself.
#include "starling/job/teach.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "starling/task/own_space.h"
#include "teach_inside.h"

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
        const char *name = sl_task_name(teaching->pupils[i]->task);
        key = sl_fnv_bytes(key, name, strlen(name));
    }
    for (int i = 0; i < teaching->n_old; i++) {
        const SlLesson *lesson = &teaching->pupils[i]->lesson;
        key = sl_fnv_bytes(key, lesson->values, (size_t)lesson->n * sizeof *lesson->values);
    }
    return key;
}

// ---- what is kept ----

// one task of a stage: its samples from `before` on
static SlStatus keep(SlTeaching *teaching, int stage, int index, const SlPupil *pupil, int before,
                     SlError *err) {
    const SlLesson *lesson = &pupil->lesson;
    const int n_params = sl_task_space(pupil->task)->n_params;
    char layer[512];
    SlArena scratch;
    SlText accel;
    sl_arena_init(&scratch, 0);
    sl_text_init(&accel, &scratch);
    if (teaching->setup.kind->maps) sl_accel_write(&pupil->accel, &accel);
    SlLessonEntry entry = {.stage = stage,
                           .task = index,
                           .n = lesson->n - before,
                           .n_params = n_params,
                           .name = sl_task_name(pupil->task),
                           .layer = sl_layer_write(&pupil->layer, sizeof layer, layer),
                           .accel = accel.data,
                           .points = lesson->points + (ptrdiff_t)before * n_params,
                           .values = lesson->values + before};
    SlStatus status = accel.failed ? sl_teaching_no_memory(err) : SL_OK;
    pthread_mutex_lock(&teaching->lock);
    if (status == SL_OK) status = sl_lesson_file_add(teaching->file, &entry, err);
    pthread_mutex_unlock(&teaching->lock);
    sl_arena_free(&scratch);
    return status;
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
    // what makes no program is known for free
    SlStatus status =
        sl_method_options(sl_method_find("random"), setup->kind->maps ? NULL : "check=true",
                          teaching->arena, &teaching->uniform, err);
    if (status != SL_OK) return status;
    if (setup->options) return SL_OK;
    status = sl_method_options(setup->method, NULL, teaching->arena, &options, err);
    teaching->options = options;
    return status;
}

static void describe(const SlTeachSetup *setup, SlLessonAbout *about) {
    const SlProcessOptions *process = setup->kind_options;
    snprintf(about->kind, sizeof about->kind, "%s", setup->kind->name);
    if (setup->kind->maps) sl_goal_text(&setup->goal, sizeof about->goal, about->goal);
    if (setup->kind == &sl_kind_process && process && process->program.command)
        snprintf(about->program, sizeof about->program, "%s", process->program.command);
}

// what it was taught by: that of earlier teachings, then its own
static void add_own_source(SlTeaching *teaching) {
    char *source = teaching->about.source;
    const char *own = teaching->setup.teach.source;
    size_t used = strlen(source), room = sizeof teaching->about.source;
    if (own && teaching->n > teaching->n_old)
        snprintf(source + used, room - used, "%s%s", used ? " + " : "", own);
    teaching->setup.teach.source = source;
}

SlStatus sl_teaching_open(const SlTeachSetup *setup, SlArena *arena, SlTeaching **teaching,
                          SlError *err) {
    SlTeaching *made = SL_NEW(arena, 1, SlTeaching);
    *teaching = made;
    if (!made) return sl_teaching_no_memory(err);
    made->setup = *setup;
    made->arena = arena;
    made->space = setup->space;
    pthread_mutex_init(&made->lock, NULL);
    describe(setup, &made->about);
    SlStatus status = find_method(made, err);
    if (status == SL_OK && setup->kind->maps)
        status = sl_kind_space(setup->kind, arena, &made->asked, &made->space, err);
    if (status == SL_OK) status = sl_teaching_read_from(made, err);
    if (status == SL_OK) status = sl_teaching_find_tasks(made, err);
    if (status == SL_OK) add_own_source(made);
    return status;
}

SlStatus sl_teaching_set_file(SlTeaching *teaching, const char *path, SlError *err) {
    SlStatus status = sl_lesson_file_open(path, key_of(teaching), &teaching->about, teaching->arena,
                                          &teaching->file, err);
    // a folder alone is enough to go on from
    for (int i = 0; i < teaching->n_old && status == SL_OK; i++)
        if (!sl_lesson_file_find(teaching->file, SL_LESSON_BEFORE, i))
            status = keep(teaching, SL_LESSON_BEFORE, i, teaching->pupils[i], 0, err);
    return status;
}

void sl_teaching_close(SlTeaching *teaching) {
    if (!teaching) return;
    for (int i = 0; i < teaching->n; i++) {
        sl_task_close(teaching->pupils[i]->task);
        sl_arena_free(&teaching->pupils[i]->arena);
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
    SlPupil *pupil = context;
    for (int i = 0; i < n; i++)
        sl_lesson_add(&pupil->lesson, points + (ptrdiff_t)i * sl_task_space(pupil->task)->n_params,
                      &samples[i]);
}

// The watcher of one task tells who looks at the teaching.
typedef struct {
    SlTeaching *teaching;
    const SlPupil *pupil;
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
    told.n_all = teaching->n - teaching->n_old;
    pthread_mutex_lock(&teaching->lock);
    told.n_done = teaching->n_done;
    bool stop = teaching->watch(teaching->context, &told);
    teaching->stopped |= stop;
    pthread_mutex_unlock(&teaching->lock);
    return stop;
}

static SlStatus search(Watcher *watcher, SlPupil *pupil, const SlMethod *method,
                       const void *options, int64_t samples, SlStart start) {
    SlTeaching *teaching = watcher->teaching;
    SlTaskSetup task = sl_pupil_setup(teaching, pupil);
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

static SlStatus search_stage(Watcher *watcher, SlPupil *pupil) {
    const SlTeachSetup *setup = &watcher->teaching->setup;
    if (watcher->teaching->stage > 0)
        return search(watcher, pupil, sl_method_find("flock"), NULL, setup->round_samples,
                      SL_START_NONE);
    int64_t random = (int64_t)(setup->random * (double)setup->samples);
    SlStatus status = search(watcher, pupil, setup->method, watcher->teaching->options,
                             setup->samples - random, SL_START_DEFAULT);
    if (status != SL_OK || pupil->cut) return status;
    return search(watcher, pupil, sl_method_find("random"), watcher->teaching->uniform, random,
                  SL_START_NONE);
}

static void work(void *context, int index, int worker) {
    SlTeaching *teaching = context;
    SlPupil *pupil = teaching->pupils[teaching->n_old + index];
    Watcher watcher = {teaching, pupil, index, worker};
    const SlLessonEntry *known = sl_lesson_file_find(teaching->file, teaching->stage, index);
    pupil->before = pupil->lesson.n;
    bool fits = known && known->n_params == sl_task_space(pupil->task)->n_params;
    if (fits) sl_pupil_replay(pupil, known);
    if (!fits && !teaching->stopped) pupil->status = search_stage(&watcher, pupil);
    if (!fits && teaching->stopped) pupil->cut = true;
    if (!fits && pupil->status == SL_OK && !pupil->cut && teaching->file)
        pupil->status = keep(teaching, teaching->stage, index, pupil, pupil->before, &pupil->err);
    pthread_mutex_lock(&teaching->lock);
    teaching->n_done++;
    if (pupil->status == SL_OK && !pupil->cut) teaching->samples += pupil->lesson.n - pupil->before;
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
    const int n = teaching->n - teaching->n_old;
    teaching->n_done = 0;
    if (!alone && n > 0) sl_pool_run(apart ? apart : pool, n, work, teaching);
    for (int i = 0; alone && i < n; i++) work(teaching, i, 0);
    sl_pool_free(apart);
    for (int i = 0; i < teaching->n; i++) {
        const SlPupil *pupil = teaching->pupils[i];
        teaching->stopped |= pupil->cut;
        if (pupil->status == SL_OK) continue;
        *err = pupil->err;
        return pupil->status;
    }
    return SL_OK;
}

static SlStatus teach(SlTeaching *teaching, SlPool *pool, SlArena *arena, SlFlock **flock,
                      SlError *err) {
    SlArena scratch;
    int n = 0;
    sl_arena_init(&scratch, 0);
    SlLesson *lessons = sl_teaching_lessons(teaching, &scratch, &n);
    SlTeachOptions options = teaching->setup.teach;
    options.seed = teaching->setup.seed;
    // nobody asks those of an earlier stage
    options.rivals &= teaching->stage == teaching->setup.rounds;
    SlStatus status = lessons ? sl_flock_teach(n, lessons, &options, pool, arena, flock, err)
                              : sl_teaching_no_memory(err);
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_teaching_run(SlTeaching *teaching, SlPool *pool, SlWatch *watch, void *context,
                         SlArena *arena, SlFlock **flock, SlError *err) {
    SlStatus status = SL_OK;
    // where nothing is new there is nothing to search
    const int64_t rounds = teaching->n > teaching->n_old ? teaching->setup.rounds : 0;
    teaching->watch = watch;
    teaching->context = context;
    *flock = NULL;
    for (int stage = 0; stage <= rounds && status == SL_OK; stage++) {
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
