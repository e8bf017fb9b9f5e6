// evaluator_inside.h - inside task: one running copy of the user's evaluator.
//
// A copy has one request at a time. Flow: sl_copy_send -> poll copy.child -> sl_copy_attend until
// it is not SL_COPY_BUSY.
#pragma once

#include "starling/kernel/child.h"
#include "starling/task/evaluator.h"

enum { NOISE_ROOM = 200 }; // bytes kept of what a copy writes on its standard error

typedef struct {
    SlChild child;    // pid 0 = not running
    int request;      // index of the one it works on; -1 = none
    int64_t id;       // of that one
    double sent_s;    // when it got that one
    char *message;    // the line it gets
    size_t n_message; // bytes of the line
    size_t n_sent;    // of these
    size_t message_room;
    char *line; // what it wrote and was not looked at yet
    size_t n_line, line_room;
    char noise[NOISE_ROOM]; // the end of what it wrote on its standard error
    size_t n_noise;
    bool has_replied; // since it was started
} SlCopy;

typedef enum {
    SL_COPY_BUSY,    // no reply yet
    SL_COPY_REPLIED, // a reply to the request, be it good or bad
    SL_COPY_LATE,    // no reply within the time
    SL_COPY_BROKEN,  // it ended or wrote something that is not a reply
    SL_COPY_ABSENT,  // the shell did not find the command
    SL_COPY_UNREAD,  // it had ended before it read the request: to be asked again
} SlCopyState;

// Write the line of request `id`; the copy is started if it does not run. Anything but SL_OK is a
// lack of files, processes or memory of this process, or of a shell.
SlStatus sl_copy_send(SlCopy *copy, const char *command, int64_t id, const char *request,
                      SlError *err);

// Move what the pipes hold; `look` = also see whether it has ended behind them. `reply` is filled
// in all states but BUSY and UNREAD. After LATE, BROKEN, ABSENT and UNREAD the copy does not run.
SlCopyState sl_copy_attend(SlCopy *copy, double timeout_s, bool look, SlReply *reply);

void sl_copy_stop(SlCopy *copy);    // kill it; it may be used again
void sl_copy_hang_up(SlCopy *copy); // close its input
void sl_copy_discard(SlCopy *copy); // read what it wrote and drop it
void sl_copy_free(SlCopy *copy);

// A line that came for request `id`. False if it is not a reply to it; `reply` then has the reason.
bool sl_reply_parse(const char *line, size_t n, int64_t id, SlReply *reply);

// The request failed; the reason is made one valid line that fits.
void sl_reply_fail(SlReply *reply, const char *fmt, ...) SL_PRINTF(2, 3);
