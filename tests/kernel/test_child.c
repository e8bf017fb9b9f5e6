// test_child.c - programs that run beside the caller and are talked to.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "starling/kernel/child.h"
#include "support/check.h"

static SlChild start_shell(const char *line) {
    SlChild child;
    int absent = -1;
    const char *const argv[] = {"sh", "-c", line, NULL};
    SlProcess process = {.argv = argv, .dies_with_caller = true};
    assert_int_equal(sl_child_start(&process, &child, &absent, NULL), SL_OK);
    assert_int_equal(absent, 0);
    return child;
}

// what comes next on a stream, waited for
static void assert_next(int fd, const char *expected) {
    char text[64] = "";
    assert_int_equal(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 10000), 1);
    assert_true(read(fd, text, sizeof text - 1) >= 0);
    assert_string_equal(text, expected);
}

static void a_child_hears_and_answers(void **state) {
    (void)state;
    SlChild child = start_shell("while read -r x; do echo \"<$x>\"; done; echo over >&2; exit 4");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(write(child.in, "one\n", 4), 4);
        assert_next(child.out, "<one>\n");
    }
    assert_false(sl_child_ended(&child));
    close(child.in);
    child.in = -1;
    assert_next(child.out, "");
    while (!sl_child_ended(&child)) poll(NULL, 0, 1);
    SlProcessResult result;
    sl_child_kill(&child, &result);
    assert_int_equal(result.end, SL_PROCESS_EXITED);
    assert_int_equal(result.code, 4);
    assert_next(child.err, "over\n");
    sl_child_close(&child);
    assert_int_equal(child.out, -1);
}

static void a_killed_child_leaves_nothing(void **state) {
    (void)state;
    SlChild child = start_shell("sleep 60");
    SlProcessResult result;
    sl_child_kill(&child, &result);
    assert_int_equal(result.end, SL_PROCESS_KILLED);
    assert_int_equal(result.code, SIGKILL);
    assert_int_equal(child.pid, 0);
    sl_child_kill(&child, &result); // nothing to do
    sl_child_close(&child);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void a_program_that_is_not_there_leaves_no_child(void **state) {
    (void)state;
    const char *names[] = {"no-such-program-of-ours", "/etc/passwd"};
    for (int i = 0; i < 2; i++) {
        SlChild child;
        int absent = 0;
        const char *const argv[] = {names[i], NULL};
        assert_int_equal(sl_child_start(&(SlProcess){.argv = argv}, &child, &absent, NULL), SL_OK);
        assert_int_equal(absent, i == 0 ? ENOENT : EACCES);
        assert_int_equal(child.pid, 0);
        assert_int_equal(child.in, -1);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_hears_and_answers),
        cmocka_unit_test(a_killed_child_leaves_nothing),
        cmocka_unit_test(a_program_that_is_not_there_leaves_no_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
