// status.h - how a call says that it failed, and why.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "starling/core/api.h"

SL_API_BEGIN

typedef enum {
    SL_OK = 0,
    SL_EINPUT, // something from outside (file, option, shape) is wrong; the error says what was
               // expected
    SL_ENOMEM, // an arena reached its limit or the machine its memory
    SL_EIO,    // a file cannot be written (one that cannot be read is SL_EINPUT)
} SlStatus;

// Where and why a call failed. Line and column count from 1; 0 = unknown. Plain value, owned by the
// caller.
typedef struct {
    char file[256]; // "" = not from a file
    int line, column;
    char text[512]; // one sentence, no line break, always valid UTF-8
} SlError;

// Put a sentence into `err` (NULL is allowed) and return `status`, so that a caller can `return`
// the call.
SlStatus sl_fail(SlError *err, SlStatus status, const char *fmt, ...) SL_PRINTF(3, 4);

// The same with a place. `file` may be NULL.
SlStatus sl_fail_at(SlError *err, SlStatus status, const char *file, int line, int column,
                    const char *fmt, ...) SL_PRINTF(6, 7);

// Write "file:line:column: text" (leaving out what is unknown) into `out` (size n) and return
// `out`.
const char *sl_error_text(const SlError *err, size_t n, char *out);

SL_API_END
