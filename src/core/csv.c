// csv.c - cut lines into cells, in place in a private copy of the text.
#include "starling/core/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static char *skip_blanks(char *at) {
    while (is_blank(*at)) at++;
    return at;
}

// close the text at `end` after removing blanks before it
static void trim_end(char *start, char *end) {
    while (end > start && is_blank(end[-1])) end--;
    *end = '\0';
}

// the next line that is neither blank nor a comment, without its line break; NULL at the end
static char *next_line(SlCsv *csv) {
    while (*csv->rest) {
        char *line = csv->rest;
        size_t n = strcspn(line, "\n");
        csv->rest = line + n + (line[n] == '\n');
        line[n] = '\0';
        csv->line++;
        char *start = skip_blanks(line);
        if (*start && *start != '#') return line;
    }
    return NULL;
}

// ---- formulas ----

// loops, boundaries and nothing that a formula could be made of
static bool is_nest(const char *text) {
    static const char *const alphabet = "@0123456789NGKCPQRS:* ";
    return text[0] == '@' && isdigit((unsigned char)text[1]) && !text[strspn(text, alphabet)];
}

// Would a spreadsheet compute what the cell says? A sign alone is a dash.
static bool is_formula(const char *text) {
    text += strspn(text, " \t\r\n");
    if (!text[0] || !strchr("=+-@", text[0]) || !text[1]) return false;
    double number = 0;
    return !is_nest(text) && sl_parse_real(text, -INFINITY, INFINITY, &number, NULL) != SL_OK;
}

void sl_csv_put(const char *text, SlText *out) {
    const char *mark = is_formula(text) ? "'" : "";
    if (!text[strcspn(text, ",\"\r\n")] && text[0] != '#') {
        sl_text_add(out, "%s%s", mark, text);
        return;
    }
    sl_text_add(out, "\"%s", mark);
    for (; *text; text++) sl_text_put(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    sl_text_put(out, "\"", 1);
}

// ---- cells ----

// A cell cut out of a line.
typedef struct {
    char *text;
    char *next; // behind the comma, NULL after the last cell
    bool open;  // a quote that is never closed, or text behind a closing one
} Cell;

// a cell in quotes that starts at `at`; "" inside stands for one quote
static Cell cut_quoted(char *at) {
    char *from = at + 1, *to = at + 1;
    Cell cell = {.text = to};
    while (*from && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    char *behind = skip_blanks(from + (*from == '"'));
    cell.open = *from != '"' || (*behind && *behind != ',');
    if (*behind == ',') cell.next = behind + 1;
    *to = '\0';
    return cell;
}

static Cell cut_cell(char *at) {
    at = skip_blanks(at);
    if (*at == '"') return cut_quoted(at);
    char *end = at + strcspn(at, ",");
    Cell cell = {.text = at, .next = *end == ',' ? end + 1 : NULL};
    trim_end(at, end);
    return cell;
}

// the cells of a line; *n counts them all, also those beyond the room
static SlStatus cut_line(SlCsv *csv, char *line, const char **cells, int *n, SlError *err) {
    *n = 0;
    for (char *at = line; at;) {
        Cell cell = cut_cell(at);
        if (cell.open)
            return sl_fail_at(err, SL_EINPUT, csv->file, csv->line, (int)(at - line) + 1,
                              "expected a closing quote, then a comma or the end of the line");
        if (cell.text[0] == '\'' && is_formula(cell.text + 1)) cell.text++;
        if (*n < SL_CSV_MAX_COLUMNS) cells[*n] = cell.text;
        (*n)++;
        at = cell.next;
    }
    return SL_OK;
}

// every column has a name of its own
static SlStatus check_header(const SlCsv *csv, SlError *err) {
    if (csv->n_columns > SL_CSV_MAX_COLUMNS)
        return sl_fail_at(err, SL_EINPUT, csv->file, csv->line, 0,
                          "expected at most %d columns, got %d", SL_CSV_MAX_COLUMNS,
                          csv->n_columns);
    for (int i = 0; i < csv->n_columns; i++) {
        if (sl_csv_column(csv, csv->header[i]) == i || !csv->header[i][0]) continue;
        char quoted[SL_QUOTE_ROOM];
        return sl_fail_at(err, SL_EINPUT, csv->file, csv->line, 0, "column %s appears twice",
                          sl_quote(csv->header[i], quoted));
    }
    return SL_OK;
}

SlStatus sl_csv_open(const char *file, const char *text, size_t n, SlArena *arena, SlCsv *csv,
                     SlError *err) {
    *csv = (SlCsv){.file = file};
    // a byte-order mark is not text
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    SlStatus status = sl_utf8_check(file, text, n, err);
    if (status != SL_OK) return status;
    size_t mark = sl_arena_mark(arena);
    csv->rest = sl_arena_text(arena, text, n);
    if (!csv->rest)
        return sl_fail_at(err, SL_ENOMEM, file, 0, 0, "not enough memory to read the table");
    char *line = next_line(csv);
    if (!line) status = sl_fail_at(err, SL_EINPUT, file, 0, 0, "expected a header line");
    if (status == SL_OK) status = cut_line(csv, line, csv->header, &csv->n_columns, err);
    if (status == SL_OK) status = check_header(csv, err);
    if (status != SL_OK) {
        sl_arena_rewind(arena, mark);
        *csv = (SlCsv){.file = file};
    }
    return status;
}

int sl_csv_column(const SlCsv *csv, const char *name) {
    for (int i = 0; i < csv->n_columns; i++) {
        if (strcmp(csv->header[i], name) == 0) return i;
    }
    return -1;
}

SlStatus sl_csv_next(SlCsv *csv, bool *more, SlError *err) {
    char *line = next_line(csv);
    *more = line != NULL;
    if (!line) return SL_OK;
    int n = 0;
    SlStatus status = cut_line(csv, line, csv->cells, &n, err);
    if (status == SL_OK && n != csv->n_columns)
        status = sl_fail_at(err, SL_EINPUT, csv->file, csv->line, 0,
                            "expected %d cells as in the header, got %d", csv->n_columns, n);
    if (status != SL_OK) *more = false;
    return status;
}

// whole numbers are most of what there is, so they take the quick way
static void put_whole(double value, SlText *out) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = (uint64_t)fabs(value);
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) digits[--at] = '-';
    sl_text_put(out, digits + at, sizeof digits - at);
}

void sl_csv_number(double value, SlText *out) {
    char digits[40];
    if (!isfinite(value)) return;
    if (value == trunc(value) && fabs(value) < 0x1p53) {
        put_whole(value, out);
        return;
    }
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, value);
        if (strtod(digits, NULL) == value) break;
    }
    sl_text_put(out, digits, strlen(digits));
}
