// test_section_networks.c - whole networks, cores against resources, the effort of tuning.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_help.h"
#include "support/check.h"

// Two layers on one core; network "net" has the first twice and the second once. The records are
// those of the study made by hand; half of the measurements of row 1 failed.
typedef struct {
    HandStudy study;
    SlVtaOptions options[2];
    SlLayer layer;
    SlPlanTask tasks[2];
    SlPlanNetwork net;
    int counts[2];
} TunedStudy;

static void tuned_make(TunedStudy *tuned, int n_rows, const char *const cores[2]) {
    HandStudy *study = &tuned->study;
    hand_study_make(study, 2, n_rows, 6);
    study->plan.kind = &sl_kind_vta;
    study->plan.batch = 1;
    study->plan.resources = "";
    study->plan.tasks = tuned->tasks;
    for (int r = 0; r < n_rows; r++) study->plan.rows[r].method = sl_method_find("random");
    sl_layer_init(&tuned->layer);
    for (int t = 0; t < 2; t++) {
        SlVtaOptions *options = &tuned->options[t];
        *options = (SlVtaOptions){0};
        sl_vta_core_init(&options->core);
        assert_int_equal(sl_vta_core_parse(cores[t], &options->core, NULL), SL_OK);
        tuned->tasks[t] = (SlPlanTask){
            .name = study->tasks[t].name,
            .layer = study->tasks[t].layer,
            .accel = cores[t],
            .objective = "cycles",
            .workload = "",
            .setup = {.kind = &sl_kind_vta, .layer = &tuned->layer, .options = options}};
        study->tasks[t].accel = cores[t];
        study->tasks[t].objective = "cycles";
    }
    tuned->counts[0] = 2;
    tuned->counts[1] = 1;
    tuned->net =
        (SlPlanNetwork){.name = "net", .counts = tuned->counts, .n_layers = 5, .n_host = 2};
    study->plan.networks = &tuned->net;
    study->plan.n_networks = 1;
    for (int i = 0; i < 2 * n_rows * 6; i++)
        study->records[i].detail =
            i / 6 % n_rows == 1 ? "{\"failures\": 500}" : "{\"failures\": 0}";
}

static const char *const one_core[2] = {"1x16x16", "1x16x16"};

static void networks_stand_in_the_papers_form(void **state) {
    (void)state;
    TunedStudy tuned;
    tuned_make(&tuned, 3, one_core);
    const char *text = hand_study_text(&tuned.study);
    // 3 layers of 1,000 (1 + 4 % r + 0.25 %) cycles at 100 MHz; the median seed is 0.25 % above
    assert_string_equal(hand_csv(&tuned.study, "networks"), "network,marl,local,random,optimum\n"
                                                            "net,33250,31974,30793,33333\n");
    const char *csv = hand_csv(&tuned.study, "network-net");
    assert_non_null(strstr(csv, "\nmarl,3008,3004–3011,1.002,1.000,,2000,4.444,1000,1.0,,0.020\n"));
    assert_non_null(strstr(csv,
                           "\nlocal,3128,3124–3131,1.042,1.040,1.040–1.040,2000,4.444,2000,2.0,"
                           "2.0–2.0,0.040\n"));
    assert_non_null(strstr(text, "net: 3 of 5 layers"));
    assert_true(hand_says(&tuned.study, "Layers that stay on the host"));
    assert_true(hand_says(&tuned.study, "100 MHz"));
    assert_non_null(strstr(hand_figure(&tuned.study, "network-ratios"), "over those of marl"));
    hand_study_free(&tuned.study);
}

static void failures_and_hours_are_told(void **state) {
    (void)state;
    TunedStudy tuned;
    tuned_make(&tuned, 2, one_core);
    hand_study_text(&tuned.study);
    assert_string_equal(hand_csv(&tuned.study, "effort"),
                        "row,measurements,failed,hours on a board,\"wall time, s\",runs\n"
                        "marl,1000,0,2.222,0.010,12\n"
                        "local,1000,50,2.222,0.020,12\n");
    hand_study_free(&tuned.study);
}

static void samples_are_called_measurements(void **state) {
    (void)state;
    TunedStudy tuned;
    tuned_make(&tuned, 3, one_core);
    const char *text = hand_study_text(&tuned.study);
    assert_non_null(strstr(text, "Measurements to a target"));
    assert_non_null(strstr(text, "Target VTA, profile tsim"));
    assert_null(strstr(text, "samples"));
    assert_null(strstr(text, "mapping"));
    assert_null(strstr(hand_figure(&tuned.study, "regret"), "samples"));
    // checkpoints are powers of two
    assert_non_null(strstr(hand_csv(&tuned.study, "wins"), ",8,16,32,64,128,256,512,1000\n"));
    hand_study_free(&tuned.study);
}

static void cores_stand_against_their_resources(void **state) {
    (void)state;
    static const char *const cores[2] = {"1x16x16", "1x32x32"};
    TunedStudy tuned;
    tuned_make(&tuned, 1, cores);
    tuned.counts[0] = tuned.counts[1] = 1;
    tuned.study.tasks[1].optimum = 400;
    hand_study_text(&tuned.study);
    assert_string_equal(hand_csv(&tuned.study, "cores-net"),
                        "core,MACs,BRAM36,fits,cycles per image,× 1x16x16,front of,status\n"
                        "1x16x16,256,111,z7020,1000,1.000,\"MACs, BRAM36\",proven\n"
                        "1x32x32,1024,173,zu3eg,400,2.500,\"MACs, BRAM36\",proven\n");
    assert_string_equal(hand_csv(&tuned.study, "best-cores"),
                        "network,limit,core,MACs,BRAM36,images/s,× 1x16x16\n"
                        "net,no more than 1x16x16,1x16x16,256,111,100000,1.000\n"
                        "net,z7020,1x16x16,256,111,100000,1.000\n"
                        "net,zu3eg,1x32x32,1024,173,250000,2.500\n"
                        "net,none,1x32x32,1024,173,250000,2.500\n");
    const char *bram = hand_figure(&tuned.study, "front-net-bram");
    assert_non_null(strstr(bram, ">z7020<"));
    assert_non_null(strstr(bram, "1x32x32"));
    assert_null(strstr(hand_figure(&tuned.study, "front-net-macs"), ">z7020<"));
    hand_study_free(&tuned.study);
}

static void a_core_that_costs_more_and_is_slower_is_on_no_front(void **state) {
    (void)state;
    static const char *const cores[2] = {"1x32x32", "1x16x16"};
    TunedStudy tuned;
    tuned_make(&tuned, 1, cores);
    tuned.counts[0] = tuned.counts[1] = 1;
    tuned.study.tasks[0].optimum = 1000.5;
    hand_study_text(&tuned.study);
    assert_non_null(strstr(hand_csv(&tuned.study, "cores-net"), "\n1x32x32,1024,173,zu3eg,"));
    assert_string_equal(hand_csv(&tuned.study, "front-net"),
                        "core,MACs,BRAM36,fits,cycles per image,× 1x16x16,front of,status\n"
                        "1x16x16,256,111,z7020,1000,1.000,\"MACs, BRAM36\",proven\n");
    hand_study_free(&tuned.study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_stand_in_the_papers_form),
        cmocka_unit_test(failures_and_hours_are_told),
        cmocka_unit_test(samples_are_called_measurements),
        cmocka_unit_test(cores_stand_against_their_resources),
        cmocka_unit_test(a_core_that_costs_more_and_is_slower_is_on_no_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
