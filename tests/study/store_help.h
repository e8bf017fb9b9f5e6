// store_help.h - stores in a folder of their own, and small plans.
#pragma once

#include "starling/study.h"

enum { TEMP_ROOM = 256 };

// A new folder for the files of a test, and the path of one of them.
typedef struct {
    char dir[TEMP_ROOM / 2];
} Folder;
void folder_make(Folder *folder);
void folder_remove(const Folder *folder); // with all files in it
const char *folder_path(const Folder *folder, const char *name, char out[static TEMP_ROOM]);

// The plan of a text; fails the test with the sentence if it cannot be read.
void plan_of(const char *text, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan);

SlStore *open_store(const char *path);
uint64_t digest_of(const char *path);
