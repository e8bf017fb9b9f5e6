// words.c - words in lines, in HTML and in Markdown; names of files.
#include "words.h"
#include "page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "starling/report.h"

char *sl_words_format(SlArena *arena, const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *text = n >= 0 ? SL_NEW(arena, n + 1, char) : NULL;
    if (text) vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

int sl_words_columns(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

size_t sl_words_cut(const char *text, int columns) {
    size_t n = 0;
    for (int seen = 0; text[n]; n++) {
        seen += ((unsigned char)text[n] & 0xC0) != 0x80;
        if (seen > columns) break;
    }
    return n;
}

// the mark that stands here and has a partner: its bytes, 0 = none
static size_t mark_at(const char *text) {
    if (text[0] == '`') return strchr(text + 1, '`') ? 1 : 0;
    if (strncmp(text, "**", 2) == 0) return strstr(text + 2, "**") ? 2 : 0;
    return 0;
}

// the next piece of text: `open` says which mark it stands between ('`', '*', 0 = none)
typedef struct {
    const char *rest;
    char open;
} Pieces;

// up to the next mark; returns the piece's bytes and moves on. The kind of the piece is in *kind
static size_t next_piece(Pieces *pieces, const char **piece, char *kind) {
    size_t mark = 0, n = 0;
    *kind = pieces->open;
    *piece = pieces->rest;
    if (pieces->open == '`') {
        n = strcspn(pieces->rest, "`");
        mark = 1;
    } else if (pieces->open == '*') {
        n = (size_t)(strstr(pieces->rest, "**") - pieces->rest);
        mark = 2;
    } else {
        while (pieces->rest[n] && !(mark = mark_at(pieces->rest + n))) n++;
    }
    char next = pieces->open || !mark ? 0 : pieces->rest[n];
    pieces->rest += n + mark;
    pieces->open = next;
    return n;
}

void sl_words_plain(const char *text, SlText *out) {
    Pieces pieces = {.rest = text};
    while (*pieces.rest) {
        const char *piece = NULL;
        char kind = 0;
        size_t n = next_piece(&pieces, &piece, &kind);
        sl_text_put(out, piece, n);
    }
}

void sl_words_lines(const char *text, int width, SlText *out) {
    int column = 0;
    for (const char *word = text + strspn(text, " \n"); *word;) {
        size_t n = strcspn(word, " \n");
        int columns = 0;
        for (size_t i = 0; i < n; i++) columns += ((unsigned char)word[i] & 0xC0) != 0x80;
        if (column > 0) {
            bool fits = column + 1 + columns <= width;
            sl_text_put(out, fits ? " " : "\n", 1);
            column = fits ? column + 1 : 0;
        }
        sl_text_put(out, word, n);
        column += columns;
        word += n + strspn(word + n, " \n");
    }
    sl_text_put(out, "\n", 1);
}

void sl_words_wrap(const char *text, int width, SlText *out) {
    SlText plain;
    sl_text_init(&plain, out->arena);
    sl_words_plain(text, &plain);
    sl_words_lines(plain.data, width, out);
    out->failed |= plain.failed;
}

void sl_words_html(const char *text, SlText *out) {
    Pieces pieces = {.rest = text};
    while (*pieces.rest) {
        const char *piece = NULL;
        char kind = 0;
        size_t n = next_piece(&pieces, &piece, &kind);
        char *part = sl_arena_text(out->arena, piece, n);
        if (!part) {
            out->failed = true;
            return;
        }
        sl_text_add(out, "%s", kind == '`' ? "<code>" : kind == '*' ? "<strong>" : "");
        sl_page_text(part, out);
        sl_text_add(out, "%s", kind == '`' ? "</code>" : kind == '*' ? "</strong>" : "");
    }
}

void sl_words_slug(const char *text, SlText *out) {
    bool gap = false;
    for (size_t start = out->n; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (!isalnum(c) || c >= 128) {
            gap = true;
            continue;
        }
        if (gap && out->n > start) sl_text_put(out, "-", 1);
        char small = (char)tolower(c);
        sl_text_put(out, &small, 1);
        gap = false;
    }
}
