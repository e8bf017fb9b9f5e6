// test_results.c - records as a table, and the optimum of a task.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "study/records_help.h"

// --- The table

static SlPlanTask planned_tasks[] = {
    {.name = "second", .layer = "L2", .accel = "A", .objective = "edp", .workload = "W2"},
    {.name = "first", .layer = "L1", .accel = "A", .objective = "edp", .workload = "W1"},
};
static SlPlanRow planned_rows[] = {{.name = "marl", .samples = 50}, {.name = "ga", .samples = 70}};
static uint64_t planned_seeds[] = {7, 3};
static const SlPlan plan = {
    .n_tasks = 2,
    .n_rows = 2,
    .n_seeds = 2,
    .tasks = planned_tasks,
    .rows = planned_rows,
    .seeds = planned_seeds,
    .reference = 1,
};

static void tasks_rows_and_seeds_stand_as_in_the_plan(void **state) {
    (void)state;
    Records *records = records_make();
    SlCellRecord *run = records_flat(records, "first", "ga", 3, 5);
    run->floor = 4;
    const SlResults *results = records_results(records, &plan);
    assert_int_equal(results->n_tasks, 2);
    assert_int_equal(results->n_rows, 2);
    assert_int_equal(results->n_seeds, 2);
    assert_string_equal(results->tasks[1].name, "first");
    assert_string_equal(results->tasks[1].layer, "L1");
    assert_string_equal(results->tasks[1].workload, "W1");
    assert_string_equal(results->rows[0], "marl");
    assert_int_equal(results->seeds[0], 7);
    assert_int_equal(results->reference, 1);
    assert_ptr_equal(sl_results_run(results, 1, 1, 1), run);
    for (int i = 0; i < 7; i++) assert_null(results->runs[i]);
    assert_true(results->tasks[1].floor == 4 && isnan(results->tasks[0].floor));
    assert_int_equal(results->budget, 100);
    assert_false(results->count_dataset);
    records_free(records);
}

static void what_only_records_know_follows(void **state) {
    (void)state;
    Records *records = records_make();
    records_flat(records, "first", "annealing", 10, 5);
    SlCellRecord *extra = records_flat(records, "new", "annealing", 2, 6);
    records_flat(records, "second", "marl", 7, 7);
    records_flat(records, "second", "another", 3, 8);
    const SlResults *results = records_results(records, &plan);
    assert_int_equal(results->n_tasks, 3);
    assert_string_equal(results->tasks[2].name, "new");
    assert_string_equal(results->tasks[2].accel, "eyeriss");
    assert_int_equal(results->n_rows, 4);
    assert_string_equal(results->rows[2], "annealing");
    assert_string_equal(results->rows[3], "another");
    // seeds of the plan first, then the others by number
    const uint64_t seeds[] = {7, 3, 2, 10};
    assert_int_equal(results->n_seeds, 4);
    assert_memory_equal(results->seeds, seeds, sizeof seeds);
    assert_ptr_equal(sl_results_run(results, 2, 2, 2), extra);
    // 2 x 2 x 2 wanted, one there
    assert_int_equal(results->n_missing, 7);
    records_free(records);
}

static void without_a_plan_records_give_the_order(void **state) {
    (void)state;
    Records *records = records_make();
    records_flat(records, "b", "z", 12, 1);
    records_flat(records, "a", "y", 4, 1);
    const SlResults *results = records_results(records, NULL);
    assert_string_equal(results->tasks[0].name, "b");
    assert_string_equal(results->rows[0], "z");
    assert_int_equal(results->seeds[0], 4);
    assert_int_equal(results->reference, -1);
    assert_int_equal(results->n_missing, 0);
    records->n = 0;
    results = records_results(records, NULL);
    assert_int_equal(results->n_tasks + results->n_rows + results->n_seeds, 0);
    records_free(records);
}

static void broken_cells_are_listed_and_have_no_run(void **state) {
    (void)state;
    SlPlan wants_all = plan;
    wants_all.prove = wants_all.sizes = wants_all.assign = true;
    wants_all.n_policies = 1;
    Records *records = records_make();
    records_flat(records, "first", "ga", 3, 5)->reason = "no memory";
    records_flat(records, "first", "marl", 3, 5);
    records_flat(records, "first", "extra", 3, 5)->reason = "not wanted";
    records_proof(records, "first", 3, "optimal", "")->reason = "no bound";
    SlCellRecord *space = records_proof(records, "second", NAN, "", "");
    space->kind = SL_CELL_SPACE;
    SlCellRecord *assign = records_proof(records, "second", NAN, "", "");
    assign->kind = SL_CELL_ASSIGN;
    const SlResults *results = records_results(records, &wants_all);
    assert_int_equal(results->n_broken, 3);
    assert_string_equal(results->broken[0]->reason, "no memory");
    assert_null(sl_results_run(results, 1, 1, 1));
    assert_null(results->tasks[1].proof);
    assert_ptr_equal(results->tasks[0].space, space);
    assert_ptr_equal(results->tasks[0].assigned[0], assign);
    // 8 runs + 2 x (proof, space, assign) wanted; 3 there, 2 of those wanted broken
    assert_int_equal(results->n_missing, 14 - 3 - 2);
    records_free(records);
}

static void too_many_seeds_are_refused(void **state) {
    (void)state;
    Records *records = records_make();
    SlError err = {.text = ""};
    SlResults results;
    for (uint64_t seed = 0; seed < SL_SEEDS_MAX; seed++) records_flat(records, "t", "r", seed, 1);
    records_results(records, NULL);
    records_flat(records, "t", "r", SL_SEEDS_MAX, 1);
    assert_int_equal(
        sl_results_make(NULL, records->n, records->at, &records->arena, &results, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "1000 seeds"));
    SlPlan many = plan;
    many.n_seeds = SL_SEEDS_MAX + 1;
    assert_int_equal(sl_results_make(&many, 0, NULL, &records->arena, &results, &err), SL_EINPUT);
    records_free(records);
}

// --- The optimum

static SlResultTask optimum_of(double found, double proof, const char *status, const char *detail) {
    Records *records = records_make();
    if (!isnan(found)) records_flat(records, "t", "r", 1, found);
    if (!isnan(found)) records_flat(records, "t", "r", 2, 2 * found);
    if (status) records_proof(records, "t", proof, status, detail);
    if (records->n == 0) records_run(records, "t", "r", 1, 0, NULL);
    SlResultTask task = records_results(records, NULL)->tasks[0];
    records_free(records);
    return task;
}

static void assert_optimum(SlResultTask task, double optimum, bool proven, double gap) {
    if (!(task.optimum == optimum || (isnan(optimum) && isnan(task.optimum)))) {
        fail_msg("optimum %.17g is not %.17g", task.optimum, optimum);
    }
    assert_int_equal(task.proven, proven);
    if (!(task.gap == gap || fabs(task.gap - gap) < 1e-12)) {
        fail_msg("gap %.17g is not %.17g", task.gap, gap);
    }
}

static void a_proof_makes_an_optimum(void **state) {
    (void)state;
    const char *bound = "{\"status\":\"within\",\"lower_bound\":80,\"gap\":0.25,\"nodes\":7}";
    assert_optimum(optimum_of(120, 100, "optimal", ""), 100, true, 0);
    assert_optimum(optimum_of(NAN, 100, "optimal", ""), 100, true, 0);
    // the least value known stands that much above a bound, as wanted or not
    assert_optimum(optimum_of(120, 100, "within", bound), 100, true, 0.25);
    assert_optimum(optimum_of(90, 100, "within", bound), 90, true, 0.125);
    assert_optimum(optimum_of(90, 100, "stopped", bound), 90, false, 0.125);
    assert_optimum(optimum_of(90, NAN, "stopped", bound), 90, false, 0.125);
    // a run that meets the bound closes the gap
    assert_optimum(optimum_of(80, 100, "stopped", bound), 80, true, 0);
}

static void without_a_proof_it_is_the_least_value(void **state) {
    (void)state;
    assert_optimum(optimum_of(120, NAN, NULL, NULL), 120, false, INFINITY);
    assert_optimum(optimum_of(120, 100, "uncovered", "{}"), 100, false, INFINITY);
    assert_optimum(optimum_of(120, 100, "uncovered", "{\"lower_bound\": null}"), 100, false,
                   INFINITY);
    assert_optimum(optimum_of(120, 100, "stopped", "{\"lower_bound\": 0}"), 100, false, INFINITY);
    assert_optimum(optimum_of(NAN, NAN, NULL, NULL), NAN, false, INFINITY);
}

static void a_value_below_the_bound_comes_from_outside(void **state) {
    (void)state;
    assert_optimum(optimum_of(99, 100, "optimal", ""), 99, false, INFINITY);
    assert_optimum(optimum_of(99.9999, 100, "optimal", ""), 99.9999, false, INFINITY);
    // rounding is no such thing
    assert_optimum(optimum_of(99.999999, 100, "optimal", ""), 100, true, 0);
    assert_optimum(optimum_of(99, 70, "outside", "{\"lower_bound\": 80}"), 70, false, INFINITY);
}

static void a_proof_that_is_no_json_is_refused(void **state) {
    (void)state;
    Records *records = records_make();
    SlError err = {.text = ""};
    SlResults results;
    records_proof(records, "t", 1, "stopped", "{\"lower_bound\": ");
    assert_int_equal(sl_results_make(NULL, 1, records->at, &records->arena, &results, &err),
                     SL_EINPUT);
    assert_string_equal(err.file, "a cell");
    records->at[0].detail = "{\"lower_bound\": \"high\"}";
    assert_int_equal(sl_results_make(NULL, 1, records->at, &records->arena, &results, &err),
                     SL_EINPUT);
    assert_non_null(strstr(err.text, "number"));
    records_free(records);
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    Records *records = records_make();
    records_flat(records, "t", "r", 1, 5);
    records_proof(records, "t", 4, "stopped", "{\"lower_bound\": 3}");
    SlStatus status = SL_ENOMEM;
    int n_failed = -1;
    for (size_t limit = 64; status != SL_OK; limit += 64, n_failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        status = sl_results_make(&plan, records->n, records->at, &arena, &records->results, NULL);
        if (status != SL_OK) assert_int_equal(status, SL_ENOMEM);
        sl_arena_free(&arena);
    }
    assert_true(n_failed > 10);
    records_free(records);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_rows_and_seeds_stand_as_in_the_plan),
        cmocka_unit_test(what_only_records_know_follows),
        cmocka_unit_test(without_a_plan_records_give_the_order),
        cmocka_unit_test(broken_cells_are_listed_and_have_no_run),
        cmocka_unit_test(too_many_seeds_are_refused),
        cmocka_unit_test(a_proof_makes_an_optimum),
        cmocka_unit_test(without_a_proof_it_is_the_least_value),
        cmocka_unit_test(a_value_below_the_bound_comes_from_outside),
        cmocka_unit_test(a_proof_that_is_no_json_is_refused),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
