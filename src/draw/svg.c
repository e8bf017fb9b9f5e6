// svg.c - pieces of an SVG file: head, style, lines, text.
#include "svg.h"

#include <math.h>
#include <string.h>

#include "label.h"

// The palette follows Okabe & Ito (2008), made for eyes that confuse red and green; yellow is left
// out since it does not show on white. Dark pages get lighter shades of the same hues.
static const char common_style[] =
    ".sl text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "sans-serif;font-variant-numeric:tabular-nums}\n"
    ".sl .sl-title{font-size:15px;font-weight:600}.sl .sl-small{font-size:11px}"
    ".sl .sl-strong{font-weight:600}\n"
    ".sl path,.sl line{fill:none;stroke-linecap:round;stroke-linejoin:round}\n"
    ".sl .sl-ground{fill:#fff}.sl .sl-ink{fill:#1d2329}.sl .sl-soft{fill:#59626b}"
    ".sl .sl-on{fill:#fff}\n"
    ".sl .sl-axis{stroke:#98a1a9}.sl .sl-grid{stroke:#e7eaec}"
    ".sl .sl-cut{stroke:#59626b;stroke-dasharray:5 4}\n"
    ".sl .sl-above{stroke:#98a1a9;stroke-width:1.5}.sl .sl-wide{stroke-width:2}"
    ".sl .sl-thin{stroke-width:1;opacity:.55}.sl .sl-dash1{stroke-dasharray:7 4}"
    ".sl .sl-dash2{stroke-dasharray:2 4}\n"
    ".sl .sl-c0{stroke:#0072b2}.sl .sl-c1{stroke:#d55e00}.sl .sl-c2{stroke:#009e73}"
    ".sl .sl-c3{stroke:#b8578c}.sl .sl-c4{stroke:#a87900}.sl .sl-c5{stroke:#3a9bdc}"
    ".sl .sl-c6{stroke:#7a5ab5}.sl .sl-c7{stroke:#5d6873}\n"
    ".sl .sl-f0{fill:#0072b2}.sl .sl-f1{fill:#c25500}.sl .sl-f2{fill:#00845f}"
    ".sl .sl-f3{fill:#b04e84}.sl .sl-f4{fill:#8f6700}.sl .sl-f5{fill:#2680bd}"
    ".sl .sl-f6{fill:#7a5ab5}.sl .sl-f7{fill:#5d6873}\n"
    ".sl .sl-b0{fill:#0072b2}.sl .sl-b1{fill:#d55e00}.sl .sl-b2{fill:#009e73}"
    ".sl .sl-b3{fill:#b8578c}.sl .sl-b4{fill:#a87900}.sl .sl-b5{fill:#3a9bdc}"
    ".sl .sl-b6{fill:#7a5ab5}.sl .sl-b7{fill:#5d6873}.sl .sl-band{opacity:.15}\n";

static const char dark_style[] =
    ".sl .sl-ground{fill:#1b2126}.sl .sl-ink{fill:#e6e8e6}.sl .sl-soft{fill:#a3adb6}"
    ".sl .sl-on{fill:#14181c}\n"
    ".sl .sl-axis{stroke:#67717a}.sl .sl-grid{stroke:#2d353c}.sl .sl-cut{stroke:#a3adb6}"
    ".sl .sl-above{stroke:#67717a}\n"
    ".sl .sl-c0{stroke:#4aa3e0}.sl .sl-c1{stroke:#f5894a}.sl .sl-c2{stroke:#2fc095}"
    ".sl .sl-c3{stroke:#e592bd}.sl .sl-c4{stroke:#e3b341}.sl .sl-c5{stroke:#8cd0ff}"
    ".sl .sl-c6{stroke:#b39df0}.sl .sl-c7{stroke:#a9b3bc}\n"
    ".sl .sl-f0,.sl .sl-b0{fill:#4aa3e0}.sl .sl-f1,.sl .sl-b1{fill:#f5894a}"
    ".sl .sl-f2,.sl .sl-b2{fill:#2fc095}.sl .sl-f3,.sl .sl-b3{fill:#e592bd}"
    ".sl .sl-f4,.sl .sl-b4{fill:#e3b341}.sl .sl-f5,.sl .sl-b5{fill:#8cd0ff}"
    ".sl .sl-f6,.sl .sl-b6{fill:#b39df0}.sl .sl-f7,.sl .sl-b7{fill:#a9b3bc}\n";

void sl_svg_open(SlText *out, double width, double height, const char *title) {
    sl_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sl\" viewBox=\"0 0 %.0f %.0f\" "
                "width=\"%.0f\" height=\"%.0f\" style=\"max-width:100%%;height:auto\" role=\"img\">"
                "\n<title>",
                ceil(width), ceil(height), ceil(width), ceil(height));
    sl_svg_escape(out, title ? title : "", 0);
    sl_text_add(out, "</title>\n");
    sl_text_add(out,
                "<style>\n%s@media(prefers-color-scheme:dark){\n%s}\n</style>\n"
                "<rect class=\"sl-ground\" width=\"100%%\" height=\"100%%\"/>\n",
                common_style, dark_style);
}

void sl_svg_close(SlText *out) {
    sl_text_add(out, "</svg>\n");
}

void sl_svg_line(SlText *out, const char *class, double x1, double y1, double x2, double y2) {
    sl_text_add(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                class, x1, y1, x2, y2);
}

void sl_svg_text(SlText *out, const char *class, SvgAnchor anchor, double x, double y,
                 const char *text) {
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    if (!text || !*text) return;
    sl_text_add(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>", class, x, y, anchors[anchor]);
    sl_svg_escape(out, text, 0);
    sl_text_add(out, "</text>\n");
}

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

double sl_svg_text_width(const char *text, double font_px, int most) {
    // system fonts are about half an em wide on average, capitals and digits more
    return 0.6 * font_px * sl_label_characters(text, most);
}

double sl_svg_widest(int n, const char *const *names, double font_px) {
    double widest = 0;
    for (int i = 0; i < n; i++)
        widest = fmax(widest, sl_svg_text_width(names[i], font_px, SVG_NAME_MOST));
    return widest;
}
