// json_members.c - a JSON object of another program: members by name, and numbers JSON lacks.
#include "starling/core/json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

// whole numbers as reals: they may be larger than 64 bits
static json_t *load_object(const char *text, size_t n) {
    json_t *json = json_loadb(text, n, JSON_DECODE_INT_AS_REAL, NULL);
    if (json_is_object(json)) return json;
    json_decref(json);
    return NULL;
}

// bytes of the string that begins at `text`, both quotes counted if they are there
static size_t string_size(const char *text, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '"')
            return i + 1;
    }
    return n;
}

static bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

// bytes of the word that begins at `text`; 0 if none does
static size_t word_size(const char *text, size_t n) {
    size_t size = 0;
    while (size < n && is_word_byte(text[size])) size++;
    return size;
}

// does C read the word as NaN or as an infinity?
static bool is_not_finite(const char *word, size_t n) {
    char copy[64], *end;
    if (n == 0 || n >= sizeof copy) return false;
    memcpy(copy, word, n);
    copy[n] = '\0';
    return !isfinite(strtod(copy, &end)) && *end == '\0';
}

// `out` (2n + 1 bytes) gets the text with such words in quotes; returns its size
static size_t quote_not_finite(const char *text, size_t n, char *out) {
    size_t size = 0;
    for (size_t i = 0, piece; i < n; i += piece) {
        size_t word = word_size(text + i, n - i);
        piece = text[i] == '"' ? string_size(text + i, n - i) : word ? word : 1;
        bool quote = is_not_finite(text + i, word);
        if (quote) out[size++] = '"';
        memcpy(out + size, text + i, piece);
        size += piece;
        if (quote) out[size++] = '"';
    }
    return size;
}

static json_t *load_not_finite(const char *text, size_t n) {
    char *quoted = malloc(2 * n + 1);
    if (!quoted) return NULL;
    json_t *json = load_object(quoted, quote_not_finite(text, n, quoted));
    free(quoted);
    return json;
}

// of a long list or object only the beginning is wanted
static void print_other(const json_t *value, SlJsonMember *member) {
    char *printed = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    sl_utf8_clean(printed ? printed : "?", sizeof member->text, member->text);
    free(printed);
}

static void fill_member(const json_t *value, SlJsonMember *member) {
    *member = (SlJsonMember){.name = member->name};
    if (!value) return;
    if (json_is_string(value)) {
        member->kind = SL_JSON_TEXT;
        sl_utf8_clean(json_string_value(value), sizeof member->text, member->text);
        return;
    }
    bool number = json_is_number(value);
    member->kind = number ? SL_JSON_NUMBER : json_is_null(value) ? SL_JSON_NULL : SL_JSON_OTHER;
    member->number = number ? json_number_value(value) : 0;
    print_other(value, member);
}

bool sl_json_members(const char *text, size_t n, int n_members, SlJsonMember *members) {
    json_t *json = load_object(text, n);
    if (!json) json = load_not_finite(text, n);
    for (int i = 0; json && i < n_members; i++)
        fill_member(json_object_get(json, members[i].name), &members[i]);
    bool found = json != NULL;
    json_decref(json);
    return found;
}

bool sl_json_check(const char *text, size_t n) {
    json_t *json = json_loadb(text, n, JSON_DECODE_ANY, NULL);
    bool valid = json != NULL;
    json_decref(json);
    return valid;
}
