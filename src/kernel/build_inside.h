// build_inside.h - inside kernel: a program built from text, run in a child, and folders to do it
// in.
//
// Flow: sl_folder_make -> sl_process_run (a program) ... -> sl_folder_remove.
//       sl_compiler_build (text -> path of a program) ... -> sl_process_run.
#pragma once

#include "starling/kernel/build.h"

// Run and wait. Standard input is empty. Returns only when the child has ended; whatever it left
// running in its process group is killed then. Everything that can go wrong with the child is in
// `result`; SL_ENOMEM or SL_EIO if this process lacks memory, files or processes to run it.
SlStatus sl_process_run(const SlProcess *process, SlArena *arena, SlProcessResult *result,
                        SlError *err);

// A new empty folder that only the user may enter, in $TMPDIR or the system's place for them.
SlStatus sl_folder_make(char path[SL_AT_LEAST(SL_FOLDER_ROOM)], SlError *err);

// Remove a folder and all it holds; links are removed, not followed. What cannot be removed stays.
void sl_folder_remove(const char *path);

// How a build ended.
typedef struct {
    SlKernelError error;       // SL_KERNEL_OK, UNBUILT, BUILD_TIMEOUT or UNKNOWN
    bool cached;               // it was there already, the compiler was not called
    double seconds;            // that the compiler took
    char path[SL_FOLDER_ROOM]; // of the program
    char why[256];             // one sentence; the first error of the compiler
} SlBuild;

// Build `text` (n), a C program of one file; -lm and -pthread are given. The program stays in the
// folder.
void sl_compiler_build(const SlCompiler *compiler, const char *text, size_t n, SlBuild *build);
