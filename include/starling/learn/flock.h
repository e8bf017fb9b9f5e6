// flock.h - a flock taught before: what the tasks of an evaluator have in common, learnt once, used
// on tasks never seen.
//
// Flow: a lesson per training task (sl_lesson_make, sl_lesson_add) -> sl_flock_teach ->
//       sl_flock_write. sl_flock_read -> sl_flock_check (does it suit a task?) ->
//       SlMethodSetup.flock, for the method `flock` and its rivals. sl_flock_info says what is in
//       it.
//
// A flock holds the central critic (boosted trees that guess how far a point is from the best of
// its task; several, each taught without some of the tasks, so that they disagree where little was
// seen), the agents' policies, the best points of every task, and a sample of what was evaluated.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

enum {
    SL_FLOCK_VERSION = 2,          // 1 is read, and written where nothing of 2 is in it
    SL_FLOCK_MAX_MEMBERS = 16,     // critics in one file
    SL_FLOCK_MAX_BYTES = 64 << 20, // of a file
    SL_FLOCK_MAX_INPUTS = SL_MAX_FEATURES,
};

// --- Teaching

// What was evaluated of one task.
typedef struct {
    const SlTask *task; // kept
    int n, room;
    int n_inputs;    // context and features
    float *inputs;   // (room, n_inputs)
    double *values;  // (room) INFINITY = failed
    int32_t *points; // (room, n_params)
    bool *placed;    // (room) there is a point: the space has an equal of what was evaluated
} SlLesson;

// What a critic of many tasks sees of a point: the context of its task, then its features.
int sl_flock_n_inputs(const SlTask *task);

bool sl_lesson_make(const SlTask *task, int room, SlArena *arena, SlLesson *lesson);
// A sample of a point, or of a nest that need not be one; ignored where there is no space.
void sl_lesson_add(SlLesson *lesson, const int32_t *point, const SlSample *sample);
void sl_lesson_add_nest(SlLesson *lesson, const SlMapping *nest, double value);

typedef struct {
    int64_t members; // critics, each taught without one share of the tasks
    int64_t trees, depth;
    double rate;            // of learning, per tree
    const char *source;     // what the tasks are, in words; may be NULL
    const SlTaskKind *kind; // whose tasks it is for; NULL = that of the lessons
    double share;           // of the samples that a tree sees
    double cap;    // log of the value over the task's best beyond which all points are equally bad
    double bend;   // how much closer differences near the best are looked at; 0 = not
    int64_t best;  // points of every task that are kept
    bool policies; // the agents' too, and one agent's for comparison
    bool rivals;   // other taught methods too, for comparison
    uint64_t seed;
} SlTeachOptions;
extern const SlOption sl_teach_options[];

// Teach a flock by lessons (n) of tasks of one kind, goal and number of inputs, n >= 2. `pool` may
// be NULL. SL_EINPUT where there is nothing to learn from; SL_ENOMEM.
SlStatus sl_flock_teach(int n, const SlLesson *lessons, const SlTeachOptions *options, SlPool *pool,
                        SlArena *arena, SlFlock **flock, SlError *err);

// --- What is in it

typedef enum {
    SL_FLOCK_CONVOLUTION, // filters larger than 1x1
    SL_FLOCK_POINTWISE,
    SL_FLOCK_DEPTHWISE,
    SL_FLOCK_PRODUCT,
    SL_N_FLOCK_LAYERS
} SlFlockLayer;
extern const char *const sl_flock_layer_names[SL_N_FLOCK_LAYERS + 1]; // "convolution", "1x1" ...

// How good critics are on tasks of one kind of layer that they were not taught by; n_tasks = 0: it
// is not known.
typedef struct {
    int n_tasks;
    double tau, regret1, error; // as in SlFlockInfo
} SlFlockSkill;

typedef struct {
    char kind[16];       // of its tasks: "maestro"
    char evaluator[256]; // process: the command; cpu: the processor
    char goal[64];       // "edp"; programs: the unit
    char source[512];    // what it was taught by, in words
    int features;        // version of what critics see (SL_FEATURES_VERSION)
    int n_inputs, n_context;
    int n_tasks;
    int64_t evaluations;    // spent on them
    int n_members, n_trees; // critics; trees of all of them
    int n_best;             // points kept, of all tasks
    // How well each critic orders the points of tasks it was not taught by: Kendall's tau within a
    // task, and the value of the best of its first 1 and 3 picks over the best, means over tasks.
    double tau, regret1, regret3;
    double error; // deviation of a critic's guess within such a task, among points that are no more
                  // than 0.5 (log) from its best
    SlFlockSkill skills[SL_N_FLOCK_LAYERS];
} SlFlockInfo;
const SlFlockInfo *sl_flock_info(const SlFlock *flock);

// NULL, or why a flock has nothing to say of a task; of any mapping on a machine.
const char *sl_flock_check(const SlFlock *flock, const SlTask *task);
const char *sl_flock_suits(const SlFlock *flock, const SlTaskKind *kind, const SlGoal *goal,
                           const SlAccel *accel);

// How far tasks are from each other: the root mean square difference of what critics see of layer
// and machine (sl_context), in deviations over all that was taught. Here: taught tasks (n, evenly
// chosen where there are more) from the nearest other one, ascending.
enum { SL_FLOCK_MOST_SPREAD = 512 };
typedef struct {
    int n;
    double nearest[SL_FLOCK_MOST_SPREAD];
} SlFlockSpread;
void sl_flock_spread(const SlFlock *flock, SlFlockSpread *spread);
// The distance of a task with this context from the nearest taught one.
double sl_flock_distance(const SlFlock *flock, const float *context);
// The share of taught tasks that are farther than that from the nearest other one: near 0 a flock
// is out of its depth.
double sl_flock_spread_share(const SlFlockSpread *spread, double distance);

// Guesses (n) of the logarithm of value over the task's best, from inputs (n, n_inputs); `doubt`
// (n): how far the critics differ, NULL = not wanted.
void sl_flock_guess(const SlFlock *flock, int n, const float *inputs, float *guess, float *doubt);
// Inputs of a point.
void sl_flock_see(const SlTask *task, const int32_t *point, const SlView *view, float *inputs);

// Up to `room` points (room, n_params) that were best on the tasks nearest to this one, nearest
// first; returns how many.
int sl_flock_portfolio(const SlFlock *flock, const SlTask *task, int room, int32_t *points);

// A hash of everything in it: the same flock, the same results.
uint64_t sl_flock_digest(const SlFlock *flock);

// --- Files (docs/formats/flock.md)

#define SL_FLOCK_FILE "taught.flock" // in a folder of 'starling learn'
SlStatus sl_flock_write(const SlFlock *flock, const char *path, SlError *err);
SlStatus sl_flock_read(const char *path, SlArena *arena, SlFlock **flock, SlError *err);
// What a user types: a bundled flock, a file, a folder that 'starling learn' left.
SlStatus sl_flock_find(const char *selector, SlArena *arena, SlFlock **flock, SlError *err);
// The bundled flock that suits, the first by name; NULL where none does. It is named after the
// evaluator: "maestro-edp".
SlStatus sl_flock_for(const SlTaskKind *kind, const SlGoal *goal, const SlAccel *accel,
                      SlArena *arena, const char **name, SlFlock **flock, SlError *err);
// Unpacked bytes; `name` stands in errors.
SlStatus sl_flock_parse(const char *name, const char *bytes, size_t n, SlArena *arena,
                        SlFlock **flock, SlError *err);

SL_API_END
