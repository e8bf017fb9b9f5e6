// bytes.c - little-endian numbers of a file.
#include "bytes.h"

#include <math.h>
#include <string.h>

void sl_bytes_put_whole(SlText *out, uint64_t value, int bytes) {
    char raw[8];
    for (int i = 0; i < bytes; i++) raw[i] = (char)(value >> 8 * i & 0xff);
    sl_text_put(out, raw, (size_t)bytes);
}

void sl_bytes_put_real(SlText *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sl_bytes_put_whole(out, bits, 8);
}

void sl_bytes_put_floats(SlText *out, size_t n, const float *values) {
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sl_bytes_put_whole(out, bits, 4);
    }
}

const char *const sl_bytes_cut_off = "it is cut off";

uint64_t sl_bytes_whole(SlBytes *in, int bytes) {
    uint64_t value = 0;
    if (in->left < (size_t)bytes) {
        if (!in->wrong) in->wrong = sl_bytes_cut_off;
        in->left = 0;
        return 0;
    }
    for (int i = 0; i < bytes; i++) value |= (uint64_t)in->at[i] << 8 * i;
    in->at += bytes;
    in->left -= (size_t)bytes;
    return value;
}

// a count of at most `most`
int sl_bytes_count(SlBytes *in, int64_t least, int64_t most, const char *wrong) {
    int64_t value = (int64_t)sl_bytes_whole(in, 4);
    if (!in->wrong && (value < least || value > most)) in->wrong = wrong;
    return in->wrong ? 0 : (int)value;
}

double sl_bytes_real(SlBytes *in) {
    uint64_t bits = sl_bytes_whole(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!in->wrong && !isfinite(value)) in->wrong = "a number in it has no end";
    return in->wrong ? 0 : value;
}

void sl_bytes_floats(SlBytes *in, size_t n, float *out) {
    for (size_t i = 0; i < n && !in->wrong; i++) {
        uint32_t bits = (uint32_t)sl_bytes_whole(in, 4);
        memcpy(&out[i], &bits, sizeof bits);
    }
}

void sl_bytes_finite(SlBytes *in, size_t n, float *out) {
    sl_bytes_floats(in, n, out);
    for (size_t i = 0; i < n && !in->wrong; i++)
        if (!isfinite(out[i])) in->wrong = "a number in it has no end";
}

// space for n things that take at least `bytes` each in the file
void *sl_bytes_room(SlBytes *in, size_t n, size_t bytes, size_t size) {
    if (in->wrong) return NULL;
    if (n > in->left / bytes) {
        in->wrong = sl_bytes_cut_off;
        return NULL;
    }
    void *room = sl_arena_alloc(in->arena, n, size);
    if (!room) in->wrong = "there is not enough memory for it";
    return room;
}
