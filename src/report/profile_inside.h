// profile_inside.h - inside report: parts of the document of a profile.
#pragma once

#include "starling/report/training_doc.h"

// training-WORLD.svg, update-WORLD.svg, growth-WORLD.svg and neighbor-WORLD.svg of every world.
void sl_profile_figures(const SlProfile *profile, SlDoc *doc);

// --- Tables for people, which all have the same columns; one without values is left out

// What a table is about: of one world and mode, which the heading names, or of all cases.
typedef enum { OF_ONE, OF_GROWTH, OF_ALL } ProfileScope;

extern const char *const sl_profile_phase_labels[SL_N_PHASES];      // "act", "env", ...
bool sl_profile_same_table(const SlProfile *profile, int a, int b); // the same world and mode
void sl_profile_open_table(SlDoc *doc, const char *heading);
// A row of case i, and what it calls the algorithm (NULL = of all) and the layout.
typedef struct {
    ProfileScope scope;
    const char *algo, *layout;
} ProfileRow;
void sl_profile_begin_row(const SlProfile *profile, int i, const ProfileRow *row, SlDoc *doc);
void sl_profile_add_shown(SlDoc *doc, const char *label, const char *format, double value);

// --- Growth with twice the agents (report_growth.c)

void sl_profile_add_growth(const SlProfile *profile, int i, SlDoc *doc); // of a case
void sl_profile_add_means(const SlProfile *profile, SlDoc *doc); // of both algorithms, all cases
void sl_profile_show_growth(const SlProfile *profile, int like, SlDoc *doc);

// --- Simulated caches and TLBs (report_misses.c)

void sl_profile_add_misses(const SlProfile *profile, int i, SlDoc *doc); // of a case
void sl_profile_show_misses(const SlProfile *profile, int like, SlDoc *doc);
