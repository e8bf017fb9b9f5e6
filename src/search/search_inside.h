// search_inside.h - inside search: what the methods share.
#pragma once

#include "starling/search.h"

extern const SlMethod sl_random_method, sl_local_method;
