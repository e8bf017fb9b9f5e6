// names.h - inside core: did you mean ...?
#pragma once

#include "starling/core/text.h"

// Edit distance from `word` to `name` if near enough to be meant, else -1.
int sl_name_distance(const char *word, const char *name);

// The index of `word` in `names` (ends with NULL), -1 if absent.
int sl_choice_find(const char *word, const char *const *names);

enum { SL_SENTENCE_ROOM = 480 };

// "expected one of a, b, c, got 'x' (did you mean 'b'?)". Returns `out`.
const char *sl_choice_sentence(const char *word, const char *const *names,
                               char out[static SL_SENTENCE_ROOM]);
