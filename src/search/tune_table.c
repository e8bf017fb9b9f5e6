// tune_table.c - the table of tuners.
#include "tune_inside.h"

const SlTuner *const sl_search_tuners[] = {
    &sl_random_tuner, &sl_grid_tuner,   &sl_ga_tuner, &sl_autotvm_tuner,
    &sl_draft_tuner,  &sl_oracle_tuner, NULL};
