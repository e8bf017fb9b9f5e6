// lesson_file.h - inside job: what tasks were evaluated at, kept while a flock is taught.
//
// Flow: sl_lesson_file_open (what is there already) -> sl_lesson_file_find, sl_lesson_file_add ...
// ->
//       sl_lesson_file_close.
#pragma once

#include "starling/core.h"

// The samples of one task in one stage.
typedef struct {
    int stage, task, n, n_params;
    const int32_t *points; // (n, n_params)
    const double *values;  // (n) INFINITY = failed
} SlLessonEntry;

typedef struct SlLessonFile SlLessonFile;

// Read the file of this key and go on writing at its end; a new one where there is none. A last
// entry that was cut short is removed. SL_EINPUT for a file of another key.
SlStatus sl_lesson_file_open(const char *path, uint64_t key, SlArena *arena, SlLessonFile **file,
                             SlError *err);
void sl_lesson_file_close(SlLessonFile *file); // NULL is fine
const SlLessonEntry *sl_lesson_file_find(const SlLessonFile *file, int stage, int task);
// From one thread at a time.
SlStatus sl_lesson_file_add(SlLessonFile *file, const SlLessonEntry *entry, SlError *err);
