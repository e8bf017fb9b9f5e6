// number_list.h - options that are lists of whole numbers with commas between them.
#pragma once

#include "starling/core.h"

// The numbers of `text`, each from 1 to `most`, in the order given, each once. SL_EINPUT names the
// option where there are none, where a word is no such number, and where there are more than
// `room`.
SlStatus number_list_read(const char *option, const char *text, int most, int room, int *numbers,
                          int *n, SlError *err);
