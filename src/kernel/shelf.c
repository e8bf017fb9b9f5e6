// shelf.c - the folder of built programs: their names, and what goes when it is full.
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // fstatat
#endif
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build_inside.h"
#include "hash.h"
#include "starling/kernel/process.h"

enum { NAME_BYTES = 32, MOST_PROGRAMS = 1 << 20, STALE_SECONDS = 3600 };

void sl_hash_init(uint64_t hash[2]) {
    hash[0] = SL_FNV_START;
    hash[1] = UINT64_C(0x9E3779B97F4A7C15);
}

// the finaliser of splitmix64 (Steele et al. 2014)
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void sl_hash_add(uint64_t hash[2], size_t n, const char *bytes) {
    uint64_t a = hash[0], b = hash[1];
    for (size_t i = 0; i < n; i++) {
        a = sl_fnv_add(a, (unsigned char)bytes[i]);
        b = mix(b + (unsigned char)bytes[i] + 1);
    }
    hash[0] = mix(a ^ n);
    hash[1] = mix(b + hash[0]);
}

typedef struct {
    char name[NAME_BYTES + 1];
    time_t used;
    size_t bytes;
} Program;

static int older(const void *a, const void *b) {
    time_t x = ((const Program *)a)->used, y = ((const Program *)b)->used;
    return (x > y) - (x < y);
}

static void remove_stale(const char *folder, const char *name, const struct stat *info) {
    char path[SL_FOLDER_ROOM];
    if (strncmp(name, "work-", 5) != 0 || time(NULL) - info->st_mtime < STALE_SECONDS) return;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        sl_folder_remove(path);
}

// the programs of an open folder, in `programs` (room); returns how many
static int list_programs(const char *folder, DIR *dir, int room, Program *programs) {
    int n = 0;
    struct stat info;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(info.st_mode)) remove_stale(folder, entry->d_name, &info);
        if (!S_ISREG(info.st_mode) || strlen(entry->d_name) != NAME_BYTES || n == room) continue;
        Program *program = &programs[n++];
        memcpy(program->name, entry->d_name, NAME_BYTES + 1);
        program->used = info.st_mtime;
        program->bytes = (size_t)info.st_blocks * 512;
    }
    return n;
}

static int count_entries(DIR *dir) {
    int n = 0;
    while (n < MOST_PROGRAMS && readdir(dir)) n++;
    rewinddir(dir);
    return n;
}

void sl_shelf_trim(const char *folder, size_t most_bytes) {
    DIR *dir = opendir(folder);
    if (!dir) return;
    SlArena arena;
    sl_arena_init(&arena, 0);
    int n = count_entries(dir);
    Program *programs = SL_NEW(&arena, n, Program);
    size_t sum = 0;
    n = programs ? list_programs(folder, dir, n, programs) : 0;
    for (int i = 0; i < n; i++) sum += programs[i].bytes;
    if (sum > most_bytes) {
        qsort(programs, (size_t)n, sizeof *programs, older);
        for (int i = 0; i < n && sum > most_bytes / 4 * 3; i++) {
            if (unlinkat(dirfd(dir), programs[i].name, 0) == 0) sum -= programs[i].bytes;
        }
    }
    sl_arena_free(&arena);
    closedir(dir);
}
