// process.c - run a child to its end or its deadline and keep what it writes.
//
// The parent polls both pipes and the child's end.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // the strerror_r that returns text
#endif
#include "starling/kernel/process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_inside.h"
#include "starling/kernel/child.h"

enum { DEFAULT_OUTPUT = 1 << 16, LONGEST_POLL_MS = 50 };

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

// collect both streams until the child has ended (true) or `until` has passed
static bool watch(const SlChild *child, Stream *out, Stream *err, double until) {
    int pause_ms = 1; // while nothing can be read
    while (!sl_child_ended(child)) {
        double left = until - sl_clock_seconds();
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

// until it has ended, and what it wrote
static void attend(const SlProcess *process, SlChild *child, Stream *out, Stream *err,
                   SlProcessResult *result) {
    double begun = sl_clock_seconds();
    double until = process->deadline_s > 0 ? begun + process->deadline_s : INFINITY;
    bool in_time = watch(child, out, err, until);
    sl_child_kill(child, result);
    if (!in_time) {
        result->end = SL_PROCESS_TIMEOUT;
        result->code = 0;
    }
    result->seconds = sl_clock_seconds() - begun;
    read_stream(out);
    read_stream(err);
}

static SlStatus run(const SlProcess *process, Stream *out, Stream *err_stream,
                    SlProcessResult *result, SlError *err) {
    SlChild child;
    int absent = 0;
    SlStatus status = sl_child_start(process, &child, &absent, err);
    if (status != SL_OK) return status;
    if (absent) {
        result->end = SL_PROCESS_ABSENT;
        result->code = absent;
        return SL_OK;
    }
    out->fd = child.out;
    err_stream->fd = child.err;
    child.out = child.err = -1;
    sl_child_close(&child); // its input is empty
    attend(process, &child, out, err_stream, result);
    close_end(&out->fd);
    close_end(&err_stream->fd);
    return SL_OK;
}

SlStatus sl_process_run(const SlProcess *process, SlArena *arena, SlProcessResult *result,
                        SlError *err) {
    size_t room = process->max_output ? process->max_output : DEFAULT_OUTPUT;
    Stream streams[2] = {{.fd = -1, .room = room}, {.fd = -1, .room = room}};
    for (int i = 0; i < 2; i++) {
        streams[i].data = SL_NEW(arena, room + 1, char);
        if (!streams[i].data) return sl_fail(err, SL_ENOMEM, "not enough memory to run a program");
    }
    *result = (SlProcessResult){.out = streams[0].data, .err = streams[1].data};
    SlStatus status = run(process, &streams[0], &streams[1], result, err);
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
