// json.h - what we add to Jansson: a schema version on every document, NaN and infinity as null,
// one way to print, members by name.
#pragma once

#include "starling/core/text.h"

struct json_t;

// A new object {"schema": "starling.<kind>/<version>", "version": "<program version>"}.
struct json_t *sl_json_document(const char *kind, int version);

// A number that JSON can hold: null for NaN and infinities, an integer where the value is whole and
// below 2^53.
struct json_t *sl_json_number(double value);

// Indented text with a line break at the end; reals with 15 significant digits. Takes the
// reference.
SlStatus sl_json_print(struct json_t *json, SlText *out, SlError *err);

typedef enum {
    SL_JSON_ABSENT,
    SL_JSON_NULL,
    SL_JSON_NUMBER, // finite
    SL_JSON_TEXT,
    SL_JSON_OTHER, // true, false, a list, an object
} SlJsonKind;

// One member of an object. `text` is a string as it is, anything else as JSON, on one valid line; a
// long one is cut and ends in "...".
typedef struct {
    const char *name; // set by the caller
    SlJsonKind kind;
    double number; // of SL_JSON_NUMBER
    char text[240];
} SlJsonMember;

// Look up `n_members` members of the JSON object that `text` (n) is. Numbers that are not finite,
// as some programs write them (NaN, Infinity, -inf, 1e999), count as strings. False if the text is
// not one JSON object.
bool sl_json_members(const char *text, size_t n, int n_members, SlJsonMember *members);
