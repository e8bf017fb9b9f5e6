// test_study_run.c - studies give the same records with any number of threads, interrupted or
// not, killed or not; a cell is a run.
#include "support/check.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "job/store_inside.h"
#include "study/study_cells.h"
#include "support/store_help.h"
#include "support/world.h"

// every kind of cell; the proof is limited by nodes, so that it is the same everywhere
static const char text[] = "study: small\n"
                           "layers:\n"
                           "  - a: conv:K=8,C=6,P=7,Q=7\n"
                           "  - b: dw:G=4,P=7,Q=7,R=3,S=3\n"
                           "objectives: [edp]\n"
                           "samples: 150\n"
                           "seeds: 2\n"
                           "methods:\n"
                           "  - random\n"
                           "  - local\n"
                           "  - {name: few, method: marl, agents: 3, dataset: 60, samples: 9}\n"
                           "optimum: {gap: 0, seconds: 0, nodes: 50}\n"
                           "windows: 10\n"
                           "trace: true\n"
                           "sizes: true\n"
                           "assign: {samples: 100, agents: [1, 3, 90]}\n";
enum { N_TASKS = 2, N_CELLS = N_TASKS * (3 + 3 * 2) };

typedef struct {
    Folder folder;
    char path[TEMP_ROOM], other[TEMP_ROOM];
    SlArena arena;
    SlPlan plan;
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    folder_make(&fixture.folder);
    folder_path(&fixture.folder, "a.study", fixture.path);
    folder_path(&fixture.folder, "b.study", fixture.other);
    sl_arena_init(&fixture.arena, 0);
    plan_of(text, NULL, &fixture.arena, &fixture.plan);
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    Fixture *fixture = *state;
    sl_arena_free(&fixture->arena);
    folder_remove(&fixture->folder);
    return 0;
}

static void run_study(const SlPlan *plan, const char *path, int threads, SlStudyWatch *watch,
                      void *context) {
    SlStore *store = open_store(path);
    SlPool *pool = threads ? sl_pool_make(threads) : NULL;
    SlError err = {0};
    if (sl_study_run(plan, store, pool, watch, context, &err) != SL_OK) fail_msg("%s", err.text);
    sl_pool_free(pool);
    sl_store_close(store);
}

static const SlCellRecord *find(int n, const SlCellRecord *records, const char *key) {
    for (int i = 0; i < n; i++)
        if (strcmp(records[i].key, key) == 0) return &records[i];
    fail_msg("there is no cell '%s'", key);
    return NULL;
}

static SlCellRecord *read_cells(const char *path, SlArena *arena, int *n) {
    SlCellRecord *records = NULL;
    SlError err = {0};
    SlStore *store = open_store(path);
    if (sl_store_cells(store, arena, n, &records, &err) != SL_OK) fail_msg("%s", err.text);
    sl_store_close(store);
    return records;
}

// ---- what a watcher sees ----

typedef struct {
    int ended, signs, stop_after; // cells; 0 = never
    SlStudyProgress last;
    bool backwards;
} Watcher;

static bool watch(void *context, const SlStudyProgress *now) {
    Watcher *watcher = context;
    watcher->ended += now->key != NULL;
    watcher->signs += now->key == NULL;
    watcher->backwards |= now->n_done < watcher->last.n_done;
    watcher->backwards |= now->seconds < watcher->last.seconds;
    watcher->last = *now;
    return watcher->stop_after && watcher->ended >= watcher->stop_after;
}

static void any_number_of_threads_gives_the_same_store(void **state) {
    Fixture *fixture = *state;
    Watcher one = {0}, four = {0};
    run_study(&fixture->plan, fixture->path, 0, watch, &one);
    run_study(&fixture->plan, fixture->other, 4, watch, &four);
    assert_true(digest_of(fixture->path) == digest_of(fixture->other));
    assert_int_equal(one.ended, N_CELLS);
    assert_int_equal(four.ended, N_CELLS);
    assert_int_equal(four.last.n_done, N_CELLS);
    assert_int_equal(four.last.n_failed, 0);
    assert_false(one.backwards || four.backwards);
    assert_true(four.last.work == 1);
    assert_true(four.last.eta_seconds == 0);
}

static void a_second_run_has_nothing_to_do(void **state) {
    Fixture *fixture = *state;
    Watcher watcher = {0};
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    uint64_t digest = digest_of(fixture->path);
    run_study(&fixture->plan, fixture->path, 2, watch, &watcher);
    assert_int_equal(watcher.ended, 0);
    assert_int_equal(watcher.signs, 1);
    assert_true(watcher.last.n_before == N_CELLS && watcher.last.work == 1);
    assert_true(digest_of(fixture->path) == digest);
}

static void what_was_stopped_goes_on_where_it_was(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->other, 2, NULL, NULL);
    int before = 0;
    for (int stop = 1; before < N_CELLS; stop = 2 * stop + 1) {
        Watcher watcher = {.stop_after = stop};
        int n = 0;
        run_study(&fixture->plan, fixture->path, stop % 3, watch, &watcher);
        assert_int_equal(watcher.last.n_before, before);
        read_cells(fixture->path, &fixture->arena, &n);
        assert_int_equal(n, watcher.last.n_done);
        assert_true(n >= before + 1);
        before = n;
    }
    assert_true(digest_of(fixture->path) == digest_of(fixture->other));
}

// a sign of life can stop a study in the middle of a cell, which then leaves no record
static bool stop_at_once(void *context, const SlStudyProgress *now) {
    int *calls = context;
    assert_null(now->key);
    ++*calls;
    return now->work > 0;
}

static void a_cell_that_was_stopped_leaves_no_record(void **state) {
    Fixture *fixture = *state;
    SlPlan plan;
    int calls = 0, n = 0;
    plan_of("study: long\nlayers: [vgg16:conv2_1]\nsamples: 100000000\nmethods: [random]\n", NULL,
            &fixture->arena, &plan);
    run_study(&plan, fixture->path, 2, stop_at_once, &calls);
    assert_true(calls >= 2);
    read_cells(fixture->path, &fixture->arena, &n);
    assert_int_equal(n, 0);
}

// ---- a cell is a run ----

static void a_cell_is_the_same_run_alone(void **state) {
    Fixture *fixture = *state;
    int n = 0;
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    const SlCellRecord *records = read_cells(fixture->path, &fixture->arena, &n);
    assert_int_equal(n, N_CELLS);
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    SlRunSetup setup = {.task = world_task(&world, "edp", SL_ILLEGAL_REPAIR),
                        .method = sl_method_find("local"),
                        .seed = 2,
                        .stream = "conv:K=8,C=6,P=7,Q=7",
                        .budget = {.samples = 150},
                        .start = SL_START_NONE};
    SlRecord alone;
    assert_int_equal(sl_run(&setup, NULL, NULL, &fixture->arena, &alone, NULL), SL_OK);
    const SlCellRecord *cell = find(n, records, "run/a edp/local/2");
    char nest[SL_NEST_TEXT_MAX];
    assert_int_equal(cell->n_curve, alone.n_curve);
    assert_memory_equal(cell->curve, alone.curve, (size_t)alone.n_curve * sizeof *alone.curve);
    assert_true(cell->value == alone.best.outcome.value);
    assert_true(cell->latency_cycles == alone.best.outcome.latency_cycles);
    assert_true(cell->energy_pj == alone.best.outcome.energy_pj);
    assert_true(cell->area_um2 == alone.best.outcome.area_um2);
    assert_true(cell->power_mw == alone.best.outcome.power_mw);
    assert_true(cell->floor == alone.floor);
    assert_int_equal(cell->found_at, alone.best.sample);
    assert_int_equal(cell->samples, 150);
    assert_string_equal(cell->mapping, sl_mapping_write(&alone.best.mapping, sizeof nest, nest));
    assert_string_equal(cell->stopped, "samples");
    assert_string_equal(cell->method, "local");
    assert_string_equal(cell->workload, setup.stream);
    assert_int_equal(cell->n_windows, 10);
    assert_int_equal(cell->windows[9].last, 150);
    assert_non_null(cell->trace);
    world_free(&world);
}

static void a_footprint_is_in_the_records_that_ask_for_it(void **state) {
    Fixture *fixture = *state;
    SlPlan plan = fixture->plan;
    int n = 0;
    plan.footprint = true;
    run_study(&plan, fixture->other, 2, NULL, NULL);
    const SlCellRecord *with = read_cells(fixture->other, &fixture->arena, &n);
    for (int i = 0; i < n; i++) {
        if (with[i].kind != SL_CELL_RUN) continue;
        long long agents, weights, bytes;
        const char *footprint = strstr(with[i].detail, "\"n_agents\"");
        assert_non_null(footprint);
        assert_int_equal(sscanf(footprint,
                                "\"n_agents\": %lld, \"weights\": %lld, \"state_bytes\": %lld}",
                                &agents, &weights, &bytes),
                         3);
        assert_int_equal(weights > 0, strcmp(with[i].method, "marl") == 0);
        assert_true(bytes > 0);
        if (with[i].n_agents) assert_int_equal(agents, with[i].n_agents);
    }
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    const SlCellRecord *without = read_cells(fixture->path, &fixture->arena, &n);
    for (int i = 0; i < n; i++) assert_null(strstr(without[i].detail, "weights"));
}

static void a_row_with_agents_is_a_run_with_an_assignment(void **state) {
    Fixture *fixture = *state;
    int n = 0;
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    const SlCellRecord *records = read_cells(fixture->path, &fixture->arena, &n);
    static World world;
    world_make(&world, "dw:G=4,P=7,Q=7,R=3,S=3", "eyeriss");
    SlAssignSetup assign = sl_assign_defaults();
    assign.samples = 60;
    assign.seed = 2;
    SlTaskSetup task = {.space = &world.space, .goal = world_goal("edp")};
    SlAssignment assignment;
    SlAgents agents;
    assert_int_equal(sl_assign_run(&task, &assign, &fixture->arena, &assignment, NULL), SL_OK);
    sl_assign_agents(&assignment, 3, &agents);
    SlRunSetup setup = {.task = world_task(&world, "edp", SL_ILLEGAL_REPAIR),
                        .method = sl_method_find("marl"),
                        .agents = &agents,
                        .seed = 2,
                        .stream = "dw:G=4,P=7,Q=7,R=3,S=3",
                        .budget = {.samples = 9},
                        .start = SL_START_NONE};
    SlRecord alone;
    assert_int_equal(sl_run(&setup, NULL, NULL, &fixture->arena, &alone, NULL), SL_OK);
    const SlCellRecord *cell = find(n, records, "run/b edp/few/2");
    assert_int_equal(cell->assign_samples, 60);
    assert_int_equal(cell->n_agents, 3);
    // who steered what is part of the record
    char detail[256] = "{\"agents\": [";
    for (int i = 0; i < world.space.n_params; i++)
        snprintf(detail + strlen(detail), sizeof detail - strlen(detail), i ? ", %d" : "%d",
                 agents.agent[i]);
    assert_string_equal(cell->detail, strcat(detail, "]}"));
    assert_int_equal(cell->n_curve, alone.n_curve);
    assert_memory_equal(cell->curve, alone.curve, (size_t)alone.n_curve * sizeof *alone.curve);
    world_free(&world);
}

// ---- other cells ----

static const SlNode *detail_of(const SlCellRecord *record, SlArena *arena) {
    const SlNode *root = NULL;
    assert_int_equal(
        sl_tree_parse("detail", record->detail, strlen(record->detail), arena, &root, NULL), SL_OK);
    return root;
}

static double number(const SlNode *map, const char *key) {
    double value = 0;
    const SlNode *node = sl_node_get(map, key);
    assert_non_null(node);
    assert_int_equal(sl_node_real(node, -INFINITY, INFINITY, &value, NULL), SL_OK);
    return value;
}

static void proofs_spaces_and_assignments_say_what_they_found(void **state) {
    Fixture *fixture = *state;
    int n = 0;
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    const SlCellRecord *records = read_cells(fixture->path, &fixture->arena, &n);
    const SlCellRecord *proof = find(n, records, "proof/a edp");
    const SlNode *detail = detail_of(proof, &fixture->arena);
    assert_string_equal(sl_node_get(detail, "status")->text, proof->stopped);
    double bound = number(detail, "lower_bound");
    assert_true(bound > 0 && bound <= proof->value * (1 + 1e-9));
    assert_true(fabs(number(detail, "gap") - fmax(proof->value / bound - 1, 0)) < 1e-9);
    assert_true(number(detail, "nodes") <= 100);
    assert_true(proof->value >= proof->floor);
    assert_true(proof->mapping[0] != '\0');

    detail = detail_of(find(n, records, "space/a edp"), &fixture->arena);
    const SlNode *presets = sl_node_get(detail, "presets");
    assert_int_equal(presets->n, SL_N_SPACES);
    assert_string_equal(sl_node_get(detail, "space")->text, "native");
    assert_string_equal(sl_node_get(presets->first, "preset")->text, "native");
    assert_true(number(presets->first, "params") == fixture->plan.tasks[0].setup.space->n_params);
    double size = fixture->plan.tasks[0].setup.space->log10_size;
    assert_true(fabs(number(presets->first, "log10_size") / size - 1) < 1e-5);

    int n_params = fixture->plan.tasks[0].setup.space->n_params;
    detail = detail_of(find(n, records, "assign/a edp"), &fixture->arena);
    assert_int_equal(sl_node_get(detail, "names")->n, n_params);
    assert_int_equal(sl_node_get(detail, "r")->n, n_params);
    assert_int_equal(sl_node_get(detail, "distance")->first->n, n_params);
    assert_int_equal(sl_node_get(detail, "tree")->n, n_params - 1);
    assert_int_equal(sl_node_get(detail, "tree")->first->n, 4);
    assert_int_equal(sl_node_get(detail, "leaves")->n, n_params);
    assert_true(number(detail, "samples") == 100 && number(detail, "rows") == 15);
    const SlNode *agents = sl_node_get(detail, "agents");
    assert_int_equal(agents->n, 2); // there are no 90 parameters
    assert_int_equal(sl_node_get(agents, "3")->n, n_params);
}

// ---- what goes wrong ----

static void a_broken_cell_is_recorded_and_the_others_run(void **state) {
    Fixture *fixture = *state;
    SlPlan plan;
    int n = 0, n_broken = 0;
    Watcher watcher = {0};
    // one sample that is not repaired rarely fits
    plan_of("study: broken\nlayers: [vgg16:conv2_1]\nillegal: penalty\nsamples: 40\nseeds: 8\n"
            "methods: [local, {name: one, method: random, samples: 1}]\n",
            NULL, &fixture->arena, &plan);
    run_study(&plan, fixture->path, 2, watch, &watcher);
    const SlCellRecord *records = read_cells(fixture->path, &fixture->arena, &n);
    assert_int_equal(n, 16);
    for (int i = 0; i < n; i++) {
        n_broken += records[i].reason != NULL;
        if (!records[i].reason) continue;
        assert_string_equal(records[i].stopped, "samples");
        assert_true(isnan(records[i].value) && records[i].mapping[0] == '\0');
        assert_non_null(strstr(records[i].reason, "samples fits eyeriss"));
    }
    assert_true(n_broken >= 4 && n_broken < 16);
    assert_int_equal(watcher.last.n_failed, n_broken);
    assert_int_equal(watcher.last.n_done, 16 - n_broken);
    // they are tried again, and no others
    Watcher again = {0};
    run_study(&plan, fixture->path, 2, watch, &again);
    assert_int_equal(again.ended, n_broken);
    assert_int_equal(again.last.n_failed, n_broken);
}

static void without_memory_a_cell_is_broken(void **state) {
    Fixture *fixture = *state;
    SlPlanCell *cells = NULL;
    int n = 0;
    bool seen[SL_N_CELLS] = {false};
    assert_int_equal(sl_plan_cells(&fixture->plan, &fixture->arena, &n, &cells, NULL), SL_OK);
    for (int i = 0; i < n; i++) {
        SlArena little;
        SlCellRecord record;
        SlError why;
        if (seen[cells[i].kind]) continue;
        seen[cells[i].kind] = true;
        sl_arena_init(&little, 3000);
        SlCell cell = sl_plan_cell(&fixture->plan, &cells[i]);
        SlCellFound found;
        sl_cell_run(&cell, NULL, NULL, &little, &found, &record, &why);
        assert_false(found.stopped);
        assert_non_null(record.reason);
        assert_non_null(strstr(record.reason, "not enough memory"));
        sl_arena_free(&little);
    }
    for (int kind = 0; kind < SL_N_CELLS; kind++) assert_true(seen[kind]);
}

static void a_store_that_cannot_be_written_ends_the_study(void **state) {
    Fixture *fixture = *state;
    SlStore *store = open_store(fixture->path);
    SlError err = {0};
    Watcher watcher = {0};
    assert_int_equal(
        sqlite3_exec(store->db, "DROP TABLE timing; CREATE TABLE timing (key)", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_not_equal(sl_study_run(&fixture->plan, store, NULL, watch, &watcher, &err), SL_OK);
    assert_string_equal(err.file, fixture->path);
    assert_int_equal(watcher.ended, 0);
    sl_store_close(store);
}

static void cells_of_another_plan_are_run_anew(void **state) {
    Fixture *fixture = *state;
    SlPlan longer;
    SlPlanChanges changes = {.samples = 80};
    Watcher watcher = {0};
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    plan_of(text, &changes, &fixture->arena, &longer);
    run_study(&longer, fixture->path, 2, watch, &watcher);
    // the runs of 150 samples; those of 9 are the same
    assert_int_equal(watcher.ended, N_TASKS * 2 * 2);
    assert_int_equal(watcher.last.n_before, N_CELLS - N_TASKS * 2 * 2);
}

static void results_of_another_version_are_not_replaced(void **state) {
    Fixture *fixture = *state;
    SlArena arena;
    SlError err = {0};
    int n = 0;
    sl_arena_init(&arena, 0);
    run_study(&fixture->plan, fixture->path, 2, NULL, NULL);
    SlCellRecord *records = read_cells(fixture->path, &arena, &n);
    SlCellRecord old = *find(n, records, "run/a edp/local/2");
    old.version = "0.0.9";
    old.fingerprint = "0123456789abcdef";
    SlStore *store = open_store(fixture->path);
    assert_int_equal(sl_store_write(store, &old, &err), SL_OK);
    sl_store_close(store);
    uint64_t digest = digest_of(fixture->path);
    store = open_store(fixture->path);
    assert_int_equal(sl_study_check(&fixture->plan, store, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "holds 1 result of version 0.0.9, which " SL_VERSION));
    assert_int_equal(sl_study_run(&fixture->plan, store, NULL, NULL, NULL, &err), SL_EINPUT);

    // one that failed is no result, and is tried again whoever made it
    sl_store_close(store);
    assert_true(digest_of(fixture->path) == digest);
    old.reason = "no memory";
    store = open_store(fixture->path);
    assert_int_equal(sl_store_write(store, &old, &err), SL_OK);
    assert_int_equal(sl_study_check(&fixture->plan, store, &err), SL_OK);
    sl_store_close(store);
    sl_arena_free(&arena);
}

// ---- the hard way ----

static void run_in_child(const SlPlan *plan, const char *path, double seconds) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        SlStore *store = NULL;
        SlPool *pool = sl_pool_make(2);
        bool good = pool && sl_store_open(path, true, &store, NULL) == SL_OK;
        good = good && sl_study_run(plan, store, pool, NULL, NULL, NULL) == SL_OK;
        _exit(good ? 0 : 1);
    }
    struct timespec pause = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    // killed, or done before it was
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

static void a_study_that_is_killed_again_and_again_ends_the_same(void **state) {
    Fixture *fixture = *state;
    SlPlan plan;
    SlRng rng;
    int n = 0, n_partial = 0;
    plan_of("study: killed\nlayers: ['conv:K=8,C=6,P=7,Q=7']\nsamples: 400\nseeds: 30\n"
            "methods: [local, random]\nwindows: 50\ntrace: true\n",
            NULL, &fixture->arena, &plan);
    double begun = sl_clock_seconds();
    run_study(&plan, fixture->other, 2, NULL, NULL);
    double whole = sl_clock_seconds() - begun;
    sl_rng_init(&rng, (uint64_t)time(NULL), "kill");
    for (int i = 0; i < 60 && n < 60; i++) {
        run_in_child(&plan, fixture->path, whole * (0.05 + 0.2 * sl_rng_uniform(&rng)));
        read_cells(fixture->path, &fixture->arena, &n);
        n_partial += n > 0 && n < 60;
    }
    assert_true(n_partial > 0);
    run_study(&plan, fixture->path, 2, NULL, NULL);
    assert_true(digest_of(fixture->path) == digest_of(fixture->other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_number_of_threads_gives_the_same_store, begin, end),
        cmocka_unit_test_setup_teardown(a_second_run_has_nothing_to_do, begin, end),
        cmocka_unit_test_setup_teardown(what_was_stopped_goes_on_where_it_was, begin, end),
        cmocka_unit_test_setup_teardown(a_cell_that_was_stopped_leaves_no_record, begin, end),
        cmocka_unit_test_setup_teardown(a_cell_is_the_same_run_alone, begin, end),
        cmocka_unit_test_setup_teardown(a_footprint_is_in_the_records_that_ask_for_it, begin, end),
        cmocka_unit_test_setup_teardown(a_row_with_agents_is_a_run_with_an_assignment, begin, end),
        cmocka_unit_test_setup_teardown(proofs_spaces_and_assignments_say_what_they_found, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_broken_cell_is_recorded_and_the_others_run, begin, end),
        cmocka_unit_test_setup_teardown(without_memory_a_cell_is_broken, begin, end),
        cmocka_unit_test_setup_teardown(a_store_that_cannot_be_written_ends_the_study, begin, end),
        cmocka_unit_test_setup_teardown(cells_of_another_plan_are_run_anew, begin, end),
        cmocka_unit_test_setup_teardown(results_of_another_version_are_not_replaced, begin, end),
        cmocka_unit_test_setup_teardown(a_study_that_is_killed_again_and_again_ends_the_same, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
