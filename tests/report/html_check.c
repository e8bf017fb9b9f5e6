// html_check.c - a small checker of HTML pages.
#include "html_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { MAX_DEPTH = 32, MAX_NAME = 32 };

static bool is_void(const char *name, size_t n) {
    static const char *const names[] = {"meta", "br", "hr", "img"};
    for (int i = 0; i < 4; i++)
        if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0) return true;
    return false;
}

// past the tag that begins at `at`; NULL if it does not end, or a quote is open
static const char *skip_tag(const char *at) {
    bool quoted = false;
    for (at++; *at; at++) {
        if (*at == '"') quoted = !quoted;
        if (!quoted && *at == '<') return NULL;
        if (!quoted && *at == '>') return at + 1;
    }
    return NULL;
}

const char *html_check(const char *text) {
    char open[MAX_DEPTH][MAX_NAME];
    int depth = 0;
    if (strncmp(text, "<!doctype html>", 15) != 0) return "no doctype";
    for (const char *at = text + 15; (at = strchr(at, '<'));) {
        bool closing = at[1] == '/';
        const char *name = at + 1 + closing, *end = skip_tag(at);
        size_t n = 0;
        while (isalnum((unsigned char)name[n])) n++;
        if (!end || n == 0 || n >= MAX_NAME) return "a broken tag";
        at = end;
        if (closing) {
            if (depth == 0 || strlen(open[depth - 1]) != n || strncmp(open[depth - 1], name, n))
                return "a closing tag that closes nothing";
            depth--;
            continue;
        }
        if (is_void(name, n) || end[-2] == '/') continue;
        if (depth == MAX_DEPTH) return "too deep";
        snprintf(open[depth++], MAX_NAME, "%.*s", (int)n, name);
        // what is inside a style sheet are no tags
        if (n == 5 && strncmp(name, "style", 5) == 0 && !(at = strstr(at, "</style>")))
            return "a style without an end";
    }
    return depth > 0 ? "an element that is not closed" : NULL;
}

void assert_page(const SlText *text) {
    assert_false(text->failed);
    const char *wrong = html_check(text->data);
    if (wrong) fail_msg("%s in: %s", wrong, text->data);
    assert_null(strstr(text->data, "<script"));
    assert_null(strstr(text->data, "src="));
    assert_null(strstr(text->data, "@import"));
    assert_null(strstr(text->data, "url("));
    assert_null(strstr(text->data, "href=\"http"));
    // the one address is the name of the SVG language
    for (const char *at = text->data; (at = strstr(at, "http")); at++)
        assert_memory_equal(at, "http://www.w3.org/2000/svg", 26);
}
