// tuner_drive.c - the driver of tuners of room search, for the tuners that learn.
#include "search/tuner_run.c"
