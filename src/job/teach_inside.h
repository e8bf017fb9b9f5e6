// teach_inside.h - inside job: the tasks of a teaching and what was evaluated of them.
#pragma once

#include <pthread.h>

#include "lesson_file.h"
#include "starling/job/teach.h"

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
} SlPupil;

struct SlTeaching {
    SlTeachSetup setup;
    const void *options; // of the method
    void *uniform;       // options of the method that draws points
    SlArena *arena;
    SlConstraints asked; // what the kind asks for
    SlSpaceOptions space;
    SlLessonAbout about;
    int n, n_old, room;
    SlPupil **pupils; // (n) the first n_old are of earlier teachings, and are not searched again
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

SlStatus sl_teaching_no_memory(SlError *err);
SlTaskSetup sl_pupil_setup(const SlTeaching *teaching, const SlPupil *pupil);
// One more pupil, of a layer on a machine (NULL = the kind has its own); NULL where they do not
// suit each other or the kind, and `err` says why.
SlPupil *sl_pupil_make(SlTeaching *teaching, const SlLayer *layer, const SlAccel *accel, int room,
                       SlError *err);
// Samples that are known, to the end of its lesson.
void sl_pupil_replay(SlPupil *pupil, const SlLessonEntry *entry);

// Those of the setup behind those of earlier teachings.
SlStatus sl_teaching_find_tasks(SlTeaching *teaching, SlError *err);
// Those of the folders of the setup, with their samples.
SlStatus sl_teaching_read_from(SlTeaching *teaching, SlError *err);

// The lessons that have any value (n), those of one task in one; NULL without memory.
SlLesson *sl_teaching_lessons(const SlTeaching *teaching, SlArena *scratch, int *n);
