// test_methods.c - every method on every kind: it runs, the same for the same seed, or says what it
// lacks; rows from shared objects.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_help.h"
#include "support/folder.h"
#include "support/toy_task.h"

enum { SAMPLES = 20 };
static const char small_layer[] = "conv:K=16,C=12,P=14,Q=14,R=3,S=3";

static void world_of_maestro(World *world) {
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    SlConstraints constraints;
    world_make(world, small_layer, "gamma168");
    assert_int_equal(sl_kind_space(&sl_kind_maestro, &world->arena, &constraints, &options, NULL),
                     SL_OK);
    assert_int_equal(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, NULL),
        SL_OK);
}

// a run of a method on a kind, or its refusal; `why` NULL: it must run
static void run_or_refuse(const Job *job, const char *why, SlArena *arena) {
    SlRecord record, again;
    SlError err = {0};
    SlStatus status = job_try(job, NULL, NULL, arena, &record, &err);
    if (why) {
        assert_int_equal(status, SL_EINPUT);
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s: %s", job->run.method->name, why);
        assert_string_equal(err.text, sentence);
        return;
    }
    if (status != SL_OK) fail_msg("%s: %s", job->run.method->name, err.text);
    assert_in_range(record.samples, 1, SAMPLES);
    if (record.samples < SAMPLES) assert_int_equal(record.stopped, SL_STOP_SPACE);
    again = job_run(job, arena);
    assert_same_record(&record, &again);

    // the best value is that of the best point; of a start that of its mapping
    SlSample sample;
    SlTask *task = job_task(job, arena);
    assert_true(record.best.sample > 0);
    if (sl_task_kind(task)->maps) {
        sl_task_eval_mapping(task, &record.best.mapping, &sample);
        assert_true(sample.value == record.best.outcome.value);
    }
    if (!sl_task_kind(task)->maps || job->run.start == SL_START_NONE) {
        sl_task_eval(task, 1, record.best.point, &sample);
        assert_true(sample.value == record.best.outcome.value);
    }
    assert_good_curve(&record);
}

static const char no_floors[] =
    "it needs a lower bound of every point, and nobody has one of this evaluator";
static const char no_mappings[] =
    "it works on the loops and tiles of mappings, and these points are none";
static const char no_draft[] =
    "it needs a free guess of the value, and nobody has one of this evaluator";

static const char no_flock[] = "it needs a flock pre-trained on such tasks";

// why a method cannot do without, NULL = it can
static const char *lack_of(const SlMethod *method, unsigned need, const char *sentence) {
    if (method->needs & SL_NEEDS_FLOCK) return no_flock;
    return method->needs & need ? sentence : NULL;
}

static void every_method_maps_or_says_why_not(void **state) {
    (void)state;
    for (int maestro = 0; maestro < 2; maestro++) {
        World world;
        if (maestro)
            world_of_maestro(&world);
        else
            world_make(&world, small_layer, "eyeriss");
        for (int i = 0; sl_method_at(i); i++) {
            const SlMethod *method = sl_method_at(i);
            Job job = world_job(&world, "edp", method->name);
            job.task.kind = maestro ? &sl_kind_maestro : &sl_kind_native;
            job.run.budget.samples = SAMPLES;
            // MAESTRO refuses much: the default mapping is sure to have a value
            job.run.start = maestro ? SL_START_DEFAULT : SL_START_NONE;
            run_or_refuse(&job, lack_of(method, SL_NEEDS_FLOORS, no_floors), &world.arena);
        }
        world_free(&world);
    }
}

static void every_method_schedules_programs_or_says_why_not(void **state) {
    (void)state;
    for (int i = 0; sl_method_at(i); i++) {
        const SlMethod *method = sl_method_at(i);
        SlArena arena;
        sl_arena_init(&arena, 0);
        Job job = vta_job("conv:K=32,C=32,P=8,Q=8,R=3,S=3,pad=1", SL_HARDWARE_FIXED, method->name,
                          SAMPLES);
        job.run.start = SL_START_DEFAULT;
        run_or_refuse(&job, lack_of(method, SL_NEEDS_MAPPINGS, no_mappings), &arena);
        sl_arena_free(&arena);
    }
}

// area is not among what a nest says for free
static void a_goal_without_a_guess_has_no_draft(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "area", "draft");
    run_or_refuse(&job, no_draft, &world.arena);
    world_free(&world);
}

// ---- repeats ----

static int n_evaluated;

static double count_value(const SlSpace *space, const int32_t *point) {
    (void)space;
    n_evaluated++;
    return 10.0 + point[0];
}

static double no_guess(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return 1;
}

// the same three points over and over again
static void *again_make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options, (void)setup;
    return SL_NEW(arena, 1, int);
}

static int again_ask(void *state, int room, int32_t *points) {
    (void)state;
    for (int i = 0; i < room; i++) {
        points[(ptrdiff_t)2 * i] = i % 3;
        points[(ptrdiff_t)2 * i + 1] = 0;
    }
    return room;
}

static void again_tell(void *state, int n, const int32_t *points, const SlSample *samples) {
    (void)state;
    for (int i = 0; i < n; i++) assert_true(samples[i].value == 10.0 + points[(ptrdiff_t)2 * i]);
}

static const SlOption no_options[] = {{0}};
static const SlMethod again_method = {.name = "again",
                                      .options = no_options,
                                      .make = again_make,
                                      .ask = again_ask,
                                      .tell = again_tell};

static void run_again(bool dear, bool noisy, bool wide, SlRecord *record) {
    static const int n_values[2] = {30, 30};
    static ToyTask toy;
    SlArena arena;
    sl_arena_init(&arena, 0);
    toy_task_init(&toy, 2, n_values);
    toy.value = count_value;
    toy.draft = no_guess;
    toy.kind.dear = dear;
    toy.kind.noisy = noisy;
    toy.kind.wide = wide;
    n_evaluated = 0;
    SlRunSetup setup = {.task = &toy.task,
                        .method = &again_method,
                        .stream = "test",
                        .budget = {.samples = 40},
                        .start = SL_START_NONE};
    SlError err = {0};
    if (sl_run(&setup, NULL, NULL, &arena, record, &err) != SL_OK) fail_msg("%s", err.text);
    assert_int_equal(record->samples, 40);
    sl_arena_free(&arena);
}

static void what_is_dear_is_evaluated_once(void **state) {
    (void)state;
    SlRecord record;
    // one by one, in batches, all at once
    for (int i = 0; i < 3; i++) {
        run_again(true, i == 1, i == 2, &record);
        assert_int_equal(n_evaluated, 3);
        assert_int_equal(record.repeats, 37);
        assert_false(record.proven);
    }
    run_again(false, false, false, &record);
    assert_int_equal(n_evaluated, 40);
    assert_int_equal(record.repeats, 0);
}

// ---- names and shared objects ----

static void a_name_that_is_nearly_right_is_told(void **state) {
    (void)state;
    const SlMethod *method = NULL;
    SlError err = {0};
    assert_int_equal(sl_method_open("marl", &method, &err), SL_OK);
    assert_ptr_equal(method, sl_method_find("marl"));
    assert_int_equal(sl_method_open("rando", &method, &err), SL_EINPUT);
    assert_string_equal(err.text, "unknown method 'rando' (did you mean 'random'?); see "
                                  "'starling list methods'");
}

static void a_missing_object_is_refused(void **state) {
    (void)state;
    const SlMethod *method = NULL;
    SlError err = {0};
    assert_int_equal(sl_method_open("/no/such/method.so", &method, &err), SL_EINPUT);
    assert_string_equal(err.file, "/no/such/method.so");
    assert_non_null(strstr(err.text, "cannot be loaded"));
    assert_int_equal(sl_method_open("/no/such/method.so", &method, &err), SL_EINPUT);
    assert_null(method);
}

// build a shared object from C; false where there is no compiler
static bool build_object(const Folder *folder, const char *text, char out[static TEMP_ROOM]) {
    char source[TEMP_ROOM], command[4 * TEMP_ROOM];
    folder_path(folder, "method.c", source);
    folder_path(folder, "method.so", out);
    assert_int_equal(sl_file_write(source, text, strlen(text), NULL), SL_OK);
    snprintf(command, sizeof command, "cc -std=c11 -shared -fPIC -I '%s/include' -o '%s' '%s'",
             SL_SOURCE_DIR, out, source);
    return system(command) == 0;
}

typedef struct {
    const char *text, *says; // NULL = it loads
} Object;

static const Object objects[] = {
    {"int nothing;\n", "exports no sl_plugin_method"},
    {"#include \"starling/job/run.h\"\n"
     "const SlMethodPlugin sl_plugin_method = {99, sizeof(SlMethod), 0};\n",
     "was built for another version of Starling: build it again"},
    {"#include \"starling/job/run.h\"\n"
     "const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, 8, 0};\n",
     "was built for another version of Starling: build it again"},
    {"#include \"starling/job/run.h\"\n"
     "static const SlMethod row = {.name = \"mine\"};\n"
     "const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, sizeof(SlMethod), &row};\n",
     "has a row without name, title, source or options"},
    {"#include \"starling/job/run.h\"\n"
     "static const SlOption none[] = {{0}};\n"
     "static const SlMethod row = {.name = \"mine\", .title = \"\", .source = \"\",\n"
     "                             .options = none};\n"
     "const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, sizeof(SlMethod), &row};\n",
     "has a row without make, ask or tell"},
    {"#include \"starling/job/run.h\"\n"
     "static const SlOption none[] = {{0}};\n"
     "static void *make(const SlMethodSetup *s, const void *o, SlArena *a) { return a; }\n"
     "static int ask(void *s, int room, int32_t *points) { points[0] = 0; return 1; }\n"
     "static void tell(void *s, int n, const int32_t *p, const SlSample *samples) {}\n"
     "static const SlMethod row = {.name = \"mine\", .title = \"\", .source = \"\",\n"
     "                             .options = none, .make = make, .ask = ask, .tell = tell};\n"
     "const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, sizeof(SlMethod), &row};\n",
     NULL},
};

static void objects_are_checked_before_they_are_used(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        Folder folder; // another one each time: what was loaded stays
        char path[TEMP_ROOM];
        const SlMethod *method = NULL;
        SlError err = {0};
        folder_make(&folder);
        bool built = build_object(&folder, objects[i].text, path);
        SlStatus status = built ? sl_method_open(path, &method, &err) : SL_OK;
        folder_remove(&folder);
        if (!built) skip();
        assert_int_equal(status, objects[i].says ? SL_EINPUT : SL_OK);
        if (objects[i].says) {
            assert_string_equal(err.text, objects[i].says);
            assert_string_equal(err.file, path);
            assert_null(method);
        } else {
            assert_string_equal(method->name, "mine");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_maps_or_says_why_not),
        cmocka_unit_test(every_method_schedules_programs_or_says_why_not),
        cmocka_unit_test(a_goal_without_a_guess_has_no_draft),
        cmocka_unit_test(what_is_dear_is_evaluated_once),
        cmocka_unit_test(a_name_that_is_nearly_right_is_told),
        cmocka_unit_test(a_missing_object_is_refused),
        cmocka_unit_test(objects_are_checked_before_they_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
