// philox.h - inside the noise: one block of Philox 4x32-10.
#pragma once

#include <stdint.h>

// The four words of counter (4) under key (2).
void sl_philox_eval(const uint32_t *counter, const uint32_t *key, uint32_t *words);
