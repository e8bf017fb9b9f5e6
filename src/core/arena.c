// arena.c - a stack of malloc'ed blocks; a piece is a bump of `used`.
//
// A block remembers the value of `used` at its birth, so that a mark is a plain number and a rewind
// frees the blocks born after it.
#include "starling/core/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// under AddressSanitizer bytes that are not handed out are poisoned, as if each piece were
// malloc'ed
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(ARENA_ASAN)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, n) ((void)(start), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(start, n) ((void)(start), (void)(n))
#endif

enum {
    BLOCK_MIN = 64 << 10, // smallest block, unless the limit is smaller
    BLOCK_MAX = 4 << 20,  // blocks grow with the arena up to this; larger pieces get their own
};

struct SlArenaBlock {
    SlArenaBlock *below; // older block, NULL for the oldest
    size_t base;         // arena->used when this block was made
    size_t room;         // bytes after the header
};

enum {
    HEADER_BYTES = (sizeof(SlArenaBlock) + SL_ARENA_ALIGN - 1) / SL_ARENA_ALIGN * SL_ARENA_ALIGN
};

static char *block_data(SlArenaBlock *block) {
    return (char *)block + HEADER_BYTES;
}

void sl_arena_init(SlArena *arena, size_t limit) {
    *arena = (SlArena){.limit = limit ? limit : SIZE_MAX};
}

static void pop_block(SlArena *arena) {
    SlArenaBlock *block = arena->top;
    arena->top = block->below;
    ASAN_UNPOISON_MEMORY_REGION(block_data(block), block->room);
    free(block);
}

void sl_arena_free(SlArena *arena) {
    while (arena->top) pop_block(arena);
    arena->used = 0;
}

// n * size rounded up to the alignment, at least one step of it; 0 on overflow
static size_t piece_bytes(size_t n, size_t size) {
    if (n == 0 || size == 0) return SL_ARENA_ALIGN;
    if (n > (SIZE_MAX / 2) / size) return 0;
    return (n * size + SL_ARENA_ALIGN - 1) / SL_ARENA_ALIGN * SL_ARENA_ALIGN;
}

// a new top block with space for `bytes`, false without memory
static bool push_block(SlArena *arena, size_t bytes) {
    size_t room = arena->used < BLOCK_MIN ? BLOCK_MIN : arena->used;
    if (room > BLOCK_MAX) room = BLOCK_MAX;
    // never ask the machine for more than the limit can hand out
    size_t left = (arena->limit - arena->used) / SL_ARENA_ALIGN * SL_ARENA_ALIGN;
    if (room > left) room = left;
    if (room < bytes) room = bytes;
    room = (room + SL_ARENA_ALIGN - 1) / SL_ARENA_ALIGN * SL_ARENA_ALIGN;
    SlArenaBlock *block = aligned_alloc(SL_ARENA_ALIGN, HEADER_BYTES + room);
    if (!block) return false;
    *block = (SlArenaBlock){.below = arena->top, .base = arena->used, .room = room};
    ASAN_POISON_MEMORY_REGION(block_data(block), room);
    arena->top = block;
    return true;
}

void *sl_arena_alloc(SlArena *arena, size_t n, size_t size) {
    size_t bytes = piece_bytes(n, size);
    if (bytes == 0 || bytes > arena->limit - arena->used) return NULL;
    SlArenaBlock *top = arena->top;
    bool fits = top && bytes <= top->room - (arena->used - top->base);
    if (!fits && !push_block(arena, bytes)) return NULL;

    char *piece = block_data(arena->top) + (arena->used - arena->top->base);
    ASAN_UNPOISON_MEMORY_REGION(piece, n * size);
    memset(piece, 0, n * size);
    arena->used += bytes;
    return piece;
}

char *sl_arena_text(SlArena *arena, const char *text, size_t n) {
    if (n == SIZE_MAX) return NULL;
    char *copy = sl_arena_alloc(arena, n + 1, 1);
    if (copy && n) memcpy(copy, text, n);
    return copy;
}

size_t sl_arena_mark(const SlArena *arena) {
    return arena->used;
}

// one small empty block may stay, so that mark/rewind in a loop does not call malloc each time
static bool worth_keeping(const SlArenaBlock *block, size_t mark) {
    bool oldest = !block->below || block->below->base < mark;
    return oldest && block->base == mark && block->room <= BLOCK_MIN;
}

void sl_arena_rewind(SlArena *arena, size_t mark) {
    assert(mark <= arena->used);
    while (arena->top && arena->top->base >= mark && !worth_keeping(arena->top, mark))
        pop_block(arena);
    arena->used = mark;
    if (!arena->top) return;
    size_t kept = mark - arena->top->base;
    ASAN_POISON_MEMORY_REGION(block_data(arena->top) + kept, arena->top->room - kept);
}
