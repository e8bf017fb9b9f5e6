// teach.h - teach a flock: many tasks, each searched briefly, a critic of all of them, then rounds
// in which the flock searches them itself.
//
// Flow: SlTeachSetup -> sl_teaching_open -> sl_teaching_set_file (what an earlier run left) ->
//       sl_teaching_run -> SlFlock -> sl_flock_write; sl_teaching_close. What comes of it depends
//       on the setup alone, never on threads or interruptions, where samples have no noise.
#pragma once

#include "starling/job/run.h"
#include "starling/learn/flock.h"

SL_API_BEGIN

// A layer as networks have them (docs/learn.md has the distribution): products, depthwise, 1x1 and
// larger filters, strides, odd channels and sides.
void sl_layer_draw(SlRng *rng, SlLayer *layer);
// A machine like the one given: instances, capacities and finite rates times a power of two of
// their own, sometimes with all the space there is.
void sl_accel_vary(const SlAccel *like, SlRng *rng, SlAccel *accel);

typedef struct {
    const SlTaskKind *kind;   // who evaluates; not with own spaces
    const void *kind_options; // NULL = its defaults; kept
    int apart;                // tasks side by side though the kind is wide: each evaluates by
                              // itself; 0 = one task after the other
    SlGoal goal;              // mappings
    SlSpaceOptions space;     // mappings: preset, opened dims, constraints
    int n_layers;             // to teach on; 0 = layers are drawn
    const SlLayer *layers;    // (n_layers) kept
    double macs[2];           // drawn layers: least and most multiply-accumulates; zeros = all
    int n_accels;             // mappings: machines, in turn
    const SlAccel *accels;    // (n_accels) kept
    bool vary;                // machines like these are drawn instead
    int64_t tasks;            // with n_layers > 0: at most so many of layers x machines; 0 = all
    int64_t samples;          // of every task, before there is a flock
    double random;            // share of them that are drawn uniformly
    int64_t rounds;           // in which the flock searches the tasks itself
    int64_t round_samples;    // of every task, in such a round
    const SlMethod *method;   // searches first; NULL = marl
    const void *options;      // of the method, NULL = its defaults
    SlTeachOptions teach;
    uint64_t seed;
    int n_from;              // folders of earlier teachings that this one goes on from; with them
    const char *const *from; // `tasks` may be 0: nothing new is evaluated. (n_from) kept
} SlTeachSetup;

#define SL_LESSONS_FILE "lessons.bin" // in such a folder: tasks, points and values

typedef struct SlTeaching SlTeaching;

// Find the tasks, and read what earlier teachings evaluated. SL_EINPUT where no layer suits, the
// method cannot search them, or an earlier teaching was another evaluator's, for another objective
// or of another space; SL_ENOMEM, SL_EIO. Close it in the end, also after a failed open (NULL is
// fine).
SlStatus sl_teaching_open(const SlTeachSetup *setup, SlArena *arena, SlTeaching **teaching,
                          SlError *err);
void sl_teaching_close(SlTeaching *teaching);

// Take over from the file at `path` what an earlier run of the same setup finished, and write down
// every task that is through. SL_EINPUT for a file of another teaching.
SlStatus sl_teaching_set_file(SlTeaching *teaching, const char *path, SlError *err);

// Samples of the tasks that are through, and those of them from an earlier run or teaching.
int64_t sl_teaching_samples(const SlTeaching *teaching);
int64_t sl_teaching_resumed(const SlTeaching *teaching);

// Search and teach. `watch` is told of every task as it goes, from any thread; when it asks for an
// end there is no flock (`flock` NULL) and the file has what is through.
SlStatus sl_teaching_run(SlTeaching *teaching, SlPool *pool, SlWatch *watch, void *context,
                         SlArena *arena, SlFlock **flock, SlError *err);

SL_API_END
