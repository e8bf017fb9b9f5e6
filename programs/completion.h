// completion.h - completion for shells, made from the commands and their option tables.
#pragma once

#include "command.h"

typedef enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH, N_SHELLS } Shell;
extern const char *const shell_names[N_SHELLS + 1]; // "bash", "zsh", "fish", NULL

// A script that completes the program's commands, options, choices and bundled names. `commands`
// ends with NULL; tables made of several are made in the arena.
void completion_write(Shell shell, const Command *const *commands, SlArena *arena, SlText *out);
