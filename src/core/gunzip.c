// gunzip.c - read a whole file that gzip may have packed (RFC 1952).
#include "starling/core/text.h"

#include <string.h>
#define ZLIB_CONST // what is read stays as it is
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, FIRST_ROOM = 1 << 16 }; // zlib: the largest window, gzip's frame

static void *zlib_alloc(void *arena, unsigned n, unsigned size) {
    return sl_arena_alloc(arena, n, size);
}

// arenas give back all at once
static void zlib_free(void *arena, void *piece) {
    (void)arena;
    (void)piece;
}

static bool is_packed(const char *data, size_t n) {
    return n >= 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

static SlStatus fail_packed(const char *path, int code, SlError *err) {
    if (code == Z_MEM_ERROR)
        return sl_fail_at(err, SL_ENOMEM, path, 0, 0, "not enough memory to unpack the file");
    const char *why = code == Z_BUF_ERROR || code == Z_OK ? "the file ends too early"
                                                          : "it is not what gzip writes";
    return sl_fail_at(err, SL_EINPUT, path, 0, 0, "cannot unpack: %s", why);
}

// twice the space for what was unpacked
static bool make_room(z_stream *stream, SlText *whole) {
    const size_t room = whole->room < FIRST_ROOM ? FIRST_ROOM : 2 * whole->room;
    char *data = sl_arena_alloc(whole->arena, room, 1);
    if (!data) return false;
    memcpy(data, whole->data, whole->n);
    whole->data = data;
    whole->room = room;
    stream->next_out = (unsigned char *)data + whole->n;
    stream->avail_out = (unsigned)(room - whole->n - 1 < 1U << 30 ? room - whole->n - 1 : 1U << 30);
    return true;
}

// all members of the file, one after the other
static SlStatus unpack(z_stream *stream, const char *path, size_t max, SlText *whole,
                       SlError *err) {
    int code = Z_OK;
    while (code == Z_OK) {
        if (stream->avail_out == 0 && !make_room(stream, whole))
            return fail_packed(path, Z_MEM_ERROR, err);
        code = inflate(stream, Z_NO_FLUSH);
        whole->n = (size_t)((char *)stream->next_out - whole->data);
        if (whole->n > max)
            return sl_fail_at(err, SL_EINPUT, path, 0, 0,
                              "expected at most %zu bytes when unpacked, the file is larger", max);
        if (code == Z_BUF_ERROR && stream->avail_out == 0) code = Z_OK;
        bool more = code == Z_STREAM_END && is_packed((char *)stream->next_in, stream->avail_in);
        if (more) code = inflateReset(stream);
    }
    if (code != Z_STREAM_END) return fail_packed(path, code, err);
    whole->data[whole->n] = '\0';
    return SL_OK;
}

static SlStatus gunzip(const char *path, size_t max, const char *packed, size_t n, SlText *whole,
                       SlError *err) {
    z_stream stream = {.zalloc = zlib_alloc,
                       .zfree = zlib_free,
                       .opaque = whole->arena,
                       .next_in = (const unsigned char *)packed,
                       .avail_in = (unsigned)n};
    int code = inflateInit2(&stream, GZIP_WINDOW);
    if (code != Z_OK) return fail_packed(path, code, err);
    SlStatus status = unpack(&stream, path, max, whole, err);
    inflateEnd(&stream);
    return status;
}

SlStatus sl_file_read_gzip(const char *path, size_t max, SlArena *arena, char **data, size_t *n,
                           SlError *err) {
    size_t mark = sl_arena_mark(arena), n_packed = 0;
    char *packed = NULL;
    SlStatus status = sl_file_read(path, max, arena, &packed, &n_packed, err);
    if (status != SL_OK) return status;
    SlText whole = {.arena = arena, .data = packed, .n = n_packed};
    if (is_packed(packed, n_packed)) {
        if (n_packed > UINT32_MAX)
            status = sl_fail_at(err, SL_EINPUT, path, 0, 0, "expected less than 4 GiB");
        sl_text_init(&whole, arena);
        if (status == SL_OK) status = gunzip(path, max, packed, n_packed, &whole, err);
    }
    if (status != SL_OK) {
        sl_arena_rewind(arena, mark);
        return status;
    }
    *data = whole.data;
    *n = whole.n;
    return SL_OK;
}

// ---- packing ----

SlStatus sl_file_write_gzip(const char *path, const char *data, size_t n, SlError *err) {
    enum { MEMORY = 8 };
    SlArena scratch;
    if (n > UINT32_MAX / 2) return sl_fail(err, SL_EINPUT, "%s: expected less than 2 GiB", path);
    sl_arena_init(&scratch, 0);
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = &scratch};
    SlStatus status = SL_OK;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        status = sl_fail(err, SL_ENOMEM, "not enough memory to pack %s", path);
    if (status == SL_OK) {
        size_t room = deflateBound(&stream, (uLong)n);
        char *packed = SL_NEW(&scratch, room, char);
        stream.next_in = (const unsigned char *)data;
        stream.avail_in = (unsigned)n;
        stream.next_out = (unsigned char *)packed;
        stream.avail_out = (unsigned)room;
        bool done = packed && deflate(&stream, Z_FINISH) == Z_STREAM_END;
        status = done ? sl_file_write(path, packed, stream.total_out, err)
                      : sl_fail(err, SL_ENOMEM, "not enough memory to pack %s", path);
        deflateEnd(&stream);
    }
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_gunzip(const char *name, const char *packed, size_t n, size_t max, SlArena *arena,
                   char **data, size_t *n_data, SlError *err) {
    SlText whole;
    sl_text_init(&whole, arena);
    SlStatus status = gunzip(name, max, packed, n, &whole, err);
    *data = whole.data;
    *n_data = whole.n;
    return status;
}
