// svg.c - pieces of an SVG file: head, style, lines, text.
#include "svg.h"

#include <math.h>
#include <string.h>

#include "label.h"

// Eight colours in the hues of Okabe & Ito (2008), their lightness and saturation searched so that
// any two differ by 14 or more (CIEDE2000) for normal eyes and for those that lack one of the three
// cones (Machado et al. 2009), with a contrast of 3 or more to the ground. Text takes darker shades
// with 4.5 or more.
static const char *const light_lines[SVG_COLOURS] = {"#0899fe", "#b82f02", "#128463", "#650334",
                                                     "#c6882a", "#195866", "#8541be", "#8f9199"};
static const char *const light_text[SVG_COLOURS] = {"#0070c0", "#b82f02", "#117a5c", "#650334",
                                                    "#8f5f10", "#195866", "#8541be", "#666a72"};
static const char *const dark_lines[SVG_COLOURS] = {"#3f96fe", "#d74400", "#c7ffc7", "#e3819a",
                                                    "#cbb461", "#26d5fc", "#856d9e", "#ebeef3"};
static const char *const dark_text[SVG_COLOURS] = {"#5aa6ff", "#f0692c", "#c7ffc7", "#e3819a",
                                                   "#cbb461", "#26d5fc", "#a58fc0", "#ebeef3"};

static const char light_style[] =
    ".sl text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "sans-serif;font-variant-numeric:tabular-nums}\n"
    ".sl .sl-title{font-size:15px;font-weight:600}.sl .sl-small{font-size:11px}"
    ".sl .sl-strong{font-weight:600}.sl .sl-head{font-size:12.5px;font-weight:600}\n"
    ".sl path,.sl line{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
    ".sl .sl-ground{fill:#fff}.sl .sl-ink{fill:#1d2329}.sl .sl-soft{fill:#59626b}"
    ".sl .sl-on{fill:#fff}.sl .sl-halo{paint-order:stroke;stroke:#fff;stroke-width:4px;"
    "stroke-linejoin:round}\n"
    ".sl .sl-axis{stroke:#98a1a9}.sl .sl-grid{stroke:#e7eaec}"
    ".sl .sl-cut{stroke:#59626b;stroke-dasharray:5 4}.sl .sl-mark{stroke:#1d2329}\n"
    ".sl .sl-above{stroke:#98a1a9;stroke-width:1.5}.sl .sl-wide{stroke-width:2}"
    ".sl .sl-thin{stroke-width:1;opacity:.55}.sl .sl-dash1{stroke-dasharray:8 5}"
    ".sl .sl-dash2{stroke-dasharray:1 5}.sl .sl-dash3{stroke-dasharray:9 5 1 5}\n"
    ".sl .sl-band{opacity:.13}.sl .sl-faint{opacity:.08}.sl .sl-pale{fill-opacity:.3}.sl "
    ".sl-dot{fill-opacity:.6}\n";

static const char dark_style[] =
    ".sl .sl-ground{fill:#1b2126}.sl .sl-ink{fill:#e6e8e6}.sl .sl-soft{fill:#a3adb6}"
    ".sl .sl-on{fill:#14181c}.sl .sl-halo{stroke:#1b2126}\n"
    ".sl .sl-axis{stroke:#67717a}.sl .sl-grid{stroke:#2d353c}.sl .sl-cut{stroke:#a3adb6}"
    ".sl .sl-above{stroke:#67717a}.sl .sl-mark{stroke:#e6e8e6}\n";

static void add_palette(const char *const *lines, const char *const *text, SlText *out) {
    for (int i = 0; i < SVG_COLOURS; i++)
        sl_text_add(out, ".sl .sl-c%d{stroke:%s}.sl .sl-f%d{fill:%s}.sl .sl-b%d{fill:%s}\n", i,
                    lines[i], i, text[i], i, lines[i]);
}

void sl_svg_open(SlText *out, double width, double height, const char *title, const char *about) {
    sl_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sl\" viewBox=\"0 0 %.0f %.0f\" "
                "width=\"%.0f\" height=\"%.0f\" style=\"max-width:100%%;height:auto\" role=\"img\">"
                "\n<title>",
                ceil(width), ceil(height), ceil(width), ceil(height));
    sl_svg_escape(out, title ? title : "", 0);
    sl_text_add(out, "</title>\n");
    if (about) {
        sl_text_add(out, "<desc>");
        sl_svg_escape(out, about, 0);
        sl_text_add(out, "</desc>\n");
    }
    sl_text_add(out, "<style>\n%s", light_style);
    add_palette(light_lines, light_text, out);
    sl_text_add(out, "@media(prefers-color-scheme:dark){\n%s", dark_style);
    add_palette(dark_lines, dark_text, out);
    sl_text_add(out, "}\n</style>\n<rect class=\"sl-ground\" width=\"100%%\" height=\"100%%\"/>\n");
}

void sl_svg_close(SlText *out) {
    sl_text_add(out, "</svg>\n");
}

void sl_svg_line(SlText *out, const char *class, double x1, double y1, double x2, double y2) {
    sl_text_add(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                class, x1, y1, x2, y2);
}

static void open_text(SlText *out, const char *class, SvgAnchor anchor, double x, double y) {
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    sl_text_add(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>", class, x, y, anchors[anchor]);
}

void sl_svg_text(SlText *out, const char *class, SvgAnchor anchor, double x, double y,
                 const char *text) {
    if (!text || !*text) return;
    open_text(out, class, anchor, x, y);
    sl_svg_escape(out, text, 0);
    sl_text_add(out, "</text>\n");
}

// ---- text as XML ----

static void escape_one(SlText *out, const char *text, int n_bytes) {
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    static const char special[] = "&<>\"'";
    const char *found = strchr(special, *text);
    if (n_bytes == 0)
        sl_text_put(out, "\xEF\xBF\xBD", 3); // the replacement character
    else if (found)
        sl_text_add(out, "%s", names[found - special]);
    else
        sl_text_put(out, text, (size_t)n_bytes);
}

static void escape_bytes(SlText *out, const char *text, int n_bytes) {
    for (const char *end = text + n_bytes; text < end;) {
        int n = sl_label_bytes(text);
        escape_one(out, text, n);
        text += n ? n : 1;
    }
}

void sl_svg_escape(SlText *out, const char *text, int most) {
    bool whole = most <= 0 || sl_label_characters(text, 0) <= most;
    for (int i = 0; *text; i++) {
        if (!whole && i == most - 1) {
            sl_text_put(out, "…", strlen("…"));
            return;
        }
        int n = sl_label_bytes(text);
        escape_one(out, text, n);
        text += n ? n : 1;
    }
}

// ---- blocks of lines ----

static int break_lines(const SvgBlock *block, const char *text, LabelLine *lines) {
    // strong text is a tenth wider
    bool strong = strstr(block->class, "sl-strong") || strstr(block->class, "sl-title") ||
                  strstr(block->class, "sl-head");
    double ems = block->width / block->font / (strong ? 1.1 : 1);
    return sl_label_lines(text, ems, block->most, lines);
}

int sl_svg_block_lines(const SvgBlock *block, const char *text) {
    LabelLine lines[SVG_MOST_LINES];
    return break_lines(block, text, lines);
}

int sl_svg_block(SlText *out, const SvgBlock *block, double x, double y, const char *text) {
    LabelLine lines[SVG_MOST_LINES];
    int n = break_lines(block, text, lines);
    for (int i = 0; i < n; i++) {
        open_text(out, block->class, block->anchor, x, y + i * block->row);
        if (lines[i].cut) {
            sl_text_add(out, "<title>");
            sl_svg_escape(out, text, 0);
            sl_text_add(out, "</title>");
        }
        escape_bytes(out, lines[i].text, lines[i].n_bytes);
        sl_text_add(out, "%s</text>\n", lines[i].cut ? "…" : "");
    }
    return n;
}

static SvgBlock title_block(double width) {
    return (SvgBlock){"sl-ink sl-title", SVG_START, 15, 20, width - 32, 3};
}

double sl_svg_title_height(double width, const char *title) {
    SvgBlock block = title_block(width);
    int n = sl_svg_block_lines(&block, title);
    return n > 0 ? 16 + n * block.row : 0;
}

double sl_svg_title(SlText *out, double width, const char *title) {
    SvgBlock block = title_block(width);
    int n = sl_svg_block(out, &block, 16, 28, title);
    return n > 0 ? 16 + n * block.row : 0;
}

double sl_svg_text_width(const char *text, double font_px, int most) {
    return font_px * sl_label_ems(text, most);
}

double sl_svg_widest(int n, const char *const *names, double font_px) {
    double widest = 0;
    for (int i = 0; i < n; i++)
        widest = fmax(widest, sl_svg_text_width(names[i], font_px, SVG_NAME_MOST));
    return widest;
}

int sl_svg_colour(int style) {
    return style % SVG_COLOURS;
}

const char *sl_svg_dash(int style) {
    static const char *const dashes[SVG_DASHES] = {"", " sl-dash1", " sl-dash2", " sl-dash3"};
    return dashes[style / SVG_COLOURS % SVG_DASHES];
}
