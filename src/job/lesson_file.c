// lesson_file.c - samples of tasks as they come through, in the byte order of the machine: a head,
// then entries packed by zlib, each with a digest of its own (docs/formats/lessons.md).
#include "lesson_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    VERSION = 2,
    ORDER = 0x01020304,
    MOST_BYTES = 1 << 30,
    MOST_ENTRY = 1 << 28, // unpacked
    MOST_PARAMS = 1024,
    MOST_SAMPLES = 1 << 24,
    MOST_RATIO = 1100, // zlib packs no better
    N_TEXTS = 3,
};

typedef struct {
    char magic[8];
    uint32_t version, order;
    uint64_t key;
    SlLessonAbout about;
} Head;

typedef struct {
    int32_t stage, task, n, n_params;
    uint32_t packed, plain; // bytes of what follows, and of what it unpacks to
    uint64_t digest;        // of the numbers before and what follows
} EntryHead;

struct SlLessonFile {
    FILE *out;
    const char *path;
    int n;
    SlLessonEntry *entries; // (n)
};

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
}

static SlStatus cannot_write(const char *path, SlError *err) {
    return sl_fail(err, SL_EIO, "%s: cannot be written: %s", path, strerror(errno));
}

// ---- one entry ----

static size_t point_bytes(const SlLessonEntry *entry) {
    return (size_t)entry->n * (size_t)entry->n_params * sizeof(int32_t);
}

static size_t value_bytes(const SlLessonEntry *entry) {
    return (size_t)entry->n * sizeof(double);
}

static uint64_t digest_of(const EntryHead *head, const void *packed) {
    const int64_t numbers[] = {head->stage,    head->task,   head->n,
                               head->n_params, head->packed, head->plain};
    uint64_t digest = sl_fnv_bytes(SL_FNV_START, numbers, sizeof numbers);
    return sl_fnv_bytes(digest, packed, head->packed);
}

static bool sensible(const EntryHead *head) {
    if (head->stage < SL_LESSON_BEFORE || head->task < 0 || head->n < 0 || head->n_params < 1)
        return false;
    return head->n <= MOST_SAMPLES && head->n_params <= MOST_PARAMS && head->plain <= MOST_ENTRY &&
           head->plain / MOST_RATIO <= head->packed;
}

// Values, points, then the texts: numbers lie where they may be read as they are. False where the
// bytes (n, NUL behind them) are no entry of that size.
static bool take_parts(const char *plain, size_t n, SlLessonEntry *entry) {
    size_t at = value_bytes(entry) + point_bytes(entry);
    const char *texts[N_TEXTS];
    if (at > n) return false;
    for (int t = 0; t < N_TEXTS; t++) {
        if (at >= n) return false;
        texts[t] = plain + at;
        at += strlen(plain + at) + 1;
    }
    entry->values = (const double *)(const void *)plain;
    entry->points = (const int32_t *)(const void *)(plain + value_bytes(entry));
    entry->name = texts[0];
    entry->layer = texts[1];
    entry->accel = texts[2];
    return at == n;
}

static bool points_are_sound(const SlLessonEntry *entry) {
    for (int64_t i = 0; i < (int64_t)entry->n * entry->n_params; i++)
        if (entry->points[i] < 0) return false;
    return true;
}

// the entry at `at` of bytes (n); its length, 0 where it is cut short or damaged
static size_t take_entry(const char *bytes, size_t n, size_t at, SlArena *arena,
                         SlLessonEntry *entry) {
    EntryHead head;
    if (n - at < sizeof head) return 0;
    memcpy(&head, bytes + at, sizeof head);
    const char *packed = bytes + at + sizeof head;
    if (!sensible(&head) || n - at - sizeof head < head.packed) return 0;
    if (digest_of(&head, packed) != head.digest) return 0;
    // of doubles, so that numbers lie well
    double *room = SL_NEW(arena, head.plain / sizeof(double) + 1, double);
    uLongf plain = head.plain;
    if (!room || uncompress((Bytef *)room, &plain, (const Bytef *)packed, head.packed) != Z_OK)
        return 0;
    *entry = (SlLessonEntry){
        .stage = head.stage, .task = head.task, .n = head.n, .n_params = head.n_params};
    if (plain != head.plain || !take_parts((const char *)room, plain, entry)) return 0;
    return points_are_sound(entry) ? sizeof head + head.packed : 0;
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

// ---- writing ----

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
    if (memcmp(bytes, head, n < sizeof *head ? n : sizeof *head) != 0)
        return sl_fail_at(err, SL_EINPUT, file->path, 0, 0,
                          "expected samples of this run, found those of another one");
    if (n < sizeof *head) return begin_file(file, head, err);
    size_t end = take_entries(file, bytes, n, arena);
    if (truncate(file->path, (off_t)end) != 0) return cannot_write(file->path, err);
    file->out = fopen(file->path, "ab");
    return file->out ? SL_OK : cannot_write(file->path, err);
}

SlStatus sl_lesson_file_open(const char *path, uint64_t key, const SlLessonAbout *about,
                             SlArena *arena, SlLessonFile **file, SlError *err) {
    SlLessonFile *made = SL_NEW(arena, 1, SlLessonFile);
    *file = made;
    if (!made) return no_memory(err);
    made->path = sl_arena_text(arena, path, strlen(path));
    Head head = {
        .magic = "SLLEARN", .version = VERSION, .order = ORDER, .key = key, .about = *about};
    if (!made->path) return no_memory(err);
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

static void put_parts(const SlLessonEntry *entry, SlText *out) {
    const char *const texts[N_TEXTS] = {entry->name, entry->layer, entry->accel};
    sl_text_put(out, (const char *)entry->values, value_bytes(entry));
    sl_text_put(out, (const char *)entry->points, point_bytes(entry));
    for (int t = 0; t < N_TEXTS; t++) sl_text_put(out, texts[t], strlen(texts[t]) + 1);
}

SlStatus sl_lesson_file_add(SlLessonFile *file, const SlLessonEntry *entry, SlError *err) {
    SlArena scratch;
    SlText plain;
    sl_arena_init(&scratch, 0);
    sl_text_init(&plain, &scratch);
    put_parts(entry, &plain);
    uLongf room = compressBound(plain.n);
    Bytef *packed = SL_NEW(&scratch, room, Bytef);
    SlStatus status = plain.failed || !packed ? no_memory(err) : SL_OK;
    if (status == SL_OK && plain.n > MOST_ENTRY)
        status = sl_fail(err, SL_EINPUT, "%s: a task has more samples than fit into its file",
                         file->path);
    if (status == SL_OK &&
        compress2(packed, &room, (const Bytef *)plain.data, plain.n, Z_BEST_COMPRESSION) != Z_OK)
        status = no_memory(err);
    if (status == SL_OK) {
        EntryHead head = {.stage = entry->stage,
                          .task = entry->task,
                          .n = entry->n,
                          .n_params = entry->n_params,
                          .packed = (uint32_t)room,
                          .plain = (uint32_t)plain.n};
        head.digest = digest_of(&head, packed);
        bool good = fwrite(&head, sizeof head, 1, file->out) == 1 &&
                    fwrite(packed, 1, room, file->out) == room && fflush(file->out) == 0;
        if (!good) status = cannot_write(file->path, err);
    }
    sl_arena_free(&scratch);
    return status;
}

// ---- the lessons of another teaching ----

static int by_task(const void *a, const void *b) {
    const SlLessonEntry *one = a, *other = b;
    bool before = one->stage < 0, other_before = other->stage < 0;
    if (before != other_before) return before ? -1 : 1;
    if (one->task != other->task) return one->task < other->task ? -1 : 1;
    return (one->stage > other->stage) - (one->stage < other->stage);
}

// NULL, or why bytes cannot be lessons
static const char *head_fault(const char *bytes, size_t n, Head *head) {
    if (n < 16 || memcmp(bytes, "SLLEARN", 8) != 0)
        return "expected the evaluations that 'starling learn' keeps";
    memcpy(head, bytes, n < sizeof *head ? n : sizeof *head);
    if (head->version != VERSION || head->order != ORDER || n < sizeof *head)
        return "expected evaluations as this version of the program keeps them; run the command "
               "that made them again";
    SlLessonAbout *about = &head->about;
    about->kind[sizeof about->kind - 1] = about->goal[sizeof about->goal - 1] = '\0';
    about->program[sizeof about->program - 1] = about->source[sizeof about->source - 1] = '\0';
    sl_text_clean(about->kind, false);
    sl_text_clean(about->goal, false);
    sl_text_clean(about->program, false);
    sl_text_clean(about->source, false);
    return NULL;
}

SlStatus sl_lesson_file_read(const char *path, SlArena *arena, SlLessonAbout *about, int *n,
                             SlLessonEntry **entries, SlError *err) {
    SlLessonFile file = {.path = path};
    Head head;
    char *bytes = NULL;
    size_t size = 0;
    SlStatus status = sl_file_read(path, MOST_BYTES, arena, &bytes, &size, err);
    if (status != SL_OK) return status;
    const char *fault = head_fault(bytes, size, &head);
    if (!fault && take_entries(&file, bytes, size, arena) != size)
        fault = "the evaluations are damaged, or were cut short; the command that made them goes "
                "on from what is sound";
    if (!fault && file.n == 0) fault = "there are no evaluations in it";
    if (fault) return sl_fail_at(err, SL_EINPUT, path, 0, 0, "%s", fault);
    qsort(file.entries, (size_t)file.n, sizeof *file.entries, by_task);
    *about = head.about;
    *n = file.n;
    *entries = file.entries;
    return SL_OK;
}
