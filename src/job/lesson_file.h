// lesson_file.h - inside job: what tasks were evaluated at, kept while a flock is taught, and for
// those that are taught later.
//
// Flow: sl_lesson_file_open (what is there already) -> sl_lesson_file_find, sl_lesson_file_add ...
//       -> sl_lesson_file_close; sl_lesson_file_read for the lessons of another teaching.
#pragma once

#include "starling/core.h"

// What all tasks of a file have in common; what is not used is zero.
typedef struct {
    char kind[16];     // "maestro"
    char goal[64];     // "edp"; of programs ""
    char program[256]; // the user's own evaluator
    char source[512];  // what the tasks are, in words
} SlLessonAbout;

enum { SL_LESSON_BEFORE = -1 }; // stage of what another teaching evaluated

// The samples of one task in one stage, and the task: enough to make it again.
typedef struct {
    int stage, task, n, n_params;
    const char *name;      // sl_task_name
    const char *layer;     // sl_layer_write
    const char *accel;     // sl_accel_write, "" = the kind has its own
    const int32_t *points; // (n, n_params)
    const double *values;  // (n) INFINITY = failed
} SlLessonEntry;

typedef struct SlLessonFile SlLessonFile;

// Read the file of this key and go on writing at its end; a new one where there is none. A last
// entry that was cut short is removed. SL_EINPUT for a file of another key.
SlStatus sl_lesson_file_open(const char *path, uint64_t key, const SlLessonAbout *about,
                             SlArena *arena, SlLessonFile **file, SlError *err);
void sl_lesson_file_close(SlLessonFile *file); // NULL is fine
const SlLessonEntry *sl_lesson_file_find(const SlLessonFile *file, int stage, int task);
// From one thread at a time.
SlStatus sl_lesson_file_add(SlLessonFile *file, const SlLessonEntry *entry, SlError *err);

// Read a whole file, which is left as it is: entries (n) by task, then stage, those of other
// teachings first. SL_EINPUT where anything in it is no lesson.
SlStatus sl_lesson_file_read(const char *path, SlArena *arena, SlLessonAbout *about, int *n,
                             SlLessonEntry **entries, SlError *err);
