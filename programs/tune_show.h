// tune_show.h - inside `starling tune`: words and tables that its text and its page share.
#pragma once

#include "show.h"
#include "text_table.h"
#include "tune_command.h"

bool tune_has_result(const TuneLayer *layer); // a schedule that runs
const char *tune_core_name(const SlVtaCore *core, char out[static SHOW_ROOM]); // "1x16x16"
// The core that was tuned for; NULL = none was found, or the target is a cpu.
const SlVtaCore *tune_core_found(const Tune *tune);
double tune_peak_share(const Tune *tune, double gops); // cpu; NAN = the peak is not known

// What was asked for: "vta 1x16x16, 64-bit bus, ..."; "dcoc, 64 measurements, seed 1".
void tune_target_words(const Tune *tune, SlText *out);
void tune_method_words(const Tune *tune, SlText *out);

// A row per layer that was to be tuned, and what its columns mean.
void tune_layer_table(const Tune *tune, TextTable *table);
const char *tune_layer_legend(const Tune *tune);

// Of a network that looks for a core: the best by their drafts, and what the layers would take.
void tune_core_table(const Tune *tune, TextTable *table);
void tune_preferred_words(const Tune *tune, SlText *out);
