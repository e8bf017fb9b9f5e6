// folder.c - a folder of its own for the files of a test.
#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/check.h"

void folder_make(Folder *folder) {
    const char *base = getenv("TMPDIR");
    snprintf(folder->dir, sizeof folder->dir, "%.80s/starling-test-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(folder->dir));
}

const char *folder_path(const Folder *folder, const char *name, char out[static TEMP_ROOM]) {
    snprintf(out, TEMP_ROOM, "%s/%s", folder->dir, name);
    return out;
}

void folder_remove(const Folder *folder) {
    DIR *dir = opendir(folder->dir);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char path[sizeof folder->dir + sizeof entry->d_name + 2];
        snprintf(path, sizeof path, "%s/%s", folder->dir, entry->d_name);
        if (entry->d_name[0] != '.') assert_int_equal(unlink(path), 0);
    }
    closedir(dir);
    assert_int_equal(rmdir(folder->dir), 0);
}
