// words.h - inside report: words in lines, in HTML and in Markdown; names of files.
#pragma once

#include "starling/core.h"

// What printf would write, in the arena; NULL without memory.
char *sl_words_format(SlArena *arena, const char *fmt, va_list args);

// Columns that UTF-8 text takes.
int sl_words_columns(const char *text);

// The bytes of the first `columns` columns of `text`.
size_t sl_words_cut(const char *text, int columns);

// Words without the marks of `code` and **strong**.
void sl_words_plain(const char *text, SlText *out);

// Text in lines of at most `width` columns, marks and all; a longer word has a line of its own.
void sl_words_lines(const char *text, int width, SlText *out);

// Both: words in lines, without their marks.
void sl_words_wrap(const char *text, int width, SlText *out);

// The same words as HTML, escaped, with <code> and <strong>. A mark without its partner is text.
void sl_words_html(const char *text, SlText *out);

// "MobileNet-v2 latency" -> "mobilenet-v2-latency": small letters, digits and '-'.
void sl_words_slug(const char *text, SlText *out);
