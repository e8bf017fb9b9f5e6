// evaluator.c - requests handed to copies of the user's evaluator, replies in order.
//
// One loop around poll: every idle copy gets the next request, then we wait for the first pipe that
// moves, the next deadline, or 50 ms. Replies are attended in the order of the copies.
#include "starling/task/evaluator.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "evaluator_inside.h"

enum { LONGEST_POLL_MS = 50, STREAMS = 3 };
static const double default_timeout_s = 600, longest_timeout_s = 1e6, closing_s = 2;

struct SlEvaluator {
    char *command;
    double timeout_s;
    int64_t last_id;
    bool has_replied; // any copy, ever
    int n_broken;     // requests that failed by its fault before it ever replied
    double looked_s;  // when we last saw which copies have ended
    int n_copies;
    SlCopy *copies;     // (n_copies)
    struct pollfd *fds; // (n_copies, STREAMS)
};

static SlStatus check_setup(const SlEvaluatorSetup *setup, SlError *err) {
    if (!setup->command || !setup->command[strspn(setup->command, " \t\n")])
        return sl_fail(err, SL_EINPUT, "expected a command that starts the evaluator, got none");
    if (setup->copies < 0 || setup->copies > SL_EVALUATOR_MAX_COPIES)
        return sl_fail(err, SL_EINPUT, "expected 1 to %d copies of the evaluator, got %d",
                       SL_EVALUATOR_MAX_COPIES, setup->copies);
    if (!(setup->timeout_s >= 0 && setup->timeout_s <= longest_timeout_s))
        return sl_fail(err, SL_EINPUT,
                       "expected a time limit of at most %g s for a request, got %g",
                       longest_timeout_s, setup->timeout_s);
    return SL_OK;
}

SlStatus sl_evaluator_open(const SlEvaluatorSetup *setup, SlEvaluator **evaluator, SlError *err) {
    SlStatus status = check_setup(setup, err);
    if (status != SL_OK) return status;
    int n = setup->copies ? setup->copies : 1;
    SlEvaluator *made = calloc(1, sizeof *made);
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory for the evaluator");
    made->timeout_s = setup->timeout_s > 0 ? setup->timeout_s : default_timeout_s;
    made->command = strdup(setup->command);
    made->copies = calloc((size_t)n, sizeof *made->copies);
    made->fds = calloc((size_t)n * STREAMS, sizeof *made->fds);
    made->n_copies = made->copies ? n : 0;
    for (int i = 0; i < made->n_copies; i++) {
        made->copies[i].request = -1;
        made->copies[i].child = (SlChild){.in = -1, .out = -1, .err = -1};
    }
    if (!made->command || !made->copies || !made->fds) {
        sl_evaluator_close(made);
        return sl_fail(err, SL_ENOMEM, "not enough memory for the evaluator");
    }
    *evaluator = made;
    return SL_OK;
}

// --- Asking

// What a call of ask is about.
typedef struct {
    int n, n_given, n_done; // requests: all, given to a copy, with a reply
    const char *const *requests;
    SlReply *replies;
} Batch;

static SlStatus hand_out(SlEvaluator *evaluator, Batch *batch, SlError *err) {
    for (int i = 0; i < evaluator->n_copies && batch->n_given < batch->n; i++) {
        SlCopy *copy = &evaluator->copies[i];
        if (copy->request >= 0) continue;
        SlStatus status = sl_copy_send(copy, evaluator->command, ++evaluator->last_id,
                                       batch->requests[batch->n_given], err);
        if (status != SL_OK) return status;
        copy->request = batch->n_given++;
    }
    return SL_OK;
}

// until a pipe moves, a request is late, or it is time to look around
static void wait_any(SlEvaluator *evaluator) {
    double now = sl_clock_seconds(), wait_s = 1e-3 * LONGEST_POLL_MS;
    for (int i = 0; i < evaluator->n_copies; i++) {
        const SlCopy *copy = &evaluator->copies[i];
        bool busy = copy->request >= 0, unsent = copy->n_sent < copy->n_message;
        struct pollfd *fds = evaluator->fds + (size_t)i * STREAMS;
        fds[0] = (struct pollfd){.fd = busy && unsent ? copy->child.in : -1, .events = POLLOUT};
        fds[1] = (struct pollfd){.fd = busy ? copy->child.out : -1, .events = POLLIN};
        fds[2] = (struct pollfd){.fd = busy ? copy->child.err : -1, .events = POLLIN};
        if (busy) wait_s = fmin(wait_s, copy->sent_s + evaluator->timeout_s - now);
    }
    int wait_ms = wait_s > 0 ? (int)ceil(1e3 * wait_s) : 0;
    poll(evaluator->fds, (nfds_t)evaluator->n_copies * STREAMS, wait_ms);
}

// an evaluator that has never replied is given up after some requests
static SlStatus count_broken(SlEvaluator *evaluator, SlCopyState state, const SlReply *reply,
                             SlError *err) {
    if (evaluator->has_replied || state == SL_COPY_LATE) return SL_OK;
    evaluator->n_broken++;
    if (state != SL_COPY_ABSENT && evaluator->n_broken < SL_EVALUATOR_TRIES) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, evaluator->command, 0, 0,
                      "%s; expected one JSON line per request, see docs/formats/evaluator.md",
                      reply->reason);
}

static SlStatus attend(SlEvaluator *evaluator, SlCopy *copy, bool look, Batch *batch,
                       SlError *err) {
    int request = copy->request;
    SlReply reply = {.value = INFINITY};
    SlCopyState state = sl_copy_attend(copy, evaluator->timeout_s, look, &reply);
    if (state == SL_COPY_BUSY) return SL_OK;
    if (state == SL_COPY_UNREAD) {
        copy->request = request;
        return sl_copy_send(copy, evaluator->command, copy->id, batch->requests[request], err);
    }
    batch->replies[request] = reply;
    batch->n_done++;
    if (state != SL_COPY_REPLIED) return count_broken(evaluator, state, &reply, err);
    evaluator->has_replied = true;
    return SL_OK;
}

static SlStatus attend_all(SlEvaluator *evaluator, Batch *batch, SlError *err) {
    SlStatus status = SL_OK;
    double now = sl_clock_seconds();
    bool look = now - evaluator->looked_s >= 1e-3 * LONGEST_POLL_MS;
    if (look) evaluator->looked_s = now;
    for (int i = 0; i < evaluator->n_copies && status == SL_OK; i++) {
        SlCopy *copy = &evaluator->copies[i];
        const struct pollfd *fds = evaluator->fds + (size_t)i * STREAMS;
        bool moved = fds[0].revents || fds[1].revents || fds[2].revents;
        bool late = now - copy->sent_s >= evaluator->timeout_s;
        if (copy->request >= 0 && (moved || look || late))
            status = attend(evaluator, copy, look, batch, err);
    }
    return status;
}

// SIGPIPE waits while we write to programs that may have ended; ours is taken back
static void hold_sigpipe(sigset_t *before, bool *was_pending) {
    sigset_t pipe_only, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    *was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only, before);
}

static void release_sigpipe(const sigset_t *before, bool was_pending) {
    sigset_t pipe_only, pending;
    int taken;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    if (!was_pending && sigismember(&pending, SIGPIPE) == 1) sigwait(&pipe_only, &taken);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

SlStatus sl_evaluator_ask(SlEvaluator *evaluator, int n, const char *const *requests,
                          bool (*stop)(void *context), void *context, SlReply *replies,
                          SlError *err) {
    Batch batch = {.n = n, .requests = requests, .replies = replies};
    sigset_t before;
    bool was_pending;
    SlStatus status = SL_OK;
    for (int i = 0; i < n; i++) {
        replies[i].seconds = 0;
        sl_reply_fail(&replies[i], "interrupted");
    }
    hold_sigpipe(&before, &was_pending);
    while (status == SL_OK && batch.n_done < n && !(stop && stop(context))) {
        status = hand_out(evaluator, &batch, err);
        if (status != SL_OK) break;
        wait_any(evaluator);
        status = attend_all(evaluator, &batch, err);
    }
    // a copy whose reply nobody waits for would be out of step
    for (int i = 0; i < evaluator->n_copies; i++)
        if (evaluator->copies[i].request >= 0) sl_copy_stop(&evaluator->copies[i]);
    release_sigpipe(&before, was_pending);
    return status;
}

// --- Closing

static bool any_runs(const SlEvaluator *evaluator) {
    bool runs = false;
    for (int i = 0; i < evaluator->n_copies; i++) {
        SlCopy *copy = &evaluator->copies[i];
        if (!copy->child.pid) continue;
        sl_copy_discard(copy);
        runs |= !sl_child_ended(&copy->child);
    }
    return runs;
}

void sl_evaluator_close(SlEvaluator *evaluator) {
    if (!evaluator) return;
    for (int i = 0; i < evaluator->n_copies; i++) sl_copy_hang_up(&evaluator->copies[i]);
    double until = sl_clock_seconds() + closing_s;
    long nap_ns = 500000;
    while (any_runs(evaluator) && sl_clock_seconds() < until) {
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        if (nap_ns < 10000000) nap_ns *= 2;
    }
    for (int i = 0; i < evaluator->n_copies; i++) sl_copy_free(&evaluator->copies[i]);
    free(evaluator->copies);
    free(evaluator->fds);
    free(evaluator->command);
    free(evaluator);
}
