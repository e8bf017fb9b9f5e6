// test_maestro_wild.c - any layer, list and machine is priced or refused; the sanitizers look on.
#include "support/check.h"

#include "starling/cost/maestro.h"

enum { N_WILD = 20000 };

// mostly small, sometimes as large as numbers go
static int32_t draw_size(SlRng *rng) {
    static const int32_t most[] = {1, 4, 16, 100, 5000, INT32_MAX};
    return (int32_t)sl_rng_range(rng, 1, most[sl_rng_below(rng, 6)]);
}

static bool chance(SlRng *rng, int one_in) {
    return sl_rng_below(rng, (uint64_t)one_in) == 0;
}

static void draw_layer(SlRng *rng, SlMaestroLayer *layer) {
    *layer = (SlMaestroLayer){.type = (SlMaestroType)sl_rng_below(rng, SL_N_MAESTRO_TYPES),
                              .batched = chance(rng, 2)};
    for (int v = 0; v < SL_N_MV; v++) {
        bool output = v == SL_MV_XO || v == SL_MV_YO;
        layer->size[v] = output && !chance(rng, 8) ? 0 : draw_size(rng);
        layer->stride[v] = chance(rng, 4) ? draw_size(rng) : 1;
    }
    if (layer->size[SL_MV_XO] && chance(rng, 2)) layer->size[SL_MV_X] = 0;
    if (layer->size[SL_MV_YO] && chance(rng, 2)) layer->size[SL_MV_Y] = 0;
}

static SlDirective draw_map(SlRng *rng, const SlMaestroLayer *layer, bool spatial) {
    int var = (int)sl_rng_below(rng, SL_N_MV);
    int32_t size = draw_size(rng);
    bool whole = (var == SL_MV_R || var == SL_MV_S) && !spatial;
    if (whole) size = layer->size[var];
    return (SlDirective){.kind = spatial ? SL_MAP_SPATIAL : SL_MAP_TEMPORAL,
                         .var = (uint8_t)var,
                         .size = size,
                         .offset = whole || chance(rng, 2) ? size : draw_size(rng)};
}

static void draw_list(SlRng *rng, const SlMaestroLayer *layer, SlMaestroMapping *list) {
    int n_levels = (int)sl_rng_range(rng, 1, SL_MAESTRO_MAX_LEVELS);
    list->n = 0;
    for (int l = 0; l < n_levels; l++) {
        int32_t cluster = (int32_t)sl_rng_range(rng, 1, 8);
        if (l > 0) list->list[list->n++] = (SlDirective){.kind = SL_MAP_CLUSTER, .size = cluster};
        int n = (int)sl_rng_range(rng, 1, 8);
        for (int i = 0; i < n; i++)
            list->list[list->n++] = draw_map(rng, layer, i == 0 || chance(rng, 8));
    }
}

static SlMaestroHardware draw_hardware(SlRng *rng) {
    return (SlMaestroHardware){.num_pes = chance(rng, 3) ? draw_size(rng) : 1024,
                               .simd_lanes = draw_size(rng),
                               .noc_bw = draw_size(rng),
                               .noc_latency = (int32_t)sl_rng_below(rng, 3),
                               .offchip_bw = draw_size(rng),
                               .l1_bytes = draw_size(rng),
                               .l2_bytes = draw_size(rng)};
}

// everything that can be asked of a result
static void ask_all(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                    const SlMaestroHardware *hardware, const SlMaestroCost *cost) {
    SlLayer layer;
    SlMapping nest;
    SlMaestroGuard guard;
    SlMaestroReasons reasons;
    sl_maestro_reasons(shape, list, hardware, cost, &reasons);
    if (sl_maestro_layer(shape, &layer)) return;
    const char *none = sl_maestro_nest(shape, list, hardware->num_pes, &layer, &nest);
    if (!none) assert_null(sl_mapping_check(&layer, &nest));
    bool accepted =
        sl_maestro_guard(shape, list, hardware, cost, &layer, none ? NULL : &nest, &guard);
    assert_int_equal(accepted, guard.broken == 0);
    assert_int_equal(accepted, guard.excess == 0);
    assert_true(guard.excess < 1000);
}

static void any_list_of_any_layer_is_priced_or_refused(void **state) {
    (void)state;
    SlRng rng;
    int n_priced = 0;
    sl_rng_init(&rng, 1, "wild");
    for (int i = 0; i < N_WILD; i++) {
        SlMaestroLayer layer;
        SlMaestroMapping list;
        SlMaestroCost cost;
        SlMaestroFault fault;
        draw_layer(&rng, &layer);
        draw_list(&rng, &layer, &list);
        SlMaestroHardware hardware = draw_hardware(&rng);
        bool priced = sl_maestro_eval(&layer, &list, &hardware, NULL, &cost, &fault);
        assert_int_equal(priced, fault.kind == SL_FAULT_NONE);
        if (priced) ask_all(&layer, &list, &hardware, &cost);
        n_priced += priced;
    }
    assert_true(N_WILD / 20 < n_priced && n_priced < N_WILD / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_list_of_any_layer_is_priced_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
