// child.c - fork and exec with pipes for the standard streams, and the end of a child.
//
// The child gets its own process group, so that everything it starts can be killed at once. A child
// that has ended is reaped only after its group was killed, because until then its number cannot
// belong to anyone else. An alarm in the child stands behind the deadline in case the parent dies
// first.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // pipe2
#endif
#include "starling/kernel/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum { PATH_ROOM = 4096 };

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
    pid_t parent;
    int in, out, err, failure; // descriptors; `failure` closes by itself in exec
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

// the kernel kills a child when the thread that started it ends; if that was before we could ask
// for it, we have another parent by now
static bool tie_to_parent(pid_t parent) {
#if defined(__linux__)
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
#endif
    return getppid() == parent;
}

_Noreturn static void become(const Start *start) {
    sigset_t none;
    setpgid(0, 0);
    for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool ready = dup2(start->in, STDIN_FILENO) >= 0 && dup2(start->out, STDOUT_FILENO) >= 0 &&
                 dup2(start->err, STDERR_FILENO) >= 0 &&
                 (!start->process->folder || chdir(start->process->folder) == 0) &&
                 (!start->process->dies_with_caller || tie_to_parent(start->parent));
    if (ready) {
        set_limits(start->process);
        execve(start->path, (char *const *)(void *)start->process->argv, environ);
    }
    int code = errno;
    ssize_t told = write(start->failure, &code, sizeof code);
    _exit(told < 0 ? 126 : 127);
}

// --- The parent

static void close_end(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
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

// Every descriptor of a start: read and write ends.
typedef struct {
    int in[2], out[2], err[2], failure[2];
} Ends;

static void close_pair(int ends[2]) {
    close_end(&ends[0]);
    close_end(&ends[1]);
}

static void close_ends(Ends *ends) {
    close_pair(ends->in);
    close_pair(ends->out);
    close_pair(ends->err);
    close_pair(ends->failure);
}

static bool open_ends(Ends *ends) {
    *ends = (Ends){.in = {-1, -1}, .out = {-1, -1}, .err = {-1, -1}, .failure = {-1, -1}};
    return pipe2(ends->in, O_CLOEXEC) == 0 && pipe2(ends->out, O_CLOEXEC) == 0 &&
           pipe2(ends->err, O_CLOEXEC) == 0 && pipe2(ends->failure, O_CLOEXEC) == 0 &&
           fcntl(ends->in[1], F_SETFL, O_NONBLOCK) == 0 &&
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

// give an end away
static int take_end(int *fd) {
    int taken = *fd;
    *fd = -1;
    return taken;
}

static SlStatus start_in(const SlProcess *process, const char *path, Ends *ends, SlChild *child,
                         int *absent, SlError *err) {
    Start start = {.process = process,
                   .path = path,
                   .parent = getpid(),
                   .in = ends->in[0],
                   .out = ends->out[1],
                   .err = ends->err[1],
                   .failure = ends->failure[1]};
    pid_t pid = start_child(&start);
    if (pid < 0) return fail_system(err, "start a process", errno);
    close_end(&ends->failure[1]);
    *absent = read_failure(ends->failure[0]);
    *child = (SlChild){.pid = (int)pid, .in = -1, .out = -1, .err = -1};
    if (*absent) {
        sl_child_kill(child, NULL);
        return SL_OK;
    }
    child->in = take_end(&ends->in[1]);
    child->out = take_end(&ends->out[0]);
    child->err = take_end(&ends->err[0]);
    return SL_OK;
}

SlStatus sl_child_start(const SlProcess *process, SlChild *child, int *absent, SlError *err) {
    assert(process->argv && process->argv[0]);
    char path[PATH_ROOM];
    *child = (SlChild){.in = -1, .out = -1, .err = -1};
    *absent = find_program(process->argv[0], path) ? 0 : ENOENT;
    if (*absent) return SL_OK;
    Ends ends;
    SlStatus status = open_ends(&ends) ? start_in(process, path, &ends, child, absent, err)
                                       : fail_system(err, "make a pipe", errno);
    close_ends(&ends);
    return status;
}

bool sl_child_ended(const SlChild *child) {
    siginfo_t info = {.si_pid = 0};
    int got;
    do got = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    while (got < 0 && errno == EINTR);
    return got < 0 || info.si_pid == child->pid;
}

// how it ended; a caller that ignores SIGCHLD has no statuses: such a child counts as one that
// failed
static void reap(pid_t child, SlProcessResult *result) {
    int status = 0;
    pid_t got;
    do got = waitpid(child, &status, 0);
    while (got < 0 && errno == EINTR);
    bool exited = got == child && WIFEXITED(status);
    result->end = exited || got != child ? SL_PROCESS_EXITED : SL_PROCESS_KILLED;
    result->code = got != child ? 255 : exited ? WEXITSTATUS(status) : WTERMSIG(status);
}

void sl_child_kill(SlChild *child, SlProcessResult *result) {
    SlProcessResult unwanted;
    if (child->pid <= 0) return;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    reap(child->pid, result ? result : &unwanted);
    child->pid = 0;
}

void sl_child_close(SlChild *child) {
    close_end(&child->in);
    close_end(&child->out);
    close_end(&child->err);
}
