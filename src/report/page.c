// page.c - the frame of every HTML page: style, escaping, cards, cells.
//
// No scripts and nothing from elsewhere; light and dark, narrow and printed.

#include "page.h"

static const char style[] =
    ":root{color-scheme:light dark;--page:#fbfbf9;--ink:#1d2329;--soft:#626b74;--line:#dfe2e0;"
    "--card:#fff;--warn:#b3261e;--good:#0b6b3a;--tint:#eaf4ee;--floor:#3b6ea5;--above:#b9cde2;--c0:"
    "#31588a;--c1:#5a9bc4;"
    "--c2:#9ccbd6;--c3:#7a6fb0;--c4:#b39bd0;--c5:#d5a6c8;--c6:#8a5a83;--net:#d9a441;--mac:#5c9a72}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e6e8e6;--soft:#9aa4ad;"
    "--line:#30373e;--card:#1b2126;--warn:#ff8a80;--good:#83d9a8;--tint:#1f3329;--floor:#6ea3dc;--"
    "above:#2f4a66;--c0:#6f9fdd;"
    "--c1:#4f86ad;--c2:#3d6b78;--c3:#9a8fd6}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:68rem;margin:0 auto;padding:2rem 1rem 3rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.1rem;margin:2.2rem 0 "
    ".6rem}"
    "p{margin:.2rem 0;color:var(--soft)}\n"
    ".warn{color:var(--warn);font-weight:600}"
    ".verdict{color:var(--ink);font-size:1.15rem;margin:.4rem 0 1rem}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.7rem;"
    "margin-top:1.4rem}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;"
    "padding:.7rem .9rem}.card b{display:block;font-size:1.35rem;font-weight:600;line-height:1.3}"
    ".card span{color:var(--soft);font-size:.85rem}\n"
    ".chart{display:grid;grid-template-columns:minmax(3rem,max-content) 1fr max-content;"
    "gap:.25rem .7rem;align-items:center;font-size:.85rem;font-variant-numeric:tabular-nums}"
    ".chart .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:10rem}"
    ".chart .value{text-align:right;color:var(--soft)}"
    ".bar{display:flex;height:1rem;border-radius:.2rem;overflow:hidden;min-width:1px}"
    ".bar i{display:block;height:100%}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:0 0 .8rem;font-size:.85rem;"
    "color:var(--soft)}.key i{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;"
    "margin-right:.35rem;vertical-align:-.08rem}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;"
    "background:var(--card)}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:500}"
    "th.t,td.t{text-align:left}tbody tr:last-child td{border-bottom:0}"
    "tfoot td{font-weight:600;border-top:2px solid var(--line);border-bottom:0}\n"
    "details{border-bottom:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer}"
    "summary span{color:var(--soft);font-size:.85rem}\n"
    "pre{overflow-x:auto;font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;margin:.6rem 0;"
    "padding:.8rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}\n"
    "footer{margin-top:2.5rem;color:var(--soft);font-size:.85rem}\n"
    "h2+p{margin-bottom:.5rem}figure{margin:0;max-width:44rem}figure svg{width:100%;height:auto}"
    "figure.wide{margin:1.2rem 0 1.8rem;max-width:none}figure.wide svg{width:auto;display:block}"
    ".picture,.scroll:has(.named){width:fit-content;max-width:100%}"
    ".picture{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;"
    "background:var(--card)}figcaption{margin-top:.5rem;max-width:46rem;color:var(--soft);"
    "font-size:.9rem}\n"
    "h3{font-size:.95rem;margin:1.3rem 0 .5rem}.named{width:auto}"
    ".named th{vertical-align:bottom;white-space:normal}tbody+tbody tr:first-child "
    "td{border-top:2px solid "
    "var(--line)}td strong,.best{font-weight:700;color:var(--good)}.best{background:var(--tint)}"
    ".scroll+p,.scroll+.scroll,p+.scroll{margin-top:.7rem}p{max-width:52rem}\n"
    "code{font:.9em ui-monospace,Menlo,Consolas,monospace;color:var(--ink);"
    "overflow-wrap:anywhere}a{color:var(--floor)}"
    ".contents{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.8rem 0;font-size:.9rem}"
    "h2[id],figure[id]{scroll-margin-top:1rem}\n"
    ".facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.1rem;margin:1rem 0;"
    "max-width:60rem}.facts dt{color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}"
    ".cards+.scroll{margin-top:1.2rem}\n"
    ".spark{display:block;margin-left:auto}.facts "
    ".spark{display:inline-block;vertical-align:middle}"
    ".spark path{fill:none;stroke:var(--floor);"
    "stroke-width:1.5}\n"
    "@media(max-width:40rem){table:not(.named) :is(th,td):nth-child(2),"
    ".named :is(th,td):first-child{position:sticky;left:0;background:var(--card)}"
    ".named :is(th,td):first-child{min-width:6.5rem;max-width:9rem;white-space:normal;z-index:1;"
    "box-shadow:1px 0 var(--line)}.named th{white-space:normal}.chart .name{max-width:7rem}"
    "figure:not(.wide){overflow-x:auto}"
    ":is(.picture,figure) svg{width:auto;max-width:none!important}}\n"
    "@media print{:root{--page:#fff}main{max-width:none;padding:0}"
    ".scroll,pre,.picture{overflow:visible;border:0}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}table{font-size:.7rem}"
    "th,td{padding:.2rem .35rem}.card,tr,.bar,figure{break-inside:avoid}"
    "h2,h3{break-after:avoid}.contents{display:none}.named th,td.t{white-space:normal}"
    "a{color:inherit;text-decoration:none}}\n";

void sl_page_text(const char *text, SlText *out) {
    for (; *text; text++) {
        if (*text == '<')
            sl_text_add(out, "&lt;");
        else if (*text == '>')
            sl_text_add(out, "&gt;");
        else if (*text == '&')
            sl_text_add(out, "&amp;");
        else if (*text == '"')
            sl_text_add(out, "&quot;");
        else
            sl_text_put(out, text, 1);
    }
}

void sl_page_begin(const char *title, SlText *out) {
    sl_text_add(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<title>");
    sl_page_text(title, out);
    sl_text_add(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", style);
    sl_page_text(title, out);
    sl_text_add(out, "</h1>\n");
}

void sl_page_end(const char *footer, SlText *out) {
    sl_text_add(out, "<footer>Written by starling " SL_VERSION ".%s", footer && *footer ? " " : "");
    if (footer) sl_page_text(footer, out);
    sl_text_add(out, "</footer>\n</main></body></html>\n");
}
