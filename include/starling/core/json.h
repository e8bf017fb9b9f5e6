// json.h - JSON as text: is it any, and the members of an object by their names.
#pragma once

#include "starling/core/text.h"

SL_API_BEGIN

bool sl_json_check(const char *text, size_t n); // is it one JSON value?

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

SL_API_END
