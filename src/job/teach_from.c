// teach_from.c - what earlier teachings evaluated: their tasks made again, their samples replayed;
// lessons of one task become one.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "starling/job/run_dir.h"
#include "teach_inside.h"

// NULL, or why a name that a user typed has no evaluations to give
static const char *folder_fault(const char *dir, const char *path) {
    struct stat info;
    if (sl_bundle_find("flocks", dir) || (stat(dir, &info) == 0 && !S_ISDIR(info.st_mode)))
        return "a flock holds what was learnt, not what was evaluated, so that it cannot be taught "
               "on; expected the folder of 'starling learn' that made it";
    if (stat(dir, &info) != 0) return "there is no such folder";
    if (stat(path, &info) == 0) return NULL;
    return "there is no " SL_LESSONS_FILE " in it, the evaluations that 'starling learn' keeps; "
           "measured rows are taught once more, by --rows";
}

// "two names for what must be one"
static SlStatus check_about(const char *dir, const SlLessonAbout *about, const SlLessonAbout *own,
                            SlError *err) {
    static const char *const what[] = {"by evaluator", "for objective", "by"};
    const char *const theirs[] = {about->kind, about->goal, about->program};
    const char *const ours[] = {own->kind, own->goal, own->program};
    for (int i = 0; i < 3; i++)
        if (strcmp(theirs[i], ours[i]) != 0)
            return sl_fail(err, SL_EINPUT, "%.100s was taught %s %.200s, this is %.200s", dir,
                           what[i], theirs[i], ours[i]);
    return SL_OK;
}

static bool same_lesson(const SlLessonEntry *a, const SlLessonEntry *b) {
    return a->task == b->task && (a->stage < 0) == (b->stage < 0);
}

// ---- points that are known ----

static bool same_task(const SlLesson *a, const SlLesson *b) {
    return strcmp(sl_task_name(a->task), sl_task_name(b->task)) == 0;
}

static bool has_point(const SlLesson *lesson, int n, const int32_t *point, size_t bytes) {
    const size_t n_params = bytes / sizeof *point;
    for (int i = 0; i < n; i++)
        if (memcmp(lesson->points + (size_t)i * n_params, point, bytes) == 0) return true;
    return false;
}

// the rows of a lesson that no earlier one of its task has
static void drop_known(const SlTeaching *teaching, SlLesson *lesson) {
    const size_t n_params = (size_t)sl_task_space(lesson->task)->n_params;
    const size_t width = (size_t)lesson->n_inputs;
    for (int i = 0; i < teaching->n; i++) {
        const SlLesson *other = &teaching->pupils[i]->lesson;
        const int n = lesson->n;
        if (other == lesson || !same_task(other, lesson)) continue;
        lesson->n = 0;
        for (int k = 0; k < n; k++) {
            int32_t *point = lesson->points + (size_t)k * n_params;
            if (has_point(other, other->n, point, n_params * sizeof *point)) continue;
            const size_t at = (size_t)lesson->n++;
            memmove(lesson->points + at * n_params, point, n_params * sizeof *point);
            memmove(lesson->inputs + at * width, lesson->inputs + (size_t)k * width,
                    width * sizeof *lesson->inputs);
            lesson->values[at] = lesson->values[k];
        }
    }
}

// ---- tasks made again ----

// the task of entries, with space for all of their samples
static SlPupil *remake(SlTeaching *teaching, int n, const SlLessonEntry *entries, SlError *err) {
    int room = 0;
    size_t length = strlen(entries->accel);
    SlLayer layer;
    SlAccel accel;
    for (int i = 0; i < n; i++) room += entries[i].n;
    SlStatus status = sl_layer_parse(entries->layer, &layer, err);
    if (status == SL_OK && length > 0)
        status =
            sl_accel_parse("its machine", entries->accel, length, teaching->arena, &accel, err);
    if (status != SL_OK) return NULL;
    if (teaching->setup.kind->maps && length == 0) {
        sl_fail(err, SL_EINPUT, "expected a machine for every task");
        return NULL;
    }
    return sl_pupil_make(teaching, &layer, length > 0 ? &accel : NULL, room, err);
}

// NULL, or why entries (n) are not samples of the task that was made again
static const char *entries_fault(const SlTask *task, int n, const SlLessonEntry *entries) {
    const SlSpace *space = sl_task_space(task);
    for (int i = 0; i < n; i++) {
        if (strcmp(sl_task_name(task), entries[i].name) != 0 ||
            entries[i].n_params != space->n_params)
            return "its points are of another space, machine or program than these options make";
        for (int64_t k = 0; k < (int64_t)entries[i].n * space->n_params; k++)
            if (entries[i].points[k] >= space->params[k % space->n_params].n)
                return "a point lies outside of its space";
    }
    return NULL;
}

static SlStatus take_lessons(SlTeaching *teaching, const char *dir, int n,
                             const SlLessonEntry *entries, SlError *err) {
    SlError why;
    for (int begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && same_lesson(&entries[begin], &entries[end]); end++) {}
        SlPupil *pupil = remake(teaching, end - begin, entries + begin, &why);
        if (!pupil) return sl_fail(err, SL_EINPUT, "%.100s: %.400s", dir, why.text);
        const char *fault = entries_fault(pupil->task, end - begin, entries + begin);
        if (fault) return sl_fail(err, SL_EINPUT, "%.100s: %s", dir, fault);
        for (int i = begin; i < end; i++) sl_pupil_replay(pupil, &entries[i]);
        drop_known(teaching, &pupil->lesson);
        teaching->samples += pupil->lesson.n;
    }
    return SL_OK;
}

// the length of the first of "SOURCE + SOURCE"
static size_t source_length(const char *sources) {
    const char *end = strstr(sources, " + ");
    return end ? (size_t)(end - sources) : strlen(sources);
}

static bool has_source(const char *sources, const char *wanted, size_t n) {
    while (*sources) {
        size_t length = source_length(sources);
        if (length == n && memcmp(sources, wanted, n) == 0) return true;
        sources += length + (sources[length] ? 3 : 0);
    }
    return false;
}

// each of them once, as far as there is space
static void add_sources(const char *from, SlLessonAbout *about) {
    while (*from) {
        size_t n = source_length(from), used = strlen(about->source);
        if (!has_source(about->source, from, n))
            snprintf(about->source + used, sizeof about->source - used, "%s%.*s", used ? " + " : "",
                     (int)n, from);
        from += n + (from[n] ? 3 : 0);
    }
}

SlStatus sl_teaching_read_from(SlTeaching *teaching, SlError *err) {
    const SlTeachSetup *setup = &teaching->setup;
    SlStatus status = SL_OK;
    for (int i = 0; i < setup->n_from && status == SL_OK; i++) {
        char path[SL_FOLDER_PATH];
        SlLessonAbout about;
        SlLessonEntry *entries = NULL;
        int n = 0;
        sl_folder_path(setup->from[i], SL_LESSONS_FILE, path);
        const char *fault = folder_fault(setup->from[i], path);
        if (fault) return sl_fail(err, SL_EINPUT, "%.200s: %s", setup->from[i], fault);
        status = sl_lesson_file_read(path, teaching->arena, &about, &n, &entries, err);
        if (status == SL_OK) status = check_about(setup->from[i], &about, &teaching->about, err);
        if (status == SL_OK) status = take_lessons(teaching, setup->from[i], n, entries, err);
        if (status == SL_OK) add_sources(about.source, &teaching->about);
    }
    teaching->n_old = teaching->n;
    teaching->resumed = teaching->samples;
    return status;
}

// ---- lessons of one task ----

// what another lesson of the same task has besides
static void add_rows(const SlLesson *from, SlLesson *to) {
    const size_t n_params = (size_t)sl_task_space(to->task)->n_params, n = (size_t)to->n_inputs;
    const int known = to->n;
    for (int i = 0; i < from->n; i++) {
        const int32_t *point = from->points + (size_t)i * n_params;
        if (has_point(to, known, point, n_params * sizeof *point)) continue;
        const size_t at = (size_t)to->n++;
        memcpy(to->inputs + at * n, from->inputs + (size_t)i * n, n * sizeof *to->inputs);
        memcpy(to->points + at * n_params, point, n_params * sizeof *point);
        to->values[at] = from->values[i];
        to->placed[at] = from->placed[i];
    }
}

static bool join(const SlLesson *one, const SlLesson *other, SlArena *arena, SlLesson *joined) {
    if (!sl_lesson_make(one->task, one->n + other->n, arena, joined)) return false;
    add_rows(one, joined);
    add_rows(other, joined);
    return true;
}

SlLesson *sl_teaching_lessons(const SlTeaching *teaching, SlArena *scratch, int *n) {
    SlLesson *lessons = SL_NEW(scratch, teaching->n, SlLesson);
    *n = 0;
    for (int i = 0; lessons && i < teaching->n; i++) {
        const SlLesson *lesson = &teaching->pupils[i]->lesson;
        bool some = false;
        int twin = 0;
        for (int k = 0; k < lesson->n && !some; k++) some = isfinite(lesson->values[k]);
        while (twin < *n && !same_task(&lessons[twin], lesson)) twin++;
        if (!some) continue;
        if (twin == *n)
            lessons[(*n)++] = *lesson;
        else if (!join(&lessons[twin], lesson, scratch, &lessons[twin]))
            return NULL;
    }
    return lessons;
}
