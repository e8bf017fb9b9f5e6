// page_bars.c - charts of bars in pages of the program.
#include "page_bars.h"

void page_bars_begin(SlText *out) {
    sl_text_add(out, "<div class=\"chart\">\n");
}

void page_bars_end(SlText *out) {
    sl_text_add(out, "</div>\n");
}

void page_bar_begin(const char *name, double share, SlText *out) {
    sl_text_add(out, "<span class=\"name\">");
    sl_page_text(name, out);
    sl_text_add(out, "</span><div><div class=\"bar\" style=\"width:%.2f%%\">", 100 * share);
}

void page_bar_piece(const char *color, const char *name, const char *value, double share,
                    SlText *out) {
    if (!(share > 0)) return;
    sl_text_add(out, "<i style=\"background:var(--%s);width:%.2f%%\" title=\"", color, 100 * share);
    sl_page_text(name, out);
    sl_text_add(out, " %s\"></i>", value);
}

void page_bar_end(const char *value, SlText *out) {
    sl_text_add(out, "</div></div><span class=\"value\">%s</span>\n", value);
}
