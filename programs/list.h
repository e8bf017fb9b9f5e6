// list.h - inside `starling list`: what each part of it shows.
#pragma once

#include "command.h"

// The document of a list, or of the one thing called `name` (or in that file); NULL = all.
typedef SlStatus Lister(const char *name, SlArena *arena, SlDoc **doc, SlError *err);

Lister list_networks, list_accels, list_constraints, list_methods;
Lister list_objectives, list_spaces, list_envs; // all of them, always

// Columns of a table and how many: LIST_COLUMNS(columns) for the last arguments of sl_doc_table.
#define LIST_COLUMNS(columns) sizeof(columns) / sizeof *(columns), (columns)
