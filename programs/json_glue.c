// json_glue.c - documents with a schema, numbers that JSON can hold, one way to print.
#include "json_glue.h"

#include <jansson.h>
#include <math.h>

struct json_t *sl_json_document(const char *kind, int version) {
    return json_pack("{s:o, s:s}", "schema", json_sprintf("starling.%s/%d", kind, version),
                     "version", SL_VERSION);
}

struct json_t *sl_json_number(double value) {
    if (!isfinite(value)) return json_null();
    if (value == trunc(value) && fabs(value) < 0x1p53) return json_integer((json_int_t)value);
    return json_real(value);
}

// Jansson's callback: 0 to go on, -1 to stop
static int add_bytes(const char *bytes, size_t n, void *text) {
    sl_text_put(text, bytes, n);
    return ((SlText *)text)->failed ? -1 : 0;
}

SlStatus sl_json_print(struct json_t *json, SlText *out, SlError *err) {
    size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;
    bool printed = json && json_dump_callback(json, add_bytes, out, flags) == 0;
    json_decref(json);
    if (printed) sl_text_add(out, "\n");
    if (printed && !out->failed) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory to print JSON");
}

struct json_t *json_options(const SlOption *table, const void *options) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_options_json(table, options, &text);
    json_t *object = text.failed ? NULL : json_loadb(text.data, text.n, 0, NULL);
    sl_arena_free(&arena);
    return object;
}
