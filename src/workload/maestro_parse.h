// maestro_parse.h - MAESTRO's files for the rest of the module.
#pragma once

#include "starling/workload/maestro_file.h"

// sl_maestro_parse; without `need_dataflow` layers may have none (files that describe a model
// alone), their mapping is then empty.
SlStatus sl_maestro_parse_some(const char *name, const char *text, size_t n, bool need_dataflow,
                               SlArena *arena, SlMaestroNetwork *net, SlError *err);

// Whether the word begins something in a file, so that it cannot be a name.
bool sl_maestro_keyword(const char *word);
