// plain_dense.c - the code of batched networks without versions for other instruction sets.
#define SL_NO_CLONES
#define COPY(name) plain_##name
#include "dense_copy.h"
