// fnv.h - FNV-1a, 64 bits (Fowler, Noll & Vo 1991): keys and digests of bytes and numbers. Good
// against accidents, not against forgers.
//
// Flow: SL_FNV_START -> sl_fnv_add, sl_fnv_bytes, one after the other -> the hash.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

#define SL_FNV_START UINT64_C(0xcbf29ce484222325) // the hash of nothing

// One more step, by a byte or by a whole word at once (which gives another hash than its bytes).
static inline uint64_t sl_fnv_add(uint64_t hash, uint64_t word) {
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

// A step for each of `n` bytes. `bytes` may be NULL if n is 0.
uint64_t sl_fnv_bytes(uint64_t hash, const void *bytes, size_t n);

SL_API_END
