// run_dir_lock.c - one process at a time in a run directory, and the files that earlier ones left.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "starling/job/run_dir.h"

// The folder itself is locked, so that no file of a lock is left in it.
SlStatus sl_folder_lock(const char *dir, bool *alone, SlError *err) {
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return sl_fail_at(err, SL_EIO, dir, 0, 0, "cannot be opened: %s", strerror(errno));
    *alone = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (*alone) return SL_OK; // the descriptor stays open as long as the process lives
    int code = errno;
    close(fd);
    if (code != EWOULDBLOCK) return SL_OK; // a file system without locks
    return sl_fail(err, SL_EINPUT, "another process works in %.200s", dir);
}

// ---- what is left there ----

// the length of a number that a text ends with, before the first `n` characters end
static size_t digits_before(const char *text, size_t n) {
    size_t used = 0;
    while (used < n && isdigit((unsigned char)text[n - 1 - used])) used++;
    return used;
}

// a name that sl_file_write gives a file until it is whole: NAME.PID-NUMBER.tmp
static bool is_half_written(const char *name) {
    static const char end[] = ".tmp";
    size_t n = strlen(name);
    if (n < sizeof end || strcmp(name + n - (sizeof end - 1), end) != 0) return false;
    n -= sizeof end - 1;
    size_t number = digits_before(name, n);
    n -= number;
    if (number == 0 || n == 0 || name[n - 1] != '-') return false;
    size_t process = digits_before(name, --n);
    n -= process;
    return process > 0 && n > 1 && name[n - 1] == '.';
}

// what runs write into folders of their own: mappings, certificates
static bool is_result(const char *name) {
    static const char *const ends[] = {".json", ".yaml", ".m", ".cert"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(dot, ends[i]) == 0) return true;
    return false;
}

static void remove_some(const char *dir, const char *const *folders, bool (*which)(const char *)) {
    for (; *folders; folders++) {
        char path[SL_FOLDER_PATH];
        sl_folder_path(dir, *folders, path);
        DIR *list = opendir(path);
        if (!list) continue;
        for (const struct dirent *entry; (entry = readdir(list));)
            if (which(entry->d_name)) unlinkat(dirfd(list), entry->d_name, 0);
        closedir(list);
    }
}

void sl_folder_sweep(const char *dir, const char *const *folders) {
    remove_some(dir, folders, is_half_written);
}

void sl_folder_empty(const char *dir, const char *const *folders) {
    remove_some(dir, folders, is_result);
}
