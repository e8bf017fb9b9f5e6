// fuzz_vta.c - VTA cores and budgets: whatever parses is in range and writes back to itself.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "starling/vta.h"

static void try_core(const char *text) {
    SlVtaCore core, again;
    SlVtaResources need;
    SlError err;
    char written[96];
    sl_vta_core_init(&core);
    if (sl_vta_core_parse(text, &core, &err) != SL_OK) return;
    assert(sl_vta_core_check(&core) == NULL);
    sl_vta_core_init(&again);
    SlStatus status =
        sl_vta_core_parse(sl_vta_core_write(&core, sizeof written, written), &again, &err);
    assert(status == SL_OK && core.batch == again.batch && core.block_in == again.block_in);
    assert(core.block_out == again.block_out && core.log_uop == again.log_uop);
    assert(core.log_inp == again.log_inp && core.log_wgt == again.log_wgt);
    assert(core.log_acc == again.log_acc);
    sl_vta_resources(&core, 220, &need);
    assert(need.macs == (int64_t)core.batch * core.block_in * core.block_out);
    assert(need.bram36_total >= 5 && need.dsp > 0 && need.dsp <= 220 && need.lut >= 0);
    (void)status;
}

static void try_budget(const char *text) {
    SlVtaBudget budget, again;
    SlVtaCore core;
    SlError err;
    char written[160];
    const char *which;
    int n = 0;
    if (sl_vta_budget_parse(text, &budget, &err) != SL_OK) return;
    const struct {
        const char *name;
        int64_t value;
    } limits[] = {{"macs", budget.macs},
                  {"dsp", budget.dsp},
                  {"bram", budget.bram36},
                  {"lut", budget.lut},
                  {"sram", budget.sram_bytes}};
    for (int i = 0; i < 5; i++) {
        assert(limits[i].value >= 0);
        if (limits[i].value)
            n += snprintf(written + n, sizeof written - (size_t)n, "%s%s=%lld", n ? "," : "",
                          limits[i].name, (long long)limits[i].value);
    }
    assert(n > 0);
    SlStatus status = sl_vta_budget_parse(written, &again, &err);
    assert(status == SL_OK && budget.macs == again.macs && budget.dsp == again.dsp);
    assert(budget.bram36 == again.bram36 && budget.lut == again.lut);
    assert(budget.sram_bytes == again.sram_bytes);
    sl_vta_core_init(&core);
    assert(sl_vta_fill(&core, &budget, &which) >= 0 && which);
    (void)status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char text[512];
    if (n >= sizeof text) return 0;
    memcpy(text, data, n);
    text[n] = 0;
    try_core(text);
    try_budget(text);
    return 0;
}
