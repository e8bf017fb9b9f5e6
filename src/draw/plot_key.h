// plot_key.h - inside draw: which colour is whose, in columns.
#pragma once

#include "svg.h"

typedef struct {
    const char *name;
    int style; // from 0
} KeyItem;

typedef struct {
    int n;
    const KeyItem *items;
    bool areas;   // patches in place of lines
    double width; // of the room
} Key;

enum { KEY_ROW = 19 };

double sl_key_height(const Key *key); // 0 without items
void sl_key_add(const Key *key, double x, double y, SlText *out);

// One sample, 26 pixels long: a line, or a patch, around the height y.
void sl_key_sample(int style, bool area, double x, double y, SlText *out);

// An area in a style: filled; from the second set of eight on pale, with a dashed edge.
void sl_key_area(int style, double x, double y, double width, double height, SlText *out);
