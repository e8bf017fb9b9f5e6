// lesson_file.c - samples of tasks as they come through, in the byte order of the machine: a head,
// then entries, each with a digest of its own.
#include "lesson_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 30, MOST_PARAMS = 1024, MOST_SAMPLES = 1 << 24 };

typedef struct {
    char magic[8];
    uint64_t key;
} Head;

typedef struct {
    int32_t stage, task, n, n_params;
    uint64_t digest; // of what follows
} EntryHead;

struct SlLessonFile {
    FILE *out;
    const char *path;
    int n;
    SlLessonEntry *entries; // (n)
};

static size_t point_bytes(const EntryHead *head) {
    return (size_t)head->n * (size_t)head->n_params * sizeof(int32_t);
}

static size_t value_bytes(const EntryHead *head) {
    return (size_t)head->n * sizeof(double);
}

static uint64_t digest_of(const EntryHead *head, const void *points, const void *values) {
    uint64_t digest = sl_fnv_bytes(SL_FNV_START, points, point_bytes(head));
    digest = sl_fnv_bytes(digest, values, value_bytes(head));
    return sl_fnv_add(sl_fnv_add(digest, (uint64_t)head->stage), (uint64_t)head->task);
}

static bool sensible(const EntryHead *head) {
    return head->stage >= 0 && head->task >= 0 && head->n >= 0 && head->n <= MOST_SAMPLES &&
           head->n_params > 0 && head->n_params <= MOST_PARAMS;
}

// the entry at `at` of bytes (n); its length, 0 where it is cut short or damaged
static size_t take_entry(const char *bytes, size_t n, size_t at, SlArena *arena,
                         SlLessonEntry *entry) {
    EntryHead head;
    if (n - at < sizeof head) return 0;
    memcpy(&head, bytes + at, sizeof head);
    if (!sensible(&head)) return 0;
    size_t all = sizeof head + point_bytes(&head) + value_bytes(&head);
    if (n - at < all) return 0;
    int32_t *points = SL_NEW(arena, (size_t)head.n * (size_t)head.n_params, int32_t);
    double *values = SL_NEW(arena, head.n, double);
    if (!points || !values) return 0;
    memcpy(points, bytes + at + sizeof head, point_bytes(&head));
    memcpy(values, bytes + at + sizeof head + point_bytes(&head), value_bytes(&head));
    if (digest_of(&head, points, values) != head.digest) return 0;
    *entry = (SlLessonEntry){head.stage, head.task, head.n, head.n_params, points, values};
    return all;
}

// every sound entry; where they end
static size_t take_entries(SlLessonFile *file, const char *bytes, size_t n, SlArena *arena) {
    size_t at = sizeof(Head), length;
    int room = 0;
    SlLessonEntry entry;
    while ((length = take_entry(bytes, n, at, arena, &entry)) > 0) {
        if (file->n == room) {
            SlLessonEntry *more = SL_NEW(arena, 2 * room + 64, SlLessonEntry);
            if (!more) break;
            if (room > 0) memcpy(more, file->entries, (size_t)room * sizeof *more);
            file->entries = more;
            room = 2 * room + 64;
        }
        file->entries[file->n++] = entry;
        at += length;
    }
    return at;
}

static SlStatus cannot_write(const char *path, SlError *err) {
    return sl_fail(err, SL_EIO, "%s: cannot be written: %s", path, strerror(errno));
}

static SlStatus begin_file(SlLessonFile *file, const Head *head, SlError *err) {
    file->out = fopen(file->path, "wb");
    if (!file->out || fwrite(head, sizeof *head, 1, file->out) != 1 || fflush(file->out) != 0)
        return cannot_write(file->path, err);
    return SL_OK;
}

static SlStatus go_on(SlLessonFile *file, const Head *head, SlArena *arena, SlError *err) {
    char *bytes = NULL;
    size_t n = 0;
    SlStatus status = sl_file_read(file->path, MOST_BYTES, arena, &bytes, &n, err);
    if (status != SL_OK) return status;
    if (n < sizeof *head) return begin_file(file, head, err);
    if (memcmp(bytes, head, sizeof *head) != 0)
        return sl_fail_at(err, SL_EINPUT, file->path, 0, 0,
                          "expected samples of this very teaching, found those of another one");
    size_t end = take_entries(file, bytes, n, arena);
    if (truncate(file->path, (off_t)end) != 0) return cannot_write(file->path, err);
    file->out = fopen(file->path, "ab");
    return file->out ? SL_OK : cannot_write(file->path, err);
}

SlStatus sl_lesson_file_open(const char *path, uint64_t key, SlArena *arena, SlLessonFile **file,
                             SlError *err) {
    SlLessonFile *made = SL_NEW(arena, 1, SlLessonFile);
    *file = made;
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
    made->path = sl_arena_text(arena, path, strlen(path));
    Head head = {.magic = "SLLEARN", .key = key};
    if (!made->path) return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
    return access(path, F_OK) == 0 ? go_on(made, &head, arena, err) : begin_file(made, &head, err);
}

void sl_lesson_file_close(SlLessonFile *file) {
    if (file && file->out) fclose(file->out);
}

const SlLessonEntry *sl_lesson_file_find(const SlLessonFile *file, int stage, int task) {
    for (int i = 0; file && i < file->n; i++)
        if (file->entries[i].stage == stage && file->entries[i].task == task)
            return &file->entries[i];
    return NULL;
}

SlStatus sl_lesson_file_add(SlLessonFile *file, const SlLessonEntry *entry, SlError *err) {
    EntryHead head = {
        .stage = entry->stage, .task = entry->task, .n = entry->n, .n_params = entry->n_params};
    head.digest = digest_of(&head, entry->points, entry->values);
    bool good = fwrite(&head, sizeof head, 1, file->out) == 1 &&
                fwrite(entry->points, 1, point_bytes(&head), file->out) == point_bytes(&head) &&
                fwrite(entry->values, 1, value_bytes(&head), file->out) == value_bytes(&head) &&
                fflush(file->out) == 0;
    return good ? SL_OK : cannot_write(file->path, err);
}
