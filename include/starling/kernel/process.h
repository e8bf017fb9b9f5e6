// process.h - a program in a child process that cannot hurt the caller: what to run, within which
// limits, and how it ended.
//
// Flow: SlProcess -> sl_child_start (kernel/child.h) ... -> SlProcessResult -> sl_process_show.
//
// A child is always a program (fork, then exec), never a function of the caller: between the two
// only calls that are safe in a process with threads are made. Code that is generated is therefore
// a whole program with a main; what it finds out it prints. Nothing here prints or keeps state, so
// any number of threads may run children at the same time.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum { SL_FOLDER_ROOM = 512 }; // bytes of a folder's path, NUL included

// What to run. Zeros are good defaults for all but `argv`.
typedef struct {
    const char *const *argv; // ends with NULL; a name without '/' is looked for in PATH
    const char *folder;      // to work in; NULL = the caller's
    double deadline_s;       // wall clock until the child's process group is killed; 0 = none
    double cpu_s;            // processor time of each process, rounded up; 0 = no limit
    size_t memory_bytes;     // address space of each process; 0 or SIZE_MAX = no limit
    size_t file_bytes;       // largest file it may write; 0 = no limit
    bool dies_with_caller;   // killed when the thread that started it ends (Linux; else ignored)
    size_t max_output;       // bytes kept of each stream, the rest is read and dropped; 0 = 64 KiB
} SlProcess;

typedef enum {
    SL_PROCESS_EXITED,  // `code` is the exit code
    SL_PROCESS_KILLED,  // `code` is the signal that ended it
    SL_PROCESS_TIMEOUT, // it was running at the deadline; its whole process group was killed
    SL_PROCESS_ABSENT,  // it could not be started; `code` is the errno, or 0
} SlProcessEnd;

typedef struct {
    SlProcessEnd end;
    int code;
    double seconds;  // wall clock from start to end
    char *out, *err; // (n_out), (n_err) with a closing NUL, in the arena; never NULL
    size_t n_out, n_err;
    bool cut; // a stream was longer than max_output
} SlProcessResult;

// "ended with code 1", "was killed by signal 11 (Segmentation fault)", "took longer than 2 s",
// "cannot be started: No such file or directory". At most n-1 bytes into `out`, which is returned.
const char *sl_process_show(const SlProcess *process, const SlProcessResult *result, size_t n,
                            char *out);

SL_API_END
