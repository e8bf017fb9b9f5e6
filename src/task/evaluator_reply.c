// evaluator_reply.c - what a line of the user's evaluator means.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluator_inside.h"

void sl_reply_fail(SlReply *reply, const char *fmt, ...) {
    char text[sizeof((SlError *)0)->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    SlError clean;
    sl_fail(&clean, SL_EINPUT, "%s", text);
    sl_error_text(&clean, sizeof reply->reason, reply->reason);
    reply->value = INFINITY;
}

// the beginning of a line, clean, in quotes
static void fail_line(const char *line, size_t n, int64_t id, SlReply *reply) {
    enum { SHOWN = 80 };
    char shown[SHOWN];
    SlError clean;
    sl_fail(&clean, SL_EINPUT, "%.*s", (int)(n < 2 * SHOWN ? n : 2 * SHOWN), line);
    sl_error_text(&clean, sizeof shown, shown);
    const char *size = n > SL_EVALUATOR_MAX_LINE ? " (a line of more than 1 MiB)" : "";
    sl_reply_fail(reply, "expected {\"id\": %" PRId64 ", \"value\": NUMBER}, got '%s'%s", id, shown,
                  size);
}

bool sl_reply_parse(const char *line, size_t n, int64_t id, SlReply *reply) {
    SlJsonMember members[] = {{.name = "id"}, {.name = "value"}, {.name = "reason"}};
    const SlJsonMember *number = &members[0], *value = &members[1], *reason = &members[2];
    bool matches = n <= SL_EVALUATOR_MAX_LINE && sl_json_members(line, n, 3, members) &&
                   number->kind == SL_JSON_NUMBER && number->number == (double)id;
    if (!matches) {
        fail_line(line, n, id, reply);
        return false;
    }
    if (reason->kind > SL_JSON_NULL && reason->text[0]) {
        sl_reply_fail(reply, "%s", reason->text);
    } else if (value->kind == SL_JSON_NUMBER) {
        reply->value = value->number;
        reply->reason[0] = '\0';
    } else if (value->kind == SL_JSON_ABSENT) {
        sl_reply_fail(reply, "expected a finite number as \"value\", or a \"reason\"; got neither");
    } else {
        sl_reply_fail(reply, "expected a finite number as \"value\", got '%s'", value->text);
    }
    return true;
}
