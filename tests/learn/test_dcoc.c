// test_dcoc.c - methods that learn on small VTA tasks: what they promise, how soon dcoc is near the
// optimum, and that every ablation runs.
#include "learn/dcoc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "search/task_run.h"

#define C10 "conv:K=512,C=256,P=7,Q=7,stride=2"     // of ResNet-18: 480 points, 204 valid
#define TINY "conv:K=32,C=32,P=4,Q=4,R=3,S=3,pad=1" // 144 points, 90 valid

static const double OPTIMUM = 38778; // of C10, by the test of what is free
#define QUICK "walkers=8 steps=8 epochs=1 hidden=8 "

static SlArena arena;
static double table[480];

static int set_up(void **state) {
    (void)state;
    sl_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&arena);
    return 0;
}

// ---- what each of them promises ----

static const SlMethod *const ONCE[] = {&sl_method_dcoc, &sl_method_dcoc_paper, &sl_method_chameleon,
                                       NULL};

static const char *quick_of(const SlMethod *method) {
    return method == &sl_method_chameleon ? QUICK "plan=16 stride=4" : QUICK "batch=16 first=16";
}

static int points_of(const SlMethod *method) {
    return method == &sl_method_dcoc ? 90 : 144; // the others measure what does not fit
}

// asking checks that points are new, within the knobs and no more than there is space for
static void all_points_are_asked_for_once(void **state) {
    (void)state;
    for (int i = 0; ONCE[i]; i++) {
        TaskRun run;
        SlTask *task = vta_layer_task(TINY, &arena);
        assert_int_equal(sl_task_space(task)->n_points, 144);
        task_run_begin(&run, task, ONCE[i]->name, quick_of(ONCE[i]), 1, NULL);
        task_run_continue(&run, 200, 5);
        assert_true(run.over);
        assert_int_equal(run.n, points_of(run.method));
        int32_t none[SL_MAX_PARAMS];
        assert_int_equal(run.method->ask(run.state, 1, none), 0); // and stays over
        task_run_end(&run);
    }
}

static void one_seed_is_one_run_whatever_the_room(void **state) {
    (void)state;
    static const struct {
        uint64_t seed;
        int room;
    } runs[] = {{1, 7}, {1, 7}, {1, 1}, {1, 64}, {2, 7}};
    for (int i = 0; ONCE[i]; i++) {
        static int32_t first[60 * SL_MAX_PARAMS];
        for (int r = 0; r < 5; r++) {
            TaskRun run;
            SlTask *task = vta_layer_task(TINY, &arena);
            task_run_begin(&run, task, ONCE[i]->name, quick_of(ONCE[i]), runs[r].seed, NULL);
            task_run_continue(&run, 60, runs[r].room);
            assert_int_equal(run.n, 60);
            if (r == 0)
                memcpy(first, run.points, (size_t)60 * 7 * sizeof *first);
            else if (r < 4)
                assert_memory_equal(first, run.points, (size_t)60 * 7 * sizeof *first);
            else
                assert_memory_not_equal(first, run.points, (size_t)60 * 7 * sizeof *first);
            task_run_end(&run);
        }
    }
}

static void points_told_by_others_are_not_asked_for(void **state) {
    (void)state;
    for (int i = 0; ONCE[i]; i++) {
        TaskRun run;
        SlTask *task = vta_layer_task(TINY, &arena);
        const SlSpace *space = sl_task_space(task);
        task_run_begin(&run, task, ONCE[i]->name, quick_of(ONCE[i]), 1, NULL);
        int told = 0;
        for (int64_t p = 0; p < 144; p += 2) {
            int32_t point[SL_MAX_PARAMS];
            SlSample measured;
            sl_space_at(space, p, point);
            told += run.method != &sl_method_dcoc || sl_task_check(task, point, NULL);
            sl_task_eval(task, 1, point, &measured);
            sl_method_meet(run.method, run.state, 1, point, &measured);
            sl_keyset_add(run.asked, (uint64_t)p);
        }
        task_run_continue(&run, 200, 16);
        assert_true(run.over && run.n == points_of(run.method) - told);
        task_run_end(&run);
    }
}

static bool all_equal(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[0] == point[1] && point[1] == point[2] && point[0] % 20 == 7;
}

static double first_value(const SlSpace *space, const int32_t *point) {
    return (double)space->params[0].sizes[point[0]];
}

// three valid points in 216,000: chance alone would hardly come by them
static void rare_valid_points_are_found_in_the_end(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"dcoc", QUICK "prior=none"}, {"dcoc", QUICK "scan=0"}, {"chameleon", QUICK "check=true"}};
    for (int i = 0; i < 3; i++) {
        static ToyTask toy;
        TaskRun run;
        toy_task_init(&toy, 3, (const int[]){60, 60, 60});
        toy.value = first_value;
        toy.valid = all_equal;
        task_run_begin(&run, &toy.task, changes[i][0], changes[i][1], 1, NULL);
        task_run_continue(&run, 20, 5);
        assert_true(run.over && run.n == 3 && run.n_failed == 0);
        assert_true(run.best == 8);
        task_run_end(&run);
    }
}

// where scratch finds no space, chance goes on
static void little_memory_is_no_end(void **state) {
    (void)state;
    for (int i = 0; ONCE[i]; i++) {
        const SlMethod *method = ONCE[i];
        TaskRun run;
        SlTask *task = vta_layer_task(TINY, &arena);
        SlArena little;
        sl_arena_init(&little, 0);
        task_run_begin(&run, task, method->name, quick_of(method), 1,
                       NULL); // for its options alone
        const SlMethodSetup setup = {.task = task, .seed = 1, .stream = "test", .budget = 144};
        void *options = SL_NEW(&run.arena, method->options_bytes, char);
        sl_options_init(method->options, options);
        assert_non_null(method->make(&setup, options, &little));
        const size_t enough = little.used;
        sl_arena_free(&little);
        for (size_t limit = 512; limit < enough; limit += enough / 7) {
            sl_arena_init(&little, limit);
            assert_null(method->make(&setup, options, &little));
            sl_arena_free(&little);
        }
        sl_arena_init(&little, enough + 64);
        run.state = method->make(&setup, options, &little);
        assert_non_null(run.state);
        task_run_continue(&run, 80, 50);
        assert_int_equal(run.n, 80);
        sl_arena_free(&little);
        task_run_end(&run);
    }
}

// ---- the other kinds of points ----

// Methods of mappings on programs: repeats are theirs to make.
static void methods_of_mappings_learn_on_programs(void **state) {
    (void)state;
    static const char *const names[] = {"marl", "ppo", "marl-paper"};
    for (int i = 0; i < 3; i++) {
        TaskRun run;
        task_run_begin(&run, vta_layer_task(C10, &arena), names[i], NULL, 1, NULL);
        run.table = table;
        run.repeats = true;
        task_run_continue(&run, 200, 8);
        if (run.best > 1.5 * OPTIMUM) fail_msg("%s: %g", names[i], run.best);
        task_run_end(&run);
    }
}

// Methods of programs on mappings: no nest twice, and far better than the first points.
static void methods_of_programs_learn_on_mappings(void **state) {
    (void)state;
    for (int i = 0; ONCE[i]; i++) {
        World world;
        TaskRun run;
        double random = INFINITY;
        world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
        SlTask *task = world_task(&world, "edp", SL_ILLEGAL_REPAIR);
        task_run_begin(&run, task, ONCE[i]->name, quick_of(ONCE[i]), 1, NULL);
        task_run_continue(&run, 96, 16);
        assert_int_equal(run.n, 96);
        SlRng rng;
        sl_rng_init(&rng, 1, "chance");
        for (int j = 0; j < 96; j++) {
            int32_t point[SL_MAX_PARAMS];
            SlSample sample;
            sl_space_sample(&world.space, &rng, point);
            sl_task_eval(task, 1, point, &sample);
            random = fmin(random, sample.value);
        }
        print_message("%s: %.3g, chance %.3g\n", ONCE[i]->name, run.best, random);
        assert_true(run.best < random);
        task_run_end(&run);
        world_free(&world);
    }
}

// ---- how good ----

typedef struct {
    double best;   // after the measurements
    int64_t until; // measurements to 1 % above the optimum, 1000 = not reached
    int64_t failed;
} Found;

static Found find(const char *name, const char *changes, uint64_t seed, int n) {
    TaskRun run;
    task_run_begin(&run, vta_layer_task(C10, &arena), name, changes, seed, NULL);
    run.table = table;
    task_run_continue(&run, n, 8);
    Found found = {.best = run.best, .until = 1000, .failed = run.n_failed};
    for (int64_t i = run.n - 1; i >= 0; i--)
        if (run.values[i] <= 1.01 * OPTIMUM) found.until = i + 1;
    task_run_end(&run);
    return found;
}

static void dcoc_is_near_the_optimum_at_once(void **state) {
    (void)state;
    int64_t sum = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Found found = find("dcoc", "walkers=16 hidden=16", seed, 24);
        print_message("1 %% after %lld measurements\n", (long long)found.until);
        assert_true(found.best <= 1.01 * OPTIMUM && found.best >= OPTIMUM);
        assert_int_equal(found.failed, 0);
        sum += found.until;
    }
    assert_true(sum <= 4 * 16);
}

static void learning_beats_chance(void **state) {
    (void)state;
    double logs[4] = {0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        logs[0] += log(find("random", NULL, seed, 16).best / OPTIMUM) / 5;
        logs[1] += log(find("dcoc", "walkers=8 steps=8 hidden=16", seed, 16).best / OPTIMUM) / 5;
        const char *blind = "prior=none walkers=16 steps=8 hidden=16";
        logs[3] += log(find("dcoc", blind, seed, 40).best / OPTIMUM) / 5;
        const char *paper = "batch=16 first=16 walkers=16 steps=16 hidden=16";
        if (seed <= 2) logs[2] += log(find("dcoc-paper", paper, seed, 80).best / OPTIMUM) / 2;
    }
    print_message("regret: random %.3f, dcoc %.3f after 16; without the draft %.3f after 40; "
                  "dcoc-paper %.3f after 80\n",
                  logs[0], logs[1], logs[3], logs[2]);
    assert_true(logs[1] < 0.2 * logs[0]);
    assert_true(logs[3] < 0.2 * logs[0] && logs[2] < 0.2 * logs[0]);
}

// ---- options ----

// the row "| `name` | default | ..." of a table; `column` 0 = the first default
static void check_page(const char *page, const SlOption *options, int column) {
    char path[256];
    snprintf(path, sizeof path, "%s/docs/methods/%s", SL_SOURCE_DIR, page);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char text[65536];
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    for (const SlOption *option = options; option->name; option++) {
        char row[64], value[64];
        snprintf(row, sizeof row, "| `%s` | ", option->name);
        snprintf(value, sizeof value, "%s | ", option->fallback);
        const char *at = strstr(text, row);
        if (!at) fail_msg("%s has no option %s", page, option->name);
        at += strlen(row);
        for (int i = 0; i < column; i++) at = strstr(at, " | ") + 3;
        if (strncmp(at, value, strlen(value)) != 0)
            fail_msg("%s: %s is not %.10s", page, option->name, at);
    }
}

static void pages_have_every_option_and_its_default(void **state) {
    (void)state;
    check_page("dcoc.md", sl_dcoc_options, 0);
    check_page("dcoc.md", sl_dcoc_paper_options, 1);
    check_page("chameleon.md", sl_method_chameleon.options, 0);
}

static void every_ablation_runs(void **state) {
    (void)state;
    static const char *const changes[] = {
        "agents=single",   "critic=own",     "agents=single critic=own",
        "pick=uniform",    "pick=top",       "synthesis=none",
        "synthesis=mode",  "synthesis=half", "threshold=all",
        "threshold=mean",  "trust=critic",   "trust=model",
        "trust=both",      "trust=spread",   "prior=none trust=spread",
        "prior=none",      "sight=knobs",    "prior=none check=false",
        "sure=0",          "sure=1",         "explore=0",
        "explore=1",       "elite=0",        "scan=0",
        "scan=100",        "draws=1",        "most=4",
        "elite=1",         "temperature=1",  "batch=1",
        "batch=3 first=1", "rollouts=1",     "steps=1",
        "walkers=1",       "max-norm=0",     "transfer=false"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[160];
        snprintf(text, sizeof text, QUICK "%s", changes[i]);
        TaskRun run;
        task_run_begin(&run, vta_layer_task(C10, &arena), "dcoc", text, 1, NULL);
        run.table = table;
        task_run_continue(&run, strstr(text, "batch=1 ") ? 6 : 26, 8);
        if (run.over || (run.n != 26 && run.n != 6))
            fail_msg("%s: only %lld points", text, (long long)run.n);
        // what is checked never fails
        if (!strstr(text, "check=false")) assert_int_equal(run.n_failed, 0);
        assert_true(run.best < INFINITY);
        task_run_end(&run);
    }
}

// without the check points that do not fit are measured, and the model learns to leave them
static void without_the_check_failures_are_measured(void **state) {
    (void)state;
    Found paper = find("dcoc-paper", QUICK "batch=16 first=32", 1, 32);
    assert_in_range(paper.failed, 10, 28); // 276 of 480 are invalid
}

// half of 64 is kept, and all of the others become one point
static void pure_mode_halves_a_round(void **state) {
    (void)state;
    static int32_t points[64 * SL_MAX_PARAMS];
    TaskRun run;
    SlTask *task = vta_layer_task("conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1", &arena);
    task_run_begin(&run, task, "dcoc-paper", "walkers=32 steps=16 hidden=8 epochs=1", 1, NULL);
    task_run_continue(&run, 64, 64);
    assert_in_range(run.method->ask(run.state, 64, points), 32, 33);
    task_run_end(&run);
}

static void a_batch_begins_with_what_the_model_thinks_best(void **state) {
    (void)state;
    TaskRun run;
    SlTask *task = vta_layer_task(C10, &arena);
    task_run_begin(&run, task, "dcoc", "pick=top explore=0 walkers=16 hidden=8", 3, NULL);
    run.table = table;
    task_run_continue(&run, 8, 8);
    // before anything is measured the model is the draft
    for (int i = 1; i < 8; i++)
        assert_true(sl_task_draft(task, run.points + (ptrdiff_t)(i - 1) * 7) <=
                    sl_task_draft(task, run.points + (ptrdiff_t)i * 7));
    task_run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_points_are_asked_for_once),
        cmocka_unit_test(one_seed_is_one_run_whatever_the_room),
        cmocka_unit_test(points_told_by_others_are_not_asked_for),
        cmocka_unit_test(rare_valid_points_are_found_in_the_end),
        cmocka_unit_test(little_memory_is_no_end),
        cmocka_unit_test(methods_of_mappings_learn_on_programs),
        cmocka_unit_test(methods_of_programs_learn_on_mappings),
        cmocka_unit_test(dcoc_is_near_the_optimum_at_once),
        cmocka_unit_test(learning_beats_chance),
        cmocka_unit_test(pages_have_every_option_and_its_default),
        cmocka_unit_test(every_ablation_runs),
        cmocka_unit_test(without_the_check_failures_are_measured),
        cmocka_unit_test(pure_mode_halves_a_round),
        cmocka_unit_test(a_batch_begins_with_what_the_model_thinks_best),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
