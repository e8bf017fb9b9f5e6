// test_belief.c - beliefs taught beside the critic: each needs few samples, threads teach the same,
// files keep them, and a flock that was taught none says so.
#include <math.h>
#include <string.h>

#include "learn/dream.h"
#include "school.h"

static const char *const searches[] = {
    "belief=critic",
    "belief=process",
    "belief=both",
    "belief=fidelity",
    "belief=calibration",
    "belief=none,dreams=portfolio",
    "dreams=genes",
    "belief=process,dreams=slope",
    NULL,
};

typedef struct {
    School *school;
    SlArena arena;
    SlFlock *flock; // with rivals
} Case;

static SlFlock *teach(const School *school, SlPool *pool, SlArena *arena) {
    SlTeachOptions options = school_options();
    SlFlock *flock = NULL;
    options.rivals = true;
    assert_int_equal(
        sl_flock_teach(SCHOOL_TASKS - 2, school->lessons, &options, pool, arena, &flock, NULL),
        SL_OK);
    return flock;
}

static int set_up(void **state) {
    Case *c = test_calloc(1, sizeof *c);
    void *school = NULL;
    school_open(&school);
    c->school = school;
    sl_arena_init(&c->arena, 0);
    c->flock = teach(c->school, NULL, &c->arena);
    *state = c;
    return 0;
}

static int tear_down(void **state) {
    Case *c = *state;
    void *school = c->school;
    sl_arena_free(&c->arena);
    school_close(&school);
    test_free(c);
    return 0;
}

static void every_belief_beats_random_points(void **state) {
    const Case *c = *state;
    for (int k = 0; searches[k]; k++) {
        double taught = 0, random = 0;
        for (uint64_t seed = 1; seed <= 3; seed++) {
            taught += log(school_best(c->school, "flock", searches[k], c->flock, 6, seed));
            random += log(school_best(c->school, "random", NULL, NULL, 6, seed));
        }
        if (!(taught < random - 3 * log(1.5)))
            fail_msg("%s: %.3f, random %.3f", searches[k], taught / 3, random / 3);
    }
}

static void auto_takes_both_where_networks_saw_many_tasks(void **state) {
    const Case *c = *state;
    SlArena arena;
    SlFlock *many = NULL;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_flock_find("maestro-edp", &arena, &many, NULL), SL_OK);
    assert_ptr_equal(sl_belief_choose(0, many), &sl_belief_both);
    assert_ptr_equal(sl_belief_choose(0, c->flock), &sl_belief_critic);         // twelve tasks
    assert_ptr_equal(sl_belief_choose(0, c->school->flock), &sl_belief_critic); // no networks
    assert_ptr_equal(sl_belief_choose(2, c->flock), &sl_belief_process);
    sl_arena_free(&arena);
}

static void one_seed_is_one_search(void **state) {
    const Case *c = *state;
    for (int k = 0; searches[k]; k++) {
        double once = school_best(c->school, "flock", searches[k], c->flock, 8, 7);
        assert_true(once == school_best(c->school, "flock", searches[k], c->flock, 8, 7));
    }
}

// a chain that may only move sizes and orders along the slope ends where it believes in less than
// at its start, most of the time: steps are long, so not every one of them
static void a_chain_descends(void **state) {
    const Case *c = *state;
    const SlTask *task = c->school->tasks[SCHOOL_TASKS - 1];
    const SlDreamOptions options = {.way = SL_DREAM_SLOPE, .pool = 4, .fresh = 1, .reach = 2};
    SlBeliefSetup setup = {.task = task, .flock = c->flock, .room = 4};
    SlAgents agents;
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 5, "descent");
    sl_agents_each(sl_task_space(task), &agents);
    SlBelief *belief = sl_belief_make(&sl_belief_process, &setup, &arena);
    SlDreams *dreams = sl_dreams_make(task, &agents, &options, belief, &rng, &arena);
    assert_non_null(dreams);
    int chains = 0, lower = 0;
    float first = 0;
    for (int round = 0; round < 400; round++) {
        bool begins = dreams->chain_left == 0;
        sl_dreams_descend(dreams);
        if (begins) first = dreams->batch[0].believe;
        if (dreams->chain_left > 0) continue;
        chains++;
        lower += dreams->batch[0].believe < first;
    }
    if (!(chains > 40 && lower > chains * 3 / 4)) fail_msg("%d of %d chains", lower, chains);
    sl_arena_free(&arena);
}

// four points are soon asked; marl goes on to the end of the budget
static void a_portfolio_that_is_through_hands_over(void **state) {
    const Case *c = *state;
    const char *set = "belief=none,dreams=portfolio,portfolio=4";
    double few = school_best(c->school, "flock", set, c->flock, 4, 1);
    assert_true(school_best(c->school, "flock", set, c->flock, 60, 1) <= few);
}

static void threads_teach_the_same_rivals(void **state) {
    const Case *c = *state;
    SlArena arena;
    SlPool *pool = sl_pool_make(3);
    sl_arena_init(&arena, 0);
    assert_true(sl_flock_digest(teach(c->school, pool, &arena)) == sl_flock_digest(c->flock));
    assert_true(sl_flock_digest(c->flock) != sl_flock_digest(c->school->flock));
    sl_pool_free(pool);
    sl_arena_free(&arena);
}

static bool holds(const SlText *bytes, const char *name) {
    for (size_t i = 0; i + 4 <= bytes->n; i++)
        if (memcmp(bytes->data + i, name, 4) == 0) return true;
    return false;
}

static void files_keep_rivals_where_there_are_any(void **state) {
    const Case *c = *state;
    const SlFlock *flocks[] = {c->school->flock, c->flock};
    for (int k = 0; k < 2; k++) {
        SlArena arena;
        SlText bytes;
        SlFlock *twin = NULL;
        sl_arena_init(&arena, 0);
        sl_text_init(&bytes, &arena);
        sl_flock_put(flocks[k], &bytes);
        assert_int_equal(holds(&bytes, "RIVL"), k == 1);
        assert_int_equal(sl_flock_parse("f", bytes.data, bytes.n, &arena, &twin, NULL), SL_OK);
        assert_true(sl_flock_digest(twin) == sl_flock_digest(flocks[k]));
        double value = school_best(c->school, "flock", searches[k], flocks[k], 4, 2);
        assert_true(school_best(c->school, "flock", searches[k], twin, 4, 2) == value);
        sl_arena_free(&arena);
    }
}

// with the digest made right again, so that what is inside must be refused or make sense
static void damaged_rivals_are_refused_or_make_sense(void **state) {
    const Case *c = *state;
    SlArena arena;
    SlRng rng;
    SlText sound;
    sl_rng_init(&rng, 1, "damage");
    sl_arena_init(&arena, 0);
    sl_text_init(&sound, &arena);
    sl_flock_put(c->flock, &sound);
    SlText plain;
    sl_text_init(&plain, &arena);
    sl_flock_put(c->school->flock, &plain);
    const size_t first = plain.n - 8; // of the rivals
    for (int i = 0; i < 200; i++) {
        size_t mark = sl_arena_mark(&arena), n = sound.n;
        char *bytes = sl_arena_alloc(&arena, n, 1);
        SlFlock *flock = NULL;
        SlError err;
        memcpy(bytes, sound.data, n);
        size_t span = i % 3 == 0 ? 12 : n - 8 - first; // the shape, or anything
        if (i % 3 == 1) span = 200;
        size_t at = i % 3 == 1 ? n - 8 - 200 : first; // kernels and weights are last
        bytes[at + (size_t)sl_rng_below(&rng, span)] = (char)sl_rng_next(&rng);
        if (i % 10 == 0) n -= 9 + (size_t)sl_rng_below(&rng, 300);
        uint64_t digest = sl_fnv_bytes(SL_FNV_START, bytes, n - 8);
        for (int k = 0; k < 8; k++) bytes[n - 8 + (size_t)k] = (char)(digest >> 8 * k);
        SlStatus status = sl_flock_parse("f", bytes, n, &arena, &flock, &err);
        if (status == SL_OK && i % 10 == 1)
            school_best(c->school, "flock", "belief=process", flock, 3, 1);
        if (status != SL_OK) assert_true(strlen(err.text) > 10);
        sl_arena_rewind(&arena, mark);
    }
    sl_arena_free(&arena);
}

static void a_flock_without_them_is_refused_with_a_sentence(void **state) {
    const Case *c = *state;
    SlArena arena;
    SlTaskSetup setup = *sl_task_setup(c->school->tasks[0]);
    SlRecord record;
    SlError err;
    void *options = NULL;
    SlRunSetup run = {
        .method = sl_method_find("flock"), .flock = c->school->flock, .budget = {.samples = 2}};
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_method_options(run.method, "belief=process", &arena, &options, NULL),
                     SL_OK);
    run.options = options;
    assert_int_equal(sl_task_make(&setup, &arena, &run.task, NULL), SL_OK);
    assert_int_equal(sl_run(&run, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    assert_string_equal(err.text,
                        "flock: this flock was taught no process; 'starling learn --critic "
                        "rivals=true' teaches one");
    sl_arena_free(&arena);
}

// covariances of a kernel: largest with itself, less the farther away
static void kernels_fall_with_distance(void **state) {
    (void)state;
    const SlRivalKernel kernel = {.inputs = log(0.5), .last = log(0.25)};
    const double near[2] = {0, 0}, far[2] = {1, 4};
    double own = sl_rivals_covary(&kernel, 0, 2, near);
    assert_float_equal(own, 0.75, 1e-12);
    // Matern 5/2 at distance 1 is 0.523994, at 2 0.138660 (Rasmussen & Williams, equation 4.17)
    assert_float_equal(sl_rivals_covary(&kernel, 1, 2, far),
                       0.5 * 0.523994 + 0.25 * (0.523994 + 0.138660) / 2, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_belief_beats_random_points),
        cmocka_unit_test(auto_takes_both_where_networks_saw_many_tasks),
        cmocka_unit_test(one_seed_is_one_search),
        cmocka_unit_test(a_chain_descends),
        cmocka_unit_test(a_portfolio_that_is_through_hands_over),
        cmocka_unit_test(threads_teach_the_same_rivals),
        cmocka_unit_test(files_keep_rivals_where_there_are_any),
        cmocka_unit_test(damaged_rivals_are_refused_or_make_sense),
        cmocka_unit_test(a_flock_without_them_is_refused_with_a_sentence),
        cmocka_unit_test(kernels_fall_with_distance),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
