// activate.h - activations and their derivatives over arrays.
#pragma once

#include "starling/approx.h"

// y (n) becomes the activation of itself.
void sl_activate(SlActivation activation, size_t n, SlReal *y);

// dy (n) becomes the gradient before the activation, given its values y (n).
void sl_activate_back(SlActivation activation, size_t n, const SlReal *y, SlReal *dy);
