// test_mapped_run.c - a run of map read back: its results, its mappings priced, what is refused.
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "starling/job.h"
#include "support/check.h"
#include "support/folder.h"

// made by `starling map` of version 0.1.0: two layers, everything proven
#define RUN SL_SOURCE_DIR "/tests/data/verify/run-0.1.0"

typedef struct {
    SlArena arena;
    Folder folder;
} Table;

static int set(void **state) {
    static Table table;
    sl_arena_init(&table.arena, 0);
    folder_make(&table.folder);
    *state = &table;
    return 0;
}

static int clear(void **state) {
    Table *table = *state;
    folder_remove(&table->folder);
    sl_arena_free(&table->arena);
    return 0;
}

static SlMappedRun read_run(Table *table) {
    SlMappedRun run;
    SlError err;
    if (sl_mapped_run_read(RUN, &table->arena, &run, &err) != SL_OK) fail_msg("%s", err.text);
    return run;
}

static void a_run_has_a_network_a_machine_and_a_result_per_layer(void **state) {
    SlMappedRun run = read_run(*state);
    assert_true(sl_mapped_run_exists(RUN));
    assert_false(sl_mapped_run_exists(SL_SOURCE_DIR));
    assert_string_equal(run.dir, RUN);
    assert_string_equal(run.net.name, "pair");
    assert_string_equal(run.accel->name, "small");
    assert_int_equal(run.net.n_layers, 2);
    assert_int_equal(run.n_results, 2);
    assert_int_equal(run.batch, 1);
    assert_null(run.constraints);
    assert_string_equal(run.names[1], "second");
    assert_string_equal(run.net.layers[1].name, "second");
    assert_int_equal(run.result_of[1], 1);
    assert_int_equal(run.results[0].layer.dims[SL_K], 4);
    assert_int_equal(run.results[0].status, SL_PROOF_OPTIMAL);
    assert_true(run.results[0].lower_bound > 0);
}

static void its_mappings_cost_what_the_run_says(void **state) {
    Table *table = *state;
    SlMappedRun run = read_run(table);
    SlEvaluation eval;
    SlError err;
    assert_int_equal(sl_mapped_run_evaluate(&run, NULL, SL_EDP, &table->arena, &eval, &err), SL_OK);
    double energy = 0;
    for (int i = 0; i < 2; i++) {
        assert_true(eval.layers[i]->cost.latency_cycles == run.results[i].latency_cycles);
        energy += run.results[i].energy_pj;
    }
    assert_true(fabs(eval.totals.energy_pj - energy) <= 1e-9 * energy);
    assert_string_equal(eval.mapping_from, "run");
    assert_string_equal(eval.run, RUN);
}

static void a_layer_is_picked_by_name_or_number(void **state) {
    Table *table = *state;
    SlMappedRun run = read_run(table);
    SlEvaluation eval;
    SlError err;
    assert_int_equal(sl_mapped_run_pick(&run, "none", &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "has no layer 'none'"));
    assert_int_equal(sl_mapped_run_pick(&run, "2", &err), SL_OK);
    assert_int_equal(sl_mapped_run_evaluate(&run, NULL, SL_EDP, &table->arena, &eval, &err), SL_OK);
    assert_int_equal(eval.net.n_layers, 1);
    assert_string_equal(eval.layers[0]->layer.name, "second");
    assert_true(eval.totals.latency_cycles == run.results[1].latency_cycles);
}

static void a_machine_with_other_levels_is_refused(void **state) {
    Table *table = *state;
    SlMappedRun run = read_run(table);
    SlAccel accel = *run.accel;
    SlEvaluation eval;
    SlError err;
    accel.n_levels--;
    assert_int_equal(sl_mapped_run_evaluate(&run, &accel, SL_EDP, &table->arena, &eval, &err),
                     SL_EINPUT);
    assert_true(err.line > 0);
}

// ---- a damaged map.json ----

static void copy_file(Table *table, const char *name, const char *old, const char *new) {
    char to[TEMP_ROOM], from[SL_FOLDER_PATH], *data;
    size_t n;
    SlText text;
    sl_folder_path(RUN, name, from);
    assert_int_equal(sl_file_read(from, 1 << 20, &table->arena, &data, &n, NULL), SL_OK);
    sl_text_init(&text, &table->arena);
    char *at = strstr(data, old);
    assert_non_null(at);
    sl_text_put(&text, data, (size_t)(at - data));
    sl_text_add(&text, "%s%s", new, at + strlen(old));
    folder_path(&table->folder, name, to);
    assert_int_equal(sl_file_write(to, text.data, text.n, NULL), SL_OK);
}

static void what_map_would_not_write_is_told_with_its_place(void **state) {
    Table *table = *state;
    static const char *const cases[][3] = {
        {"starling.map/1", "other", "expected a document of 'starling map'"},
        {"\"workload\"", "\"work\"", "missing key 'workload'"},
        {"\"name\": \"small\"", "\"name\": \"large\"", "the results are of 'large'"},
        {"\"open\": \"\"", "\"open\": \"X\"", "expected dims out of NGKCPQRS"},
        {"\"n_layers\": 2", "\"n_layers\": 3", "a layer of the network is missing"},
        {"\"K\": 4", "\"K\": 5", "expected K=4, as 'inline' says"},
        {"\"index\": 2", "\"index\": 7", "index: expected a whole number"},
    };
    copy_file(table, "accel.yaml", "", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlMappedRun run;
        SlError err;
        copy_file(table, "map.json", cases[i][0], cases[i][1]);
        assert_int_equal(sl_mapped_run_read(table->folder.dir, &table->arena, &run, &err),
                         SL_EINPUT);
        if (!strstr(err.text, cases[i][2])) fail_msg("%s: %s", cases[i][2], err.text);
        assert_true(err.line > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_has_a_network_a_machine_and_a_result_per_layer, set,
                                        clear),
        cmocka_unit_test_setup_teardown(its_mappings_cost_what_the_run_says, set, clear),
        cmocka_unit_test_setup_teardown(a_layer_is_picked_by_name_or_number, set, clear),
        cmocka_unit_test_setup_teardown(a_machine_with_other_levels_is_refused, set, clear),
        cmocka_unit_test_setup_teardown(what_map_would_not_write_is_told_with_its_place, set,
                                        clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
