// short_form.h - `starling NET [MACHINE] [OPTION...]`: map, prove and report in one line.
#pragma once

#include "command.h"

// The words of `starling map` that a command line without a command stands for: the first word is a
// network, a layer or a file, the second, if it is no option, a machine. NULL where the first word
// is none of these, or the name of one of `commands` (ends with NULL). In the arena.
const char *const *short_form(int argc, const char *const *argv, const Command *const *commands,
                              SlArena *arena, int *n);
