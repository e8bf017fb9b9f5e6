// profile_inside.h - inside report: parts of the document of a profile.
#pragma once

#include "starling/report/training_doc.h"

// training-WORLD.svg, update-WORLD.svg, growth-WORLD.svg and neighbor-WORLD.svg of every world.
void sl_profile_figures(const SlProfile *profile, SlDoc *doc);
