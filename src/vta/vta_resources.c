// vta_resources.c - what a core needs of a chip, and whether a chip has it.
//
// Memories are made of block RAMs of 36 Kbit as in Xilinx' 7 series (UG473): a memory is cut into
// banks of at most 1024 bits, and a bank takes the best of the shapes that a block can have.
#include <stdio.h>
#include <string.h>

#include "vta_inside.h"

// a multiplier of 8 x 8 bits that found no DSP; an estimate, 60 to 70 are usual
enum { BANK_BITS = 1024, LUTS_OF_MULTIPLIER = 65 };

const SlVtaBudget sl_vta_budgets[] = {
    {.name = "z7020", .dsp = 220, .bram36 = 140, .lut = 53200},
    {.name = "zu3eg", .dsp = 360, .bram36 = 216, .lut = 70560},
    {.name = NULL},
};

static int64_t up(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

static int block_rams(int64_t bits, int64_t depth) {
    static const int shapes[][2] = {{512, 72}, {1024, 36}, {2048, 18}, {4096, 9}, {8192, 4}};
    int64_t banks = up(bits, BANK_BITS), best = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        int64_t blocks = up(up(bits, banks), shapes[i][1]) * up(depth, shapes[i][0]);
        if (blocks < best) best = blocks;
    }
    return (int)(banks * best);
}

void sl_vta_resources(const SlVtaCore *core, int dsp, SlVtaResources *out) {
    const struct {
        int mem, log_bytes;
    } memories[5] = {{SL_VTA_MEM_UOP, core->log_uop},
                     {SL_VTA_MEM_INP, core->log_inp},
                     {SL_VTA_MEM_WGT, core->log_wgt},
                     {SL_VTA_MEM_ACC, core->log_acc},
                     {SL_VTA_MEM_OUT, core->log_acc - 2}};
    *out = (SlVtaResources){.macs = (int64_t)core->batch * core->block_in * core->block_out,
                            .alu_lanes = (int64_t)core->batch * core->block_out};
    for (int i = 0; i < 5; i++) {
        int64_t bytes = INT64_C(1) << memories[i].log_bytes;
        int element = sl_vta_element_bytes(core, memories[i].mem);
        out->sram_bytes += bytes;
        out->bram36[i] = block_rams(8 * (int64_t)element, bytes / element);
        out->bram36_total += out->bram36[i];
    }
    out->dsp = (int)(dsp && out->macs > dsp ? dsp : out->macs);
    out->lut = (int)(out->macs - out->dsp) * LUTS_OF_MULTIPLIER;
}

// DSPs are a hard limit unless LUTs are counted too: then the multipliers beyond are made of those.
double sl_vta_fill(const SlVtaCore *core, const SlVtaBudget *budget, const char **which) {
    SlVtaResources need;
    sl_vta_resources(core, budget->lut ? budget->dsp : 0, &need);
    const struct {
        const char *name;
        double need, have;
    } limits[] = {{"MAC", (double)need.macs, (double)budget->macs},
                  {"DSP", need.dsp, budget->dsp},
                  {"BRAM36", need.bram36_total, budget->bram36},
                  {"LUT", need.lut, budget->lut},
                  {"SRAM", (double)need.sram_bytes, (double)budget->sram_bytes}};
    double fill = 0;
    const char *name = "nothing";
    for (int i = 0; i < 5; i++) {
        if (limits[i].have <= 0 || limits[i].need / limits[i].have <= fill) continue;
        fill = limits[i].need / limits[i].have;
        name = limits[i].name;
    }
    if (which) *which = name;
    return fill;
}

// ---- text ----

// digits and K, M or G (powers of 1024); at most `most`
static SlStatus parse_amount(const char *text, int64_t most, int64_t *out, SlError *err) {
    char digits[24];
    size_t n = strlen(text);
    int shift = 0;
    if (n) shift = text[n - 1] == 'K' ? 10 : text[n - 1] == 'M' ? 20 : text[n - 1] == 'G' ? 30 : 0;
    if (shift) n--;
    if (n >= sizeof digits) n = sizeof digits - 1; // too long to be a number in range
    memcpy(digits, text, n);
    digits[n] = 0;
    SlStatus status = sl_parse_int(digits, 1, most >> shift, out, err);
    if (status == SL_OK) *out <<= shift;
    return status;
}

static SlStatus set_limit(const char *key, const char *value, SlVtaBudget *budget, SlError *err) {
    static const char *const keys[] = {"macs", "dsp", "bram", "lut", "sram", NULL};
    int k = 0;
    while (keys[k] && strcmp(keys[k], key) != 0) k++;
    if (!keys[k]) {
        const char *near = sl_nearest_name(key, keys);
        if (near) return sl_fail(err, SL_EINPUT, "budget has no '%s'; is %s meant?", key, near);
        return sl_fail(err, SL_EINPUT, "budget has no '%s'; it has macs, dsp, bram, lut, sram",
                       key);
    }
    int64_t amount;
    SlError why;
    if (parse_amount(value, k == 4 ? INT64_C(1) << 40 : INT32_MAX, &amount, &why) != SL_OK)
        return sl_fail(err, SL_EINPUT, "budget %s: %s", key, why.text);
    int *counts[] = {NULL, &budget->dsp, &budget->bram36, &budget->lut};
    if (k == 0)
        budget->macs = amount;
    else if (k == 4)
        budget->sram_bytes = amount;
    else
        *counts[k] = (int)amount;
    return SL_OK;
}

static SlStatus set_chip(const char *name, SlVtaBudget *budget, SlError *err) {
    const char *names[sizeof sl_vta_budgets / sizeof *sl_vta_budgets];
    for (int i = 0; (names[i] = sl_vta_budgets[i].name); i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *budget = sl_vta_budgets[i];
        return SL_OK;
    }
    const char *near = sl_nearest_name(name, names);
    if (near) return sl_fail(err, SL_EINPUT, "no chip '%s'; is %s meant?", name, near);
    return sl_fail(err, SL_EINPUT,
                   "no chip '%s'; expected z7020, zu3eg, or limits like macs=256,bram=140", name);
}

SlVtaBudget sl_vta_budget_equal(const SlVtaCore *core, const char *name) {
    SlVtaResources needs;
    sl_vta_resources(core, 0, &needs);
    return (SlVtaBudget){.name = name,
                         .macs = needs.macs,
                         .bram36 = needs.bram36_total,
                         .sram_bytes = needs.sram_bytes};
}

// a chip's name may stand first; limits behind it replace its own
SlStatus sl_vta_budget_parse(const char *text, SlVtaBudget *budget, SlError *err) {
    char words[200];
    if (strlen(text) >= sizeof words)
        return sl_fail(err, SL_EINPUT, "a budget has at most %d bytes", (int)sizeof words - 1);
    memcpy(words, text, strlen(text) + 1);
    SlVtaBudget parsed = {.name = "custom"};
    SlStatus status = SL_OK;
    char *word = words;
    for (bool first = true; word && status == SL_OK; first = false) {
        char *next = strchr(word, ',');
        if (next) *next++ = 0;
        char *value = strchr(word, '=');
        if (value) *value++ = 0;
        if (value)
            status = set_limit(word, value, &parsed, err);
        else if (first)
            status = set_chip(word, &parsed, err);
        else
            status = sl_fail(err, SL_EINPUT, "budget '%s': expected KEY=NUMBER", word);
        if (value && status == SL_OK) parsed.name = "custom";
        word = next;
    }
    if (status == SL_OK) *budget = parsed;
    return status;
}
