// folder.c - folders for the time of one job.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // mkdtemp, nftw
#endif
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_inside.h"
#include "starling/kernel/process.h"

SlStatus sl_folder_make(char path[static SL_FOLDER_ROOM], SlError *err) {
    const char *place = getenv("TMPDIR");
    if (!place || !*place) place = P_tmpdir;
    int n = snprintf(path, SL_FOLDER_ROOM, "%s/starling-XXXXXX", place);
    if (n < 0 || n >= SL_FOLDER_ROOM)
        return sl_fail_at(err, SL_EIO, place, 0, 0, "the path is too long to work in");
    if (!mkdtemp(path)) {
        char reason[128] = "unknown reason";
        if (strerror_r(errno, reason, sizeof reason) != 0) reason[0] = '\0';
        return sl_fail_at(err, SL_EIO, place, 0, 0, "cannot make a folder: %s", reason);
    }
    return SL_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    remove(path); // NOLINT(bugprone-unused-return-value): what cannot be removed stays
    return 0;
}

void sl_folder_remove(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
