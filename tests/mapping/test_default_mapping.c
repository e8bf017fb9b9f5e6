// test_default_mapping.c - a legal mapping for everything; how good it is: ..._release.c.
#include "support/check.h"

#include <string.h>

#include "nest_cases.h"

static void expect_legal(const SlLayer *layer, const SlAccel *accel) {
    SlMapping mapping, again;
    SlError err;
    SlFit fit;
    if (sl_mapping_default(layer, accel, &mapping, &err) != SL_OK) fail_msg("%s", err.text);
    assert_null(sl_mapping_check(layer, &mapping));
    assert_true(sl_mapping_fit(layer, accel, &mapping, &fit));
    assert_int_equal(sl_mapping_default(layer, accel, &again, &err), SL_OK);
    assert_memory_equal(&mapping, &again, sizeof mapping);
}

static void every_preset_gets_a_legal_mapping_of_every_kind_of_layer(void **state) {
    (void)state;
    static const char *const presets[] = {"eyeriss", "golden", "flex256", "flex1024",
                                          "nvdla",   "tpu",    "gemmini", "simba"};
    static const char *const layers[] = {
        "conv:K=1",
        "conv:K=64,C=3,H=224,W=224,R=7,S=7,stride=2,pad=3",
        "conv:K=512,C=512,P=7,Q=7,R=3,S=3",
        "conv:G=32,K=4,C=4,P=56,Q=56,R=3,S=3,stride=2x1,dilation=2",
        "dw:G=96,P=113,Q=113,R=3,S=3",
        "linear:K=1000,C=2048,N=3",
        "gemm:M=1024,N=1024,K=1024",
        "bmm:B=12,M=512,N=64,K=512",
        "conv:K=1000003",
        "gemm:M=94906249,N=94906249,K=1",
    };
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        SlAccel accel = accel_of(presets[i]);
        for (size_t l = 0; l < sizeof layers / sizeof layers[0]; l++) {
            SlLayer layer = layer_of(layers[l]);
            expect_legal(&layer, &accel);
        }
    }
}

// can every level hold one word of what it keeps?
static bool holds_words(const SlAccel *accel) {
    for (int l = 1; l < accel->n_levels; l++) {
        double need = 0;
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (accel->levels[l].keep >> t & 1) need += accel->word_bytes[t];
        if (accel->levels[l].buffering == SL_BUFFER_DOUBLE) need *= 2;
        if (need > (double)accel->levels[l].capacity_bytes) return false;
    }
    return true;
}

static void any_machine_gets_a_legal_mapping_or_a_reason(void **state) {
    (void)state;
    SlRng rng;
    int n_legal = 0;
    sl_rng_init(&rng, 1, "default");
    for (int i = 0; i < 300; i++) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping;
        SlError err;
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        if (holds_words(&accel)) {
            expect_legal(&layer, &accel);
            n_legal++;
        } else {
            assert_int_equal(sl_mapping_default(&layer, &accel, &mapping, &err), SL_EINPUT);
            assert_non_null(strstr(err.text, " even for the smallest tile"));
        }
    }
    assert_true(n_legal > 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_gets_a_legal_mapping_of_every_kind_of_layer),
        cmocka_unit_test(any_machine_gets_a_legal_mapping_or_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
