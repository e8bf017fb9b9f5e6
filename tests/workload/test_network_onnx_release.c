// test_network_onnx_release.c - what reading ONNX files takes, in the optimised build.
#include "workload_help.h"

#include <stdio.h>
#include <sys/resource.h>

#define FOLDER SL_SOURCE_DIR "/tests/data/onnx/"

// the weights' file is not there: nobody may look for it
static void a_model_of_7_billion_weights_reads_in_a_fifth_of_a_second_and_100_mb(void **state) {
    const SlWorkload asked = {.selector = FOLDER "llama_7b.onnx:batch=1,seq=1,past=4095",
                              .batch = 1};
    double best = 1e9;
    SlNetwork net;
    SlError err;
    for (int i = 0; i < 5; i++) {
        double start = sl_clock_seconds();
        if (sl_workload_read(&asked, *state, &net, &err) != SL_OK) fail_msg("%s", err.text);
        double seconds = sl_clock_seconds() - start;
        if (seconds < best) best = seconds;
    }
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    printf("%.3g s, %ld KiB\n", best, usage.ru_maxrss);
    assert_int_equal(net.n_layers, 289);
    assert_true(best <= 0.2);
    assert_true(usage.ru_maxrss <= 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(a_model_of_7_billion_weights_reads_in_a_fifth_of_a_second_and_100_mb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
