// child.h - a program that runs beside the caller, with pipes for its standard streams.
//
// Flow: sl_child_start -> write to child.in, poll and read child.out and child.err ... ->
// sl_child_kill -> read what is left -> sl_child_close.
//
// What to run, and how it ended: kernel/process.h.
#pragma once

#include "starling/kernel/process.h"

SL_API_BEGIN

// A running child; open, so that the descriptors can be polled. They never block and are not
// inherited by other children. Writing to a child that has ended raises SIGPIPE in the caller.
typedef struct {
    int pid;          // also the number of its process group; 0 = none
    int in, out, err; // our ends of its standard streams; -1 = closed
} SlChild;

// Start a program; of `process`, deadline and output are the caller's business. If the program
// cannot be started, `absent` is the errno and there is no child, else it is 0. SL_EIO if this
// process lacks files or processes to run it.
SlStatus sl_child_start(const SlProcess *process, SlChild *child, int *absent, SlError *err);

// Has it ended? It is not reaped, so its number still belongs to it.
bool sl_child_ended(const SlChild *child);

// Kill its process group if it still runs, reap it and say how it ended (`end` and `code`; `result`
// may be NULL). The streams stay open: what it wrote can still be read.
void sl_child_kill(SlChild *child, SlProcessResult *result);

// Close the streams that are still open.
void sl_child_close(SlChild *child);

SL_API_END
