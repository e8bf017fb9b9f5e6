// fnv.c - FNV-1a over bytes.
#include "starling/core/fnv.h"

uint64_t sl_fnv_bytes(uint64_t hash, const void *bytes, size_t n) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++) hash = sl_fnv_add(hash, byte[i]);
    return hash;
}
