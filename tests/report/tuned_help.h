// tuned_help.h - a small network tuned for a VTA core, to be described.
#pragma once

#include "starling/report/tuned_doc.h"

typedef struct {
    SlArena arena;
    SlNetwork net; // "net": first (left to the host), a, b, again (as a)
    SlVtaOptions vta;
    SlJobSetup setup; // 20 random samples of every layer, proven
    SlTuned tuned;
} Tuned;

void tuned_make(Tuned *tuned); // the job is to be opened
void tuned_free(Tuned *tuned); // with its job

void tuned_open(Tuned *tuned);
void tuned_run(Tuned *tuned); // opens it, too

// Its document in a form; ends the test if there is none.
const char *tuned_form(Tuned *tuned, SlForm form);
// A number of the document by its path ("total.cycles"); ends the test if there is none.
double tuned_number(Tuned *tuned, const char *path);
