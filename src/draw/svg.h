// svg.h - inside draw: pieces of an SVG file.
//
// Flow: sl_svg_open -> sl_svg_line, sl_svg_text ... -> sl_svg_close. Colours are classes, so that
//       one style sheet in the file gives them in light and in dark:
//       sl-ink, sl-soft, sl-ground (fills), sl-axis, sl-grid, sl-cut (strokes);
//       sl-c0.. (strokes), sl-f0.. (text and small marks), sl-b0.. (areas) of the palette;
//       sl-dash1.. of the strokes.
#pragma once

#include "starling/draw.h"

enum {
    SVG_COLOURS = SL_N_COLOURS, // of the palette
    SVG_DASHES = 4,             // the first is none
    SVG_NAME_MOST = 32,         // characters of a name that are shown
};

// Where text stands relative to its point.
typedef enum { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

// The head of the file: size in pixels, style, ground; title and description (NULL = none) for
// readers that cannot see.
void sl_svg_open(SlText *out, double width, double height, const char *title, const char *about);
void sl_svg_close(SlText *out);

void sl_svg_line(SlText *out, const char *class, double x1, double y1, double x2, double y2);
void sl_svg_text(SlText *out, const char *class, SvgAnchor anchor, double x, double y,
                 const char *text);

// Text as XML: special characters escaped, what XML cannot hold replaced, at most `most` characters
// (0 = all), the rest as "…".
void sl_svg_escape(SlText *out, const char *text, int most);

// Lines of text below each other, the first on y: broken to `width`, at most `most` lines (1..4),
// the last cut with "…"; a text that is cut carries the whole as a tooltip. Returns the lines.
enum { SVG_MOST_LINES = 4 };
typedef struct {
    const char *class;
    SvgAnchor anchor;
    double font, row; // pixels: size, from line to line
    double width;
    int most;
} SvgBlock;
int sl_svg_block(SlText *out, const SvgBlock *block, double x, double y, const char *text);
int sl_svg_block_lines(const SvgBlock *block, const char *text);

// A title at the top left of a picture; returns the height that it takes (0 without one).
double sl_svg_title(SlText *out, double width, const char *title);
double sl_svg_title_height(double width, const char *title);

// Pixels that the first `most` (0 = all) characters take, generously.
double sl_svg_text_width(const char *text, double font_px, int most);

// Widest of n names, in pixels.
double sl_svg_widest(int n, const char *const *names, double font_px);

// Colour and dash of the style with number i >= 0: i % SVG_COLOURS, and a class " sl-dash1" or "".
int sl_svg_colour(int style);
const char *sl_svg_dash(int style);
