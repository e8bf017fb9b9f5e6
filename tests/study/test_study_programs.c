// test_study_programs.c - studies of programs: records are those of runs, the same with any number
// of threads, interrupted or not; networks add up.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "starling/study/totals.h"
#include "study/compare_inside.h"
#include "support/store_help.h"

// two distinct layers, one of them twice, and one for the host
static const char network[] = "network: net\n"
                              "layers:\n"
                              "  - {name: a, type: conv, K: 64, C: 3, P: 8, Q: 8}\n"
                              "  - {name: b, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n"
                              "  - {name: c, type: conv, K: 128, C: 64, P: 4, Q: 4}\n"
                              "  - {name: d, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n";
#define PLAN                                                                                       \
    "study: small\n"                                                                               \
    "target: vta\n"                                                                                \
    "networks: [{net: '%s'}]\n"                                                                    \
    "layers: [{little: 'conv:K=32,C=32,P=4,Q=4'}]\n"                                               \
    "cores: [1x16x16, 1x32x16]\n"                                                                  \
    "samples: 24\n"                                                                                \
    "seeds: 3\n"                                                                                   \
    "methods: [random, {name: checked, method: random, set: {check: true}}]\n"                     \
    "optimum: true\n"
enum { N_TASKS = 2 * 3, N_CELLS = N_TASKS * (1 + 2 * 3), LEAST = 24 };

typedef struct {
    Folder folder;
    char path[TEMP_ROOM], other[TEMP_ROOM];
    SlArena arena;
    SlPlan plan;
    int n;
    SlCellRecord *records;
    SlResults results;
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    folder_make(&fixture.folder);
    folder_path(&fixture.folder, "a.study", fixture.path);
    folder_path(&fixture.folder, "b.study", fixture.other);
    sl_arena_init(&fixture.arena, 0);
    char file[TEMP_ROOM], plan[1024];
    folder_path(&fixture.folder, "net.yaml", file);
    assert_int_equal(sl_file_write(file, network, strlen(network), NULL), SL_OK);
    snprintf(plan, sizeof plan, PLAN, file);
    plan_of(plan, NULL, &fixture.arena, &fixture.plan);
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

static void read_all(Fixture *fixture) {
    SlStore *store = open_store(fixture->path);
    SlError err = {0};
    assert_int_equal(sl_store_cells(store, &fixture->arena, &fixture->n, &fixture->records, &err),
                     SL_OK);
    sl_store_close(store);
    assert_int_equal(sl_results_make(&fixture->plan, fixture->n, fixture->records, &fixture->arena,
                                     &fixture->results, &err),
                     SL_OK);
}

static const SlCellRecord *find(const Fixture *fixture, const char *key) {
    for (int i = 0; i < fixture->n; i++)
        if (strcmp(fixture->records[i].key, key) == 0) return &fixture->records[i];
    fail_msg("there is no cell '%s'", key);
    return NULL;
}

static void a_cell_is_a_run(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    read_all(fixture);
    assert_int_equal(fixture->n, N_CELLS);
    const SlCellRecord *cell = find(fixture, "run/little on 1x32x16/checked/2");
    assert_null(cell->reason);

    // the same by hand
    SlTask *task = NULL;
    SlRecord found;
    SlError err = {0};
    int t = 0;
    while (strcmp(fixture->plan.tasks[t].name, "little on 1x32x16") != 0) t++;
    assert_int_equal(sl_task_make(&fixture->plan.tasks[t].setup, &fixture->arena, &task, &err),
                     SL_OK);
    SlRunSetup setup = {.task = task,
                        .method = sl_method_find("random"),
                        .options = fixture->plan.rows[1].options,
                        .seed = 2,
                        .stream = sl_task_name(task),
                        .budget = {.samples = 24},
                        .start = SL_START_NONE};
    assert_int_equal(sl_run(&setup, NULL, NULL, &fixture->arena, &found, &err), SL_OK);
    assert_true(cell->value == found.best.outcome.value && cell->value > 0);
    assert_int_equal(cell->samples, found.samples);
    assert_int_equal(cell->found_at, found.best.sample);
    assert_int_equal(cell->n_curve, found.n_curve);
    assert_int_equal(sl_run_failures(cell), found.failures);
    int32_t best[SL_MAX_PARAMS];
    assert_int_equal(sl_space_parse(sl_task_space(task), cell->mapping, best, &err), SL_OK);
    for (int i = 0; i < sl_task_space(task)->n_params; i++)
        assert_int_equal(best[i], found.best.point[i]);
    assert_string_equal(cell->method, "random");
    assert_string_equal(cell->objective, "cycles");
    assert_string_equal(cell->space, "fixed");
    // as many MACs as the core has in every cycle
    assert_true(cell->floor == 32 * 32 * 16 / 512.0);
    assert_true(cell->value >= cell->floor);
}

static void the_oracle_proves_every_task(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    read_all(fixture);
    for (int t = 0; t < fixture->results.n_tasks; t++) {
        const SlResultTask *task = &fixture->results.tasks[t];
        assert_true(task->proven && task->gap == 0);
        assert_string_equal(task->proof->stopped, sl_proof_names[SL_PROOF_OPTIMAL]);
        for (int r = 0; r < 2; r++)
            assert_true(sl_summary_at(&fixture->results, t, r, LEAST).least >= task->optimum);
    }
}

static void checked_rows_do_not_fail(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    read_all(fixture);
    int64_t failures[2] = {0};
    for (int t = 0; t < fixture->results.n_tasks; t++)
        for (int r = 0; r < 2; r++)
            for (int s = 0; s < 3; s++)
                failures[r] += sl_run_failures(sl_results_run(&fixture->results, t, r, s));
    assert_true(failures[0] > 0);
    assert_int_equal(failures[1], 0);
}

static void threads_do_not_change_records(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    run_study(&fixture->plan, fixture->other, 3, NULL, NULL);
    assert_true(digest_of(fixture->path) == digest_of(fixture->other));
}

static bool stop_early(void *context, const SlStudyProgress *progress) {
    int *left = context;
    return progress->key && --*left < 0;
}

static void a_study_goes_on_where_it_was_stopped(void **state) {
    Fixture *fixture = *state;
    int left = 7;
    run_study(&fixture->plan, fixture->path, 0, stop_early, &left);
    read_all(fixture);
    assert_true(fixture->n > 0 && fixture->n < N_CELLS);
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    run_study(&fixture->plan, fixture->other, 0, NULL, NULL);
    assert_true(digest_of(fixture->path) == digest_of(fixture->other));
}

// ---- totals ----

static void networks_add_up_their_layers(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    read_all(fixture);
    const char *cores[N_TASKS];
    assert_int_equal(sl_plan_core_names(&fixture->plan, cores), 2);
    assert_string_equal(cores[1], "1x32x16");
    SlTotal total = {&fixture->plan, &fixture->results, 0, cores[1]};
    double cycles = 0, optimum = 0, measurements = 0, values[3];
    for (int t = 0; t < N_TASKS; t++) {
        const SlPlanTask *task = &fixture->plan.tasks[t];
        if (strcmp(task->accel, cores[1]) != 0 || strcmp(task->layer, "little") == 0) continue;
        const SlCellRecord *run = sl_results_run(&fixture->results, t, 0, 1);
        int count = strcmp(task->layer, "net:b") == 0 ? 2 : 1;
        cycles += count * run->value;
        measurements += (double)run->samples;
        optimum += count * fixture->results.tasks[t].optimum;
    }
    bool proven = false;
    assert_true(sl_total_cycles(&total, 0, 1, LEAST) == cycles);
    assert_true(sl_total_optimum(&total, &proven) == optimum && proven);
    assert_true(sl_total_measurements(&total, 0, 1, -1) == measurements);
    // no layer is asked for more than it has
    assert_true(sl_total_measurements(&total, 0, 1, 1e9) <= measurements);
    assert_true(sl_total_measurements(&total, 0, 1, 0) >= sl_total_measurements(&total, 0, 1, 50));
    assert_true(fabs(sl_total_images(&total, 1e8) - 1) < 1e-12); // 100 MHz
    for (int s = 0; s < 3; s++) values[s] = sl_total_cycles(&total, 0, s, LEAST);
    SlSummary summary = sl_total_summary(&total, 0, LEAST);
    assert_true(summary.n == 3 && summary.least <= cycles && summary.most >= cycles);
    double low = fmin(values[0], fmin(values[1], values[2]));
    assert_true(summary.least == low);
    SlEstimate same = sl_total_ratio(&total, 0, 0, LEAST);
    assert_true(same.value == 1 && same.low == 1 && same.high == 1);
    SlEstimate ratio = sl_total_ratio(&total, 0, 1, LEAST);
    assert_true(ratio.low <= ratio.value && ratio.value <= ratio.high);
}

static void fronts_are_what_no_core_beats(void **state) {
    Fixture *fixture = *state;
    run_study(&fixture->plan, fixture->path, 0, NULL, NULL);
    read_all(fixture);
    SlCorePoint points[N_TASKS];
    assert_int_equal(sl_core_points(&fixture->plan, &fixture->results, 0, points), 2);
    assert_string_equal(points[0].name, "1x16x16");
    assert_int_equal(points[0].macs, 256);
    assert_int_equal(points[1].macs, 512);
    assert_int_equal(points[0].bram36, 111); // docs/vta.md
    assert_int_equal(points[0].chip, 0);
    // the larger core is faster: both are on the front of MACs
    assert_true(points[1].cycles < points[0].cycles);
    assert_true(points[0].best_macs && points[1].best_macs);
    assert_true(points[1].best_bram);
    assert_int_equal(points[0].best_bram, points[0].bram36 < points[1].bram36);
    assert_true(points[0].proven);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cell_is_a_run, begin, end),
        cmocka_unit_test_setup_teardown(the_oracle_proves_every_task, begin, end),
        cmocka_unit_test_setup_teardown(checked_rows_do_not_fail, begin, end),
        cmocka_unit_test_setup_teardown(threads_do_not_change_records, begin, end),
        cmocka_unit_test_setup_teardown(a_study_goes_on_where_it_was_stopped, begin, end),
        cmocka_unit_test_setup_teardown(networks_add_up_their_layers, begin, end),
        cmocka_unit_test_setup_teardown(fronts_are_what_no_core_beats, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
