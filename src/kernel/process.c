// process.c - fork and exec with a deadline, limits and captured output.
//
// The child gets its own process group, so that everything it starts can be killed at once. The
// parent polls both pipes and the child's end; a child that has ended is reaped only after its
// group was killed, because until then its number cannot belong to anyone else. An alarm in the
// child stands behind the deadline in case the parent dies first.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // pipe2
#endif
#include "starling/kernel/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_OUTPUT = 1 << 16, PATH_ROOM = 4096, LONGEST_POLL_MS = 50 };

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static SlStatus fail_system(SlError *err, const char *verb, int code) {
    char buffer[128];
    return sl_fail(err, SL_EIO, "cannot %s: %s", verb, strerror_r(code, buffer, sizeof buffer));
}

// the file that `name` means, as a shell would find it; false if there is none
static bool look_up(const char *name, char path[static PATH_ROOM]) {
    if (strchr(name, '/')) return snprintf(path, PATH_ROOM, "%s", name) < PATH_ROOM;
    const char *folders = getenv("PATH");
    if (!folders || !*folders) folders = "/usr/local/bin:/usr/bin:/bin";
    while (folders) {
        size_t n = strcspn(folders, ":");
        int length = snprintf(path, PATH_ROOM, "%.*s/%s", (int)n, n ? folders : ".", name);
        if (length > 0 && length < PATH_ROOM && access(path, X_OK) == 0) return true;
        folders = folders[n] ? folders + n + 1 : NULL;
    }
    return false;
}

// the same from the root, because the child may work elsewhere
static bool find_program(const char *name, char path[static PATH_ROOM]) {
    char found[PATH_ROOM];
    if (!look_up(name, found)) return false;
    size_t n = 0;
    if (found[0] != '/') {
        if (!getcwd(path, PATH_ROOM - 1)) return false;
        n = strlen(path);
        path[n++] = '/';
    }
    int length = snprintf(path + n, PATH_ROOM - n, "%s", found);
    return length > 0 && (size_t)length < PATH_ROOM - n;
}

// --- The child, between fork and exec: system calls only

// What the child needs, all of it made before the fork.
typedef struct {
    const SlProcess *process;
    const char *path;
    int input, out, err, failure; // descriptors; `failure` closes by itself in exec
} Start;

// the hard limit is one more, so that a process out of time hears SIGXCPU first
static void limit(int what, rlim_t amount) {
    struct rlimit now;
    if (amount >= RLIM_INFINITY - 1 || getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && amount >= now.rlim_max) amount = now.rlim_max - 1;
    setrlimit(what, &(struct rlimit){.rlim_cur = amount, .rlim_max = amount + 1});
}

static void set_limits(const SlProcess *process) {
    limit(RLIMIT_CORE, 0);
    if (process->cpu_s > 0) limit(RLIMIT_CPU, (rlim_t)ceil(process->cpu_s));
    if (process->memory_bytes) limit(RLIMIT_AS, process->memory_bytes);
    if (process->file_bytes) limit(RLIMIT_FSIZE, process->file_bytes);
    if (process->deadline_s > 0) alarm((unsigned)ceil(fmin(process->deadline_s, 1e6)) + 1);
}

_Noreturn static void become(const Start *start) {
    sigset_t none;
    setpgid(0, 0);
    for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool ready = dup2(start->input, STDIN_FILENO) >= 0 && dup2(start->out, STDOUT_FILENO) >= 0 &&
                 dup2(start->err, STDERR_FILENO) >= 0 &&
                 (!start->process->folder || chdir(start->process->folder) == 0);
    if (ready) {
        set_limits(start->process);
        execve(start->path, (char *const *)(void *)start->process->argv, environ);
    }
    int code = errno;
    ssize_t told = write(start->failure, &code, sizeof code);
    _exit(told < 0 ? 126 : 127);
}

// --- The parent

// One stream of the child.
typedef struct {
    int fd; // -1 = ended
    char *data;
    size_t n, room; // room without the closing NUL
    bool cut;
} Stream;

static void close_end(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// read what is there; what exceeds the room is dropped
static void read_stream(Stream *stream) {
    char rest[4096];
    while (stream->fd >= 0) {
        size_t room = stream->room - stream->n;
        ssize_t got =
            read(stream->fd, room ? stream->data + stream->n : rest, room ? room : sizeof rest);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            close_end(&stream->fd);
            return;
        }
        if (room)
            stream->n += (size_t)got;
        else
            stream->cut = true;
    }
}

// has the child ended? It is not reaped yet.
static bool has_ended(pid_t child) {
    siginfo_t info = {.si_pid = 0};
    int got;
    do got = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
    while (got < 0 && errno == EINTR);
    return got < 0 || info.si_pid == child;
}

// collect both streams until the child has ended (true) or `until` has passed
static bool watch(pid_t child, Stream *out, Stream *err, double until) {
    int pause_ms = 1; // while nothing can be read
    while (!has_ended(child)) {
        double left = until - now_s();
        if (left <= 0) return false;
        struct pollfd fds[2] = {{.fd = out->fd, .events = POLLIN},
                                {.fd = err->fd, .events = POLLIN}};
        int wait_ms = (int)fmin(pause_ms, ceil(left * 1e3));
        if (poll(fds, 2, wait_ms) > 0) {
            read_stream(out);
            read_stream(err);
            pause_ms = 1;
        } else if (pause_ms < LONGEST_POLL_MS) {
            pause_ms *= 2;
        }
    }
    return true;
}

static void reap(pid_t child, SlProcessResult *result) {
    int status = 0;
    pid_t got;
    do got = waitpid(child, &status, 0);
    while (got < 0 && errno == EINTR);
    if (result->end == SL_PROCESS_TIMEOUT) return;
    // a caller that ignores SIGCHLD has no statuses: such a child counts as one that failed
    bool exited = got == child && WIFEXITED(status);
    result->end = exited || got != child ? SL_PROCESS_EXITED : SL_PROCESS_KILLED;
    result->code = got != child ? 255 : exited ? WEXITSTATUS(status) : WTERMSIG(status);
}

static void attend(const SlProcess *process, pid_t child, Stream *out, Stream *err,
                   SlProcessResult *result) {
    double begun = now_s();
    double until = process->deadline_s > 0 ? begun + process->deadline_s : INFINITY;
    if (!watch(child, out, err, until)) result->end = SL_PROCESS_TIMEOUT;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    reap(child, result);
    result->seconds = now_s() - begun;
    read_stream(out);
    read_stream(err);
}

// all signals wait while there are two of us, so that no handler of the caller runs in the child
static pid_t start_child(const Start *start) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) become(start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0) setpgid(child, child);
    return child;
}

// Every descriptor of one run: input, then read and write ends.
typedef struct {
    int input, out[2], err[2], failure[2];
} Ends;

static void close_ends(Ends *ends) {
    close_end(&ends->input);
    for (int i = 0; i < 2; i++) {
        close_end(&ends->out[i]);
        close_end(&ends->err[i]);
        close_end(&ends->failure[i]);
    }
}

static bool open_ends(Ends *ends) {
    *ends = (Ends){.input = -1, .out = {-1, -1}, .err = {-1, -1}, .failure = {-1, -1}};
    ends->input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return ends->input >= 0 && pipe2(ends->out, O_CLOEXEC) == 0 &&
           pipe2(ends->err, O_CLOEXEC) == 0 && pipe2(ends->failure, O_CLOEXEC) == 0 &&
           fcntl(ends->out[0], F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(ends->err[0], F_SETFL, O_NONBLOCK) == 0;
}

// the errno of a child that could not become the program, else 0
static int read_failure(int fd) {
    int code = 0;
    ssize_t got;
    do got = read(fd, &code, sizeof code);
    while (got < 0 && errno == EINTR);
    return got == sizeof code ? code : 0;
}

static SlStatus run_in(const SlProcess *process, const char *path, Ends *ends, Stream *out,
                       Stream *err_stream, SlProcessResult *result, SlError *err) {
    Start start = {.process = process,
                   .path = path,
                   .input = ends->input,
                   .out = ends->out[1],
                   .err = ends->err[1],
                   .failure = ends->failure[1]};
    pid_t child = start_child(&start);
    if (child < 0) return fail_system(err, "start a process", errno);
    close_end(&ends->out[1]);
    close_end(&ends->err[1]);
    close_end(&ends->failure[1]);
    int failure = read_failure(ends->failure[0]);
    out->fd = ends->out[0];
    err_stream->fd = ends->err[0];
    ends->out[0] = ends->err[0] = -1;
    attend(process, child, out, err_stream, result);
    close_end(&out->fd);
    close_end(&err_stream->fd);
    if (failure) {
        result->end = SL_PROCESS_ABSENT;
        result->code = failure;
    }
    return SL_OK;
}

SlStatus sl_process_run(const SlProcess *process, SlArena *arena, SlProcessResult *result,
                        SlError *err) {
    assert(process->argv && process->argv[0]);
    char path[PATH_ROOM];
    size_t room = process->max_output ? process->max_output : DEFAULT_OUTPUT;
    Stream streams[2] = {{.fd = -1, .room = room}, {.fd = -1, .room = room}};
    for (int i = 0; i < 2; i++) {
        streams[i].data = SL_NEW(arena, room + 1, char);
        if (!streams[i].data) return sl_fail(err, SL_ENOMEM, "not enough memory to run a program");
    }
    *result = (SlProcessResult){.out = streams[0].data, .err = streams[1].data};
    if (!find_program(process->argv[0], path)) {
        result->end = SL_PROCESS_ABSENT;
        result->code = ENOENT;
        return SL_OK;
    }
    Ends ends;
    SlStatus status = open_ends(&ends)
                          ? run_in(process, path, &ends, &streams[0], &streams[1], result, err)
                          : fail_system(err, "make a pipe", errno);
    close_ends(&ends);
    result->n_out = streams[0].n;
    result->n_err = streams[1].n;
    result->cut = streams[0].cut || streams[1].cut;
    return status;
}

const char *sl_process_show(const SlProcess *process, const SlProcessResult *result, size_t n,
                            char *out) {
    char buffer[128];
    switch (result->end) {
    case SL_PROCESS_EXITED:
        snprintf(out, n, "ended with code %d", result->code);
        break;
    case SL_PROCESS_KILLED:
        snprintf(out, n, "was killed by signal %d (%s)", result->code, strsignal(result->code));
        break;
    case SL_PROCESS_TIMEOUT:
        snprintf(out, n, "took longer than %g s", process->deadline_s);
        break;
    default:
        snprintf(out, n, "cannot be started: %s", strerror_r(result->code, buffer, sizeof buffer));
    }
    return out;
}
