// maestro_hardware.c - MAESTRO's view of an accelerator, its hardware files
// (docs/formats/maestro.md), and the way to ours and back.
#include "maestro_text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { MAX_BYTES = 1 << 20 };

void sl_maestro_hardware_init(SlMaestroHardware *hardware) {
    *hardware = (SlMaestroHardware){.num_pes = 7,
                                    .simd_lanes = 1,
                                    .noc_bw = INT32_MAX,
                                    .noc_latency = 0,
                                    .offchip_bw = 70000,
                                    .l1_bytes = INT32_MAX,
                                    .l2_bytes = INT32_MAX};
}

// ---- files ----

typedef struct {
    const char *name;
    size_t offset; // of an int32_t in SlMaestroHardware
    int32_t fallback;
    int32_t least;
} Key;

// in the order of writing; a hop takes one cycle
static const Key keys[] = {
    {"num_pes", offsetof(SlMaestroHardware, num_pes), 1, 1},
    {"l1_size_cstr", offsetof(SlMaestroHardware, l1_bytes), INT32_MAX, 0},
    {"l2_size_cstr", offsetof(SlMaestroHardware, l2_bytes), INT32_MAX, 0},
    {"noc_bw_cstr", offsetof(SlMaestroHardware, noc_bw), INT32_MAX, 1},
    {"NoC_NumHops", offsetof(SlMaestroHardware, noc_latency), 1, 0},
    {"offchip_bw_cstr", offsetof(SlMaestroHardware, offchip_bw), INT32_MAX, 1},
};
enum { N_KEYS = sizeof keys / sizeof keys[0] };

static const char *const key_names[N_KEYS + 1] = {"num_pes",     "l1_size_cstr", "l2_size_cstr",
                                                  "noc_bw_cstr", "NoC_NumHops",  "offchip_bw_cstr",
                                                  NULL};

static int32_t *field(SlMaestroHardware *hardware, const Key *key) {
    return (int32_t *)(void *)((char *)hardware + key->offset);
}

static int find_key(const SlToken *word) {
    for (int k = 0; k < N_KEYS; k++) {
        if (sl_token_is(word, keys[k].name)) return k;
    }
    return -1;
}

static SlStatus unknown_key(const SlScan *scan, const SlToken *word, SlError *err) {
    char name[64] = "";
    const char *near =
        sl_token_copy(word, sizeof name, name) ? sl_nearest_name(name, key_names) : NULL;
    return sl_token_fail(scan, word, err,
                         "expected num_pes, l1_size_cstr, l2_size_cstr, noc_bw_cstr, NoC_NumHops "
                         "or offchip_bw_cstr, got '%.*s'%s%s%s",
                         sl_token_shown(word), word->text, near ? " (did you mean '" : "",
                         near ? near : "", near ? "'?)" : "");
}

// the number behind a key; a '-' among MAESTRO's separators would vanish
static SlStatus read_value(SlScan *scan, const Key *key, int32_t *out, SlError *err) {
    SlToken word;
    int64_t value = 0;
    if (!sl_scan_next(scan, &word))
        return sl_token_fail(scan, &word, err, "%s: expected a number, got the end of the file",
                             key->name);
    bool negative = word.text > scan->line_start && word.text[-1] == '-';
    if (negative || !sl_token_int(&word, key->least, INT32_MAX, &value))
        return sl_token_fail(scan, &word, err, "%s: expected a number from %d to %d, got '%s%.*s'",
                             key->name, (int)key->least, (int)INT32_MAX, negative ? "-" : "",
                             sl_token_shown(&word), word.text);
    *out = (int32_t)value;
    return SL_OK;
}

SlStatus sl_maestro_hardware_parse(const char *name, const char *text, size_t n,
                                   SlMaestroHardware *hardware, SlError *err) {
    SlMaestroHardware made = *hardware;
    bool seen[N_KEYS] = {false};
    for (int k = 0; k < N_KEYS; k++) *field(&made, &keys[k]) = keys[k].fallback;
    SlScan scan;
    SlToken word;
    sl_scan_init(&scan, name, text, n, " \t,->():;\r", "//");
    while (sl_scan_next(&scan, &word)) {
        int k = find_key(&word);
        if (k < 0) return unknown_key(&scan, &word, err);
        if (seen[k]) return sl_token_fail(&scan, &word, err, "%s is given twice", keys[k].name);
        seen[k] = true;
        SlStatus status = read_value(&scan, &keys[k], field(&made, &keys[k]), err);
        if (status != SL_OK) return status;
    }
    *hardware = made;
    return SL_OK;
}

SlStatus sl_maestro_hardware_read(const char *path, SlArena *scratch, SlMaestroHardware *hardware,
                                  SlError *err) {
    size_t mark = sl_arena_mark(scratch), n = 0;
    char *text = NULL;
    SlStatus status = sl_file_read(path, MAX_BYTES, scratch, &text, &n, err);
    if (status == SL_OK) status = sl_maestro_hardware_parse(path, text, n, hardware, err);
    sl_arena_rewind(scratch, mark);
    return status;
}

// ---- from an accelerator ----

// a rate as whole elements per cycle; false below 1
static bool whole_rate(double words, int32_t *out) {
    *out = words >= INT32_MAX ? INT32_MAX : (int32_t)words;
    return words >= 1;
}

static int32_t whole_words(int64_t bytes, double word_bytes) {
    double words = floor((double)bytes / word_bytes);
    return words >= INT32_MAX ? INT32_MAX : (int32_t)words;
}

static const char *check_machine(const SlAccel *accel) {
    if (accel->n_levels != 3) return "MAESTRO's machine has two levels on chip, L2 and L1";
    const SlFanout *pes = &accel->fanouts[1];
    if (sl_fanout_size(&accel->fanouts[0]) != 1) return "MAESTRO's machine has one L2";
    if (pes->n_axes > 1 || (pes->n_axes == 1 && pes->axes[0].dims != SL_SPREAD_ALL))
        return "MAESTRO's PEs form flexible clusters, not a fixed grid";
    if (pes->n_axes == 1 && (!pes->multicast || !pes->reduction))
        return "MAESTRO's network always multicasts and reduces";
    for (int l = 1; l < 3; l++) {
        if (accel->levels[l].keep != SL_KEEP_ALL) return "MAESTRO's L2 and L1 keep all tensors";
    }
    const double *bytes = accel->word_bytes;
    if (bytes[0] != bytes[1] || bytes[0] != bytes[2])
        return "MAESTRO's words of all tensors have the same size";
    return NULL;
}

// what a level holds, double buffering included: of an overlapped one the capacity is that of a
// half
static int32_t both_halves(const SlLevel *level, double word_bytes) {
    int halves = level->buffering == SL_BUFFER_OVERLAPPED ? 2 : 1;
    return whole_words(level->capacity_bytes, word_bytes / halves);
}

const char *sl_maestro_hardware_of(const SlAccel *accel, SlMaestroHardware *hardware) {
    const char *reason = check_machine(accel);
    if (reason) return reason;
    const SlLevel *dram = &accel->levels[0], *l2 = &accel->levels[1], *l1 = &accel->levels[2];
    int64_t pes = sl_fanout_size(&accel->fanouts[1]), lanes = sl_fanout_size(&accel->fanouts[2]);
    if (pes > INT32_MAX || lanes > INT32_MAX) return "MAESTRO's numbers of PEs end at 2147483647";
    SlMaestroHardware made = {
        .num_pes = (int32_t)pes,
        .simd_lanes = (int32_t)lanes,
        .noc_latency = 1,
        .l1_bytes = both_halves(l1, accel->word_bytes[0]),
        .l2_bytes = both_halves(l2, accel->word_bytes[0]),
    };
    if (!whole_rate(l1->link_words, &made.noc_bw) ||
        !whole_rate(fmin(dram->port_words, l2->link_words), &made.offchip_bw))
        return "MAESTRO's bandwidths are at least one element per cycle";
    *hardware = made;
    return NULL;
}

// ---- to an accelerator ----

// MAESTRO's constants: energy of a MAC and of accesses relative to it; areas of a lane and a byte
static const double mac_pj = 0.23, l1_ratio = 1.68, l2_ratio = 18.61;
static const double lane_um2 = 283, byte_um2 = 0.104;

static double rate(int32_t words) {
    return words == INT32_MAX ? INFINITY : (double)words;
}

static SlLevel make_level(const char *name, int32_t bytes, double link_words, double access_pj) {
    SlLevel level = {.capacity_bytes = bytes > 0 ? bytes : 1,
                     .keep = SL_KEEP_ALL,
                     .buffering = SL_BUFFER_DOUBLE,
                     .port_words = INFINITY,
                     .link_words = link_words,
                     .read_pj = access_pj,
                     .write_pj = access_pj,
                     .area_um2_per_byte = byte_um2};
    snprintf(level.name, sizeof level.name, "%s", name);
    return level;
}

static SlFanout make_fanout(const char *name, int32_t size) {
    SlFanout fanout = {.n_axes = 1, .multicast = true, .reduction = true};
    fanout.axes[0] = (SlAxis){.size = size, .dims = SL_SPREAD_ALL};
    snprintf(fanout.axes[0].name, sizeof fanout.axes[0].name, "%s", name);
    return fanout;
}

void sl_maestro_accel(const SlMaestroHardware *hardware, SlAccel *accel) {
    *accel = (SlAccel){.name = "maestro",
                       .title = "The machine of MAESTRO's cost model",
                       .source = "Constants of MAESTRO (github.com/maestro-project/maestro)",
                       .n_levels = 3,
                       .word_bytes = {1, 1, 1},
                       .mac_pj = mac_pj,
                       .mac_area_um2 = lane_um2,
                       .clock_mhz = 1000};
    accel->levels[0] = (SlLevel){.name = "DRAM",
                                 .keep = SL_KEEP_ALL,
                                 .buffering = SL_BUFFER_DOUBLE,
                                 .port_words = rate(hardware->offchip_bw),
                                 .link_words = INFINITY};
    accel->levels[1] = make_level("L2", hardware->l2_bytes, INFINITY, l2_ratio * mac_pj);
    accel->levels[2] =
        make_level("L1", hardware->l1_bytes, rate(hardware->noc_bw), l1_ratio * mac_pj);
    accel->fanouts[0] = (SlFanout){.multicast = true, .reduction = true};
    accel->fanouts[1] = make_fanout("clusters", hardware->num_pes);
    accel->fanouts[2] = (SlFanout){.multicast = true, .reduction = true};
    if (hardware->simd_lanes > 1) accel->fanouts[2] = make_fanout("lanes", hardware->simd_lanes);
}
