// page.h - the frame of every HTML page: style, escaping, cards, cells.
//
// Flow: page_begin -> page_card, page_cell ... -> page_end.
#pragma once

#include "starling/core.h"

// Head, style and the title as heading; what follows is inside <main>. page_end closes everything.
void page_begin(const char *title, SlText *out);
void page_end(SlText *out);

void page_text(const char *text, SlText *out); // escaped

// A number with its name above and a remark below; all three are HTML.
void page_card(SlText *out, const char *title, const char *value, const char *fmt, ...)
    SL_PRINTF(4, 5);

// One cell of a table, escaped; text stands left.
void page_cell(SlText *out, bool text, const char *value);

// An entry of a chart's key: a colour of the style sheet and its meaning, escaped.
void page_key(SlText *out, const char *color, const char *name);
