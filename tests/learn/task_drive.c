// task_drive.c - the drivers of methods of module search, for the methods that learn.
#include "search/method_run.c"
#include "search/task_run.c"
