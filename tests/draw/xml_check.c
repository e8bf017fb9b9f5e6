// xml_check.c - a small checker of XML and SVG.
#include "xml_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { MAX_DEPTH = 16, MAX_NAME = 32 };

static size_t name_bytes(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '-' || at[n] == ':') n++;
    return n;
}

// past text up to `stop`; NULL at a broken entity or a byte that may not be there
static const char *skip_text(const char *at, char stop) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    while (*at && *at != stop) {
        if (*at == '<' || (unsigned char)(*at + 1) <= 9) return NULL; // control or stray '<'
        if (*at != '&') {
            at++;
            continue;
        }
        size_t n = 0;
        for (int i = 0; i < 5; i++)
            if (strncmp(at, entities[i], strlen(entities[i])) == 0) n = strlen(entities[i]);
        if (n == 0) return NULL;
        at += n;
    }
    return at;
}

// past the attributes of a tag, to '>' or '/'
static const char *skip_attributes(const char *at) {
    while (isspace((unsigned char)*at)) {
        while (isspace((unsigned char)*at)) at++;
        size_t n = name_bytes(at);
        if (n == 0) break;
        if (strncmp(at + n, "=\"", 2) != 0) return NULL;
        const char *value = at + n + 2;
        const char *end = skip_text(value, '"');
        if (!end || *end != '"') return NULL;
        // numbers that are none
        for (const char *c = value; c < end; c++)
            if (strncmp(c, "nan", 3) == 0 || strncmp(c, "inf", 3) == 0) return NULL;
        at = end + 1;
    }
    return at;
}

const char *xml_check(const char *text) {
    char open[MAX_DEPTH][MAX_NAME];
    int depth = 0;
    const char *at = text;
    do {
        if (*at != '<') return "expected a tag";
        bool closing = at[1] == '/';
        at += 1 + closing;
        size_t n = name_bytes(at);
        if (n == 0 || n >= MAX_NAME) return "a tag without a name";
        if (closing) {
            if (depth == 0 || strlen(open[depth - 1]) != n || strncmp(open[depth - 1], at, n) != 0)
                return "a closing tag that closes nothing";
            depth--;
            at += n;
        } else {
            if (depth == MAX_DEPTH) return "too deep";
            snprintf(open[depth++], MAX_NAME, "%.*s", (int)n, at);
            at = skip_attributes(at + n);
            if (!at) return "a broken attribute";
            if (*at == '/') {
                depth--;
                at++;
            }
        }
        if (*at != '>') return "a tag without an end";
        at = skip_text(at + 1, '<');
        if (!at) return "broken text";
    } while (depth > 0 && *at);
    if (depth > 0) return "an element that is not closed";
    return *at ? "something after the end" : NULL;
}

void assert_svg(const SlText *text) {
    assert_false(text->failed);
    const char *wrong = xml_check(text->data);
    if (wrong) fail_msg("%s in: %s", wrong, text->data);
    assert_memory_equal(text->data, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39);
    double width = 0, height = 0;
    const char *box = strstr(text->data, "viewBox=\"0 0 ");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    assert_true(width > 0 && width < 5000 && height > 0 && height < 50000);
    assert_non_null(strstr(text->data, "prefers-color-scheme:dark"));
}

int count_text(const char *text, const char *piece) {
    size_t n_piece = strlen(piece);
    int n = 0;
    // not strstr, which the address sanitizer makes walk to the end each time
    for (const char *at = text; *at; at++)
        if (*at == *piece && strncmp(at, piece, n_piece) == 0) n++;
    return n;
}
