// xml_check.h - is a text one well-formed XML element, and an SVG whose numbers are numbers?
#pragma once

#include "starling/core.h"

// NULL, or what is wrong (in static text). Knows what our pictures use: elements, attributes in
// double quotes, text, the five entities; no comments, no CDATA. Depth at most 16.
const char *xml_check(const char *text);

// Ends the test if the text is not well-formed, does not start with <svg, has no viewBox with
// numbers above 0, or speaks of nan or inf in an attribute.
void assert_svg(const SlText *text);

int count_text(const char *text, const char *piece); // times that `piece` is in `text`
