// real.h - the precision of networks.
#pragma once

#include "starling/core/api.h"

SL_API_BEGIN

typedef float SlReal;

SL_API_END
