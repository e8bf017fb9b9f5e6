// maestro_text.h - inside accel: MAESTRO's hardware file as text.
#pragma once

#include "starling/accel/maestro_hardware.h"

// The text (n) of a hardware file, as sl_maestro_hardware_read; `name` stands in errors.
SlStatus sl_maestro_hardware_parse(const char *name, const char *text, size_t n,
                                   SlMaestroHardware *hardware, SlError *err);
