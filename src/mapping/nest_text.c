// nest_text.c - the nest text: `K:4` in time, `K*4` side by side, `@7` a level that keeps W I O.
//
// Tokens are separated by blanks or line breaks; `#` starts a comment that ends with its line.
#include "nest_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Where the reader stands, for errors.
typedef struct {
    const char *file, *at;
    const char *line_start;
    int line;
    SlError *err;
} Reader;

enum { TOKEN_ROOM = 40 };

// a text on one line without a file has columns only, so they go into the sentence
static SlStatus fail(const Reader *reader, const char *token, const char *why) {
    int column = (int)(reader->at - reader->line_start) + 1;
    if (!reader->file && reader->line == 1)
        return sl_fail_at(reader->err, SL_EINPUT, NULL, 0, column, "column %d: '%s': %s", column,
                          token, why);
    return sl_fail_at(reader->err, SL_EINPUT, reader->file, reader->line, column, "'%s': %s", token,
                      why);
}

// step over blanks, line breaks and comments
static void skip_blanks(Reader *reader) {
    for (;; reader->at++) {
        if (*reader->at == '#') reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
        } else if (!isspace((unsigned char)*reader->at)) {
            return;
        }
    }
}

// the next token, cut to what an error can show; returns its length in the text
static size_t take_token(const Reader *reader, char token[TOKEN_ROOM]) {
    size_t n = strcspn(reader->at, " \t\r\n\v\f#");
    size_t shown = n < TOKEN_ROOM - 4 ? n : TOKEN_ROOM - 4;
    for (size_t i = 0; i < shown; i++)
        token[i] = isprint((unsigned char)reader->at[i]) ? reader->at[i] : '?';
    memcpy(token + shown, n > shown ? "..." : "", n > shown ? 4 : 1);
    return n;
}

static SlStatus read_boundary(const Reader *reader, const char *token, size_t n,
                              SlMapping *mapping) {
    if (n != 2 || token[1] < '0' || token[1] > '7')
        return fail(reader, token,
                    "expected @ and the sum of kept tensors (W 1, I 2, O 4), @0 to @7");
    if (mapping->n_boundaries == SL_MAX_BOUNDARIES)
        return fail(reader, token, "a nest has at most 6 storage boundaries");
    mapping->at[mapping->n_boundaries] = mapping->n_loops;
    mapping->keep[mapping->n_boundaries++] = (uint8_t)(token[1] - '0');
    return SL_OK;
}

int sl_dim_find(char letter) {
    for (int d = 0; d < SL_N_DIMS; d++)
        if (sl_dim_names[d][0] == letter) return d;
    return -1;
}

// a dim letter, with a hint for one in lower case
static SlStatus read_dim(const Reader *reader, const char *token, uint8_t *dim) {
    int d = sl_dim_find(token[0]);
    if (d >= 0) {
        *dim = (uint8_t)d;
        return SL_OK;
    }
    char why[80] = "expected a loop (K:4, K*4) over N G K C P Q R S, or a boundary (@7)";
    d = sl_dim_find((char)toupper((unsigned char)token[0]));
    if (d >= 0)
        snprintf(why, sizeof why, "unknown dim '%c' (did you mean %s?)", token[0], sl_dim_names[d]);
    return fail(reader, token, why);
}

static SlStatus read_loop(const Reader *reader, const char *token, SlMapping *mapping) {
    SlLoop loop = {0};
    SlStatus status = read_dim(reader, token, &loop.dim);
    if (status != SL_OK) return status;
    if (token[1] != ':' && token[1] != '*')
        return fail(reader, token, "expected ':' (in time) or '*' (side by side) after the dim");
    if (mapping->n_loops == SL_MAX_LOOPS) return fail(reader, token, "a nest has at most 40 loops");

    if (!isdigit((unsigned char)token[2]) ||
        sl_parse_int(token + 2, 1, SL_MACS_LIMIT, &loop.tile, NULL) != SL_OK)
        return fail(reader, token, "expected a tile size in 1..2^53 after the dim");
    loop.spatial = token[1] == '*';
    mapping->loops[mapping->n_loops++] = loop;
    return SL_OK;
}

SlStatus sl_nest_parse(const char *file, const char *text, SlMapping *mapping, SlError *err) {
    *mapping = (SlMapping){0};
    Reader reader = {.file = file, .at = text, .line_start = text, .line = 1, .err = err};
    SlStatus status = SL_OK;
    for (skip_blanks(&reader); *reader.at && status == SL_OK; skip_blanks(&reader)) {
        char token[TOKEN_ROOM];
        size_t n = take_token(&reader, token);
        status = token[0] == '@' ? read_boundary(&reader, token, n, mapping)
                                 : read_loop(&reader, token, mapping);
        reader.at += n;
    }
    return status;
}

SlStatus sl_mapping_parse(const char *text, SlMapping *mapping, SlError *err) {
    return sl_nest_parse(NULL, text, mapping, err);
}

const char *sl_mapping_write(const SlMapping *mapping, size_t n, char *out) {
    size_t used = 0;
    int b = 0;
    if (n > 0) out[0] = '\0';
    for (int i = 0; i <= mapping->n_loops; i++) {
        for (; b < mapping->n_boundaries && mapping->at[b] == i && used < n; b++)
            used +=
                (size_t)snprintf(out + used, n - used, "%s@%d", used ? " " : "", mapping->keep[b]);
        if (i == mapping->n_loops || used >= n) break;
        const SlLoop *loop = &mapping->loops[i];
        used += (size_t)snprintf(out + used, n - used, "%s%s%c%lld", used ? " " : "",
                                 sl_dim_names[loop->dim], loop->spatial ? '*' : ':',
                                 (long long)loop->tile);
    }
    return out;
}
