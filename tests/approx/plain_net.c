// plain_net.c - the networks' code without versions for other instruction sets.
#define SL_NO_CLONES
#define COPY(name) plain_##name
#include "net_copy.h"
