// count_words.c - names of what is counted at a level of a nest, as golden files have them.
#include "starling/mapping/nest.h"

#define PER_TENSOR(count) #count "_W", #count "_I", #count "_O"
const char *const sl_count_names[SL_N_LEVEL_COUNTS + 1] = {PER_TENSOR(fill),
                                                           PER_TENSOR(pread),
                                                           PER_TENSOR(own0),
                                                           PER_TENSOR(srv0),
                                                           PER_TENSOR(tile),
                                                           PER_TENSOR(first),
                                                           "upd",
                                                           "upd0",
                                                           "cov0",
                                                           "inst",
                                                           "grid",
                                                           NULL};
