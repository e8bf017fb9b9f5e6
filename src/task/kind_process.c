#include "task_inside.h"
const SlTaskKind sl_kind_process = {.name = "process"};
