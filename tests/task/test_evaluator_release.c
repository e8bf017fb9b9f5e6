// test_evaluator_release.c - what a call of the user's evaluator costs: at most 100 us of processor
// time. How long a machine takes to wake the other process is its own affair; it is printed.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "starling/task/evaluator.h"
#include "support/check.h"

static double now_s(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// this program, called with an argument, is an evaluator that does nothing
static int evaluate(void) {
    char line[4096];
    int id;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "{\"v\":1,\"id\":%d", &id) != 1) return 1;
        printf("{\"id\":%d,\"value\":%d}\n", id, id);
        fflush(stdout);
    }
    return 0;
}

static void a_call_costs_at_most_100_us(void **state) {
    (void)state;
    enum { BLOCKS = 10, BLOCK = 1000 };
    char path[4096], command[4200];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(n > 0);
    snprintf(command, sizeof command, "exec '%.*s' evaluate", (int)n, path);
    SlEvaluator *evaluator = NULL;
    SlEvaluatorSetup setup = {.command = command};
    assert_int_equal(sl_evaluator_open(&setup, &evaluator, NULL), SL_OK);
    double best = INFINITY, begun = now_s(CLOCK_MONOTONIC);
    for (int i = 0; i < BLOCKS; i++) {
        double block = now_s(CLOCK_PROCESS_CPUTIME_ID);
        for (int j = 0; j < BLOCK; j++) {
            const char *request = "\"objective\":\"edp\",\"point\":{\"x\":1,\"y\":2}";
            SlReply reply;
            assert_int_equal(sl_evaluator_ask(evaluator, 1, &request, NULL, NULL, &reply, NULL),
                             SL_OK);
            assert_true(reply.value == i * BLOCK + j + 1);
        }
        best = fmin(best, now_s(CLOCK_PROCESS_CPUTIME_ID) - block);
    }
    printf("%d calls: %.1f us each by the clock, %.1f us of this process in the best block\n",
           BLOCKS * BLOCK, 1e6 * (now_s(CLOCK_MONOTONIC) - begun) / (BLOCKS * BLOCK),
           1e6 * best / BLOCK);
    assert_true(best / BLOCK <= 100e-6);
    sl_evaluator_close(evaluator);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return evaluate();
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_call_costs_at_most_100_us)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
