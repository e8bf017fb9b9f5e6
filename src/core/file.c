// file.c - read a whole file into an arena; replace a whole file.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath
#endif
#include "starling/core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// "cannot open: No such file or directory", with the file as its place
static SlStatus fail_file(SlError *err, SlStatus status, const char *path, const char *verb,
                          int code) {
    char reason[128] = "unknown reason";
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return sl_fail_at(err, status, path, 0, 0, "cannot %s: %s", verb, reason);
}

static SlStatus fail_io(SlError *err, const char *path, const char *verb, int code) {
    return fail_file(err, SL_EIO, path, verb, code);
}

static SlStatus fail_large(SlError *err, const char *path, size_t max) {
    return sl_fail_at(err, SL_EINPUT, path, 0, 0, "expected at most %zu bytes, the file is larger",
                      max);
}

static SlStatus fail_memory(SlError *err, const char *path) {
    return sl_fail_at(err, SL_ENOMEM, path, 0, 0, "not enough memory to read the file");
}

// read() that is not stopped by signals
static ssize_t read_some(int fd, char *to, size_t room) {
    ssize_t got;
    do got = read(fd, to, room < SSIZE_MAX ? room : SSIZE_MAX);
    while (got < 0 && errno == EINTR);
    return got;
}

// all of `fd` into one NUL-terminated piece of the arena that starts with `room` bytes and doubles
static SlStatus read_all(int fd, const char *path, size_t max, size_t room, SlArena *arena,
                         SlText *whole, SlError *err) {
    for (;;) {
        // the byte behind `max` tells a file that is too large; the last one holds the NUL
        if (whole->room - whole->n < 2) {
            char *data = sl_arena_alloc(arena, room, 1);
            if (!data) return fail_memory(err, path);
            memcpy(data, whole->data, whole->n);
            whole->data = data;
            whole->room = room;
            room *= 2;
        }
        ssize_t got = read_some(fd, whole->data + whole->n, whole->room - whole->n - 1);
        if (got < 0) return fail_file(err, SL_EINPUT, path, "read", errno);
        if (got == 0) break;
        whole->n += (size_t)got;
        if (whole->n > max) return fail_large(err, path, max);
    }
    whole->data[whole->n] = '\0';
    return SL_OK;
}

// open `path`, and the number of bytes to make space for at first
static SlStatus open_input(const char *path, size_t max, int *fd, size_t *room, SlError *err) {
    *fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0) return fail_file(err, SL_EINPUT, path, "open", errno);
    struct stat info;
    bool sized = fstat(*fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    if (sized && (uintmax_t)info.st_size > max) return fail_large(err, path, max);
    *room = sized ? (size_t)info.st_size + 2 : 4096;
    return SL_OK;
}

SlStatus sl_file_read(const char *path, size_t max, SlArena *arena, char **data, size_t *n,
                      SlError *err) {
    size_t mark = sl_arena_mark(arena), room = 0;
    SlText whole;
    sl_text_init(&whole, arena);
    int fd = -1;
    SlStatus status = open_input(path, max, &fd, &room, err);
    if (status == SL_OK) status = read_all(fd, path, max, room, arena, &whole, err);
    if (fd >= 0 && strcmp(path, "-") != 0) close(fd);
    if (status != SL_OK) {
        sl_arena_rewind(arena, mark);
        return status;
    }
    *data = whole.data;
    *n = whole.n;
    return SL_OK;
}

static bool write_all(int fd, const char *data, size_t n) {
    while (n > 0) {
        ssize_t put = write(fd, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        data += put;
        n -= (size_t)put;
    }
    return true;
}

// a device or pipe cannot be replaced, only written to
static SlStatus write_through(const char *path, const char *data, size_t n, SlError *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail_io(err, path, "open", errno);
    bool written = write_all(fd, data, n);
    int code = errno;
    close(fd);
    return written ? SL_OK : fail_io(err, path, "write", code);
}

// a new file beside `path` that nobody else writes; its name goes to `name`
static int open_beside(const char *path, size_t room, char *name) {
    for (int i = 0; i < 1000; i++) {
        int n = snprintf(name, room, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (n < 0 || (size_t)n >= room) break;
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    errno = ENAMETOOLONG;
    return -1;
}

// write beside `path`, make sure the bytes are stored, then take the place of `path`
static SlStatus replace(const char *path, const char *data, size_t n, const struct stat *old,
                        SlError *err) {
    char name[PATH_MAX];
    int fd = open_beside(path, sizeof name, name);
    if (fd < 0) return fail_io(err, path, "create", errno);
    bool stored =
        write_all(fd, data, n) && (!old || fchmod(fd, old->st_mode & 07777) == 0) && fsync(fd) == 0;
    int code = errno;
    if (close(fd) != 0 && stored) {
        stored = false;
        code = errno;
    }
    if (stored && rename(name, path) == 0) return SL_OK;
    if (stored) code = errno;
    unlink(name);
    return fail_io(err, path, "write", code);
}

SlStatus sl_file_write(const char *path, const char *data, size_t n, SlError *err) {
    struct stat old;
    if (stat(path, &old) != 0) return replace(path, data, n, NULL, err);
    if (S_ISDIR(old.st_mode)) return fail_io(err, path, "write", EISDIR);
    if (!S_ISREG(old.st_mode)) return write_through(path, data, n, err);
    // behind a symbolic link the file is replaced, not the link
    char target[PATH_MAX];
    if (!realpath(path, target)) return fail_io(err, path, "write", errno);
    return replace(target, data, n, &old, err);
}
