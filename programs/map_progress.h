// map_progress.h - what people see while layers are mapped: one line on a terminal, rewritten.
//
// Flow: progress_make -> progress_begin, progress_update, progress_end from any thread ->
// progress_prove -> progress_begin, progress_bound, progress_end -> progress_close, which removes
// the line.
#pragma once

#include "map.h"

typedef struct Progress Progress;

// `n_todo` layers to map. Shows nothing with --quiet; without a terminal a line now and then.
Progress *progress_make(const Map *map, int n_todo, int n_workers);
void progress_begin(Progress *progress, const SlEvent *event);
void progress_update(Progress *progress, const SlEvent *event);
void progress_end(Progress *progress, const SlEvent *event);
void progress_prove(Progress *progress, int n_todo); // now `n_todo` layers are to be proven
void progress_bound(Progress *progress, const SlEvent *event);
void progress_close(Progress *progress);
double seconds_now(void); // of a clock that never goes back
