// build.c - the compiler in a child, and programs known by the hash of their text.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // mkdtemp, utimensat
#endif
#include "starling/kernel/build.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_inside.h"
#include "hash.h"

enum { MOST_FLAGS = 32, MOST_SOURCE_BYTES = 1 << 24 };
enum { COMPILER_MEMORY_MIB = 2048, COMPILER_FILE_MIB = 64 };

const char *sl_kernel_error_name(SlKernelError error) {
    switch (error) {
    case SL_KERNEL_OK:
        return "none";
    case SL_KERNEL_UNFIT:
        return "instantiation";
    case SL_KERNEL_UNBUILT:
        return "compile error";
    case SL_KERNEL_CRASHED:
        return "runtime error";
    case SL_KERNEL_WRONG:
        return "wrong answer";
    case SL_KERNEL_BUILD_TIMEOUT:
        return "build timeout";
    case SL_KERNEL_RUN_TIMEOUT:
        return "run timeout";
    default:
        return "unknown error";
    }
}

// --- Calling the compiler

// The words of one call.
typedef struct {
    char words[256];                   // the flags, cut at blanks
    const char *argv[MOST_FLAGS + 16]; // ends with NULL
} Call;

static void start_call(const SlCompiler *compiler, Call *call) {
    int n = 0;
    snprintf(call->words, sizeof call->words, "%s", compiler->flags);
    call->argv[n++] = compiler->compiler;
    char *rest = NULL;
    for (char *word = strtok_r(call->words, " ", &rest); word && n <= MOST_FLAGS;
         word = strtok_r(NULL, " ", &rest))
        call->argv[n++] = word;
    call->argv[n] = NULL;
}

static void add_words(Call *call, const char *const *words) {
    int n = 0;
    while (call->argv[n]) n++;
    for (; *words; words++) {
        assert(n < MOST_FLAGS + 15);
        call->argv[n++] = *words;
    }
    call->argv[n] = NULL;
}

static SlProcess child_of(const SlCompiler *compiler, const Call *call) {
    return (SlProcess){.argv = call->argv,
                       .deadline_s = compiler->timeout_s,
                       .memory_bytes = (size_t)COMPILER_MEMORY_MIB << 20,
                       .file_bytes = (size_t)COMPILER_FILE_MIB << 20};
}

// the first line of the compiler's words that tells an error, else the first line
static void first_error(const char *text, size_t n, char *out) {
    const char *line = strstr(text, "error:");
    if (!line) line = text;
    while (line > text && line[-1] != '\n') line--;
    snprintf(out, n, "%.*s", (int)strcspn(line, "\n"), line);
}

// --- Getting ready

static bool copy_text(char *to, size_t room, const char *from) {
    int n = snprintf(to, room, "%s", from);
    return n >= 0 && (size_t)n < room;
}

static bool default_folder(size_t room, char *path) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (cache && *cache == '/')
        n = snprintf(path, room, "%s/starling/kernels", cache);
    else if (home && *home)
        n = snprintf(path, room, "%s/.cache/starling/kernels", home);
    return n >= 0 && (size_t)n < room;
}

// make a folder and those above it
static bool make_folders(const char *path) {
    char part[SL_FOLDER_ROOM];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
            return false;
        *slash = '/';
    }
    struct stat info;
    if (mkdir(part, 0700) != 0 && errno != EEXIST) return false;
    return stat(part, &info) == 0 && S_ISDIR(info.st_mode);
}

// "-v" makes a compiler name its version and what it passes on, -march=native spelled out; it
// compiles nothing
static SlStatus identify(SlCompiler *compiler, SlError *err) {
    SlArena arena;
    Call call;
    SlProcessResult result;
    sl_arena_init(&arena, 0);
    start_call(compiler, &call);
    add_words(&call, (const char *const[]){"-v", "-E", "-x", "c", "/dev/null", NULL});
    SlProcess process = child_of(compiler, &call);
    SlStatus status = sl_process_run(&process, &arena, &result, err);
    if (status == SL_OK && (result.end != SL_PROCESS_EXITED || result.code != 0)) {
        char how[128], line[256] = "";
        sl_process_show(&process, &result, sizeof how, how);
        if (strstr(result.err, "error:")) first_error(result.err, sizeof line, line);
        status = sl_fail(err, SL_EINPUT, "the C compiler '%s %s' %s%s%s", compiler->compiler,
                         compiler->flags, how, *line ? ": " : "", line);
    }
    if (status == SL_OK) {
        sl_hash_init(compiler->identity);
        sl_hash_add(compiler->identity, result.n_err, result.err);
        sl_hash_add(compiler->identity, strlen(compiler->flags) + 1, compiler->flags);
    }
    sl_arena_free(&arena);
    return status;
}

SlStatus sl_compiler_init(SlCompiler *compiler, const SlCompilerOptions *options, SlError *err) {
    SlCompilerOptions given = options ? *options : (SlCompilerOptions){0};
    *compiler = (SlCompiler){.timeout_s = given.timeout_s > 0 ? given.timeout_s : 30};
    const char *name = given.compiler ? given.compiler : "cc";
    const char *flags = given.flags ? given.flags : SL_COMPILER_FLAGS;
    if (!copy_text(compiler->compiler, sizeof compiler->compiler, name) ||
        !copy_text(compiler->flags, sizeof compiler->flags, flags))
        return sl_fail(err, SL_EINPUT, "the compiler's name or its flags are too long");
    if (given.folder ? !copy_text(compiler->folder, sizeof compiler->folder, given.folder)
                     : !default_folder(sizeof compiler->folder, compiler->folder))
        return sl_fail(err, SL_EINPUT,
                       "no folder for programs: HOME is not set, or too long a path");
    if (!make_folders(compiler->folder))
        return sl_fail_at(err, SL_EIO, compiler->folder, 0, 0, "cannot make the folder");
    sl_shelf_trim(compiler->folder, given.most_bytes ? given.most_bytes : (size_t)256 << 20);
    return identify(compiler, err);
}

// --- Building

static void fail_build(SlBuild *build, SlKernelError error, const char *why) {
    build->error = error;
    snprintf(build->why, sizeof build->why, "%.255s", why);
}

static bool write_source(const char *path, const char *text, size_t n) {
    FILE *file = fopen(path, "we");
    if (!file) return false;
    bool whole = fwrite(text, 1, n, file) == n;
    return fclose(file) == 0 && whole;
}

// what the compiler's end means
static void judge(const SlProcess *process, const SlProcessResult *result, SlBuild *build) {
    char how[128], why[256];
    build->seconds = result->seconds;
    if (result->end == SL_PROCESS_EXITED && result->code == 0) return;
    sl_process_show(process, result, sizeof how, how);
    snprintf(why, sizeof why, "the compiler %s", how);
    if (result->end == SL_PROCESS_TIMEOUT) {
        fail_build(build, SL_KERNEL_BUILD_TIMEOUT, why);
    } else if (result->end == SL_PROCESS_ABSENT) {
        fail_build(build, SL_KERNEL_UNKNOWN, why);
    } else {
        if (result->end == SL_PROCESS_EXITED && result->n_err)
            first_error(result->err, sizeof why, why);
        fail_build(build, SL_KERNEL_UNBUILT, why);
    }
}

// compile in `work`, a folder within the compiler's, and move the program to its place
static void compile_in(const SlCompiler *compiler, const char *work, const char *text, size_t n,
                       SlBuild *build) {
    char source[SL_FOLDER_ROOM + 16], program[SL_FOLDER_ROOM + 16];
    snprintf(source, sizeof source, "%s/kernel.c", work);
    snprintf(program, sizeof program, "%s/kernel", work);
    if (!write_source(source, text, n)) {
        fail_build(build, SL_KERNEL_UNKNOWN, "the source cannot be written");
        return;
    }
    SlArena arena;
    SlError err;
    Call call;
    SlProcessResult result;
    sl_arena_init(&arena, 0);
    start_call(compiler, &call);
    add_words(&call, (const char *const[]){"-o", "kernel", "kernel.c", "-pthread", "-lm", NULL});
    SlProcess process = child_of(compiler, &call);
    process.folder = work;
    if (sl_process_run(&process, &arena, &result, &err) != SL_OK)
        fail_build(build, SL_KERNEL_UNKNOWN, err.text);
    else
        judge(&process, &result, build);
    sl_arena_free(&arena);
    if (build->error == SL_KERNEL_OK && rename(program, build->path) != 0)
        fail_build(build, SL_KERNEL_UNKNOWN, "the program cannot be moved to its folder");
}

void sl_compiler_build(const SlCompiler *compiler, const char *text, size_t n, SlBuild *build) {
    uint64_t hash[2] = {compiler->identity[0], compiler->identity[1]};
    *build = (SlBuild){.error = SL_KERNEL_OK};
    sl_hash_add(hash, n, text);
    snprintf(build->path, sizeof build->path, "%s/%016llx%016llx", compiler->folder,
             (unsigned long long)hash[0], (unsigned long long)hash[1]);
    if (access(build->path, X_OK) == 0) {
        build->cached = true;
        utimensat(AT_FDCWD, build->path, NULL, 0); // used now
        return;
    }
    char work[SL_FOLDER_ROOM];
    snprintf(work, sizeof work, "%s/work-XXXXXX", compiler->folder);
    if (n > MOST_SOURCE_BYTES) {
        fail_build(build, SL_KERNEL_UNFIT, "the source is larger than 16 MiB");
    } else if (!mkdtemp(work)) {
        fail_build(build, SL_KERNEL_UNKNOWN, "cannot make a folder to build in");
    } else {
        compile_in(compiler, work, text, n, build);
        sl_folder_remove(work);
    }
}
