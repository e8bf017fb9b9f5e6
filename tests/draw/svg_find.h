// svg_find.h - elements of a picture by what they say.
#pragma once

#include "starling/core.h"

// The <text> element that says exactly `words` (escaped as in the file); NULL = none. `from` NULL:
// the first, else the next behind it.
const char *find_text(const SlText *text, const char *from, const char *words);

// The number of an attribute of the element at `tag`; ends the test if there is none.
double number_of(const char *tag, const char *attribute);

// The n-th (from 0) place where `piece` is; ends the test if there is none.
const char *find_piece(const SlText *text, const char *piece, int n);

double svg_width(const SlText *text);
double svg_height(const SlText *text);

// Every text stands within the picture, as far as widths are known, and is 11 pixels or larger.
void assert_texts_inside(const SlText *text);
