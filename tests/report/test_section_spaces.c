// test_section_spaces.c - sizes of spaces and agents by correlation, from the details of records.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static const char sizes[] =
    "{\"space\": \"native\", \"presets\": [{\"preset\": \"native\", \"params\": 15, "
    "\"log10_size\": 14.42}, {\"preset\": \"paper\", \"params\": 17, \"log10_size\": 22.8}, "
    "{\"preset\": \"paper10\", \"reason\": \"no\"}]}";

static const char assignment[] =
    "{\"names\": [\"L2 K\", \"L2 C\", \"L2 \\\"P\\\"\"], "
    "\"r\": [[1, 0.5, 0], [0.5, 1, -0.25], [0, -0.25, 1]], "
    "\"distance\": [[0, 1, 2], [1, 0, 2], [2, 2, 0]], "
    "\"tree\": [[0, 1, 0.7, 2], [2, 3, 1.5, 3]], \"leaves\": [2, 0, 1], "
    "\"samples\": 2000, \"rows\": 300, \"agents\": {\"3\": [0, 1, 2], \"1\": [0, 0, 0], "
    "\"2\": [0, 0, 1]}}";

static void sizes_stand_beside_the_published_ranges(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 4, 0, 0);
    SlCellRecord record = {.key = "space/x", .kind = SL_CELL_SPACE, .detail = sizes};
    SlPaperNumber number = {
        .layer = "layer1", .objective = "", .row = "", .quantity = "log10 size", 13, 39};
    for (int t = 0; t < 4; t++) study.tasks[t].space = &record;
    study.plan.n_paper = 1;
    study.plan.paper = &number;
    study.plan.paper_source = "Table II";
    const char *notes[] = {"They differ because they do."};
    study.plan.n_notes = 1;
    study.plan.notes = notes;
    hand_study_text(&study);
    // one row per layer, not per objective; a space that a layer lacks is no column
    assert_string_equal(hand_csv(&study, "sizes"),
                        "layer,accelerator,native,params,paper,params,paper\n"
                        "layer0,eyeriss,14.4,15,22.8,17,\n"
                        "layer1,eyeriss,14.4,15,22.8,17,13–39\n");
    assert_non_null(strstr(hand_figure(&study, "space-sizes"), "log10 of the number of points"));
    assert_true(hand_says(&study, "They differ because they do."));
    hand_study_free(&study);
}

static void equation_1_stands_beside_the_exact_sizes(void **state) {
    (void)state;
    HandStudy study;
    SlLayer layers[3];
    SlSpace spaces[3] = {{.layer = &layers[0]}, {.layer = &layers[1]}, {.layer = &layers[2]}};
    SlCellRecord record = {.key = "space/x", .kind = SL_CELL_SPACE, .detail = sizes};
    hand_study_make(&study, 6, 0, 0);
    for (int i = 0; i < 3; i++) sl_layer_init(&layers[i]);
    layers[0].type = SL_GEMM;
    layers[0].dims[SL_K] = layers[0].dims[SL_C] = layers[0].dims[SL_P] = 10;
    layers[1].type = SL_BMM;
    layers[1].dims[SL_G] = 32;
    for (int t = 0; t < 6; t++) {
        study.tasks[t].space = &record;
        study.plan.tasks[t].setup.space = &spaces[t / 2];
    }
    hand_study_text(&study);
    // (10^3 x 3! x 3)^2, (32 x 5! x 5)^2, (7! x 7)^2; (2^3 x 18)^2 ...
    assert_string_equal(
        hand_csv(&study, "equation"),
        "layer,d,n,k,l,Equation 1,\"exact, space paper\",with n = 2,with n = 64,with n = 128\n"
        "layer0,3,10.0,1,2,8.5,22.8,4.3,13.3,15.2\n"
        "layer1,5,2.0,1,2,8.6,22.8,8.6,23.6,26.6\n"
        "layer2,7,1.0,1,2,9.1,22.8,13.3,34.4,38.6\n");
    hand_study_free(&study);
}

static void agents_are_listed_by_budget_in_the_order_of_the_tree(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 0, 0);
    SlCellRecord record = {.key = "assign/x", .kind = SL_CELL_ASSIGN, .detail = assignment};
    study.tasks[0].assigned[0] = &record;
    study.tasks[0].n_assigned = 1;
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "agents-layer0-latency"),
                        "parameter,1 agent,2 agents,3 agents\n"
                        "\"L2 \"\"P\"\"\",1,2,3\n"
                        "L2 K,1,1,1\n"
                        "L2 C,1,1,2\n");
    assert_true(hand_says(
        &study, "layer0 latency: 2,000 samples of random, of which the best 300 by latency"));
    assert_non_null(strstr(hand_figure(&study, "matrix-layer0-latency"), "L2 K"));
    assert_non_null(
        strstr(hand_figure(&study, "tree-layer0-latency"), "distance between rows of the matrix"));
    hand_study_free(&study);
}

static void several_policies_have_pictures_of_their_own(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 0, 0);
    SlCellRecord record = {.key = "assign/x", .kind = SL_CELL_ASSIGN, .detail = assignment};
    SlCellRecord records[2] = {record, record};
    records[0].method = "random";
    records[1].method = "ga";
    study.tasks[0].assigned[0] = &records[0];
    study.tasks[0].assigned[1] = &records[1];
    study.tasks[0].n_assigned = 2;
    hand_study_text(&study);
    assert_true(hand_says(&study, "layer0 latency: 2,000 samples of ga, of which"));
    assert_non_null(hand_block(&study, "matrix-layer0-latency-by-random"));
    assert_non_null(hand_block(&study, "tree-layer0-latency-by-ga"));
    assert_non_null(hand_block(&study, "agents-layer0-latency-by-ga"));
    hand_study_free(&study);
}

static void details_that_make_no_sense_are_left_out(void **state) {
    (void)state;
    static const char *const details[] = {
        "",
        "{",
        "[1, 2]",
        "{\"names\": [\"a\"]}",
        "{\"names\": [\"a\", \"b\"], \"r\": [[1, 0], [0, 1]]}",
        // a merge of a cluster that does not exist, a leaf that does not exist, a number missing
        "{\"names\": [\"a\", \"b\"], \"r\": [[1,0],[0,1]], \"tree\": [[7, 1, 1, 2]], "
        "\"leaves\": [0, 1]}",
        "{\"names\": [\"a\", \"b\"], \"r\": [[1,0],[0,1]], \"tree\": [[0, 1, 1, 2]], "
        "\"leaves\": [0, 2]}",
        "{\"names\": [\"a\", \"b\"], \"r\": [[1,0],[0]], \"tree\": [[0, 1, 1, 2]], "
        "\"leaves\": [0, 1]}",
        "{\"presets\": [{\"preset\": \"unheard of\", \"log10_size\": 1}]}",
        "{\"presets\": 3}",
    };
    for (size_t i = 0; i < sizeof details / sizeof details[0]; i++) {
        HandStudy study;
        hand_study_make(&study, 1, 0, 0);
        SlCellRecord record = {.key = "cell", .detail = details[i]};
        study.tasks[0].assigned[0] = study.tasks[0].space = &record;
        study.tasks[0].n_assigned = 1;
        assert_null(strstr(hand_study_text(&study), "Agents by correlation"));
        hand_study_free(&study);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_stand_beside_the_published_ranges),
        cmocka_unit_test(equation_1_stands_beside_the_exact_sizes),
        cmocka_unit_test(agents_are_listed_by_budget_in_the_order_of_the_tree),
        cmocka_unit_test(several_policies_have_pictures_of_their_own),
        cmocka_unit_test(details_that_make_no_sense_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
