// form_text.c - a document for a terminal: headings, lines of values, words and tables in 80 to 120
// columns, pictures in characters. Details and pictures of lines and colours are for pages.
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"
#include "words.h"

enum { LABEL_MOST = 24, LABEL_GAP = 2 };

// Colours of what stands out, and back: bold, and the colour of DRAM in reports.
#define BOLD "\033[1m"
#define ACCENT "\033[38;5;166m"
#define PLAIN "\033[0m"

typedef struct {
    SlText *out;
    const SlTextLook *look;
    bool begun; // something stands above: a blank line comes first
} Sheet;

static void begin_block(Sheet *sheet) {
    if (sheet->begun) sl_text_put(sheet->out, "\n", 1);
    sheet->begun = true;
}

static void put_underlined(const char *text, const char *line, int width, SlText *out) {
    sl_words_lines(text, width, out);
    for (int i = 0, n = sl_words_columns(text); i < n && i < width; i++)
        sl_text_add(out, "%s", line);
    sl_text_put(out, "\n", 1);
}

static void put_heading(Sheet *sheet, const char *text) {
    if (sheet->begun) sl_text_put(sheet->out, "\n", 1);
    begin_block(sheet);
    put_underlined(text, "─", sheet->look->width, sheet->out);
}

// ---- what a terminal shows ----

static bool is_line(const SlDocNode *node) {
    return sl_docnode_is_value(node) && node->label && !node->detail;
}

static bool is_seen(const SlDocNode *node);

static bool has_seen(const SlDocNode *group) {
    for (const SlDocNode *node = group->first; node; node = node->next)
        if (is_seen(node)) return true;
    return false;
}

// a heading that stands above pictures and details alone is left out
static bool heads_something(const SlDocNode *heading) {
    for (const SlDocNode *node = heading->next; node; node = node->next) {
        if (node->kind == SL_DOC_HEADING) return false;
        if (is_seen(node)) return true;
    }
    return false;
}

static bool is_seen(const SlDocNode *node) {
    if (node->detail) return false;
    switch (node->kind) {
    case SL_DOC_HEADING:
        return heads_something(node);
    case SL_DOC_WORDS:
    case SL_DOC_GRID:
        return true;
    case SL_DOC_LISTING:
        return node->label;
    case SL_DOC_FIGURE:
        return node->shown;
    case SL_DOC_GROUP:
        return has_seen(node);
    case SL_DOC_TABLE:
        return sl_docnode_is_shown(node, false);
    default:
        return is_line(node);
    }
}

// ---- lines of values ----

// the next line after `node`, in what is open; groups without a heading go on with the lines
static int label_columns(const SlDocNode *node) {
    int widest = 0;
    for (; node && (is_line(node) || !is_seen(node)); node = node->next) {
        int n = is_line(node) ? sl_words_columns(node->label) : 0;
        if (n > widest && n <= LABEL_MOST) widest = n;
    }
    return widest;
}

// lines of at most `width` columns; what fits in one keeps its blanks: bars begin somewhere
static void put_fitting(const char *text, int width, SlText *out) {
    if (sl_words_columns(text) <= width && !strchr(text, '\n'))
        sl_text_add(out, "%s\n", text);
    else
        sl_words_lines(text, width, out);
}

// text behind a label; further lines begin below the first. A label that is wider than its column
// has a line of its own
static void put_hanging(const Sheet *sheet, const char *label, int width, const char *text,
                        SlText *out) {
    SlText lines;
    int lead = width + LABEL_GAP, blanks = lead - sl_words_columns(label);
    sl_text_init(&lines, out->arena);
    put_fitting(text, sheet->look->width - lead, &lines);
    if (blanks >= LABEL_GAP) {
        sl_text_add(out, "%s", label);
    } else {
        sl_words_lines(label, sheet->look->width, out);
        blanks = lead;
    }
    for (const char *line = lines.data; *line; blanks = lead) {
        size_t n = strcspn(line, "\n");
        sl_text_add(out, "%*s", n > 0 ? blanks : 0, "");
        sl_text_put(out, line, n + (line[n] == '\n'));
        line += n + (line[n] == '\n');
    }
    out->failed |= lines.failed;
}

// what stands out of a text, where it stands first
static void colour_accent(const char *accent, size_t from, SlText *out) {
    const char *at = out->failed ? NULL : strstr(out->data + from, accent);
    if (!at) return;
    const char *rest = sl_arena_text(out->arena, at, strlen(at));
    size_t n = strlen(accent);
    if (!rest) {
        out->failed = true;
        return;
    }
    out->n = (size_t)(at - out->data);
    sl_text_add(out, ACCENT "%s" PLAIN "%s", accent, rest + n);
}

static void put_line(const Sheet *sheet, const SlDocNode *node, int width) {
    SlText *out = sheet->out;
    SlText text;
    size_t from = out->n;
    sl_text_init(&text, out->arena);
    const char *shown = sl_docnode_shown(node, SL_UNIT_PLAIN, out->arena);
    sl_text_add(&text, "%s", shown ? shown : "");
    if (node->remark) {
        const char *join = strchr(",;: (", node->remark[0]) ? "" : ", ";
        sl_text_add(&text, "%s", join);
        sl_words_plain(node->remark, &text);
    }
    out->failed |= text.failed || !shown;
    put_hanging(sheet, node->label, width, text.data, out);
    if (sheet->look->colour && node->accent) colour_accent(node->accent, from, out);
}

// the run of lines that begins here; returns the last of them
static const SlDocNode *put_lines(Sheet *sheet, const SlDocNode *node) {
    const SlDocNode *last = node;
    int width = label_columns(node);
    begin_block(sheet);
    for (; node && (is_line(node) || !is_seen(node)); node = node->next) {
        if (!is_line(node)) continue;
        put_line(sheet, node, width);
        last = node;
    }
    return last;
}

// ---- the rest ----

// a line of a picture, cut where the terminal ends
static void put_cut(const char *line, size_t n, int width, SlText *out) {
    char *text = sl_arena_text(out->arena, line, n);
    if (!text) {
        out->failed = true;
        return;
    }
    if (sl_words_columns(text) > width)
        sl_text_add(out, "%.*s…\n", (int)sl_words_cut(text, width - 1), text);
    else
        sl_text_add(out, "%s\n", text);
}

// lines as they are, below a label
static void put_listing(Sheet *sheet, const char *label, const char *text) {
    size_t n = strlen(text);
    begin_block(sheet);
    if (*label) sl_text_add(sheet->out, "%s\n", label);
    sl_text_put(sheet->out, text, n);
    if (n > 0 && text[n - 1] != '\n') sl_text_put(sheet->out, "\n", 1);
}

// a picture in characters
static void put_sketch(Sheet *sheet, const char *text) {
    begin_block(sheet);
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        put_cut(line, n, sheet->look->width, sheet->out);
        line += n + (line[n] == '\n');
    }
}

static void put_words(Sheet *sheet, const SlDocNode *node) {
    bool bold = node->lead && sheet->look->colour;
    begin_block(sheet);
    if (bold) sl_text_add(sheet->out, BOLD);
    sl_words_wrap(node->text, sheet->look->width, sheet->out);
    if (bold) sl_text_add(sheet->out, PLAIN);
}

static void put_table(Sheet *sheet, const SlDocNode *node) {
    const SlTable *table = sl_docnode_table(node, false, sheet->out->arena);
    if (node->label && *node->label) put_heading(sheet, node->label);
    begin_block(sheet);
    sl_table_text(table, sheet->look->width, sheet->out);
}

static void put_inside(Sheet *sheet, const SlDocNode *group);

static void put_node(Sheet *sheet, const SlDocNode *node) {
    switch (node->kind) {
    case SL_DOC_HEADING:
        put_heading(sheet, node->text);
        return;
    case SL_DOC_WORDS:
        put_words(sheet, node);
        return;
    case SL_DOC_LISTING:
        put_listing(sheet, node->label, node->text);
        return;
    case SL_DOC_FIGURE:
        put_sketch(sheet, node->shown);
        return;
    case SL_DOC_GRID:
        begin_block(sheet);
        sl_table_text(node->table, sheet->look->width, sheet->out);
        return;
    case SL_DOC_TABLE:
        put_table(sheet, node);
        return;
    case SL_DOC_GROUP:
        if (node->label && *node->label) put_heading(sheet, node->label);
        put_inside(sheet, node);
        return;
    default:
        return;
    }
}

static void put_inside(Sheet *sheet, const SlDocNode *group) {
    for (const SlDocNode *node = group->first; node; node = node->next) {
        if (!is_seen(node)) continue;
        if (is_line(node))
            node = put_lines(sheet, node);
        else
            put_node(sheet, node);
    }
}

void sl_form_text(const SlDoc *doc, const SlTextLook *look, SlText *out) {
    SlText wide;
    sl_text_init(&wide, out->arena);
    Sheet sheet = {.out = look->ascii ? &wide : out, .look = look, .begun = doc->title};
    if (doc->title) put_underlined(doc->title, "═", look->width, sheet.out);
    put_inside(&sheet, &doc->root);
    if (!look->ascii) return;
    out->failed |= wide.failed;
    if (!wide.failed) sl_text_ascii(wide.data, out);
}
