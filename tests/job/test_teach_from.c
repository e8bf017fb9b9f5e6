// test_teach_from.c - teachings that go on from the folders of earlier ones: a folder alone is
// enough, what is known twice counts once, and what does not belong together is refused.
#include "support/check.h"

#include <string.h>

#include "job/lesson_file.h"
#include "starling/job/teach.h"
#include "support/folder.h"

typedef struct {
    Folder a, b; // what was taught with two seeds
    SlAccel accel;
    uint64_t flock_a;
} School;

static SlTeachSetup small_setup(const SlAccel *accel) {
    SlTeachSetup setup = {.kind = &sl_kind_maestro,
                          .n_accels = 1,
                          .accels = accel,
                          .vary = true,
                          .tasks = 4,
                          .samples = 12,
                          .random = 0.25,
                          .rounds = 1,
                          .round_samples = 3,
                          .seed = 3};
    assert_int_equal(sl_goal_parse("edp", &setup.goal, NULL), SL_OK);
    sl_options_init(sl_teach_options, &setup.teach);
    setup.teach.trees = 15;
    return setup;
}

typedef struct {
    uint64_t digest;
    SlFlockInfo info;
    int64_t samples; // that are known or were evaluated
} Taught;

// `folder` may be NULL: nothing is kept
static Taught teach(const SlTeachSetup *setup, const Folder *folder, int threads) {
    Taught taught;
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlFlock *flock = NULL;
    SlError err;
    char path[TEMP_ROOM];
    sl_arena_init(&arena, 0);
    SlStatus status = sl_teaching_open(setup, &arena, &teaching, &err);
    if (folder) folder_path(folder, SL_LESSONS_FILE, path);
    if (status == SL_OK && folder) status = sl_teaching_set_file(teaching, path, &err);
    SlPool *pool = threads > 1 ? sl_pool_make(threads) : NULL;
    if (status == SL_OK) status = sl_teaching_run(teaching, pool, NULL, NULL, &arena, &flock, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    taught.digest = sl_flock_digest(flock);
    taught.info = *sl_flock_info(flock);
    taught.samples = sl_teaching_samples(teaching);
    if (pool) sl_pool_free(pool);
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
    return taught;
}

static void expect_refused(const SlTeachSetup *setup, const char *sentence) {
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlError err = {0};
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_teaching_open(setup, &arena, &teaching, &err), SL_EINPUT);
    if (!strstr(err.text, sentence)) fail_msg("expected '%s' in '%s'", sentence, err.text);
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
}

// a teaching that evaluates nothing
static SlTeachSetup merge_setup(const School *school, int n, const char *const *from) {
    SlTeachSetup setup = small_setup(&school->accel);
    setup.tasks = 0;
    setup.n_from = n;
    setup.from = from;
    return setup;
}

static int set_up(void **state) {
    School *school = test_calloc(1, sizeof *school);
    SlArena arena;
    folder_make(&school->a);
    folder_make(&school->b);
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_accel_find("gamma168", &arena, &school->accel, NULL), SL_OK);
    sl_arena_free(&arena);
    SlTeachSetup setup = small_setup(&school->accel);
    school->flock_a = teach(&setup, &school->a, 1).digest;
    setup.seed = 4;
    teach(&setup, &school->b, 2);
    *state = school;
    return 0;
}

static int tear_down(void **state) {
    School *school = *state;
    folder_remove(&school->a);
    folder_remove(&school->b);
    test_free(school);
    return 0;
}

static void a_folder_alone_makes_its_flock_again(void **state) {
    const School *school = *state;
    const char *const from[] = {school->a.dir, school->a.dir};
    SlTeachSetup setup = merge_setup(school, 1, from);
    assert_true(teach(&setup, NULL, 1).digest == school->flock_a);
    // and so does the same folder twice: what is known counts once
    setup = merge_setup(school, 2, from);
    Taught taught = teach(&setup, NULL, 2);
    assert_int_equal(taught.info.n_tasks, 4);
    assert_int_equal(taught.info.evaluations, 4 * 15);
    assert_int_equal(taught.samples, 4 * 15);
}

static void two_folders_add_up(void **state) {
    const School *school = *state;
    const char *const from[] = {school->a.dir, school->b.dir};
    SlTeachSetup setup = merge_setup(school, 2, from);
    Taught taught = teach(&setup, NULL, 1);
    assert_int_equal(taught.info.n_tasks, 8);
    assert_int_equal(taught.info.evaluations, 8 * 15);
    assert_true(teach(&setup, NULL, 3).digest == taught.digest);
    assert_true(taught.digest != school->flock_a);
}

static void a_teaching_goes_on_and_its_folder_is_whole(void **state) {
    const School *school = *state;
    const char *const from[] = {school->a.dir};
    Folder folder;
    const char *const again[] = {folder.dir};
    SlTeachSetup setup = small_setup(&school->accel);
    setup.seed = 9;
    setup.n_from = 1;
    setup.from = from;
    folder_make(&folder);
    Taught whole = teach(&setup, NULL, 1);
    assert_int_equal(whole.info.n_tasks, 8);
    assert_int_equal(whole.info.evaluations, 8 * 15);
    // with a file, with other threads, resumed
    assert_true(teach(&setup, &folder, 3).digest == whole.digest);
    assert_true(teach(&setup, &folder, 1).digest == whole.digest);
    // what it leaves needs no other folder
    SlTeachSetup merge = merge_setup(school, 1, again);
    merge.seed = 9;
    assert_true(teach(&merge, NULL, 1).digest == whole.digest);
    folder_remove(&folder);
}

static void what_does_not_belong_together_is_refused(void **state) {
    const School *school = *state;
    const char *const from[] = {school->a.dir}, *const flock[] = {"maestro-edp"};
    Folder folder;
    const char *const nothing[] = {"nosuch"}, *const empty[] = {folder.dir};
    folder_make(&folder);
    SlTeachSetup setup = merge_setup(school, 1, from);
    assert_int_equal(sl_goal_parse("latency", &setup.goal, NULL), SL_OK);
    expect_refused(&setup, "was taught for objective edp, this is latency");
    setup = merge_setup(school, 1, from);
    setup.kind = &sl_kind_native;
    expect_refused(&setup, "was taught by evaluator maestro, this is native");
    setup = merge_setup(school, 1, from);
    setup.space.preset = SL_SPACE_PAPER;
    expect_refused(&setup, "points are of another space");
    setup = merge_setup(school, 1, nothing);
    expect_refused(&setup, "no such folder");
    setup = merge_setup(school, 1, empty);
    expect_refused(&setup, "no lessons.bin");
    setup = merge_setup(school, 1, flock);
    expect_refused(&setup, "not what was evaluated");
    folder_remove(&folder);
}

static void write_bytes(const char *path, const char *bytes, size_t n) {
    assert_int_equal(sl_file_write(path, bytes, n, NULL), SL_OK);
}

static void damaged_lessons_are_refused_or_make_sense(void **state) {
    const School *school = *state;
    char path[TEMP_ROOM], *bytes = NULL;
    Folder folder;
    const char *const from[] = {folder.dir};
    SlArena arena;
    SlRng rng;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    folder_path(&school->a, SL_LESSONS_FILE, path);
    assert_int_equal(sl_file_read(path, 1 << 20, &arena, &bytes, &n, NULL), SL_OK);
    folder_make(&folder);
    folder_path(&folder, SL_LESSONS_FILE, path);
    sl_rng_init(&rng, 1, "damage");
    SlTeachSetup setup = merge_setup(school, 1, from);
    write_bytes(path, bytes, n - 3);
    expect_refused(&setup, "cut short");
    write_bytes(path, "hello", 5);
    expect_refused(&setup, "expected the evaluations");
    for (int i = 0; i < 200; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlError err = {0};
        SlLessonAbout about;
        SlLessonEntry *entries;
        int count;
        char *copy = sl_arena_text(&arena, bytes, n);
        // heads of entries are where most can go wrong
        size_t at = (size_t)sl_rng_below(&rng, i % 2 ? n : 1200);
        copy[at] = (char)sl_rng_next(&rng);
        write_bytes(path, copy, n);
        SlStatus status = sl_lesson_file_read(path, &arena, &about, &count, &entries, &err);
        assert_true(status == SL_OK || (status == SL_EINPUT && strlen(err.text) > 10));
        sl_arena_rewind(&arena, mark);
    }
    sl_arena_free(&arena);
    folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_alone_makes_its_flock_again),
        cmocka_unit_test(two_folders_add_up),
        cmocka_unit_test(a_teaching_goes_on_and_its_folder_is_whole),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(damaged_lessons_are_refused_or_make_sense),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
