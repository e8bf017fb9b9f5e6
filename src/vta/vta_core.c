// vta_core.c - configurations of the core and their timing.
#include <stdio.h>
#include <string.h>

#include "vta_inside.h"

const SlVtaTiming sl_vta_timings[] = {
    {.name = "tsim", .latency = 21, .uop_cycles = 1, .fetch = true, .clock_mhz = 100},
    {.name = "pynq",
     .latency = 60,
     .row_cycles = 20,
     .load_cycles = 10,
     .burst_cycles = 10,
     .uop_cycles = 1,
     .clock_mhz = 100,
     .call_us = 400},
    {.name = NULL},
};

const SlVtaTiming *sl_vta_timing(const char *name) {
    for (const SlVtaTiming *timing = sl_vta_timings; timing->name; timing++)
        if (!strcmp(timing->name, name)) return timing;
    return NULL;
}

void sl_vta_core_init(SlVtaCore *core) {
    *core = (SlVtaCore){.batch = 1,
                        .block_in = 16,
                        .block_out = 16,
                        .log_uop = 15,
                        .log_inp = 15,
                        .log_wgt = 18,
                        .log_acc = 17,
                        .bus_bits = 64,
                        .timing = sl_vta_timings[0]};
}

// ---- text ----

enum { MAX_BLOCK = 256, MIN_LOG = 4, MAX_LOG = 26, MAX_DEPTH = 1 << 16 };

static bool power_of_two(int value) {
    return value > 0 && (value & (value - 1)) == 0;
}

static bool shape_fits(int value) {
    return power_of_two(value) && value <= MAX_BLOCK;
}

const char *sl_vta_core_check(const SlVtaCore *core) {
    if (!shape_fits(core->batch) || !shape_fits(core->block_in) || !shape_fits(core->block_out))
        return "batch and blocks are powers of two up to 256";
    const struct {
        int mem, log_bytes;
        const char *small, *large;
    } buffers[] = {
        {SL_VTA_MEM_UOP, core->log_uop, "the UOP buffer is smaller than a micro-op",
         "the UOP buffer has more than 65536 micro-ops"},
        {SL_VTA_MEM_INP, core->log_inp, "the INP buffer is smaller than an element",
         "the INP buffer has more than 65536 elements"},
        {SL_VTA_MEM_WGT, core->log_wgt, "the WGT buffer is smaller than an element",
         "the WGT buffer has more than 65536 elements"},
        {SL_VTA_MEM_ACC, core->log_acc, "the ACC buffer is smaller than an element",
         "the ACC buffer has more than 65536 elements"},
    };
    for (int i = 0; i < 4; i++) {
        int log_bytes = buffers[i].log_bytes;
        if (log_bytes < MIN_LOG || log_bytes > MAX_LOG) return "buffers have 2^4 to 2^26 bytes";
        int depth = (1 << log_bytes) / sl_vta_element_bytes(core, buffers[i].mem);
        if (depth < 1) return buffers[i].small;
        if (depth > MAX_DEPTH) return buffers[i].large; // addresses have 16 bits
    }
    if (!power_of_two(core->bus_bits) || core->bus_bits < 64 || core->bus_bits > 512)
        return "the bus has 64, 128, 256 or 512 bits";
    const SlVtaTiming *timing = &core->timing;
    if (timing->uop_cycles < 1) return "a micro-op takes at least a cycle";
    if (timing->latency < 0 || timing->row_cycles < 0 || timing->load_cycles < 0 ||
        timing->burst_cycles < 0 || !(timing->call_us >= 0) || !(timing->clock_mhz > 0))
        return "times are not negative";
    return NULL;
}

const char *sl_vta_core_write(const SlVtaCore *core, size_t n, char *out) {
    snprintf(out, n, "%dx%dx%d_i8w8a32_%d_%d_%d_%d", core->batch, core->block_in, core->block_out,
             core->log_uop, core->log_inp, core->log_wgt, core->log_acc);
    return out;
}

// digits at *at, at most four; moves behind them
static bool take_number(const char **at, int *value) {
    const char *from = *at;
    *value = 0;
    while (**at >= '0' && **at <= '9' && *at - from < 4) *value = 10 * *value + *(*at)++ - '0';
    return *at > from && (**at < '0' || **at > '9');
}

static bool take_word(const char **at, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0) return false;
    *at += n;
    return true;
}

// "1x16x16", or "1x16" in the long form of upstream, whose blocks are square
static bool take_shape(const char **at, SlVtaCore *core) {
    if (!take_number(at, &core->batch) || !take_word(at, "x")) return false;
    if (!take_number(at, &core->block_in)) return false;
    core->block_out = core->block_in;
    return take_word(at, "x") ? take_number(at, &core->block_out) : **at != '\0';
}

static bool take_buffers(const char **at, SlVtaCore *core) {
    int *logs[] = {&core->log_uop, &core->log_inp, &core->log_wgt, &core->log_acc};
    for (int i = 0; i < 4; i++)
        if (!take_word(at, "_") || !take_number(at, logs[i])) return false;
    return true;
}

// letters and digits before the first underscore: upstream's target
static void skip_target(const char **at) {
    const char *end = *at;
    if (*end >= '0' && *end <= '9') return;
    while ((*end >= 'a' && *end <= 'z') || (*end >= '0' && *end <= '9')) end++;
    if (*end == '_' && end > *at) *at = end + 1;
}

SlStatus sl_vta_core_parse(const char *text, SlVtaCore *core, SlError *err) {
    SlVtaCore parsed = *core;
    const char *at = text;
    skip_target(&at);
    if (!take_shape(&at, &parsed))
        return sl_fail(err, SL_EINPUT,
                       "core '%.80s': expected BATCHxBLOCK_INxBLOCK_OUT, like 1x16x16", text);
    if (*at && !(take_word(&at, "_i8w8a32") && take_buffers(&at, &parsed) && !*at))
        return sl_fail(err, SL_EINPUT,
                       "core '%.80s': expected _i8w8a32_UOP_INP_WGT_ACC (log2 of bytes) behind the "
                       "shape, like 1x16x16_i8w8a32_15_15_18_17",
                       text);
    const char *why = sl_vta_core_check(&parsed);
    if (why) return sl_fail(err, SL_EINPUT, "core '%.80s': %s", text, why);
    *core = parsed;
    return SL_OK;
}
