// evaluator_copy.c - one running copy of the user's evaluator: its pipes, its end, its restart.
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "evaluator_inside.h"

enum { READ_BYTES = 1 << 14, NOT_FOUND = 127, NOT_EXECUTABLE = 126 };
enum { MOST_READS = 32 }; // of 4 KiB at a time, twice what a pipe holds: some never stop writing
static const double grace_s = 0.25; // from the end of its output to its own end

static SlStatus fail_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory to talk to the evaluator");
}

// space for `n` more bytes behind `used`
static bool reserve(char **data, size_t *room, size_t used, size_t n) {
    if (used + n <= *room) return true;
    size_t wanted = 2 * (used + n);
    char *grown = realloc(*data, wanted);
    if (!grown) return false;
    *data = grown;
    *room = wanted;
    return true;
}

static void close_stream(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// --- Starting and stopping

static SlStatus start(SlCopy *copy, const char *command, SlError *err) {
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    SlProcess process = {.argv = argv, .dies_with_caller = true};
    int absent = 0;
    SlStatus status = sl_child_start(&process, &copy->child, &absent, err);
    copy->n_line = 0;
    copy->has_replied = false;
    if (status == SL_OK && absent) status = sl_fail(err, SL_EIO, "cannot start /bin/sh");
    return status;
}

void sl_copy_stop(SlCopy *copy) {
    sl_child_kill(&copy->child, NULL);
    sl_child_close(&copy->child);
    copy->request = -1;
}

void sl_copy_hang_up(SlCopy *copy) {
    close_stream(&copy->child.in);
}

void sl_copy_free(SlCopy *copy) {
    sl_copy_stop(copy);
    free(copy->message);
    free(copy->line);
}

// --- What goes out and comes in. A stream that is over is closed.

// false if nothing was read for now
static bool read_some(int *fd, char *out, size_t room, size_t *n) {
    ssize_t got;
    if (*fd < 0) return false;
    do got = read(*fd, out, room);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got < 0 && errno != EAGAIN)) close_stream(fd);
    *n = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void write_message(SlCopy *copy) {
    while (copy->child.in >= 0 && copy->n_sent < copy->n_message) {
        ssize_t put =
            write(copy->child.in, copy->message + copy->n_sent, copy->n_message - copy->n_sent);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0 && errno == EAGAIN) return;
        if (put < 0)
            close_stream(&copy->child.in); // it reads no more; its output and its end say the rest
        else
            copy->n_sent += (size_t)put;
    }
}

// keep the end of what it says
static void read_noise(SlCopy *copy) {
    char bytes[1 << 12];
    size_t n = 0;
    for (int i = 0; i < MOST_READS && read_some(&copy->child.err, bytes, sizeof bytes, &n); i++) {
        size_t fresh = n < NOISE_ROOM ? n : NOISE_ROOM;
        size_t kept = copy->n_noise < NOISE_ROOM - fresh ? copy->n_noise : NOISE_ROOM - fresh;
        memmove(copy->noise, copy->noise + copy->n_noise - kept, kept);
        memcpy(copy->noise + kept, bytes + n - fresh, fresh);
        copy->n_noise = kept + fresh;
    }
}

// read until there is a line, at most one that is too long; `size` = bytes without the line break
static bool read_line(SlCopy *copy, size_t *size) {
    size_t seen = 0;
    for (;;) {
        const char *end =
            seen < copy->n_line ? memchr(copy->line + seen, '\n', copy->n_line - seen) : NULL;
        *size = end ? (size_t)(end - copy->line) : copy->n_line;
        if (end || copy->n_line > SL_EVALUATOR_MAX_LINE) return true;
        seen = copy->n_line;
        size_t n = 0;
        if (!reserve(&copy->line, &copy->line_room, seen, READ_BYTES)) {
            close_stream(&copy->child.out);
            return false;
        }
        if (!read_some(&copy->child.out, copy->line + seen, READ_BYTES, &n)) return false;
        copy->n_line += n;
    }
}

void sl_copy_discard(SlCopy *copy) {
    char bytes[1 << 12];
    size_t n;
    for (int i = 0; i < MOST_READS; i++) {
        read_some(&copy->child.out, bytes, sizeof bytes, &n);
        read_some(&copy->child.err, bytes, sizeof bytes, &n);
    }
}

// --- A request

SlStatus sl_copy_send(SlCopy *copy, const char *command, int64_t id, const char *request,
                      SlError *err) {
    assert(!strchr(request, '\n'));
    if (copy->child.pid && (copy->child.in < 0 || sl_child_ended(&copy->child))) sl_copy_stop(copy);
    read_noise(copy);
    copy->n_noise = 0; // what it said belongs to the requests before
    SlStatus status = copy->child.pid ? SL_OK : start(copy, command, err);
    if (status != SL_OK) return status;
    size_t n = strlen(request), frame = 64;
    if (!reserve(&copy->message, &copy->message_room, 0, n + frame)) return fail_memory(err);
    int size = snprintf(copy->message, n + frame, "{\"v\":1,\"id\":%" PRId64 "%s%s}\n", id,
                        n ? "," : "", request);
    copy->id = id;
    copy->n_message = (size_t)size;
    copy->n_sent = 0;
    copy->sent_s = sl_clock_seconds();
    write_message(copy);
    return SL_OK;
}

// did it end with the request in its pipe? Where the system does not say it, it did not.
static bool left_unread(const SlCopy *copy) {
    int n_unread = 0;
    if (copy->n_sent < copy->n_message) return true;
    return copy->child.in >= 0 && ioctl(copy->child.in, FIONREAD, &n_unread) == 0 && n_unread > 0;
}

// the last line of its standard error that is not empty, in brackets; "" if there is none
static void show_noise(SlCopy *copy, char out[static NOISE_ROOM + 8]) {
    size_t end = copy->n_noise;
    while (end > 0 && strchr("\r\n\t ", copy->noise[end - 1])) end--;
    size_t begin = end;
    while (begin > 0 && copy->noise[begin - 1] != '\n') begin--;
    // a character whose beginning was not kept
    while (begin < end && ((unsigned char)copy->noise[begin] & 0xC0) == 0x80) begin++;
    out[0] = '\0';
    if (begin < end)
        snprintf(out, NOISE_ROOM + 8, " (%.*s)", (int)(end - begin), copy->noise + begin);
}

// it closed its output: give it a moment to end
static void await_end(const SlCopy *copy) {
    double until = sl_clock_seconds() + grace_s;
    while (!sl_child_ended(&copy->child) && sl_clock_seconds() < until)
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

// the copy ended, or closed its output, which is as good, before it replied
static SlCopyState take_end(SlCopy *copy, SlReply *reply) {
    char how[128], noise[NOISE_ROOM + 8];
    SlProcessResult result = {.end = SL_PROCESS_EXITED};
    await_end(copy);
    bool closed = !sl_child_ended(&copy->child);
    bool unread = copy->has_replied && left_unread(copy);
    sl_child_kill(&copy->child, &result);
    read_noise(copy);
    show_noise(copy, noise);
    sl_copy_stop(copy);
    if (unread) return SL_COPY_UNREAD;
    sl_process_show(&(SlProcess){0}, &result, sizeof how, how);
    sl_reply_fail(reply, "the evaluator %s before it answered%s",
                  closed ? "closed its output" : how, noise);
    bool absent = result.end == SL_PROCESS_EXITED &&
                  (result.code == NOT_FOUND || result.code == NOT_EXECUTABLE);
    return absent && !closed ? SL_COPY_ABSENT : SL_COPY_BROKEN;
}

// `size` bytes and a line break stand at the front of the buffer
static SlCopyState take_line(SlCopy *copy, size_t size, SlReply *reply) {
    if (!sl_reply_parse(copy->line, size, copy->id, reply)) {
        sl_copy_stop(copy);
        return SL_COPY_BROKEN;
    }
    copy->n_line -= size + 1;
    memmove(copy->line, copy->line + size + 1, copy->n_line);
    copy->has_replied = true;
    copy->request = -1;
    return SL_COPY_REPLIED;
}

SlCopyState sl_copy_attend(SlCopy *copy, double timeout_s, bool look, SlReply *reply) {
    size_t size = 0;
    bool ended = look && sl_child_ended(&copy->child); // first, so that its last words are read
    write_message(copy);
    read_noise(copy);
    reply->seconds = sl_clock_seconds() - copy->sent_s;
    if (read_line(copy, &size)) return take_line(copy, size, reply);
    if (ended || copy->child.out < 0) return take_end(copy, reply);
    if (reply->seconds < timeout_s) return SL_COPY_BUSY;
    sl_reply_fail(reply, "no reply within %g s", timeout_s);
    sl_copy_stop(copy);
    return SL_COPY_LATE;
}
