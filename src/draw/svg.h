// svg.h - inside draw: pieces of an SVG file.
//
// Flow: sl_svg_open -> sl_svg_line, sl_svg_text ... -> sl_svg_close. Colours are classes, so that
// one style
//       sheet in the file gives them in light and in dark:
//       sl-ink, sl-soft, sl-ground (fills), sl-axis, sl-grid, sl-cut (strokes);
//       sl-c0.. (strokes), sl-f0.. (fills), sl-b0.. (bands) for the SVG_COLOURS of the palette.
#pragma once

#include "starling/draw.h"

enum {
    SVG_COLOURS = 8,    // of the palette
    SVG_NAME_MOST = 32, // characters of a name that are shown
};

// Where text stands relative to its point.
typedef enum { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

// The head of the file: size in pixels, style, ground, and the title for readers that cannot see.
void sl_svg_open(SlText *out, double width, double height, const char *title);
void sl_svg_close(SlText *out);

void sl_svg_line(SlText *out, const char *class, double x1, double y1, double x2, double y2);
void sl_svg_text(SlText *out, const char *class, SvgAnchor anchor, double x, double y,
                 const char *text);

// Text as XML: special characters escaped, what XML cannot hold replaced, at most `most` characters
// (0 = all), the rest as "…".
void sl_svg_escape(SlText *out, const char *text, int most);

// Pixels that the first `most` (0 = all) characters take, generously.
double sl_svg_text_width(const char *text, double font_px, int most);

// Widest of n names, in pixels.
double sl_svg_widest(int n, const char *const *names, double font_px);
