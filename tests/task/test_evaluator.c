// test_evaluator.c - the user's evaluator: right answers, and programs that misbehave.
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "starling/task/evaluator.h"
#include "support/check.h"

#define STUB "exec sh " SL_SOURCE_DIR "/tests/task/evaluators/stub.sh"
// shell: the id of a request
#define READ_ID "read -r line || exit 0; id=${line#*:*:}; id=${id%%[,\\}]*}; "
#define ANSWER "echo \"{\\\"id\\\":$id,\\\"value\\\":$id}\"; "

static SlEvaluator *open_evaluator(const char *command, int copies, double timeout_s) {
    SlEvaluator *evaluator = NULL;
    SlEvaluatorSetup setup = {.command = command, .copies = copies, .timeout_s = timeout_s};
    assert_int_equal(sl_evaluator_open(&setup, &evaluator, NULL), SL_OK);
    return evaluator;
}

static SlReply ask_one(SlEvaluator *evaluator, const char *request) {
    SlReply reply;
    assert_int_equal(sl_evaluator_ask(evaluator, 1, &request, NULL, NULL, &reply, NULL), SL_OK);
    assert_true(isfinite(reply.value) == !reply.reason[0]);
    return reply;
}

static void assert_reason(SlReply reply, const char *expected) {
    assert_string_equal(reply.reason, expected);
    assert_true(reply.value == INFINITY);
}

// --- Every test must leave no open descriptor and no child

static int count_open(void) {
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) n++;
    if (folder) closedir(folder);
    return n;
}

static int remember_open(void **state) {
    *state = malloc(sizeof(int));
    *(int *)*state = count_open();
    return 0;
}

static int check_leaks(void **state) {
    int before = *(int *)*state;
    free(*state);
    bool no_child = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    if (!no_child) fprintf(stderr, "a child is left\n");
    if (count_open() != before) fprintf(stderr, "a descriptor is left open\n");
    return no_child && count_open() == before ? 0 : -1;
}

// --- Answers

enum { MANY = 24 };

// 24 requests with delays that depend on their number
static void ask_many(int copies, SlReply *replies) {
    char text[MANY][64];
    const char *requests[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "\"x\":%d,\"sleep\":%g", i, 0.001 * (i * 7 % 10));
        requests[i] = text[i];
    }
    SlEvaluator *evaluator = open_evaluator(STUB, copies, 0);
    assert_int_equal(sl_evaluator_ask(evaluator, MANY, requests, NULL, NULL, replies, NULL), SL_OK);
    sl_evaluator_close(evaluator);
}

static void copies_in_any_order_give_the_replies_of_one(void **state) {
    (void)state;
    SlReply one[MANY], three[MANY];
    ask_many(1, one);
    ask_many(3, three);
    for (int i = 0; i < MANY; i++) {
        assert_true(one[i].value == 2 * i + 1);
        assert_true(three[i].value == 2 * i + 1);
        assert_string_equal(three[i].reason, "");
        assert_true(one[i].seconds > 0.001 * (i * 7 % 10) && one[i].seconds < 60);
    }
}

static void no_requests_are_answered_without_a_program(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator("./no-such-program", 2, 0);
    assert_int_equal(sl_evaluator_ask(evaluator, 0, NULL, NULL, NULL, NULL, NULL), SL_OK);
    sl_evaluator_close(evaluator);
    sl_evaluator_close(NULL);
}

static void a_request_may_be_empty_and_ids_count_up(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator("while :; do " READ_ID ANSWER "done", 1, 0);
    for (int i = 1; i < 5; i++) assert_true(ask_one(evaluator, "").value == i);
    sl_evaluator_close(evaluator);
}

// a request whose member "pad" has n letters; to be freed
static char *make_long(const char *members, int n) {
    char *pad = malloc((size_t)n + 1), *request = malloc((size_t)n + 64);
    memset(pad, 'a', (size_t)n);
    pad[n] = '\0';
    snprintf(request, (size_t)n + 64, "%s\"pad\":\"%s\"", members, pad);
    free(pad);
    return request;
}

static void a_long_request_and_much_noise_pass(void **state) {
    (void)state;
    enum { LONG = 100000 };
    char *request = make_long("\"do\":\"size\",", LONG);
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    assert_true(ask_one(evaluator, request).value >= LONG);
    assert_true(ask_one(evaluator, "\"x\":1,\"do\":\"noise\"").value == 3);
    sl_evaluator_close(evaluator);
    free(request);
}

static void noise_without_end_is_no_hindrance(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator("yes >&2 & while :; do " READ_ID ANSWER "done", 1, 0);
    for (int i = 1; i < 5; i++) assert_true(ask_one(evaluator, "").value == i);
    sl_evaluator_close(evaluator);
}

static void replies_with_something_else_fail_and_the_program_goes_on(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"nan", "expected a finite number as \"value\", got 'NaN'"},
        {"infinity", "expected a finite number as \"value\", got '-Infinity'"},
        {"c_nan", "expected a finite number as \"value\", got '-nan'"},
        {"null", "expected a finite number as \"value\", got 'null'"},
        {"text", "expected a finite number as \"value\", got '12'"},
        {"neither", "expected a finite number as \"value\", or a \"reason\"; got neither"},
        {"reason", "does?not fit"},
    };
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    double pid = ask_one(evaluator, "\"do\":\"pid\"").value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char request[64];
        snprintf(request, sizeof request, "\"do\":\"%s\"", cases[i][0]);
        assert_reason(ask_one(evaluator, request), cases[i][1]);
    }
    assert_true(ask_one(evaluator, "\"do\":\"extra\"").value == -7);
    assert_true(ask_one(evaluator, "\"do\":\"large\"").value == 1e23);
    assert_true(ask_one(evaluator, "\"do\":\"pid\"").value == pid);
    sl_evaluator_close(evaluator);
}

// the ten lines of the page, as a user would copy them
static void the_example_of_the_page_works(void **state) {
    (void)state;
    SlEvaluator *evaluator =
        open_evaluator("code=$(sed -n '/^```python/,/^```$/{/^```/d;p;}' " SL_SOURCE_DIR
                       "/docs/formats/evaluator.md); exec python3 -S -E -c \"$code\"",
                       1, 0);
    const char *fits = "\"tiles\":[{\"level\":\"L1\",\"K\":2,\"C\":3}]";
    const char *large = "\"tiles\":[{\"level\":\"L1\",\"K\":64,\"C\":64}]";
    assert_true(ask_one(evaluator, fits).value > 0);
    assert_reason(ask_one(evaluator, large), "does not fit");
    assert_reason(ask_one(evaluator, "\"tiles\":[]"), "IndexError('list index out of range')");
    sl_evaluator_close(evaluator);
}

// --- Programs that break

static void what_is_not_a_reply_fails_and_the_program_is_started_again(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"garbage", "expected {\"id\": %d, \"value\": NUMBER}, got '%d apples?and pears'"},
        {"other_id", "expected {\"id\": %d, \"value\": NUMBER}, got '{\"id\": 1%d, \"value\": 5}'"},
        {"no_id", "expected {\"id\": %d, \"value\": NUMBER}, got '{\"value\": 5, \"ID\": %d}'"},
        {"empty", "expected {\"id\": %d, \"value\": NUMBER}, got ''"},
        {"long", "expected {\"id\": %d, \"value\": NUMBER}, got '{\"id\": %d, \"pad\": "
                 "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' "
                 "(a line of more than 1 MiB)"},
    };
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    double pid = ask_one(evaluator, "\"do\":\"pid\"").value; // id 1
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char request[64], expected[240];
        int id = 2 * i + 2;
        snprintf(request, sizeof request, "\"do\":\"%s\"", cases[i][0]);
        snprintf(expected, sizeof expected, cases[i][1], id, id);
        assert_reason(ask_one(evaluator, request), expected);
        double fresh = ask_one(evaluator, "\"do\":\"pid\"").value;
        assert_true(fresh != pid);
        pid = fresh;
    }
    sl_evaluator_close(evaluator);
}

static void a_second_reply_is_not_taken_for_that_of_the_next_request(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    assert_true(ask_one(evaluator, "\"do\":\"twice\"").value == 1);
    assert_reason(ask_one(evaluator, "\"x\":1"),
                  "expected {\"id\": 2, \"value\": NUMBER}, got '{\"id\": 0, \"value\": 2}'");
    assert_true(ask_one(evaluator, "\"x\":1").value == 3);
    sl_evaluator_close(evaluator);
}

static void a_crash_fails_its_request_alone(void **state) {
    (void)state;
    const char *requests[] = {"\"x\":0", "\"do\":\"crash\"", "\"x\":1", "\"do\":\"exit\"",
                              "\"x\":2", "\"do\":\"close\"", "\"x\":3"};
    SlReply replies[7];
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    assert_int_equal(sl_evaluator_ask(evaluator, 7, requests, NULL, NULL, replies, NULL), SL_OK);
    for (int i = 0; i < 7; i += 2) assert_true(replies[i].value == i + 1);
    assert_reason(replies[1], "the evaluator was killed by signal 11 (Segmentation fault) before "
                              "it answered (about to crash)");
    assert_reason(replies[3], "the evaluator ended with code 3 before it answered");
    assert_reason(replies[5], "the evaluator closed its output before it answered");
    sl_evaluator_close(evaluator);
}

static void a_program_may_end_after_each_answer(void **state) {
    (void)state;
    const char *requests[40];
    SlReply replies[40];
    for (int i = 0; i < 40; i++) requests[i] = "\"x\":1";
    SlEvaluator *evaluator = open_evaluator(READ_ID ANSWER "exit 3", 2, 0);
    assert_int_equal(sl_evaluator_ask(evaluator, 40, requests, NULL, NULL, replies, NULL), SL_OK);
    for (int i = 0; i < 40; i++) assert_true(replies[i].value == i + 1);
    sl_evaluator_close(evaluator);
}

// the answer to request 1 comes after 1.4 s, from a process that the program left behind; that to
// request 2 after 1.6 s
static void a_late_answer_is_not_taken_for_that_of_the_next_request(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator(
        READ_ID "[ $id = 2 ] || { (sleep 1.4; echo '{\"id\":2,\"value\":66}') & wait; }; "
                "sleep 0.6; " ANSWER,
        1, 1);
    double begun = sl_clock_seconds();
    assert_reason(ask_one(evaluator, ""), "no reply within 1 s");
    assert_true(sl_clock_seconds() - begun < 1.3);
    SlReply reply = ask_one(evaluator, "");
    assert_true(reply.value == 2);
    assert_true(reply.seconds >= 0.6);
    sl_evaluator_close(evaluator);
}

static void writing_to_a_program_that_does_not_read_is_no_signal_for_us(void **state) {
    (void)state;
    char *request = make_long("", 200000);
    SlEvaluator *evaluator = open_evaluator("exec <&-; sleep 0.1; exit 4", 1, 0);
    assert_reason(ask_one(evaluator, request),
                  "the evaluator ended with code 4 before it answered");
    sl_evaluator_close(evaluator);
    sigset_t pending;
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    free(request);
}

// --- Evaluators that cannot be used

// after `n` requests, asked in calls of `at_once`
static void assert_unusable(const char *command, int n, int at_once, const char *expected) {
    const char *requests[] = {"", "", "", ""};
    SlReply replies[4];
    SlError err;
    char text[1024];
    SlEvaluator *evaluator = open_evaluator(command, 1, 0);
    SlStatus status = SL_OK;
    for (int asked = 0; asked < n; asked += at_once) {
        assert_int_equal(status, SL_OK);
        status = sl_evaluator_ask(evaluator, at_once, requests, NULL, NULL, replies, &err);
    }
    assert_int_equal(status, SL_EINPUT);
    assert_string_equal(sl_error_text(&err, sizeof text, text), expected);
    if (at_once > n) assert_string_equal(replies[n].reason, "interrupted");
    sl_evaluator_close(evaluator);
}

#define SEE "; expected one JSON line per request, see docs/formats/evaluator.md"

static void a_command_that_is_not_there_is_told_at_once(void **state) {
    (void)state;
    assert_unusable("./no-such-program 7", 1, 1,
                    "./no-such-program 7: the evaluator ended with code 127 before it answered "
                    "(/bin/sh: 1: ./no-such-program: not found)" SEE);
}

static void a_program_that_never_replies_is_given_up_after_three_requests(void **state) {
    (void)state;
    assert_unusable("echo Loading; cat >/dev/null", 3, 4,
                    "echo Loading; cat >/dev/null: expected {\"id\": 3, \"value\": NUMBER}, got "
                    "'Loading'" SEE);
    assert_unusable(
        "tr '\\0' x </dev/zero", 3, 3,
        "tr '\\0' x </dev/zero: expected {\"id\": 3, \"value\": NUMBER}, got "
        "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' (a "
        "line of more than 1 MiB)" SEE);
    assert_unusable("echo no licence >&2; exit 5", 3, 1,
                    "echo no licence >&2; exit 5: the evaluator ended with code 5 before it "
                    "answered (no licence)" SEE);
}

static void a_program_that_replied_once_is_not_given_up(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator(STUB, 1, 0);
    assert_reason(ask_one(evaluator, "\"do\":\"reason\""), "does?not fit");
    for (int i = 0; i < 5; i++)
        assert_reason(ask_one(evaluator, "\"do\":\"exit\""),
                      "the evaluator ended with code 3 before it answered");
    sl_evaluator_close(evaluator);
}

static void a_wrong_setup_is_told(void **state) {
    (void)state;
    static const SlEvaluatorSetup setups[] = {{.command = NULL},
                                              {.command = " "},
                                              {.command = "x", .copies = -1},
                                              {.command = "x", .copies = 257},
                                              {.command = "x", .timeout_s = -1},
                                              {.command = "x", .timeout_s = (double)NAN}};
    static const char *const expected[] = {
        "expected a command that starts the evaluator, got none",
        "expected a command that starts the evaluator, got none",
        "expected 1 to 256 copies of the evaluator, got -1",
        "expected 1 to 256 copies of the evaluator, got 257",
        "expected a time limit of at most 1e+06 s for a request, got -1",
        "expected a time limit of at most 1e+06 s for a request, got nan"};
    for (int i = 0; i < 6; i++) {
        SlEvaluator *evaluator = NULL;
        SlError err;
        assert_int_equal(sl_evaluator_open(&setups[i], &evaluator, &err), SL_EINPUT);
        assert_string_equal(err.text, expected[i]);
        assert_null(evaluator);
    }
}

// --- Stopping

static bool is_past(void *time_s) {
    return sl_clock_seconds() >= *(double *)time_s;
}

static void stop_ends_the_wait_and_the_evaluator_stays_usable(void **state) {
    (void)state;
    const char *requests[] = {"\"x\":1", "\"x\":2,\"sleep\":30", "\"x\":3,\"sleep\":30", "\"x\":4"};
    SlReply replies[4];
    SlEvaluator *evaluator = open_evaluator(STUB, 2, 0);
    assert_true(ask_one(evaluator, "\"x\":5").value == 11);
    double begun = sl_clock_seconds(), until = begun + 0.4;
    assert_int_equal(sl_evaluator_ask(evaluator, 4, requests, is_past, &until, replies, NULL),
                     SL_OK);
    assert_true(sl_clock_seconds() - begun < 5);
    assert_true(replies[0].value == 3);
    for (int i = 1; i < 4; i++) assert_reason(replies[i], "interrupted");
    assert_true(ask_one(evaluator, "\"x\":6").value == 13);
    sl_evaluator_close(evaluator);
}

// a process that is there and not a zombie
static bool runs(int pid) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
    fclose(file);
    return state != 'Z';
}

// a signal is under way to it
static void assert_ends(int pid) {
    for (int i = 0; i < 300 && runs(pid); i++) poll(NULL, 0, 10);
    assert_false(runs(pid));
}

#define DEAF                                                                                       \
    "trap '' TERM; sleep 60 & pid=$!; read -r line; echo \"{\\\"id\\\":1,\\\"value\\\":$pid}\"; "

static void closing_kills_what_a_program_leaves_running(void **state) {
    (void)state;
    SlEvaluator *evaluator = open_evaluator(DEAF, 1, 0);
    int pid = (int)ask_one(evaluator, "").value;
    assert_true(runs(pid));
    sl_evaluator_close(evaluator);
    assert_ends(pid);
}

// the program waits for something that never comes, and answers with its own number
static void a_program_dies_with_the_caller(void **state) {
    (void)state;
    int ends[2], pid = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t caller = fork();
    if (caller == 0) {
        SlEvaluator *evaluator = open_evaluator(
            "read -r line; echo \"{\\\"id\\\":1,\\\"value\\\":$$}\"; exec sleep 60", 1, 0);
        int found = (int)ask_one(evaluator, "").value;
        if (write(ends[1], &found, sizeof found) < 0) _exit(1);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
    assert_int_equal(waitpid(caller, NULL, 0), caller);
    assert_ends(pid);
    close(ends[0]);
    close(ends[1]);
}

// what `ls /proc/self/fd | wc -l` prints in a shell of ours
static int count_inherited(void) {
    int n = 0;
    FILE *pipe = popen("echo $(ls /proc/self/fd | wc -l)", "r");
    assert_int_equal(fscanf(pipe, "%d", &n), 1);
    pclose(pipe);
    return n;
}

static void a_copy_inherits_no_descriptor_of_another(void **state) {
    (void)state;
    const char *requests[] = {"", "", "", ""};
    SlReply replies[4];
    SlEvaluator *evaluator = open_evaluator(
        READ_ID
        "sleep 0.05; echo \"{\\\"id\\\":$id,\\\"value\\\":$(ls /proc/self/fd | wc -l)}\"; cat",
        4, 0);
    assert_int_equal(sl_evaluator_ask(evaluator, 4, requests, NULL, NULL, replies, NULL), SL_OK);
    for (int i = 0; i < 4; i++) assert_true(replies[i].value == count_inherited());
    sl_evaluator_close(evaluator);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, remember_open, check_leaks)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(copies_in_any_order_give_the_replies_of_one),
        CASE(no_requests_are_answered_without_a_program),
        CASE(a_request_may_be_empty_and_ids_count_up),
        CASE(a_long_request_and_much_noise_pass),
        CASE(noise_without_end_is_no_hindrance),
        CASE(replies_with_something_else_fail_and_the_program_goes_on),
        CASE(the_example_of_the_page_works),
        CASE(what_is_not_a_reply_fails_and_the_program_is_started_again),
        CASE(a_second_reply_is_not_taken_for_that_of_the_next_request),
        CASE(a_crash_fails_its_request_alone),
        CASE(a_program_may_end_after_each_answer),
        CASE(a_late_answer_is_not_taken_for_that_of_the_next_request),
        CASE(writing_to_a_program_that_does_not_read_is_no_signal_for_us),
        CASE(a_command_that_is_not_there_is_told_at_once),
        CASE(a_program_that_never_replies_is_given_up_after_three_requests),
        CASE(a_program_that_replied_once_is_not_given_up),
        CASE(a_wrong_setup_is_told),
        CASE(stop_ends_the_wait_and_the_evaluator_stays_usable),
        CASE(closing_kills_what_a_program_leaves_running),
        CASE(a_program_dies_with_the_caller),
        CASE(a_copy_inherits_no_descriptor_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
