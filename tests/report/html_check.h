// html_check.h - is a text one whole HTML page that needs nothing from elsewhere?
#pragma once

#include "starling/core.h"

// NULL, or what is wrong (in static text): every element is closed in order, void ones apart; the
// style sheet is skipped.
const char *html_check(const char *text);

// Ends the test if the text is no well-formed page, names an address outside, or runs a script.
void assert_page(const SlText *text);
