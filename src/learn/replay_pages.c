// replay_pages.c - memory in pages of 2 MiB, if the system has them and they are wanted; touched
// when written.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // MAP_ANONYMOUS, MADV_HUGEPAGE
#endif
#include <sys/mman.h>

#include "replay_inside.h"

static const size_t huge_page = (size_t)1 << 21;

bool sl_pages_make(size_t bytes, bool small, Pages *pages) {
    *pages = (Pages){0};
    if (bytes > SIZE_MAX / 4) return false;
    bytes = (bytes + huge_page - 1) / huge_page * huge_page;

    // one page more, of which the ends go back
    char *all =
        mmap(NULL, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return false;
    const size_t before = (huge_page - (uintptr_t)all % huge_page) % huge_page;
    if (before > 0) munmap(all, before);
    munmap(all + before + bytes, huge_page - before);
    *pages = (Pages){.at = all + before, .bytes = bytes};
#ifdef MADV_HUGEPAGE
    const int wish = small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;
    pages->huge = madvise(pages->at, bytes, wish) == 0 && !small;
#else
    (void)small;
#endif
    return true;
}

void sl_pages_free(Pages *pages) {
    if (pages->at) munmap(pages->at, pages->bytes);
    *pages = (Pages){0};
}
