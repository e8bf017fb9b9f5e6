// flock_doc.h - flocks as documents: what is in one, which are bundled, what teaching came to.
//
// Flow: SlFlock -> sl_report_flock; sl_report_flocks lists the bundled ones.
#pragma once

#include "starling/learn/flock.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// The evaluator, the tasks, what was spent on them and how good the critics are (schema
// starling.flock/1). `name` is how a user calls it. NULL without memory.
SlDoc *sl_report_flock(const SlFlock *flock, const char *name, SlArena *arena);

// The bundled flocks, or the one called `name` (or in that file or folder); SL_EINPUT if there is
// none.
SlStatus sl_report_flocks(const char *name, SlArena *arena, SlDoc **doc, SlError *err);

SL_API_END
