// nest_cases.c - see nest_cases.h.
#include "nest_cases.h"

#include "support/check.h"

#include <math.h>

SlLayer layer_of(const char *text) {
    SlLayer layer;
    SlError err;
    if (sl_layer_parse(text, &layer, &err) != SL_OK) fail_msg("%s: %s", text, err.text);
    return layer;
}

SlMapping nest_of(const char *text) {
    SlMapping mapping;
    SlError err;
    if (sl_mapping_parse(text, &mapping, &err) != SL_OK) fail_msg("%s: %s", text, err.text);
    return mapping;
}

SlAccel accel_of(const char *name) {
    SlArena arena;
    SlAccel accel;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_accel_find(name, &arena, &accel, &err);
    sl_arena_free(&arena);
    if (status != SL_OK) fail_msg("%s: %s", name, err.text);
    return accel;
}

// uniform in the number of digits
static int64_t log_sample(SlRng *rng, int64_t most) {
    int64_t top = 1;
    while (top < most && sl_rng_below(rng, 8)) top *= 2;
    return sl_rng_range(rng, 1, top < most ? top : most);
}

static void fanout_sample(SlRng *rng, SlFanout *fanout, int64_t *room) {
    fanout->multicast = sl_rng_below(rng, 2);
    fanout->reduction = sl_rng_below(rng, 2);
    fanout->n_axes = (int)sl_rng_below(rng, SL_MAX_AXES + 1);
    for (int a = 0; a < fanout->n_axes; a++) {
        uint8_t dims = (uint8_t)sl_rng_range(rng, 1, SL_SPREAD_ALL);
        fanout->axes[a] =
            (SlAxis){{(char)('a' + a)}, log_sample(rng, *room < 300 ? *room : 300), dims};
        *room /= fanout->axes[a].size;
    }
}

void accel_sample(SlRng *rng, SlAccel *accel) {
    static const double words[] = {0.5, 1, 2, 4};
    *accel = (SlAccel){.name = "any", .mac_pj = 1, .mac_area_um2 = 1, .clock_mhz = 1};
    accel->n_levels = (int)sl_rng_range(rng, 2, SL_MAX_LEVELS);
    int64_t room = SL_MAX_INSTANCES;
    for (int l = 0; l < accel->n_levels; l++) {
        SlLevel *level = &accel->levels[l];
        *level = (SlLevel){.name = "Lx", .keep = SL_KEEP_ALL, .port_words = INFINITY};
        level->name[1] = (char)('0' + l);
        level->buffering = (SlBuffering)sl_rng_below(rng, 3);
        level->link_words = (double)log_sample(rng, 256);
        level->read_pj = level->write_pj = (double)log_sample(rng, 100);
        fanout_sample(rng, &accel->fanouts[l], &room);
        if (l == 0) continue;
        level->capacity_bytes = log_sample(rng, 1 << 24);
        level->keep = (uint8_t)sl_rng_range(rng, 1, SL_KEEP_ALL);
    }
    for (int t = 0; t < SL_N_TENSORS; t++) accel->word_bytes[t] = words[sl_rng_below(rng, 4)];
    assert_null(sl_accel_check(accel));
}

void layer_sample(SlRng *rng, SlLayer *layer) {
    static const int64_t most[SL_N_DIMS] = {4, 300, 4096, 4096, 512, 512, 11, 11};
    sl_layer_init(layer);
    int64_t room = INT64_C(1) << 40;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (sl_rng_below(rng, 4) == 0) continue;
        layer->dims[d] = log_sample(rng, most[d] < room ? most[d] : room);
        room /= layer->dims[d];
    }
    for (int i = 0; i < 2; i++) {
        layer->stride[i] = (int32_t)(sl_rng_below(rng, 2) ? 1 : sl_rng_range(rng, 1, 4));
        layer->dilation[i] = (int32_t)(sl_rng_below(rng, 2) ? 1 : sl_rng_range(rng, 1, 3));
    }
    assert_null(sl_layer_check(layer));
}

// the dims of the loops, outermost first
static int sample_dims(SlRng *rng, const SlLayer *layer, int *dims) {
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] > 1 || sl_rng_below(rng, 10) == 0) dims[n++] = d;
    int known = n, more = (int)sl_rng_below(rng, sl_rng_below(rng, 4) ? 12 : SL_MAX_LOOPS + 1);
    for (; more > 0 && known > 0 && n < SL_MAX_LOOPS; more--)
        dims[n++] = dims[sl_rng_below(rng, (uint64_t)known)];
    sl_rng_shuffle(rng, n, dims);
    return n;
}

void nest_sample(SlRng *rng, const SlLayer *layer, SlMapping *mapping) {
    int dims[SL_MAX_LOOPS], last[SL_N_DIMS];
    int64_t extent[SL_N_DIMS];
    *mapping = (SlMapping){0};
    mapping->n_loops = (uint8_t)sample_dims(rng, layer, dims);
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = layer->dims[d];
    for (int i = 0; i < mapping->n_loops; i++) last[dims[i]] = i;
    for (int i = 0; i < mapping->n_loops; i++) {
        int d = dims[i];
        int64_t tile = last[d] == i ? 1 : log_sample(rng, extent[d] + 2);
        mapping->loops[i] = (SlLoop){tile, (uint8_t)d, sl_rng_below(rng, 3) == 0};
        extent[d] = tile < extent[d] ? tile : extent[d];
    }
    mapping->n_boundaries = (uint8_t)sl_rng_below(rng, SL_MAX_BOUNDARIES + 1);
    int above = 0;
    for (int b = 0; b < mapping->n_boundaries; b++) {
        above = (int)sl_rng_range(rng, above, mapping->n_loops);
        if (sl_rng_below(rng, 4) == 0) above = mapping->n_loops;
        mapping->at[b] = (uint8_t)above;
        mapping->keep[b] = (uint8_t)sl_rng_below(rng, SL_KEEP_ALL + 1);
    }
    assert_null(sl_mapping_check(layer, mapping));
}
