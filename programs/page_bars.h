// page_bars.h - charts of bars in pages of the program: a row per name, bars made of pieces.
//
// Flow: page_bars_begin -> page_bar_begin, page_bar_piece ..., page_bar_end for each row ->
//       page_bars_end. The key goes before: sl_page_key inside <div class="key">.
#pragma once

#include "starling/report.h"

void page_bars_begin(SlText *out);
void page_bars_end(SlText *out);

// A row: its name (escaped), and a bar as long as `share` of the longest.
void page_bar_begin(const char *name, double share, SlText *out);
// `share` of the bar in a colour of the style sheet; what it is and its value show up on hovering.
// Nothing unless above 0.
void page_bar_piece(const char *color, const char *name, const char *value, double share,
                    SlText *out);
void page_bar_end(const char *value, SlText *out); // HTML, right of the bar
