// accel_draw.c - an accelerator as a picture in text, from DRAM down to the MACs.
//
// Boxes are WIDTH columns wide, the lines between them run down their middle, and nothing is wider
// than PAGE columns.
#include "starling/accel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 100, WIDTH = 64, MIDDLE = WIDTH / 2 };

static void repeat(SlText *out, const char *piece, int n) {
    for (int i = 0; i < n; i++) sl_text_put(out, piece, strlen(piece));
}

// columns of UTF-8 text: bytes that do not continue a character
static int columns(const char *text, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

// bytes of the next word of `text`, cut to at most `room` columns
static size_t word_bytes(const char *text, int room) {
    size_t n = strcspn(text, " ");
    while (columns(text, n) > room) n--;
    return n;
}

// words of `text` in lines of at most `room` columns; `lead` goes before every line but the first
static void put_wrapped(SlText *out, const char *text, int room, const char *lead) {
    int used = 0;
    while (*text) {
        size_t n = word_bytes(text, room);
        int width = columns(text, n);
        if (used > 0 && used + 1 + width > room) {
            sl_text_add(out, "\n%s", lead);
            used = 0;
        }
        if (used > 0) sl_text_put(out, " ", 1);
        sl_text_put(out, text, n);
        used += width + (used > 0);
        text += n;
        text += strspn(text, " ");
    }
    sl_text_put(out, "\n", 1);
}

// the upper or lower edge of a box; `mark` is where a line from above or below meets it
static void put_edge(SlText *out, const char *left, const char *mark, const char *right) {
    sl_text_add(out, "%s", left);
    repeat(out, "─", MIDDLE - 1);
    sl_text_add(out, "%s", mark);
    repeat(out, "─", WIDTH - MIDDLE - 2);
    sl_text_add(out, "%s\n", right);
}

// one line in a box: text at the left, text at the right; two lines where one is too short
static void put_row(SlText *out, const char *left, const char *right) {
    int gap = WIDTH - 4 - columns(left, strlen(left)) - columns(right, strlen(right));
    if (gap < 2 && *left && *right) {
        put_row(out, left, "");
        put_row(out, "", right);
        return;
    }
    sl_text_add(out, "│ %s", left);
    repeat(out, " ", gap);
    sl_text_add(out, "%s │\n", right);
}

// one line beside the wire between two boxes
static void put_wire(SlText *out, const char *text) {
    char lead[MIDDLE + 8];
    snprintf(lead, sizeof lead, "%*s│ ", MIDDLE, "");
    sl_text_add(out, "%s", lead);
    put_wrapped(out, text, PAGE - MIDDLE - 2, lead);
}

// the letters of a mask with blanks between, from a string with a letter per bit
static const char *mask_text(int mask, const char *letters, char out[static 24]) {
    size_t n = 0;
    for (int i = 0; letters[i]; i++) {
        if (!(mask >> i & 1)) continue;
        if (n > 0) out[n++] = ' ';
        out[n++] = letters[i];
    }
    out[n] = '\0';
    return out;
}

static const char *rate_text(double words, char out[static 48]) {
    if (words == INFINITY) {
        snprintf(out, 48, "never binds");
    } else {
        snprintf(out, 48, "%.6g words/cycle", words);
    }
    return out;
}

static const char *dims_text(int dims, char out[static 24]) {
    if (dims != SL_SPREAD_ALL) return mask_text(dims, "NGKCPQRS", out);
    snprintf(out, 24, "any dims");
    return out;
}

// exact: in the largest unit that leaves no fraction
static const char *capacity_text(int64_t bytes, char out[static 48]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    char count[32];
    int unit = 0;
    for (; bytes > 0 && bytes % 1024 == 0 && unit < 4; unit++) bytes /= 1024;
    snprintf(out, 48, "%s %s", sl_show_count((double)bytes, count), units[unit]);
    return out;
}

// how many instances, nothing for one
static const char *instances_text(int64_t n, char out[static 48]) {
    char count[32];
    out[0] = '\0';
    if (n > 1) snprintf(out, 48, "× %s", sl_show_count((double)n, count));
    return out;
}

static void put_level(const SlAccel *accel, int l, SlText *out) {
    static const char *const in_time[] = {"single buffered", "double buffered", "overlapped"};
    const SlLevel *level = &accel->levels[l];
    char letters[24], bytes[48], rate[48], instances[48], left[96], right[64];

    put_edge(out, "┌", l ? "┴" : "─", "┐");
    put_row(out, level->name, instances_text(sl_accel_instances(accel, l), instances));
    snprintf(left, sizeof left, "%s for %s",
             l ? capacity_text(level->capacity_bytes, bytes) : "unlimited",
             mask_text(level->keep, "WIO", letters));
    put_row(out, left, l ? in_time[level->buffering] : "");
    snprintf(left, sizeof left, "port %s", rate_text(level->port_words, rate));
    if (level->read_pj == level->write_pj) {
        snprintf(right, sizeof right, "%.6g pJ/word", level->read_pj);
    } else {
        snprintf(right, sizeof right, "read %.6g, write %.6g pJ/word", level->read_pj,
                 level->write_pj);
    }
    put_row(out, left, right);
    put_edge(out, "└", "┬", "┘");
}

// "× 168 (clusters, any dims)" or "16 × 16 (x: C, y: K)"
static void fanout_text(const SlFanout *fanout, size_t n, char *out) {
    char dims[24], count[32];
    bool flexible = fanout->n_axes == 1 && strcmp(fanout->axes[0].name, "clusters") == 0;
    size_t used = 0;
    for (int i = 0; i < fanout->n_axes && used < n; i++) {
        used += (size_t)snprintf(out + used, n - used, i || fanout->n_axes == 1 ? "%s× %s" : "%s%s",
                                 i ? " " : "", sl_show_count((double)fanout->axes[i].size, count));
    }
    for (int i = 0; i < fanout->n_axes && used < n; i++) {
        const SlAxis *axis = &fanout->axes[i];
        used += (size_t)snprintf(out + used, n - used, "%s%s%s %s", i ? ", " : " (", axis->name,
                                 flexible ? "," : ":", dims_text(axis->dims, dims));
    }
    if (used < n) snprintf(out + used, n - used, ")");
}

// the nearest level outside of `l` that keeps tensor t
static int parent_of(const SlAccel *accel, int l, int t) {
    int parent = l - 1;
    while (parent > 0 && !(accel->levels[parent].keep >> t & 1)) parent--;
    return parent;
}

// the network that feeds level l; tensors that do not come from the box above it are named
static void put_link(const SlAccel *accel, int l, SlText *out) {
    const SlLevel *level = &accel->levels[l];
    char text[256], rate[48];
    int n = snprintf(text, sizeof text, "link %s, %.6g pJ/word", rate_text(level->link_words, rate),
                     level->link_pj);
    for (int t = 0; t < 3; t++) {
        int parent = parent_of(accel, l, t);
        if (!(level->keep >> t & 1) || parent == l - 1) continue;
        n += snprintf(text + n, sizeof text - (size_t)n, ", %c from %s", "WIO"[t],
                      accel -> levels[parent].name);
    }
    put_wire(out, text);
}

// what lies between level l and what is below it
static void put_between(const SlAccel *accel, int l, SlText *out) {
    const SlFanout *fanout = &accel->fanouts[l];
    char text[256];
    if (l + 1 < accel->n_levels) put_link(accel, l + 1, out);
    if (sl_fanout_size(fanout) == 1) return;
    fanout_text(fanout, sizeof text, text);
    put_wire(out, text);
    snprintf(text, sizeof text, "%s, %s", fanout->multicast ? "multicast" : "no multicast",
             fanout->reduction ? "reduction" : "no reduction");
    put_wire(out, text);
}

static void put_macs(const SlAccel *accel, SlText *out) {
    char instances[48], left[64], right[64];
    put_edge(out, "┌", "┴", "┐");
    put_row(out, "MAC", instances_text(sl_accel_macs(accel), instances));
    snprintf(left, sizeof left, "words of %.4g, %.4g, %.4g bytes (W, I, O)", accel->word_bytes[0],
             accel->word_bytes[1], accel->word_bytes[2]);
    snprintf(right, sizeof right, "%.6g pJ", accel->mac_pj);
    put_row(out, left, right);
    put_edge(out, "└", "─", "┘");
}

void sl_accel_draw(const SlAccel *accel, SlText *out) {
    char count[32], bytes[32], text[768];
    snprintf(text, sizeof text, "%s: %s", accel->name, accel->title);
    put_wrapped(out, accel->title[0] ? text : accel->name, PAGE - 2, "  ");
    for (int l = 0; l < accel->n_levels; l++) {
        put_level(accel, l, out);
        put_between(accel, l, out);
    }
    put_macs(accel, out);
    double macs = (double)sl_accel_macs(accel);
    snprintf(text, sizeof text, "%s MACs, %s on chip, %.6g mm², peak %.6g GMAC/s at %.6g MHz",
             sl_show_count(macs, count), sl_show_bytes(sl_accel_bytes(accel), bytes),
             sl_accel_area_um2(accel) / 1e6, macs * accel->clock_mhz / 1e3, accel->clock_mhz);
    put_wrapped(out, text, PAGE - 2, "  ");
    if (!accel->source[0]) return;
    snprintf(text, sizeof text, "Source: %s", accel->source);
    put_wrapped(out, text, PAGE - 2, "  ");
}
