// look.h - how the terminal is written to: its width, colour, characters.
#pragma once

#include "starling/report/doc.h"

// Of standard output: the width is COLUMNS, else that of the terminal, else 100, from 80 to 120.
// Colour on a terminal alone, and not with NO_COLOR or TERM=dumb. ASCII where the locale is not
// UTF-8 (main sets LC_CTYPE).
SlTextLook look_of_output(void);
