// json_glue.h - JSON documents by Jansson: a schema on every document, NaN and infinity as null,
// one way to print, options as an object.
#pragma once

#include "starling/core.h"

struct json_t;

// A new object {"schema": "starling.<kind>/<version>", "version": "<program version>"}.
struct json_t *sl_json_document(const char *kind, int version);

// A number that JSON can hold: null for NaN and infinities, an integer where the value is whole and
// below 2^53.
struct json_t *sl_json_number(double value);

// Indented text with a line break at the end; reals with 15 significant digits. Takes the
// reference.
SlStatus sl_json_print(struct json_t *json, SlText *out, SlError *err);

// What sl_options_json writes, as a new object; NULL without memory.
struct json_t *json_options(const SlOption *table, const void *options);
