// folder.h - a folder of its own for the files of a test.
#pragma once

enum { TEMP_ROOM = 256 };

typedef struct {
    char dir[TEMP_ROOM / 2];
} Folder;
void folder_make(Folder *folder);
void folder_remove(const Folder *folder); // with all files in it
// The path of a file in it.
const char *folder_path(const Folder *folder, const char *name, char out[static TEMP_ROOM]);
