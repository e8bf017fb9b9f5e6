// build.h - C programs from generated text: the system's compiler in a child, and a folder of
// programs that were built before.
//
// Flow: sl_compiler_init -> a bench of kernels (kernel.h) or a witness (kernel/witness.h).
//
// A program is known by a hash of its text and of everything that the compiler says about itself
// and its flags (its version, and what -march=native means here), so a folder that several machines
// share is safe. Programs enter the folder by a rename: whoever looks sees a whole one or none, and
// any number of processes may share a folder.
#pragma once

#include "starling/kernel/process.h"

SL_API_BEGIN

// How a build or a run ended; the numbers of TVM's MeasureErrorNo (apache/tvm v0.9.0,
// python/tvm/autotvm/measure/measure.py), of which 3 is for devices with a compiler of their own.
typedef enum {
    SL_KERNEL_OK = 0,
    SL_KERNEL_UNFIT = 1,         // the schedule makes no program (instantiation)
    SL_KERNEL_UNBUILT = 2,       // the compiler refused it
    SL_KERNEL_CRASHED = 4,       // it was killed or ended with an error
    SL_KERNEL_WRONG = 5,         // it computes something else; it was not timed
    SL_KERNEL_BUILD_TIMEOUT = 6, // the compiler took too long
    SL_KERNEL_RUN_TIMEOUT = 7,   // the program took too long
    SL_KERNEL_UNKNOWN = 8,       // no compiler, no memory, no space, an answer that makes no sense
} SlKernelError;

// "none", "instantiation", "compile error", ...; for any number.
const char *sl_kernel_error_name(SlKernelError error);

// GCC's predictive commoning keeps inputs for the next column of a filter and spills sums for them;
// without it register blocks are up to twice as fast. Clang has no such thing and ignores the word.
#define SL_COMPILER_FLAGS "-O3 -march=native -fno-predictive-commoning"

// How to call it. Zeros are good defaults.
typedef struct {
    const char *compiler; // a name or a path; NULL = "cc"
    const char *flags;    // words between blanks; NULL = SL_COMPILER_FLAGS
    const char *folder;   // of programs; NULL = starling/kernels in $XDG_CACHE_HOME or ~/.cache
    double timeout_s;     // per program; 0 = 30
    size_t most_bytes;    // of the folder; 0 = 256 MiB
} SlCompilerOptions;

// A compiler and a folder, ready. Plain value; not changed by building, so threads may share it.
typedef struct {
    char compiler[SL_FOLDER_ROOM], flags[256];
    char folder[SL_FOLDER_ROOM - 64]; // leaves space for names in it
    double timeout_s;
    uint64_t identity[2]; // hash of the compiler and of what its flags mean on this machine
} SlCompiler;

// Ask the compiler who it is, make the folder, and remove the programs that were not used for the
// longest time while the folder is larger than `most_bytes`. `options` may be NULL. SL_EINPUT if
// there is no such compiler or it does not know the flags, SL_EIO if the folder cannot be made.
SlStatus sl_compiler_init(SlCompiler *compiler, const SlCompilerOptions *options, SlError *err);

SL_API_END
