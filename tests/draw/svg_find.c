// svg_find.c - elements of a picture by what they say.
#include "svg_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"
#include "support/check.h"

// what a text element says: behind its tag and its tooltip
static const char *words_of(const char *tag) {
    const char *words = strchr(tag, '>') + 1;
    if (strncmp(words, "<title>", 7) == 0) words = strstr(words, "</title>") + 8;
    return words;
}

const char *find_text(const SlText *text, const char *from, const char *words) {
    size_t n = strlen(words);
    const char *at = from ? from + 1 : text->data;
    for (; (at = strstr(at, "<text ")); at++) {
        const char *says = words_of(at);
        if (strncmp(says, words, n) == 0 && strncmp(says + n, "</text>", 7) == 0) return at;
    }
    return NULL;
}

double number_of(const char *tag, const char *attribute) {
    char key[32];
    snprintf(key, sizeof key, " %s=\"", attribute);
    assert_non_null(tag);
    const char *at = strstr(tag, key), *end = strchr(tag, '>');
    bool found = at && at < end;
    if (!found) fail_msg("no %s in: %.80s", attribute, tag);
    return found ? strtod(at + strlen(key), NULL) : 0;
}

const char *find_piece(const SlText *text, const char *piece, int n) {
    const char *at = text->data;
    for (int i = 0; (at = strstr(at, piece)); i++, at++)
        if (i == n) return at;
    fail_msg("%s is not there %d times", piece, n + 1);
    return NULL;
}

double svg_width(const SlText *text) {
    return number_of(strstr(text->data, "<svg "), "width");
}

double svg_height(const SlText *text) {
    return number_of(strstr(text->data, "<svg "), "height");
}

// pixels of the words up to the closing tag; an entity counts as its name, so it is left out
static double words_width(const char *says, double font) {
    char words[512];
    snprintf(words, sizeof words, "%.*s", (int)(strstr(says, "</text>") - says), says);
    return strchr(words, '&') ? 0 : font * sl_label_ems(words, 0);
}

void assert_texts_inside(const SlText *text) {
    double width = svg_width(text), height = svg_height(text);
    const char *at = text->data;
    for (; (at = strstr(at, "<text class=")); at++) {
        const char *end = strchr(at, '>'), *middle = strstr(at, "\"middle\""),
                   *last = strstr(at, "\"end\"");
        double font = strstr(at, "sl-small") && strstr(at, "sl-small") < end ? 11 : 12;
        double x = number_of(at, "x"), y = number_of(at, "y");
        double wide = words_width(words_of(at), font);
        double from = middle && middle < end ? x - wide / 2 : last && last < end ? x - wide : x;
        if (from < 0 || from + wide > width || y < font - 3 || y > height)
            fail_msg("outside of %g x %g: %.160s", width, height, at);
    }
}
