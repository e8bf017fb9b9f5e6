// arena.h - memory that is given back all at once.
//
// Flow: sl_arena_init -> SL_NEW ... -> sl_arena_mark / sl_arena_rewind for scratch ->
// sl_arena_free.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

typedef struct SlArenaBlock SlArenaBlock;

// Grows in blocks up to `limit` bytes; asking for more returns NULL and changes nothing.
typedef struct {
    SlArenaBlock *top; // newest block, NULL while empty
    size_t used;       // bytes handed out (padding included) since init
    size_t limit;      // most bytes ever handed out
} SlArena;

enum { SL_ARENA_ALIGN = 32 }; // every piece is aligned for vectors of four doubles

// `limit` 0 means: as much as the machine gives. Allocates nothing yet.
void sl_arena_init(SlArena *arena, size_t limit);
void sl_arena_free(SlArena *arena);

// `n` zeroed elements of `size` bytes, or NULL when the limit or the machine's memory is reached. n
// = 0 gives a valid pointer.
void *sl_arena_alloc(SlArena *arena, size_t n, size_t size);
#define SL_NEW(arena, n, type) ((type *)sl_arena_alloc((arena), (size_t)(n), sizeof(type)))

// A copy of `n` bytes of text with a closing NUL, or NULL.
char *sl_arena_text(SlArena *arena, const char *text, size_t n);

// Everything made after the mark is gone after the rewind.
size_t sl_arena_mark(const SlArena *arena);
void sl_arena_rewind(SlArena *arena, size_t mark);

SL_API_END
