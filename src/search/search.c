// search.c - the table of black-box methods.
#include "search_inside.h"

const SlMethod *const sl_search_methods[] = {&sl_random_method, &sl_local_method, NULL};
